"""Figure 17: number of blocks by their size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit, Plot

CITIES: Final = 2103
SIZES: Final = (5, 10, 15, 20, 25, 30, 35, 50, 70, 100, 150, 200, 350, 526, 1051)
"""Elements of a block."""
PRINTED: Final = {(201, 15): 7, (2103, 35): 30}
"""Number of blocks by cities and elements: that of figure 13, and the one in section 6.4.1."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the number of blocks for each size, for the cities of figure 13 and for those of d2103."""
    for n, size in ((201, 15), *((CITIES, size) for size in SIZES)):
        case = f"{n} cities, blocks of {size}"
        yield Row("mavroidis", case, n, "cpu", blocks(n, size), "blocks", peer=PRINTED.get((n, size)))


def blocks(n: int, size: int) -> int:
    """Return the number of blocks of ``size`` elements for ``n`` cities."""
    elements = ((n | 1) - 1) // 2
    return -(-elements // size)


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the blocks of d2103 over their size."""
    return {"": [(int(row.case.split()[-1]), row.value) for row in rows if row.n == CITIES]}


EXHIBIT: Final = Exhibit(
    "figure-17",
    "Figure 17: number of blocks by elements of a block, 2,103 cities",
    "The thesis has a block for every 2B cities, rounded down by its text (30 for B = 35) and up by its figure 13; the "
    "1,051 elements of 2,103 cities fill 31 blocks of 35. The figure prints no values.",
    measure,
    (Plot("block_count", "elements of a block", "blocks", "blocks of 2,103 cities", lines, log_x=True, log_y=True),),
)
