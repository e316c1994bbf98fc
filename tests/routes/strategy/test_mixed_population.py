"""What populations find where vehicles differ or customers may stay out costs what the checker says, and is best."""

from __future__ import annotations

import numpy as np
import pytest

import warptour as wt
from bred_fleets import TYPES, bred_fleet
from warptour.model.fleet import Alternatives, Fleet, VehicleType
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import RouteState
from warptour.routes.strategy.hybrid_genetic import RoutePopulation
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget


def population_of(problem: VRP, threads: int = 1) -> RoutePopulation:
    """Return a population whose first individual has customers inserted one by one."""
    instance = RouteInstance.of(problem, 20)
    customers = instance.problem.customers
    state = RouteState(instance, np.empty(0, np.int32), len(customers))
    state.insert(customers, larger=False, eager=problem.optional)
    return RoutePopulation(instance, ThreadPool(threads), 1, state.giant_tour())


def stops(customers: int, types: list[VehicleType], *, depots: int = 1, prizes: bool = False) -> VRP:
    rng = np.random.default_rng(customers)
    n = customers + depots
    demands = np.r_[np.zeros(depots, int), rng.integers(1, 20, customers)]
    plain = VRP.from_points(rng.integers(0, 100, (n, 2)), metric="EUC_2D", demands=demands, capacity=60)
    return plain.part(
        np.arange(n), depots=tuple(range(depots)), fleet=Fleet(tuple(types)),
        prizes=rng.integers(5, 60, n).astype(float) if prizes else None,
    )  # fmt: skip


SMALL = VehicleType(capacities=(40,), fixed_cost=30)
LARGE = VehicleType(capacities=(90,), fixed_cost=55, distance_cost=2)
AWAY = VehicleType(count=4, capacities=(60,), start=1, end=1)


@pytest.mark.parametrize(
    "problem",
    [
        stops(60, [SMALL, LARGE]),
        stops(60, [AWAY, VehicleType(count=9, capacities=(60,))], depots=2),
        stops(60, [SMALL], prizes=True),
    ],
    ids=["sizes", "depots", "prizes"],
)
@pytest.mark.sanitize_quick
def test_offspring_are_better_than_the_first_individual_and_cost_what_the_checker_says(problem: VRP) -> None:
    routes = population_of(problem)
    instance = routes.instance
    first = instance.cost(routes.best())
    for _ in range(40):
        routes.advance(Budget())
    assert routes.lowest < first
    found = instance.leave(routes.best())
    report = problem.check(found)
    assert not report.violations
    assert instance.kinds is not None
    assert report.cost == pytest.approx(routes.lowest * instance.kinds.unit, rel=1e-12)
    for giant in (routes.feasible.individuals.giant(k) for k in range(len(routes.feasible))):
        assert not instance.problem.check(instance.routes(instance.decoded(giant))).violations


@pytest.mark.parametrize("prizes", [False, True])
@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("types", TYPES)
def test_few_customers_are_planned_best(types: str, windows: bool, prizes: bool) -> None:
    """Beside the exact solver, which tests hold to brute force."""
    settled = 0
    for seed in range(3):
        problem = bred_fleet(types, seed, prizes=prizes, windows=windows, directed=seed == 2, customers=6)
        try:
            best = wt.solve(problem, iterations=10, threads=1).cost
        except (wt.InfeasibleError, wt.NothingFound):
            continue
        routes = population_of(problem)
        assert routes.instance.kinds is not None
        while routes.iterations < 12_000:
            routes.advance(Budget())
        assert routes.lowest * routes.instance.kinds.unit == pytest.approx(best, rel=1e-9)
        settled += 1
    assert settled > 0


def test_where_nobody_is_worth_serving_nobody_is_served() -> None:
    problem = stops(5, [SMALL, LARGE], prizes=True)
    problem = problem.part(np.arange(6), prizes=np.full(6, 0.5))
    result = wt.solve(problem, wt.RouteImprovement(), iterations=5000, threads=1)
    assert result.cost == 2.5 and not any(map(len, result.routes))


@pytest.mark.threads
def test_threads_do_not_change_the_routes() -> None:
    """Steps of eight offspring, whichever thread makes which."""

    def found(threads: int) -> tuple[float, list[int]]:
        routes = population_of(stops(40, [SMALL, LARGE], prizes=True), threads)
        while routes.iterations < 40 * 400:
            routes.advance(Budget(iterations=40 * 8))
        return routes.lowest, routes.best().tolist()

    assert found(1) == found(3)


@pytest.mark.parametrize(
    ("customers", "depots", "windows", "share"),
    [
        (5, 2, True, 0.5),
        (40, 1, False, 0),
        (40, 2, False, 0),
        (40, 2, True, 0.25),
        (90, 1, False, 0),
        (90, 2, False, 1),
    ],
)
def test_the_share_of_annealing(customers: int, depots: int, windows: bool, share: float) -> None:
    problem = stops(customers, [SMALL] if depots == 1 else [SMALL, AWAY], depots=depots)
    if windows:
        problem = problem.part(np.arange(problem.n), windows=TimeWindows.of([(0, 900)] * problem.n, problem.n))
    strategy = wt.RouteImprovement(max_genetic_customers=60, min_ruin_customers=100)
    assert strategy.share_with_kinds(RouteInstance.of(problem, 10), 1e9) == share
    assert wt.RouteImprovement(max_genetic_customers=0, min_ruin_customers=20).share_with_kinds(
        RouteInstance.of(problem, 10), 1e9
    ) == (0.5 if customers < 9 else 1)


def test_what_the_population_does_not_know_is_left_to_ruin_and_recreate() -> None:
    def share(**options: object) -> float:
        instance = RouteInstance.of(stops(20, [SMALL, LARGE]).part(np.arange(21), **options), 10)
        return wt.RouteImprovement().share_with_kinds(instance, 1e6)

    assert share() == 0
    for options in (
        {"alternatives": (Alternatives((1, 2)),)}, {"together": ((1, 2),)}, {"apart": ((1, 2),)},
        {"fleet": Fleet((VehicleType(capacities=(90,), end=None),))},
        {"fleet": Fleet((VehicleType(capacities=(90,), hour_cost=1),))},
        {"fleet": Fleet((VehicleType(capacities=(90,), max_stops=4),))},
        {"fleet": Fleet((SMALL, LARGE), allowed=np.arange(42).reshape(21, 2) > 0)},
    ):  # fmt: skip
        assert share(**options) == 1, options
