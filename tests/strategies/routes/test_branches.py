"""Branches of a solution: what is better of each is kept."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

import warptour as wt
from warptour.construct import savings
from warptour.engines.routes.fleet import Ruin
from warptour.engines.routes.instance import Ints, RouteInstance
from warptour.io.read import read
from warptour.model.vehicles import VRP
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget
from warptour.strategies.routes.branches import BRANCHES, ITERATIONS, Branches, branches, fits
from warptour.strategies.routes.cooling import Cooling
from warptour.strategies.routes.ruin_recreate import Plan
from warptour.strategies.routes.strategy import RouteImprovement

PROBLEM = read("vrp:200:1")
assert isinstance(PROBLEM, VRP)
INSTANCE = RouteInstance.of(PROBLEM, 20)
FIRST = INSTANCE.enter(savings(PROBLEM))


@pytest.fixture(params=[1, 3])
def plan(request: pytest.FixtureRequest) -> Iterator[Plan]:
    search = Search(PROBLEM, Iterations(10**6), seed=1, threads=request.param)
    with ThreadPool(request.param) as pool:
        yield Plan(INSTANCE, pool, Cooling(search, 40.0, 1.0), Ruin(), 7, 1e6, 10.0, 1000, 50)


def grown(plan: Plan, steps: int, iterations: float = math.inf) -> Branches:
    worker = Branches(plan, FIRST)
    for _ in range(steps):
        worker.step(Budget(iterations))
    return worker


def test_routes_become_cheaper_and_serve_everyone(plan: Plan) -> None:
    worker = grown(plan, 10)
    best = worker.best()
    assert sorted(best[best != 0].tolist()) == list(range(1, PROBLEM.n))
    assert worker.lowest == INSTANCE.cost(best) < INSTANCE.cost(FIRST)
    assert worker.gain == pytest.approx(INSTANCE.cost(FIRST) - worker.lowest)
    assert PROBLEM.check(INSTANCE.leave(best)).feasible


def test_equal_seeds_give_equal_routes(plan: Plan) -> None:
    one, other = grown(plan, 6), grown(plan, 6)
    assert one.best().tolist() == other.best().tolist() and one.iterations == other.iterations


def test_no_more_iterations_than_are_left(plan: Plan) -> None:
    assert grown(plan, 1, 10).iterations == 10


def test_parts_of_other_routes_are_taken(plan: Plan) -> None:
    better = grown(plan, 10)
    worker = Branches(plan, FIRST)
    worker.welcome(better.best(), worker.lowest - better.lowest)
    assert worker.lowest == pytest.approx(better.lowest)
    worker.welcome(FIRST, 0.0)
    assert worker.lowest == pytest.approx(better.lowest)


def test_a_round_has_a_branch_or_more_for_every_thread() -> None:
    assert [branches(threads) for threads in (1, 2, 3, 8, 16)] == [BRANCHES, BRANCHES, 9, 8, 16]


def test_short_and_endless_runs_have_no_branches() -> None:
    assert not fits(100 * ITERATIONS, 100, 1)
    assert fits(1e9, 100, 1)
    assert not fits(math.inf, 100, 1)


def test_a_long_run_ends_with_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    step = Branches.step
    monkeypatch.setattr(Branches, "step", lambda self, budget: (seen.append(self.lowest), step(self, budget))[1])
    ruin_alone = RouteImprovement(max_genetic_customers=10, min_ruin_customers=11)
    result = wt.solve(wt.generate("vrp", 40, 1), ruin_alone, iterations=250_000, threads=4, device="cpu")
    assert result.iterations == 250_000 and len(seen) >= 5
    assert result.cost <= seen[0]


def test_a_whole_solution_is_one_giant_tour(plan: Plan) -> None:
    best: Ints = grown(plan, 3).best()
    assert best[-1] == 0 and not ((best[1:] == 0) & (best[:-1] == 0)).any()
