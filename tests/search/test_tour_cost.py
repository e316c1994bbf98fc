"""The cost that searches report is the problem's own, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import NAMES, cities
from warptour.search import tour_cost as cost
from warptour.search.tour_cost import TourCost


@pytest.mark.threads
@pytest.mark.parametrize("name", NAMES)
def test_large_tours_cost_what_the_problem_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "LARGE", 10)
    monkeypatch.setattr(cost, "CHUNK", 64)
    monkeypatch.setattr("warptour.model.problem.CHUNK", 64)
    problem = cities(200, name, seed=0, side=500)
    costs = TourCost(problem, threads=3)
    for seed in range(3):
        tour = np.random.default_rng(seed).permutation(problem.n).astype(np.int32)
        assert costs(tour) == problem.cost(tour)
        assert type(costs(tour)) is type(problem.cost(tour))
