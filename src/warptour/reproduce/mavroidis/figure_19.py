"""Figure 19: quality of annealing over its time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.engines.self_check import sound_device
from warptour.reproduce.exhibit import Exhibit, Plot
from warptour.reproduce.mavroidis.annealing import annealed, gap, limits
from warptour.reproduce.mavroidis.machine import named


def measure(options: Options) -> Iterator[Row]:
    """Yield the percentage above the optimum for each time limit; the cost where the optimum is not known."""
    device, _ = sound_device(options.device, options.threads)
    problem, same = named("d493", 493)
    name = "d493" if same else problem.name
    for seconds in limits(options):
        cost = annealed(name, problem.n, device.name, options.threads, seconds)
        above = gap(problem, cost)
        value, unit = (cost, "cost") if above is None else (above, "% above")
        yield Row("mavroidis", f"{problem.name}, annealed {seconds:g} s", problem.n, device.name, value, unit)


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the quality over the time limit."""
    return {"": [(float(row.case.split()[-2]), row.value) for row in rows]}


EXHIBIT: Final = Exhibit(
    "figure-19",
    "Figure 19: quality of annealing on d493 by time limit",
    "He varies the cooling rate, which sets the time; we set the time, which sets the cooling rate. The figure prints "
    "no values; his table has 4.3% after 5.47 s.",
    measure,
    (Plot("annealing_d493", "seconds", "% above the optimum", "annealing d493", lines, log_x=True),),
)
