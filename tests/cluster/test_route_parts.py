"""Members anneal groups of routes, phase by phase, and the routes of all of them are one solution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mortal_members import Mortal, device, notes, same
from warptour.cluster import member as member_module
from warptour.cluster.crew import Crew
from warptour.cluster.links.threads import hire
from warptour.cluster.routes import phases as route_phases
from warptour.cluster.routes.parts import RouteParts
from warptour.devices import DeviceError
from warptour.devices.cpu import Cpu
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.observe.events import Event, Workers
from warptour.routes.strategy.phase import RoutePhase
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds, Stop

RUIN = RouteImprovement(max_genetic_customers=0, min_ruin_customers=1)


def customers(count: int = 200, **options: Any) -> VRP:
    depot = min(3, count)
    rng = np.random.default_rng(count)
    demands = rng.integers(1, 10, count + 1)
    demands[depot] = 0
    points = rng.integers(0, 1000, (count + 1, 2)).astype(float)
    return VRP("vrp", METRICS["EUC_2D"], points, demands=demands, capacity=60, depot=depot, **options)


def on_parts(
    problem: VRP, stop: Stop, crew: Crew | None = None, strategy: RouteImprovement = RUIN, **options: Any
) -> tuple[Search[VRP], list[Event]]:
    heard: list[Event] = []
    search: Search[VRP] = Search(problem, stop, seed=5, listeners=[heard.append], **options)
    with crew or Crew([hire(Cpu(1)), hire(Cpu(1))]) as members:
        RouteParts(strategy, members).run(search)
    assert search.best is not None
    report = problem.check(search.best)
    assert report.violations == ()
    assert search.cost == report.cost
    return search, heard


LIMITS = [{}, {"vehicles": 25}, {"max_distance": 2500.0, "service_times": np.full(201, 10.0)}, {"fixed_cost": 50.5}]


@pytest.mark.parametrize("limits", LIMITS, ids=["capacity", "vehicles", "distance", "fixed cost"])
def test_the_seed_and_the_iterations_decide_the_routes(limits: dict[str, Any]) -> None:
    problem = customers(**limits)
    (first, heard), (second, _) = (on_parts(problem, Iterations(20_000)) for _ in range(2))
    assert same(first.best, second.best)
    assert first.iterations == second.iterations == 20_000
    costs = [event.state.cost for event in heard if event.state.cost is not None]
    assert costs[-1] < 0.99 * costs[0]


def test_members_that_die_change_nothing_but_the_time() -> None:
    undisturbed, _ = on_parts(customers(), Iterations(30_000))
    for crew in (
        Crew([hire(Cpu(1)), Mortal(7)], rehire=lambda rank: hire(Cpu(1))),
        Crew([hire(Cpu(1)), Mortal(4)]),
    ):
        search, heard = on_parts(customers(), Iterations(30_000), crew)
        assert "mortal has died" in notes(heard)[0]
        assert same(search.best, undisturbed.best)


def test_a_member_that_hangs_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route_phases, "PATIENCE", 0.5)
    monkeypatch.setattr(route_phases, "PHASE_SECONDS", 0.1)
    search, heard = on_parts(customers(), Seconds(2), Crew([Mortal(1, silent=True), hire(Cpu(1))]))
    rows = [event for event in heard if isinstance(event, Workers)][-1].rows
    assert rows[1].gain > 0
    assert search.seconds < 100


def test_all_members_may_die() -> None:
    search, heard = on_parts(customers(), Seconds(2), Crew([Mortal(2), Mortal(3)]))
    assert len(notes(heard)) >= 2
    assert search.seconds < 100


def test_a_device_that_fails_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    run = RoutePhase.run

    def failing(strategy: RoutePhase, search: Search[VRP]) -> None:
        if search.device.name == "broken":
            raise DeviceError("out of memory")
        run(strategy, search)

    monkeypatch.setattr(RoutePhase, "run", failing)
    search, heard = on_parts(customers(), Iterations(10_000), Crew([hire(device("broken")), hire(device("sound"))]))
    assert notes(heard) == ["broken: out of memory; the others go on"]
    assert search.iterations == 10_000
    with pytest.raises(DeviceError, match="out of memory"):
        on_parts(customers(), Iterations(10_000), Crew([hire(device("broken"))]))


def test_the_population_has_the_rest_of_the_budget() -> None:
    strategy = RouteImprovement(max_genetic_customers=50, min_ruin_customers=350, min_ruin_iterations=10)
    first, second = (on_parts(customers(), Iterations(30_000), strategy=strategy)[0] for _ in range(2))
    assert same(first.best, second.best)
    assert first.iterations == 30_000


@pytest.mark.parametrize("count", [1, 3, 30])
def test_few_customers_are_searched_on_islands(count: int) -> None:
    search, _ = on_parts(customers(count), Iterations(2000), strategy=RouteImprovement())
    assert search.cost is not None


def test_a_given_start_is_never_made_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(member_module, "BEAT_SECONDS", 0.05)
    start, _ = on_parts(customers(), Iterations(40_000))
    again, _ = on_parts(customers(), Seconds(0.7), start=start.best)
    assert start.cost is not None
    assert again.cost is not None
    assert again.cost <= start.cost
