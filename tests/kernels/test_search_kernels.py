"""The search kernels on the smallest and oddest inputs: what the sanitizers should see."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.engines.climbers import LOG, Climbers
from warptour.engines.scan import exact_rows, fast_rows
from warptour.engines.terrain import Terrain
from warptour.model.metric import METRICS
from warptour.model.problem import TSP


def cities(n: int, metric: str = "EUC_2D", **options: object) -> TSP:
    return TSP("few", METRICS[metric], np.random.default_rng(n).integers(0, 50, (n, 2)).astype(float), **options)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "CEIL_2D"])
@pytest.mark.parametrize("n", [4, 5, 9, 10, 11, 17, 26])
def test_scans_stay_inside_their_arrays(metric: str, n: int) -> None:
    tour = np.random.default_rng(0).permutation(n).astype(np.int32)
    fast, exact = fast_rows(cities(n, metric), tour, 2), exact_rows(cities(n, metric), tour, 2)
    assert len(fast) == len(exact) == n - 2
    if metric == "EUCLIDEAN":  # row 0 of the fast scan also has the pair of edges that meet, whose delta is 0
        np.testing.assert_allclose(fast[1:], exact[1:], atol=1e-3)


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
    terrain = Terrain.of(problem)
    climber = Climbers(terrain, terrain.enter(np.arange(problem.n, dtype=np.int32)), slack=slack, seed=1)
    while climber.kicks[0] < 3 * LOG:  # enough to fill the journal and empty it again
        climber.climb(3 * LOG, 5000)
    assert problem.check(terrain.leave(climber.best()[0])).feasible


@pytest.mark.threads
def test_threads_climb_side_by_side() -> None:
    from concurrent.futures import ThreadPoolExecutor

    problem = cities(60)
    terrain = Terrain.of(problem)
    starts = np.array([np.random.default_rng(k).permutation(60) for k in range(8)], np.int32)
    batch, again = Climbers(terrain, starts, seed=1), Climbers(terrain, starts, seed=1)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda group: batch.climb(300, 10**9, group, 4), range(4)))
    again.climb(300, 10**9)
    # Not best(): the thread sanitizer does not see the lock by which the interpreter waits for its threads.
    assert (batch.cities == again.cities).all()
