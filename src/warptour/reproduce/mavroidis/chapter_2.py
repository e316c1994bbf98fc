"""Chapter 2: quality and time of constructions and of local search from a greedy tour."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from warptour import api
from warptour.bench import Options, Row
from warptour.construct.start import installed_starts, start
from warptour.model.problem import TSP
from warptour.reproduce.exhibit import Exhibit, Plot
from warptour.reproduce.instances import public, stand_in
from warptour.reproduce.mavroidis.held_karp import percent_above
from warptour.search.strategy import Strategy
from warptour.strategies.vns import VariableNeighborhoodSearch
from warptour.strategies.windows.strategy import Windows

SIZES: Final = (1000, 10_000, 100_000, 1_000_000)
FILES: Final = ("pr1002", "pcb3038", "fnl4461", "d18512")

MATCHED: Final = 200_000
"""Maximum cities of Christofides, whose matching takes minutes above."""

STATED: Final = {
    "nearest": 25.0, "greedy": 17.5, "christofides": 10.0, "2-opt": 5.0, "3-opt": 3.0, "Lin-Kernighan": 2.0,
    "nearest-insertion": 27.0, "cheapest-insertion": 22.0, "farthest-insertion": 13.0, "savings": 12.0,
}  # fmt: skip
"""Percent above Held-Karp: of the thesis, and of Johnson and McGeoch from Lin-Kernighan on."""

SEARCHES: Final[dict[str, Strategy]] = {
    "2-opt": VariableNeighborhoodSearch(neighborhoods=("2-opt",)),
    "3-opt": VariableNeighborhoodSearch(neighborhoods=("3-opt",)),
    "Lin-Kernighan": Windows(),
}
"""Descents by neighbour lists, each followed by a single kick or shake."""


def instances(options: Options) -> list[TSP]:
    """Return the uniform cities and the public files at hand."""
    if options.quick:
        return [stand_in(SIZES[0])]
    files = [public(name) for name in FILES]
    return [stand_in(n) for n in SIZES] + [problem for problem in files if problem is not None]


def measure(options: Options) -> Iterator[Row]:
    """Yield the percentage above Held-Karp and the seconds of each construction and search."""
    for problem in instances(options):
        for name in installed_starts():
            if name in ("random", "file") or (name == "christofides" and problem.n > MATCHED):
                continue
            began = time.perf_counter()
            tour = start(problem, name, 1, threads=options.threads)
            yield from _rows(problem, name, float(problem.cost(tour)), time.perf_counter() - began)
        for name, strategy in SEARCHES.items():
            found = api.solve(problem, strategy, iterations=1, seed=1, device="cpu", threads=options.threads or 1)
            yield from _rows(problem, name, float(found.cost), found.seconds)


def _rows(problem: TSP, what: str, cost: float, seconds: float) -> Iterator[Row]:
    above = percent_above(problem, cost)
    case = f"{what}, {problem.name}"
    if above is not None:
        yield Row("mavroidis", f"{case}: above", problem.n, "cpu", above, "%", peer=STATED.get(what))
    yield Row("mavroidis", f"{case}: time", problem.n, "cpu", seconds, "s")


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the percentages over the number of uniform cities."""
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        what, _, name = row.case.removesuffix(": above").partition(", ")
        if row.unit == "%" and name.startswith("uniform"):
            found.setdefault(what, []).append((row.n, row.value))
    return found


EXHIBIT: Final = Exhibit(
    "chapter2",
    "Chapter 2: constructions, and local search from a greedy tour, percent above Held-Karp",
    "The bound is estimated: 0.7080 sqrt(nA) and a term for the sides for uniform cities, 0.992 of the optimum for "
    "files. The thesis states nearest neighbour, greedy (15 to 20), Christofides, 2-opt and 3-opt; the others are "
    "those of Johnson and McGeoch. Searches go by neighbour lists; Lin-Kernighan is the one of `windows`, with steps "
    "of 3-opt.",
    measure,
    (Plot("constructions", "cities", "% above Held-Karp", "constructions and local search", lines, log_x=True),),
)
