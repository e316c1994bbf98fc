"""Windows on a device: the gap after so many seconds, and what the device did meanwhile.

Public instances are taken from the folder that ``WARPTOUR_DATA`` names; without it only generated ones are run. Gaps
are to the best known cost, or for uniform cities to 0.7124 sqrt(nA)(1 + 0.33/n). Peers are what CPU programs were
measured to reach on one core: Concorde's linkern, and LKH where it was better.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from warptour import api
from warptour.bench import Options, Row
from warptour.devices import find
from warptour.io.generate import generate
from warptour.io.read import read
from warptour.kernels.groups import usable_threads
from warptour.model.problem import TSP
from warptour.strategies.search import Search
from warptour.strategies.stop import Seconds
from warptour.strategies.team import follow
from warptour.strategies.threads import Crew
from warptour.strategies.windows import Windows

PEERS: Final[dict[str, dict[float, float]]] = {
    "fnl4461": {1.0: 0.26, 10.0: 0.12, 60.0: 0.08},
    "d18512": {1.0: 0.65, 10.0: 0.21, 60.0: 0.12},
    "pla85900": {1.0: 15.7, 10.0: 0.39, 60.0: 0.19},
    "uniform-100000": {10.0: 1.23, 60.0: 0.59},
    "uniform-1000000": {60.0: 1.87},
}
SECONDS: Final = (1.0, 3.0, 10.0, 60.0)


def run(options: Options) -> Iterator[Row]:
    """Yield gaps of `solve`, and for each size on a device: kicks and rounds a second, shares of time and of room."""
    for problem in _problems(options):
        for seconds in (0.5,) if options.quick else SECONDS:
            result = api.solve(
                problem, "windows", device=options.device, seconds=seconds, threads=options.threads, seed=1
            )
            gap = 100 * (result.cost / _reference(problem) - 1)
            name = problem.name.removesuffix("-1")
            peer = PEERS.get(name, {}).get(seconds)
            yield Row("windows", f"{name} after {seconds:g} s", problem.n, result.device, gap, "% gap", None, peer)
    device = find(options.device, options.threads)
    for n in (2_000,) if options.quick else (100_000, 1_000_000, 10_000_000):
        yield from _work(generate("uniform", n, seed=1), device.name, options)


def _work(problem: object, name: str, options: Options) -> Iterator[Row]:
    """Yield what a device does in five seconds."""
    assert isinstance(problem, TSP)
    if name == "cpu":
        return
    device = find(name, options.threads)
    search = Search(
        problem, Seconds(0.5 if options.quick else 5.0), seed=1, device=device, threads=usable_threads(options.threads)
    )
    with Crew(search.threads) as crew:
        team = Windows().device_team(search, problem, crew)
        if team is None:
            return
        began = search.seconds
        follow(search, team)
    seconds, n = search.seconds - began, problem.n
    yield Row("windows", "kicks", n, name, team.kicks / seconds, "kicks/s")
    yield Row("windows", "rounds on the device", n, name, team.rounds / seconds, "rounds/s")
    yield Row("windows", "time in the kernel", n, name, 100 * team.searched / seconds, "%", 100.0)
    yield Row("windows", "windows at once", n, name, min(team.windows, team.at_once), "windows", team.at_once)


def _problems(options: Options) -> Iterator[TSP]:
    folder = os.environ.get("WARPTOUR_DATA")
    names = [] if folder is None or options.quick else ["fnl4461", "d18512", "pla85900"]
    for name in names:
        path = Path(str(folder), "tsp", f"{name}.tsp")
        if path.exists():
            problem = read(path)
            assert isinstance(problem, TSP)
            yield problem
    for n in (2_000,) if options.quick else (100_000, 1_000_000, 10_000_000):
        problem = generate("uniform", n, seed=1)
        assert isinstance(problem, TSP)
        yield problem


def _reference(problem: TSP) -> float:
    if problem.best_known is not None:
        return float(problem.best_known)
    low, high = np.min(problem.points, axis=0), np.max(problem.points, axis=0)
    area = 1e12 if problem.name.startswith("uniform") else float(np.prod(high - low))
    return 0.7124 * math.sqrt(problem.n * area) * (1 + 0.33 / problem.n)
