"""Area and clock of the machine after placement and routing (table 1), and its descents at that clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.devices.cpu import Cpu
from warptour.model.errors import MissingLibrary, UnsupportedError
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.engine.fpga import emulate
from warptour.papers.mavroidis.exhibits.annealing import descent
from warptour.papers.mavroidis.exhibits.machine import best_time, list_descent, named
from warptour.papers.mavroidis.exhibits.printed import QUICK, TABLE_1, Area
from warptour.papers.mavroidis.fpga import CostModel
from warptour.papers.mavroidis.fpga.rtl import Design, Roots, place
from warptour.papers.mavroidis.fpga.thresholds import AnnealingSchedule
from warptour.strategies.self_check import sound_device

DEVICE: Final = "LFE5U-85F"


def table_1(options: Options) -> Iterator[Row]:
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


AREA: Final = Exhibit(
    "table-1",
    "Table 1: multipliers, slices and clock of the machine with squared distances",
    "His device is a Virtex-II Pro xc2vp100-6, ours a Lattice ECP5 LFE5U-85F of grade 8, by Yosys and nextpnr. A slice "
    "of both has two 4-input lookup tables and two flip-flops, a multiplier 18 x 18 bits; his slices are those "
    "occupied, ours as many as the tables or flip-flops would fill. Multipliers compare as they are, slices roughly; "
    "clocks are those of another chip. The tools take half an hour of processor time; --quick leaves them out.",
    table_1,
)


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


def units(options: Options) -> Iterator[Row]:
    """Yield cycles per loop, area, clock and the tools' time of each design; with ``--quick`` the cycles alone."""
    for name, design in DESIGNS:
        cycles = design.model().cycles(1, design.n, design.elements)
        yield Row("mavroidis", f"{name}, loop", design.n, DEVICE, cycles, "cycles")
        if not options.quick:
            yield from placed_rows(name, design)


UNITS: Final = Exhibit(
    "placed-units",
    "Area and clock of early stop, root units, annealing and fewer elements (figure 5, section 7.1)",
    "The thesis has no figures of them; table-1 has the machine without them, on the same device. The tools take half "
    "an hour of processor time; --quick leaves them out.",
    units,
)


CLOCKS: Final = {52: 163.4, 76: 140.6, 100: 148.3, 150: 142.0, 225: 131.4, 299: 133.4}
"""MHz of the machine with squared distances by number of cities, on an LFE5U-85F of grade 8, from ``table-1``."""

ROOT_CLOCKS: Final = {52: 142.0, 76: 127.4}
"""MHz of the machine with root units of five stages by number of cities, on the same device, from ``placed-units``."""


def descents(options: Options) -> Iterator[Row]:
    """Yield the time of a descent on the placed machine, of the model and of software, for each instance of table 1."""
    core, chosen = Cpu(1), sound_device(options.device, options.threads)[0]
    devices = [core] if chosen.is_host else [core, chosen]
    for name, printed in list(TABLE_1.items())[: QUICK if options.quick else None]:
        problem, _ = named(name, printed.n)
        flat, model = problem.rounded("none"), CostModel(megahertz=CLOCKS[printed.n])
        squared, rooted = emulate(flat, squared=True, model=model), emulate(flat)
        lists, _ = best_time(lambda flat=flat: list_descent(flat))  # type: ignore[misc]
        placed = [(f"placed at {model.megahertz:g} MHz, squares", squared.seconds, DEVICE)]
        if printed.n in ROOT_CLOCKS:
            roots = Design(printed.n, roots=Roots()).model(ROOT_CLOCKS[printed.n])
            seconds = emulate(flat, model=roots).seconds
            placed.append((f"placed at {roots.megahertz:g} MHz, roots", seconds, DEVICE))
        for what, seconds, on in (
            *placed,
            ("model of table 2, roots", rooted.seconds, "model"),
            ("neighbour lists", lists, "cpu"),
            *(("symmetric 2-opt", descent(device, problem)[0], device.name) for device in devices),
        ):
            yield Row("mavroidis", f"{problem.name}, {what}", problem.n, on, 1e6 * seconds, "us")
        longer = 100 * (squared.cost / rooted.cost - 1)
        yield Row("mavroidis", f"{problem.name}, tour of squares to roots", problem.n, "cpu", longer, "%")


DESCENTS: Final = Exhibit(
    "placed-descents",
    "Time of a descent on the placed machine, cycles by clock, beside the model of table 2 and software",
    "Clocks are those that table-1 and placed-units measured once (docs/developer/fpga.md has them). Without root "
    "units the machine descends in squared distances, to another tour. Software runs on one core, symmetric 2-opt also "
    "on the GPU, if that is the device, one tour in one block. All start from the order of the file.",
    descents,
)
