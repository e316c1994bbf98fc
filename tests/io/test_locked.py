"""Plans that are under way, as files and as values, and what is wrong with them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warptour as wt
from warptour.io.locked import with_plan
from warptour.io.plan_json import trips_facts
from warptour.model.vehicles import VRP

NAMES = ["Depot", "Ayr", "Bute", "Crail", "Dunbar", "Elie", "Fife"]


@pytest.fixture
def problem() -> VRP:
    points = [(0, 0), (3, 0), (6, 0), (9, 0), (0, 4), (0, 8), (5, 5)]
    return VRP.from_points(
        points, demands=[0, 1, 2, 3, 1, 2, 1], capacity=8, vehicles=3, labels=NAMES, unit="km", speed=60,
        depart="08:00", max_hours=9, service_minutes=6,
    )  # fmt: skip


def plan(**first: Any) -> dict[str, Any]:
    own = {"vehicle": 1, "stops": ["Ayr", "Bute", "Crail"], "done": 1, "time": "09:00"}
    return {"now": "09:10", "vehicles": [own | first, {"vehicle": 3, "stops": ["Elie", "Dunbar"]}]}


def test_vehicles_begin_where_they_are_with_what_they_have_left(problem: VRP) -> None:
    again = with_plan(problem, plan(left="08:30"))
    first, free, third = again.fleet.types
    assert (first.start, first.opens, first.under_way, first.capacities) == (1, 9 * 3600, True, (7.0,))
    assert first.max_duration == 8.5 * 3600 and first.fixed_cost == 0
    assert not free.under_way and not third.under_way and free.opens == third.opens == 9 * 3600 + 600
    assert again.depots == (0, 1) and again.locks.home.tolist() == [-1, -1, 0, 0, 2, 2, -1]
    served = again.check([np.array([2, 3]), np.array([6]), np.array([5, 4])])
    assert served.feasible and served.cost == pytest.approx((3 + 3 + 9) + 2 * np.hypot(5, 5) + (8 + 4 + 4))


def test_a_vehicle_without_stops_still_drives_home(problem: VRP) -> None:
    again = with_plan(problem, plan())
    all_by_one = [np.empty(0, np.int32), np.array([6]), np.array([5, 4, 2, 3])]
    without = sum(again.route_cost(route, vehicle) for vehicle, route in enumerate(all_by_one) if len(route))
    assert again.cost(all_by_one) == pytest.approx(without + 3)


def test_stops_that_come_and_go(problem: VRP) -> None:
    given = plan(stops=["Ayr", "Bute", "Gone", "Crail"])
    result = wt.solve(problem, locked=given, iterations=200, threads=1)
    assert result.changes.cancelled == ["Gone"]
    assert set(result.changes.new) == {6} and result.changes.dropped == []


def test_a_result_is_taken_over_at_a_time(tmp_path: Path, problem: VRP) -> None:
    trips = [{"distance": 1, "start": 8 * 3600.0, "departures": [29700.0, 30600.0, 32000.0]}]
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"solution": [[2, 3, 4]], "names": [["Ayr", "Bute", "Crail"]], "trips": trips}))
    again = with_plan(problem, path, now="08:20")
    own = again.fleet.types[0]
    assert own.under_way and own.start == 1 and own.opens == 29700 and own.max_duration == 9 * 3600 - 900
    assert again.locks.rank.tolist() == [0, 0, -1, 0, 0, 0, 0], "it drives to Bute already"
    later = with_plan(problem, path, now="07:50")
    assert not later.fleet.types[0].under_way


def test_a_table_is_read_by_its_names(tmp_path: Path, problem: VRP) -> None:
    path = tmp_path / "plan.csv"
    path.write_text("name,route,order\nDepot,2,0\nElie,2,2\nDunbar,2,1\nGone,2,3\nAyr,1,1\nFife,,\n")
    again = with_plan(problem, path)
    assert [route.tolist() for route in again.locks.plan] == [[1], [4, 5], []]
    assert again.locks.cancelled == ("Gone",)


def test_bonds_shipments_and_releases_of_what_is_done() -> None:
    points = np.random.default_rng(1).integers(0, 9, (8, 2))
    problem = VRP.from_points(
        points, demands=[0, 2, 0, 1, 1, 1, 1, 1], capacity=9, vehicles=2, shipments=[(1, 2)], together=[(3, 4)],
        apart=[(3, 5)], releases=[0, 0, 0, 0, 0, 0, 5, 5],
    )  # fmt: skip
    given = {"now": 9, "vehicles": [{"vehicle": 1, "stops": [2, 4, 3, 5, 7], "done": 2, "time": 8}]}
    again = with_plan(problem, given)
    allowed = again.fleet.allowed[:, 0]
    assert again.shipments == () and again.demands.tolist() == [0, 0, 2, 0, 1, 1, 1, 1]
    assert again.fleet.types[0].capacities == (9.0,), "goods of the shipment count by its delivery, others are unloaded"
    assert not again.fleet.allowed[[2, 4, 6], 1].any(), "aboard, or together with what is done"
    assert not allowed[5] and not allowed[7], "apart from what is done, and goods that were not there"


@pytest.mark.parametrize(
    ("first", "fault"),
    [
        ({"vehicle": 4}, r"vehicles\[0\]\.vehicle: there is no vehicle 4; they are 1 to 3"),
        ({"vehicle": 3}, r"vehicles\[1\]\.vehicle: vehicle 3 is in the plan twice"),
        ({"stops": ["Ayr", "Elie"]}, r"vehicles\[1\]\.stops: stop 6 \('Elie'\) is planned for vehicle 1, too"),
        ({"stops": ["Ayr", "Ayr"], "done": 0}, r"vehicles\[0\]\.stops: stop 2 \('Ayr'\) is planned twice"),
        ({"done": ["Elie"]}, r"vehicles\[1\]\.stops: stop 6 \('Elie'\) is done already, by vehicle 1"),
        ({"done": 4}, r"vehicles\[0\]\.done: it is 4; it must be a whole number from 0 to 3"),
        (
            {"done": ["Gone"]},
            r"vehicles\[0\]\.done: the last of them is not in the file; say where",
        ),
        ({"at": "Gone"}, r"vehicles\[0\]\.at: the file has no row 'Gone'; add one for where the vehicle is"),
        ({"at": "Bute"}, r"vehicles\[0\]\.at: stop 3 \('Bute'\) is still to be served: say that it is done, or where"),
        ({"time": "25:61"}, r"vehicles\[0\]\.time: '25:61' is no time of day"),
        ({"left": "09:30"}, r"vehicles\[0\]\.left: it is after the time at which the vehicle can go on"),
        ({"time": "18:00"}, r"vehicles\[0\]\.time: the vehicle is out for 1:00 h longer than it may be"),
        ({"load": 9}, r"vehicles\[0\]\.load: 9 is above the capacity 8"),
        ({"load": [1, 2]}, r"vehicles\[0\]\.load: it has 2 numbers, and loads have 1"),
        (
            {"stays": ["Elie"]},
            r"vehicles\[0\]\.stays: stop 6 \('Elie'\) is not one of the stops that vehicle 1 has",
        ),
        ({"first": ["Bute"], "last": ["Bute"]}, r"vehicles\[0\]\.last: stop 3 \('Bute'\) is to be first and last"),
        ({"first": ["Crail"], "order": True}, r"order: stop 3 \('Bute'\) before stop 4 \('Crail'\) contradicts which"),
        ({"new": 1}, r"vehicles\[0\]\.new: it is 1; it must be true or false"),
        ({"stops": [99]}, r"vehicles\[0\]\.stops\[0\]: 99 is no stop; they are 1 to 7, or names"),
    ],
)
def test_what_contradicts_is_one_line(problem: VRP, first: dict[str, Any], fault: str) -> None:
    with pytest.raises(wt.InputError, match=fault):
        with_plan(problem, plan(**first))


def test_what_is_no_plan(tmp_path: Path, problem: VRP) -> None:
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(wt.InputError, match="is no plan: it has no vehicles"):
        with_plan(problem, tmp_path / "a.json")
    with pytest.raises(wt.UsageError, match="says not when stops are left, which --now needs"):
        with_plan(problem, [[1, 2], [3]], now="09:00")
    with pytest.raises(wt.UsageError, match="the cost of a change is -1"):
        with_plan(problem, [[1, 2], [3]], change_cost=-1)
    with pytest.raises(wt.UsageError, match="is one tour"):
        with_plan(wt.TSP.from_points([(0, 0), (1, 1), (2, 0)]), [[1, 2]])
    with pytest.raises(wt.InputError, match="no stop of points is left"):
        with_plan(problem, {"now": "09:00", "vehicles": [{"stops": NAMES[1:], "done": 6}]})


def test_pickups_that_are_done_are_aboard_and_deliveries_are_not() -> None:
    points = [(0, 0), (1, 0), (2, 0), (3, 0)]
    problem = VRP.from_points(points, demands=[0, 4, 1, 2], pickups=[0, 3, 0, 5], capacity=9, vehicles=1)
    again = with_plan(problem, {"vehicles": [{"stops": [2, 3, 4], "done": 1}]})
    assert again.fleet.types[0].capacities == (6.0,)
    assert again.pickups[:, 0].tolist() == [0, 0, 0, 5] and again.demands.tolist() == [0, 0, 1, 2]
    backhauls = VRP.from_points(
        points, demands=[0, 4, 1, 0], pickups=[0, 0, 0, 5], capacity=9, vehicles=1, backhauls="last"
    )
    plan = {"vehicles": [{"stops": [4, 2, 3], "done": 1, "stays": [2]}]}
    with pytest.raises(
        wt.InputError, match=r"vehicles\[0\]\.stays: stop 2 cannot stay on a vehicle that may not serve it"
    ):
        with_plan(backhauls, plan)
    with pytest.raises(wt.UsageError, match="backhauls after-deliveries does not go with a plan under way"):
        with_plan(replace(backhauls, backhauls="after-deliveries"), [[1, 2, 3]])
    stacked = VRP.from_points(points, demands=[0, 4, 0, 1], capacity=9, shipments=[(1, 2)], lifo=True)
    with pytest.raises(
        wt.UsageError, match="goods aboard, those of stop 2, and --lifo do not go with a plan under way"
    ):
        with_plan(stacked, {"vehicles": [{"stops": [2, 3, 4], "done": 1}]})


def test_goods_aboard_are_delivered_before_their_longest_ride_ends(tmp_path: Path) -> None:
    points = [(0, 0), (3, 0), (9, 0), (5, 0), (7, 0)]
    problem = VRP.from_points(
        points, demands=[0, 1, 0, 1, 1], capacity=3, vehicles=1, shipments=[wt.Shipment(1, 2, 8)], unit="km", speed=60,
        depart="08:00", windows=[None, None, ("08:00", "12:00"), None, None],
    )  # fmt: skip
    problem = replace(problem, shipments=(wt.Shipment(1, 2, 480),))
    given = {"now": "08:04", "vehicles": [{"stops": [2, 4, 5, 3], "done": 1, "time": "08:03", "left": "08:00"}]}
    with pytest.raises(
        wt.InputError, match=r"vehicles\[0\].departures: when each done stop was left is missing: goods"
    ):
        with_plan(problem, given)
    given["vehicles"][0]["departures"] = ["08:03"]
    again = with_plan(problem, given)
    assert again.windows.text(2, clock=True) == "08:00-08:11"
    result = wt.solve(again, iterations=500, threads=1)
    assert again.check(result.routes).feasible and result.trips[0].times.arrivals[-2] <= 8 * 3600 + 660
    morning = wt.solve(problem, iterations=500, threads=1)
    path = tmp_path / "plan.json"
    trips = trips_facts(problem, morning.trips)
    path.write_text(json.dumps({"solution": [(route + 1).tolist() for route in morning.routes], "trips": trips}))
    assert with_plan(problem, path, now="08:04").windows.text(2, clock=True) == "08:00-08:11"


@pytest.mark.parametrize(
    ("vehicles", "fault"),
    [
        ([{"stops": [2, 3, 4], "first": [3]}], r"\[0\]\.first: stop 3 comes before its pickup, stop 2"),
        ([{"stops": [2, 3, 4], "first": [3, 2]}], r"\[0\]\.first: stop 3 comes before its pickup, stop 2"),
        ([{"stops": [4, 3, 2], "last": [2]}], r"\[0\]\.last: stop 3 comes before its pickup, stop 2"),
        ([{"stops": [2, 3, 4], "order": [3, 4, 2]}], r"\[0\]\.order: stop 3 comes before its pickup, stop 2"),
        (
            [{"stops": [2, 4], "stays": [2]}, {"stops": [3], "stays": True}],
            r"\[1\]\.stays: stop 3 cannot stay there: its pickup, stop 2, is on vehicle 1",
        ),
        ([{"stops": [2, 3, 4], "first": [2, 3]}], ""),
        ([{"stops": [2, 3, 4], "done": 1, "first": [3]}], ""),
        ([{"stops": [4, 2, 3], "first": [2], "last": [3]}], ""),
    ],
)
def test_locks_that_contradict_shipments_are_one_line(vehicles: list[dict[str, Any]], fault: str) -> None:
    points = [(0, 0), (1, 0), (2, 0), (3, 0)]
    problem = VRP.from_points(points, demands=[0, 1, 0, 1], capacity=3, vehicles=2, shipments=[(1, 2)])
    if fault:
        with pytest.raises(wt.InputError, match=r"vehicles" + fault):
            with_plan(problem, {"vehicles": vehicles})
    else:
        assert wt.solve(problem, locked={"vehicles": vehicles}, iterations=100, threads=1).feasible
