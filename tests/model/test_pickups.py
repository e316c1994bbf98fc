"""Two-way loads in the model: loads along routes, the order of deliveries and pickups, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import warptour as wt
from fleet_problems import assert_judged_as_by_a_walk
from pickup_problems import pickup_problem
from warptour.model.itinerary import itinerary
from warptour.model.unserved import unserved
from warptour.model.vehicles import VRP

XY = [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]


def problem(**changes: Any) -> VRP:
    """Four customers on a line: 1 gets 2, 2 gives 4, 3 gets 3 and gives 1, and 4 neither gets nor gives."""
    given = {"demands": [0, 2, 0, 3, 0], "pickups": [0, 0, 4, 1, 0], "capacity": 6}
    return VRP.from_points(XY, **(given | changes))


@pytest.mark.parametrize("seed", range(60))
def test_routes_are_judged_as_by_a_walk(seed: int) -> None:
    assert_judged_as_by_a_walk(pickup_problem(seed), seed)


def test_empties_go_back_as_bottles_go_out() -> None:
    given, route = problem(), np.array([1, 3, 2, 4])
    assert given.loads_along(route)[:, 0].tolist() == [5, 3, 1, 5, 5]
    (trip,) = itinerary(given, [route])
    assert trip.loads is not None and trip.loads.tolist() == [5, 3, 1, 5, 5, 5] and trip.load == 5
    assert given.check([route]).feasible
    assert given.check([np.array([2, 1, 3, 4])]).violations == ("route 1 carries 9, 3 over the capacity 6",)
    assert problem(demands=[0, 20, 0, 30, 0], pickups=[0, 0, 40, 10, 0], capacity=60).check([route]).feasible


def test_loads_of_several_dimensions_have_units_of_their_own() -> None:
    given = VRP.from_points(
        XY[:3], demands=[0, 0.5, 0], more_demands=np.array([[0], [3], [0]]), more_capacities=(3.0,), capacity=1.5,
        pickups=[[0, 0], [0.25, 0], [1.25, 2]],
    )  # fmt: skip
    assert given.amounts_along(np.array([1, 2])).tolist() == [[0.5, 3], [0.25, 0], [1.5, 2]]
    assert given.check([np.array([1, 2])]).feasible
    assert given.check([np.array([2, 1])]).violations == (
        "route 1 carries 1.75, 0.25 over the capacity 1.5", "route 1 carries 5 in dimension 2, 2 over the capacity 3",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "route", "fault"),
    [
        ("last", [3, 4, 1], "picks up at customer 4 before its delivery to customer 2"),
        ("last", [1, 2, 4, 3], "picks up at customer 3 before its delivery to customer 4"),
        ("last", [1, 4, 3, 2], None),
        ("last", [2, 4], None),
        ("after-deliveries", [2, 4], "has pickups and no delivery before them"),
        ("after-deliveries", [3, 2], None),
        ("after-deliveries", [4], None),
        (None, [2, 1], None),
    ],
)
def test_the_order_of_deliveries_and_pickups(rule: str | None, route: list[int], fault: str | None) -> None:
    found = problem(capacity=99, backhauls=rule).order_faults(np.array(route))
    assert found == ([] if fault is None else [fault])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pickups": [0, 0, -4, 1, 0]}, "node 3 has the pickup -4; it must be a number of at least 0"),
        ({"pickups": [0, 0, np.nan, 1, 0]}, "node 3 has the pickup nan"),
        ({"pickups": [0, 0, 4, 1]}, "4 pickups for 5 nodes"),
        ({"pickups": np.ones((5, 2))}, "pickups are 1 numbers a node, as demands; here they have the shape (5, 2)"),
        ({"pickups": [1, 0, 4, 1, 0]}, "node 1 is a depot; goods for the depot are picked up at other stops"),
        ({"shipments": [(2, 4)]}, "node 3 is in a shipment; goods for the depot are picked up at other stops"),
    ],
)
def test_what_is_no_pickup_is_one_line(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(wt.InputError) as caught:
        problem(**changes)
    assert message in str(caught.value) and str(caught.value).isprintable()


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(wt.UsageError, match="backhauls are last or after-deliveries, not 'first'"):
        problem(backhauls="first")


def test_nothing_picked_up_is_a_plain_problem() -> None:
    given = problem(pickups=[0, 0, 0, 0, 0], backhauls="last")
    assert given.pickups is None and given.backhauls is None and not given.mixed


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"capacity": 3.5}, "customer 3: too large for any vehicle: 4, and the largest carries 3.5"),
        ({"together": [(2, 3)], "capacity": 4}, "together with customer 4: too large for any vehicle: 5"),
        (
            {"demands": [0] * 5, "backhauls": "after-deliveries"},
            "customer 3 has a pickup, which comes after a delivery",
        ),
    ],
)
def test_what_no_vehicle_can_carry_is_proved(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(wt.InfeasibleError, match=message):
        wt.solve(problem(**changes), iterations=10)


def test_a_pickup_that_no_delivery_precedes_is_told_so() -> None:
    given = problem(prizes=[0, 1, 5, np.inf, 1], backhauls="after-deliveries", capacity=4)
    found = {each.node: each.text for each in unserved(given, [np.array([3])])}
    assert found[2] == "no room left behind deliveries, and no route has pickups alone"


def test_a_part_keeps_the_pickups_of_its_customers() -> None:
    part = problem(backhauls="last").part(np.array([0, 3, 2]))
    assert part.pickups is not None and part.pickups[:, 0].tolist() == [0, 1, 4] and part.backhauls == "last"
