"""``warptour fpga``: emulation of the symmetric 2-opt machine on a file, loop by loop, and its RTL."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from warptour import api
from warptour.cli.options import Ignore, Json, notes
from warptour.cli.rtl import Choices, write_rtl
from warptour.cli.show import show_json, show_rows
from warptour.io.options import ignored_names
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.observe.progress import format_cost
from warptour.papers.mavroidis.engine.fpga import Emulation, check_plane, emulate, gain_left
from warptour.papers.mavroidis.fpga import CostModel


def fpga(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A .tsp, .csv or .npy file of cities in the plane, or uniform:N:SEED.")
    ],
    elements: Annotated[
        int | None, typer.Option(help="Processing elements; a quarter of the cities by default.")
    ] = None,
    squared: Annotated[
        bool, typer.Option("--squared", help="Compare squared distances: hardware without roots.")
    ] = False,
    early: Annotated[
        float, typer.Option(metavar="PERCENT", help="Stop once n - 1 loops took off less than so many percent.")
    ] = 0.0,
    anneal: Annotated[
        str, typer.Option(metavar="T,T,...", help="Temperatures of the first loops, in the file's unit of length.")
    ] = "",
    level: Annotated[int, typer.Option(help="Loops at each temperature.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of annealing.")] = 1,
    cycles: Annotated[int | None, typer.Option(help="Clock cycles of a loop; 35 by default.")] = None,
    megahertz: Annotated[float, typer.Option(help="The clock.")] = 150.0,
    rtl: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write the machine as Verilog, with a test bench; needs warptour[fpga]."),
    ] = None,
    bits: Annotated[int, typer.Option(help="Bits of a coordinate in the Verilog.")] = 15,
    ignore: Ignore = None,
    as_json: Json = False,
) -> int:
    """Emulate the symmetric 2-opt machine on FILE, from the file's own order and with unrounded distances."""
    with notes():
        problem = api.read(file, rounding="none", ignore=ignored_names(ignore or []))
    if not isinstance(problem, TSP):
        raise UsageError(f"{file}: the machine is for tours, not for vehicles")
    if (cycles is not None and cycles < 1) or not megahertz > 0 or not 0 <= early <= 100:
        raise UsageError("--cycles is 1 or more, --megahertz above 0 and --early from 0 to 100")
    if elements is not None and elements < 1:
        raise UsageError("--elements is 1 or more")
    if level < 1 or not 1 <= seed < 2**32:
        raise UsageError("--level is 1 or more, --seed from 1 to 2^32 - 1")
    heats = _temperatures(anneal)
    if rtl is not None:
        if cycles is not None:
            raise UsageError("--rtl counts its own cycles: leave out --cycles")
        check_plane(problem)
        chosen = Choices(elements or 0, squared, bits, early / 100, heats, level, seed, megahertz)
        write_rtl(problem, chosen, rtl, as_json=as_json)
        return 0
    run = emulate(
        problem,
        elements=elements,
        squared=squared,
        early=early / 100,
        temperatures=heats,
        level=level,
        seed=seed,
        model=CostModel(35 if cycles is None else cycles, megahertz),
    )
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
