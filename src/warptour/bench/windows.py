"""Window search: the gap over time of one run, and the utilisation of the device.

    warptour bench windows                                       # the whole table; half an hour
    warptour bench windows --instance pla85900 --instance uniform:100000:1 --seconds 1 --seconds 10 --seeds 3

One run with the longest limit yields the gaps at all earlier times from its convergence curve, as tours were reported.
A separate run with the shorter limit does better, since the search plans for its time limit: give a single --seconds
for figures to compare with other programs. Every figure is the median over the seeds 1, 2, ...

Public instances are read from the folder ``WARPTOUR_DATA``; without it only generated ones are run. Gaps are to the
best known cost, or for uniform cities to 0.7124 sqrt(nA)(1 + 0.33/n). ``warptour compare`` has other programs beside.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np

from warptour import api
from warptour.bench import Options, Row
from warptour.io.read import read
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.observe.events import Event, Improved
from warptour.search.search import Search
from warptour.tours.strategy.disjoint import DisjointWorker
from warptour.tours.strategy.overlapping import OverlappingWorker
from warptour.tours.strategy.start import SharedTask
from warptour.tours.strategy.windows import Windows

INSTANCES: Final = ("fnl4461", "d18512", "pla85900", "uniform:100000:1", "uniform:1000000:1", "uniform:10000000:1")
SECONDS: Final = (1.0, 3.0, 10.0, 60.0)
QUICK: Final = ("uniform:2000:1",), (0.3,)


@dataclass(frozen=True)
class _Watched(Windows):
    """Windows that show their workers on a device."""

    workers: list[OverlappingWorker | DisjointWorker] = field(default_factory=list)

    def overlapping_worker(self, task: SharedTask) -> OverlappingWorker:
        worker = super().overlapping_worker(task)
        self.workers.append(worker)
        return worker

    def disjoint_worker(self, search: Search[TSP]) -> DisjointWorker:
        worker = super().disjoint_worker(search)
        self.workers.append(worker)
        return worker


@dataclass
class _Work:
    """Measurements of one run: the gap at each sampled time, and figures with their units and limits."""

    device: str
    gaps: dict[float, float]
    figures: dict[str, tuple[float, str, float | None]]


def run(options: Options) -> Iterator[Row]:
    """Yield the gaps, kicks per second and, on a device, rounds per second, kernel time and occupancy."""
    instances, seconds = QUICK if options.quick else (INSTANCES, SECONDS)
    for name in options.instances or instances:
        problem = _problem(name, must=bool(options.instances))
        if problem is None:
            continue
        works = [
            _solve(problem, sorted(options.seconds or seconds), seed, options) for seed in range(1, options.seeds + 1)
        ]
        yield from _rows(name, problem.n, works)


def _rows(name: str, n: int, works: list[_Work]) -> Iterator[Row]:
    device = works[0].device
    for after in works[0].gaps:
        gaps = [work.gaps[after] for work in works if after in work.gaps]
        yield Row("windows", f"{name} after {after:g} s", n, device, median(gaps), "% gap")
    for case, (_, unit, limit) in works[0].figures.items():
        value = median(work.figures[case][0] for work in works)
        yield Row("windows", f"{name} {case}", n, device, value, unit, limit)


def _solve(problem: TSP, seconds: list[float], seed: int, options: Options) -> _Work:
    """Return the measurements of one run with the last of ``seconds`` as its limit."""
    curve: list[tuple[float, float]] = []

    def hear(event: Event) -> None:
        if isinstance(event, Improved) and event.state.cost is not None:
            curve.append((event.state.seconds, event.state.cost))

    strategy = _Watched()
    result = api.solve(
        problem,
        strategy,
        device=options.device,
        seconds=seconds[-1],
        threads=options.threads,
        seed=seed,
        listeners=[hear],
    )
    gaps = {}
    for after in seconds[:-1]:
        costs = [cost for at, cost in curve if at <= after]
        if costs:
            gaps[after] = gap(problem, min(costs))
    gaps[seconds[-1]] = gap(problem, result.cost)
    figures: dict[str, tuple[float, str, float | None]] = {
        "kicks": (result.iterations / result.seconds, "kicks/s", None),
        "took": (result.seconds, "s", None),
    }
    if workers := strategy.workers:
        windows, at_once = workers[0].windows, workers[0].at_once
        figures["rounds"] = sum(worker.rounds for worker in workers) / result.seconds, "rounds/s", None
        figures["kernel"] = 100 * sum(worker.searched for worker in workers) / result.seconds, "% of time", None
        figures["windows"] = min(windows, at_once), "at once", at_once
    return _Work(result.device, gaps, figures)


def _problem(name: str, *, must: bool) -> TSP | None:
    """Return an instance by its name in the data folder, by its path, or generated from its specification."""
    folder = os.environ.get("WARPTOUR_DATA")
    path = Path(name)
    if ":" not in name and not path.suffix:
        path = Path(folder or ".", "tsp", f"{name}.tsp")
    if ":" not in name and not path.exists():
        if must:
            raise UsageError(f"there is no {path}; WARPTOUR_DATA names the folder in whose tsp/ instances are")
        return None
    problem = read(name if ":" in name else path)
    if not isinstance(problem, TSP):
        raise UsageError(f"{name} is for vehicles; windows is for one tour")
    return problem


def gap(problem: TSP, cost: float) -> float:
    """Return the cost in percent above the best known one, or above the estimate for uniform cities."""
    reference = problem.best_known
    if reference is None:
        low, high = np.min(problem.points, axis=0), np.max(problem.points, axis=0)
        area = 1e12 if problem.name.startswith("uniform") else float(np.prod(high - low))
        reference = 0.7124 * math.sqrt(problem.n * area) * (1 + 0.33 / problem.n)
    return 100 * (cost / reference - 1)
