"""Figure 8: tour lengths of the machine against neighbour lists."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.mavroidis.exhibits.machine import compared_instances


def measure(options: Options) -> Iterator[Row]:
    """Yield the length on each instance in percent of the lists' tour, and the mean."""
    lengths, public = [], True
    for each in compared_instances(options):
        lengths.append(100 * each.run.cost / each.lists)
        public &= each.public
        yield Row("mavroidis", each.problem.name, each.problem.n, "cpu", lengths[-1], "% of lists'")
    peer = 90 if public else None
    yield Row("mavroidis", f"mean of {len(lengths)} instances", 0, "cpu", fmean(lengths), "% of lists'", peer=peer)


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the length over the number of cities."""
    return {"": [(row.n, row.value) for row in rows if row.n]}


EXHIBIT: Final = Exhibit(
    "figure-8",
    "Figure 8: tour lengths of the machine in percent of those of neighbour lists",
    "His lists are Concorde's 2-opt, ours are 2-opt and or-opt, which finds shorter tours. The figure prints no "
    "values; the text has the mean, about 10% shorter.",
    measure,
    (
        Plot(
            "fpga_length",
            "cities",
            "% of the lists' tour",
            "tours of the machine against neighbour lists",
            lines,
            log_x=True,
            joined=False,
        ),
    ),
)
