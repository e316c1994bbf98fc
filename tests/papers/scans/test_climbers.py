"""Climbers keep tours tours, keep fixed edges, end, and can be resumed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_cities import NAMES, cities
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods import OrOpt, TwoOpt
from warptour.neighborhoods.tolerance import tolerance
from warptour.papers.scans.climbers import ACCEPTED, Climbers
from warptour.tours.engine.instance import Instance

COST = 0


def climbed(problem: TSP, tour: np.ndarray, kicks: int = 0, **options: float) -> np.ndarray:
    instance = Instance.of(problem)
    climber = Climbers(instance, instance.enter(tour), **options)
    while not climber.locally_optimal or climber.kicks[0] < kicks:
        climber.climb(kicks)
    return instance.leave(climber.best()[0])


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [5, 6, 7, 8, 30])
def test_tours_stay_tours_and_gains_are_real(name: str, n: int) -> None:
    problem = cities(n, name, seed=0, side=500)
    instance = Instance.of(problem)
    tour = np.random.default_rng(n).permutation(n).astype(np.int32)
    for slack in (-1.0, 0.0, 100.0):
        climber = Climbers(instance, instance.enter(tour), seed=n, slack=slack)
        climber.descend()
        while climber.kicks[0] < 200:
            climber.climb(200)
        after = instance.leave(climber.best()[0])
        assert problem.check(after).feasible
        assert problem.cost(tour) - problem.cost(after) == pytest.approx(climber.gains[0], rel=1e-9, abs=1e-4)


@pytest.mark.parametrize("slack", [-1.0, 0.0, 40.0])
def test_kicks_are_kept_by_the_rule_of_their_slack(slack: float) -> None:
    """Below 0 a tour must be shorter than the last, otherwise at most ``slack`` longer than the best."""
    instance = Instance.of(cities(200, "EUC_2D", seed=0, side=500))
    climber = Climbers(instance, instance.enter(np.arange(200, dtype=np.int32)), seed=1, slack=slack)
    climber.descend()
    shorter = longer = 0
    for kick in range(1, 1500):
        cost, kept = climber.sums[0, COST], climber.counters[0, ACCEPTED]
        while climber.kicks[0] < kick:
            climber.climb(kick)
        now, best = climber.sums[0]
        assert now < cost or slack >= 0 or climber.counters[0, ACCEPTED] == kept
        assert now <= best + max(slack, 0.0)
        shorter += now < cost
        longer += now > cost
    assert shorter > 5
    assert longer > 50 if slack > 0 else longer == 0
    assert climber.counters[0, ACCEPTED] > shorter if slack >= 0 else climber.counters[0, ACCEPTED] == shorter


def test_a_local_optimum_has_no_improving_move_over_its_neighbour_lists() -> None:
    problem = cities(40, "EUC_2D", seed=0, side=500)
    tour = climbed(problem, np.arange(40, dtype=np.int32))
    near = Instance.of(problem).near
    place = np.argsort(tour)
    moves = set(OrOpt().moves(40))
    for i, j in TwoOpt().moves(40):
        a, c, b, d = tour[i], tour[j], tour[i + 1], tour[(j + 1) % 40]
        if c in near[a] or a in near[c] or d in near[b] or b in near[d]:
            assert TwoOpt().delta(problem, tour, (i, j)) >= 0 or not _seen(problem, near, a, b, c, d)
    for city in range(40):  # one city beside a neighbour
        for neighbour in near[city]:
            for j in (place[neighbour], (place[neighbour] - 1) % 40):
                move = (int(place[city]), 1, int(j), 0)
                if move in moves:
                    freed = _freed(problem, tour, int(place[city]))
                    if problem.distance(city, int(neighbour)) < freed:
                        assert OrOpt().delta(problem, tour, move) >= 0


def _seen(problem: TSP, near: np.ndarray, a: int, b: int, c: int, d: int) -> bool:
    """Whether one end sees the exchange: a neighbour nearer than the city beside it."""
    pairs = [(a, c, b), (c, a, d), (b, d, a), (d, b, c)]
    return any(v in near[u] and problem.distance(u, v) < problem.distance(u, w) for u, v, w in pairs)


def _freed(problem: TSP, tour: np.ndarray, at: int) -> float:
    p, c, q = tour[at - 1], tour[at], tour[(at + 1) % len(tour)]
    return problem.distance(p, c) + problem.distance(c, q) - problem.distance(p, q)


POINTS = {
    "one place": np.zeros((20, 2)),
    "a line": np.column_stack((np.arange(20) % 7, np.zeros(20))).astype(float),
    "two places": np.repeat([[0.0, 0.0], [1.0, 1.0]], 10, axis=0),
    "a grid": np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), -1).reshape(-1, 2),
    "thirds": np.stack(np.meshgrid(np.arange(5) / 3, np.arange(5) / 3), -1).reshape(-1, 2) + 1e6,
}


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("points", POINTS.values(), ids=POINTS)
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "MAN_2D", "CEIL_2D"])
def test_ties_and_cities_in_one_place_end(points: np.ndarray, metric: str) -> None:
    problem = TSP("ties", METRICS[metric], points)
    tour = np.random.default_rng(0).permutation(len(points)).astype(np.int32)
    assert problem.check(climbed(problem, tour, 500, slack=0.0)).feasible


@given(st.integers(5, 40), st.integers(0, 2**32), st.sampled_from(["EUC_2D", "EUCLIDEAN", "EXPLICIT"]))
def test_fixed_edges_are_never_broken(n: int, seed: int, name: str) -> None:
    rng = np.random.default_rng(seed)
    base = cities(n, name, seed=seed, side=500)
    tour = rng.permutation(n).astype(np.int32)
    edges = np.column_stack((tour, np.roll(tour, -1)))[rng.random(n) < 0.4][: n - 1]
    problem = TSP("fixed", base.metric, base.points, fixed_edges=edges)
    assert problem.check(climbed(problem, tour, 300, slack=5.0, seed=seed)).feasible


@given(st.integers(5, 30), st.integers(0, 2**32), st.sampled_from(["none", "first", "last", "both"]))
def test_open_paths_keep_their_ends(n: int, seed: int, ends: str) -> None:
    rng = np.random.default_rng(seed)
    tour = rng.permutation(n).astype(np.int32)
    first = int(tour[0]) if ends in ("first", "both") else None
    last = int(tour[-1]) if ends in ("last", "both") else None
    points = rng.integers(0, 99, (n, 2)).astype(float)
    problem = TSP("path", METRICS["EUC_2D"], points, open=True, first=first, last=last)
    after = climbed(problem, tour, 300)
    assert problem.check(after).feasible
    assert problem.cost(after) <= problem.cost(tour)


def test_work_cut_into_small_calls_gives_the_same_tour() -> None:
    problem = cities(200, "EUC_2D", seed=0, side=500)
    instance = Instance.of(problem)
    tours = []
    for effort in (300, 10_000_000):
        climber = Climbers(instance, instance.enter(np.arange(200, dtype=np.int32)), seed=3, slack=10.0)
        while not climber.locally_optimal or climber.kicks[0] < 2000:
            climber.climb(2000, effort)
        tours.append(climber.best()[0].copy())
    assert (tours[0] == tours[1]).all()


def test_climbers_of_a_batch_do_not_disturb_each_other() -> None:
    problem = cities(60, "EUCLIDEAN", seed=0, side=500)
    instance = Instance.of(problem)
    starts = np.array([np.random.default_rng(k).permutation(60) for k in range(5)], np.int32)
    batch = Climbers(instance, starts, seed=1)
    for group in range(3):
        batch.climb(500, 10**9, group, 3)
    for number in range(5):
        alone = Climbers(instance, starts[number], seed=1, first=number)
        alone.climb(500, 10**9)
        assert (alone.best()[0] == batch.best()[number]).all()


def test_renumbered_cities_come_out_as_they_went_in(monkeypatch: pytest.MonkeyPatch) -> None:
    import warptour.tours.engine.instance as terrain_module

    problem = cities(100, "EUC_2D", seed=0, side=500)
    tour = np.random.default_rng(0).permutation(100).astype(np.int32)
    plain = climbed(problem, tour, 1000)
    monkeypatch.setattr(terrain_module, "RENUMBERED", 10)
    instance = Instance.of(problem)
    assert instance.order is not None
    assert (instance.leave(instance.enter(tour)) == tour).all()
    assert problem.cost(climbed(problem, tour, 1000)) == pytest.approx(problem.cost(plain), rel=0.05)


def test_a_sealed_section_keeps_its_ends() -> None:
    problem = cities(100, "EUC_2D", seed=0, side=500)
    instance = Instance.of(problem)
    part = np.arange(20, 70, dtype=np.int32)
    climber = Climbers(instance, part, sealed=True, seed=2)
    climber.descend()
    while climber.kicks[0] < 1000:
        climber.climb(1000)
    path = climber.unrolled()
    assert (path[0], path[-1]) == (20, 69)
    assert sorted(path) == list(part)


def test_a_gain_must_exceed_the_error_of_the_arithmetic() -> None:
    assert tolerance(cities(9, "EUC_2D", seed=0, side=500)).of(1e6) == 0.5
    assert 0 < tolerance(cities(9, "EUCLIDEAN", seed=0, side=500)).of(1e6) < 1e-6
