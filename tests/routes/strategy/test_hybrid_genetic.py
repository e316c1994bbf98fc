"""The population of routes: parents are chosen for their fitness, offspring have edges of both, penalties adapt.

And when its answer may be final, and how it comes to feasible routes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import warptour as wt
from warptour.io.generate import generate
from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.local_search import LocalSearch, Penalties
from warptour.routes.starts.savings import savings
from warptour.routes.strategy import hybrid_genetic
from warptour.routes.strategy.hybrid_genetic import (
    MAX_PENALTY,
    MEMORY,
    MIN_PENALTY,
    REPAIRED,
    RISE,
    RoutePopulation,
    _adapted,
)
from warptour.routes.strategy.subpopulation import MIN_SIZE, RouteIndividual
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget

PROBLEM = generate("vrp", 60, 1)
assert isinstance(PROBLEM, VRP)
INSTANCE = RouteInstance.of(PROBLEM, 20)
FIRST = INSTANCE.enter(savings(PROBLEM))


def edges(tour: Ints) -> set[frozenset[int]]:
    return {frozenset(edge) for edge in pairwise(tour.tolist())}


@pytest.fixture
def population() -> Iterator[RoutePopulation]:
    """A population that draws no more random individuals."""
    with ThreadPool(1) as pool:
        made = RoutePopulation(INSTANCE, pool, 1, FIRST)
        while made._to_draw:
            made.advance(Budget())
        yield made


def test_offspring_have_edges_of_both_parents(population: RoutePopulation, monkeypatch: pytest.MonkeyPatch) -> None:
    offspring: list[Ints] = []
    split = LocalSearch.split

    def noted(self: LocalSearch, tour: Ints, penalties: Penalties) -> Ints:
        offspring.append(tour.copy())
        return split(self, tour, penalties)

    monkeypatch.setattr(LocalSearch, "split", noted)
    rng = np.random.default_rng(1)
    one, other = (1 + rng.permutation(PROBLEM.n - 1).astype(np.int32) for _ in range(2))
    parents = tuple(replace(population.feasible.individuals[0], tour=tour) for tour in (one, other))
    monkeypatch.setattr(population, "_parents", lambda: parents)
    for _ in range(4):
        population.advance(Budget())
    assert len(offspring) == 32
    inherited = np.array([[len(edges(tour) & edges(parent)) for parent in (one, other)] for tour in offspring])
    assert (inherited.mean(axis=0) > PROBLEM.n / 5).all()


def test_parents_win_tournaments_by_their_fitness(population: RoutePopulation) -> None:
    population.advance(Budget())
    tours = {one.tour.tobytes(): rank for rank, one in enumerate(population._ranked)}
    drawn = Counter(tours[population._parent().tour.tobytes()] for _ in range(4000))
    order = np.argsort(population._fitness, kind="stable")
    half = len(order) // 2
    fitter = sum(drawn[int(number)] for number in order[:half])
    assert fitter / 4000 == pytest.approx(0.75, abs=0.04), "one of two is in the fitter half"


def test_offspring_are_better_than_the_best_of_the_first_individuals(population: RoutePopulation) -> None:
    before = population.lowest
    while population.iterations < 400 * PROBLEM.n:
        population.advance(Budget())
    assert population.lowest < before


def test_penalties_follow_the_share_of_feasible_local_optima() -> None:
    for penalty, excess, expected in (1.0, -0.2, 1.2), (1.0, 0.8, 0.85), (1.0, 0.0, 1.0):
        assert _adapted(penalty, excess, 1.0, 1.2) == pytest.approx(expected)
    assert _adapted(MAX_PENALTY, -0.2, 1.0, 1.2) == MAX_PENALTY
    assert _adapted(MIN_PENALTY, 0.8, 1.0, 1.2) == MIN_PENALTY


def test_penalties_fall_while_most_local_optima_are_feasible(population: RoutePopulation) -> None:
    first = population._first_penalties.load
    before = population.penalties.load
    while len(population._fits) < MEMORY - 8:
        population.advance(Budget())
    assert np.mean([fit[0] for fit in population._fits]) > 0.3
    population.advance(Budget())
    assert population.penalties.load == pytest.approx(0.85 * before) != first


Descents = list[tuple[Penalties, bool, list[RouteIndividual]]]


@pytest.fixture
def descents(monkeypatch: pytest.MonkeyPatch) -> Descents:
    """The penalties of every descent, whether an infeasible end was to be repaired, and what it gave."""
    noted: Descents = []
    descended = RoutePopulation._descended

    def note(
        self: RoutePopulation, searches: LocalSearch, giant: Ints, stream: int, penalties: Penalties, *, repair: bool
    ) -> list[RouteIndividual]:
        found = descended(self, searches, giant, stream, penalties, repair=repair)
        noted.append((penalties, repair, found))
        return found

    monkeypatch.setattr(RoutePopulation, "_descended", note)
    return noted


def test_half_of_the_infeasible_local_optima_are_repaired(population: RoutePopulation, descents: Descents) -> None:
    descents.clear()
    while len(descents) < 400:
        population.advance(Budget())
    assert np.mean([repair for _, repair, _ in descents]) == pytest.approx(REPAIRED, abs=0.1)
    infeasible = [found for _, repair, found in descents if repair and not found[0].penalized.feasible]
    assert len(infeasible) > 15
    repaired = [found[1].penalized for found in infeasible if len(found) > 1]
    assert repaired and all(routes.feasible for routes in repaired)
    assert all(len(found) == 1 for _, repair, found in descents if not repair)


def test_penalties_adapt_to_the_offspring_of_few_customers_that_meet_them(descents: Descents) -> None:
    """The others descend at ten to a thousand times the penalties."""
    routes = population_of(wt.generate("vrp", 31, 1))
    while len(descents) < MEMORY:
        routes.advance(Budget())
    factors = Counter(round(penalties.load / routes.penalties.load) for penalties, _, _ in descents)
    assert sorted(factors) == [1, 10, 100, 1000] and min(factors.values()) > MEMORY / 10
    assert len(routes._fits) == factors[1]


def test_a_population_that_stagnates_begins_anew(population: RoutePopulation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hybrid_genetic, "PATIENCE", 40)
    lowest, best = population.lowest, population.best().copy()
    for _ in range(200):
        population.advance(Budget())
        if population._to_draw:
            break
    assert population._to_draw > 0
    assert population.lowest <= lowest
    assert INSTANCE.cost(population.best()) == population.lowest or (population.best() == best).all()
    assert len(population.feasible.individuals) + len(population.infeasible.individuals) == 0


def population_of(problem: wt.VRP) -> RoutePopulation:
    instance = RouteInstance.of(problem, 20)
    return RoutePopulation(instance, ThreadPool(1), 1, instance.enter(savings(problem)))


def bins(demand: int) -> wt.VRP:
    """Return three customers and two vehicles for 6 in all, which the demands exceed in no sum but in any packing."""
    points = [[0, 0], [3, 4], [-3, 4], [0, -5]]
    return wt.VRP.from_points(points, demands=[0, demand, demand, demand], capacity=3, vehicles=2)


def test_nothing_is_settled_before_a_generation_of_feasible_routes_has_competed() -> None:
    problem = wt.generate("vrp", 31, 1)
    search, routes = Search(problem, Iterations(10**6)), population_of(problem)
    unsettled = []
    for _ in range(12):
        routes.advance(Budget())
        search.iterations = routes.iterations
        routes.tell(search)
        unsettled.append(search.state.unsettled_iterations == search.iterations)
        assert unsettled[-1] == (len(routes.feasible.individuals) < MIN_SIZE)
    assert unsettled[0] and not unsettled[-1]


def test_where_no_feasible_routes_are_found_nothing_is_settled() -> None:
    search, routes = Search(bins(2), Iterations(10**6)), population_of(bins(2))
    for _ in range(100):
        routes.advance(Budget())
        search.iterations = routes.iterations
        routes.tell(search)
        assert search.state.unsettled_iterations == search.iterations


@pytest.mark.parametrize(("demand", "factor"), [(2, RISE), (1, 0.85)])
def test_penalties_rise_fast_until_there_are_feasible_routes(demand: int, factor: float) -> None:
    routes = population_of(bins(demand))
    first = routes.penalties.load
    while routes.penalties.load == first:
        routes.advance(Budget())
        assert routes.iterations < 3 * 10 * MEMORY  # one in four of these few customers' offspring adapts them
    assert np.isclose(routes.penalties.load, factor * first)
