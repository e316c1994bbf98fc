"""A kernel as one text for a compiler that runs while we do: options, prelude, headers and the kernel itself."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

from warptour.kernels import build

Dialect: TypeAlias = Literal["cuda", "opencl"]
Define: TypeAlias = int | str

FOLDER: Final = Path(build.__file__).parent
NATIVE_ONLY: Final = frozenset({"cpu"})
"""Texts that are no kernels."""


@dataclass(frozen=True)
class Text:
    """What a compiler is given.

    Attributes
    ----------
    name : str
        The kernel's file without its suffix.
    source : str
    relaxed : bool
        Whether sums may be reordered and roots be approximate.
    """

    name: str
    source: str
    relaxed: bool


def names() -> list[str]:
    """Return every kernel text there is."""
    return sorted(path.stem for path in FOLDER.glob("*.c") if path.stem not in NATIVE_ONLY)


@cache
def fingerprint() -> str:
    """Return a hash of all kernel texts, preludes and headers."""
    total = hashlib.sha256()
    for path in sorted(FOLDER.glob("*.[ch]")):
        total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def by_metric(name: str) -> bool:
    """Whether a text is built per metric."""
    return "metrics" in build.markers(FOLDER / f"{name}.c")


def assemble(name: str, dialect: Dialect, special: str | None, lanes: int, defines: dict[str, Define]) -> Text:
    """Return the text of a kernel for ``dialect``.

    Parameters
    ----------
    name : str
        The file without its suffix.
    special : str or None
        A key of ``SPECIALS`` of the native build, for a text that is built per metric.
    lanes : int
        Lanes of a group.
    defines : dict
        What ``#define`` lines come first.
    """
    relaxed = "relaxed-float" in build.markers(FOLDER / f"{name}.c")
    chosen: dict[str, Define] = {"LANES": lanes, **defines}
    if relaxed:
        chosen["RELAXED"] = 1
    if special is not None:
        for flag in build.SPECIALS[special]:
            key, _, value = flag.removeprefix("-D").partition("=")
            if key != "SPECIAL":  # suffixes are for one library that holds them all
                chosen[key] = value
    head = "".join(f"#define {key} {value}\n" for key, value in sorted(chosen.items()))
    return Text(name, head + _expanded(f"prelude_{dialect}.h") + _expanded(f"{name}.c"), relaxed)


@cache
def _expanded(file: str) -> str:
    """Return a file with its own headers in place of their ``#include`` lines; guards keep each to one copy."""
    text = (FOLDER / file).read_text(encoding="utf-8")
    return re.sub(r'^#include "([^"]+)"$', lambda match: _expanded(match[1]), text, flags=re.MULTILINE)
