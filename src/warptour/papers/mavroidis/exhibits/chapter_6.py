"""The table of chapter 6: quality and time of 2-optimal tours and of annealing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.exhibits.annealing import (
    annealed,
    annealed_until,
    cooled_until,
    descent,
    gap,
    instances,
    limits,
)
from warptour.papers.mavroidis.exhibits.machine import best_time, list_descent, list_two_opt
from warptour.papers.mavroidis.exhibits.printed import PrintedTours
from warptour.strategies.self_check import sound_device

SECONDS: Final = 1.6
"""Time limit of the row with a fixed one."""
NONE: Final = float("nan")
"""No value of the thesis."""


def measure(options: Options) -> Iterator[Row]:
    """Yield errors and times of neighbour lists, of a descent (on a GPU, also of one core) and of annealing."""
    device, _ = sound_device(options.device, options.threads)
    gpu = device.about().kind == "gpu"
    core, _ = sound_device("cpu", 1)
    for problem, printed in instances(options):
        his = printed or PrintedTours(problem.n, *[NONE] * 7)
        for what, search in (("lists, 2-opt", list_two_opt), ("lists, 2-opt and or-opt", list_descent)):
            seconds, tour = best_time(lambda problem=problem, search=search: search(problem))  # type: ignore[misc]
            alone = search is list_two_opt
            error, peer = gap(problem, problem.cost(tour)), his.concorde if alone else NONE
            yield from _row(problem, f"{what}, error", "cpu", error, "% above", peer)
            yield from _row(problem, f"{what}, time", "cpu", 1e3 * seconds, "ms", his.concorde_ms if alone else NONE)
        if gpu:
            seconds, _ = descent(core, problem)
            yield from _row(problem, "2-optimal, time on one core", core.name, 1e3 * seconds, "ms", his.cpu_ms)
        seconds, tour = descent(device, problem)
        yield from _row(
            problem, "2-optimal, error", device.name, gap(problem, problem.cost(tour)), "% above", his.descent
        )
        yield from _row(problem, "2-optimal, time", device.name, 1e3 * seconds, "ms", his.gpu_ms if gpu else his.cpu_ms)
        if gpu:
            seconds, _ = descent(device, problem, "blocks")
            yield from _row(problem, "2-optimal in blocks, time", device.name, 1e3 * seconds, "ms", his.gpu_ms)
        limit = min(SECONDS, limits(options)[-1])
        cost = annealed(problem.name, problem.n, device.name, options.threads, limit)
        what = f"annealed {limit:g} s, error"
        yield from _row(problem, what, device.name, gap(problem, cost), "% above", his.annealed)
        if printed is None:
            continue
        for what, until in (
            ("annealed", annealed_until(problem, printed, device, options)),
            ("his cooling", cooled_until(problem, printed, device, "group", options)),
        ):
            if until is not None:
                peer = his.annealed_ms if gpu else NONE  # he annealed on the GPU only
                reached = f"{what} to his {his.annealed:g}%, time"
                yield from _row(problem, reached, device.name, 1e3 * until[0], "ms", peer)


def _row(problem: TSP, what: str, device: str, value: float | None, unit: str, peer: float) -> Iterator[Row]:
    """Yield a row, if there is a value; a peer that is not a number is none."""
    if value is not None:
        known = None if peer != peer else peer
        yield Row("mavroidis", f"{problem.name}, {what}", problem.n, device, value, unit, peer=known)


EXHIBIT: Final = Exhibit(
    "chapter-6",
    "Table of chapter 6 (its table 1): 2-optimal tours and annealing, percent above the optimum and time",
    "Times stand beside those of the same kind of device: his GTX 280 for a GPU, his Pentium at 3 GHz for a CPU. On a "
    "GPU he spreads a tour over blocks; ours is in one group, and in blocks beside it. His neighbour lists are "
    "Concorde's 2-opt; ours are 2-opt alone, and 2-opt with or-opt. Annealing: seed 1, from a greedy tour, many tours "
    "at once, cooled by the time left; for the time to his percentage, limits are doubled from 12.5 ms. His cooling: "
    "one tour from the order of the file, equal steps from 0.3 mean edges to 0, their number doubled from 25 to 800, "
    "or a million rounds.",
    measure,
)
