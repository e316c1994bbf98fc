"""The time to read a text grows as its length: no pattern takes the square of it, whatever is written there."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import warptour
from warptour.io import sections
from warptour.io.cells import cell_text, name_of, parse
from warptour.io.delimited import Delimited
from warptour.io.headers import find_columns, fold_timed, unit_of
from warptour.io.options import chosen_columns

ROOT = Path(warptour.__file__).parent
SHORT, FACTOR, MOST = 1000, 16, 64
"""Repetitions in the short text; how many times that in the long one; how much longer that may take."""
NOISE = 2e-3
"""CPU seconds below which a time says nothing."""

REPEATED = ["1", "( ", " ", "(", "a", ".", ",", ", a", '"', "'", "-", "_", "1,", "#", "[a", "route ", "8-", "8:00-"]
ENDS = ["", "x", "!", "\n"]

READERS: dict[str, Callable[[str], Any]] = {
    "a number": parse,
    "a number of TSPLIB": lambda text: sections.NUMBER.fullmatch(text.encode()),
    "a header": fold_timed,
    "a unit": unit_of,
    "columns": lambda text: find_columns([text, "x"], {"x": ["x"], "lat": ["lat"]}, {}, ()),
    "a cell": lambda text: name_of(cell_text(text)),
    "choices of columns": lambda text: chosen_columns([f"x=a{text}"]),
    "the first line of a CSV": lambda text: list(Delimited.candidates("a.csv", text.encode())),
}


def cpu_seconds(call: Callable[[Any], Any], text: str | bytes) -> float:
    """Return the least of three times: CPU time, so that other work on the machine does not count."""
    times = []
    for _ in range(3):
        began = time.process_time()
        call(text)
        times.append(time.process_time() - began)
        if times[-1] > 1:
            break
    return min(times)


def check_growth(call: Callable[[Any], Any], repeated: Any, end: Any) -> None:
    short = max(cpu_seconds(call, repeated * SHORT + end), NOISE)
    long = cpu_seconds(call, repeated * (FACTOR * SHORT) + end)
    assert long < MOST * short, (repeated, end, short, long)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("reader", READERS)
def test_long_texts_are_read_in_proportion(reader: str, end: str) -> None:
    for repeated in REPEATED:
        check_growth(READERS[reader], repeated, end)


def patterns() -> list[tuple[str, re.Pattern[Any]]]:
    """Return every pattern that a module of the package keeps."""
    for path in ROOT.rglob("*.py"):
        if "re.compile" in path.read_text(encoding="utf-8"):
            import_module(".".join(("warptour", *path.relative_to(ROOT).with_suffix("").parts)))
    modules = {name: module for name, module in sys.modules.items() if name.startswith("warptour")}
    found = [(name, value) for name, module in modules.items() for value in vars(module).values()]
    return sorted({(name, value) for name, value in found if isinstance(value, re.Pattern)}, key=str)


def test_no_pattern_takes_the_square_of_a_text() -> None:
    known = {pattern for _, pattern in patterns()}
    assert len(known) > 20
    for pattern in known:
        for repeated in REPEATED:
            for end in ENDS:
                for call in (pattern.match, pattern.fullmatch):
                    check_growth(call, *(kind_of(pattern)(text) for text in (repeated, end)))


def kind_of(pattern: re.Pattern[Any]) -> Callable[[str], Any]:
    """Return what makes of a text the kind of text that a pattern is for."""
    return str if isinstance(pattern.pattern, str) else str.encode
