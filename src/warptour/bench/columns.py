"""Columns of text that stay aligned while rows are printed one by one."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest


@dataclass(frozen=True)
class Column:
    """A column: its title, its width in characters, and whether its cells are flush right."""

    title: str
    width: int
    right: bool = False


def titles(columns: Sequence[Column]) -> str:
    """Return the line of titles."""
    return line(columns, [column.title for column in columns])


def line(columns: Sequence[Column], cells: Sequence[str]) -> str:
    """Return one row of cells; a cell that is too wide for its column is wrapped."""
    wrapped = [
        textwrap.wrap(cell, column.width, subsequent_indent="" if column.right else "  ") or [""]
        for column, cell in zip(columns, cells, strict=True)
    ]
    return "\n".join(
        " ".join(
            f"{part:>{column.width}}" if column.right else f"{part:<{column.width}}"
            for column, part in zip(columns, parts, strict=True)
        ).rstrip()
        for parts in zip_longest(*wrapped, fillvalue="")
    )


def figure(value: float | None) -> str:
    """Return a number with four significant digits and no exponent where it can be read; ``-`` for none."""
    if value is None or not math.isfinite(value):
        return "-"
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e15 else f"{value:.4g}"
