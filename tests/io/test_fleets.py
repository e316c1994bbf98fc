"""Tables of vehicles, and what stops ask of them, in several languages."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warptour as wt
from warptour.io import read
from warptour.model.errors import InputError, UsageError
from warptour.model.fleet import Alternatives, Fleet
from warptour.model.vehicles import VRP

STOPS = "name,x (km),y (km),demand\nD,0,0,\nA,0,10,1\nB,10,0,2\nE,5,5,\n"
TIMES: dict[str, Any] = {"speed": 30}


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def planned(tmp_path: Path, fleet: str, stops: str = STOPS, **options: Any) -> tuple[VRP, Fleet]:
    (tmp_path / "fleet.csv").write_text(fleet, encoding="utf-8")
    stops = stops.replace("E,5,5,\n", "E,5,5,0\n") if "E" not in fleet else stops
    problem = read(written(tmp_path / "stops.csv", stops), fleet=tmp_path / "fleet.csv", **options)
    assert isinstance(problem, VRP) and problem.fleet is not None
    return problem, problem.fleet


def test_each_row_is_a_type(tmp_path: Path) -> None:
    table = (
        "name,count,capacity,start,end,shift_from,shift_to,max_hours,max_km,max_stops,fixed_cost,cost_km,cost_hour,"
        "overtime_hours,overtime_cost,speed_factor\n"
        "van,3,10,D,E,08:00,16:30,8,120,9,40,0.5,30,2,45,1\ntruck,any,50,,none,,,,,,,,,,,0.8\n"
    )
    problem, fleet = planned(tmp_path, table, **TIMES)
    van, truck = fleet.types
    assert (van.name, van.count, van.capacities, van.start, van.end) == ("van", 3, (10,), 0, 3)
    assert (van.opens, van.closes, van.max_duration, van.max_distance) == (8 * 3600, 16.5 * 3600, 8 * 3600, 120)
    assert (van.max_stops, van.fixed_cost, van.distance_cost, van.hour_cost) == (9, 40, 0.5, 30)
    assert (van.overtime, van.overtime_cost, van.speed) == (7200, 45, 1)
    assert (truck.count, truck.capacities, truck.start, truck.end, truck.speed) == (None, (50,), 0, None, 0.8)
    assert (truck.closes, truck.max_distance, truck.distance_cost) == (math.inf, math.inf, 1)
    assert problem.depots == (0, 3) and problem.customers.tolist() == [1, 2]


HEADERS = (
    "Fahrzeug;Anzahl;Kapazität;Startort;Ende;Schichtbeginn;Schichtende;Fixkosten;Kosten pro km",
    "Véhicule;Quantité;Capacité;Lieu de départ;Arrivée;Début;Jusqu'à;Coût fixe;Coût km",
    "Vehículo;Cantidad;Capacidad;Origen;Destino;Desde;Hasta;Coste fijo;Coste por km",
)


@pytest.mark.parametrize("header", HEADERS)
def test_columns_have_words_of_other_languages(tmp_path: Path, header: str) -> None:
    _, fleet = planned(tmp_path, f"{header}\nBus;2;9;D;E;8:00;17:00;7,5;0,4\n", **TIMES)
    (bus,) = fleet.types
    assert (bus.name, bus.count, bus.capacities, bus.start, bus.end) == ("Bus", 2, (9,), 0, 3)
    assert (bus.opens, bus.closes, bus.fixed_cost, bus.distance_cost) == (8 * 3600, 17 * 3600, 7.5, 0.4)


def test_what_a_row_leaves_empty_is_as_the_options_say(tmp_path: Path) -> None:
    options: dict[str, Any] = {"capacity": 7, "fixed_cost": 5, "max_hours": 6, "max_distance": 90, **TIMES}
    _, fleet = planned(tmp_path, "name,fixed_cost\na,\nb,9\n", **options)
    assert [(each.count, each.capacities, each.fixed_cost) for each in fleet.types] == [(1, (7,), 5), (1, (7,), 9)]
    assert {(each.max_duration, each.max_distance) for each in fleet.types} == {(6 * 3600, 90)}
    _, free = planned(tmp_path, "name\na\n")
    assert free.types[0].capacities == (math.inf,)


def test_several_loads(tmp_path: Path) -> None:
    stops = "name,x,y,Menge (kg),pallets\nD,0,0,,\nA,0,10,120,1\nB,10,0,80,2\n"
    problem, fleet = planned(tmp_path, "capacity_kg,capacity (pallets)\n900,4\n500,\n", stops)
    assert [each.capacities for each in fleet.types] == [(900, 4), (500, math.inf)]
    assert problem.demand_table.tolist() == [[0, 0], [120, 1], [80, 2]]
    with pytest.raises(InputError, match=r"there is no demand for pallets: .* call it demand_pallets"):
        planned(tmp_path, "capacity_kg,capacity_pallets\n900,4\n", stops.replace("pallets", "boxes"))


def test_one_load_with_a_name(tmp_path: Path) -> None:
    for header in ("demand_kg", "Menge (kg)", "kg", "demand"):
        problem, _ = planned(tmp_path, "capacity (kg)\n900\n", f"name,x,y,{header}\nD,0,0,\nA,0,10,120\n")
        assert problem.demands.tolist() == [0, 120]


def test_without_demands_vehicles_serve_stops(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "name,x (km),y (km)\nD,0,0\nA,0,10\nB,10,0\n")
    problem = read(path, vehicles=2, max_hours=8, **TIMES)
    assert isinstance(problem, VRP) and problem.vehicles == 2 and problem.max_duration == 8 * 3600
    assert problem.demands.tolist() == [0, 0, 0]
    assert not isinstance(read(path), VRP)
    with pytest.raises(UsageError, match="has no demands, so --capacity cannot apply"):
        read(path, vehicles=2, capacity=5)


def test_several_depots_have_vehicles_each(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", STOPS)
    problem = read(path, capacity=5, vehicles=2, depot=["D", "E"])
    assert isinstance(problem, VRP) and problem.fleet is not None and problem.depots == (0, 3)
    assert [(each.name, each.count, each.start, each.end) for each in problem.fleet.types] == [
        ("D", 2, 0, 0), ("E", 2, 3, 3),
    ]  # fmt: skip


def test_what_stops_ask_of_vehicles(tmp_path: Path) -> None:
    fleet = 'name,skills\nvan,\ncrane truck,"crane, ramp"\nbox truck,ramp\n'
    stops = (
        "name,x,y,demand,skills,vehicles,prize,alternatives\nD,0,0,,,,,\nA,1,0,1,crane,,,\nB,2,0,1,crane | ramp,,,\n"
        'C,3,0,1,,van,,\nE,4,0,1,not ramp,,25,\nF,5,0,1,,not van,,x\nG,6,0,1,"ramp, crane",,,x\n'
    )
    problem, given = planned(tmp_path, fleet, stops)
    assert given.allowed is not None
    assert [[int(may) for may in row] for row in given.allowed[1:]] == [
        [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 1, 0],
    ]  # fmt: skip
    assert problem.prizes is not None and np.flatnonzero(np.isfinite(problem.prizes)).tolist() == [4]
    assert problem.alternatives == (Alternatives((5, 6)),)


def test_a_priority_is_worth_more_than_any_trip(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "name,x,y,demand,priority\nD,0,0,,\nA,0,10,1,2\nB,40,0,1,\nC,0,9,1,1\n")
    problem = read(path, capacity=9, fixed_cost=5)
    assert isinstance(problem, VRP) and problem.prizes is not None
    step = 1 + 5 + 2 * 40
    assert problem.prizes.tolist() == [math.inf, 2 * step, math.inf, step]


def test_a_sheet_of_a_workbook_is_the_fleet(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Stopps"
    for row in (("name", "x", "y", "demand"), ("D", 0, 0, None), ("A", 0, 10, 1), ("B", 10, 0, 2)):
        book.active.append(row)
    sheet = book.create_sheet("Fahrzeuge")
    for row in (("Typ", "Anzahl", "Kapazität"), ("Bus", 2, 9)):
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    problem = read(tmp_path / "a.xlsx")
    assert isinstance(problem, VRP) and problem.fleet is not None and problem.warnings == ()
    assert [(each.name, each.count, each.capacities) for each in problem.fleet.types] == [("Bus", 2, (9,))]


BAD_FLEETS = {
    "column": ("name,colour,capacity\nvan,red,9\n", 1, "a fleet has no column 'colour'; there are name, count,"),
    "twice": ("capacity,payload\n9,9\n", 1, "two columns are capacities"),
    "empty": ("name,capacity\n", 1, "there are no vehicles below the header"),
    "count": ("name,count\nvan,0\n", 2, "count of 'van' is '0'; it must be a whole number of at least 1, or 'any'"),
    "part": ("name,count\nvan,2.5\n", 2, "count of 'van' is '2.5'; it must be a whole number"),
    "negative": ("name,fixed_cost\nvan,-3\n", 2, "fixed_cost of 'van' is -3; it must be a number of at least 0"),
    "word": ("name,capacity\nvan,much\n", 2, "capacity of 'van' is 'much'; it must be a number"),
    "start": ("name,start\nvan,Berlin\n", 2, "start of 'van' is 'Berlin'; no stop has this name"),
    "depot": ("name,depot\nvan,99\n", 2, "depot of 'van' is '99'; no stop has this name"),
    "time": ("name,shift_from\nvan,early\n", 2, "shift_from of 'van' is 'early'; write it as 08:00"),
    "order": ("name,shift_from,shift_to\nvan,9:00,8:00\n", 2, "shift_to of 'van' is '8:00'; a shift ends after it beg"),
    "span": ("name,shift\nvan,8\n", 2, "shift of 'van' is '8'; write it as 08:00-17:00"),
    "stops": ("name,max_stops\nvan,1.5\n", 2, "max_stops of 'van' is 1.5; it must be a whole number of at least 1"),
    "speed": ("name,speed_factor\nvan,0\n", 2, "speed_factor of 'van' is 0; it must be above 0"),
    "loads": ("name,start,capacity\nvan,A,9\n", None, "the depot, 'A', has the demand 1; it must be empty or 0"),
}


@pytest.mark.parametrize("case", BAD_FLEETS)
def test_a_bad_fleet_is_one_line(tmp_path: Path, case: str) -> None:
    text, line, message = BAD_FLEETS[case]
    with pytest.raises(InputError, match=message) as caught:
        planned(tmp_path, text, **TIMES)
    place = "stops.csv:3" if line is None else f"fleet.csv:{line}"
    assert str(caught.value).startswith(f"{tmp_path / place}: ") and str(caught.value).isprintable()


def test_hours_need_travel_times(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="max_hours of 'van' is 8; it needs travel times: --speed, --dura"):
        planned(tmp_path, "name,max_hours\nvan,8\n")
    with pytest.raises(InputError, match="shift_from of 'van' is '08:00'; without travel times it is a number"):
        planned(tmp_path, "name,shift_from\nvan,08:00\n")


BAD_STOPS = {
    "skill": ("skills", "ladder", "no vehicle has the skill 'ladder'; they have crane"),
    "vehicle": ("vehicles", "bike", "no vehicle is called 'bike'; they are van, truck"),
    "prize": ("prize", "-3", "it must be a number of at least 0, or empty where a stop must be served"),
    "prize-word": ("prize", "much", "it must be a number of at least 0"),
    "priority": ("priority", "101", "a priority is from 1 to 100, or empty"),
}


@pytest.mark.parametrize("case", BAD_STOPS)
def test_a_bad_stop_is_one_line(tmp_path: Path, case: str) -> None:
    column, cell, message = BAD_STOPS[case]
    stops = f"name,x,y,demand,{column}\nD,0,0,,\nA,1,0,1,\nB,2,0,1,{cell}\n"
    with pytest.raises(InputError, match=message) as caught:
        planned(tmp_path, "name,skills\nvan,\ntruck,crane\n", stops)
    assert str(caught.value).startswith(f"{tmp_path / 'stops.csv'}:4: '{column}' is '{cell}'; ")
    assert f"--ignore {column}" in str(caught.value)


def test_what_needs_a_fleet_says_so(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "name,x,y,demand,skills\nD,0,0,,\nA,1,0,1,crane\nB,2,0,1,\n")
    with pytest.raises(
        InputError, match=r"'skills' \(skills\) is not used without a fleet .*\(--fleet\); --ignore skills"
    ):
        read(path, capacity=5)
    with pytest.raises(InputError, match="no stop may be served by these vehicles"):
        planned(tmp_path, "name,skills\nvan,\ntruck,crane\n", path.read_text().replace("B,2,0,1,", "B,2,0,1,crane"))


def test_stops_go_together_and_stay_apart(tmp_path: Path) -> None:
    stops = (
        'Name,x,y,Menge,Zusammen,Nicht zusammen\nD,0,0,,,\nA,1,0,1,k1,food\nB,2,0,1,K1,\nC,3,0,1,k2,"acid; food"\n'
        "E,4,0,1,,acid\nF,5,0,1,k2,\n"
    )
    path = written(tmp_path / "a.csv", stops)
    problem = read(path, capacity=5)
    assert isinstance(problem, VRP)
    assert problem.together == ((1, 2), (3, 5)) and problem.apart == ((1, 3), (3, 4))
    result = wt.solve(problem, iterations=1000)
    home = {node: number for number, route in enumerate(result.routes) for node in route.tolist()}
    assert home[1] == home[2] != home[3] == home[5] != home[4]
    with pytest.raises(InputError, match=r"a.csv:3: 'Zusammen' is 'alone'; no other stop has the word 'alone'; or"):
        read(written(path, stops.replace("k1,food", "alone,food")), capacity=5)
    with pytest.raises(
        InputError, match=r"a.csv:4: .* is 'food'; it is to be together with the stop in line 3, and apart"
    ):
        read(written(path, stops.replace("K1,", "K1,food")), capacity=5)


def test_alternatives_have_no_prizes(tmp_path: Path) -> None:
    stops = "name,x,y,demand,prize,alternatives\nD,0,0,,,\nA,1,0,1,5,x\nB,2,0,1,,x\n"
    with pytest.raises(InputError, match="of alternatives one is served, so none has a prize"):
        read(written(tmp_path / "a.csv", stops), capacity=5)


def test_a_file_with_a_depot_of_its_own_has_a_fleet_beside_it(tmp_path: Path) -> None:
    (tmp_path / "fleet.csv").write_text("name,capacity,fixed_cost\nvan,40,9\ntruck,100,20\n")
    problem = read("vrp:20:1", fleet=tmp_path / "fleet.csv")
    assert isinstance(problem, VRP) and problem.fleet is not None
    assert [each.capacities for each in problem.fleet.types] == [(40,), (100,)]
