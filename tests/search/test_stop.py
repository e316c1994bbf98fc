"""Stop rules, and the word that says which of them ended a search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import warptour as wt
from random_cities import cities
from warptour.api.options import SearchOptions
from warptour.api.run import limits_of
from warptour.model.errors import UsageError
from warptour.observe.events import State
from warptour.search import search as search_module
from warptour.search.patience import MAX_CITIES, MAX_CUSTOMERS, Settled, settled
from warptour.search.search import Search
from warptour.search.worker import Budget, TimedWorker, follow
from warptour.strategies.registry import default_strategy

SMALL = cities(30)


def state(seconds: float, iterations: int = 0, **options: Any) -> State:
    return State(seconds, options.pop("cost", 10), iterations, 0, **options)


def test_the_first_rule_that_is_reached_is_the_reason() -> None:
    rule = wt.Target(5) | wt.Seconds(2) | wt.Iterations(7) | wt.NoImprovement(1)
    assert rule.ending(state(0.5)) is None
    assert rule.ending(state(1.5)) == "patience"
    assert rule.ending(state(2.5, improved_at=2.0)) == "time"
    assert rule.ending(state(0.5, 7)) == "iterations"
    assert rule.ending(state(2.5, 7, cost=5)) == "target"


def test_no_improvement_waits_for_seconds_and_iterations() -> None:
    rule = wt.NoImprovement(1, iterations=100)
    since: dict[str, Any] = {"improved_at": 3.0, "improved_iterations": 50}
    assert not rule.reached(state(3.9, 500, **since))
    assert not rule.reached(state(9.0, 149, **since))
    assert rule.reached(state(4.0, 150, **since))
    assert not rule.reached(state(4.0, 150, cost=None, **since)), "there is no solution yet"
    for wrong in ({"seconds": -1}, {"seconds": math.nan}, {"seconds": 1, "iterations": -1}):
        with pytest.raises(UsageError, match="without improvement is 0 or more"):
            wt.NoImprovement(**wrong)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Late(wt.Stop):
    """A rule of a user."""

    reason = "late"

    def reached(self, state: State) -> bool:
        return state.iterations > 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"seconds": 0.05}, "time"),
        ({"iterations": 100}, "iterations"),
        ({"iterations": 10**9, "target": 1e9}, "target"),
        ({"patience": 0.05}, "patience"),
        ({"stop": Late()}, "late"),
        ({"seconds": 1000, "lower_bound": 10**9}, "optimal"),
        ({"seconds": 1000, "on_improvement": lambda cost, tour: False}, "callback"),
        ({"strategy": "descent"}, "finished"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_result_says_why_the_search_ended(options: dict[str, Any], reason: str) -> None:
    heard: list[Any] = []
    result = wt.solve(SMALL, listeners=[heard.append], **options)
    assert result.ended == reason == heard[-1].reason
    assert isinstance(heard[-1], wt.Ended)
    assert 0 <= result.improved_at <= result.seconds
    assert result.summary()["ended"] == reason


def test_tiny_problems_are_proved_optimal() -> None:
    result = wt.solve(cities(8))
    assert result.ended == "optimal" and result.optimal


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of searches, which passes only where a test says so."""
    now = [100.0]
    monkeypatch.setattr(search_module, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    return now


def test_a_search_that_is_over_stays_so(clock: list[float]) -> None:
    search = Search(SMALL, wt.NoImprovement(1))
    search.offer(list(range(30))[::-1])  # type: ignore[arg-type]
    clock[0] += 2
    assert search.over()
    search._improved_at = 2.0, 0
    assert search.over() and search.reason == "patience"


def reason_of(search: Search[Any]) -> str | None:
    search.end()
    return search.reason


class Endless(TimedWorker):
    """A worker that gains in every step, which takes a second."""

    evaluations = 0

    def __init__(self, clock: list[float]) -> None:
        self.clock, self.iterations, self.gain = clock, 0, 0.0

    def step(self, budget: Budget) -> None:
        self.clock[0] += 1.0
        self.gain += 1.0
        self.iterations += 1

    def best(self) -> Any:
        return np.arange(SMALL.n, dtype=np.int32)


def test_a_worker_that_leaves_time_for_its_report_was_ended_by_the_time_limit(clock: list[float]) -> None:
    search = Search(SMALL, wt.Seconds(10))

    def leave(tour: Any) -> Any:
        clock[0] += 3.0 if search.best is None else 0.0  # one slow report, as a busy machine makes it
        return tour

    follow(search, Endless(clock), leave)  # type: ignore[arg-type]
    assert search.seconds < 10 and reason_of(search) == "time"


def test_a_strategy_that_is_done_shortly_before_its_time_limit_has_finished(clock: list[float]) -> None:
    search = Search(SMALL, wt.Seconds(10))
    clock[0] += 9.9
    assert not search.over() and not search.hurried() and not search.lacks(0.01)
    assert reason_of(search) == "finished"


def test_a_construction_given_up_for_want_of_time_ends_by_the_time_limit(clock: list[float]) -> None:
    search = Search(cities(10**6), wt.Seconds(10))
    clock[0] += 9.7
    assert search.hurried() and not search.over() and reason_of(search) == "time"


# Patience


def test_small_problems_end_by_themselves_unless_they_are_given_a_budget() -> None:
    strategy = default_strategy(SMALL)

    def ends(problem: wt.TSP | wt.VRP = SMALL, strategy: Any = strategy, **options: Any) -> bool:
        rule = limits_of(problem, strategy, SearchOptions(**options))
        done = State(9.9, 10, 10**12, 0)
        return rule.ending(done) == "patience"

    assert ends() and ends(target=3)
    for options in (
        {"seconds": 10},
        {"iterations": 10**15},
        {"stop": wt.Seconds(60)},
        {"patience": math.inf},
        {"bound": True},
        {"cluster": "local:2"},
        {"strategy": wt.IteratedLocalSearch()},
        {"strategy": wt.Windows(nearest=9)},
        {"problem": cities(MAX_CITIES + 1)},
    ):
        assert not ends(**options), options
    assert ends(patience=5, seconds=60)


def test_a_run_without_any_limit_has_ten_seconds_and_one_with_patience_alone_all_the_time() -> None:
    strategy, begin = default_strategy(SMALL), State(0.0, None, 0, 0)
    for patience, seconds in ((None, 10), (math.inf, 10), (3, math.inf)):
        rule = limits_of(SMALL, strategy, SearchOptions(patience=patience))
        assert rule.seconds_left(begin) == seconds


def test_the_patience_of_small_problems_counts_work_so_that_a_busy_machine_has_more_time() -> None:
    rule = settled(SMALL)
    assert rule is not None and rule.iterations == 50 * 30 and rule.seconds == 0.5
    assert settled(cities(MAX_CITIES + 1)) is None
    one_way = wt.TSP.from_matrix(np.random.default_rng(1).random((30, 30)))
    assert settled(one_way) == Settled(0.5, 200 * 30)
    vehicles = wt.generate("vrp", MAX_CUSTOMERS + 1, 1)
    assert settled(vehicles) == Settled(0, 50 * 60 * 51)
    assert settled(wt.generate("vrp", 21, 1)) == Settled(0, 20 * 2000)
    assert settled(wt.generate("vrp", MAX_CUSTOMERS + 2, 1)) is None


def test_nothing_is_settled_while_few_feasible_solutions_compete() -> None:
    rule = Settled(0, 100)
    assert rule.ending(State(1.0, 10, 500, 0, improved_iterations=400, unsettled_iterations=400)) == "patience"
    assert rule.ending(State(1.0, 10, 500, 0, improved_iterations=400, unsettled_iterations=401)) is None
    assert wt.NoImprovement(0, 100).ending(State(1.0, 10, 500, 0, unsettled_iterations=500)) == "patience"


def test_vehicle_routes_over_distances_without_geometry_have_all_their_time() -> None:
    rng = np.random.default_rng(1)
    demands = [0] + [1] * 29
    points = rng.random((30, 2))
    straight = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    detours = straight * rng.uniform(1, 1.5, (30, 30))
    for matrix, settles in ((straight, True), (detours, True), (rng.random((30, 30)), False), (-straight, False)):
        problem = wt.VRP.from_matrix(matrix, demands=demands, capacity=5)
        assert (settled(problem) is not None) == settles
        if matrix.min() >= 0:
            limited = wt.VRP.from_points(points, demands=demands, capacity=5, durations=matrix, max_hours=1)
            assert (settled(limited) is not None) == settles


@pytest.mark.parametrize("patience", [-1, math.nan, "long"], ids=str)
def test_patience_that_makes_no_sense(patience: Any) -> None:
    with pytest.raises(UsageError, match="0 or more seconds"):
        wt.solve(SMALL, patience=patience)
