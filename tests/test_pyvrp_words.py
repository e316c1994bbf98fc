"""Models in PyVRP's words: the same program builds the same problem, PyVRP's solutions cost the same in both."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import warptour as wt

PLACES = [
    (456, 320), (228, 0), (912, 0), (0, 80), (114, 80), (570, 160), (798, 160), (342, 240), (684, 240), (570, 400),
    (912, 400), (114, 480), (228, 480), (342, 560), (684, 560), (0, 640), (798, 640),
]  # fmt: skip
"""City blocks of the example that OR-Tools and PyVRP explain vehicle routing with; the first is the depot."""
DEMANDS = [0, 1, 1, 2, 4, 2, 4, 8, 8, 1, 2, 1, 2, 4, 4, 8, 8]


def blocks(model: Any, places: list[Any]) -> None:
    """Add the way between each two places along the blocks; it takes a tenth of its length."""
    for a in places:
        for b in places:
            way = int(abs(a.x - b.x) + abs(a.y - b.y))
            model.add_edge(a, b, distance=way, duration=way // 10)


def capacitated(model: Any) -> None:
    places = [model.add_location(x, y) for x, y in PLACES]
    model.add_vehicle_type(4, capacity=15)
    model.add_depot(places[0])
    for place, demand in zip(places[1:], DEMANDS[1:], strict=True):
        model.add_client(place, delivery=demand)
    blocks(model, places)


def windowed(model: Any) -> None:
    places = [model.add_location(x, y) for x, y in PLACES]
    model.add_depot(places[0], tw_early=0, tw_late=400)
    model.add_vehicle_type(5, capacity=20, shift_duration=300, unit_duration_cost=2)
    for at, (place, demand) in enumerate(zip(places[1:], DEMANDS[1:], strict=True)):
        model.add_client(place, delivery=demand, service_duration=5, tw_early=10 * (at % 5), tw_late=150 + 10 * at)
    blocks(model, places)


def of_several_depots(model: Any) -> None:
    places = [model.add_location(x, y) for x, y in PLACES]
    depots = [model.add_depot(places[0]), model.add_depot(places[8])]
    model.add_vehicle_type(2, capacity=15, start_depot=depots[0], end_depot=depots[0], fixed_cost=100)
    model.add_vehicle_type(2, capacity=30, start_depot=depots[1], end_depot=depots[0], unit_distance_cost=2)
    for place, demand in zip(places[1:8] + places[9:], DEMANDS[1:8] + DEMANDS[9:], strict=True):
        model.add_client(place, delivery=demand)
    blocks(model, places)


def collecting(model: Any) -> None:
    places = [model.add_location(x, y) for x, y in PLACES]
    model.add_depot(places[0])
    model.add_vehicle_type(2, capacity=15, max_distance=2500)
    for at, (place, demand) in enumerate(zip(places[1:], DEMANDS[1:], strict=True)):
        model.add_client(place, delivery=demand, required=at == 0, prize=0 if at == 0 else 100 + 40 * at)
    blocks(model, places)


def grouped(model: Any) -> None:
    places = [model.add_location(x, y) for x, y in PLACES]
    model.add_depot(places[0])
    model.add_vehicle_type(3, capacity=15)
    groups = [model.add_client_group() for _ in range(4)]
    for at, (place, demand) in enumerate(zip(places[1:], DEMANDS[1:], strict=True)):
        model.add_client(place, delivery=demand, required=False, group=groups[at % 4])
    blocks(model, places)


def of_different_vehicles(model: Any) -> None:
    places = [model.add_location(x, y) for x, y in PLACES]
    model.add_depot(places[0])
    model.add_vehicle_type(3, capacity=10, fixed_cost=150, name="van")
    model.add_vehicle_type(2, capacity=[24], fixed_cost=600, unit_distance_cost=2, max_distance=3000, name="truck")
    for place, demand in zip(places[1:], DEMANDS[1:], strict=True):
        model.add_client(place, delivery=[demand], name=f"at {place.x}")
    blocks(model, places)


def released(model: Any) -> None:
    places = [model.add_location(x, y) for x, y in PLACES]
    model.add_depot(places[0], tw_early=0, tw_late=600)
    road = model.add_profile(name="road")
    model.add_vehicle_type(3, capacity=30, unit_duration_cost=3, profile=road)
    for at, (place, demand) in enumerate(zip(places[1:], DEMANDS[1:], strict=True)):
        model.add_client(place, delivery=demand, service_duration=2, release_time=20 * (at % 4), tw_late=500)
    for a in places:
        for b in places:
            way = int(abs(a.x - b.x) + abs(a.y - b.y))
            model.add_edge(a, b, distance=way, duration=way // 10, profile=road)


def both_ways(model: Any) -> None:
    places = [model.add_location(x, y) for x, y in PLACES]
    model.add_depot(places[0])
    model.add_vehicle_type(4, capacity=16)
    for at, (place, demand) in enumerate(zip(places[1:], DEMANDS[1:], strict=True)):
        model.add_client(place, delivery=demand if at % 3 else 0, pickup=[demand // 2 + 1] if at % 2 else 0)
    blocks(model, places)


def by_two_profiles(model: Any) -> None:
    places = [model.add_location(x, y) for x, y in PLACES]
    model.add_depot(places[0], tw_early=0, tw_late=9000)
    bike, van = model.add_profile(name="bike"), model.add_profile(name="van")
    model.add_vehicle_type(3, capacity=8, profile=bike, unit_duration_cost=1)
    model.add_vehicle_type(3, capacity=25, fixed_cost=100, profile=van)
    for place, demand in zip(places[1:], DEMANDS[1:], strict=True):
        model.add_client(place, delivery=demand, service_duration=2)
    for a in places:
        for b in places:
            way = int(abs(a.x - b.x) + abs(a.y - b.y))
            model.add_edge(a, b, distance=way, duration=way)
            model.add_edge(a, b, distance=way + (37 * a.y) % 50 if a is not b else 0, duration=way // 2, profile=van)


EXAMPLES = (
    by_two_profiles, capacitated, windowed, of_several_depots, collecting, grouped, of_different_vehicles, released,
    both_ways,
)  # fmt: skip


def program(vrp: Any, example: Any) -> tuple[float, list[list[int]]]:
    """A program of a user, whose only import is that of the package ``vrp``."""
    model = vrp.Model()
    example(model)
    result = model.solve(
        stop=vrp.stop.MultipleCriteria([vrp.stop.MaxRuntime(10), vrp.stop.MaxIterations(500)]), seed=1, display=False
    )
    assert result.is_feasible() and result.best.is_feasible() and result.best.num_routes() == len(result.best.routes())
    plan = [[visit.idx for visit in route if visit.is_client()] for route in result.best.routes()]
    assert [route.num_clients() for route in result.best.routes()] == [len(route) for route in plan]
    assert sum(route.distance() for route in result.best.routes()) == result.best.distance()
    assert {route.vehicle_type() for route in result.best.routes()} <= set(range(len(model.vehicle_types)))
    return result.cost(), plan


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_program_with_one_import_changed_has_plans_as_cheap(example: Any) -> None:
    pyvrp = pytest.importorskip("pyvrp")
    (theirs, _), (ours, plan) = program(pyvrp, example), program(wt, example)
    assert ours <= 1.005 * theirs
    assert len({client for route in plan for client in route}) == sum(map(len, plan))


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_pyvrp_has_the_same_cost_in_both(example: Any) -> None:
    pyvrp = pytest.importorskip("pyvrp")
    theirs, ours = pyvrp.Model(), wt.Model()
    example(theirs)
    example(ours)
    found = theirs.solve(pyvrp.stop.MaxIterations(300), seed=1, display=False)
    assert found.is_feasible()
    problem = ours.data()
    routes: list[list[int]] = [[] for _ in problem.fleet.kinds]
    slots = {kind: iter(np.flatnonzero(problem.fleet.kinds == kind).tolist()) for kind in range(2)}
    for route in found.best.routes():
        clients = [visit.idx for visit in route if visit.is_client()]
        routes[next(slots[route.vehicle_type()])] = [client + len(problem.depots) for client in clients]
    report = problem.check([np.array(route, int) for route in routes])
    assert report.feasible and report.cost == found.cost()
    again = ours.solve(iterations=4000, seed=1, threads=1)
    assert again.is_feasible() and again.cost() <= found.cost() * 1.01


@pytest.mark.parametrize("seed", range(40))
def test_pyvrp_judges_routes_as_we_do(seed: int) -> None:
    pyvrp = pytest.importorskip("pyvrp")
    theirs, ours = pyvrp.Model(), wt.Model()
    for model in (theirs, ours):
        build(model, np.random.default_rng(seed))
    problem, data, rng = ours.data(), theirs.data(), np.random.default_rng(seed)
    first, counts = len(problem.depots), problem.fleet.counts
    firsts = np.cumsum([0, *counts[:-1].tolist()])
    evaluator = pyvrp.CostEvaluator([0.0], 0.0, 0.0)
    for _ in range(20):
        order = rng.permutation(problem.customers)
        order = order[: rng.integers(1, len(order) + 1)]
        kinds = [kind for kind in range(len(counts)) if rng.integers(2)] or [0]
        parts = [part.tolist() for part in np.array_split(order, len(kinds))]
        routes = [np.empty(0, int)] * len(problem.fleet.kinds)
        given = []
        for kind, part in zip(kinds, parts, strict=True):
            if part:
                routes[firsts[kind]] = np.array(part)
                visits = [pyvrp.Activity(pyvrp.ActivityType.CLIENT, node - first) for node in part]
                given.append(pyvrp.Route(data, visits, kind))
        report = problem.check(routes)
        try:
            solution = pyvrp.Solution(data, given)
        except RuntimeError:  # two of a group are visited
            assert not report.feasible
            continue
        assert report.feasible == solution.is_feasible(), report
        if report.feasible:
            assert report.cost == evaluator.cost(solution)


def clients(route: Any) -> list[int]:
    return [visit.idx for visit in route if visit.is_client()]


def test_edges_of_a_profile_are_for_its_vehicles() -> None:
    model = wt.Model()
    places = [model.add_location(x, 0) for x in (0, 1)]
    model.add_depot(places[0])
    model.add_client(places[1])
    car, truck = model.add_profile(name="car"), model.add_profile()
    model.add_vehicle_type(profile=car, capacity=1)
    model.add_vehicle_type(profile=truck, capacity=1)
    model.add_edge(places[0], places[1], 3)
    model.add_edge(places[1], places[0], 4)
    nobody = np.empty(0, int)
    same = model.data()
    assert same.cost([np.array([1]), nobody]) == same.cost([nobody, np.array([1])]) == 7
    model.add_edge(places[1], places[0], 5, profile=truck)
    other = model.data()
    assert (other.cost([np.array([1]), nobody]), other.cost([nobody, np.array([1])])) == (7, 8)


def build(model: Any, rng: np.random.Generator) -> None:
    """Build a random model of eight clients."""
    places = [model.add_location(*map(int, rng.integers(0, 30, 2))) for _ in range(8)]
    depots = [
        model.add_depot(places[k], tw_early=int(rng.integers(0, 9)), service_duration=int(rng.integers(0, 3)))
        for k in range(2)
    ]
    group, late = model.add_client_group(required=bool(rng.integers(2))), bool(rng.integers(2))
    for at in range(8):
        single = at > 1
        opens = int(rng.integers(0, 40))
        model.add_client(
            places[rng.integers(8)], delivery=int(rng.integers(1, 4)), service_duration=int(rng.integers(0, 4)),
            tw_early=opens, tw_late=opens + int(rng.integers(20, 100)), prize=int(rng.integers(0, 30)),
            required=single and bool(rng.integers(3) == 0), group=None if single else group,
            release_time=int(rng.integers(0, 30)) if late else 0,
        )  # fmt: skip
    profiles = [model.add_profile() for _ in range(3)]
    for at in range(3):
        opens = int(rng.integers(0, 20))
        model.add_vehicle_type(
            int(rng.integers(1, 3)), capacity=int(rng.integers(6, 15)), start_depot=depots[rng.integers(2)],
            end_depot=depots[rng.integers(2)], fixed_cost=int(rng.integers(0, 20)), tw_early=opens,
            tw_late=opens + int(rng.integers(80, 300)), shift_duration=int(rng.integers(40, 150)),
            max_distance=int(rng.integers(60, 300)), unit_distance_cost=int(rng.integers(0, 3)),
            unit_duration_cost=int(rng.integers(0, 3)), max_overtime=int(rng.integers(0, 40)),
            unit_overtime_cost=int(rng.integers(0, 4)), profile=profiles[at],
        )  # fmt: skip
    for a in places:
        for b in places:
            way = int(abs(a.x - b.x) + abs(a.y - b.y))
            model.add_edge(a, b, distance=way, duration=0 if a is b else way + int(rng.integers(0, 5)))
            if late and a is not b and rng.integers(2):
                model.add_edge(
                    a, b, way + int(rng.integers(9)), way + int(rng.integers(9)), profiles[rng.integers(1, 3)]
                )


def test_an_edge_that_is_not_added_is_too_long_to_be_used() -> None:
    model = wt.Model()
    places = [model.add_location(x, 0) for x in (0, 1, 2)]
    model.add_depot(places[0])
    model.add_client(places[1])
    model.add_client(places[2])
    model.add_vehicle_type(2)
    for client in places[1:]:
        model.add_edge(places[0], client, 5)
        model.add_edge(client, places[0], 5)
    found = model.solve(iterations=200)
    assert found.cost() == 20 and sorted(map(clients, found.best.routes())) == [[0], [1]]


def test_shipments() -> None:
    model = wt.Model()
    places = [model.add_location(x, 0) for x in (0, 3, 7, 12)]
    model.add_depot(places[0])
    model.add_vehicle_type(1, capacity=5)
    for a in places:
        for b in places:
            model.add_edge(a, b, distance=abs(a.x - b.x), duration=1)
    model.add_client(places[1], delivery=2)
    goods = model.add_shipment(places[3], places[2], amount=4, delivery_tw_late=9, pickup_service_duration=2)
    model.add_shipment(places[2], places[1], amount=4, prize=1, required=False)
    assert (goods.pickup, goods.delivery) == (1, 2)
    problem = model.data()
    assert problem.shipments == ((wt.Shipment(2, 3)), wt.Shipment(4, 5)) and problem.demands.tolist() == [
        0,
        2,
        4,
        -4,
        4,
        -4,
    ]
    found = model.solve(iterations=500)
    assert found.cost() == 24 and clients(found.best.routes()[0]) == [0, 1, 2, 3, 4]


def test_what_is_not_solved_yet_is_refused_by_name() -> None:
    model = wt.Model()
    place = model.add_location(0, 0)
    model.add_depot(place)
    with pytest.raises(wt.UnsupportedError, match="latest starts are"):
        model.add_vehicle_type(start_late=5)
    with pytest.raises(wt.UsageError, match="this location is not one of the model"):
        model.add_client(wt.Model().add_location(1, 1))
    with pytest.raises(wt.UsageError, match="a model has a depot, a client and a vehicle type"):
        model.data()


def test_a_result_that_is_not_feasible_costs_infinitely_much() -> None:
    model = wt.Model()
    place = model.add_location(0, 0)
    model.add_depot(place)
    model.add_client(place, delivery=3, required=False, prize=4)
    model.add_vehicle_type(capacity=1)
    found = model.solve(iterations=10)
    assert found.cost() == 4 and found.best.routes() == [] and math.isfinite(found.cost())
    assert [visit.idx for visit in found.best.unplanned()] == [0]
