"""What was measured for a paper, and under which conditions."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from warptour.bench import Row
from warptour.bench.conditions import Conditions
from warptour.papers.exhibit import Exhibit
from warptour.papers.paper import Paper

MOST_SIZES: Final = 6
"""Most sizes that a title lists; of more, it has the smallest and the largest."""


@dataclass
class ExhibitTable:
    """The rows of an exhibit."""

    exhibit: Exhibit
    rows: list[Row] = field(default_factory=list)
    gap: str = ""  # why rows are missing; empty if none are
    quick: bool = False  # whether only small cases were run, whose sizes the title then names

    @property
    def title(self) -> str:
        """Title of the exhibit and, if only small cases were run, their sizes."""
        sizes = sorted({row.n for row in self.rows if row.n})
        if not self.quick or not sizes:
            return self.exhibit.title
        words = [f"{n:,}" for n in sizes]
        if len(words) > MOST_SIZES:
            words = [f"{words[0]} to {words[-1]}"]
        return f"{self.exhibit.title} [run with n = {', '.join(words)}]"


@dataclass
class PaperReport:
    """The tables of a paper that were measured in one run. ``absent``: which instance files were not at hand."""

    paper: Paper
    conditions: Conditions
    tables: list[ExhibitTable] = field(default_factory=list)
    absent: str = ""

    def in_order(self) -> list[ExhibitTable]:
        """Return the tables in the paper's order, also those that an earlier run finished."""
        places = {exhibit.name: place for place, exhibit in enumerate(self.paper.exhibits)}
        return sorted(self.tables, key=lambda table: places.get(table.exhibit.name, len(places)))

    def records(self) -> list[dict[str, Any]]:
        """Return all rows with the name of their exhibit; what is not finite becomes None."""
        return [record(row) | {"exhibit": table.exhibit.name} for table in self.in_order() for row in table.rows]


def record(row: Row) -> dict[str, Any]:
    """Return the fields of a row; what is not finite becomes None."""
    fields = asdict(row)
    odd = [name for name, value in fields.items() if isinstance(value, float) and not math.isfinite(value)]
    return fields | dict.fromkeys(odd)
