"""Figure 19: quality of annealing over its time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.mavroidis.engine.forms import Form
from warptour.papers.mavroidis.exhibits.annealing import annealed, cooled, gap, limits, schedules
from warptour.papers.mavroidis.exhibits.machine import named
from warptour.strategies.self_check import sound_device

SERIES: Final[dict[str, Form]] = {"his cooling, blocks": "blocks", "his cooling, one group": "group"}
OURS: Final = "ours"


def measure(options: Options) -> Iterator[Row]:
    """Yield time and quality of each cooling of the thesis, in both forms, and of ours by time limit."""
    device, _ = sound_device(options.device, options.threads)
    problem, _ = named("d493", 493)
    for series, form in SERIES.items():
        for temperatures in schedules(problem.n, options):
            seconds, cost = cooled("d493", problem.n, device.name, form, temperatures)
            yield from _rows(problem, f"{series}, {temperatures} temperatures", device.name, seconds, cost)
    for seconds in limits(options):
        cost = annealed("d493", problem.n, device.name, options.threads, seconds)
        yield from _rows(problem, f"{OURS}, {seconds:g} s", device.name, seconds, cost)


def _rows(problem: TSP, case: str, device: str, seconds: float, cost: float) -> Iterator[Row]:
    """Yield the time, and the percentage above the optimum or, where that is not known, the cost."""
    above = gap(problem, cost)
    value, unit = (cost, "cost") if above is None else (above, "% above")
    yield Row("mavroidis", f"{problem.name}, {case}: time", problem.n, device, 1e3 * seconds, "ms")
    yield Row("mavroidis", f"{problem.name}, {case}: quality", problem.n, device, value, unit)


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the quality over the seconds."""
    pairs = list(zip(rows[::2], rows[1::2], strict=True))
    return {
        series: [(time.value / 1e3, quality.value) for time, quality in pairs if f", {series}, " in time.case]
        for series in (*SERIES, OURS)
    }


EXHIBIT: Final = Exhibit(
    "figure-19",
    "Figure 19: quality of annealing on d493 over its time",
    "The thesis varies the cooling rate, which sets the time. His cooling: one tour from the order of the file, equal "
    "steps from 0.3 mean edges to 0, 493 rounds at each temperature; he names no values. Ours starts from a greedy "
    "tour, anneals many tours at once, and the time limit sets its cooling rate. The figure prints no values; his "
    "table has 4.3% after 5.47 s.",
    measure,
    (Plot("annealing_d493", "seconds", "% above the optimum", "annealing d493", lines, log_x=True),),
)
