"""``warptour fpga --rtl``: the machine for a file as Verilog, with a test bench."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from warptour.cli.failure import complain
from warptour.cli.show import show_json, show_rows
from warptour.model.errors import OutputError
from warptour.model.problem import TSP
from warptour.observe.progress import format_cost
from warptour.papers.mavroidis.engine.fpga import gain_left
from warptour.papers.mavroidis.fpga import Machine
from warptour.papers.mavroidis.fpga.rtl import Design, Roots, exceeds, integer_cities, write_bench, write_verilog
from warptour.papers.mavroidis.fpga.thresholds import AnnealingSchedule

MOST_EMULATED: Final = 500
"""Cities of the largest design with a test bench; its emulator in Python takes seconds for these, hours for 5,000."""


@dataclass(frozen=True)
class DesignChoices:
    """What the command line says about a design."""

    elements: int  # 0 stands for a quarter of the cities
    squared: bool
    bits: int  # bits of a coordinate
    early: float  # fraction of the tour's length; the design takes the power of two below it
    # temperatures, level, seed: annealing schedule in the units of the file
    temperatures: Sequence[float]
    level: int
    seed: int
    megahertz: float


PROGRESS_SECONDS: Final = 5.0
"""Seconds between two lines of progress."""


class UnderWay:
    """Says on standard error what is under way, if it takes long."""

    def __init__(self) -> None:
        self._began = self._said_at = time.monotonic()

    def __call__(self, doing: str) -> None:
        now = time.monotonic()
        if now - self._said_at >= PROGRESS_SECONDS:
            self._said_at = now
            complain(f"warptour: {now - self._began:.0f} s: {doing}")


def write_rtl(problem: TSP, chosen: DesignChoices, folder: Path, *, as_json: bool) -> None:
    """Write Verilog, test bench and what it compares with into a folder, and say what the design does."""
    Design(problem.n, chosen.elements, chosen.bits)
    cities, scale = integer_cities(problem.points, chosen.bits)
    unit = scale**2 if chosen.squared else scale
    heats = tuple(unit * heat for heat in chosen.temperatures)
    design = Design(
        problem.n,
        chosen.elements,
        chosen.bits,
        wide=chosen.squared and exceeds(cities, chosen.bits),
        roots=None if chosen.squared else Roots(),
        annealing=AnnealingSchedule(heats, chosen.level, chosen.seed) if heats else None,
        early=math.ceil(-math.log2(chosen.early)) if chosen.early else None,
    )
    watch = UnderWay()
    try:
        files = [path.name for path in write_verilog(design, folder, watch)]
        machine = write_bench(design, cities, folder, watch) if problem.n <= MOST_EMULATED else None
    except OSError as error:
        raise OutputError(f"cannot write to the folder {folder}: {error.strerror or error}") from None
    model = design.model(chosen.megahertz)
    run: dict[str, Any] = {"loops": None, "cycles": None, "seconds": None, "cost": None, "two_optimal": None}
    if machine is not None:
        run = _run(problem, machine, model.cycles(machine.loops, problem.n, design.elements), chosen.megahertz)
    if as_json:
        show_json({**run, "elements": design.elements, "loop_cycles": model.cycles(1, problem.n, design.elements)})
        return
    lengths = "squared distances" if design.roots is None else f"roots of {design.fraction} binary places"
    elements = f"{design.elements} element{'s' if design.elements > 1 else ''}"
    show_rows(
        {
            "design": f"{problem.n} cities of 2 x {design.coordinate} bits, {elements}, {lengths}",
            "scale": None if scale == 1 else f"coordinates x {scale:g}, rounded",
            "early": None if design.early is None else f"at 2^-{design.early} of the length in n - 1 loops",
            "loop": f"{model.cycles(1, problem.n, design.elements)} cycles",
            "files": f"{', '.join(files)} in {folder}",
            "loops": None if machine is None else str(run["loops"]),
            "cycles": None if machine is None else str(run["cycles"]),
            "time": None if machine is None else f"{run['seconds'] * 1e6:.1f} us at {chosen.megahertz:g} MHz",
            "cost": None if machine is None else format_cost(run["cost"]),
            "bench": f"none above {MOST_EMULATED} cities" if machine is None else "bench.v, cities.hex, tours.hex",
        }
    )


def _run(problem: TSP, machine: Machine, cycles: int, megahertz: float) -> dict[str, Any]:
    """Return what the emulator of the design did."""
    tour = np.array(machine.register, np.int32)
    return {
        "loops": machine.loops,
        "cycles": cycles,
        "seconds": cycles / (megahertz * 1e6),
        "cost": float(problem.cost(tour)),
        "two_optimal": not gain_left(problem, tour),
    }
