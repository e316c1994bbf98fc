"""Descents and annealing of one instance on a device, as chapter 6 measures them. Times exclude compilation."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour import api
from warptour.bench import Options
from warptour.devices import Device
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.papers.mavroidis.engine.blocks import BLOCK
from warptour.papers.mavroidis.engine.forms import Form, rows_in
from warptour.papers.mavroidis.exhibits.machine import named
from warptour.papers.mavroidis.exhibits.printed import CHAPTER_6, QUICK, PrintedTours
from warptour.papers.mavroidis.strategy.annealing import Annealing
from warptour.papers.mavroidis.suites.symmetric import timed_descent

LIMITS: Final = tuple(0.0125 * 2**k for k in range(9))
"""Time limits of annealing in seconds."""

HOT: Final = 0.3
TEMPERATURES: Final = tuple(25 * 2**k for k in range(6))
"""Cooling in steps: the first temperature in mean edges, and how many there are from it to 0, each for n rounds."""
MAX_ROUNDS: Final = 1_000_000
"""Limit on the rounds at temperatures above 0: a few seconds of a GPU."""


def instances(options: Options) -> list[tuple[TSP, PrintedTours | None]]:
    """Return the instances of chapter 6 with what the thesis prints; None for uniform cities in their place."""
    printed = list(CHAPTER_6.items())[: QUICK if options.quick else None]
    found = [(*named(name, row.n), row) for name, row in printed]
    return [(problem, row if same else None) for problem, same, row in found]


def limits(options: Options) -> tuple[float, ...]:
    """Return the time limits to try."""
    return LIMITS[:4] if options.quick else LIMITS


def schedules(n: int, options: Options) -> list[int]:
    """Return the numbers of temperatures to try on ``n`` cities."""
    return [count for count in TEMPERATURES[: 2 if options.quick else None] if count * n <= MAX_ROUNDS]


def descent(device: Device, problem: TSP, form: Form = "group") -> tuple[float, NDArray[np.int32]]:
    """Return the device seconds of a descent from the order of the file to a 2-optimal tour, and that tour."""
    order = np.arange(problem.n, dtype=np.int32)[None]
    return timed_descent(device, lambda: rows_in(form, device, problem, order, block=BLOCK))


def unrounded(problem: TSP) -> TSP:
    """Return an instance as the thesis has it: coordinates cut to integers, distances in full, the optimum as it is."""
    return replace(problem, metric=METRICS["EUCLIDEAN"], points=np.trunc(problem.points))


def as_printed(error: float, printed: float) -> bool:
    """Return whether a percentage is the printed one, cut to as many digits; the thesis does not round."""
    digits = len(f"{printed:g}".partition(".")[2])
    return f"{math.floor(error * 10**digits) / 10**digits:g}" == f"{printed:g}"


def gap(problem: TSP, cost: float) -> float | None:
    """Return the percentage above the optimum; None if that is not in the ``best.csv`` beside the file."""
    return 100 * (float(cost) / problem.best_known - 1) if problem.best_known else None


@cache
def annealed(name: str, n: int, device: str, threads: int | None, seconds: float) -> float:
    """Return the cost of annealing an instance of the thesis for ``seconds``, seed 1; once per process."""
    problem, _ = named(name, n)
    return float(api.solve(problem, Annealing(), seconds=seconds, device=device, threads=threads, seed=1).cost)


def annealed_until(problem: TSP, printed: PrintedTours, device: Device, options: Options) -> tuple[float, float] | None:
    """Return the first time limit at which annealing is as good as his, and its gap in percent; None if none is."""
    for seconds in limits(options):
        cost = annealed(problem.name, problem.n, device.name, options.threads, seconds)
        found = gap(problem, cost)
        if found is not None and found <= printed.annealed:
            return seconds, found
    return None


@cache
def cooled(name: str, n: int, device: str, form: Form, temperatures: int) -> tuple[float, float]:
    """Return the seconds and the cost of annealing as in the thesis, seed 1; once per process.

    One tour, from the order of the file, cooled in equal steps from ``HOT`` to 0.
    """
    problem, _ = named(name, n)
    strategy = Annealing(
        cooling="steps", hot=HOT, decrement=HOT / temperatures, level=n, tours=1, start="file", form=form
    )
    found = api.solve(problem, strategy, iterations=10 * MAX_ROUNDS, device=device, threads=1, seed=1)
    return found.seconds, float(found.cost)


def cooled_until(
    problem: TSP, printed: PrintedTours, device: Device, form: Form, options: Options
) -> tuple[float, float] | None:
    """Return the seconds and the gap in percent of the fastest cooling that is as good as his; None if none is."""
    for temperatures in schedules(problem.n, options):
        seconds, cost = cooled(problem.name, problem.n, device.name, form, temperatures)
        found = gap(problem, cost)
        if found is not None and found <= printed.annealed:
            return seconds, found
    return None
