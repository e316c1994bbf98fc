"""Moves of giant tours: what they change, their number and order, and their delta."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from giant_moves import delta, deltas, removed_lengths, route_count, three_opt_moves, two_opt_moves
from giant_problems import KINDS, random_giant, random_instance
from giant_reference import ReferenceGiant
from warptour.papers.schulz.engine.moves import apply
from warptour.routes.engine.instance import cost_tolerance

A, B, C, D = [0, 1], [2, 3, 4], [5, 6], [7, 8]
SEGMENTS = np.array(A + B + C + D, np.int32)


def test_2opt_reverses_a_segment() -> None:
    assert apply(SEGMENTS, (1, 4)).tolist() == A + B[::-1] + C + D
    assert apply(SEGMENTS, (1, 2)).tolist() == SEGMENTS.tolist()


@pytest.mark.parametrize(
    ("way", "middle"), [(0, C + B), (1, C + B[::-1]), (2, C[::-1] + B), (3, B[::-1] + C[::-1])]
)  # fmt: skip
def test_3opt_recombines_two_segments(way: int, middle: list[int]) -> None:
    assert apply(SEGMENTS, (1, 4, 6, way)).tolist() == A + middle + D


@pytest.mark.parametrize("edges", [1, 2, 3, 7])
def test_every_move_is_there_once_by_rank(edges: int) -> None:
    pairs, triples = two_opt_moves(edges), three_opt_moves(edges)
    assert pairs.tolist() == [list(pair) for pair in combinations(range(edges), 2)]
    assert triples.tolist() == [[*triple, way] for triple in combinations(range(edges), 3) for way in range(4)]
    assert pairs.shape[1:] == (2,) and triples.shape[1:] == (4,)


@given(st.integers(0, 9999), st.integers(0, 6), st.integers(1, 5), st.sampled_from(KINDS))
def test_delta_is_the_change_of_the_objective(seed: int, customers: int, routes: int, kind: str) -> None:
    instance = random_instance(seed, customers, routes, kind)
    reference, giant = ReferenceGiant(instance), random_giant(seed, instance)
    before = reference.objective(giant)
    for moves in (two_opt_moves(len(giant) - 1), three_opt_moves(len(giant) - 1)):
        after = [reference.objective(apply(giant, tuple(move))) for move in moves.tolist()]
        changes = deltas(instance, giant, moves)
        if instance.problem.metric.integral:
            assert (changes == np.array(after) - before).all()
        else:
            assert np.allclose(changes, np.array(after) - before, rtol=0, atol=1e-9 * (1 + abs(before)))
        if len(moves):
            move = tuple(moves[seed % len(moves)].tolist())
            assert delta(instance, giant, move) == changes[seed % len(moves)]


@given(st.integers(0, 9999), st.integers(0, 7), st.integers(1, 5))
def test_routes_are_counted_by_edges_between_depots(seed: int, customers: int, routes: int) -> None:
    instance = random_instance(seed, customers, routes)
    giant = random_giant(seed, instance)
    assert route_count(instance, giant) == ReferenceGiant(instance).routes(giant)


def test_the_ends_of_a_giant_tour_stay() -> None:
    edges = 6
    giant = np.arange(edges + 1, dtype=np.int32)
    for move in [*two_opt_moves(edges).tolist(), *three_opt_moves(edges).tolist()]:
        moved = apply(giant, tuple(move))
        assert (moved[0], moved[-1]) == (0, edges) and sorted(moved) == list(range(edges + 1))


def test_gains_of_integers_exceed_a_half_and_those_of_reals_the_rounding_error() -> None:
    whole = random_instance(3, 4, 2, "EUC_2D", fixed_cost=7)
    assert cost_tolerance(whole.problem) == (0.5, 0.0)
    for instance in (random_instance(3, 4, 2, "EUC_2D", fixed_cost=2.5), random_instance(3, 4, 2, "EUCLIDEAN")):
        assert cost_tolerance(instance.problem) == (0.0, 2.0**-44)
    giant = whole.enter([whole.order[1:3], whole.order[3:]])
    apart = whole.problem.distance
    assert removed_lengths(whole, giant, np.array([[0, 2]], np.int32)).tolist() == [apart(0, 1) + apart(2, 0)]
