"""Output files: checked before the search, and written to an alternative place if the given one fails."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path

from warptour import api
from warptour.cli.failure import complain, explain
from warptour.io.files import why_not_writable
from warptour.io.solution import FORMATS, solution_text
from warptour.model.errors import InputError, UsageError
from warptour.model.problem import TSP
from warptour.model.result import Result
from warptour.model.vehicles import VRP


def check_writable(path: str | None, option: str, suffixes: Collection[str] = (), source: str | None = None) -> None:
    """Reject an output file that could not be written after a long run, or that would overwrite the input."""
    if path is None:
        return
    file = Path(path)
    if suffixes and file.suffix.lower() not in suffixes:
        raise UsageError(f"{option} {path}: the suffix says the format and is one of {', '.join(suffixes)}")
    reason = why_not_writable(path)
    if reason is not None:
        raise InputError(f"{option} cannot be written: {reason}", path)
    if source is not None and file.exists() and Path(source).exists() and file.samefile(source):
        raise UsageError(f"{option} {path} would replace the file that is read")


def attempt(write: Callable[[], None]) -> str | None:
    """Call ``write``; return None on success, else the reason for the failure."""
    try:
        write()
    except Exception as error:  # whatever failed, the other outputs must still be written
        return explain(error)[0]
    return None


def write_output(path: str, problem: TSP | VRP, result: Result, held: str | None = None) -> str | None:
    """Write a solution to ``path``, or :func:`rescue` it; return the file that holds it, or None.

    ``held`` is a file that holds the solution already: another output, or the checkpoint.
    """
    reason = attempt(lambda: api.write(path, problem, result))
    return path if reason is None else rescue(path, problem, result, reason, held)


def rescue(path: str, problem: TSP | VRP, result: Result, reason: str, held: str | None = None) -> str | None:
    """Write a solution near ``path``, which failed for ``reason``, or elsewhere; print and return the place.

    If no file can be written and there is no ``held`` copy, print the solution on standard error and return None.
    """
    name = Path(path)
    natural = ".sol" if isinstance(problem, VRP) else ".tour"
    suffix = name.suffix if name.suffix.lower() in FORMATS else natural
    for folder in _shelters(name):
        for ending in dict.fromkeys((suffix, natural)):  # the second needs the least memory to write
            place = folder / f"{name.stem}-{secrets.token_hex(4)}{ending}"
            if attempt(lambda place=place: api.write(place, problem, result)) is None:  # type: ignore[misc]
                complain(f"warptour: {reason}; the solution is in {place} instead")
                return str(place)
    if held is not None:
        complain(f"warptour: {reason}; the solution is in {held}")
    else:
        complain(f"warptour: {reason}; no other file can be written either, so this is the solution:")
        solution = result.tour if result.routes is None else result.routes
        complain(solution_text(natural, problem, solution, result.cost))
    return None


def _shelters(name: Path) -> Iterator[Path]:
    """Yield alternative folders for ``name``: its own, the current one, temporary ones."""
    yield name.parent
    yield Path()
    with suppress(OSError):
        yield Path(tempfile.gettempdir())
    yield Path("/dev/shm")  # in memory: usable when disks are full
