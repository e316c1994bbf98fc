"""Table 1: area and clock of the machine after placement and routing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.model.errors import MissingLibrary, UnsupportedError
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.exhibits.printed import TABLE_1, Area
from warptour.papers.mavroidis.fpga.rtl import Design, place

DEVICE: Final = "LFE5U-85F"


def measure(options: Options) -> Iterator[Row]:
    """Yield multipliers, area, clock and the tools' time for each size; with ``--quick`` what the RTL alone says."""
    for name, printed in TABLE_1.items():
        design = Design(printed.n)
        yield _row(name, printed.n, "multipliers", design.elements, "multipliers", printed.multipliers)
        if options.quick:
            yield _row(name, printed.n, "loop", design.model().cycles(1, design.n, design.elements), "cycles", 35)
        else:
            yield from placed_rows(name, design, printed)


def placed_rows(name: str, design: Design, printed: Area | None = None) -> Iterator[Row]:
    """Yield area and clock of a design after placement and routing, beside those of the thesis, and the tools' time."""
    try:
        placed = place(design)
    except MissingLibrary as error:
        raise UnsupportedError(str(error)) from None
    multipliers, slices, megahertz = (
        (printed.multipliers, printed.slices, printed.megahertz) if printed else (None,) * 3
    )
    for what, value, unit, peer in (
        ("multipliers, placed", placed.multipliers, "multipliers", multipliers),
        ("slices, at least", -(-max(placed.tables, placed.registers) // 2), "slices", slices),
        ("lookup tables", placed.tables, "tables", None),
        ("flip-flops", placed.registers, "flip-flops", None),
        ("18-kbit memories", placed.memories, "memories", None),
        ("clock", placed.megahertz, "MHz", megahertz),
        ("Yosys", placed.synthesis_seconds, "s", None),
        ("nextpnr", placed.routing_seconds, "s", None),
    ):
        yield _row(name, design.n, what, value, unit, peer)


def _row(name: str, n: int, what: str, value: float, unit: str, peer: float | None) -> Row:
    return Row("mavroidis", f"{name}, {what}", n, DEVICE, value, unit, peer=peer)


EXHIBIT: Final = Exhibit(
    "table-1",
    "Table 1: multipliers, slices and clock of the machine with squared distances",
    "His device is a Virtex-II Pro xc2vp100-6, ours a Lattice ECP5 LFE5U-85F of grade 8, by Yosys and nextpnr. A slice "
    "of both has two 4-input lookup tables and two flip-flops, a multiplier 18 x 18 bits; his slices are those "
    "occupied, ours as many as the tables or flip-flops would fill. Multipliers compare as they are, slices roughly; "
    "clocks are those of another chip. The tools take half an hour of processor time; --quick leaves them out.",
    measure,
)
