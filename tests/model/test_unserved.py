"""Reasons why customers are not served are true, and found by trying everything."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from fleet_problems import fleet_problem, walked, walked_route
from warptour.model.barriers import Barriers
from warptour.model.fleet import Alternatives, Fleet, VehicleType
from warptour.model.metric import METRICS
from warptour.model.unserved import Unserved, servable, unserved
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

POINTS = np.array([[0.0, 0], [10, 0], [20, 0], [30, 0], [40, 0]])
VAN = VehicleType(count=1, capacities=(2,), name="van")
TRUCK = VehicleType(count=1, capacities=(9,), fixed_cost=5, distance_cost=2, name="truck")


def line(*types: VehicleType, allowed: Any = None, **options: Any) -> VRP:
    """Return a depot and four customers on a line, 10 apart, who need not be served."""
    options.setdefault("prizes", np.array([0.0, 5, 5, 5, 5]))
    options.setdefault("demands", np.array([0, 1, 1, 1, 1]))
    return VRP("line", METRICS["EUC_2D"], POINTS, fleet=Fleet(types, allowed=allowed), **options)


def reason(problem: VRP, node: int, *routes: list[int]) -> str:
    return next(
        each.text for each in unserved(problem, [np.array(route, int) for route in routes]) if each.node == node
    )


def test_too_large() -> None:
    problem = line(VAN, TRUCK, demands=np.array([0, 1, 12, 1, 1]))
    assert reason(problem, 2, [1]) == "too large for any vehicle: 12, and the largest carries 9"
    allowed = np.ones((5, 2), bool)
    allowed[2, 1] = False
    problem = line(VAN, TRUCK, demands=np.array([0, 1, 5, 1, 1]), allowed=allowed)
    assert reason(problem, 2, [1]) == "too large for any vehicle that may serve it: 5, and the largest carries 2"


def test_skills() -> None:
    allowed = np.ones((5, 1), bool)
    allowed[2] = False
    assert reason(line(VAN, allowed=allowed), 2) == "no vehicle may serve it, by its skills, its days or by name"


def test_outside_every_shift() -> None:
    windows = TimeWindows.of([None, None, (0, 15), None, None], 5)
    late = replace(VAN, opens=5, closes=70)
    problem = line(late, windows=windows)
    assert reason(problem, 2) == "outside every shift: cannot be reached before 25, after its hours 0-15"
    assert reason(problem, 4) == "outside every shift: its vehicle would be back at 85, after 70"
    assert reason(line(replace(VAN, max_duration=50)), 3) == "too far: its route alone takes 60, above 50"
    assert reason(line(replace(VAN, max_distance=50)), 3) == "too far: its route alone is 60 long, above the limit 50"


def test_the_price() -> None:
    assert reason(line(VAN, TRUCK), 3, [1], [2]) == "costs more than its prize: 40.00 against 5.00"
    assert reason(line(VAN), 3) == "costs more than its prize: 60.00 against 5.00"
    (found,) = unserved(line(VAN, prizes=np.array([0, 0, 90.0, 0, 0]), demands=np.array([0, 2, 0, 0, 0])), [[1, 3, 4]])
    assert found == Unserved(2, "price", "would cost 0.00, less than its prize 90.00: a longer search may serve it")


def test_no_room() -> None:
    must: dict[str, Any] = {"prizes": np.array([0.0, 5, 5, 99, 5])}
    assert reason(line(VAN, **must), 3, [1, 2]) == "no room left: would fit with one more van"
    problem = line(VAN, replace(TRUCK, max_stops=1), **must)
    assert reason(problem, 3, [1, 2], [4]) == "no room left: would fit with one more van"
    assert reason(line(VAN, apart=((1, 3),), **must), 3, [1]) == "no room left: would fit with one more van"
    dear = "no room left, and a van of its own costs more than its prize: 60.00 against 5.00"
    assert reason(line(VAN), 3, [1, 2]) == dear


def test_those_who_go_together_stay_out_together() -> None:
    many = np.array([0, 5, 5, 1, 1])
    problem = line(VAN, TRUCK, demands=many, together=((1, 2),))
    large = "too large for any vehicle: 10, and the largest carries 9"
    assert reason(problem, 1) == f"together with customer 3: {large}"
    eased, left_out = servable(replace(problem, prizes=None))
    assert [each.node for each in left_out] == [1, 2] and not eased.required[[1, 2]].any() and eased.required[3]
    late = TimeWindows.of([None, None, (0, 5), None, None], 5)
    early = "outside every shift: cannot be reached before 20, after its hours 0-5"
    assert reason(line(VAN, windows=late, together=((1, 2),)), 1) == f"together with customer 3: {early}"
    dear = "together with customer 5: costs more than its prize: 40.00 against 10.00"
    assert reason(line(VAN, together=((3, 4),), demands=many // 9), 3, [1, 2]) == dear
    full = line(VAN, TRUCK, together=((3, 4),), prizes=np.array([0.0, 5, 5, 99, 99]))
    assert reason(
        full, 3, [1, 2], []
    ) == "together with customer 5: would cost 165.00, less than its prize 198.00: " + ("a longer search may serve it")
    assert reason(full, 3, [1], [2]).startswith("together with customer 5: would cost 80.00")


def test_an_alternative_that_is_served_is_not_missed() -> None:
    problem = line(VAN, alternatives=(Alternatives((1, 2), required=False),))
    assert [each.node for each in unserved(problem, [np.array([1, 3])])] == [4]


def test_whom_nobody_can_serve_need_not_be_served() -> None:
    problem = line(VAN, prizes=np.full(5, math.inf), demands=np.array([0, 1, 12, 1, 0]), together=((3, 4),))
    eased, lost = servable(problem)
    assert [each.node for each in lost] == [2] and lost[0].reason == "impossible"
    assert eased.required.tolist() == [False, True, False, True, True] and eased.together == ((3, 4),)
    assert eased.cost([np.array([1, 3, 4])]) == 80 and eased.check([np.array([1, 3, 4])]).feasible
    assert servable(eased) == (eased, lost) or servable(eased)[0].prizes is not None
    assert servable(line(VAN))[1] == []


def test_vehicles_that_are_alike() -> None:
    options: Any = {"demands": np.array([0, 1, 12, 1, 1]), "capacity": 3}
    plain = VRP("line", METRICS["EUC_2D"], POINTS, **options, max_distance=70, vehicles=1)
    eased, lost = servable(plain)
    assert [(each.node, each.text) for each in lost] == [
        (2, "too large for any vehicle: 12, and the largest carries 3"),
        (4, "too far: its route alone is 80 long, 10 over the limit 70"),
    ]
    assert eased.check([np.array([1, 3])]).feasible


@pytest.mark.parametrize("seed", range(40))
def test_reasons_are_those_of_trying_everything(seed: int) -> None:
    given = fleet_problem(seed, 4)
    assert given.fleet is not None
    problem = replace(given, prizes=np.where(np.arange(given.n) % 2, 9.0, 21.0), together=(), alternatives=())
    rng = np.random.default_rng(seed)
    routes: list[list[int]] = [[] for _ in given.fleet.kinds]
    for node in rng.permutation(problem.customers).tolist():
        routes[rng.integers(len(routes))].append(node)
        if walked(problem, routes) is None or rng.integers(2):
            routes = [[other for other in route if other != node] for route in routes]
    base = walked(problem, routes)
    assert base is not None
    for each in unserved(problem, [np.array(route, int) for route in routes]):
        alone = any(
            walked_route(problem, kind, [each.node]) is not None
            and (given.fleet.allowed is None or given.fleet.allowed[each.node, at])
            for at, kind in enumerate(given.fleet.types)
        )
        costs = []
        for vehicle, route in enumerate(routes):
            for at in range(len(route) + 1):
                longer = [*routes[:vehicle], [*route[:at], each.node, *route[at:]], *routes[vehicle + 1 :]]
                cost = walked(problem, longer)
                assert problem.prizes is not None
                costs += [] if cost is None else [cost - base + problem.prizes[each.node]]
        if each.reason == "impossible":
            assert not costs and each.node in Barriers(problem).suspects()
            assert all(
                walked(problem, [[] if k != v else list(order) for k in range(len(routes))]) is None
                for v in range(len(routes))
                for size in (1, 2, 3)
                for order in permutations(problem.customers.tolist(), size)
                if each.node in order
            )
        elif each.reason == "room" or "no room" in each.text:
            assert not costs and (alone or "one more vehicle" in each.text)
        else:
            assert f"{min(costs):.2f}" in each.text
