"""Output files: checked before the search, and written to an alternative place if the given one fails."""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from warptour import api
from warptour.cli.failure import complain, explain
from warptour.io.files import is_special, open_special, why_not_writable
from warptour.io.solution import FORMATS, solution_bytes
from warptour.model.errors import InputError, OutputError, UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.interrupt import Interrupt, Interrupted, give_up
from warptour.observe.result import Result

STANDARD_OUTPUT = "-"


def check_writable(
    path: str | None, option: str, suffixes: Collection[str] = (), inputs: Iterable[str | None] = ()
) -> None:
    """Reject an output file that could not be written after a long run, or that would overwrite one of `inputs`."""
    if path is None:
        return
    file = Path(path)
    if suffixes and file.suffix.lower() not in suffixes:
        raise UsageError(f"{option} {path}: the suffix says the format and is one of {', '.join(suffixes)}")
    reason = why_not_writable(path)
    if reason is not None:
        raise InputError(f"{option} cannot be written: {reason}", path)
    sources = [Path(name) for name in inputs if name is not None]
    if file.exists() and any(source.exists() and file.samefile(source) for source in sources):
        raise UsageError(f"{option} {path} would replace the file that is read")


def check_distinct(files: Iterable[tuple[str, str | None]]) -> None:
    """Reject two options, given with their files, that write the same one; devices may be shared."""
    owners: dict[str, str] = {}
    for option, path in files:
        place = None if path is None else os.path.realpath(path)
        if place is None or (os.path.exists(place) and not os.path.isfile(place)):
            continue
        if place in owners:
            raise UsageError(f"{owners[place]} and {option} both write {path}")
        owners[place] = option


def split_outputs(outputs: Sequence[str], as_json: bool) -> tuple[list[str], bool]:
    """Return the output files, and whether the solution goes to standard output, too."""
    piped = STANDARD_OUTPUT in outputs
    if piped and as_json:
        raise UsageError("--output - and --json both write to standard output; give --output a file")
    return [path for path in outputs if path != STANDARD_OUTPUT], piped


def print_solution(problem: TSP | VRP, result: Result) -> None:
    """Write the solution to standard output: as what the problem came as where that has answers, else as its own."""
    if sys.stdout is None:
        raise OutputError("standard output is closed, and --output - writes there")
    suffix = ".csv" if problem.table is not None else ".json" if problem.request is not None else _natural(problem)
    sys.stdout.flush()
    sys.stdout.buffer.write(solution_bytes(suffix, problem, result.solution, result.cost))
    sys.stdout.buffer.flush()


def solution_facts(problem: TSP | VRP, result: Result) -> dict[str, Any]:
    """Return the solution for ``--json``: node numbers from 1, as files have them, and names where there are any."""
    routes = [result.tour] if result.routes is None else result.routes
    nodes = [(route + 1).tolist() for route in routes]
    names = None if problem.labels is None else [[problem.labels[node] for node in route.tolist()] for route in routes]
    if result.routes is None:
        return {"solution": nodes[0], "names": None if names is None else names[0]}
    return {"solution": nodes, "names": names}


@contextmanager
def interruptible(path: str | None, interrupt: object) -> Iterator[None]:
    """Let a signal end what may wait for ever: the opening and writing of a pipe or device at ``path``.

    After an earlier signal, a pipe that nobody reads is an error at once.
    """
    if path is None or not isinstance(interrupt, Interrupt) or not is_special(path):
        yield
        return
    before, interrupt.action = interrupt.action, give_up  # no library in between swallows what that raises
    try:
        with nullcontext() if interrupt.received is None else open_special(path, wait=False):  # held, it has a reader
            yield
    except Interrupted:
        raise OutputError(f"cannot write {path}: interrupted before all was read") from None
    finally:
        interrupt.action = before


def attempt(write: Callable[[], None], path: str | None = None, interrupt: object = None) -> str | None:
    """Call ``write``; return None on success, else the reason for the failure.

    With the ``path`` that it writes and the ``interrupt``, a signal ends its wait for a reader.
    """
    try:
        with interruptible(path, interrupt):
            write()
    except Exception as error:  # whatever failed, the other outputs must still be written
        return explain(error)[0]
    return None


def write_output(
    path: str, problem: TSP | VRP, result: Result, held: str | None = None, interrupt: object = None
) -> str | None:
    """Write a solution to ``path``, or :func:`rescue` it; return the file that holds it, or None.

    ``held`` is a file that holds the solution already: another output, or the checkpoint.
    """
    reason = attempt(lambda: api.write(path, problem, result), path, interrupt)
    return path if reason is None else rescue(path, problem, result, reason, held)


def rescue(path: str, problem: TSP | VRP, result: Result, reason: str, held: str | None = None) -> str | None:
    """Write a solution near ``path``, which failed for ``reason``, or elsewhere; print and return the place.

    If no file can be written and there is no ``held`` copy, print the solution on standard error and return None.
    """
    name = Path(path)
    natural = _natural(problem)
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
        complain(solution_bytes(natural, problem, result.solution, result.cost).decode("utf-8", "replace"))
    return None


def _natural(problem: TSP | VRP) -> str:
    """Return the suffix of the format that every solution has."""
    return ".sol" if isinstance(problem, VRP) else ".tour"


def _shelters(name: Path) -> Iterator[Path]:
    """Yield alternative folders for ``name``: its own unless it is one of devices, the current one, temporary ones."""
    if Path(os.path.realpath(name.parent)).parts[1:2] not in (("dev",), ("proc",), ("sys",)):
        yield name.parent
    yield Path()
    with suppress(OSError):
        yield Path(tempfile.gettempdir())
    yield Path("/dev/shm")  # in memory: usable when disks are full
