"""A paper of which everything is known, for tests of the frame of ``reproduce``."""

from __future__ import annotations

import signal
from collections.abc import Iterator

from warptour.bench import Options, Row
from warptour.model.errors import UnsupportedError
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.paper import Paper

LONG = "a case | whose name goes on for longer than any column of a table is wide"


def compared(options: Options) -> Iterator[Row]:
    yield Row("fake", "short", 1000, options.device, 2.0, "s", limit=1.0, peer=4.0)
    yield Row("fake", LONG, 20, options.device, 123_456.0, "moves")


def curve(options: Options) -> Iterator[Row]:
    for n in (10, 20, 40):
        yield Row("fake", f"n {n}", n, options.device, float(n * n), "s")
    yield Row("fake", "of all", 0, options.device, float("nan"), "s")


def nowhere(options: Options) -> Iterator[Row]:
    raise UnsupportedError("this needs a machine that is gone")
    yield


def interrupted(options: Options) -> Iterator[Row]:
    yield Row("fake", "before Ctrl-C", 10, options.device, 1.0, "s")
    signal.raise_signal(signal.SIGINT)
    yield Row("fake", "after Ctrl-C", 10, options.device, 2.0, "s")


def broken(options: Options) -> Iterator[Row]:
    yield Row("fake", "before the defect", 10, options.device, 1.0, "s")
    raise ZeroDivisionError


def squares(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    return {"squares": [(row.n, row.value) for row in rows], "none": []}


TABLE = Exhibit("table-1", "Table 1: two rows", "Everything | differs.", compared)
FIGURE = Exhibit(
    "figure-2", "Figure 2: squares", "", curve, (Plot("squares", "n", "s", "squares", squares, log_x=True, log_y=True),)
)
NOWHERE = Exhibit("figure-3", "Figure 3: nothing", "", nowhere)
PAPER = Paper(
    "fake", "A. Nobody (1999): Nothing", (TABLE, FIGURE, NOWHERE), (("figure 4", "its instance has no name"),)
)
INTERRUPTED = Exhibit("table-5", "Table 5: interrupted", "", interrupted)
BROKEN = Exhibit("table-6", "Table 6: broken", "", broken)
