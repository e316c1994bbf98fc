"""Figure 9: speed-up of the machine over neighbour lists."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.mavroidis.exhibits.machine import compared_instances
from warptour.papers.mavroidis.exhibits.printed import TABLE_2


def measure(options: Options) -> Iterator[Row]:
    """Yield the speed-up on each instance, and the mean."""
    speed_ups, public = [], True
    for each in compared_instances(options):
        name = each.problem.name
        speed_ups.append(each.over_lists)
        public &= each.public
        peer = TABLE_2[name].speed_up if name in TABLE_2 else None
        yield Row("mavroidis", name, each.problem.n, "cpu", each.over_lists, "times", peer=peer)
    mean = 6 if public else None
    yield Row("mavroidis", f"mean of {len(speed_ups)} instances", 0, "cpu", fmean(speed_ups), "times", peer=mean)


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the speed-up over the number of cities."""
    return {
        "ours": [(row.n, row.value) for row in rows if row.n],
        "Mavroidis (2011)": [(row.n, row.peer) for row in rows if row.n and row.peer is not None],
    }


EXHIBIT: Final = Exhibit(
    "figure-9",
    "Figure 9: predicted speed-up of the machine over neighbour lists on one core",
    "His lists are Concorde's 2-opt on a Pentium at 3 GHz, ours are 2-opt and or-opt on one core of this machine. The "
    "figure prints no values; those of seven instances are in table 2, and the mean is in the text.",
    measure,
    (
        Plot(
            "fpga_speed",
            "cities",
            "times as fast",
            "the machine, predicted, over neighbour lists",
            lines,
            log_x=True,
            log_y=True,
            joined=False,
        ),
    ),
)
