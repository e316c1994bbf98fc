"""Moves change a tour by exactly what their delta says."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_cities import cities
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods import NEIGHBORHOODS, OrOpt, Relocate, Swap, ThreeOpt, TwoOpt


@pytest.mark.parametrize("name", NEIGHBORHOODS)
@pytest.mark.parametrize("n", [4, 5, 6, 7, 9, 12])
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "GEO"])
def test_every_move_costs_its_delta_and_gives_a_tour(name: str, n: int, metric: str) -> None:
    problem, neighborhood = cities(n, metric, side=80), NEIGHBORHOODS[name]
    tour = np.random.default_rng(n).permutation(n).astype(np.int32)
    for move in neighborhood.moves(n):
        after = neighborhood.apply(tour, move)
        assert sorted(after) == list(range(n))
        assert after.dtype == np.int32
        change = problem.cost(after) - problem.cost(tour)
        assert neighborhood.delta(problem, tour, move) == pytest.approx(change, abs=1e-9)


@pytest.mark.parametrize("name", NEIGHBORHOODS)
@pytest.mark.parametrize("n", range(3, 9))
def test_every_move_changes_the_tour(name: str, n: int) -> None:
    tour = np.arange(n, dtype=np.int32)
    assert all(cycle(NEIGHBORHOODS[name].apply(tour, move)) != cycle(tour) for move in NEIGHBORHOODS[name].moves(n))


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


@pytest.mark.parametrize("name", NEIGHBORHOODS)
@pytest.mark.parametrize("metric", ["EUC_2D", "CEIL_2D"])
def test_moves_of_long_tours_cost_their_delta(name: str, metric: str) -> None:
    n, rng, neighborhood = 2000, np.random.default_rng(3), NEIGHBORHOODS[name]
    problem = TSP("random", METRICS[metric], rng.integers(0, 10**6, (n, 2)).astype(float))
    tour = rng.permutation(n).astype(np.int32)
    for _ in range(30):
        move = drawn(name, n, rng)
        change = problem.cost(neighborhood.apply(tour, move)) - problem.cost(tour)
        assert neighborhood.delta(problem, tour, move) == change


def drawn(name: str, n: int, rng: np.random.Generator) -> tuple[int, ...]:
    """A random move, some of them across the end of the array and some of neighbouring places."""
    i, j, k = sorted(rng.choice(n, 3, replace=False).tolist())
    if rng.random() < 0.3:
        i, j, k = (i, i + 1, max(k, i + 2)) if i < n - 3 else (0, j, n - 1)
    match name:
        case "2-opt":
            return i, max(j, i + 2)
        case "3-opt":
            return i, j, k, int(rng.integers(4))
        case "or-opt":
            count = int(rng.integers(1, 4))
            return (
                k,
                count,
                int((k + count + rng.integers(n - count - 1)) % n),
                int(rng.integers(2 if count > 1 else 1)),
            )
        case "relocate":
            return k, int((k + 1 + rng.integers(n - 2)) % n)
    return i, j


@pytest.mark.parametrize("n", range(4, 10))
def test_the_sizes_of_the_neighbourhoods(n: int) -> None:
    assert len(list(ThreeOpt().moves(n))) == 4 * n * (n - 1) * (n - 2) // 6 - n
    assert len(list(Swap().moves(n))) == (n * (n - 1) // 2 if n > 4 else 4)
    assert len(list(Relocate().moves(n))) == n * (n - 2)


@pytest.mark.parametrize("n", [6, 7, 8])
def test_three_opt_reaches_every_tour_that_differs_in_two_or_three_edges(n: int) -> None:
    tour = np.arange(n, dtype=np.int32)
    reached = {cycle(ThreeOpt().apply(tour, move)) for move in ThreeOpt().moves(n)}
    tours = {cycle(np.array((0, *rest), np.int32)) for rest in permutations(range(1, n))}
    assert reached == {other for other in tours if 2 <= len(cycle(tour) - other) <= 3}


def test_or_opt_of_any_length_is_part_of_three_opt() -> None:
    n, tour = 9, np.arange(9, dtype=np.int32)
    three = {cycle(ThreeOpt().apply(tour, move)) for move in ThreeOpt().moves(n)}
    for neighborhood in (OrOpt(6), Relocate(), TwoOpt()):
        assert {cycle(neighborhood.apply(tour, move)) for move in neighborhood.moves(n)} <= three
