"""Matrices of roads and travel times beside a table of stops."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from warptour.io import read
from warptour.model.errors import InputWarning, WarptourError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

STOPS = "name,lat,lon\nLager,52.5,13.25\nMüller,52.5,13.5\nWeiß,52.25,13.5\n"
ROADS = np.array([[0, 20_000, 50_000], [21_000, 0, 30_000], [49_000, 31_000, 0]])
SECONDS = np.array([[0, 1800, 3000], [1500, 0, 2000.5], [2900, 2100, 0]])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stops.csv").write_text(STOPS, encoding="utf-8")
    np.save("roads.npy", ROADS)
    np.save("seconds.npy", SECONDS)
    return tmp_path


FORMS = {
    "a.csv": "0,20000,50000\n21000,0,30000\n49000,31000,0\n",
    "b.csv": "0;20000,0;50000,0\n21000,0;0;30000,0\n49000,0;31000,0;0\n",
    "c.txt": "0 20000 50000\n21000 0 30000\n49000 31000 0\n",
    "d.tsv": ",20000,50000\n21000,,30000\n49000,31000,\n".replace(",", "\t"),
    "e.csv": ",Lager,Müller,Weiß\nLager,0,20000,50000\nMüller,21000,0,30000\nWeiß,49000,31000,0\n",
    "f.csv": ",Weiß,Lager,Müller\nMüller,30000,21000,0\nLager,50000,0,20000\nWeiß,0,49000,31000\n",
    "g.csv": ",0,1,2\n0,0,20000,50000\n1,21000,0,30000\n2,49000,31000,0\n",
    "h.csv": "Lager,Müller,Weiß\n0,20000,50000\n21000,0,30000\n49000,31000,0\n",
    "i.json": json.dumps({"code": "Ok", "distances": ROADS.tolist(), "durations": SECONDS.tolist()}),
    "j.json": json.dumps(ROADS.tolist()),
    "k.atsp": "NAME: k\nTYPE: ATSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
    "EDGE_WEIGHT_SECTION\n0 20000 50000\n21000 0 30000\n49000 31000 0\nEOF\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_the_forms_of_a_matrix(folder: Path, form: str) -> None:
    (folder / form).write_text(FORMS[form], encoding="utf-8")
    problem = read("stops.csv", matrix=form)
    assert isinstance(problem, TSP) and problem.asymmetric and problem.unit == "m"
    np.testing.assert_array_equal(problem.points, ROADS)


def test_a_workbook(folder: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    for row in ROADS.tolist():
        book.active.append(row)
    book.save("roads.xlsx")
    np.testing.assert_array_equal(read("stops.csv", matrix="roads.xlsx").points, ROADS)


def test_a_matrix_keeps_the_places(folder: Path) -> None:
    problem = read("stops.csv", matrix="roads.npy")
    assert problem.latlon and problem.on_earth and problem.map is not None
    assert problem.map.tolist()[1] == [52.5, 13.5] and problem.labels == ("Lager", "Müller", "Weiß")
    assert problem.cost(np.array([0, 1, 2])) == 20_000 + 30_000 + 49_000
    assert read("stops.csv", matrix="roads.npy", unit="km").unit == "km"


def test_stops_need_no_places_beside_a_matrix(folder: Path) -> None:
    (folder / "names.csv").write_text("Kunde;Menge\nLager;\nMüller;2\nWeiß;3\n", encoding="utf-8")
    np.save("same.npy", ROADS + ROADS.T)
    problem = read("names.csv", matrix="same.npy", capacity=9)
    assert isinstance(problem, VRP) and problem.map is None and problem.unit is None
    assert problem.labels == ("Lager", "Müller", "Weiß") and problem.demands.tolist() == [0, 2, 3]
    (folder / "list.csv").write_text("Kunde\nLager\nMüller\nWeiß\n", encoding="utf-8")
    assert read("list.csv", matrix="roads.npy", unit="m").labels == ("Lager", "Müller", "Weiß")
    with pytest.raises(WarptourError, match="a header has x,y or lat,lon"):
        read("names.csv", capacity=9)


def test_durations_beside_distances(folder: Path) -> None:
    problem = read("stops.csv", durations="seconds.npy", service_minutes=10, depart="08:00")
    assert problem.clock is not None and problem.minimizes == "distance" and problem.metric.name == "GREAT_CIRCLE"
    assert problem.durations(np.array([1]), np.array([2]))[0] == 2000.5
    assert problem.clock.services.tolist() == [0, 600, 600] and problem.clock.depart == 8 * 3600
    quick = read("stops.csv", durations="seconds.npy", minimize="duration")
    assert quick.minimizes == "duration" and quick.asymmetric and quick.unit == "m" and quick.latlon
    assert quick.cost(np.array([0, 1, 2])) == 1800 + 2000.5 + 2900
    metres = problem.distances(np.array([0, 1]), np.array([1, 2]))
    np.testing.assert_allclose(quick.road_lengths(np.array([0, 1]), np.array([1, 2])), metres)
    both = read("stops.csv", matrix="roads.npy", durations="seconds.npy", minimize="duration")
    assert both.road_lengths(np.array([0]), np.array([2])).tolist() == [50_000]


def test_one_speed(folder: Path) -> None:
    problem = read("stops.csv", speed=36)
    one, two = np.array([0]), np.array([1])
    np.testing.assert_allclose(problem.durations(one, two), problem.distances(one, two) / 10)
    with pytest.warns(InputWarning, match="at one speed the quickest way is the shortest"):
        assert read("stops.csv", speed=36, minimize="duration").minimizes == "distance"
    (folder / "plane.csv").write_text("x (km),y (km)\n0,0\n3,4\n", encoding="utf-8")
    assert read("plane.csv", speed=50).durations(one, two).tolist() == [360]
    (folder / "plane.csv").write_text("x,y\n0,0\n3,4\n", encoding="utf-8")
    assert read("plane.csv", speed=50, unit="Kilometres").durations(one, two).tolist() == [360]
    assert read("uniform:9:1", speed=50, unit="m").clock is not None


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("service_minutes", 300),
        ("Service (min)", 300),
        ("Standzeit [Minuten]", 300),
        ("Standzeit in Min.", 300),
        ("Temps de service (h)", 18_000),
        ("tiempo de servicio (segundos)", 5),
        ("Dwell time minutes", 300),
        ("Entladezeit (Min.)", 300),
        ("czas obsługi (min)", 300),
    ],
)
def test_services_in_a_column(folder: Path, header: str, seconds: float) -> None:
    (folder / "a.csv").write_text(f"lat,lon,demand,{header}\n1,2,,\n3,4,1,5\n", encoding="utf-8")
    problem = read("a.csv", capacity=5, speed=50, max_hours=8)
    assert isinstance(problem, VRP) and problem.clock is not None and problem.max_duration == 8 * 3600
    assert problem.clock.services.tolist() == [0, seconds] and not problem.service_times.any()
    (folder / "a.csv").write_text(f"lat,lon,{header}\n1,2,\n3,4,5\n", encoding="utf-8")
    tour = read("a.csv", speed=50)
    assert tour.clock is not None and tour.clock.services.tolist() == [0, seconds]


def test_a_column_is_chosen(folder: Path) -> None:
    (folder / "a.csv").write_text("lat,lon,Halt\n1,2,3\n3,4,5\n", encoding="utf-8")
    problem = read("a.csv", speed=50, columns={"service_minutes": "Halt"})
    assert problem.clock is not None and problem.clock.services.tolist() == [180, 300]


def test_both_limits(folder: Path) -> None:
    (folder / "a.csv").write_text("x (km),y (km),demand,service\n0,0,,\n3,4,1,5\n", encoding="utf-8")
    problem = read("a.csv", capacity=5, max_distance=20, max_hours=1, speed=50, service_minutes=6)
    assert isinstance(problem, VRP)
    assert [limit.of for limit in problem.limits] == ["distance", "duration"]
    route = np.array([1])
    assert [problem.used(limit, route) * limit.pace for limit in problem.limits] == [15, 720 + 360]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"speed": 50, "durations": "seconds.npy"}, "contradict"),
        ({"speed": 0}, "the speed is 0; it must be above 0"),
        ({"speed": float("nan")}, "above 0"),
        ({"max_hours": 8}, "a limit in hours .* needs travel times: --speed, --durations or --roads"),
        ({"depart": "08:00"}, "a departure .* needs travel times"),
        ({"service_minutes": 5}, "a service in minutes .* needs travel times"),
        ({"minimize": "duration"}, "needs travel times"),
        ({"minimize": "cost"}, "takes distance, duration, vehicles or vehicles,duration, not 'cost'"),
        ({"speed": 50, "depart": "25:00"}, "'25:00' is no time of day; write it as 08:00"),
        ({"speed": 50, "service_minutes": -1}, "at least 0"),
        ({"speed": 50, "max_hours": 8}, "one tour; --max-hours is for the routes of vehicles"),
        ({"unit": "parsec"}, "unknown unit 'parsec'; there are m, km"),
        ({"unit": "km"}, "measures in m, and --unit says km"),
        ({"matrix": "no.npy"}, "no.npy: no such file"),
        ({"matrix": "stops.doc"}, "is no matrix by its suffix"),
        ({"matrix": "four.npy"}, r"four.npy: has 4 x 4 distances, and stops.csv has 3 stops: .* 3 x 3 here"),
        ({"durations": "four.npy"}, "has 4 x 4 durations"),
        ({"matrix": "flat.npy"}, "has 9 distances"),
        ({"matrix": "hole.json"}, "the distance from 'Lager' to 'Weiß' is missing; every stop must be reachable"),
        ({"durations": "hole.json"}, "has no durations: a list of rows"),
        ({"durations": "minus.npy"}, "from 'Müller' to 'Lager' is -5, below 0"),
        ({"matrix": "other.csv"}, "has no row and column for 'Weiß', a stop of stops.csv"),
        ({"matrix": "words.csv"}, "'far' in row 2 of the matrix is not a number"),
        ({"matrix": "stops.tsp"}, "has coordinates and no matrix"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_line(folder: Path, options: dict[str, object], fault: str) -> None:
    np.save("four.npy", np.ones((4, 4)))
    np.save("flat.npy", np.ones(9))
    np.save("minus.npy", np.where(np.eye(3, k=-1, dtype=bool) & (np.arange(3)[:, None] == 1), -5, SECONDS))
    (folder / "hole.json").write_text('{"distances": [[0, 1, null], [1, 0, 1], [1, 1, 0]]}')
    (folder / "other.csv").write_text(",Lager,Müller,Weiss\nLager,0,1,1\nMüller,1,0,1\nWeiss,1,1,0\n")
    (folder / "words.csv").write_text("0,1,1\n1,0,far\n1,1,0\n")
    (folder / "stops.tsp").write_text(
        "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 1 1\n3 2 2\nEOF\n"
    )
    with pytest.raises(WarptourError, match=fault) as caught:
        read("stops.csv", **options)  # type: ignore[arg-type]
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b'{"distances":\n[[0, 1], "\xff"]}', "a.json:2: is not JSON in UTF-8"),
        (b"[" * 100_000, "a.json: is JSON that is nested too deeply"),
        (b"[[" * 40 + b"1" + b"]]" * 40, "a.json: its distances are not rows of numbers"),
        (b"[[0, " + b"9" * 5000 + b", 1]]", "a.json: has an integer of too many digits"),
        (b"[[0, " + b"9" * 400 + b", 1]]", "a.json: its distances are not rows of numbers"),
        (b"[[0, 1e999, 1], [1, 0, 1], [1, 1, 0]]", "a.json: the distance from 'Lager' to 'Müller' is missing"),
        (b"[[0, 1", "a.json:1: is not JSON: "),
    ],
)
def test_json_that_is_no_matrix(folder: Path, content: bytes, fault: str) -> None:
    (folder / "a.json").write_bytes(content)
    with pytest.raises(WarptourError) as caught:
        read("stops.csv", matrix="a.json")
    assert str(caught.value).startswith(fault)


@pytest.mark.parametrize(
    ("header", "options", "fault"),
    [
        ("service", {"speed": 50}, r"'service' does not say its unit of time; call it 'service \(min\)'"),
        ("Service (min)", {"speed": 50, "service_minutes": 5}, "--service-minutes contradicts it"),
        ("Service (min)", {"max_distance": 5}, "does not count without travel times"),
        ("note", {"speed": 50, "service_time": 5}, "minutes are --service-minutes"),
    ],
)
def test_services_that_are_unclear(folder: Path, header: str, options: dict[str, object], fault: str) -> None:
    (folder / "a.csv").write_text(f"lat,lon,demand,{header}\n1,2,,\n3,4,1,5\n", encoding="utf-8")
    with pytest.raises(WarptourError, match=fault):
        read("a.csv", capacity=5, **options)  # type: ignore[arg-type]


def test_a_stop_without_a_service_is_named(folder: Path) -> None:
    (folder / "a.csv").write_text("name,lat,lon,Service (min)\nA,1,2,\nB,3,4,\n", encoding="utf-8")
    with pytest.raises(WarptourError, match=r"a.csv:3: 'B' has no Service \(min\); it must be a number"):
        read("a.csv", speed=50)
    (folder / "plane.csv").write_text("x,y\n0,0\n3,4\n", encoding="utf-8")
    with pytest.raises(WarptourError, match=r"plane.csv: a speed in km/h needs the unit .* they have none \(--unit\)"):
        read("plane.csv", speed=50)
