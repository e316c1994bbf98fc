"""Chapter 2: quality and time of constructions and of local search from a greedy tour."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import numpy as np

from warptour import api
from warptour.bench import Options, Row
from warptour.bound import prove_bound
from warptour.model.errors import UnsupportedError
from warptour.model.gaps import percent_above
from warptour.model.problem import TSP
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.papers.exhibit import Exhibit, Lines, Plot, series
from warptour.papers.instances import public, stand_in
from warptour.search.strategy import Strategy
from warptour.tours.starts.start import installed_starts, start
from warptour.tours.strategy.windows import Windows

SIZES: Final = (1000, 10_000, 100_000, 1_000_000)
FILES: Final = ("pr1002", "pcb3038", "fnl4461", "d18512")

BOUND_SECONDS, BOUND_SECONDS_PER_CITY, QUICK_SECONDS = 20.0, 3e-4, 2.0
"""Time limit of a bound: of clustered files, for each city, and of ``--quick``."""

UNIFORM: Final = 0.7080
"""Held-Karp bound of many uniform cities over sqrt(n * area) (Johnson and McGeoch, 1997)."""

BELOW: Final = 0.8
"""Percentage of the Held-Karp bound below the optimum, as the thesis states it."""

STATED: Final = {
    "nearest": 25.0, "greedy": 17.5, "christofides": 10.0, "2-opt": 5.0, "3-opt": 3.0, "Lin-Kernighan": 2.0,
    "nearest-insertion": 27.0, "cheapest-insertion": 22.0, "farthest-insertion": 13.0, "savings": 12.0,
}  # fmt: skip
"""Percent above Held-Karp: of the thesis, and of Johnson and McGeoch from Lin-Kernighan on."""

NEAREST: Final = 20
"""Neighbours per city of 2-opt and 3-opt, as Johnson and McGeoch have; with 8, 2-opt tours are 2% longer."""

SEARCHES: Final[dict[str, Strategy]] = {
    "2-opt": VariableNeighborhoodSearch(neighborhoods=("2-opt",), nearest=NEAREST),
    "3-opt": VariableNeighborhoodSearch(neighborhoods=("3-opt",), nearest=NEAREST),
    "Lin-Kernighan": Windows(),
}
"""Descents by neighbour lists, each followed by a single kick or shake."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the bound, and the percentage above it and the seconds of each construction and search."""
    for n in SIZES[:1] if options.quick else SIZES:
        yield from _measured(stand_in(n), options)
    files = {name: public(name) for name in (FILES[:1] if options.quick else FILES)}
    for problem in files.values():
        if problem is not None:
            yield from _measured(problem, options)
    absent = ", ".join(name for name, problem in files.items() if problem is None)
    if absent and not options.quick:
        raise UnsupportedError(f"{absent}: WARPTOUR_DATA names no folder with them")


def _measured(problem: TSP, options: Options) -> Iterator[Row]:
    seconds = QUICK_SECONDS if options.quick else BOUND_SECONDS + BOUND_SECONDS_PER_CITY * problem.n
    bound = prove_bound(problem, seconds, options.threads)
    case = f"Held-Karp, {problem.name}"
    if problem.best_known:
        below = 100 * (1 - bound.lower_bound / problem.best_known)
        yield Row("mavroidis", f"{case}: below the optimum", problem.n, "cpu", below, "%", peer=BELOW)
    else:
        ratio = bound.lower_bound / float(np.sqrt(problem.n * np.ptp(problem.points, axis=0).prod()))
        yield Row("mavroidis", f"{case}: / sqrt(nA)", problem.n, "cpu", ratio, "", peer=UNIFORM)
    yield Row("mavroidis", f"{case}: time", problem.n, "cpu", bound.seconds, "s")
    for what, cost, taken in _tours(problem, options):
        above = percent_above(cost, bound.lower_bound)
        assert above is not None
        yield Row("mavroidis", f"{what}, {problem.name}: above", problem.n, "cpu", above, "%", peer=STATED.get(what))
        yield Row("mavroidis", f"{what}, {problem.name}: time", problem.n, "cpu", taken, "s")


def _tours(problem: TSP, options: Options) -> Iterator[tuple[str, float, float]]:
    """Yield the name of each construction and search, the cost of its tour, and its seconds."""
    for name in installed_starts():
        if name in ("random", "file"):
            continue
        began = time.perf_counter()
        tour = start(problem, name, 1, threads=options.threads)
        yield name, float(problem.cost(tour)), time.perf_counter() - began
    for name, strategy in SEARCHES.items():
        found = api.solve(problem, strategy, iterations=1, seed=1, device="cpu", threads=options.threads or 1)
        yield name, float(found.cost), found.seconds


def lines(rows: list[Row]) -> Lines:
    """Return the percentages over the number of uniform cities."""
    cases = ((row, row.case.removesuffix(": above").partition(", ")) for row in rows if row.unit == "%")
    return series((what, row.n, row.value) for row, (what, _, name) in cases if name.startswith("uniform"))


EXHIBIT: Final = Exhibit(
    "chapter2",
    "Chapter 2: constructions, and local search from a greedy tour, percent above Held-Karp",
    "The bound is proven, by an ascent of 20 s and 0.3 ms for each city, within 0.1% of Held-Karp as a rule. For "
    "uniform cities 0.7080 is the limit for many; the sides of the square add to it. The thesis states nearest "
    "neighbour, greedy (15 to 20), Christofides, 2-opt and 3-opt; the others are those of Johnson and McGeoch, for "
    "uniform cities. Searches go by neighbour lists; Lin-Kernighan is the one of `windows`, with steps of 3-opt.",
    measure,
    (Plot("constructions", "cities", "% above Held-Karp", "constructions and local search", lines, log_x=True),),
)
