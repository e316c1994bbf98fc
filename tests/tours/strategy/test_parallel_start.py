"""The first repair of a large tour: between its fragments, and in larger and larger windows."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import cities
from warptour.model.problem import TSP
from warptour.search.threads import ThreadPool
from warptour.search.worker import never
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.engine.window import Window
from warptour.tours.starts.start import start
from warptour.tours.strategy import parallel_start
from warptour.tours.strategy.parallel_start import ParallelStart


def shortened(instance: Instance, tour: Ints, size: int) -> tuple[Ints, float, int]:
    """Return the tour shortened between its fragments on two threads, the gain and the evaluations."""
    with ThreadPool(2) as pool:
        repair = ParallelStart(instance, pool, seed=1, size=size, marks=np.ones(instance.nodes, np.int32))
        return repair.shorten_between_fragments(tour, never)


@pytest.mark.parametrize("size", [12_000, 100], ids=["whole", "windows"])
@pytest.mark.parametrize(
    "problem",
    [
        cities(3000),
        cities(3000, metric="EUCLIDEAN"),
        cities(3000, open=True, first=5, last=9),
        cities(3000, fixed_edges=[(1, 2), (2, 3), (700, 2900)]),
        cities(6000, side=150),
    ],
    ids=["closed", "unrounded", "open", "fixed", "ties"],
)
def test_a_greedy_tour_becomes_shorter_and_stays_one(problem: TSP, size: int) -> None:
    instance = Instance.of(problem)
    tour = instance.enter(start(problem, "greedy"))
    found, gain, evaluations = shortened(instance, tour, size)
    assert (np.sort(found) == np.arange(instance.nodes)).all()
    assert instance.length(tour) - instance.length(found) == pytest.approx(gain)
    assert gain > 0 and evaluations > 0
    assert problem.check(instance.leave(found)).feasible


def test_a_tour_along_candidates_is_left_alone() -> None:
    problem = TSP("circle", cities(8).metric, 1e6 * np.column_stack([f(np.arange(500) / 80) for f in (np.cos, np.sin)]))
    instance = Instance.of(problem)
    tour = instance.enter(np.arange(500, dtype=np.int32))
    found, gain, _ = shortened(instance, tour, 100)
    assert (found == tour).all() and gain == 0


def test_larger_windows_leave_less_to_the_whole_tour(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = cities(8000, side=10_000)
    instance = Instance.of(problem)
    tour, _, _ = shortened(instance, instance.enter(start(problem, "greedy")), 12_000)
    left = []
    for fewest in (parallel_start.MIN_LARGE_WINDOWS, 10**9):
        monkeypatch.setattr(parallel_start, "MIN_LARGE_WINDOWS", fewest)
        with ThreadPool(2) as pool:
            repair = ParallelStart(instance, pool, seed=1, size=200, marks=np.ones(instance.nodes, np.int32))
            found, gain, _ = repair.repair_deeply(tour, never)
        assert (np.sort(found) == np.arange(instance.nodes)).all()
        assert instance.length(tour) - instance.length(found) == pytest.approx(gain)
        whole = Window.whole(instance, found)
        whole.repair(never, seed=0)
        left.append(whole.gain)
    assert left[0] < 0.5 * left[1]
