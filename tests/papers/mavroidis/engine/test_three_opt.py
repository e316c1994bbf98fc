"""Symmetric 3-opt: rounds are exact and shorten the tour, and it ends in 2-optimal tours that are no longer."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import cities
from warptour.papers.mavroidis.engine.moves import with_double, without_double
from warptour.papers.mavroidis.engine.three_opt import ARRANGEMENTS, descend_three, rearrange, three_opt_round
from warptour.papers.scans.two_opt import TwoOptEngine


def test_arrangements_are_the_present_one_two_opt_and_three_opt() -> None:
    changed = [len(each.edges - ARRANGEMENTS[0].edges) for each in ARRANGEMENTS]
    assert changed[0] == 0
    assert changed.count(2) == 6  # a pair of four edges
    assert changed.count(3) == 16  # a triple of four edges, four ways each
    assert len(ARRANGEMENTS) == 23


@pytest.mark.parametrize("n", [5, 6, 9, 12, 20, 41])
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN"])
def test_a_round_shortens_the_tour_if_it_moves_at_all(n: int, metric: str) -> None:
    for seed in range(4):
        problem = cities(n, metric, seed=seed, side=300)
        row = with_double(np.random.default_rng(seed).permutation(n).astype(np.int32))
        for k in (1, 2, 3):
            for offset in range(k + 1):
                after, moves = three_opt_round(problem, row, k, offset)
                assert sorted(after.tolist()) == list(range(len(row)))
                before_cost, cost = (problem.cost(without_double(each, n)) for each in (row, after))
                assert (cost < before_cost) if moves else (after == row).all()
                row = after


@pytest.mark.parametrize("k", [1, 2, 3])
def test_elements_of_a_round_gain_together_what_each_gains_alone(k: int) -> None:
    problem = cities(61, "EUC_2D", seed=3, side=1000)
    row = np.random.default_rng(1).permutation(61).astype(np.int32)
    at = np.arange(0, 30 - k, k + 1)
    together, moves = rearrange(problem, row, k, at)
    alone = [rearrange(problem, row, k, at[j : j + 1])[0] for j in range(len(at))]
    assert moves > 2
    assert problem.cost(row) - problem.cost(together) == sum(problem.cost(row) - problem.cost(one) for one in alone)


@pytest.mark.parametrize(("n", "side"), [(5, 50), (8, 3), (17, 100), (40, 500)])
def test_it_ends_two_optimal(n: int, side: int) -> None:
    problem = cities(n, "EUC_2D", seed=n, side=side)
    tour, rounds = descend_three(problem, np.arange(n, dtype=np.int32))
    assert problem.check(tour).feasible
    assert TwoOptEngine(problem).certify(tour) is None
    assert rounds % 9 == 0 and rounds >= 9 * (n | 1)
