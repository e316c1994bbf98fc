"""Throughput over the number of cities, for every rung: the curves of the slides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.oneil.exhibits.cities import first_cities, sizes
from warptour.papers.oneil.exhibits.rates import contenders, rate
from warptour.papers.scans.suites.scan import BURTSCHER

PAPER: Final = "oneil"


def measure(options: Options) -> Iterator[Row]:
    """Yield the Gmoves/s of each rung at each number of cities that it takes."""
    for n in sizes(options):
        problem = first_cities(n)
        for contender in contenders(options):
            if contender.refuses(problem) is not None:
                continue
            about = contender.device.about()
            peer = BURTSCHER.get(n) if contender.name == "tuned" and "H200" in about.title else None
            if not problem.name.startswith("d18512"):
                peer = None
            case = f"{contender.title}, {problem.name}"
            found = rate(contender, problem, quick=options.quick)
            yield Row(PAPER, case, n, about.name, found, "Gmoves/s", contender.limit(problem), peer)


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the points of each rung."""
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        found.setdefault(row.case.partition(",")[0], []).append((row.n, row.value))
    return found


EXHIBIT: Final = Exhibit(
    "throughput",
    "Throughput of each kernel over the number of cities",
    "The slides draw the curves of a K40 without numbers; beside `tuned` stands the program's v2.3 with fast arithmetic"
    " on an H200. A measurement ends after two seconds, or when all climbers are at a local minimum.",
    measure,
    (
        Plot("throughput", "cities", "Gmoves/s", "2-opt moves per second, climbers filling the device", lines,
             log_x=True, log_y=True),
    ),
)  # fmt: skip
