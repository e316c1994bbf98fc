"""The pruned scan finds the move that the reference finds, from any tour."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reference_engine import ReferenceEngine
from warptour.devices import Device, find
from warptour.kernels.groups import Unfinished
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.tolerance import tolerance
from warptour.neighborhoods.two_opt import TwoOpt
from warptour.papers.scans import pruned
from warptour.papers.scans.box_tree import FAN, BoxTree, boxes, levels
from warptour.papers.scans.exact import ExactScan
from warptour.papers.scans.ladder.climber_batch import LOCALLY_OPTIMAL
from warptour.papers.scans.ladder.pruned_climbers import PrunedClimbers
from warptour.papers.scans.pruned import PrunedScan
from warptour.papers.scans.two_opt import PROVED_FROM, TwoOptEngine
from warptour.tours.starts.start import start

METRIC_NAMES = ["EUC_2D", "EUCLIDEAN", "CEIL_2D"]
Floats = NDArray[np.float64]
Generator = np.random.Generator


def grid(rng: Generator, n: int) -> Floats:
    return np.stack(np.divmod(np.arange(n), int(np.ceil(np.sqrt(n)))), 1).astype(float)


def rotated_grid(rng: Generator, n: int) -> Floats:
    """Distances along the axes are integers, but only up to the last bit."""
    return grid(rng, n) @ np.array([[0.6, 0.8], [-0.8, 0.6]])


def hub(rng: Generator, n: int) -> Floats:
    """Every other city lies in the centre."""
    angle = rng.random(n) * 2 * np.pi
    at = 300 * np.stack((np.cos(angle), np.sin(angle)), 1)
    at[::2] = 0
    return at


def outlier(rng: Generator, n: int) -> Floats:
    at = 100 * rng.random((n, 2))
    at[n // 2] = 3e6, -1e6
    return at


SHAPES: dict[str, Callable[[Generator, int], Floats]] = {
    "whole": lambda rng, n: rng.integers(0, 1000, (n, 2)).astype(float),
    "random": lambda rng, n: 1000 * rng.random((n, 2)),
    "duplicates": lambda rng, n: rng.integers(0, 5, (n, 2)).astype(float),
    "clustered": lambda rng, n: rng.normal(0, 1000, (5, 2))[rng.integers(0, 5, n)] + rng.normal(0, 4, (n, 2)),
    "grid": grid,
    "rotated grid": rotated_grid,
    "two places": lambda rng, n: rng.normal(0, 100, (2, 2))[np.arange(n) % 2],
    "three places": lambda rng, n: rng.normal(0, 100, (3, 2))[np.arange(n) % 3],
    "one place": lambda rng, n: np.vstack((np.zeros((n - 1, 2)), (1, 1))),
    "hub": hub,
    "outlier": outlier,
    "line": lambda rng, n: np.stack((rng.integers(0, n, n), np.full(n, 7)), 1).astype(float),
    "slope": lambda rng, n: rng.integers(0, n, (n, 1)) * np.array([0.6, 0.8]),
    "far away": lambda rng, n: 1e7 + rng.random((n, 2)),
    "large": lambda rng, n: 1e6 + 1e4 * rng.random((n, 2)),
    "tiny": lambda rng, n: 1e-6 * rng.random((n, 2)),
    "negative": lambda rng, n: -500 * rng.random((n, 2)),
    "thirds": lambda rng, n: rng.integers(0, 30, (n, 2)) / 3,
}


def problem_of(shape: str, n: int, metric: str, seed: int = 0) -> TSP:
    return TSP(shape, METRICS[metric], np.ascontiguousarray(SHAPES[shape](np.random.default_rng((seed, n)), n)))


def shuffled(n: int, seed: int = 0) -> Ints:
    return np.random.default_rng(seed).permutation(n).astype(np.int32)


def in_order(n: int) -> Ints:
    return np.arange(n, dtype=np.int32)


Found = tuple[Move, float] | None


def deltas(problem: TSP, tour: Ints) -> tuple[Floats, Floats]:
    """Return the delta of every move (i, j), infinite if there is no such move, and the tolerance of its gain."""
    n = len(tour)
    table = problem.distances(tour[:, None], tour[None, :])
    edge = problem.distances(tour, np.roll(tour, -1))
    delta = ((table + np.roll(table, (-1, -1), (0, 1))) - edge).astype(float) - edge[:, None]
    delta[np.tri(n, k=1, dtype=bool)] = np.inf
    delta[0, n - 1] = np.inf
    absolute, relative = tolerance(problem)
    return delta, absolute + relative * (edge[:, None] + edge)


def expected(problem: TSP, tour: Ints) -> Found:
    """Return the best of all moves; None if its gain is within the tolerance."""
    delta, error = deltas(problem, tour)
    i, j = divmod(int(delta.argmin()), len(tour))
    return ((i, j), float(delta[i, j])) if -delta[i, j] > error[i, j] else None


@pytest.mark.parametrize("metric", METRIC_NAMES)
def test_what_is_expected_is_what_the_reference_finds(metric: str) -> None:
    for shape in ("random", "duplicates"):
        problem = problem_of(shape, 24, metric)
        reference, tour = ReferenceEngine(problem), shuffled(24)
        while (found := expected(problem, tour)) is not None:
            assert found == reference.best_move(tour)
            tour = TwoOpt().apply(tour, found[0])
        assert reference.certify(tour) is None


ORDERS: dict[str, Callable[[TSP], Ints]] = {
    "shuffled": lambda problem: shuffled(problem.n),
    "in order": lambda problem: in_order(problem.n),
    "greedy": lambda problem: start(problem, "greedy", np.random.SeedSequence(0)),
}


@cache
def expected_descent(
    shape: str, n: int, metric: str, steps: int, order: str = "shuffled"
) -> tuple[list[Found], Ints, Ints]:
    """Return the moves of the first steps from a tour, the tour after them, and the tour before."""
    problem = problem_of(shape, n, metric)
    tour = before = ORDERS[order](problem)
    moves: list[Found] = []
    for _ in range(steps):
        moves.append(None if moves and moves[-1] is None else expected(problem, tour))
        if moves[-1] is not None:
            tour = TwoOpt().apply(tour, moves[-1][0])
    return moves, tour, before


def best(scan: PrunedScan, tour: Ints) -> Found:
    scan.load(tour)
    return next_best(scan)


def next_best(scan: PrunedScan) -> Found:
    scan.scan()
    scan.pick()
    return scan.picked()


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("metric", METRIC_NAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_steps_are_those_of_the_reference(device: Device, shape: str, metric: str) -> None:
    for n, steps in ((6, 4), (33, 6), (60, 30)):
        moves, end, _ = expected_descent(shape, n, metric, steps)
        scan = PrunedScan(problem_of(shape, n, metric), device)
        scan.load(shuffled(n))
        for k, move in enumerate(moves[:6]):
            assert scan.steps(1) == 1
            assert scan.picked() == move, (n, k)
        rest = moves[6:]
        assert scan.steps(len(rest)) == (rest.index(None) + 1 if None in rest else len(rest))
        assert (scan.tour() == end).all()
        assert best(scan, shuffled(n)) == moves[0], "a second tour"


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("metric", METRIC_NAMES)
def test_climbers_make_the_steps_of_the_reference(device: Device, metric: str) -> None:
    for shape in ("whole", "duplicates", "rotated grid", "two places", "outlier"):
        for n, steps in ((33, 6), (60, 30)):
            problem = problem_of(shape, n, metric)
            tours = np.stack((shuffled(n), np.roll(in_order(n), 3)))
            climbers = PrunedClimbers(problem, device, 2, tours=tours)
            climbers.climb(steps)
            assert (climbers.tours()[0] == expected_descent(shape, n, metric, steps)[1]).all()
            climbers.climb(500)
            assert climbers.counters()[:, LOCALLY_OPTIMAL].all()
            for tour in climbers.tours():
                assert expected(problem, tour) is None


def test_a_climber_settles_more_ties_than_it_counts(device: Device) -> None:
    n = 700
    for shape in ("two places", "three places"):
        problem = problem_of(shape, n, "EUCLIDEAN")
        climber = PrunedClimbers(problem, device, 1, tours=in_order(n)[None])
        climber.climb(1)
        found = expected(problem, in_order(n))
        assert found is not None
        assert (climber.tours()[0] == TwoOpt().apply(in_order(n), found[0])).all()


@pytest.mark.parametrize("n", [31, 32, 1023, 1024, 1025])
def test_levels_of_boxes_end_anywhere(device: Device, n: int) -> None:
    for metric, shape in zip(METRIC_NAMES, ("whole", "clustered", "outlier"), strict=True):
        scan = PrunedScan(problem_of(shape, n, metric), device)
        for order in ("shuffled", "greedy"):
            (move,), _, tour = expected_descent(shape, n, metric, 1, order)
            assert best(scan, tour) == move


@pytest.mark.parametrize("metric", METRIC_NAMES)
def test_thousands_of_cities_in_a_few_places(device: Device, metric: str) -> None:
    """Tours that zigzag between them have more ties than the search counts."""
    for shape, n in (("two places", 1100), ("three places", 901), ("hub", 700), ("one place", 600)):
        scan = PrunedScan(problem_of(shape, n, metric), device)
        for order in ("in order", "shuffled") if shape == "three places" else ("in order",):
            moves, after, tour = expected_descent(shape, n, metric, 2, order)
            assert best(scan, tour) == moves[0], shape
            scan.load(tour)
            assert scan.steps(2) == (1 if moves[0] is None else 2)
            assert (scan.tour() == after).all(), shape


def test_ties_are_remembered_while_nearly_equal_edges_are_searched(device: Device) -> None:
    """Gains are shared in float32, in which the edges of both zigzags are equally long."""
    n, apart = 1200, 100.1
    at = np.zeros((n, 2))
    at[1::2, 0] = apart
    at[n // 2 :, 1] = 1e6
    at[n // 2 + 1 :: 2, 0] = apart * (1 - 1e-9)
    problem = TSP("two zigzags", METRICS["EUCLIDEAN"], at)
    scan = PrunedScan(problem, device)
    for tour in (in_order(n), np.roll(in_order(n), n // 2), in_order(n)[::-1].copy()):
        assert best(scan, tour) == expected(problem, tour)


@given(
    shape=st.sampled_from(list(SHAPES)),
    n=st.integers(5, 80),
    metric=st.sampled_from(METRIC_NAMES),
    seed=st.integers(0, 10**6),
    steps=st.integers(0, 12),
)
@settings(max_examples=60)
@pytest.mark.sanitize_quick
def test_any_tour_on_the_cpu(shape: str, n: int, metric: str, seed: int, steps: int) -> None:
    problem, tour = problem_of(shape, n, metric, seed), shuffled(n, seed)
    scan = PrunedScan(problem, find("cpu", 1))
    scan.load(tour)
    scan.steps(steps)
    tour = scan.tour()
    assert sorted(tour.tolist()) == list(range(n))
    check_boxes(scan)
    assert next_best(scan) == expected(problem, tour)


def check_boxes(scan: PrunedScan) -> None:
    """Edges, and the longest in each box, are those of the tour."""
    tour, tree, fetch = scan.tour(), scan.tree, scan.device.fetch
    edges = scan.problem.distances(tour, np.roll(tour, -1)).astype(float)
    assert (fetch(scan._edge) == edges).all()
    assert (fetch(scan._place)[tree.rank[tour]] == in_order(tree.n)).all()
    values = np.zeros(tree.nodes)
    values[tree.rank[tour]] = np.maximum(edges, np.roll(edges, 1))
    assert (fetch(scan._longest) == values).all()
    far = fetch(scan._far)
    for count, first in levels(tree.n):
        values = np.pad(values, (0, count * FAN - len(values))).reshape(count, FAN).max(axis=1)
        assert (far[first : first + count] == values).all()


@pytest.mark.parametrize("n", [5, 32, 33, 1024, 1025, 33_000])
def test_the_longest_edge_of_every_box_is_known(device: Device, n: int) -> None:
    scan = PrunedScan(problem_of("random", n, "EUC_2D"), device)
    scan.load(shuffled(n))
    check_boxes(scan)
    scan.steps(3)
    check_boxes(scan)


@pytest.mark.parametrize("n", [5, 32, 33, 1024, 1025, 40_000])
def test_boxes_hold_their_nodes(n: int) -> None:
    at = np.random.default_rng(n).random((2, n))
    bounds = boxes(at)
    assert sum(count for count, _ in levels(n)) == bounds.shape[1]
    low = high = at
    for count, first in levels(n):
        low, high = (
            np.pad(side, ((0, 0), (0, count * FAN - side.shape[1])), constant_values=value).reshape(2, count, FAN)
            for side, value in ((low, 1e150), (high, -1e150))
        )
        low, high = low.min(axis=2), high.max(axis=2)
        assert (bounds[:, first : first + count] == np.vstack((low, high))).all()
    assert count == FAN


@pytest.mark.parametrize("move", [(0, 2), (0, 5), (0, 66), (3, 5), (3, 67), (64, 66), (65, 67)])
def test_a_move_at_either_end_of_the_tour_keeps_the_boxes(device: Device, move: Move) -> None:
    n = 68
    problem, tour = problem_of("random", n, "EUCLIDEAN"), shuffled(n)
    scan = PrunedScan(problem, device)
    scan.load(TwoOpt().apply(start(problem, "greedy", np.random.SeedSequence(0)), move))
    scan.scan()
    scan.pick()
    assert scan.picked() is not None
    scan.load(tour)
    rank = np.array([move[0] * n + move[1]])
    device.fill(scan._gains, np.full(len(scan._gains), 1e9))
    device.fill(scan._ranks, np.full(len(scan._gains), rank))
    device.fill(scan._ties, np.full(len(scan._gains), -1.0))
    scan.pick()
    scan.make()
    assert (scan.tour() == TwoOpt().apply(tour, move)).all()
    check_boxes(scan)


def test_launches_that_search_a_part_of_the_edges_find_the_same_move(device: Device) -> None:
    problem, tour = problem_of("clustered", 700, "EUC_2D"), shuffled(700)
    scan = PrunedScan(problem, device)
    scan._call = 90
    for _ in range(4):
        assert best(scan, tour) == expected(problem, tour)
        tour = TwoOpt().apply(tour, expected(problem, tour)[0])


@pytest.mark.threads
@pytest.mark.parametrize("metric", METRIC_NAMES)
def test_groups_and_threads_do_not_change_the_moves(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruned, "WIDE", 8)
    monkeypatch.setattr(pruned, "SHARED", 8)
    for shape, n in (("clustered", 1100), ("duplicates", 600), ("two places", 900)):
        problem, tour = problem_of(shape, n, metric), shuffled(n)
        ends = []
        for threads in (1, 4):
            scan = PrunedScan(problem, find("cpu", threads))
            assert scan.groups == threads
            assert best(scan, tour) == expected(problem, tour)
            scan.load(tour)
            assert scan.steps(12) == 12
            check_boxes(scan)
            ends.append(scan.tour())
        assert (ends[0] == ends[1]).all()


@pytest.mark.parametrize("metric", METRIC_NAMES)
def test_rows_agree_with_the_exact_scan(device: Device, metric: str) -> None:
    """Also with edges shortened by their rounding error, as proofs need them."""
    n = 150
    for shape in ("whole", "duplicates", "rotated grid", "two places", "outlier", "far away"):
        problem = problem_of(shape, n, metric)
        scan, exact = PrunedScan(problem, device), ExactScan(problem, device)
        tour = shuffled(n)
        for steps in (0, 20, 100, 100):
            scan.load(tour)
            scan.steps(steps)
            tour = scan.tour()
            for kept in (1.0, 1 - 2.0**-44, 1 - 1e-13):
                exact.load(tour, kept)
                rows = exact.rows()
                assert scan.best_row(tour, kept) == (int(rows.argmin()) if rows.min() < 0 else None)


@pytest.mark.parametrize("metric", METRIC_NAMES)
def test_a_descent_ends_at_a_2_optimal_tour(device: Device, metric: str) -> None:
    for shape in ("whole", "grid", "duplicates"):
        problem = problem_of(shape, 90, metric)
        scan = PrunedScan(problem, device, BoxTree(problem, device))
        scan.load(shuffled(90))
        assert scan.steps(300) < 300
        assert scan.picked() is None and scan.steps(300) == 1
        assert expected(problem, scan.tour()) is None


def test_a_descent_that_runs_out_of_time_stops_where_it_is(device: Device) -> None:
    problem, tour = problem_of("two places", 1500, "EUCLIDEAN"), in_order(1500)
    scan = PrunedScan(problem, device)
    with pytest.raises(Unfinished):
        scan.scan(lambda: True)
    for polls in range(6):
        scan.load(tour)
        left = iter([False] * polls)
        done = scan.steps(4, lambda left=left: next(left, True))  # type: ignore[misc]
        reached = tour
        for _ in range(done):
            found = expected(problem, reached)
            assert found is not None
            reached = TwoOpt().apply(reached, found[0])
        assert done < 4 and (scan.tour() == reached).all()


@pytest.mark.parametrize("shape", ["grid", "rotated grid", "outlier", "far away", "hub", "thirds", "slope"])
def test_proofs_hold_where_gains_are_rounding_errors(device: Device, shape: str) -> None:
    problem = problem_of(shape, PROVED_FROM, "EUCLIDEAN")
    engine, scan = TwoOptEngine(problem, device), PrunedScan(problem, device)
    scan.load(shuffled(PROVED_FROM))
    scan.steps(300)
    tour = scan.tour()
    for _ in range(100):
        delta, error = deltas(problem, tour)
        found = engine.best_improvement(tour)
        assert (found is None) == (not (-delta > error).any())
        if found is None:
            break
        assert found[1] == delta[found[0]] and -found[1] > error[found[0]]
        tour = engine.apply(tour, found[0])


@pytest.mark.parametrize("metric", METRIC_NAMES)
def test_proofs_are_those_of_the_exact_scan(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for shape in ("grid", "outlier", "hub", "thirds"):
        problem = problem_of(shape, 210, metric)
        engine, exact = TwoOptEngine(problem), TwoOptEngine(problem)
        monkeypatch.setattr(exact, "_proves", lambda: False)
        scan = PrunedScan(problem, engine.device)
        scan.load(shuffled(210))
        for _ in range(6):
            scan.steps(50)
            assert engine.best_improvement(scan.tour()) == exact.best_improvement(scan.tour())
    assert engine.certify(scan.tour()) == ReferenceEngine(problem).certify(scan.tour())
