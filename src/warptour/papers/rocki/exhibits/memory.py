"""The slide "Obtaining a distance": memory of a look-up table and of coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit
from warptour.papers.rocki.engine.table import table_bytes
from warptour.papers.rocki.exhibits.printed import MEMORY


def measure(options: Options) -> Iterator[Row]:
    """Yield both amounts of memory for each instance."""
    for name, n, table, coordinates in MEMORY:
        yield _row(f"{name}, look-up table", n, table_bytes(n) / 2**20, "MB", table)
        yield _row(f"{name}, coordinates", n, 8 * n / 2**10, "kB", coordinates)


def _row(case: str, n: int, value: float, unit: str, printed: str) -> Row:
    decimals = len(printed.partition(".")[2])
    if f"{value:.{decimals}f}" != printed:
        case += f", {value:.{decimals}f} if rounded to nearest"
    return Row("rocki", case, n, "-", value, unit, peer=float(printed))


EXHIBIT: Final = Exhibit(
    "memory",
    "Obtaining a distance: memory of a look-up table (4 n^2 bytes) and of coordinates (8 n bytes)",
    "MB and kB are 2^20 and 2^10 bytes, as the printed values show. They are rounded, and where one was not rounded to "
    "the nearest, the row says so.",
    measure,
)
