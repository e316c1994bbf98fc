"""Section 3.1: what partitions cost, for parts of several sizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from warptour import api
from warptour.bench import Options, Row
from warptour.model.problem import TSP
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.papers.exhibit import Exhibit, Lines, Plot, series
from warptour.papers.instances import stand_in
from warptour.papers.mavroidis.strategy.annealing import Annealing
from warptour.papers.mavroidis.strategy.partition.strategy import Partition
from warptour.search.strategy import Strategy
from warptour.tours.strategy.windows import Windows

CITIES: Final = 100_000
PARTS: Final = (250, 500, 1000, 2000, 5000, 20_000, 100_000)
RULE: Final = 1000
"""Cities of a part below which the thesis expects significant deterioration."""

SECONDS: Final = 20.0
"""Time limit of each run; all together take six minutes."""

INNER: Final[dict[str, tuple[Strategy, float]]] = {
    "2-opt": (VariableNeighborhoodSearch(neighborhoods=("2-opt",), nearest=20, threshold=0.0), 1e-4),
    "annealing": (Annealing(), 0.0),
    "windows": (Windows(), 0.0),
}
"""Strategies for the parts, and their iterations per city: for 2-opt one shake after the descent, else all the time."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the percentage that each part size loses against the whole tour for the same time, and against windows."""
    n, sizes, seconds = (2000, (250, 1000, 2000), 0.2) if options.quick else (CITIES, PARTS, SECONDS)
    problem = stand_in(n)
    for name, (inner, effort) in INNER.items():
        costs = {}
        for most in sizes[::-1]:
            costs[most] = _solved(problem, Partition("karp", most, inner, effort), seconds, options)
            lost = 100 * (costs[most] / costs[sizes[-1]] - 1)
            yield Row("mavroidis", f"karp, {name}, parts of {most}: lost", n, "cpu", lost, "%")
        yield Row("mavroidis", f"karp, {name}, whole: cost", n, "cpu", costs[sizes[-1]], "length")
        for larger, smaller in ((sizes[-1], RULE), (RULE, sizes[0])):
            lost = 100 * (costs[smaller] / costs[larger] - 1)
            yield Row("mavroidis", f"karp, {name}, from {larger} to {smaller}: more", n, "cpu", lost, "%")
    plain = _solved(problem, Windows(), seconds, options)
    schemes: tuple[Literal["karp", "tour"], ...] = ("karp", "tour")
    for scheme in schemes:
        cost = _solved(problem, Partition(scheme, RULE, Windows(), 0.0), seconds, options)
        above = 100 * (cost / plain - 1)
        yield Row("mavroidis", f"{scheme}, windows, parts of {RULE}: above windows", n, "cpu", above, "%")


def _solved(problem: TSP, strategy: Strategy, seconds: float, options: Options) -> float:
    found = api.solve(problem, strategy, seconds=seconds, seed=1, device="cpu", threads=options.threads)
    return float(found.cost)


def lines(rows: list[Row]) -> Lines:
    """Return what is lost over the cities of a part."""
    words = ((row.case.removesuffix(": lost").split(", "), row.value) for row in rows if row.case.endswith(": lost"))
    return series((name, float(parts.split()[-1]), value) for (_, name, parts), value in words)


EXHIBIT: Final = Exhibit(
    "partitions",
    "Section 3.1: loss of tour quality against the cities of a part",
    "The thesis prints no figures, but a rule of thumb: below 1,000 cities in a part, significant deterioration. Rows "
    "with 'more' test it: what is lost down to 1,000 cities, and below. All runs have the same time, which smaller "
    "parts may use better; 2-opt ends by itself. The whole tour is a single part.",
    measure,
    (Plot("partitions", "cities of a part", "% lost", "Karp's partition of uniform cities", lines, log_x=True),),
)
