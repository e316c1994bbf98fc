"""Descents of giant tours end in local optima, keep all limits, and go on from perturbed routes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import warptour as wt
from clocks import Never, SteppedSearch
from giant_problems import random_vrp
from giant_reference import ReferenceGiant
from random_cities import cities
from run_strategy import searched
from small_problems import cheapest_routes, described, small_vrp
from warptour.cluster.crew import Crew
from warptour.cluster.links.threads import hire
from warptour.cluster.rows.rows import Rows
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.model.errors import InfeasibleError, UnsupportedError, UsageError
from warptour.model.vehicles import VRP, Routes
from warptour.observe.events import Note
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.strategy.dcvrp import GiantTourDescent
from warptour.routes.starts.savings import savings
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds, Stop
from warptour.strategies.fallback import run_in_time

BOTH = ("2-opt", "3-opt")


def stops(customers: int = 20, kind: str = "EUC_2D", seed: int = 1, **options: Any) -> VRP:
    limits = {"capacity": 30, "max_distance": 400, "vehicles": None, "fixed_cost": 0}
    return random_vrp(seed, customers, kind, **(limits | options))


def descended(strategy: GiantTourDescent, problem: VRP, stop: Stop, **options: Any) -> tuple[Search, list[str]]:
    """Return the search and what it noted."""
    notes: list[str] = []
    listeners = [lambda event: notes.append(event.text) if isinstance(event, Note) else None]
    return searched(strategy, problem, stop, listeners=listeners, **options), notes


def assert_locally_optimal(problem: VRP, routes: Routes, count: int, names: tuple[str, ...] = BOTH) -> None:
    instance = GiantInstance.of(problem, count)
    assert ReferenceGiant(instance, names).best_move(instance.enter(routes)) is None


def assert_ends_locally_optimal(
    strategy: GiantTourDescent, problem: VRP, names: tuple[str, ...], **options: Any
) -> None:
    search, notes = descended(strategy, problem, Never(), **options)
    assert_locally_optimal(problem, search.best, strategy.routes, names)
    assert f"exact scans of all moves ({', '.join(names)}) of the giant tour of {strategy.routes} routes" in notes[-1]
    assert notes[-1].startswith(" and ".join(f"{name[0]}-optimal" for name in names))


@pytest.mark.parametrize("kind", ["EUC_2D", "EUCLIDEAN", "EXPLICIT"])
@pytest.mark.parametrize("improvement", ["best", "first"])
@pytest.mark.parametrize("names", [("2-opt",), ("3-opt",), BOTH])
def test_a_descent_that_ends_by_itself_is_locally_optimal(names: tuple[str, ...], improvement: Any, kind: str) -> None:
    strategy = GiantTourDescent(names, improvement, parts=3, routes=8)
    assert_ends_locally_optimal(strategy, stops(16, kind), names)


@pytest.mark.parametrize("improvement", ["best", "first"])
def test_it_is_on_every_device(device: Device, improvement: Any) -> None:
    strategy = GiantTourDescent(improvement=improvement, parts=3, routes=8)
    assert_ends_locally_optimal(strategy, stops(16), BOTH, device=device)


@pytest.mark.parametrize("start", ["insertion", "savings", "singles"])
def test_every_start_is_improved(start: Any) -> None:
    problem = stops(25)
    first = searched(GiantTourDescent(start=start), problem, Iterations(0))
    end, _ = descended(GiantTourDescent(start=start), problem, Never())
    assert end.cost < first.cost or (start == "savings" and end.cost == first.cost)
    if start == "singles":
        assert len(first.best) == 25
        assert_locally_optimal(problem, end.best, 25)


def test_perturbations_go_on_until_the_iterations_are_over() -> None:
    problem = stops(25)
    once, _ = descended(GiantTourDescent(removed=0), problem, Iterations(300))
    often, notes = descended(GiantTourDescent(), problem, Iterations(300))
    assert once.iterations < often.iterations == 300
    assert often.cost < once.cost
    assert int(notes[-1].rpartition(" ")[2]) > 3
    assert_locally_optimal(problem, often.best, len(savings(problem)) + 2)


@pytest.mark.parametrize("threads", [1, 2])
def test_seed_and_iterations_decide_the_routes(threads: int) -> None:
    runs = [descended(GiantTourDescent(), stops(18), Iterations(60), seed=3, threads=threads)[0] for _ in range(2)]
    assert [route.tolist() for route in runs[0].best] == [route.tolist() for route in runs[1].best]


def test_scans_and_moves_are_counted() -> None:
    search, notes = descended(GiantTourDescent(routes=9), stops(20), Iterations(2))
    edges = 20 + 9
    assert search.iterations == 2
    assert search.moves == 2 * (edges * (edges - 1) // 2 + 4 * (edges * (edges - 1) * (edges - 2) // 6))
    assert notes == [], "nothing was proved"


def test_routes_beyond_the_vehicles_are_closed() -> None:
    free, _ = descended(GiantTourDescent(), stops(20), Iterations(200))
    problem = stops(20, vehicles=len(free.best))
    search = Search(problem, Iterations(200))
    run_in_time(GiantTourDescent(start="singles"), search)
    assert search.best is not None and problem.check(search.best).feasible


def test_too_few_vehicles_give_the_closest_miss() -> None:
    problem = stops(3, demands=np.array([0, 3, 3, 3]), depot=0, capacity=5, vehicles=2, max_distance=None)
    search = Search(problem, Iterations(50))
    run_in_time(GiantTourDescent(), search)
    assert search.best is None
    assert problem.check(search.miss).violations == ("3 routes, 1 more than the vehicles",)  # type: ignore[arg-type]


def test_a_fixed_cost_closes_routes() -> None:
    """Two customers on opposite sides share a vehicle once that costs more than the way between them."""
    points = np.array([(0, 0), (-10, 3), (10, 3), (10, -3), (-10, -3)], float)
    problem = VRP("sides", wt.METRICS["EUC_2D"], points, demands=np.array([0, 1, 1, 1, 1]), capacity=4)
    costly, _ = descended(GiantTourDescent(), replace(problem, fixed_cost=100), Iterations(30))
    assert len(costly.best) == 1


def test_a_start_is_never_made_worse() -> None:
    problem = stops(30)
    good, _ = descended(GiantTourDescent(), problem, Iterations(100))
    again, _ = descended(GiantTourDescent(), problem, Iterations(5), start=good.best, seed=9)
    assert again.cost <= good.cost


@pytest.mark.parametrize("customers", [0, 1, 2, 3])
def test_few_customers_are_enough(customers: int) -> None:
    descended(GiantTourDescent(), stops(customers), Iterations(10))


def test_customers_at_one_place_are_no_trouble() -> None:
    problem = stops(8)
    descended(GiantTourDescent(), replace(problem, points=np.ones((9, 2))), Iterations(20))


def test_a_limit_that_no_direct_trip_keeps_gives_the_closest_miss() -> None:
    """The way to customer 2 through customer 1 is shorter than the direct one."""
    table = np.array([[0, 1, 50], [1, 0, 1], [50, 1, 0]])
    demands = np.array([0, 1, 1])
    problem = VRP("detour", wt.METRICS["EXPLICIT"], table, demands=demands, capacity=2, max_distance=60)
    search = Search(problem, Iterations(10))
    run_in_time(GiantTourDescent(start="singles"), search)
    assert search.best is None and search.miss is not None


def test_a_time_limit_holds() -> None:
    problem = stops(60)
    search = SteppedSearch(problem, Seconds(0.5), threads=2)
    run_in_time(GiantTourDescent(), search)
    assert problem.check(search.best).feasible  # type: ignore[arg-type]
    assert search.now < 0.8, "it did not end when it was told to"


def test_an_interrupt_gives_the_best_so_far() -> None:
    problem, costs = stops(40), []

    def heard(event: object) -> bool:
        costs.append(getattr(event, "state", None))
        return len(costs) < 12

    result = wt.solve(problem, GiantTourDescent(), iterations=10**9, threads=1, device="cpu", listeners=[heard])
    assert result.feasible and result.cost == problem.cost(result.routes)  # type: ignore[arg-type]


def test_what_it_cannot_solve_is_refused_in_a_sentence() -> None:
    with pytest.raises(UnsupportedError, match=r"^dcvrp is for vehicles; one tour needs windows"):
        wt.solve(cities(20), "dcvrp", iterations=1)
    assert "20000 nodes" in (GiantTourDescent().refuses(stops(20_000)) or "")
    with pytest.raises(UsageError, match="20 routes do not fit into a giant tour of 3"):
        wt.solve(stops(20), GiantTourDescent(start="singles", routes=3), iterations=1, device="cpu")
    for wrong in ({"improvement": "worst"}, {"start": "greedy"}, {"neighborhoods": ("or-opt",)}):
        with pytest.raises(UsageError):
            GiantTourDescent(**wrong)  # type: ignore[arg-type]


def test_it_has_a_name() -> None:
    chosen = wt.solve(stops(20), "dcvrp", iterations=20, device="cpu")
    assert chosen.strategy == "dcvrp" and chosen.feasible and chosen.iterations == 20


def test_routes_of_any_metric_keep_their_limits_and_none_are_cheaper_than_the_cheapest(examples: int) -> None:
    solved = 0
    for seed in range(2 * examples):
        problem = small_vrp(seed, 1, 5)
        best = cheapest_routes(problem)
        try:
            result = wt.solve(problem, "dcvrp", iterations=30, seed=seed, threads=1, device="cpu")
        except (InfeasibleError, wt.NothingFound):
            continue
        report = problem.check(result.routes)  # type: ignore[arg-type]
        assert result.cost == report.cost and report.feasible, described(problem)
        assert best is not None, described(problem)
        least = problem.cost(best)
        assert result.cost > least or result.cost == pytest.approx(least, rel=1e-12, abs=1e-9), described(problem)
        solved += 1
    assert solved > examples // 2


def shared_tours(problem: VRP, **options: Any) -> tuple[list[list[int]], int]:
    """Return the routes after 60 scans of the option ``together``, and the scans."""
    search = searched(GiantTourDescent(several="together"), problem, Iterations(60), seed=2, **options)
    return [route.tolist() for route in search.best], search.iterations


def test_devices_together_make_the_moves_of_one() -> None:
    problem = stops(25)
    alone = searched(GiantTourDescent(), problem, Iterations(60), seed=2)
    expected = [route.tolist() for route in alone.best], alone.iterations
    assert shared_tours(problem) == expected
    assert shared_tours(problem, device=[Cpu(1), Cpu(1)]) == expected


@pytest.mark.threads
def test_members_together_make_the_moves_of_one() -> None:
    problem, strategy = stops(25), GiantTourDescent(several="together")
    expected = shared_tours(problem)
    for members in (1, 3):
        with Crew([hire(Cpu(1)) for _ in range(members)], timeout=60.0) as crew:
            crew.gather()
            search = searched(Rows(strategy, crew, device="cpu"), problem, Iterations(60), seed=2)
        assert ([route.tolist() for route in search.best], search.iterations) == expected


def test_what_devices_together_do_not_do_is_refused() -> None:
    with pytest.raises(UsageError, match="several is apart or together, not 'both'"):
        GiantTourDescent(several="both")  # type: ignore[arg-type]
    strategy = GiantTourDescent(improvement="first", several="together")
    with pytest.raises(UsageError, match="improvement=first is for one device"):
        searched(strategy, stops(9), Iterations(9), device=[Cpu(1), Cpu(1)])
    assert GiantTourDescent().portion == "whole" and strategy.portion == "rows"
