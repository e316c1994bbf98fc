"""Few cities and customers have the optimum as their answer, by comparison with every permutation."""

from dataclasses import replace
from functools import partial
from itertools import permutations, product

import numpy as np
import pytest

import warptour as wt
from fleet_problems import fleet_problem
from shipment_problems import cheapest_plan, shipment_problem
from small_problems import cheapest_routes as brute_force
from small_problems import described, shortest_tour, small_road_vrp, small_vrp
from timed_problems import cheapest as judged_best
from timed_problems import timed_problem
from warptour.model.errors import InfeasibleError, InputError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.routes.engine.mixed_subsets import cheapest_mixed, most_mixed_customers
from warptour.routes.engine.subsets import cheapest_routes, most_customers
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.strategies import exact
from warptour.strategies.exact import HeldKarp, is_tiny, shortest
from warptour.strategies.fallback import first_solution

LARGEST = 6
"""Cities of a random problem."""


def random_problem(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, LARGEST + 1))
    options = {"open": bool(rng.integers(2))}
    if options["open"] and n > 1:
        first, last = rng.permutation(n)[:2].tolist()
        options |= {"first": first} if rng.integers(2) else {}
        options |= {"last": last} if rng.integers(2) else {}
    edges = [rng.permutation(n)[:2] for _ in range(int(rng.integers(0, 4)))] if n > 2 else []
    return TSP("r", METRICS["EUC_2D"], rng.integers(0, 20, (n, 2)), fixed_edges=edges or np.empty((0, 2)), **options)


def is_accepted(seed):
    """Whether the random fixed edges fit together, so that there is a problem with this seed."""
    try:
        random_problem(seed)
    except InputError:
        return False
    return True


SEEDS = [seed for seed in range(200) if is_accepted(seed)]


def test_the_seeds_bring_up_every_kind_of_problem():
    problems = [random_problem(seed) for seed in SEEDS]
    kinds = {(p.open, p.first is not None, p.last is not None, len(p.fixed_edges) > 0) for p in problems}
    assert len(SEEDS) >= 150
    closed, paths = product([False], [False], [False], [False, True]), product([True], *[[False, True]] * 3)
    assert kinds == {*closed, *paths}


def test_no_permutation_is_shorter():
    for seed in SEEDS:
        problem = random_problem(seed)
        report = problem.check(shortest(problem))
        assert report.feasible and report.cost == problem.cost(shortest_tour(problem)), seed


def test_the_fallback_is_feasible():
    for seed in SEEDS:
        problem = random_problem(seed)
        assert problem.check(first_solution(problem)).feasible, seed


def test_nine_cities_are_tiny_and_ten_are_not():
    points = np.random.default_rng(0).random((10, 2))
    assert is_tiny(TSP("p", METRICS["EUCLIDEAN"], points[:9]))
    ten = TSP("p", METRICS["EUCLIDEAN"], points)
    assert not is_tiny(ten) and "not for 10" in HeldKarp().refuses(ten)


def solved(problem: VRP) -> Search:
    search = Search(problem, Iterations(1))
    HeldKarp().run(search)
    return search


@pytest.mark.parametrize("n", [1, 2])
def test_vehicles_with_at_most_one_customer(n):
    problem = VRP("v", METRICS["EUC_2D"], np.array([[0, 0], [3, 4]])[:n], demands=np.array([0, 1])[:n], capacity=1)
    assert solved(problem).cost == (0, 10)[n - 1]


@pytest.mark.parametrize("make", [small_vrp, small_road_vrp], ids=lambda make: make.__name__)
def test_no_routes_are_cheaper_whatever_the_limits(make, examples):
    """Also that there are routes if and only if brute force finds some."""
    kinds = set()
    for seed in range(25 * examples):
        problem = make(seed, 1, 5)
        best = brute_force(problem)
        kinds.add((best is None, problem.vehicles is None, len(problem.limits), problem.directed))
        routes = cheapest_routes(problem)
        assert (routes is None) == (best is None), described(problem)
        if routes is not None:
            report = problem.check(routes)
            assert report.feasible and report.cost == pytest.approx(problem.cost(best), rel=1e-12), described(problem)
    assert len(kinds) >= 6


def test_distances_may_be_negative(examples):
    for seed in range(examples):
        distances = np.random.default_rng(seed).integers(-20, 20, (6, 6))
        problem = wt.VRP.from_matrix(distances, demands=[0, 1, 1, 1, 1, 1], capacity=3, max_distance=30)
        best = brute_force(problem)
        if best is not None:
            assert solved(problem).cost == problem.cost(best)


def test_distances_that_violate_the_triangle_inequality_are_solved_within_their_limit():
    """The search returned 9954 with every seed."""
    rows = [
        [0, 1243, 2254, 2205, 443], [1243, 0, 3556, 1445, 1402], [2254, 3556, 0, 1715, 361],
        [2205, 1445, 1715, 0, 648], [443, 1402, 361, 648, 0],
    ]  # fmt: skip
    result = wt.solve(wt.VRP.from_matrix(rows, demands=[0, 1, 1, 1, 1], capacity=4, max_distance=4508))
    assert result.cost == 8287 and result.optimal and result.ended == "optimal"


@pytest.mark.parametrize("released", [False, True])
def test_no_routes_are_cheaper_whatever_the_times(released, examples):
    """Also that there are routes if and only if the judge, who looks at all departures, finds some."""
    kinds = set()
    for seed in [*range(10 * examples), 931]:  # 931: best if back as the depot closes
        problem = timed_problem(seed, 1 + seed % 4, released=released)
        if most_customers(problem) == 0:
            continue
        best, routes = judged_best(problem), cheapest_routes(problem)
        assert (routes is None) == (best == np.inf), seed
        if routes is not None:
            report = problem.check(routes)
            assert report.feasible and report.cost == pytest.approx(best, rel=1e-12), seed
        kinds.add((most_customers(problem), problem.open, routes is None, problem.windows.several))
    assert len(kinds) >= (8 if released else 12)


def test_few_customers_whose_windows_exclude_each_other_are_named_infeasible():
    points = [[0, 0], [10, 0], [0, 10]]
    late = wt.VRP.from_points(points, demands=[0, 1, 1], capacity=2, vehicles=1, windows=[None, (10, 12), (10, 12)])
    for problem in (late, replace(late, max_duration=100.0), replace(late, hour_cost=1.0)):
        with pytest.raises(InfeasibleError, match="all ways to serve them were tried"):
            wt.solve(problem)
    result = wt.solve(replace(late, late_cost=1.0))
    assert result.optimal and result.cost == pytest.approx(20 + 200**0.5 + min(10 + 200**0.5 - 12, 100))


def test_open_routes_are_exact_and_may_end_after_the_depot_closes():
    options = {"demands": [0, 1, 1], "capacity": 2, "open": True}
    points = [[0, 0], [10, 0], [20, 0]]
    assert wt.solve(wt.VRP.from_points(points, **options)).optimal
    late = wt.VRP.from_points(points, windows=[(0, 50), (60, 70), None], **options)
    for strategy in (None, "routes"):
        result = wt.solve(late, strategy, iterations=100)
        assert [route.tolist() for route in result.routes] == [[1, 2]] and result.cost == 20


@pytest.mark.parametrize("vehicles", [None, 2])
def test_fewest_routes_come_before_the_cost(vehicles):
    rows = [[0, 1, 1, 1], [1, 0, 50, 50], [1, 50, 0, 50], [1, 50, 50, 0]]
    options = {"demands": [0, 1, 1, 1], "capacity": 3, "minimize": "vehicles", "vehicles": vehicles}
    result = wt.solve(wt.VRP.from_matrix(rows, **options))
    assert len(result.routes) == 1 and result.cost == 102 and result.optimal


@pytest.mark.parametrize("make", [fleet_problem, shipment_problem], ids=lambda make: make.__name__)
def test_no_routes_of_a_fleet_are_cheaper_whatever_is_asked_of_it(make, examples):
    """Also that there are routes if and only if a plain walk along all orders of all vehicles finds some."""
    kinds = set()
    for seed in range(3 * examples):
        problem = make(seed, 1 + seed % 4) if make is fleet_problem else make(seed, apart=seed % 2 == 0)
        best, routes = cheapest_plan(problem), cheapest_mixed(problem)
        assert (routes is None) == (best == np.inf), seed
        if routes is not None:
            report = problem.check(routes)
            assert report.feasible and report.cost == pytest.approx(best, rel=1e-12, abs=1e-9), seed
        several = len(problem.fleet.types) > 1
        kinds.add((most_mixed_customers(problem), problem.optional, several, routes is None))
    assert len(kinds) >= 6


def test_an_open_route_is_done_before_the_shift_ends() -> None:
    problem = fleet_problem(13, 4)
    assert cheapest_plan(problem) == np.inf and cheapest_mixed(problem) is None


def test_vehicles_that_are_alike_are_exact_with_prizes_and_bonds():
    points = [[0, 0], [10, 0], [20, 0], [0, 5], [0, -5]]
    options = {"demands": [0, 1, 1, 1, 1], "capacity": 4}
    problem = replace(wt.VRP.from_points(points, **options), prizes=np.array([0, 1, 19, 30, 30.0]))
    assert wt.solve(problem).cost == 20 + 20 and wt.solve(problem).ended == "optimal"
    near = replace(problem, prizes=np.array([0, 1, 45, 30, 30.0]))
    assert sum(len(route) for route in wt.solve(near).routes) == 4
    apart = wt.solve(replace(near, apart=((3, 4),)))
    assert all(len({3, 4} & {*route.tolist()}) == 1 for route in apart.routes) and apart.ended == "optimal"
    together = wt.solve(replace(problem, together=((1, 2),)))
    assert together.cost == 20 + 20 and together.optimal
    few = wt.solve(replace(problem, prizes=None, most_stops=2, fewest=True))
    assert sorted(len(route) for route in few.routes) == [2, 2] and few.optimal


def test_small_fleets_are_tiny_unless_their_routes_are_balanced():
    """Up to 12 customers where one of two partial routes is better, up to 9 where all orders are walked along."""
    for n, options in ((12, {}), (9, {"hour_cost": 1.0})):
        for customers in (n, n + 1):
            problem = replace(in_time(customers, **options), most_stops=4)
            assert is_tiny(problem) == (customers == n)
    even = replace(in_time(5), balance="stops", vehicles=2)
    assert not is_tiny(even)
    assert not is_tiny(replace(in_time(5), fewest=True, prizes=np.ones(6)))


def detour(hours: float) -> VRP:
    """Customer 1 is within reach by way of customer 2 only."""
    durations = [[0, 1400, 400], [1400, 0, 300], [400, 300, 0]]
    distances = [[0, 1, 2], [1, 0, 9], [2, 9, 0]]
    return wt.VRP.from_matrix(distances, demands=[0, 1, 1], capacity=2, durations=durations, max_hours=hours)


def test_a_customer_whose_direct_trip_takes_too_long_is_served_by_way_of_another():
    result = wt.solve(detour(2240 / 3600))
    assert [route.tolist() for route in result.routes] in ([[2, 1]], [[1, 2]]) and result.optimal
    with pytest.raises(InfeasibleError, match="keep all limits"):
        wt.solve(detour(2090 / 3600))


def limited(n: int, seed: int = 1) -> VRP:
    """Return random distances, and a limit on durations that are long where these are short."""
    distances = np.random.default_rng(seed).integers(1, 1000, (n + 1, n + 1))
    demands = [0] + [1] * n
    return wt.VRP.from_matrix(distances, demands=demands, capacity=n, durations=1000 - distances, max_hours=0.9)


def test_partial_routes_that_are_quicker_are_kept_beside_cheaper_ones(examples):
    """One vehicle serves all in a time that the cheapest order exceeds."""
    differ = 0
    for seed in range(examples):
        rng = np.random.default_rng(seed)
        distances = rng.integers(1, 1000, (6, 6))
        durations = 1000 - distances + rng.integers(0, 200, (6, 6))
        orders = np.array([(0, *order, 0) for order in permutations(range(1, 6))])
        cost, used = (table[orders[:, :-1], orders[:, 1:]].sum(axis=1) for table in (distances, durations))
        most = int(np.quantile(used, 0.2))
        problem = wt.VRP.from_matrix(
            distances, demands=[0, 1, 1, 1, 1, 1], capacity=5, vehicles=1, durations=durations, max_hours=most / 3600
        )
        best = cost[used <= most].min()
        differ += best > cost.min()
        assert solved(problem).cost == best
    assert differ > examples / 2


def test_nine_customers_have_room_for_all_their_partial_routes():
    assert cheapest_routes(limited(9)) is not None


def test_where_there_are_too_many_partial_routes_a_search_follows(monkeypatch):
    monkeypatch.setattr(exact, "cheapest_routes", partial(cheapest_routes, room=100))
    result = wt.solve(limited(8), seconds=0.2)
    assert result.lower_bound is None and not result.optimal and result.ended == "time"


def test_fifteen_customers_are_tiny_and_twelve_if_a_limit_counts_other_travel():
    for n, tiny in ((15, True), (16, False)):
        assert is_tiny(wt.generate("vrp", n + 1, 1)) == tiny
    for n, tiny in ((12, True), (13, False)):
        assert is_tiny(limited(n)) == tiny
        assert is_tiny(in_time(n)) == tiny


def in_time(n: int, **options) -> VRP:
    """Return customers with windows of a tenth of the day."""
    rng = np.random.default_rng(n)
    opens = rng.integers(0, 900, n + 1).tolist()
    windows = [(0, 2000)] + [(t, t + 100) for t in opens[1:]]
    points = rng.integers(0, 100, (n + 1, 2))
    return wt.VRP.from_points(points, demands=[0] + [1] * n, capacity=n, windows=windows, **options)


def test_nine_customers_are_tiny_where_durations_or_lateness_count():
    for options in ({"hour_cost": 1}, {"late_cost": 1}, {"max_wait_minutes": 100}):
        assert is_tiny(in_time(9, **options)) and not is_tiny(in_time(10, **options))
        result = wt.solve(in_time(9, **options))
        searched = wt.solve(in_time(9, **options), "routes", iterations=3000, threads=1)
        assert result.optimal and result.cost == pytest.approx(searched.cost)


def test_a_strategy_that_is_asked_for_searches_few_customers():
    problem = wt.generate("vrp", 9, 1)
    assert wt.solve(problem).strategy == "exact"
    assert wt.solve(problem, "routes", iterations=100).strategy == "routes"
