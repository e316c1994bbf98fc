"""Figure 7: speed-up of the machine over its emulator."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.mavroidis.exhibits.machine import compared_instances


def measure(options: Options) -> Iterator[Row]:
    """Yield the speed-up on each instance, the same divided by cities, and the mean of those."""
    normalised, public = [], True
    for each in compared_instances(options):
        n = each.problem.n
        normalised.append(each.over_emulator / n)
        public &= each.public
        yield Row("mavroidis", each.problem.name, n, "cpu", each.over_emulator, "times")
        yield Row("mavroidis", f"{each.problem.name}, per city", n, "cpu", normalised[-1], "times/city")
    peer = 60 if public else None
    yield Row("mavroidis", "mean of speed-up / cities", 0, "cpu", fmean(normalised), "times/city", peer=peer)


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the speed-up over the number of cities."""
    return {"": [(row.n, row.value) for row in rows if row.n and row.unit == "times"]}


def lines_per_city(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the speed-up divided by the number of cities, over that number."""
    return {"": [(row.n, row.value) for row in rows if row.n and row.unit == "times/city"]}


EXHIBIT: Final = Exhibit(
    "figure-7",
    "Figure 7: predicted speed-up of the machine over its emulator on one core, overall and divided by cities",
    "His emulator ran on a Pentium at 3 GHz, ours runs vectorised on one core of this machine. The figure prints no "
    "values; the text has the mean of 60 per city.",
    measure,
    (
        Plot(
            "fpga_emulator",
            "cities",
            "times as fast",
            "the machine, predicted, over its emulator",
            lines,
            log_x=True,
            log_y=True,
            joined=False,
        ),
        Plot(
            "fpga_emulator_per_city",
            "cities",
            "times as fast / cities",
            "the machine, predicted, over its emulator, normalised by n",
            lines_per_city,
            log_x=True,
            joined=False,
        ),
    ),
)
