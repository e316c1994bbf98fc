"""The population of routes: parents are chosen for their fitness, offspring have edges of both, penalties adapt.

And when its answer may be final, and how it comes to feasible routes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

import warptour as wt
from warptour.io.generate import generate
from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.local_search import RANDOM, Births, LocalSearch, PenalizedRoutes, Penalties
from warptour.routes.engine.subpopulation import MIN_SIZE, ROOM
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
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget

PROBLEM = generate("vrp", 60, 1)
assert isinstance(PROBLEM, VRP)
INSTANCE = RouteInstance.of(PROBLEM, 20)
FIRST = INSTANCE.enter(savings(PROBLEM))


def edges(tour: Ints) -> set[frozenset[int]]:
    return {frozenset(edge) for edge in pairwise(tour.tolist()) if 0 not in edge}


@pytest.fixture
def population() -> Iterator[RoutePopulation]:
    """A population that draws no more random individuals."""
    with ThreadPool(1) as pool:
        made = RoutePopulation(INSTANCE, pool, 1, FIRST)
        while made._to_draw:
            made.advance(Budget())
        yield made


def test_offspring_have_edges_of_both_parents() -> None:
    problem = vehicles(201)
    search = LocalSearch(RouteInstance.of(problem, 20), 20, 60)

    def optima(parents: list[list[int]], pool: PenalizedRoutes) -> PenalizedRoutes:
        births = Births.of(np.array(parents, np.int32), np.ones(len(parents)), np.zeros(len(parents), bool), problem.n)
        search.breed(births, pool, Penalties(9.0, 1.0), seed=1, born=1)
        return births.found

    grown = optima([[RANDOM, RANDOM]] * 2, PenalizedRoutes.room(1, problem.n))
    children = optima([[0, 2]] * 40, grown)
    one, other = edges(grown.giant(0)), edges(grown.giant(2))
    for own in one - other, other - one:
        inherited = np.mean([len(edges(children.giant(row)) & own) for row in range(0, 80, 2)])
        assert inherited > len(own) / 4


def test_threads_share_the_births_and_each_child_depends_on_its_number_alone(population: RoutePopulation) -> None:
    def bred(threads: int) -> PenalizedRoutes:
        parents = np.array([[k % 5, 5 + k % 7] for k in range(24)], np.int32)
        births = Births.of(parents, np.ones(24), np.ones(24, np.bool_), PROBLEM.n)
        searches = [LocalSearch(INSTANCE, 20, 30) for _ in range(threads)]
        with ThreadPool(threads) as pool:
            pool.map(
                lambda k: searches[k].breed(births, individuals, Penalties(9.0, 1.0), seed=3, born=8), range(threads)
            )
        assert births.begun[0] == 24 + threads
        return births.found

    individuals = population._individuals
    alone, together = bred(1), bred(3)
    assert (alone.sizes == together.sizes).all() and (alone.costs == together.costs).all()
    assert all((alone.giant(k) == together.giant(k)).all() for k in range(48))


def test_parents_win_tournaments_by_their_fitness(population: RoutePopulation) -> None:
    parents = population._parents(2000).ravel()
    fitness = np.concatenate((population.feasible.fitness, population.infeasible.fitness))
    rows = np.concatenate((np.arange(len(population.feasible)), ROOM + np.arange(len(population.infeasible))))
    fitter = rows[np.argsort(fitness, kind="stable")[: len(rows) // 2]]
    assert np.isin(parents, rows).all()
    assert np.isin(parents, fitter).mean() == pytest.approx(0.75, abs=0.04), "one of two is in the fitter half"


def test_a_young_population_draws_random_orders() -> None:
    with ThreadPool(1) as pool:
        made = RoutePopulation(INSTANCE, pool, 1, FIRST)
        assert (made._parents(4) == RANDOM).all()
        made._to_draw = 1
        assert (made._parents(2)[1] != RANDOM).all()


def test_offspring_are_better_than_the_best_of_the_first_individuals() -> None:
    routes = population_of(vehicles(121))
    while routes._to_draw:
        routes.advance(Budget())
    before, then = routes.lowest, routes.iterations
    while routes.iterations < then + 400 * 120:
        routes.advance(Budget())
    assert routes.lowest < before


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


@pytest.fixture
def born(monkeypatch: pytest.MonkeyPatch) -> list[Births]:
    """The births of every step."""
    noted: list[Births] = []
    breed = LocalSearch.breed

    def note(self: LocalSearch, births: Births, *rest: object, **options: int) -> None:
        breed(self, births, *rest, **options)  # type: ignore[arg-type]
        noted.append(births)

    monkeypatch.setattr(LocalSearch, "breed", note)
    return noted


def test_half_of_the_infeasible_local_optima_are_repaired(population: RoutePopulation, born: list[Births]) -> None:
    born.clear()
    while sum(len(births.parents) for births in born) < 400:
        population.advance(Budget())
    repaired = np.concatenate([births.repairs for births in born]).astype(bool)
    feasible = np.concatenate([births.found.feasible for births in born])
    assert repaired.mean() == pytest.approx(REPAIRED, abs=0.1)
    infeasible = repaired & ~feasible[::2]
    assert infeasible.sum() > 15
    assert feasible[1::2][infeasible].any()
    assert not feasible[1::2][~infeasible].any()


def test_penalties_adapt_to_the_offspring_of_few_customers_that_meet_them(born: list[Births]) -> None:
    """The others descend at ten to a thousand times the penalties."""
    routes = population_of(vehicles(31))
    while sum(len(births.parents) for births in born) < MEMORY:
        routes.advance(Budget())
    factors = Counter(np.concatenate([births.factors for births in born]).tolist())
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
    assert len(population.feasible) + len(population.infeasible) == 0


def vehicles(nodes: int) -> wt.VRP:
    problem = wt.generate("vrp", nodes, 1)
    assert isinstance(problem, wt.VRP)
    return problem


def population_of(problem: wt.VRP) -> RoutePopulation:
    instance = RouteInstance.of(problem, 20)
    return RoutePopulation(instance, ThreadPool(1), 1, instance.enter(savings(problem)))


def bins(demand: int) -> wt.VRP:
    """Return three customers and two vehicles for 6 in all, which the demands exceed in no sum but in any packing."""
    points = [[0, 0], [3, 4], [-3, 4], [0, -5]]
    return wt.VRP.from_points(points, demands=[0, demand, demand, demand], capacity=3, vehicles=2)


def test_nothing_is_settled_before_a_generation_of_feasible_routes_has_competed() -> None:
    problem = vehicles(31)
    search, routes = Search(problem, Iterations(10**6)), population_of(problem)
    unsettled = []
    for _ in range(12):
        routes.advance(Budget())
        search.iterations = routes.iterations
        routes.tell(search)
        unsettled.append(search.state.unsettled_iterations == search.iterations)
        assert unsettled[-1] == (len(routes.feasible) < MIN_SIZE)
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
