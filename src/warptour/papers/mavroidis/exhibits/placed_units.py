"""Area and clock of what the machine can have besides: early stop, root units, annealing, fewer elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.exhibits.table_1 import DEVICE, placed_rows
from warptour.papers.mavroidis.fpga.rtl import Design, Roots
from warptour.papers.mavroidis.fpga.thresholds import AnnealingSchedule

LEVELS: Final = 16
COOLING: Final = 0.75
HOTTEST: Final = 0.06 * 2**15
"""Levels of temperature, their ratio, and the first one in units of 15-bit coordinates: 6% of the largest side."""


def annealing(n: int) -> AnnealingSchedule:
    """Return the schedule of docs/developer/fpga.md."""
    return AnnealingSchedule(tuple(HOTTEST * COOLING**level for level in range(LEVELS)), 2 * n)


DESIGNS: Final = (
    ("early stop", Design(52, early=10)),
    ("root units of one stage", Design(52, roots=Roots(4, 20))),
    ("root units of five stages", Design(52, roots=Roots())),
    ("root units, annealing", Design(52, roots=Roots(), annealing=annealing(52))),
    ("figure 5, 7 of 13 elements", Design(52, 7)),
    ("figure 5, 13 of 25 elements", Design(100, 13)),
    ("root units of five stages", Design(76, roots=Roots())),
    ("root units, annealing", Design(76, roots=Roots(), annealing=annealing(76))),
)
"""Designs by the time of the tools, about."""


def measure(options: Options) -> Iterator[Row]:
    """Yield cycles per loop, area, clock and the tools' time of each design; with ``--quick`` the cycles alone."""
    for name, design in DESIGNS:
        cycles = design.model().cycles(1, design.n, design.elements)
        yield Row("mavroidis", f"{name}, loop", design.n, DEVICE, cycles, "cycles")
        if not options.quick:
            yield from placed_rows(name, design)


EXHIBIT: Final = Exhibit(
    "placed-units",
    "Area and clock of early stop, root units, annealing and fewer elements (figure 5, section 7.1)",
    "The thesis has no figures of them; table-1 has the machine without them, on the same device. The tools take half "
    "an hour of processor time; --quick leaves them out.",
    measure,
)
