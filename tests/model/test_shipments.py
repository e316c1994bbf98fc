"""Shipments in the model: what is judged to be one, loads along routes, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import warptour as wt
from fleet_problems import assert_judged_as_by_a_walk, walked
from shipment_problems import one_stack, shipment_problem
from warptour.model.itinerary import itinerary
from warptour.model.unserved import servable, unserved
from warptour.model.vehicles import VRP

XY = [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5)]


def problem(**changes: Any) -> VRP:
    """Three customers on a line whose goods go from 2 to 5 and from 3 to 4, and customer 1, who gets 2."""
    given = {"demands": [0, 2, 3, 4, 0, 3], "capacity": 9, "shipments": [(2, 5), (3, 4)]}
    return VRP.from_points(XY, **(given | changes))


@pytest.mark.parametrize("seed", range(60))
def test_routes_are_judged_as_by_a_walk(seed: int) -> None:
    assert_judged_as_by_a_walk(shipment_problem(seed), seed)


def test_a_load_changes_along_its_route() -> None:
    given = problem()
    assert given.demands.tolist() == [0, 2, 3, 4, -4, -3], "a delivery unloads what its pickup loads"
    route = np.array([1, 2, 3, 4, 5])
    assert given.loads_along(route)[:, 0].tolist() == [2, 0, 3, 7, 3, 0], "customer 1 is served from the depot"
    assert itinerary(given, [route])[0].loads.tolist() == [2, 0, 3, 7, 3, 0, 0]  # type: ignore[union-attr]
    assert given.check([route]).feasible and itinerary(given, [route])[0].load == 7
    (fault,) = problem(capacity=6).check([route]).violations
    assert fault == "route 1 carries 7, 1 over the capacity 6"
    assert problem(capacity=6).check([np.array([2, 5, 3, 4, 1])]).feasible, "2 + 4 at once"


@pytest.mark.parametrize(
    ("route", "fault"),
    [
        ([2, 3, 4, 5, 1], None),
        ([2, 5, 1, 3, 4], None),
        ([2, 3, 5, 4, 1], "route 1 serves customer 6 while goods loaded later are aboard"),
        ([3, 1, 2, 4, 5], "route 1 serves customer 5 while goods loaded later are aboard"),
    ],
)
def test_goods_may_be_a_stack(route: list[int], fault: str | None) -> None:
    assert problem().check([np.array(route)]).feasible
    assert problem(lifo=True).check([np.array(route)]).violations == (() if fault is None else (fault,))
    assert not problem(lifo=True, shipments=[], demands=[0] * 6).lifo


@pytest.mark.parametrize("seed", range(30))
def test_stacks_are_judged_as_by_a_walk(seed: int) -> None:
    given = one_stack(seed, pairs=3, others=0)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        order: list[int] = []
        for at in rng.permutation(len(given.shipments)).tolist():
            first = int(rng.integers(len(order) + 1))
            order.insert(first, given.shipments[at].pickup)
            order.insert(int(rng.integers(first + 1, len(order) + 1)), given.shipments[at].delivery)
        assert given.check([np.array(order)]).feasible is (walked(given, [order]) is not None)


@pytest.mark.parametrize(
    ("routes", "fault"),
    [
        ([[1, 5, 2, 3, 4]], "route 1 serves customer 6 before its pickup, customer 3"),
        ([[1, 2, 3, 4], [5]], "customer 3 is on route 1, and its delivery, customer 6, on route 2"),
        ([[1, 2, 3, 4]], "of the shipment from customer 3 to customer 6, one end is served without the other"),
    ],
)
def test_a_broken_shipment_is_told(routes: list[list[int]], fault: str) -> None:
    assert fault in problem().check([np.array(route) for route in routes]).violations


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shipments": [(2, 5), (3, 2)]}, "customer 3 is in two shipments; a stop has one pickup or delivery"),
        ({"shipments": [(2, 2)]}, "customer 3 is in two shipments"),
        ({"shipments": [(0, 2)]}, "the pickup 0 of a shipment is no customer; here nodes are 0 to 5"),
        ({"shipments": [(2, 6)]}, "the delivery 6 of a shipment is no customer"),
        ({"shipments": [(2, 3.5)]}, "the delivery 3.5 of a shipment is no customer"),
        ({"shipments": [(2, 3, 4)]}, "a shipment is a pickup and a delivery, not (2, 3, 4)"),
        ({"shipments": [7]}, "a shipment is a pickup and a delivery, not 7"),
        ({"demands": [0, 2, 3, 4, 0, 2]}, "customer 6 delivers 2; its pickup, customer 3, loads 3"),
        ({"demands": [0, -2, 3, 4, 0, 3]}, "node 2 has the demand -2; it must be a number of at least 0"),
        ({"demands": [0, 2, -3, 4, 0, 3]}, "node 3 has the demand -3"),
        ({"releases": [0, 0, 5, 0, 0, 0]}, "customer 3 is in a shipment, whose goods are not at the depot"),
    ],
)
def test_what_is_no_shipment_is_one_line(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(wt.InputError) as caught:
        problem(**changes)
    assert message in str(caught.value) and str(caught.value).isprintable()


def test_demands_of_deliveries_may_be_opposite_equal_or_nothing() -> None:
    for last in ([-4, -3], [4, 3], [0, 0]):
        assert problem(demands=[0, 2, 3, 4, *last]).demands.tolist() == [0, 2, 3, 4, -4, -3]


def test_a_shipment_that_no_vehicle_can_carry_is_proved() -> None:
    windows = [None, None, (8, 9), None, None, (0, 10)]
    for changes, message in (
        ({"capacity": 3}, "customer 4: too large for any vehicle: 4, and the largest carries 3"),
        (
            {"windows": windows},
            "from customer 3, the delivery of its shipment, customer 6, cannot be reached within its hours",
        ),
    ):
        with pytest.raises(wt.InfeasibleError, match=message):
            wt.solve(problem(**changes), iterations=10)


def test_the_ends_of_a_lost_shipment_have_a_reason() -> None:
    """The pickup would cost nothing alone; what its delivery would is told of both."""
    lost = problem(prizes=[0, np.inf, 1, np.inf, np.inf, 2], capacity=7)
    found = unserved(lost, [np.array([1, 3, 4])])
    assert [(each.node, each.reason) for each in found] == [(2, "price"), (5, "price")]
    assert {each.text for each in found} == {
        "no room left, and a vehicle of its own costs more than its prize: 10.00 against 3.00"
    }
    eased, left = servable(problem(capacity=3))
    assert [each.node for each in left] == [3, 4] and eased.required.tolist() == [False, True, True, False, False, True]
