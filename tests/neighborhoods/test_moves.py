"""Moves change a tour by exactly what their delta says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods import NEIGHBORHOODS, OrOpt, TwoOpt


def cities(n: int, metric: str = "EUC_2D", seed: int = 0) -> TSP:
    rng = np.random.default_rng(seed)
    return TSP("random", METRICS[metric], rng.integers(0, 80, (n, METRICS[metric].dimensions)).astype(float))


@pytest.mark.parametrize("name", NEIGHBORHOODS)
@pytest.mark.parametrize("n", [4, 5, 6, 7, 9])
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "GEO"])
def test_every_move_costs_its_delta_and_gives_a_tour(name: str, n: int, metric: str) -> None:
    problem, neighborhood = cities(n, metric), NEIGHBORHOODS[name]
    tour = np.random.default_rng(n).permutation(n).astype(np.int32)
    for move in neighborhood.moves(n):
        after = neighborhood.apply(tour, move)
        assert sorted(after) == list(range(n))
        assert after.dtype == np.int32
        change = problem.cost(after) - problem.cost(tour)
        assert neighborhood.delta(problem, tour, move) == pytest.approx(change, abs=1e-9)


@pytest.mark.parametrize("name", NEIGHBORHOODS)
def test_moves_come_in_the_order_of_their_rank_and_once(name: str) -> None:
    moves = list(NEIGHBORHOODS[name].moves(9))
    assert moves == sorted(set(moves))


@pytest.mark.parametrize("n", range(4, 12))
def test_two_opt_has_all_pairs_of_edges_that_do_not_meet(n: int) -> None:
    assert len(list(TwoOpt().moves(n))) == n * (n - 3) // 2


def test_or_opt_reaches_every_order_that_one_segment_can_make() -> None:
    n = 7
    tour = np.arange(n, dtype=np.int32)
    reached = {cycle(OrOpt().apply(tour, move)) for move in OrOpt().moves(n)}
    expected = set()
    for i in range(n):
        for count in (1, 2, 3):
            turned = np.roll(tour, -i)
            for segment in (turned[:count], turned[:count][::-1]):
                rest = turned[count:]
                expected |= {cycle(np.concatenate((rest[:k], segment, rest[k:]))) for k in range(1, len(rest))}
    assert reached == expected


def cycle(tour: np.ndarray) -> frozenset[frozenset[int]]:
    return frozenset(frozenset((int(a), int(b))) for a, b in zip(tour, np.roll(tour, -1), strict=True))


@given(st.integers(5, 60), st.randoms(use_true_random=False), st.sampled_from(list(NEIGHBORHOODS)))
def test_permutations_stay_permutations(n: int, random, name: str) -> None:
    neighborhood = NEIGHBORHOODS[name]
    tour = np.array(random.sample(range(n), n), np.int32)
    for _ in range(5):
        moves = list(neighborhood.moves(n)) if n < 20 else [next(neighborhood.moves(n))]
        tour = neighborhood.apply(tour, random.choice(moves))
    assert sorted(tour) == list(range(n))
