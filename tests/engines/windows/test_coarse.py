"""Tours shortened between their fragments."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import cities
from warptour.construct import start
from warptour.engines.instance import Instance
from warptour.engines.windows.coarse import shorten_between_fragments
from warptour.model.problem import TSP
from warptour.search.worker import never


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
def test_a_greedy_tour_becomes_shorter_and_stays_one(problem: TSP) -> None:
    instance = Instance.of(problem)
    tour = instance.enter(start(problem, "greedy"))
    found, gain, evaluations = shorten_between_fragments(instance, tour, threads=2, over=never)
    assert (np.sort(found) == np.arange(instance.nodes)).all()
    assert instance.length(tour) - instance.length(found) == pytest.approx(gain)
    assert gain > 0 and evaluations > 0
    assert problem.check(instance.leave(found)).feasible


def test_a_tour_along_candidates_is_left_alone() -> None:
    problem = TSP("circle", cities(8).metric, 1e6 * np.column_stack([f(np.arange(500) / 80) for f in (np.cos, np.sin)]))
    instance = Instance.of(problem)
    tour = instance.enter(np.arange(500, dtype=np.int32))
    found, gain, _ = shorten_between_fragments(instance, tour, threads=1, over=never)
    assert (found == tour).all() and gain == 0
