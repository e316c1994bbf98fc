"""Limits hold from the first moment: time, signals, threads, and numbers that a search was not made for."""

from __future__ import annotations

import ctypes
import signal
from threading import Lock
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

import warptour as wt
from random_cities import cities
from warptour.api import arguments, run
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.events import Note
from warptour.observe.interrupt import Interrupt
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.papers.oneil.strategy import restarts as restarts_module
from warptour.papers.oneil.strategy.restarts import RandomRestart
from warptour.papers.rocki.strategy.ils import IteratedLocalSearch
from warptour.routes.strategy import common_annealing as common_module
from warptour.routes.strategy import route_groups as groups_module
from warptour.routes.strategy import route_improvement as routes_module
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.routes.strategy.ruin_recreate import CALL_ITERATIONS
from warptour.search import search as search_module
from warptour.search import threads as threads_module
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds
from warptour.search.threads import ThreadPool
from warptour.strategies.exact import shortest
from warptour.strategies.fallback import first_solution, run_in_time
from warptour.strategies.registry import STRATEGIES
from warptour.tours.starts.start import start

TOURS = [name for name in STRATEGIES if name not in ("dcvrp", "routes")]


def stops(n: int) -> VRP:
    rng = np.random.default_rng(n)
    demands = rng.integers(1, 10, n)
    demands[0] = 0
    return VRP("stops", METRICS["EUC_2D"], rng.integers(0, 1000, (n, 2)).astype(float), demands=demands, capacity=40)


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let routes be annealed from savings, so that all iterations are those of the annealing."""
    monkeypatch.setattr(routes_module, "fewer_routes", lambda search, plan, giant: (giant, None))


def table(n: int, low: int, high: int) -> np.ndarray:
    upper = np.triu(np.random.default_rng(n).integers(low, high, (n, n)), 1)
    return upper + upper.T


# Negative distances


@pytest.mark.parametrize("name", TOURS)
@pytest.mark.parametrize("values", [(-1, 0), (-500, 500), (-9, -3)], ids=str)
@pytest.mark.parametrize("n", [10, 70])
def test_negative_distances_are_searched_and_reported_as_given(name: str, values: tuple[int, int], n: int) -> None:
    problem = TSP.from_matrix(table(n, *values))
    result = wt.solve(problem, name, iterations=50)
    assert result.feasible and result.cost == problem.cost(result.tour)
    assert result.cost <= problem.cost(start(problem, "file"))


@pytest.mark.parametrize("options", [{}, {"open": True}, {"open": True, "first": 3}], ids=str)
def test_negative_distances_do_not_keep_the_optimum_away(options: dict[str, Any]) -> None:
    matrix = table(10, -500, 500)
    np.fill_diagonal(matrix, -10_000)
    problem = TSP.from_matrix(matrix, **options)
    assert wt.solve(problem, iterations=500).cost == problem.cost(shortest(problem)) < 0


def test_a_target_is_of_the_given_distances() -> None:
    problem = TSP.from_matrix(table(30, -500, 500))
    result = wt.solve(problem, "ils", iterations=100_000, target=-8000)
    assert result.cost <= -8000 and result.iterations < 100_000


def test_vehicles_with_negative_distances_are_refused() -> None:
    matrix = table(20, -5, 50)
    problem = VRP("m", METRICS["EXPLICIT"], matrix, demands=np.array([0] + [1] * 19), capacity=3)
    for strategy in (None, "routes"):
        with pytest.raises(UnsupportedError, match=f"distances of 0 or more, and the matrix has one of {matrix.min()}"):
            wt.solve(problem, strategy, iterations=1)


# No time, and signals


class Clock:
    """A clock that says what it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(search_module, "time", SimpleNamespace(perf_counter=lambda: self.now))


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_search_whose_time_is_up_builds_no_start(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    clock = Clock(monkeypatch)
    problem = stops(50) if name in ("dcvrp", "routes") else cities(500)
    search = Search(problem, Seconds(5), start="greedy" if name == "restarts" else None)
    clock.now += 6
    run_in_time(STRATEGIES[name](), search)
    assert search.best is not None and problem.check(search.best).feasible
    if name not in ("symmetric", "dcvrp", "routes"):  # which starts in the order of the file
        assert search.cost == problem.cost(first_solution(problem))


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_signal_before_the_first_tour_ends_its_construction(name: str) -> None:
    problem = stops(50) if name in ("dcvrp", "routes") else cities(500)
    search = Search(problem, Seconds(1000), start="greedy" if name == "restarts" else None)
    search.interrupt()
    run_in_time(STRATEGIES[name](), search)
    assert search.best is not None and problem.check(search.best).feasible and search.iterations == 0


def test_a_start_is_finished_whatever_the_iterations() -> None:
    problem = cities(300)
    search = Search(problem, Iterations(0))
    run_in_time(STRATEGIES["hill"](), search)
    assert search.cost == problem.cost(start(problem, "greedy"))


def slow_calls(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> list[int]:
    """Let each search of a class take 0.03 s; return the list to which its iterations are added."""
    clock, calls, kind = Clock(monkeypatch), [], getattr(module, name)

    class Slow(kind):  # type: ignore[misc, valid-type]
        def search(self, count: int, heat: tuple[float, float], **rest: Any) -> Any:
            calls.append(count)
            clock.now += 0.03
            return super().search(count, heat, **rest)

    monkeypatch.setattr(module, name, Slow)
    return calls


@pytest.mark.usefixtures("unpacked")
def test_groups_of_routes_end_with_the_call_in_which_time_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = slow_calls(monkeypatch, groups_module, "RouteState")
    search = Search(stops(700), Seconds(0.2))
    run_in_time(RouteImprovement(group_iterations=1000.0, max_common_customers=0), search)
    assert len(calls) == 7 and search.iterations == sum(calls)
    assert search.problem.check(search.best).feasible


@pytest.mark.usefixtures("unpacked")
@pytest.mark.parametrize(("removed", "most"), [(10.0, CALL_ITERATIONS), (1000.0, CALL_ITERATIONS // 100)])
def test_threads_that_anneal_together_end_with_the_call_in_which_time_runs_out(
    monkeypatch: pytest.MonkeyPatch, removed: float, most: int
) -> None:
    calls = slow_calls(monkeypatch, common_module, "CommonRoutes")
    search = Search(stops(700), Seconds(0.2), threads=2)
    run_in_time(RouteImprovement(removed=removed), search)
    assert len(calls) == 7 and search.iterations == sum(calls)
    assert max(calls) <= 2 * most
    assert search.problem.check(search.best).feasible


def test_time_is_kept_for_a_simple_tour_and_for_none_where_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    search = Search(cities(300), Seconds(5))
    monkeypatch.setattr(search_module, "SIMPLE_SECONDS", 0.5 / 300)
    assert not search.hurried()
    assert search.spare_seconds() == pytest.approx(5.0)
    clock.now += 4.2
    assert search.hurried() and search.spare_seconds() == 1.0
    search.offer(start(search.problem, "file"))
    assert not search.hurried(), "there is a tour already"
    clock.now += 1
    assert search.hurried()
    tours = [first_solution(cities(300), seconds).tolist() for seconds in (0.0, 1e-9, 1.0)]
    assert tours[0] == tours[1] == list(range(300)) != tours[2]


class Deaf(wt.Strategy):
    """Receives a signal inside a compiled call, where an exception would come out as another one."""

    name: ClassVar[str] = "deaf"
    iteration: ClassVar[str] = "calls"

    def refuses(self, problem: TSP | VRP) -> None:
        return None

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        return ("cpu",)

    def run(self, search: Search) -> None:
        def from_param(value: object) -> ctypes.c_int:
            signal.raise_signal(signal.SIGTERM)
            return ctypes.c_int(0)

        absolute = ctypes.CDLL(None).abs
        absolute.argtypes = [type("Argument", (), {"from_param": staticmethod(from_param)})]
        absolute(None)
        assert search.over()


def test_a_signal_inside_a_compiled_call_raises_nothing() -> None:
    with Interrupt(signal.SIGTERM, action=lambda: None) as interrupt:
        result = wt.solve(cities(30), Deaf(), seconds=1000, interrupt=interrupt)
    assert result.interrupted and result.feasible


def test_the_proof_that_nothing_is_feasible_runs_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(run, "prove_infeasible", lambda problem, over: asked.append(over))
    wt.solve(stops(20), iterations=1)
    assert len(asked) == 1 and asked[0]() is False


# Threads


@pytest.mark.parametrize("threads", [0, -1, 1025, 99999999999999999999])
def test_numbers_of_threads_beyond_all_reason_are_refused(threads: int) -> None:
    with pytest.raises(UsageError, match=f"1 to 1024 threads, not {threads}"):
        wt.solve(cities(30), iterations=1, threads=threads)


def test_threads_without_a_core_are_for_runs_that_no_clock_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "usable_cores", lambda: 2)
    heard: list[Any] = []
    assert wt.solve(cities(30), iterations=1, threads=8, listeners=[heard.append]).threads == 8
    assert not [event for event in heard if isinstance(event, Note) and "threads" in event.text]
    assert wt.solve(cities(30), iterations=1, seconds=1000, threads=8, listeners=[heard.append]).threads == 2
    notes = [event.text for event in heard if isinstance(event, Note) and "threads" in event.text]
    assert notes == ["8 threads on 2 cores would miss the time limit: going on with 2"]
    assert wt.solve(cities(30), iterations=1).threads == 2


def test_a_pool_has_no_more_threads_at_work_than_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_module, "usable_cores", lambda: 2)
    lock, busy, most = Lock(), [0], [0]

    def work(item: int) -> int:
        with lock:
            busy[0] += 1
            most[0] = max(most[0], busy[0])
        with lock:
            busy[0] -= 1
        return item

    with ThreadPool(9) as pool:
        assert pool.oversubscription == 5 and pool.map(work, range(100)) == list(range(100))
    assert most[0] <= 2


@pytest.mark.parametrize("strategy", [IteratedLocalSearch(), VariableNeighborhoodSearch()], ids=lambda s: s.name)
def test_the_tour_depends_on_the_threads_and_not_on_the_cores(monkeypatch: pytest.MonkeyPatch, strategy: Any) -> None:
    tours = []
    for cores in (1, 4):
        monkeypatch.setattr(threads_module, "usable_cores", lambda cores=cores: cores)
        search = Search(cities(300), Iterations(2000), threads=4)
        run_in_time(strategy, search)
        tours.append(np.asarray(search.best).tolist())
    assert tours[0] == tours[1]


# Parameters


def test_a_batch_is_no_larger_than_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restarts_module, "MAX_CITIES", 1000)
    counts = []
    climbers = restarts_module.TwoOptClimbers

    class Counted(climbers):  # type: ignore[misc, valid-type]
        def __init__(self, problem: TSP, device: Any, count: int, **options: Any) -> None:
            counts.append(count)
            super().__init__(problem, device, count, **options)

    monkeypatch.setattr(restarts_module, "TwoOptClimbers", Counted)
    RandomRestart(batch=2**31 - 1).run(Search(cities(100), Iterations(25)))
    assert counts == [10, 10, 5]


@pytest.mark.parametrize("name", ["annealing", "symmetric"])
def test_tours_beyond_number_are_worked_on_batch_by_batch(name: str) -> None:
    search = Search(cities(2000), Iterations(2))
    run_in_time(STRATEGIES[name](tours=2**31 - 1), search)
    assert search.best is not None


@pytest.mark.usefixtures("unpacked")
@pytest.mark.parametrize(
    "options",
    [{"group_iterations": 1000.0}, {"group_size": 10**9, "group_iterations": 100.0}, {"removed": 1000.0}],
    ids=str,
)
def test_a_compiled_call_on_routes_makes_a_counted_number_of_iterations(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    attempts = []
    fleet = groups_module.RouteState

    class Counted(fleet):  # type: ignore[misc, valid-type]
        def search(self, count: int, heat: tuple[float, float], **rest: Any) -> None:
            attempts.append(count)
            assert heat[0] >= heat[1]
            super().search(count, heat, **rest)

    monkeypatch.setattr(groups_module, "RouteState", Counted)
    search = Search(stops(700), Iterations(60_000), threads=2)
    run_in_time(RouteImprovement(**options), search)
    slower = options.get("removed", 10.0) / 10
    assert attempts and max(attempts) * slower <= CALL_ITERATIONS
    assert sum(attempts) == search.iterations == 60_000


def test_temperatures_of_nothing_are_refused() -> None:
    for options in ({"cold": 0.0}, {"hot": 0.0}, {"hot": 0.01}):
        with pytest.raises(ValueError, match="temperatures fall from hot to cold"):
            RouteImprovement(**options)
