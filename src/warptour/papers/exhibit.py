"""A table or figure of a paper, and what measures it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from warptour.bench import Options, Row

Lines: TypeAlias = dict[str, list[tuple[float, float]]]
"""The points (x, y) of each series of a plot, by its name."""


def series(points: Iterable[tuple[str, float, float]]) -> Lines:
    """Return points (name, x, y) by the names of their series."""
    found: Lines = {}
    for name, x, y in points:
        found.setdefault(name, []).append((x, y))
    return found


@dataclass(frozen=True)
class Plot:
    """A figure drawn from the rows of an exhibit."""

    name: str  # file name without suffix
    # x, y, title: axis labels and title
    x: str
    y: str
    title: str
    lines: Callable[[list[Row]], Lines]  # returns the points of each series, by its name
    # log_x, log_y: which axes are logarithmic
    log_x: bool = False
    log_y: bool = False
    joined: bool = True  # whether lines join the points of a series


def over_cities(name: str, y: str, title: str, lines: Callable[[list[Row]], Lines], *, log_y: bool = False) -> Plot:
    """Return a plot of points over the number of cities, which has a logarithmic axis."""
    return Plot(name, "cities", y, title, lines, log_x=True, log_y=log_y, joined=False)


@dataclass(frozen=True)
class Exhibit:
    """A table or figure of a paper."""

    name: str  # what a user types: "throughput", "table-4.7"
    title: str  # "Table 4.7: predicted and observed best launches, 500 cities"
    differs: str  # what differs from the paper's conditions and why; empty if nothing does
    # Yields rows as they are measured. A row's suite is the name of the paper, its peer the paper's value in the same
    # unit.
    measure: Callable[[Options], Iterator[Row]]
    plots: tuple[Plot, ...] = ()  # figures drawn from the rows
