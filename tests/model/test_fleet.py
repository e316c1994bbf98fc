"""Fleets are judged as by a judge who walks along each route and shares no code with warptour."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fleet_problems import fleet_problem, some_routes, walked
from warptour.model.errors import InputError
from warptour.model.fleet import Alternatives, Fleet, VehicleType
from warptour.model.itinerary import itinerary
from warptour.model.metric import METRICS
from warptour.model.scaling import scaled
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

POINTS = np.array([[0.0, 0], [10, 0], [20, 0], [30, 0], [40, 0]])
VAN = VehicleType(count=2, capacities=(2,), name="van")
TRUCK = VehicleType(count=1, capacities=(9,), start=4, end=4, fixed_cost=5, distance_cost=2, name="truck")


def line(*types: VehicleType, **options: Any) -> VRP:
    """Return depots at both ends of a line, and three customers between them, 10 apart."""
    allowed = options.pop("allowed", None)
    options.setdefault("demands", np.array([0, 1, 1, 1, 0]))
    options.setdefault("depots", (0, 4))
    fleet = Fleet(types or (VAN, TRUCK), allowed=allowed)
    return VRP("line", METRICS["EUC_2D"], POINTS, fleet=fleet, **options)


NONE_REQUIRED = {"prizes": np.zeros(5)}


def routes(*lists: list[int]) -> list[np.ndarray]:
    return [np.array(each, np.int32) for each in lists]


@pytest.mark.parametrize("seed", range(60))
def test_routes_cost_and_are_allowed_as_the_judge_says(seed: int) -> None:
    problem, rng = fleet_problem(seed, 5), np.random.default_rng(seed)
    for _ in range(20):
        given = some_routes(problem, rng)
        report, truth = problem.check(routes(*given)), walked(problem, given)
        assert report.feasible == (truth is not None), (given, report, truth)
        if truth is not None:
            assert report.cost == truth


def test_most_seeds_have_feasible_routes() -> None:
    found = 0
    for seed in range(40):
        problem, rng = fleet_problem(seed, 3), np.random.default_rng(seed)
        found += any(walked(problem, some_routes(problem, rng)) is not None for _ in range(60))
    assert found > 20


def test_each_type_has_its_place_and_price() -> None:
    problem = line()
    assert problem.cost(routes([1, 2], [], [3])) == 40 + 5 + 2 * 20
    assert problem.cost(routes([], [1, 2], [3])) == 85, "vans are alike"
    assert problem.cost(routes([], [], [1, 2, 3])) == 5 + 2 * 60
    assert problem.check(routes([1, 2], [3])).cost == 40 + 60


def test_violations_name_the_vehicle() -> None:
    short = replace(TRUCK, max_distance=30, max_stops=1)
    allowed = np.ones((5, 2), bool)
    allowed[3, 0] = False
    problem = line(VAN, short, allowed=allowed)
    assert problem.check(routes([1, 2, 3])).violations == (
        "vehicle 1 (van) carries 3, 1 over the capacity 2",
        "vehicle 1 (van) may not serve customer 4",
    )
    assert problem.check(routes([], [1], [2, 3])).violations == (
        "vehicle 3 (truck) has 2 stops, 1 more than 1",
        "vehicle 3 (truck) is 40 long, 10 over the limit 30",
    )
    assert problem.check(routes([1], [], [], [2, 3])).violations == ("4 routes, 1 more than the vehicles",)


def test_times_of_types() -> None:
    late = VehicleType(capacities=(9,), opens=10, closes=100, max_duration=50, overtime=20, overtime_cost=3)
    windows = TimeWindows.of([None, (15, 30), None, None, None], 5)
    problem = line(late, windows=windows, service_times=np.array([2.0, 5, 5, 5, 0]), **NONE_REQUIRED)
    (day,) = problem.days(routes([1, 2]))
    assert day.starts.tolist() == [10, 22, 37, 62] and day.duration == 52
    assert problem.cost(routes([1, 2])) == 40 + 3 * 2
    assert problem.check(routes([1, 2])).feasible
    assert problem.check(routes([1, 2, 3])).violations == ("vehicle 1 takes 77, waits and services included, above 70",)
    slow = line(replace(late, speed=0.5), windows=windows, **NONE_REQUIRED)
    assert slow.check(routes([1])).violations == ()
    assert slow.days(routes([2]))[0].duration == 80


def test_a_shift_ends_with_the_last_service_where_there_is_no_end() -> None:
    open_end = VehicleType(capacities=(9,), end=None, closes=24)
    problem = line(open_end, service_times=np.array([0.0, 3, 3, 3, 0]), **NONE_REQUIRED)
    assert problem.cost(routes([1, 2])) == 20
    assert problem.check(routes([1])).feasible
    assert problem.check(routes([1, 2])).violations == ("vehicle 1 is done 2 late; its hours are 0-24",)
    free = line(replace(open_end, start=None), **NONE_REQUIRED)
    assert free.cost(routes([1, 2])) == 10
    (trip,) = itinerary(free, routes([1, 2]))
    assert trip.nodes.tolist() == [1, 2] and trip.orders.tolist() == [1, 2] and trip.stops == slice(0, 2)
    assert not trip.leaves and not trip.returns and trip.times is not None


def test_the_trips_of_a_fleet_are_those_of_its_vehicles() -> None:
    first, second = itinerary(line(), routes([], [2, 1], [3]))
    assert (first.number, first.vehicle, second.number, second.vehicle) == (2, "van", 3, "truck")
    assert first.nodes.tolist() == [0, 2, 1, 0] and second.nodes.tolist() == [4, 3, 4]
    assert first.stops == slice(1, 3) and first.length == 40


def test_a_giant_tour_keeps_empty_routes() -> None:
    problem = line()
    given = routes([], [1, 2], [], [3])
    giant = problem.giant_tour(given)
    assert giant.tolist() == [0, 0, 1, 2, 0, 0, 3, 0]
    assert [*map(list, problem.split_giant_tour(giant))] == [*map(list, given)]


def test_prizes_are_lost_with_their_customers() -> None:
    problem = line(prizes=np.array([0, 7, math.inf, 3.5, 0]))
    assert problem.cost(routes([2])) == 40 + 7 + 3.5
    assert problem.unserved(routes([2])) == [1, 3]
    assert problem.check(routes([2])).feasible
    assert problem.check(routes([1])).violations == ("1 customers are not served, the first is customer 3",)


def test_of_alternatives_one_is_enough() -> None:
    problem = line(alternatives=(Alternatives((1, 3)),))
    assert problem.check(routes([1, 2])).feasible and problem.unserved(routes([1, 2])) == []
    assert problem.check(routes([2])).violations == ("of the alternatives 2, 4, 0 are served",)
    assert problem.unserved(routes([2])) == [1, 3]
    assert line(alternatives=(Alternatives((1, 3), required=False),)).check(routes([2])).feasible


def test_a_part_keeps_its_vehicles_and_groups() -> None:
    problem = line(alternatives=(Alternatives((1, 3)),), apart=((1, 2),), prizes=np.array([0, 1, 2, 3, 0.0]))
    part = problem.part(np.array([0, 4, 3, 2]))
    assert part.depots == (0, 1) and part.fleet is not None
    assert [each.start for each in part.fleet.types] == [0, 1]
    assert part.alternatives == (Alternatives((2,)),) and part.apart == ()
    assert part.cost(routes([3], [], [2])) == problem.cost(routes([2], [], [3])) - 1
    with pytest.raises(InputError, match="'truck' begins or ends at a node that is left out"):
        problem.part(np.array([0, 1, 2]))


def test_a_scaled_fleet_costs_a_thousand_times_as_much() -> None:
    timed = replace(TRUCK, opens=1, closes=500.5, max_duration=99, overtime=0.5, max_distance=80)
    problem = line(VAN, timed, prizes=np.array([0, 7, math.inf, 3.5, 0]))
    large = scaled(problem, "exact")
    given = routes([2], [], [3])
    assert large.cost(given) == 1000 * problem.cost(given)
    assert large.fleet is not None and large.fleet.types[1].closes == 500_500
    assert large.fleet.types[1].distance_cost == 2 and large.check(given).feasible


def test_vehicles_beyond_the_customers_are_seated() -> None:
    fleet = line(replace(VAN, count=5), TRUCK).fleet
    assert fleet is not None
    assert fleet.counts.tolist() == [3, 1] and fleet.numbers.tolist() == [0, 1, 2, 5]
    seated = fleet.seated(routes([], [], [], [], [1, 2], [3]))
    assert [*map(list, seated)] == [[1, 2], [], [], [3]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fixed_cost": 3}, "fixed_cost is for vehicles that are all alike; of a fleet, each type has its own"),
        ({"prizes": np.array([0, -1, 0, 0, 0.0])}, "customer 2 has the prize -1; it must be at least 0"),
        ({"prizes": np.zeros(3)}, "prizes are one number for each of 5 nodes"),
        ({"more_demands": np.zeros((5, 1))}, "vehicle type 'van': its capacities are .2,.; they are 2 numbers"),
        ({"alternatives": (Alternatives((0, 1)),)}, "0 is not a customer"),
        ({"alternatives": (Alternatives((1, 2)), Alternatives((2, 3)))}, "customer 3 is in two groups of alternatives"),
        ({"together": ((1, 1),)}, "are different customers"),
        ({"together": ((1,),)}, r"together \(1,\) are different customers, at least two"),
        ({"together": ((1, 2), (2, 3)), "apart": ((1, 3),)}, "customer 2 and customer 4 are to be together and apart"),
        (
            {"together": ((1, 2),), "alternatives": (Alternatives((2, 3)),)},
            "customer 3 is one of alternatives and goes together with others",
        ),
        ({"apart": ((1, 9),)}, "9 is not a customer"),
        ({"depots": (7,)}, "depot is 7"),
        ({"demands": np.array([0, 1, 1, 1, 1])}, "the depot 5 has the demand 1"),
        ({"allowed": np.ones((5, 3), bool)}, r"which types may serve each node is bool of shape \(5, 2\)"),
        ({"windows": TimeWindows.of([(50, 60), None, None, None, None], 5)}, "shift 0-20 is outside the hours of its"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    types = (replace(VAN, closes=20), TRUCK) if "windows" in options else (VAN, TRUCK)
    with pytest.raises(InputError, match=message):
        line(*types, **options)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"count": 0}, "its number of vehicles is 0; it must be an integer of at least 1, or None"),
        ({"start": 9}, "its routes begin at 9; here nodes are counted from 0 to 4"),
        ({"end": "Berlin"}, "its routes end at Berlin"),
        ({"fixed_cost": -1}, "its fixed cost is -1; it must be a number of at least 0"),
        ({"max_duration": math.nan}, "its longest duration is nan"),
        ({"speed": 0}, "its speed is 0; it must be a number above 0"),
        ({"capacities": ()}, r"its capacities are \(\); they are a number of at least 0"),
        ({"opens": 9, "closes": 5}, "its shift ends at 5, before it begins at 9"),
    ],
)
def test_a_type_that_makes_no_sense_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"vehicle type 'van': {message}"):
        line(replace(VAN, **changes), TRUCK)


def test_several_depots_need_a_fleet() -> None:
    with pytest.raises(InputError, match="2 depots need a fleet"):
        VRP("line", METRICS["EUC_2D"], POINTS, demands=np.array([0, 1, 1, 1, 0]), capacity=3, depots=(0, 4))


def test_without_a_fleet_choices_hold_too() -> None:
    options: Any = {"demands": np.array([0, 1, 1, 1, 1]), "capacity": 9}
    problem = VRP(
        "line", METRICS["EUC_2D"], POINTS, **options, prizes=np.array([0, 7, math.inf, 3, 2.0]), most_stops=2,
        apart=((1, 2),), more_demands=np.array([[0.0], [3], [3], [3], [3]]), more_capacities=(6,),
    )  # fmt: skip
    assert problem.check(routes([2, 3])).feasible and problem.cost(routes([2, 3])) == 60 + 7 + 2
    assert problem.check(routes([2, 1], [3])).violations == ("of customers 2, 3, two are on one route",)
    assert problem.check(routes([2, 3, 4])).violations == (
        "route 1 carries 9 in dimension 2, 3 over the capacity 6", "route 1 has 3 stops, 1 more than 2",
    )  # fmt: skip
