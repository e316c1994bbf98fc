"""Several trips of a vehicle: options, tables of vehicles, and files of solutions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from warptour.api.arguments import starting_point
from warptour.io import read_solution, write_solution
from warptour.model.itinerary import itinerary
from warptour.model.vehicles import VRP
from warptour.observe.wording import route_text

STOPS = "name,x,y,demand\nDepot,0,0,\nA,1,2,3\nB,5,1,2\nC,2,2,3\nD,7,7,2\nE,4,4,3\n"
PLAN = [np.array([1, 2, 0, 3, 0, 5, 4], np.int32)]


def table(folder: Path) -> Path:
    """Return a table of five stops."""
    (folder / "day.csv").write_text(STOPS)
    return folder / "day.csv"


def day(folder: Path) -> VRP:
    """Return them with one vehicle; the goods of two are late."""
    problem = wt.read(table(folder), capacity=6, vehicles=1, max_trips=3)
    assert isinstance(problem, VRP)
    return replace(problem, releases=[0, 0, 0, 20, 0, 25])


@pytest.mark.parametrize("suffix", [".sol", ".csv", ".tsv", ".geojson", ".xlsx"])
def test_plans_with_several_trips_are_read_back(tmp_path: Path, suffix: str) -> None:
    if suffix == ".xlsx":
        pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    problem = day(tmp_path)
    write_solution(tmp_path / f"plan{suffix}", problem, PLAN)
    again = read_solution(tmp_path / f"plan{suffix}", problem)
    assert [route.tolist() for route in again] == [PLAN[0].tolist()]  # type: ignore[union-attr]
    assert problem.check(PLAN).feasible


def test_a_plan_of_a_fleet_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "fleet.csv").write_text("name,count,capacity,max_trips\nvan,1,6,3\nbike,2,2,any\n")
    problem = wt.read(table(tmp_path), fleet=tmp_path / "fleet.csv")
    assert isinstance(problem, VRP) and problem.fleet is not None
    assert [each.max_trips for each in problem.fleet.types] == [3, None]
    plan = [PLAN[0][:6], np.empty(0, np.int32), np.array([4], np.int32)]
    for suffix in (".sol", ".csv"):
        write_solution(tmp_path / f"plan{suffix}", problem, plan)
        assert [*map(list, read_solution(tmp_path / f"plan{suffix}", problem))] == [*map(list, plan)]


@pytest.mark.parametrize("fleet", [False, True])
def test_a_search_begins_with_the_trips_of_another_day(tmp_path: Path, fleet: bool) -> None:
    (tmp_path / "fleet.csv").write_text("name,count,capacity,max_trips\nvan,1,6,3\n")
    options = {"fleet": tmp_path / "fleet.csv"} if fleet else {"capacity": 6, "vehicles": 1, "max_trips": 3}
    problem = wt.read(table(tmp_path), **options)
    write_solution(tmp_path / "plan.csv", problem, PLAN)
    known = starting_point(problem, tmp_path / "plan.csv")
    assert [route.tolist() for route in known] == [PLAN[0].tolist()]
    (tmp_path / "day.csv").write_text(STOPS.replace("C,2,2,3", "F,3,2,3"))
    other = wt.read(tmp_path / "day.csv", **options)
    with pytest.warns(wt.InputWarning, match="1 of its stops are gone, 1 are new"):
        mended = starting_point(other, tmp_path / "plan.csv")
    assert other.check(mended).feasible


def test_loads_are_told_trip_by_trip(tmp_path: Path) -> None:
    problem = day(tmp_path)
    (trip,) = itinerary(problem, PLAN)
    assert trip.loads is not None
    assert trip.loads.tolist() == [0, 3, 5, 0, 3, 0, 3, 5, 5]
    assert route_text(problem, trip).startswith("5 stops on 3 trips, load 5 of 6, ")
    assert trip.times is not None and trip.times.departures[3] >= 20 and trip.times.departures[5] >= 25


@pytest.mark.parametrize(
    ("route", "fault"),
    [
        ([1, 2, 0, 3, 5, 4], "route 1 carries 8, 2 over the capacity 6"),
        ([1, 0, 2, 0, 3, 0, 5, 4], "route 1 makes 4 trips, 1 more than 3"),
    ],
)
def test_what_breaks_a_rule_of_trips_is_said(tmp_path: Path, route: list[int], fault: str) -> None:
    assert day(tmp_path).check([np.array(route)]).violations == (fault,)


def test_one_trip_has_no_depot_within(tmp_path: Path) -> None:
    problem = wt.read(table(tmp_path), capacity=6)
    assert problem.check([np.array([1, 2, 0, 3]), np.array([4, 5])]).violations  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"max_trips": 0}, "--max-trips"),
        ({"max_trips": 2, "open": True}, "do not go with open routes"),
        ({"max_trips": 2, "balance": "load", "vehicles": 2}, "do not go with even routes"),
    ],
)
def test_what_several_trips_do_not_go_with_is_refused(tmp_path: Path, options: dict[str, object], fault: str) -> None:
    with pytest.raises(wt.UsageError, match=fault):
        wt.read(table(tmp_path), capacity=6, **options)  # type: ignore[arg-type]


def test_a_fleet_says_itself_how_often_it_goes_out(tmp_path: Path) -> None:
    (tmp_path / "fleet.csv").write_text("name,capacity,max_trips\nvan,6,0\n")
    with pytest.raises(wt.InputError, match="max_trips of 'van' is '0'; it must be a whole number") as caught:
        wt.read(table(tmp_path), fleet=tmp_path / "fleet.csv")
    assert caught.value.line == 2
    (tmp_path / "fleet.csv").write_text("name,capacity\nvan,6\n")
    with pytest.raises(wt.UsageError, match="column max_trips"):
        wt.read(table(tmp_path), fleet=tmp_path / "fleet.csv", max_trips=2)


def test_a_model_reloads_in_pyvrps_words() -> None:
    model = wt.Model()
    places = [model.add_location(x, 0) for x in (0, 3, 7)]
    depot = model.add_depot(places[0])
    for place in places[1:]:
        model.add_client(place, delivery=1)
    model.add_vehicle_type(1, capacity=1, reload_depots=[depot], max_reloads=1)
    for a in places:
        for b in places:
            model.add_edge(a, b, distance=round(abs(a.x - b.x)))
    found = model.solve(iterations=200)
    (route,) = found.best.routes()
    assert (found.cost(), route.num_clients(), len(route)) == (20, 2, 5)
