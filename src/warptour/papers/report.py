"""What was measured for a paper, and under which conditions."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from warptour.bench import Row
from warptour.bench.conditions import Conditions
from warptour.papers.exhibit import Exhibit
from warptour.papers.paper import Paper


@dataclass
class ExhibitTable:
    """The rows of an exhibit. ``gap``: why rows are missing; empty if none are."""

    exhibit: Exhibit
    rows: list[Row] = field(default_factory=list)
    gap: str = ""


@dataclass
class PaperReport:
    """The tables of a paper that were measured in one run."""

    paper: Paper
    conditions: Conditions
    tables: list[ExhibitTable] = field(default_factory=list)

    def records(self) -> list[dict[str, Any]]:
        """Return all rows with the name of their exhibit; what is not finite becomes None."""
        return [record(row) | {"exhibit": table.exhibit.name} for table in self.tables for row in table.rows]


def record(row: Row) -> dict[str, Any]:
    """Return the fields of a row; what is not finite becomes None."""
    fields = asdict(row)
    odd = [name for name, value in fields.items() if isinstance(value, float) and not math.isfinite(value)]
    return fields | dict.fromkeys(odd)
