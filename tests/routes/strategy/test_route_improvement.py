"""Routes keep the rules, the same for the same seed, whatever the instance looks like."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

from clocks import SteppedSearch
from run_strategy import searched
from warptour.model.infeasibility import prove_infeasible
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.observe.events import Improved
from warptour.routes.starts.curve_routes import curve_routes
from warptour.routes.starts.savings import savings
from warptour.routes.strategy import route_improvement as strategy_module
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.search.search import Search
from warptour.search.stop import Iterations, NoImprovement, Seconds
from warptour.strategies.fallback import run_in_time


def stops(n: int, capacity: float = 40, **options: object) -> VRP:
    rng = np.random.default_rng(n)
    demands = np.asarray(options.pop("demands", rng.integers(1, 10, n)))
    demands[0] = 0
    metric = METRICS[str(options.pop("metric", "EUC_2D"))]
    points = np.asarray(options.pop("points", rng.integers(0, 1000, (n, 2)).astype(float)))
    return VRP("stops", metric, points, demands=demands, capacity=capacity, **options)


CROSSED = RouteImprovement(max_genetic_customers=1000)
ANNEALED = RouteImprovement(max_genetic_customers=0, min_ruin_customers=0)
IN_GROUPS = RouteImprovement(
    max_genetic_customers=0, min_ruin_customers=0, max_common_customers=0, group_size=10, group_routes=2
)
IN_TURN = RouteImprovement(max_genetic_customers=0, min_ruin_customers=100, min_ruin_iterations=0)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(
    ("problem", "strategy"),
    [
        (stops(60), CROSSED),
        (stops(60), ANNEALED),
        (stops(60, capacity=120), IN_GROUPS),
        (stops(400), RouteImprovement(max_genetic_customers=0, min_ruin_customers=0, group_size=100, group_routes=2)),
        (stops(120), RouteImprovement(max_genetic_customers=60, min_ruin_customers=180, min_ruin_iterations=0)),
    ],
    ids=["crossed", "annealed", "three routes", "small groups", "one after the other"],
)
def test_seed_threads_and_iterations_decide_the_routes(problem: VRP, strategy: RouteImprovement, threads: int) -> None:
    runs = [searched(strategy, problem, Iterations(10_001), seed=7, threads=threads) for _ in range(2)]
    assert runs[0].iterations == runs[1].iterations == 10_001
    assert [route.tolist() for route in runs[0].best] == [route.tolist() for route in runs[1].best]


@pytest.mark.parametrize("strategy", [CROSSED, ANNEALED], ids=["crossed", "annealed"])
@pytest.mark.parametrize("threads", [1, 2])
def test_iterations_improve_on_savings(strategy: RouteImprovement, threads: int) -> None:
    problem = stops(200)
    start = searched(RouteImprovement(), problem, Iterations(0))
    few = searched(strategy, problem, Iterations(20_000), threads=threads)
    assert few.cost < 0.99 * start.cost


@pytest.mark.parametrize(
    ("customers", "attempts", "share"),
    [(150, 10, 0.0), (275, 1e9, 0.5), (275, np.inf, 0.5), (275, 550_000, 0.75), (275, 1000, 1.0), (400, 1e9, 1.0)],
)
def test_the_share_of_ruin_grows_with_customers_and_in_short_runs(
    customers: int, attempts: float, share: float
) -> None:
    strategy = RouteImprovement()
    assert strategy.share_by_size(customers, attempts, limited=False) == share
    assert share / 4 <= strategy.share_by_size(customers, attempts, limited=True) <= share


def test_crossing_finds_the_best_routes_of_a_few_customers() -> None:
    """Three customers a vehicle: by brute force over all ways to part nine customers."""
    problem = stops(10, demands=np.r_[0, np.ones(9, int)], capacity=3, metric="EUCLIDEAN")

    def shortest(group: tuple[int, ...]) -> float:
        return min(float(problem.route_cost(np.array(order))) for order in permutations(group))

    def least(left: tuple[int, ...]) -> float:
        if not left:
            return 0.0
        pairs = combinations(left[1:], 2)
        return min(shortest((left[0], *two)) + least(tuple(c for c in left[1:] if c not in two)) for two in pairs)

    assert searched(CROSSED, problem, Iterations(2000)).cost == pytest.approx(least(tuple(range(1, 10))))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("threads", [1, 2])
def test_few_customers_are_enough(n: int, threads: int) -> None:
    searched(RouteImprovement(), stops(n), Iterations(500), threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "problem",
    [
        stops(50, demands=np.zeros(50, int)),
        stops(50, capacity=1e6),
        stops(50, demands=np.random.default_rng(1).random(50), capacity=3.7),
        stops(50, points=np.zeros((50, 2))),
        stops(50, points=np.repeat(np.random.default_rng(1).random((10, 2)), 5, axis=0), metric="EUCLIDEAN"),
        stops(50, points=np.r_[np.zeros((20, 2)), np.random.default_rng(1).random((30, 2))], metric="EUCLIDEAN"),
        stops(50, capacity=9),
        stops(50, fixed_cost=300.5),
        stops(50, max_distance=2900.0, service_times=np.full(50, 30.0)),
        stops(50, points=np.random.default_rng(1).uniform(-60, 60, (50, 2)), metric="GREAT_CIRCLE"),
        stops(50, depot=0, vehicles=50),
    ],
    ids=(
        "no demand|one route|broken demands|one place|shared places|customers at the depot|all alone|fixed cost|limit|"
        "sphere|many vehicles"
    ).split("|"),
)
def test_odd_instances(problem: VRP, threads: int) -> None:
    for strategy in (CROSSED, ANNEALED, IN_GROUPS, IN_TURN):
        searched(strategy, problem, Iterations(2000), threads=threads)


def test_a_matrix_without_places() -> None:
    half = np.triu(np.random.default_rng(1).integers(1, 900, (300, 300)), 1)
    problem = VRP("table", METRICS["EXPLICIT"], half + half.T, demands=np.r_[0, np.ones(299, int)], capacity=20)
    start = searched(RouteImprovement(), problem, Iterations(0))
    assert searched(RouteImprovement(), problem, Iterations(20_000), threads=2).cost < start.cost


@pytest.mark.parametrize("strategy", [CROSSED, ANNEALED], ids=["crossed", "annealed"])
@pytest.mark.parametrize("threads", [1, 2])
def test_as_few_vehicles_as_can_be(threads: int, strategy: RouteImprovement) -> None:
    demands = np.random.default_rng(5).integers(10, 60, 80)
    demands[0] = 0
    vehicles = -(-int(demands.sum()) // 100)
    problem = stops(80, demands=demands, capacity=100, vehicles=vehicles)
    runs = [searched(strategy, problem, Iterations(60_000), threads=threads) for _ in range(2)]
    assert len(runs[0].best) <= vehicles
    assert runs[0].cost == runs[1].cost


@pytest.mark.parametrize("common", [0, 100])
def test_a_limit_on_vehicles_holds_in_every_group(common: int) -> None:
    free = searched(RouteImprovement(), stops(90), Iterations(3000))
    problem = stops(90, vehicles=len(free.best))
    searched(
        RouteImprovement(
            max_genetic_customers=0, min_ruin_customers=0, max_common_customers=common, group_size=20, group_routes=2
        ),
        problem,
        Iterations(30_000),
        threads=2,
    )


def test_too_few_vehicles_give_the_closest_miss() -> None:
    problem = stops(4, demands=np.array([0, 3, 3, 3]), capacity=5, vehicles=2)
    prove_infeasible(problem)  # 9 of 10: not proved by the sum
    search = Search(problem, Iterations(2000))
    run_in_time(RouteImprovement(), search)
    assert search.best is None
    assert search.miss is not None
    (fault,) = problem.check(search.miss).violations
    assert "carries 6, 1 over the capacity 5" in fault


def test_too_few_vehicles_for_many_customers_give_what_fits_and_more_routes() -> None:
    problem = stops(60, demands=np.r_[0, np.full(59, 3)], capacity=8, vehicles=25)
    search = Search(problem, Iterations(20_000))
    run_in_time(RouteImprovement(max_genetic_customers=0, min_ruin_customers=0), search)
    assert search.best is None
    (fault,) = problem.check(search.miss).violations
    assert fault == "30 routes, 5 more than the vehicles"


def test_a_start_is_never_made_worse() -> None:
    problem = stops(100)
    good = searched(RouteImprovement(), problem, Iterations(20_000))
    assert searched(RouteImprovement(), problem, Iterations(300), start=good.best, seed=3).cost <= good.cost


@pytest.mark.parametrize("n", [30, 3000])
def test_a_time_limit_holds(n: int) -> None:
    problem = stops(n)
    search = SteppedSearch(problem, Seconds(0.5), threads=2)
    run_in_time(RouteImprovement(), search)
    assert problem.check(search.best).feasible
    assert search.now < 0.8, "it did not end when it was told to"


def test_a_search_without_a_limit_cools_again_and_again() -> None:
    searched(RouteImprovement(), stops(30), NoImprovement(0.5))


@pytest.mark.parametrize("n", [50, 500])
def test_an_interrupt_gives_the_best_so_far(n: int) -> None:
    endless = Iterations(10**12)
    search = Search(stops(n), endless, threads=2, listeners=[lambda event: not isinstance(event, Improved)])
    run_in_time(RouteImprovement(), search)
    assert search.iterations < 10**12
    assert search.problem.check(search.best).feasible


@pytest.mark.parametrize(
    ("limit", "threads", "strategy", "worker"),
    [
        (Seconds(0.5), 2, ANNEALED, "CommonAnnealing"),
        (Seconds(0.5), 2, IN_GROUPS, "RouteGroups"),
        (Iterations(10_000), 1, ANNEALED, "CommonAnnealing"),
        (Iterations(10_000), 2, ANNEALED, "CommonAnnealing"),
        (Iterations(10_000), 2, replace(ANNEALED, group_routes=15), "RouteGroups"),
    ],
)
def test_threads_anneal_together_unless_iterations_are_limited(
    limit: Seconds | Iterations, threads: int, strategy: RouteImprovement, worker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """About 37 routes: two groups of 15 but not of 20."""
    made = []
    for name in ("CommonAnnealing", "RouteGroups"):
        kind = getattr(strategy_module, name)
        monkeypatch.setattr(strategy_module, name, lambda *these, kind=kind: made.append(kind.__name__) or kind(*these))
    monkeypatch.setattr(strategy_module, "may_combine", lambda plan: False)
    problem = stops(300)
    search = searched(strategy, problem, limit, threads=threads)
    assert made == [worker]
    assert search.cost is not None
    assert search.cost < problem.cost(savings(problem))


def test_where_routes_can_be_combined_there_are_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    kind = strategy_module.PooledAnnealing
    monkeypatch.setattr(strategy_module, "PooledAnnealing", lambda *these: made.append(these) or kind(*these))
    monkeypatch.setattr(strategy_module, "may_combine", lambda plan: True)
    assert searched(ANNEALED, stops(300), Seconds(0.5), threads=2).best is not None
    assert len(made) == 1


def test_many_customers_begin_along_a_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy_module, "MIN_CURVE_NODES", 100)
    problem, costs = stops(100), []

    def first(event: object) -> bool:
        costs.extend([event.state.cost] if isinstance(event, Improved) else [])
        return not isinstance(event, Improved)

    search = Search(problem, Iterations(1000), listeners=[first])
    run_in_time(RouteImprovement(), search)
    assert costs == [problem.cost(curve_routes(problem))]
    assert search.iterations == 0 and problem.check(search.best).feasible
