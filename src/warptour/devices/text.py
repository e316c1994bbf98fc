"""Kernel sources for run-time compilers: definitions, prelude, headers and kernel in one string."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

Define: TypeAlias = int | str

FOLDER: Final = Path(__file__).parents[1] / "kernels"


@dataclass(frozen=True)
class Text:
    """A complete translation unit."""

    name: str  # file name of the kernel without its suffix
    source: str
    relaxed: bool  # whether the compiler may reorder sums and approximate roots


def names() -> list[str]:
    """Return the names of all kernel sources but the native ones."""
    from warptour.kernels import build

    return sorted(name for name, path in _sources().items() if "native" not in build.markers(path))


@cache
def _sources() -> dict[str, Path]:
    """Return the source files by their names without suffix, which are unique among all folders."""
    return {path.stem: path for path in FOLDER.rglob("*.c")}


@cache
def fingerprint() -> str:
    """Return a hash of all kernel sources, preludes and headers."""
    total = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*.[ch]")):
        total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def by_metric(name: str) -> bool:
    """Return whether a source is built per metric."""
    from warptour.kernels import build

    return "metrics" in build.markers(_sources()[name])


def assemble(name: str, dialect: str, special: str | None, lanes: int, defines: dict[str, Define]) -> Text:
    """Return the source of a kernel for ``dialect``, a backend with a prelude.

    ``name``: file name without its suffix
    ``special``: a key of ``SPECIALS`` of the native build or ``cut``, for a source that is built per metric
    ``lanes``: lanes per group
    ``defines``: macros defined at the top of the source
    """
    from warptour.kernels import build  # imports much of the standard library

    relaxed = "relaxed-float" in build.markers(_sources()[name])
    chosen: dict[str, Define] = {"LANES": lanes, **defines}
    if relaxed:
        chosen["RELAXED"] = 1
    if special is not None:
        for flag in (build.SPECIALS | build.MORE_SPECIALS)[special]:
            key, _, value = flag.removeprefix("-D").partition("=")
            if key != "SPECIAL":  # name suffix, needed only in the native library
                chosen[key] = value
    head = "".join(f"#define {key} {value}\n" for key, value in sorted(chosen.items()))
    return Text(name, head + _expanded(f"common/prelude_{dialect}.h") + _expanded(_sources()[name]), relaxed)


@cache
def _expanded(file: str | Path) -> str:
    """Return a file with its ``#include "..."`` lines replaced by the headers; include guards remove duplicates."""
    text = (FOLDER / file).read_text(encoding="utf-8")
    return re.sub(r'^#include "([^"]+)"$', lambda match: _expanded(match[1]), text, flags=re.MULTILINE)
