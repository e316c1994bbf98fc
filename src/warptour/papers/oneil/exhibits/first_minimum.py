"""Time to the first local minimum, for every rung, with climbers that fill the device."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.oneil.exhibits.cities import first_cities, sizes
from warptour.papers.oneil.exhibits.rates import Contender, contenders
from warptour.papers.oneil.exhibits.throughput import PAPER, lines
from warptour.papers.scans.two_opt_climbers import LOCALLY_OPTIMAL

SECONDS, QUICK_SECONDS = 10.0, 0.5
"""Longest wait for a minimum."""

POLLS: Final = 50
"""Approximate number of polls during a climb, which takes about n scans: times are accurate to 2%."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the seconds to the first minimum of each rung; none for a rung that takes longer than the limit."""
    for n in sizes(options):
        problem = first_cities(n)
        for contender in contenders(options):
            if contender.refuses(problem) is None:
                found = seconds(contender, problem, QUICK_SECONDS if options.quick else SECONDS)
                if found is not None:
                    case = f"{contender.title}, {problem.name}"
                    yield Row(PAPER, case, n, contender.device.name, 1e3 * found, "ms")


def seconds(contender: Contender, problem: TSP, limit: float) -> float | None:
    """Return the time to the first local minimum of a batch that fills the device, or None beyond ``limit``."""
    contender.climbers(problem, 2, 0).climb(1)  # compile and load
    team = contender.climbers(problem, contender.count(problem), 1)
    contender.device.synchronise()
    began = time.perf_counter()
    while not team.counters()[:, LOCALLY_OPTIMAL].any():
        if time.perf_counter() - began > limit:
            return None
        team.climb(max(1, problem.n // POLLS))
    return time.perf_counter() - began


EXHIBIT: Final = Exhibit(
    "first-minimum",
    "Time to the first local minimum",
    'The slides say "faster time to first solution" and print no times. A rung is left out where it has none after ten'
    " seconds, with --quick after half a second.",
    measure,
    (Plot("first-minimum", "cities", "ms", "Time to the first local minimum", lines, log_x=True, log_y=True),),
)
