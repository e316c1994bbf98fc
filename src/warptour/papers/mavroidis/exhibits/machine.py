"""The emulated machine on one instance, beside random moves and neighbour lists, from the order of the file."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from warptour.bench import Options
from warptour.devices.cpu import Cpu
from warptour.io.read import read
from warptour.model.metric import Nodes
from warptour.model.problem import TSP
from warptour.papers.ermis.engine.variable import VariableSearches
from warptour.papers.instances import public, stand_in
from warptour.papers.mavroidis.engine.fpga import Emulation, emulate, random_search
from warptour.papers.scans import climbers
from warptour.tours.engine.instance import Instance

SMALLEST: Final = 50
LARGEST: Final = 4500
"""Cities of the smallest and the largest instance of Mavroidis (2011), chapter 5."""
QUICK: Final = ("eil51", "berlin52", "st70", "eil76", "kroA100")
RUNS: Final = 3
"""Number of runs of which the best time counts."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Compared:
    """Machine, random moves and neighbour lists on one instance, in unrounded distances."""

    problem: TSP
    public: bool  # whether it may be an instance of the thesis; uniform cities in its place are not
    run: Emulation  # loops, tour length and predicted seconds of the machine
    emulator_seconds: float  # CPU time of the emulator
    near: float  # fraction of the loops after which the tour is within 5% of its final length
    random: float  # tour length of random improving moves, seed 1
    # lists, lists_seconds: tour length and CPU time of a descent by neighbour lists (2-opt and or-opt)
    lists: float
    lists_seconds: float
    lists_two_opt: float  # tour length of one by 2-opt alone

    @property
    def over_emulator(self) -> float:
        """Speed-up of the predicted machine over its emulator."""
        return self.emulator_seconds / self.run.seconds

    @property
    def over_lists(self) -> float:
        """Speed-up of the predicted machine over neighbour lists."""
        return self.lists_seconds / self.run.seconds


def compared_instances(options: Options) -> Iterator[Compared]:
    """Yield the comparison for each EUC_2D file of 50 to 4,500 cities; without files, for a few uniform instances."""
    files = _files(options.quick)
    for path in files:
        problem = read(path)
        assert isinstance(problem, TSP)
        if problem.metric.name == "EUC_2D" and SMALLEST <= problem.n <= LARGEST and not len(problem.fixed_edges):
            yield compared(path)
    if not files:
        for n in (60, 100) if options.quick else (60, 100, 200, 500, 1000, 2000):
            yield compared(n)


@cache
def compared(source: Path | int) -> Compared:
    """Return the comparison for a file, or for uniform cities of the given number; measured once per process."""
    problem = stand_in(source) if isinstance(source, int) else read(source)
    assert isinstance(problem, TSP)
    flat = problem.rounded("none")
    seen: list[tuple[int, float]] = []
    emulate(flat, watch=lambda loops, cost: seen.append((loops, cost)))
    emulator_seconds, run = best_time(lambda: emulate(flat))
    near = next(loops for loops, cost in seen if cost <= 1.05 * run.cost) / run.loops
    lists_seconds, tour = best_time(lambda: list_descent(flat))
    moved, _ = random_search(flat, seed=1)
    random, lists, alone = (float(flat.cost(each)) for each in (moved, tour, list_two_opt(flat)))
    return Compared(problem, isinstance(source, Path), run, emulator_seconds, near, random, lists, lists_seconds, alone)


def list_descent(problem: TSP) -> Nodes:
    """Return the tour of a descent by neighbour lists from the order of the file, on one thread."""
    return climbers.list_descent(problem, np.arange(problem.n, dtype=np.int32))


def list_two_opt(problem: TSP) -> Nodes:
    """Return the tour of 2-opt alone by neighbour lists from the order of the file, on one thread."""
    instance = Instance.of(problem, threads=1)
    tour = instance.enter(np.arange(problem.n, dtype=np.int32))
    search = VariableSearches(instance, Cpu(1), tour, ["2-opt"])
    while not search.locally_optimal:
        search.work()
    return instance.leave(search.best())


def best_time(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return the least CPU time of several runs in seconds, and the result."""
    least = float("inf")
    for _ in range(RUNS):
        began = time.process_time()
        result = work()
        least = min(least, time.process_time() - began)
    return least, result


def named(name: str, n: int) -> tuple[TSP, bool]:
    """Return an instance of the thesis and True, or uniform cities in its place, found by their own name too."""
    stand = stand_in(n)
    problem = None if name == stand.name else public(name)
    return (stand, False) if problem is None else (problem, True)


def _files(quick: bool) -> list[Path]:
    """Return the instance files at hand, smallest first."""
    folder = os.environ.get("WARPTOUR_DATA")
    files = sorted(Path(folder, "tsp").glob("*.tsp"), key=lambda path: path.stat().st_size) if folder else []
    return [path for path in files if path.stem in QUICK] if quick else files
