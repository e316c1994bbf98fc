"""A device and its host on one tour, here both the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from clocks import Until
from warptour.candidates import neighbours
from warptour.construct import start
from warptour.devices.cpu import Cpu
from warptour.engines.instance import Instance
from warptour.engines.windows.overlapping import OverlappingWindows
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.stop import Iterations, Stop
from warptour.search.team import follow
from warptour.search.threads import ThreadPool
from warptour.strategies.windows.device_individual import DeviceIndividual
from warptour.strategies.windows.exchange_selection import ExchangeSelection
from warptour.strategies.windows.individuals import SplitIndividual, new_tour
from warptour.strategies.windows.overlapping import OverlappingTeam, layout
from warptour.strategies.windows.rounds import Rounds


@pytest.fixture
def problem() -> TSP:
    points = np.random.default_rng(1).integers(0, 10_000, (900, 2)).astype(float)
    return TSP("cities", METRICS["EUC_2D"], points)


def run(problem: TSP, stop: Stop | None = None, seed: int = 1) -> tuple[Search, OverlappingTeam]:
    """Follow a team until ``stop``, without one until device and host have both made rounds."""
    both = Until(lambda: team.rounds > 0 and team.host.round > 1)
    search = Search(problem, stop or both, seed=seed, threads=2)
    lists = neighbours(problem, 7, 1)
    tour = start(problem, "greedy", search.seeds, lists, 1)
    search.offer(tour)
    with ThreadPool(2) as pool:
        host = Rounds(Instance.of(problem, lists), tour, pool, seed=seed, walk_length=50, size=300, effort=1.0)
        cores = OverlappingWindows(problem, Cpu(2), lists, size=200, seed=seed)
        team = OverlappingTeam(host, cores, walk_length=30, effort=0.5, seconds_left=search.seconds_left)
        follow(search, team)
        assert problem.cost(team.best()) == search.cost
    return search, team


def test_so_many_kicks_give_one_tour_whatever_the_clock_says(problem: TSP) -> None:
    (one, team), (two, _) = run(problem, Iterations(3000)), run(problem, Iterations(3000))
    assert isinstance(one.best, np.ndarray) and isinstance(two.best, np.ndarray)
    assert one.best.tolist() == two.best.tolist()
    assert team.kicks == one.iterations == 3000 and team.host.kicks == 0
    assert sorted(one.best.tolist()) == list(range(900))


def test_gains_add_up_to_the_tour_that_is_handed_in(problem: TSP) -> None:
    lists = neighbours(problem, 7, 1)
    first = problem.cost(start(problem, "greedy", np.random.SeedSequence(1), lists, 1))
    search, team = run(problem, Iterations(2000))
    assert search.cost == first - team.gain


def test_without_a_limit_on_kicks_device_and_host_both_work(problem: TSP) -> None:
    search, team = run(problem)
    assert team.rounds > 0 and team.host.round > 1
    assert isinstance(search.best, np.ndarray)
    assert sorted(search.best.tolist()) == list(range(900))


def test_another_tour_is_where_both_go_on(problem: TSP) -> None:
    first, team = run(problem, Iterations(500))
    assert isinstance(first.best, np.ndarray) and first.cost is not None
    shorter, _ = run(problem, Iterations(5000))
    assert isinstance(shorter.best, np.ndarray) and shorter.cost is not None
    before = team.gain
    team.follow(team.host.instance.enter(shorter.best), float(first.cost - shorter.cost))
    assert problem.cost(team.best()) == shorter.cost
    assert team.gain - before == first.cost - shorter.cost
    team.advance(100, lambda: False)
    assert problem.cost(team.best()) <= shorter.cost
    assert problem.cost(team.host.instance.leave(team.tour)) == problem.cost(team.best())


def test_trials_are_kicked_on_the_device_beside_the_tour_of_both(problem: TSP) -> None:
    first, team = run(problem, Iterations(500))
    instance = team.host.instance
    new = new_tour(instance, 1, 1)
    individual = DeviceIndividual(
        SplitIndividual(
            instance, new, new=True, seed=1, number=1, walk_length=50, size=300, selection=ExchangeSelection()
        ),
        team,
    )
    before = team.kicks
    individual.run(900, lambda: False)
    assert individual.kicks >= 900 and team.kicks == before
    assert problem.check(instance.leave(individual.tour)).violations == ()
    assert instance.length(individual.tour) < instance.length(new)
    assert problem.cost(team.best()) == first.cost
    team.advance(100, lambda: False)
    assert problem.cost(team.best()) <= first.cost


def test_a_trial_that_is_ended_early_stays_as_it_is(problem: TSP) -> None:
    _, team = run(problem, Iterations(500))
    new = new_tour(team.host.instance, 1, 1)
    tour, kicks, evaluations = team.kick(new, 1000, lambda: True)
    assert (tour == new).all() and kicks == evaluations == 0


@pytest.mark.parametrize("n", [8, 1000, 4461, 18_512, 85_900, 249_999])
@pytest.mark.parametrize("at_once", [1, 2, 528, 1188])
def test_windows_fill_the_device_a_whole_number_of_times(n: int, at_once: int) -> None:
    windows, rows = layout(n, at_once, 640)
    assert windows % at_once == 0 or windows == n // 4
    assert rows % 2 == 1 and rows >= 3
