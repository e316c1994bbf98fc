"""``warptour fpga``: emulation of the symmetric 2-opt machine on a file, loop by loop, and its RTL."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from warptour.cli.declare import Only
from warptour.cli.options import Json, read_given
from warptour.cli.rtl import DesignChoices, write_rtl
from warptour.cli.show import show_json, show_rows
from warptour.io.reading import ReadOptions
from warptour.model.errors import UsageError
from warptour.model.option import Argument, Option
from warptour.model.problem import TSP
from warptour.observe.progress import format_cost
from warptour.papers.mavroidis.engine.fpga import Emulation, check_plane, emulate, gain_left
from warptour.papers.mavroidis.fpga import CostModel


def fpga(
    file: Annotated[str, Argument("A .tsp, .csv or .npy file of cities in the plane, or uniform:N:SEED.", "FILE")],
    given: Annotated[ReadOptions, Only("ignore")],
    elements: Annotated[int | None, Option("Processing elements; a quarter of the cities by default.", low=1)] = None,
    squared: Annotated[bool, Option("Compare squared distances: hardware without roots.")] = False,
    early: Annotated[
        float, Option("Stop once n - 1 loops took off less than so many percent.", metavar="PERCENT", low=0, high=100)
    ] = 0.0,
    anneal: Annotated[
        str, Option("Temperatures of the first loops, in the file's unit of length.", metavar="T,T,...")
    ] = "",
    level: Annotated[int, Option("Loops at each temperature.", low=1)] = 100,
    seed: Annotated[int, Option("Seed of annealing.", low=1, high=2**32 - 1)] = 1,
    cycles: Annotated[int | None, Option("Clock cycles of a loop; 35 by default.", low=1)] = None,
    megahertz: Annotated[float, Option("The clock.")] = 150.0,
    rtl: Annotated[
        str | None, Option("Write the machine as Verilog, with a test bench; needs warptour[fpga].", metavar="DIR")
    ] = None,
    bits: Annotated[int, Option("Bits of a coordinate in the Verilog.")] = 15,
    as_json: Json = False,
) -> int:
    """Emulate the symmetric 2-opt machine on FILE, from the file's own order and with unrounded distances."""
    problem = read_given(file, replace(given, rounding="none"))
    if not isinstance(problem, TSP):
        raise UsageError(f"{file}: the machine is for tours, not for vehicles")
    if not megahertz > 0:
        raise UsageError("--megahertz is above 0")
    heats = _temperatures(anneal)
    if rtl is not None:
        if cycles is not None:
            raise UsageError("--rtl counts its own cycles: leave out --cycles")
        check_plane(problem)
        chosen = DesignChoices(elements or 0, squared, bits, early / 100, heats, level, seed, megahertz)
        write_rtl(problem, chosen, Path(rtl), as_json=as_json)
        return 0
    model = CostModel(35 if cycles is None else cycles, megahertz)
    run = emulate(
        problem, elements=elements, squared=squared, early=early / 100, temperatures=heats, level=level, seed=seed,
        model=model,
    )  # fmt: skip
    _show(problem, run, megahertz, as_json=as_json)
    return 0


def _temperatures(text: str) -> list[float]:
    """Return the temperatures of ``--anneal``."""
    try:
        heats = [float(part) for part in text.split(",")] if text else []
    except ValueError:
        heats = [0.0]
    if not all(0 < heat < math.inf for heat in heats):
        raise UsageError(f"--anneal is temperatures above 0, separated by commas, not {text!r}")
    return heats


def _show(problem: TSP, run: Emulation, megahertz: float, *, as_json: bool) -> None:
    """Print what the emulator did."""
    left = gain_left(problem, run.tour)
    if as_json:
        show_json(
            {
                "loops": run.loops,
                "cycles": run.cycles,
                "seconds": run.seconds,
                "cost": run.cost,
                "two_optimal": not left,
            }
        )
        return
    ended = "the last n - 1 without a move" if run.finished else "stopped early"
    scanned = (
        f"no: a move takes off {format_cost(left)}" if left else "yes, by a scan of all moves in unrounded distances"
    )
    show_rows(
        {
            "loops": f"{run.loops} ({ended})",
            "moves": str(run.moves),
            "cycles": str(run.cycles),
            "time": f"{run.seconds * 1e6:.1f} us at {megahertz:g} MHz",
            "cost": format_cost(run.cost),
            "2-optimal": scanned,
        }
    )
