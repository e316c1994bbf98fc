"""A table or figure of a paper, and what measures it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from warptour.bench import Options, Row


@dataclass(frozen=True)
class Plot:
    """A figure drawn from the rows of an exhibit.

    Attributes
    ----------
    name : str
        File name without suffix.
    x, y, title : str
        Axis labels and title.
    lines : callable
        Returns the points of each series, by its name.
    log_x, log_y : bool
        Which axes are logarithmic.
    joined : bool
        Whether lines join the points of a series.
    """

    name: str
    x: str
    y: str
    title: str
    lines: Callable[[list[Row]], dict[str, list[tuple[float, float]]]]
    log_x: bool = False
    log_y: bool = False
    joined: bool = True


@dataclass(frozen=True)
class Exhibit:
    """A table or figure of a paper.

    Attributes
    ----------
    name : str
        What a user types: "throughput", "table-4.7".
    title : str
        "Table 4.7: predicted and observed best launches, 500 cities".
    differs : str
        What differs from the paper's conditions and why; empty if nothing does.
    measure : callable
        Yields rows as they are measured. A row's suite is the name of the paper, its peer the paper's value in the
        same unit.
    plots : tuple
        Figures drawn from the rows.
    """

    name: str
    title: str
    differs: str
    measure: Callable[[Options], Iterator[Row]]
    plots: tuple[Plot, ...] = ()
