"""Roads on the command line: stops.xlsx and an extract in, a plan along the streets out."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest

pytest.importorskip("osmium", reason="osmium is not installed")

from warptour.roads.city import BLOCK, ORIGIN, write_city
from warptour.roads.graph import open_roads

BLOCKS = 16
HEADER = ["Name", "lat", "lon", "demand", "Opening hours"]


def stops() -> list[list[object]]:
    places = np.random.default_rng(2).uniform(0.1, 0.9, (9, 2)) * BLOCK * (BLOCKS - 1)
    spots = [(round(ORIGIN[1] + y, 6), round(ORIGIN[0] + 1.5 * x, 6)) for x, y in places.tolist()]
    rows: list[list[object]] = [[f"Stop {k}", *spot, 1, "08:00-12:00"] for k, spot in enumerate(spots)]
    rows[0][3:] = [None, None]
    return rows


@pytest.fixture(scope="module")
def city(tmp_path_factory):
    """A folder with ``city.osm.pbf`` and what is kept beside it for cars."""
    folder = tmp_path_factory.mktemp("city")
    write_city(folder / "city.osm.pbf", BLOCKS, seed=4)
    open_roads(folder / "city.osm.pbf")
    return folder


@pytest.fixture
def files(tmp_path, city):
    """``stops.xlsx``, ``stops.csv`` and ``city.osm.pbf``."""
    shutil.copytree(city, tmp_path, dirs_exist_ok=True)
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    for row in [HEADER, *stops()]:
        book.active.append(row)
    book.save(tmp_path / "stops.xlsx")
    lines = [",".join("" if cell is None else str(cell) for cell in row) for row in [HEADER, *stops()]]
    (tmp_path / "stops.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


WORDS = ["--roads", "city.osm.pbf", "--capacity", "3"]


def test_a_plan_along_the_streets(call, files):
    outputs = ["-o", "p.csv", "-o", "p.geojson", "-o", "p.gpx", "--map", "p.html"]
    words = [*WORDS, "--depart", "08:00", "--iterations", "300", "--seed", "1", "--json"]
    done = call("solve", "stops.xlsx", *words, *outputs)
    assert done.code == 0, done.err
    found = done.json
    assert (found["unit"], found["feasible"], found["minimizes"]) == ("m", True, "distance")
    assert found["distance"] == found["cost"] == sum(trip["distance"] for trip in found["trips"])
    assert found["duration"] == pytest.approx(found["cost"] / (45 / 3.6), rel=0.6)
    lines = [each for each in json.loads((files / "p.geojson").read_text())["features"] if "route" in each["properties"]
             and each["geometry"]["type"] == "LineString"]  # fmt: skip
    assert len(lines) == found["routes"] == 3
    assert all(len(line["geometry"]["coordinates"]) > 20 for line in lines)
    depot = stops()[0][2], stops()[0][1]
    assert all(tuple(line["geometry"]["coordinates"][at]) == depot for line in lines for at in (0, -1))
    track = (files / "p.gpx").read_text()
    assert track.count("<trkpt") == sum(len(line["geometry"]["coordinates"]) for line in lines)
    assert track.count("<wpt") == 8 and "<name>Stop 3</name>" in track
    assert len(re.findall(r'polyline points=\\"', (files / "p.html").read_text())) == 3
    for name in ("p.csv", "p.geojson", "p.gpx"):
        checked = call("check", "stops.xlsx", name, *WORDS, "--depart", "08:00", "--json")
        assert (checked.code, checked.json["cost"]) == (0, found["cost"]), name


FLEET = (
    "name,count,start,end,capacity,speed_factor,cost_hour,max_km\n"
    "van,2,Stop 0,none,3,1,12,\nbike,1,Stop 8,Stop 8,2,0.5,,40\ntruck,1,Stop 0,Stop 8,9,0.8,30,\n"
)


def test_a_fleet_along_the_streets(call, files):
    table = [*stops()[:8], [*stops()[8][:3], None, None]]
    lines = [",".join("" if cell is None else str(cell) for cell in row) for row in [HEADER, *table]]
    (files / "stops.csv").write_text("\n".join(lines) + "\n")
    (files / "fleet.csv").write_text(FLEET)
    words = ["--roads", "city.osm.pbf", "--fleet", "fleet.csv", "--depart", "08:00"]
    outputs = ["-o", "p.csv", "-o", "p.geojson", "-o", "p.gpx", "-o", "p.sol", "--map", "p.html"]
    done = call("solve", "stops.csv", *words, "--iterations", "2000", "--threads", "1", "--json", *outputs)
    assert done.code == 0, done.err
    found = done.json
    assert found["feasible"] and len(found["trips"]) == found["routes"] >= 2
    assert call("roads", "matrix", "stops.csv", "--roads", "city.osm.pbf", "-o", "m.npz").code == 0
    with np.load(files / "m.npz") as tables:
        metres, seconds = tables["distances"], tables["durations"]
    ends = {"van": (0, None, 1), "bike": (8, 8, 0.5), "truck": (0, 8, 0.8)}
    for trip, features in zip(found["trips"], _lines(files / "p.geojson"), strict=True):
        start, end, speed = ends[trip["vehicle"]]
        nodes = [node - 1 for node in features["properties"]["nodes"]]
        path = [start, *nodes, *([] if end is None else [end])]
        assert trip["distance"] == metres[path[:-1], path[1:]].sum()
        assert features["properties"]["route"] == trip["route"]
        for at, node in ((0, start), (-1, path[-1])):
            assert tuple(features["geometry"]["coordinates"][at]) == (table[node][2], table[node][1])
        assert len(features["geometry"]["coordinates"]) > 2 * len(path)
        driven = seconds[path[:-1], path[1:]].sum() / speed
        assert trip["duration"] >= driven - 1e-6
    for name in ("p.csv", "p.geojson", "p.gpx", "p.sol"):
        checked = call("check", "stops.csv", name, *words, "--json")
        assert (checked.code, checked.json["cost"]) == (0, found["cost"]), name


def test_vehicles_of_several_depots_along_the_streets(call, files):
    depots = ["--depot", "Stop 0", "--depot", "Stop 5", "--ignore", "demand,Opening hours"]
    words = ["--roads", "city.osm.pbf", *depots, "--max-hours", "0.2"]
    done = call("solve", "stops.csv", *words, "--iterations", "500", "--threads", "1", "--json")
    assert done.code == 0, done.err
    assert done.json["feasible"] and {trip["vehicle"] for trip in done.json["trips"]} <= {"Stop 0", "Stop 5"}
    assert all(trip["duration"] <= 720 for trip in done.json["trips"])
    assert sum(trip["distance"] for trip in done.json["trips"]) == done.json["cost"]


def test_traffic_does_not_go_with_a_fleet(call, files):
    (files / "fleet.csv").write_text("name,count,capacity\nvan,2,9\n")
    (files / "traffic.csv").write_text("hour,*\n8,0.5\n")
    words = ["--roads", "city.osm.pbf", "--traffic", "traffic.csv"]
    for more in (["--fleet", "fleet.csv"], ["--depot", "Stop 0", "--depot", "Stop 5", "--ignore", "demand"]):
        done = call("solve", "stops.csv", *words, *more)
        assert done.code == 2
        fault = "travel times that depend on the time of day do not go with a fleet or several depots yet"
        assert done.fault == fault


def _lines(path):
    features = json.loads(path.read_text())["features"]
    return [each for each in features if each["geometry"]["type"] == "LineString"]


def test_a_matrix_of_all_stops_whatever_else_is_said_of_them(call, files):
    done = call("roads", "matrix", "stops.csv", "--roads", "city.osm.pbf", "-o", "m.npz", "--json")
    assert done.code == 0, done.err
    with np.load(files / "m.npz") as file:
        distances, durations, names, points = (file[key] for key in ("distances", "durations", "names", "points"))
    assert distances.shape == durations.shape == (9, 9) and distances.dtype == durations.dtype == np.int64
    assert (distances != distances.T).any() and (np.diag(durations) == 0).all()
    assert names.tolist() == [row[0] for row in stops()] and points.tolist() == [row[1:3] for row in stops()]
    assert done.json == {
        "stops": 9, "longest_distance": distances.max(), "longest_duration": durations.max(), "output": "m.npz",
        "warnings": [],
    }  # fmt: skip
    import warptour as wt

    table = wt.roads.matrix([row[1:3] for row in stops()], files / "city.osm.pbf")
    assert (table.distances == distances).all() and (table.durations == durations).all()
    solved = call("solve", "stops.csv", *WORDS, "--iterations", "100", "--json").json
    assert solved["distance"] == sum(
        distances[a, b]
        for route in solved["solution"]
        for a, b in zip([1, *route], [*route, 1], strict=True)
        for a, b in [(a - 1, b - 1)]
    )


def test_durations_are_minimised(call, files):
    done = call("solve", "stops.csv", *WORDS, "--minimize", "duration", "--iterations", "200", "--json")
    assert done.json["cost"] == done.json["duration"]
    assert done.json["minimizes"] == "duration"


def test_a_tour_on_foot(call, files):
    words = ["--roads", "city.osm.pbf", "--profile", "foot", "--ignore", "demand,Opening hours", "--depart", "09:00"]
    done = call("solve", "stops.csv", *words, "-o", "p.gpx", "--json")
    assert done.code == 0, done.err
    assert done.json["duration"] / done.json["distance"] == pytest.approx(3.6 / 5, rel=0.05)
    assert (files / "city.osm.pbf.foot.roads").exists()


def test_traffic_delays_arrivals(call, files):
    (files / "t.csv").write_text("hour,*,secondary\n7-10,0.5,0.25\n")
    free, slow = (
        call("solve", "stops.csv", *WORDS, "--depart", "08:00", *words, "--iterations", "300", "--json").json
        for words in ([], ["--traffic", "t.csv"])
    )
    assert slow["feasible"]
    assert slow["duration"] > 1.9 * free["duration"]
    assert slow["cost"] <= 1.2 * free["cost"]


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        (
            "time,*\n7,0.5\n",
            "t.csv:1: a table of speeds begins with hour and classes of streets: hour,*,motorway,primary",
        ),
        ("", "t.csv:1: a table of speeds begins with hour"),
        ("hour,lane\n7,0.5\n", "t.csv:1: 'lane' is no class of street of a car; there are motorway,"),
        ("hour,*\n7,0.5\n25,1\n", "t.csv:3: '25' is no hour, 0 to 23, and no span of hours such as 7-10"),
        ("hour,*\n7,0.5\n6-8,1\n", "t.csv:3: the hour 7 stands in line 2, too"),
        ("hour,*\n7,0\n", "t.csv:2: '0' is no factor of a speed, a number from 0.01 to 10"),
        ("hour,*\n7,fast\n", "t.csv:2: 'fast' is no factor of a speed"),
        ("hour,*\n7\n", "t.csv:2: has 1 cells below a header of 2"),
    ],
)
def test_a_table_of_speeds_that_is_wrong(call, files, table, fault):
    (files / "t.csv").write_text(table)
    done = call("solve", "stops.csv", *WORDS, "--traffic", "t.csv")
    assert (done.code, done.fault[: len(fault)]) == (2, fault)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--osrm", "http://localhost:5000"], "--roads and --osrm contradict each other; give one of them"),
        (["--speed", "50"], "--roads and --speed contradict each other; give one of them"),
        (["--unit", "km"], "distances along streets are in metres, not in 'km' (--unit)"),
        (["--snap", "-1"], "the way from a stop to its street is at most -1.0 m; it must be at least 0"),
        (["--profile", "plane"], "there is no profile 'plane'; there are car, van, truck, bicycle, foot, or a .toml"),
        (["--traffic", "none.csv"], "none.csv: cannot be read: No such file or directory"),
        (["--traffic", "t.csv", "--hour-cost", "5"], "travel times that depend on the time of day do not go with --h"),
        (["--traffic", "t.csv", "--minimize", "duration"], "travel times that depend on the time of day cannot be"),
        (["--snap", "0.01"], "city.osm.pbf: stop 1 ('Stop 0', row 2) is "),
    ],
)  # fmt: skip
def test_what_cannot_be(call, files, words, fault):
    (files / "t.csv").write_text("hour,*\n7,0.5\n")
    done = call("solve", "stops.csv", *WORDS, *words)
    assert done.code == 2
    assert done.fault.startswith(fault), done.err


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--snap", "5"], "--snap is for --roads, an extract"),
        (["--profile", "car"], "--profile is for --roads, --osrm and --valhalla"),
        (["--depart", "08:00"], "a departure (--depart) needs travel times: --speed, --durations or --roads"),
        (["--roads", "none.osm.pbf"], "none.osm.pbf: there is no such file"),
        (["--roads", "stops.csv"], "stops.csv: is no OpenStreetMap extract by its suffix"),
        (["--osrm", "localhost"], "OSRM is at a URL such as http://localhost:5000, not 'localhost'"),
    ],
)
def test_options_without_streets(call, files, words, fault):
    done = call("solve", "stops.csv", "--capacity", "3", "--ignore", "Opening hours", *words)
    assert done.code == 2
    assert done.fault.startswith(fault), done.err


def test_stops_need_latitudes_and_longitudes(call, files):
    (files / "plane.csv").write_text("x,y\n1,2\n3,4\n")
    fault = call("solve", "plane.csv", "--roads", "city.osm.pbf").fault
    assert fault == "plane has no latitudes and longitudes, which roads need (lat,lon, or --latlon)"


def test_a_stop_elsewhere_is_named_with_its_row(call, files):
    (files / "far.csv").write_text("name,lat,lon\nhome,50.005,10.005\naway,51,10\n")
    done = call("roads", "matrix", "far.csv", "--roads", "city.osm.pbf", "-o", "m.npz")
    assert done.code == 2
    assert done.fault.startswith("city.osm.pbf: stop 2 ('away', row 3) is 109.2 km outside the extract, which covers")
    assert not (files / "m.npz").exists()


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["walk", "stops.csv", "-o", "m.npz"], "roads does matrix or city, not 'walk'"),
        (["matrix", "stops.csv", "-o", "m.npz"], "roads matrix needs streets: --roads region.osm.pbf, --osrm URL or"),
        (["matrix", "stops.csv", "--roads", "city.osm.pbf", "-o", "m.csv"], "--output m.csv: the suffix says"),
        (["city", "3", "-o", "c.osm.pbf"], "a city has 12 to 2000 streets from side to side, not '3'"),
        (["city", "20", "-o", "c.csv"], "c.csv: a city is written as .osm.pbf or .osm"),
        (["city", "20", "-o", "no/c.osm.pbf"], "no/c.osm.pbf: "),
    ],
)  # fmt: skip
def test_roads_refuses(call, files, words, fault):
    done = call("roads", *words)
    assert done.code == 2
    assert done.fault.startswith(fault), done.err


def test_a_city_is_reproducible(call, tmp_path):
    done = call("roads", "city", BLOCKS, "-o", "again.osm", "--seed", "4")
    assert done.code == 0 and re.fullmatch(r"\d+ streets and ferries written to again.osm\n", done.out)
    call("roads", "city", BLOCKS, "-o", "other.osm", "--seed", "5")
    call("roads", "city", BLOCKS, "-o", "same.osm", "--seed", "4")
    texts = [
        re.sub('timestamp="[^"]*"', "", (tmp_path / f"{name}.osm").read_text()) for name in ("again", "same", "other")
    ]
    assert texts[0] == texts[1] != texts[2]
