"""``warptour fpga``: emulation of the symmetric 2-opt machine on a file, loop by loop."""

from __future__ import annotations

from typing import Annotated

import typer

from warptour import api
from warptour.cli.options import Json, notes
from warptour.cli.show import show_json, show_rows
from warptour.engines.symmetric.fpga import emulate, gain_left
from warptour.fpga import CostModel
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.observe.progress import format_cost


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
    cycles: Annotated[int, typer.Option(help="Clock cycles of a loop.")] = 35,
    megahertz: Annotated[float, typer.Option(help="The clock.")] = 150.0,
    as_json: Json = False,
) -> int:
    """Emulate the symmetric 2-opt machine on FILE, from the file's own order and with unrounded distances."""
    with notes():
        problem = api.read(file, rounding="none")
    if not isinstance(problem, TSP):
        raise UsageError(f"{file}: the machine is for tours, not for vehicles")
    if cycles < 1 or not megahertz > 0 or not 0 <= early <= 100:
        raise UsageError("--cycles is 1 or more, --megahertz above 0 and --early from 0 to 100")
    run = emulate(
        problem,
        elements=elements,
        squared=squared,
        early=early / 100,
        model=CostModel(cycles, megahertz),
    )
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
    else:
        ended = "the last n - 1 without a move" if run.finished else "stopped early"
        scanned = (
            f"no: a move takes off {format_cost(left)}"
            if left
            else "yes, by a scan of all moves in unrounded distances"
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
    return 0
