"""A population grows, breeds and leads, within its limits and in time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from random_cities import cities
from warptour.construct import start
from warptour.engines.instance import Instance
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.threads import ThreadPool
from warptour.strategies.windows import edge_assembly as edge_assembly
from warptour.strategies.windows.edge_assembly import EdgeAssembly
from warptour.strategies.windows.exchange_selection import ExchangeSelection
from warptour.strategies.windows.individuals import CURVED, SplitIndividual, new_tour
from warptour.strategies.windows.operator_selection import OperatorSelection
from warptour.strategies.windows.strategy import Windows


def team_of(problem: TSP, pool: ThreadPool, seconds_left: float = math.inf) -> EdgeAssembly:
    instance = Instance.of(problem)
    team = Windows()._team(Search(problem, Iterations(1)), instance, start(problem, "greedy", 0), pool, 5)
    assert isinstance(team, EdgeAssembly)
    team._seconds_left = lambda: seconds_left
    return team


def never() -> bool:
    return False


@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
def test_gains_add_up_to_the_best_tour(threads: int) -> None:
    problem = cities(600)
    first = problem.cost(start(problem, "greedy", 0))
    with ThreadPool(threads) as pool:
        team = team_of(problem, pool)
        while team.kicks < 6000:
            team.advance(6000 - team.kicks, never)
            tour = team.best()
            assert problem.check(tour).violations == ()
            assert first - team.gain == problem.cost(tour)
    assert team.kicks == 6000
    assert len(team.population) > 10


def test_new_tours_take_the_places_of_the_longest_when_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_assembly, "MOST", 8)
    monkeypatch.setattr(edge_assembly, "GROWTH", 0.8)
    with ThreadPool(1) as pool:
        team = team_of(cities(200), pool)
        while len(team.population) < 8 or team._plan:
            team.advance(math.inf, never)
        while not team._plan:
            team.advance(math.inf, never)
        places = [job.place for job in team._plan]
        assert len(set(places)) == len(places), "a new tour takes the place of another new one"
        assert team.population.best not in places
        while team._plan:
            team.advance(math.inf, never)
        assert len(team.population) == 8


def test_without_time_for_a_population_the_best_tour_is_polished() -> None:
    with ThreadPool(1) as pool:
        team = team_of(cities(500), pool, seconds_left=0.0)
        for _ in range(20):
            team.advance(math.inf, never)
        assert len(team.population) == 0
        assert team.kicks == team.incumbent.kicks > 500


def test_trials_that_would_not_end_in_time_give_way_to_breeding() -> None:
    with ThreadPool(1) as pool:
        team = team_of(cities(500), pool)
        while not team._plan:
            team.advance(math.inf, never)
        tours, generations = len(team.population), team.population.generations
        team._seconds_left = lambda: 1e-9
        team.advance(math.inf, never)
        assert len(team.population) == tours + 1
        assert team.population.generations > generations
        assert not team._plan


def test_what_was_won_before_an_interrupt_is_not_lost() -> None:
    problem = cities(500)
    with ThreadPool(1) as pool:
        team = team_of(problem, pool)
        while len(team.population) < 6:
            team.advance(math.inf, never)
        calls = 0

        def soon() -> bool:
            nonlocal calls
            calls += 1
            return calls > 40

        while calls <= 40:
            team.advance(math.inf, soon)
        lengths = [team.instance.length(team.incumbent.tour), *team.population.lengths]
        assert problem.cost(team.best()) == min(lengths)


@pytest.mark.parametrize("options", [{"open": True}, {"open": True, "first": 3, "last": 7}], ids=str)
def test_open_paths_breed_too(options: dict[str, object]) -> None:
    """The node that closes a path is a candidate of all, and no walk must be caught in it."""
    problem = TSP("path", METRICS["EUC_2D"], cities(500).points, **options)
    with ThreadPool(1) as pool:
        team = team_of(problem, pool)
        while team.kicks < 3000:
            team.advance(3000 - team.kicks, never)
        assert team.incumbent.evaluations > 10 * team.incumbent.kicks
        assert len(team.population) > 4


def test_no_kind_of_trial_is_forgotten_or_goes_on_for_nothing() -> None:
    turns = OperatorSelection()
    assert turns.next(3) == "new", "young populations grow"
    kinds = []
    for _ in range(20):
        kind = turns.next(50)
        kinds.append(kind)
        turns.enter(kind, 5.0 if kind == "new" else 0.0, 10)
    assert kinds.count("new") > 12
    assert kinds.count("old") > 2, "the one that won nothing is tried again"
    for _ in range(6):
        kind = turns.next(50)
        turns.enter(kind, 0.0, 10)
        assert turns.next(50) != kind


def test_how_long_a_trial_takes_is_known_for_the_other_kind_too() -> None:
    turns = OperatorSelection()
    assert turns.seconds("new") == turns.seconds("old") == 0
    turns.took("new", 3.0)
    assert turns.seconds("old") == 3.0
    turns.took("old", 1.0)
    assert (turns.seconds("new"), turns.seconds("old")) == (3.0, 1.0)


@pytest.mark.parametrize("n", [300, CURVED])
def test_trials_start_elsewhere(n: int) -> None:
    problem = cities(n)
    instance = Instance.of(problem)
    tours = [new_tour(instance, 1, number) for number in (0, 1, 0)]
    assert all(sorted(tour.tolist()) == list(range(n)) for tour in tours)
    assert (tours[0] == tours[2]).all()
    edges = [{frozenset(edge) for edge in zip(tour.tolist(), np.roll(tour, 1).tolist(), strict=True)} for tour in tours]
    assert len(edges[0] & edges[1]) < 0.9 * n


def test_a_trial_in_windows_repairs_and_kicks_as_often_as_it_should() -> None:
    problem = cities(3000)
    instance = Instance.of(problem)
    first = new_tour(instance, 1, 0)
    selection = ExchangeSelection()
    individual = SplitIndividual(
        instance, first, new=True, seed=1, number=0, walk_length=50, size=800, selection=selection
    )
    individual.run(300, never)
    assert individual.kicks == 300
    assert instance.length(individual.tour) < 0.2 * instance.length(first)
    assert selection._kicks.evaluations > 0, "the next trial knows what kicks and walks won"
    again = SplitIndividual(
        instance, individual.tour, new=False, seed=1, number=1, walk_length=50, size=800, selection=ExchangeSelection()
    )
    again.run(300, never)
    assert again.kicks == 300
    assert instance.length(again.tour) < instance.length(individual.tour)
