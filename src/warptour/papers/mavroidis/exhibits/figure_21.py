"""Figure 21: cost of annealing in descents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.mavroidis.engine.forms import Form
from warptour.papers.mavroidis.exhibits.annealing import (
    annealed_until,
    cooled,
    cooled_until,
    descent,
    instances,
    schedules,
)
from warptour.papers.mavroidis.exhibits.printed import PrintedTours
from warptour.strategies.self_check import sound_device

SERIES: Final[dict[str, Form | None]] = {"his cooling, blocks": "blocks", "his cooling": "group", "ours": None}
"""Ways of annealing, and the form of those with his cooling."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the time of annealing in descents of the same form on the same device.

    It is the time in which annealing matches his percentage; for uniform cities, that of one schedule of his cooling.
    """
    device, _ = sound_device(options.device, options.threads)
    gpu = device.about().kind == "gpu"
    for problem, printed in instances(options):
        peer = printed.annealed_ms / printed.gpu_ms if printed and gpu else None
        for series, form in SERIES.items():
            if form == "blocks" and not gpu and not options.quick:
                continue  # one core walks through the blocks
            seconds = _seconds(problem, printed, device, form, options)
            if seconds is not None:
                ratio = seconds / descent(device, problem, form or "group")[0]
                case = f"{problem.name}, {series}" + (f" to {printed.annealed:g}%" if printed else "")
                yield Row("mavroidis", case, problem.n, device.name, ratio, "descents", peer=peer)


def _seconds(
    problem: TSP, printed: PrintedTours | None, device: Device, form: Form | None, options: Options
) -> float | None:
    """Return the seconds of annealing; None if it does not match his percentage."""
    if printed is None or not problem.best_known:
        shown = cooled(problem.name, problem.n, device.name, form, schedules(problem.n, options)[-1]) if form else None
        return shown[0] if shown else None
    if form is None:
        until = annealed_until(problem, printed, device, options)
    else:
        until = cooled_until(problem, printed, device, form, options)
    return until[0] if until else None


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the ratios over the number of cities."""
    ours: dict[str, list[tuple[float, float]]] = {
        series: [(row.n, row.value) for row in rows if row.case.partition(", ")[2].partition(" to ")[0] == series]
        for series in SERIES
    }
    return ours | {"Mavroidis (2011)": [(row.n, row.peer) for row in rows if row.peer is not None]}


EXHIBIT: Final = Exhibit(
    "figure-21",
    "Figure 21: time of annealing to his percentages, in descents without annealing",
    "His ratios are of times on a GTX 280, computed from his table; none stands beside a CPU. His cooling: one tour "
    "from the order of the file, equal steps from 0.3 mean edges to 0, n rounds at each, their number doubled from 25 "
    "to 800, or a million rounds, until the percentage is reached; ours: time limits doubled from 12.5 ms to 3.2 s. "
    "What does not reach it is left out. Uniform cities have no percentage: the time is that of one schedule.",
    measure,
    (
        Plot(
            "annealing_cost",
            "cities",
            "times a descent",
            "annealing to the percentages of Mavroidis (2011)",
            lines,
            log_x=True,
            log_y=True,
            joined=False,
        ),
    ),
)
