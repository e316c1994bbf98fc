"""Searches over neighbour lists: tours stay tours, gains are true, and what settles has no move left."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import NAMES, cities
from warptour.model.errors import UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods import NEIGHBORHOODS
from warptour.papers.ermis.engine.variable import KEPT, KINDS, MOVES, STRENGTH, VariableSearch
from warptour.tours.engine.instance import Instance

ALL = list(KINDS)


def shuffled(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).permutation(n).astype(np.int32)


def locally_optimal(
    problem: TSP, names: list[str], tour: np.ndarray, *, shakes: int = 0, **options: float
) -> VariableSearch:
    """A search that has done its work, checked."""
    instance = Instance.of(problem, nearest=min(10, problem.n - 1))
    search = VariableSearch(instance, instance.enter(tour), names, **options)
    while not search.locally_optimal or search.shakes < shakes:
        search.work(shakes, 5000)
    after = instance.leave(search.best())
    assert problem.check(after).feasible
    assert problem.cost(tour) - problem.cost(after) == pytest.approx(search.gain, rel=1e-9, abs=1e-6)
    return search


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("names", [[name] for name in ALL] + [ALL, ALL[::-1]], ids=",".join)
@pytest.mark.parametrize(("n", "grid"), [(8, 50), (9, 3), (13, 5), (40, 100), (150, 1000)])
def test_gains_are_what_the_tour_is_shorter(names: list[str], n: int, grid: int) -> None:
    problem = cities(n, "EUC_2D", seed=0, side=grid)
    locally_optimal(problem, names, shuffled(n), shakes=50)


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_is_searched(name: str) -> None:
    locally_optimal(cities(40, name, seed=0, side=500), ALL, shuffled(40), shakes=20)


@pytest.mark.parametrize("name", ["2-opt", "3-opt"])
def test_with_all_cities_in_the_lists_nothing_is_left_for_a_full_scan(name: str) -> None:
    """Some order of a move's edges has every partial gain above 0, so that lists miss none."""
    problem, kind = cities(10, "EUCLIDEAN", seed=0, side=500), NEIGHBORHOODS[name]
    for seed in range(10):
        search = locally_optimal(problem, [name], shuffled(10, seed))
        tour = search.instance.leave(search.best())
        assert all(kind.delta(problem, tour, move) > -1e-6 for move in kind.moves(10))


def test_a_later_neighbourhood_moves_only_where_earlier_ones_cannot() -> None:
    problem = cities(200, "EUC_2D", seed=0, side=2000)
    alone = locally_optimal(problem, ["2-opt"], shuffled(200))
    both = locally_optimal(problem, ["2-opt", "3-opt"], shuffled(200))
    assert both.gain > alone.gain
    assert both.by_level[0, MOVES] > both.by_level[1, MOVES] > 0
    assert both.gains.sum() == pytest.approx(both.gain)


def test_longer_segments_are_part_of_the_neighbourhood() -> None:
    problem = cities(200, "EUC_2D", seed=0, side=2000)
    gains = [locally_optimal(problem, ["or-opt"], shuffled(200), longest=longest).gain for longest in (1, 3, 30)]
    assert locally_optimal(problem, ["relocate"], shuffled(200), longest=30).gain == gains[0]
    assert gains[0] < gains[1] < gains[2]


def test_open_paths_and_fixed_edges_are_kept() -> None:
    points = np.random.default_rng(3).integers(0, 1000, (60, 2)).astype(float)
    path = TSP("path", METRICS["EUC_2D"], points, open=True, first=3, last=9)
    fixed = TSP("fixed", METRICS["EUC_2D"], points, fixed_edges=np.array([[0, 40], [40, 7], [8, 9]]))
    ends = [3, *[city for city in range(60) if city not in (3, 9)], 9]
    locally_optimal(path, ALL, np.array(ends, np.int32), shakes=300)
    chain = [0, 40, 7, 8, 9]
    locally_optimal(fixed, ALL, np.array(chain + [c for c in range(60) if c not in chain], np.int32), shakes=300)


def test_a_budget_interrupts_and_changes_nothing() -> None:
    problem, tour = cities(100, "EUC_2D", seed=0, side=500), shuffled(100)
    instance = Instance.of(problem)
    pieces, whole = (VariableSearch(instance, instance.enter(tour), ALL, seed=5) for _ in range(2))
    while not pieces.locally_optimal or pieces.shakes < 200:
        pieces.work(200, 300)
    while not whole.locally_optimal or whole.shakes < 200:
        whole.work(200)
    assert (pieces.cities == whole.cities).all()


def test_too_few_nodes_are_refused() -> None:
    instance = Instance.of(cities(7, "EUC_2D", seed=0, side=500))
    with pytest.raises(UsageError, match="at least 8"):
        VariableSearch(instance, np.arange(7, dtype=np.int32), ALL)


def test_the_best_tour_is_kept_while_the_search_goes_on_from_longer_ones() -> None:
    problem = cities(150, "EUC_2D", seed=0, side=1000)
    search = locally_optimal(problem, ["2-opt", "or-opt"], shuffled(150), shakes=2000, slack=200.0)
    present = search.instance.leave(search.cities)
    assert problem.check(present).feasible
    assert search.counters[KEPT] > 200
    assert problem.cost(present) - problem.cost(search.instance.leave(search.best())) <= 200


def test_shakes_become_stronger_until_one_gains() -> None:
    search = locally_optimal(cities(200), ["2-opt"], shuffled(200), strongest=3, slack=0.0)
    strengths, gained = [], []
    for shake in range(1, 200):
        before = search.gain
        while search.shakes < shake:
            search.work(shake, 5000)
        strengths.append(int(search.counters[STRENGTH]))
        gained.append(search.gain > before)
    assert any(gained)
    for last, now, better in zip([0, *strengths], strengths, gained, strict=False):
        assert now == (0 if better else (last + 1) % 3)
