"""Problems from lists of depots, customers and types of vehicles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from warptour.model.customers import Customer, Depot, fleet_problem
from warptour.model.errors import InputError
from warptour.model.fleet import Alternatives, VehicleType

DEPOTS = [Depot(0, 0, name="north"), Depot(0, 30, name="south")]
VAN = VehicleType(count=2, capacities=(3, 1), start=0, end=1, name="van")
TRUCK = VehicleType(count=1, capacities=(9, 5), start=1, end=1, name="truck", skills=("crane", "ramp"))


def test_nodes_are_the_depots_then_the_customers() -> None:
    customers = [
        Customer(0, 10, (1, 1), prize=5.0, name="A"),
        Customer(0, 20, (2, 0), skills=("crane",), group="g"),
        Customer(3, 20, (2, 0), vehicles=("van",), group="g"),
    ]
    problem = fleet_problem(DEPOTS, customers, [VAN, TRUCK])
    assert problem.depots == (0, 1) and problem.customers.tolist() == [2, 3, 4]
    assert problem.labels == ("north", "south", "A", "", "") and problem.dimensions == 2
    assert problem.demand_table.tolist() == [[0, 0], [0, 0], [1, 1], [2, 0], [2, 0]]
    assert problem.fleet is not None and problem.fleet.allowed is not None
    assert problem.fleet.allowed[2:].tolist() == [[True, True], [False, True], [True, False]]
    assert problem.alternatives == (Alternatives((3, 4)),)
    assert problem.prizes is not None and problem.prizes[2:].tolist() == [5, math.inf, math.inf]
    assert problem.cost([np.array([2, 4])]) == pytest.approx(10 + math.hypot(3, 10) + math.hypot(3, 10))
    assert problem.check([np.array([2, 4])]).feasible


def test_customers_with_a_word_in_common_go_together_or_stay_apart() -> None:
    customers = [
        Customer(0, 1, together=("kitchen",), apart=("acid", "food")),
        Customer(0, 2, together=("kitchen",)),
        Customer(0, 3, apart=("acid",)),
        Customer(0, 4, apart=("food",)),
    ]
    problem = fleet_problem(DEPOTS, customers, [VehicleType(capacities=(1,))])
    assert problem.together == ((2, 3),) and problem.apart == ((2, 4), (2, 5))


def test_times_are_those_of_a_clock_or_in_the_unit_of_the_distances() -> None:
    depots = [Depot(0, 0, windows="06:00-20:00")]
    customers = [Customer(0, 10, 1, windows="08:00-12:00, 14:00-18:00", service=600)]
    van = VehicleType(capacities=(1,), opens=7 * 3600, closes=9 * 3600)
    problem = fleet_problem(depots, customers, [van], unit="km", speed=30)
    (day,) = problem.days([np.array([1])])
    pace = problem.schedule.pace if problem.schedule else 0
    assert (day.starts * pace / 60).tolist() == pytest.approx([460, 480, 510])
    plain = fleet_problem(
        [Depot(0, 0)], [Customer(0, 10, 1, windows=(15, 30), service=5)], [VehicleType(capacities=(1,))]
    )
    assert plain.days([np.array([1])])[0].starts.tolist() == [5, 15, 30]


def test_customers_may_give_something_back() -> None:
    given = [Customer(1, 1, demand=(2, 1)), Customer(2, 2, pickup=(0, 3)), Customer(3, 3, demand=(1, 1), pickup=(1, 0))]
    van = VehicleType(capacities=(4, 4))
    problem = fleet_problem([Depot()], given, [van], backhauls="last")
    assert problem.pickups is not None and problem.pickups.tolist() == [[0, 0], [0, 0], [0, 3], [1, 0]]
    assert problem.backhauls == "last" and problem.order_faults(np.array([2, 1])) != []


def test_distances_may_be_given() -> None:
    matrix = np.array([[0, 4], [7, 0]])
    problem = fleet_problem([Depot()], [Customer(1, 1)], [VehicleType(capacities=(1,))], matrix=matrix)
    assert problem.cost([np.array([1])]) == 11


@pytest.mark.parametrize(
    ("customers", "message"),
    [
        ([], "a problem of a fleet has a depot and a customer at least"),
        ([Customer(skills=("ladder",))], r"customer 3 needs the skill 'ladder', which no vehicle has"),
        ([Customer(vehicles=("bike",), name="A")], r"customer 3 \('A'\) may be served by 'bike', and no type"),
        ([Customer(demand=(1, 1)), Customer(demand=1)], "demands have 2 dimensions, and some customers have fewer"),
        ([Customer(demand=(1, 1), prize=-1)], "has the prize -1"),
        ([Customer(demand=(1, 1), pickup=1)], "pickups have 2 dimensions, and some customers have fewer"),
    ],
)
def test_bad_input_is_one_line(customers: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fleet_problem(DEPOTS, customers, [VAN, TRUCK])
