"""The search kernels on the smallest and oddest inputs: what the sanitizers should see."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import cities
from warptour.devices.cpu import Cpu
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.papers.scans.climbers import LOG, Climbers
from warptour.papers.scans.exact import ExactScan
from warptour.papers.scans.scan import FastScan, Tiling
from warptour.tours.engine.instance import Instance


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "CEIL_2D"])
@pytest.mark.parametrize("n", [6, 9, 10, 11, 17, 26, 67])
def test_scans_stay_inside_their_arrays(metric: str, n: int) -> None:
    problem, tour = cities(n, metric), np.random.default_rng(0).permutation(n).astype(np.int32)
    scan = ExactScan(problem, Cpu(2))
    scan.load(tour)
    exact = scan.rows()
    assert len(exact) == n - 2
    for blocks, columns in ((1, 1), (2, 7), (4, 100)):
        fast = FastScan(problem, Cpu(2), Tiling(1, 8, blocks, columns, 1, 2, 100))
        fast.load(tour)
        fast.scan()
        if metric == "EUCLIDEAN":
            assert fast.device.fetch(fast.least).min() == pytest.approx(exact.min(), abs=1e-3)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("slack", [-1.0, 0.0, 40.0])
@pytest.mark.parametrize(
    "problem",
    [
        *(cities(n) for n in (5, 6, 7, 8, 40)),
        cities(12, open=True),
        cities(12, open=True, first=0, last=11),
        cities(12, fixed_edges=np.array([[0, 1], [1, 2], [5, 6]])),
        cities(30, "EUCLIDEAN"),
        TSP("one place", METRICS["EUC_2D"], np.zeros((9, 2))),
    ],
    ids=lambda problem: f"{problem.name} {problem.n} {problem.metric.name}",
)
def test_climbs_stay_inside_their_arrays(problem: TSP, slack: float) -> None:
    instance = Instance.of(problem)
    climber = Climbers(instance, instance.enter(np.arange(problem.n, dtype=np.int32)), slack=slack, seed=1)
    while climber.kicks[0] < 3 * LOG:  # enough to fill the journal and empty it again
        climber.climb(3 * LOG, 5000)
    assert problem.check(instance.leave(climber.best()[0])).feasible


@pytest.mark.threads
def test_threads_climb_side_by_side() -> None:
    from concurrent.futures import ThreadPoolExecutor

    problem = cities(60)
    instance = Instance.of(problem)
    starts = np.array([np.random.default_rng(k).permutation(60) for k in range(8)], np.int32)
    batch, again = Climbers(instance, starts, seed=1), Climbers(instance, starts, seed=1)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda group: batch.climb(300, 10**9, group, 4), range(4)))
    again.climb(300, 10**9)
    # Not best(): the thread sanitizer does not see the lock by which the interpreter waits for its threads.
    assert (batch.cities == again.cities).all()
