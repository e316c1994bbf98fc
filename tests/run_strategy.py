"""Run a strategy and check what every run must keep."""

from __future__ import annotations

from typing import Any

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.search import Search
from warptour.search.stop import Stop
from warptour.search.strategy import Strategy
from warptour.strategies.fallback import run_in_time


def searched(strategy: Strategy, problem: TSP | VRP, stop: Stop, **options: Any) -> Search:
    """Return the search after a run; its solution is feasible, and its cost the one by definition."""
    assert strategy.refuses(problem) is None
    search = Search(problem, stop, **options)
    run_in_time(strategy, search)
    assert search.best is not None
    report = problem.check(search.best)  # type: ignore[arg-type]
    assert report.violations == ()
    assert search.cost == report.cost
    return search
