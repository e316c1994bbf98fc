"""Copies of a problem side by side: their tours are parts of one, and come back from it."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import cities
from warptour.candidates.hilbert import loop_order
from warptour.devices.cpu import Cpu
from warptour.model.problem import TSP
from warptour.search.worker import Budget
from warptour.tours.engine.copies import apart, side_by_side
from warptour.tours.engine.disjoint import DisjointWindows
from warptour.tours.engine.instance import Ints
from warptour.tours.starts.chains import arrange
from warptour.tours.strategy.device_worker import DeviceWindows
from warptour.tours.strategy.disjoint import DisjointWorker

FIXED = np.array([[0, 1], [1, 2], [7, 30]])


def tours_of(problem: TSP, count: int) -> list[Ints]:
    """Return tours that hold the fixed edges; each has its ends elsewhere, the first two in the middle of them."""
    rng = np.random.default_rng(count)
    free = np.setdiff1d(np.arange(problem.n, dtype=np.int32), problem.fixed_edges)
    chains = np.array([0, 1, 2, 7, 30], np.int32) if len(problem.fixed_edges) else free[:0]
    tours = [
        np.concatenate((chains, rng.permutation(free))) if len(chains) else rng.permutation(free) for _ in range(count)
    ]
    return [np.roll(tour, -min(turn, 2)).astype(np.int32) for turn, tour in enumerate(tours, 1)]


def edges_of(tour: Ints) -> set[frozenset[int]]:
    return {frozenset(edge) for edge in zip(tour.tolist(), np.roll(tour, -1).tolist(), strict=True)}


@pytest.mark.parametrize("fixed", [None, FIXED], ids=["", "fixed edges"])
@pytest.mark.parametrize("count", [1, 2, 5, 9])
def test_tours_come_back_as_they_went(count: int, fixed: Ints | None) -> None:
    problem = cities(50, **({} if fixed is None else {"fixed_edges": fixed}))
    tours = tours_of(problem, count)
    large, tour = side_by_side(problem, tours)
    assert large.check(tour).violations == ()
    for turn in 0, 17, 60:
        found = apart(problem, np.roll(tour, turn))
        assert [edges_of(one) for one in found] == [edges_of(one) for one in tours]


def test_distances_within_a_copy_are_those_of_the_problem() -> None:
    problem = cities(40)
    large, _ = side_by_side(problem, tours_of(problem, 3))
    own = problem.distances(np.arange(40)[:, None], np.arange(40))
    for first in 0, 40, 80:
        assert (large.distances(first + np.arange(40)[:, None], first + np.arange(40)) == own).all()
    assert large.distances(np.arange(40)[:, None], np.arange(40, 80)).min() > own.max() / np.sqrt(2)


@pytest.mark.parametrize("fixed", [None, FIXED], ids=["", "fixed edges"])
def test_a_search_keeps_copies_apart_and_shortens_each(fixed: Ints | None) -> None:
    problem = cities(300, side=10_000, **({} if fixed is None else {"fixed_edges": fixed}))
    curve = arrange(problem, loop_order(problem.points, threads=1))
    tours = [np.roll(curve, 70 * turn) for turn in range(4)]
    large, tour = side_by_side(problem, tours)
    engine = DisjointWindows(large, Cpu(1), tour, size=200, seed=1)
    worker = DisjointWorker(engine, DeviceWindows(walk_length=30))
    while worker.iterations < 600:
        worker.advance(Budget())
    changes = np.diff(worker.best() // 300, append=worker.best()[:1] // 300) != 0
    assert changes.sum() == 4, "edges from one copy to another: the links"
    for before, after in zip(tours, apart(problem, worker.best()), strict=True):
        assert problem.check(after).violations == ()
        assert problem.cost(after) < 0.9 * problem.cost(before)
