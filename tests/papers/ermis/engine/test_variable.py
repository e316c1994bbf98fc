"""Searches over neighbour lists: tours stay tours, gains are true, and what settles has no move left."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import NAMES, cities
from warptour.devices import Device, find
from warptour.model.errors import UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods import NEIGHBORHOODS
from warptour.papers.ermis.engine.variable import KEPT, KINDS, MOVES, SHAKES, STRENGTH, VariableSearches
from warptour.tours.engine.instance import Instance

ALL = list(KINDS)


def shuffled(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).permutation(n).astype(np.int32)


def locally_optimal(
    problem: TSP, names: list[str], tour: np.ndarray, *, shakes: int = 0, **options: float
) -> VariableSearches:
    """A search that has done its work, checked."""
    instance = Instance.of(problem, nearest=min(10, problem.n - 1))
    search = VariableSearches(instance, find("cpu", 1), instance.enter(tour), names, **options)
    while not search.locally_optimal or search.shakes[0] < shakes:
        search.work(shakes, 5000)
    after = instance.leave(search.best())
    assert problem.check(after).feasible
    assert problem.cost(tour) - problem.cost(after) == pytest.approx(search.gains[0], rel=1e-9, abs=1e-6)
    return search


def current(search: VariableSearches, number: int = 0) -> np.ndarray:
    """The tour that a search shakes next."""
    tours: np.ndarray = search.device.fetch(search._cities)
    return tours[number]


def both(
    problem: TSP, devices: tuple[Device, Device], names: list[str], **options: float
) -> tuple[VariableSearches, VariableSearches]:
    """The same five searches on two devices, started, let work, and met once."""
    instance, tour = Instance.of(problem, nearest=min(10, problem.n - 1)), shuffled(problem.n)
    here, there = (
        VariableSearches(instance, device, instance.enter(tour), names, count=5, seed=3, **options)
        for device in devices
    )
    goals = np.array([40, 41, 60, 20, 0])
    for search in (here, there):
        for goal in (goals, goals + 30):
            while not search.locally_optimal or (search.shakes < goal).any():
                search.work(goal, 4000)
            search.meet()
        while (search.shakes < goals + 50).any():
            search.work(goals + 50)
    return here, there


@pytest.mark.long_on_opencl("GEO")
@pytest.mark.parametrize("names", [["2-opt"], ["or-opt", "2-opt"], ["swap", "relocate", "3-opt"], ALL], ids=",".join)
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "GEO"])
def test_searches_make_the_same_moves_on_every_device(accelerator: Device, names: list[str], metric: str) -> None:
    """All that they have counted is the same too, so that no move differed on the way."""
    for problem in (cities(150, metric, seed=1, side=89), cities(9, metric, seed=2, side=9)):
        here, there = both(problem, (find("cpu", 2), accelerator), names, slack=20.0, longest=5)
        assert (here.counters == there.counters).all()
        assert (here.by_level == there.by_level).all()
        assert (here.gains == there.gains).all()
        assert all((current(here, k) == current(there, k)).all() for k in range(5))
        assert all((here.best(k) == there.best(k)).all() for k in range(5))


def test_searches_on_a_device_keep_open_paths_and_fixed_edges(accelerator: Device) -> None:
    points = np.random.default_rng(3).integers(0, 1000, (60, 2)).astype(float)
    fixed = TSP("fixed", METRICS["EUC_2D"], points, fixed_edges=np.array([[0, 40], [40, 7], [8, 9]]))
    instance, chain = Instance.of(fixed), [0, 40, 7, 8, 9]
    tour = np.array(chain + [c for c in range(60) if c not in chain], np.int32)
    search = VariableSearches(instance, accelerator, instance.enter(tour), ALL, count=3)
    while (search.shakes < 100).any():
        search.work(100)
    assert all(fixed.check(instance.leave(search.best(k))).feasible for k in range(3))


def test_searches_that_meet_continue_from_the_best_of_them() -> None:
    problem = cities(200)
    instance = Instance.of(problem)
    search = VariableSearches(instance, find("cpu", 2), instance.enter(shuffled(200)), ALL, count=4)
    while not search.locally_optimal or (search.shakes < 30).any():
        search.work(30)
    gains, best = search.gains.copy(), search.best()
    assert len(set(gains)) > 1
    search.meet()
    assert (search.gains == gains.max()).all()
    assert instance.length(best) == pytest.approx(instance.length(search.best(0)))
    assert search.counters[:, SHAKES].tolist() == [30] * 4


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
    assert both.gains > alone.gains
    assert both.by_level[0, 0, MOVES] > both.by_level[0, 1, MOVES] > 0
    assert both.gains_by_level.sum() == pytest.approx(both.gains[0])


def test_longer_segments_are_part_of_the_neighbourhood() -> None:
    problem = cities(200, "EUC_2D", seed=0, side=2000)
    gains = [locally_optimal(problem, ["or-opt"], shuffled(200), longest=longest).gains for longest in (1, 3, 30)]
    assert locally_optimal(problem, ["relocate"], shuffled(200), longest=30).gains == gains[0]
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
    cpu = find("cpu", 1)
    pieces, whole = (VariableSearches(instance, cpu, instance.enter(tour), ALL, seed=5) for _ in range(2))
    while not pieces.locally_optimal or pieces.shakes[0] < 200:
        pieces.work(200, 300)
    while not whole.locally_optimal or whole.shakes[0] < 200:
        whole.work(200)
    assert (current(pieces) == current(whole)).all()


def test_too_few_nodes_are_refused() -> None:
    instance = Instance.of(cities(7, "EUC_2D", seed=0, side=500))
    with pytest.raises(UsageError, match="at least 8"):
        VariableSearches(instance, find("cpu", 1), np.arange(7, dtype=np.int32), ALL)


def test_the_best_tour_is_kept_while_the_search_goes_on_from_longer_ones() -> None:
    problem = cities(150, "EUC_2D", seed=0, side=1000)
    search = locally_optimal(problem, ["2-opt", "or-opt"], shuffled(150), shakes=2000, slack=200.0)
    now = search.instance.leave(current(search))
    assert problem.check(now).feasible
    assert search.counters[0, KEPT] > 200
    assert problem.cost(now) - problem.cost(search.instance.leave(search.best())) <= 200


def test_shakes_become_stronger_until_one_gains() -> None:
    search = locally_optimal(cities(200), ["2-opt"], shuffled(200), strongest=3, slack=0.0)
    strengths, gained = [], []
    for shake in range(1, 200):
        before = search.gains[0]
        while search.shakes[0] < shake:
            search.work(shake, 5000)
        strengths.append(int(search.counters[0, STRENGTH]))
        gained.append(search.gains[0] > before)
    assert any(gained)
    for last, now, better in zip([0, *strengths], strengths, gained, strict=False):
        assert now == (0 if better else (last + 1) % 3)
