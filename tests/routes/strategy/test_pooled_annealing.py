"""Annealing in rounds that collects routes, and goes on from better combinations of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import warptour as wt
from warptour.routes.engine import partition_routes
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.route_pool import Columns
from warptour.routes.engine.route_state import Ruin
from warptour.routes.strategy import pooled_annealing
from warptour.routes.strategy.common_annealing import CommonAnnealing
from warptour.routes.strategy.cooling import Cooling
from warptour.routes.strategy.pooled_annealing import LAST, MAX_ROUNDS, ROUND_ITERATIONS, PooledAnnealing, may_combine
from warptour.routes.strategy.ruin_recreate import Plan
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds, Stop
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget

BUDGET = Budget(seconds_left=lambda: 50.0)


def plan_of(problem: wt.VRP, stop: Stop, pool: ThreadPool) -> Plan:
    search = Search(problem, stop)
    instance = RouteInstance.of(search.problem, 10)
    return Plan(instance, pool, Cooling(search, 8.0, 1.0), Ruin(), 1, 1e6, 0, 0, 0)


def alone(instance: RouteInstance) -> Ints:
    """A route for each customer."""
    return instance.giant_tour([np.array([customer], np.int32) for customer in instance.problem.customers])


class Clock:
    """In place of the share of annealing that is over."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(Cooling, "used", lambda _, more=0: min(1.0, self.now + more / 1e6))
        monkeypatch.setattr(CommonAnnealing, "step", lambda worker, budget: None)


@pytest.mark.parametrize(
    ("stop", "may"),
    [(Seconds(60), True), (Iterations(1000), False), (Seconds(60) | Iterations(1000), False), (Stop(), False)],
)
def test_routes_are_combined_in_runs_that_need_not_be_reproduced(
    stop: Stop, may: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partition_routes, "installed", lambda: True)
    with ThreadPool(1) as pool:
        assert may_combine(plan_of(wt.generate("vrp", 30, 1), stop, pool)) == may


def test_routes_whose_cost_is_no_sum_are_not_combined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition_routes, "installed", lambda: True)
    problem = replace(wt.generate("windows", 20, 1), hour_cost=1.0)
    with ThreadPool(1) as pool:
        assert not may_combine(plan_of(problem, Seconds(60), pool))
        assert may_combine(plan_of(replace(problem, hour_cost=0), Seconds(60), pool))
    monkeypatch.setattr(partition_routes, "installed", lambda: False)
    with ThreadPool(1) as pool:
        assert not may_combine(plan_of(wt.generate("vrp", 30, 1), Seconds(60), pool))


@pytest.mark.parametrize(("each", "rounds"), [(0.5, 1), (1.5, 1), (3.5, 3), (50.0, MAX_ROUNDS)])
def test_there_are_as_many_rounds_as_there_is_time_for(
    each: float, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All begin hot and end cold, the last part warm; one that has no time for two cools once."""
    clock = Clock(monkeypatch)
    monkeypatch.setattr(PooledAnnealing, "_combine", lambda worker, part: None)
    with ThreadPool(1) as pool:
        plan = plan_of(wt.generate("vrp", 30, 1), Seconds(60), pool)
        worker = PooledAnnealing(plan, alone(plan.instance), 1)
        restarts: list[float] = []
        worker.restart = lambda giant: restarts.append(clock.now)  # type: ignore[method-assign]
        heats = []
        for clock.now in np.arange(0.0, 1.0, 0.001).tolist():
            worker.iterations = int(clock.now * each * ROUND_ITERATIONS * 30 / (1 - LAST))
            worker.step(BUDGET)
            heats.append(worker.temperatures(1)[0])
        rises = np.flatnonzero(np.diff(heats) > 1) + 1
        ends = [k / rounds * (1 - LAST) for k in range(1, rounds + 1)] if rounds > 1 else []
    assert worker.rounds == rounds and restarts == pytest.approx(ends, abs=0.002)
    assert rises / 1000 == pytest.approx(ends, abs=0.002)
    assert heats[0] == 8 and heats[-1] < 1.02 and max([heats[k] for k in rises[:-1]], default=8) > 7.9
    assert rounds == 1 or 3.9 < heats[rises[-1]] <= 4


def test_a_call_at_the_end_of_a_round_stays_cold(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    with ThreadPool(1) as pool:
        plan = plan_of(wt.generate("vrp", 30, 1), Seconds(60), pool)
        worker = PooledAnnealing(plan, alone(plan.instance), 1)
        worker.rounds, clock.now = 2, (1 - LAST) / 2 - 1e-6
        assert worker.temperatures(1000) == pytest.approx((1.0, 1.0), abs=1e-4)


def test_a_better_combination_is_gone_on_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process is replaced: it finds the routes of a solution that annealing has not seen."""
    problem = wt.generate("vrp", 60, 1)
    best = wt.solve(problem, "routes", iterations=200_000, threads=1, seed=1)
    asked: list[Columns] = []

    def chosen(columns: Columns, most: int, seconds: float, *_: Any) -> Ints:
        asked.append(columns)
        assert most == problem.n and seconds > 0 and columns.gain(np.arange(columns.known, dtype=np.int32)) == 0
        columns.routes[:] = [instance.enter([route])[:-1] for route in best.routes]
        return np.arange(len(best.routes), dtype=np.int32)

    monkeypatch.setattr(pooled_annealing, "chosen_by_process", chosen)
    clock = Clock(monkeypatch)
    with ThreadPool(1) as pool:
        plan = plan_of(problem, Seconds(60), pool)
        instance = plan.instance
        worker = PooledAnnealing(plan, alone(instance), 1)
        worker.rounds, clock.now = 2, 0.5
        worker.step(BUDGET)
        assert not asked  # rounds are independent of each other
        for clock.now in (0.85, 0.9):
            worker.step(BUDGET)
            worker._asked[1].result()  # type: ignore[index]
        assert worker.lowest == pytest.approx(best.cost)
        assert instance.cost(worker.best()) == pytest.approx(best.cost)
        assert instance.cost(worker.current()) == pytest.approx(best.cost)


@pytest.mark.skipif(not partition_routes.installed(), reason="HiGHS is not installed")
def test_the_process_chooses_routes_and_ends_when_the_search_does() -> None:
    instance = RouteInstance.of(wt.generate("vrp", 8, 1), 5)
    columns = pooled_annealing.RoutePool(instance, 1).columns(alone(instance))
    columns.routes.append(np.arange(1, 8, dtype=np.int32))
    columns = replace(columns, costs=np.append(columns.costs, 1.0))
    assert pooled_annealing.chosen_by_process(columns, 7, 10.0, lambda: False).tolist() == [7]
    assert pooled_annealing.chosen_by_process(columns, 7, 10.0, lambda: True) is None
