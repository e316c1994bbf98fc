"""The reference finds the best move and nothing but that, by definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from giant_moves import delta, three_opt_moves, two_opt_moves
from giant_problems import KINDS, random_giant, random_instance, random_vrp
from giant_reference import ReferenceGiant
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.moves import apply
from warptour.papers.schulz.engine.resources import capacity_of, length_of

WHOLE = [kind for kind in KINDS if METRICS[kind].integral]


def line(places: list[int], **options: object) -> VRP:
    """Return customers on a line with the depot first, each with the demand 1."""
    points = np.array([(place, 0) for place in places], float)
    demands = np.array([0] + [1] * (len(places) - 1))
    return VRP("line", METRICS["EUC_2D"], points, demands=demands, **options)  # type: ignore[arg-type]


def test_resources_node_by_node() -> None:
    problem = line([0, 3, 5], capacity=2, max_distance=100, service_times=np.array([0, 10, 20]))
    instance = GiantInstance.of(problem, 3)
    giant = np.array([3, 1, 2, 4, 5, 6], np.int32)  # both customers, and two empty routes
    reference = ReferenceGiant(instance)
    assert reference.values(giant, capacity_of(problem)).tolist() == [0, 1, 2, 2, 0, 0]
    assert reference.values(giant, length_of(problem, problem.limits[0])).tolist() == [0, 13, 35, 40, 0, 0]
    assert reference.length(giant) == 10 and reference.routes(giant) == 1
    assert reference.feasible(giant)
    assert not ReferenceGiant(GiantInstance.of(line([0, 3, 5], capacity=1), 3)).feasible(giant)
    assert not ReferenceGiant(GiantInstance.of(line([0, 3, 5], capacity=9, max_distance=9), 3)).feasible(giant)


def test_the_best_move_joins_two_routes() -> None:
    instance = GiantInstance.of(line([0, 10, 20], capacity=2, fixed_cost=5), 2)
    giant = np.array([3, 1, 4, 2, 5], np.int32)  # 0-1-0-2-0
    reference = ReferenceGiant(instance)
    move, gain = reference.best_move(giant)  # type: ignore[misc]
    assert gain == -20 - 5 and len(instance.leave(apply(giant, move))) == 1
    full = ReferenceGiant(GiantInstance.of(line([0, 10, 20], capacity=1, fixed_cost=5), 2))
    assert full.best_move(giant) is None


def test_fewer_routes_come_before_length() -> None:
    """One route is longer than two, but there is only one vehicle."""
    points = np.array([(0, 0), (-10, 0), (10, 0)], float)
    matrix = np.array([[0, 10, 10], [10, 0, 90], [10, 90, 0]])
    options = {"demands": np.array([0, 1, 1]), "capacity": 2}
    giant = np.array([3, 1, 4, 2, 5], np.int32)
    free = VRP("free", METRICS["EXPLICIT"], matrix, points, **options)  # type: ignore[arg-type]
    one = VRP("one", METRICS["EXPLICIT"], matrix, points, vehicles=1, **options)  # type: ignore[arg-type]
    assert ReferenceGiant(GiantInstance.of(free, 2)).best_move(giant) is None
    instance = GiantInstance.of(one, 2)
    move, gain = ReferenceGiant(instance).best_move(giant)  # type: ignore[misc]
    assert gain == 70 - instance.weight and len(instance.leave(apply(giant, move))) == 1


@pytest.mark.parametrize("neighborhoods", [("2-opt",), ("3-opt",), ("2-opt", "3-opt")])
@settings(max_examples=25)
@given(
    seed=st.integers(0, 9999), customers=st.integers(0, 6), routes=st.integers(1, 4), kind=st.sampled_from(WHOLE),
    windows=st.booleans(),
)  # fmt: skip
def test_the_best_of_all_moves_by_definition(
    neighborhoods: tuple[str, ...], seed: int, customers: int, routes: int, kind: str, windows: bool
) -> None:
    instance = random_instance(seed, customers, routes, kind, windows=windows, fixed_cost=3)
    giant = random_giant(seed, instance)
    reference = ReferenceGiant(instance, neighborhoods)
    edges = len(giant) - 1
    moves = (two_opt_moves(edges).tolist() if "2-opt" in neighborhoods else []) + (
        three_opt_moves(edges).tolist() if "3-opt" in neighborhoods else []
    )
    best = None
    for move in map(tuple, moves):
        change = delta(instance, giant, move)
        if change < (0 if best is None else best[1]) and reference.feasible(apply(giant, move)):
            best = move, change
    assert reference.best_move(giant) == best


@settings(max_examples=25)
@given(st.integers(0, 9999), st.integers(1, 6), st.integers(1, 4), st.integers(1, 9))
def test_the_first_part_that_improves(seed: int, customers: int, routes: int, parts: int) -> None:
    instance = random_instance(seed, customers, routes)
    giant = random_giant(seed, instance)
    reference = ReferenceGiant(instance)
    found, best = reference.first_move(giant, parts), reference.best_move(giant)
    assert (found is None) == (best is None)
    if found is None or best is None:
        return
    edges = len(giant) - 1
    moves = [tuple(move) for some in (two_opt_moves(edges), three_opt_moves(edges)) for move in some.tolist()]
    size = -(-len(moves) // parts)
    begin = moves.index(found[0]) // size * size
    assert found[1] >= best[1]
    for rank, move in enumerate(moves[: begin + size]):
        change = delta(instance, giant, move)
        if change < (0 if rank < begin else found[1]):
            assert not reference.feasible(apply(giant, move))


@settings(max_examples=15)
@given(st.integers(0, 9999), st.sampled_from(KINDS))
def test_a_descent_from_feasible_routes_keeps_limits_and_ends_at_a_local_optimum(seed: int, kind: str) -> None:
    problem = random_vrp(seed, 6, kind, capacity=30, max_distance=2000, vehicles=2)
    instance = GiantInstance.of(problem, 6)
    reference = ReferenceGiant(instance)
    start = instance.enter([np.array([node], np.int32) for node in problem.customers])
    end = reference.descend(start)
    assert reference.feasible(end) and reference.best_move(end) is None
    assert reference.objective(end) <= reference.objective(start)
    assert ReferenceGiant(instance, ("2-opt",)).best_move(end) is None
