"""Throughput of every rung, their ratios, and the time to the first local minimum."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from typing import Final

from warptour.bench import Options, Row
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit, Lines, Plot, series
from warptour.papers.instances import public, stand_in
from warptour.papers.oneil.exhibits.rates import Contender, contenders, rate
from warptour.papers.scans.ladder.climber_batch import LOCALLY_OPTIMAL
from warptour.papers.scans.suites.scan import BURTSCHER

SIZES: Final = (100, 200, 500, 1000, 2000, 4000)
QUICK: Final = (100, 200)


def sizes(options: Options) -> tuple[int, ...]:
    """Return the numbers of cities to measure."""
    if options.first is not None:
        return (options.first,)
    return QUICK if options.quick else SIZES


def first_cities(n: int) -> TSP:
    """Return the first ``n`` cities of d18512, or uniform ones without the file, with unrounded distances."""
    whole = _whole()
    if whole is None or whole.n < n:
        return TSP(f"uniform {n}", METRICS["EUCLIDEAN"], stand_in(n).points)
    return TSP(f"d18512, first {n}", METRICS["EUCLIDEAN"], whole.points[:n])


@cache
def _whole() -> TSP | None:
    return public("d18512")


PAPER: Final = "oneil"

TUNED: Final = ("tuned", "tuned_printed")
"""The last rung with our loop and with that of the slides."""
LOOPS: Final = (
    "Of the rungs with a climber a block, `intra`, `tile` and `tuned` have our loop, which keeps the least change of a "
    "row and finds its column in one more pass over the best row; `intra_printed`, `tile_printed` and `tuned_printed` "
    "have the loop of the slides, row and column in one pass."
)


def throughput(options: Options) -> Iterator[Row]:
    """Yield the Gmoves/s of each rung at each number of cities that it takes."""
    for n in sizes(options):
        problem = first_cities(n)
        for contender in contenders(options):
            if contender.refuses(problem) is not None:
                continue
            about = contender.device.about()
            peer = BURTSCHER.get(n) if contender.name in TUNED and "H200" in about.title else None
            if not problem.name.startswith("d18512"):
                peer = None
            case = f"{contender.title}, {problem.name}"
            found = rate(contender, problem, quick=options.quick)
            yield Row(PAPER, case, n, about.name, found, "Gmoves/s", contender.limit(problem), peer)


def lines(rows: list[Row]) -> Lines:
    """Return the points of each rung."""
    return series((row.case.partition(",")[0], row.n, row.value) for row in rows)


THROUGHPUT: Final = Exhibit(
    "throughput",
    "Throughput of each kernel over the number of cities",
    "The slides draw the curves of a K40 without numbers; beside `tuned` stands the program's v2.3 with fast arithmetic"
    f" on an H200. {LOOPS} A measurement ends after two seconds, or when all climbers are at a local minimum.",
    throughput,
    (
        Plot("throughput", "cities", "Gmoves/s", "2-opt moves per second, climbers filling the device", lines,
             log_x=True, log_y=True),
    ),
)  # fmt: skip


SECONDS, QUICK_SECONDS = 10.0, 0.5
"""Longest wait for a minimum."""

POLLS: Final = 50
"""Approximate number of polls during a climb, which takes about n scans: times are accurate to 2%."""


def first_minimum(options: Options) -> Iterator[Row]:
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


FIRST_MINIMUM: Final = Exhibit(
    "first-minimum",
    "Time to the first local minimum",
    'The slides say "faster time to first solution" and print no times. A rung is left out where it has none after ten'
    f" seconds, with --quick after half a second. {LOOPS}",
    first_minimum,
    (Plot("first-minimum", "cities", "ms", "Time to the first local minimum", lines, log_x=True, log_y=True),),
)


PRINTED: Final = {"matr_s": 3.0, "matr_g": 3.0, "matr_g_ro": 3.0, "calc": 3.0}
"""Up to 3 times as fast as earlier GPU codes, which give each thread a climber."""

PRINTED_CPU: Final = 8.0
"""Up to 8 times as fast as their OpenMP version on 20 cores."""


def ratios(options: Options) -> Iterator[Row]:
    """Yield the throughput of ``tuned``, with either loop, divided by that of every other rung."""
    for n in sizes(options):
        problem = first_cities(n)
        taking = [contender for contender in contenders(options) if contender.refuses(problem) is None]
        rates = {contender: rate(contender, problem, quick=options.quick) for contender in taking}
        for tuned in (contender for contender in taking if contender.name in TUNED):
            for other in taking:
                if other is not tuned:
                    case = f"{tuned.name} over {other.title}, {problem.name}"
                    yield Row(PAPER, case, n, tuned.device.name, rates[tuned] / rates[other], "times",
                              peer=_printed_ratio(tuned, other))  # fmt: skip


def _printed_ratio(tuned: Contender, other: Contender) -> float | None:
    """Return the ratio that the slides print, which is of their loop on a GPU."""
    if tuned.name != "tuned_printed" or tuned.device.about().kind != "gpu":
        return None
    if other.device is tuned.device:
        return PRINTED.get(other.name)
    return PRINTED_CPU if other.name == "tile_printed" else None


RATIOS: Final = Exhibit(
    "ratios",
    "Throughput of tuned, in both loops, over that of the other kernels and of the CPU",
    'The slides print "up to 3X" over earlier GPU codes on a K40 and "up to 8X" over 20 Xeon cores, without n. Here the'
    f" cores are those of this machine. {LOOPS} On a core `tile` is vectorised.",
    ratios,
)
