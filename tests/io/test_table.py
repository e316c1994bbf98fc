"""A person who has only a spreadsheet of stops."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from warptour.io import read, write_problem
from warptour.model.errors import InputWarning, UsageError, WarptourError
from warptour.model.mistakes import look_like_degrees
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


def from_text(folder: Path, text: str | bytes, name: str = "stops.csv", **options: object) -> TSP | VRP:
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return read(folder / name, **options)  # type: ignore[arg-type]


POINTS = [[1.5, 2], [3, 4.25]]


@pytest.mark.parametrize(
    "text",
    [
        "x,y\n1.5,2\n3,4.25\n",
        "X,Y\r\n1.5,2\r\n3,4.25\r\n",
        "\ufeffx,y\n1.5,2\n3,4.25",
        "x;y\n1,5;2\n3;4,25\n",
        "x\ty\n1.5\t2\n3\t4.25\n",
        "sep=;\nx;y\n1.5;2\n3;4.25\n",
        ' "x", y \n 1.5 ,2\n "3",4.25\n',
        "\n\nx,y\n1.5,2\n\n3,4.25\n,\n",
        "easting,northing\n1.5,2\n3,4.25\n",
        "X (m),Y [m]\n1.5,2\n3,4.25\n",
        "1.5,2\n3,4.25\n",
        "1,5;2\n3;4,25\n",
        "x,y\n15e-1,2.0\n3,4.25\n",
    ],
)
def test_spellings_of_plane_points(tmp_path: Path, text: str) -> None:
    problem = from_text(tmp_path, text)
    assert isinstance(problem, TSP)
    assert (problem.name, problem.metric.name) == ("stops", "EUCLIDEAN")
    np.testing.assert_array_equal(problem.points, POINTS)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("y,note,x\n2,hello,1.5\n4.25,,3\n", "columns not used: 'note'"),
        ("x,y,phone\n1.5,2,+49 30\n3,4.25\n", "columns not used: 'phone'"),
        ("x,y,Postcode,duration,floor,key,,\n1.5,2,1,2,3,4,5\n3,4.25,\n",
         "columns not used: 'Postcode', 'duration', 'floor', 'key'"),
        ("x,y,Service (min)\n1.5,2,1\n3,4.25,2\n", "'Service .min.' is not used without travel times: --speed"),
        ("x,y," + ",".join(f"a{k}" for k in range(12)) + "\n1.5,2\n3,4.25" + ",1" * 12 + "\n", "'a9' and 2 more"),
    ],
)  # fmt: skip
def test_columns_that_are_not_used_are_named(tmp_path: Path, text: str, note: str) -> None:
    with pytest.warns(InputWarning, match=note) as seen:
        problem = from_text(tmp_path, text)
    assert len(seen) == 1 and "stops.csv" in str(seen[0].message) and seen[0].filename == __file__
    np.testing.assert_array_equal(problem.points, POINTS)


def test_columns_ignored_on_purpose_are_not_named(tmp_path: Path) -> None:
    (tmp_path / "stops.csv").write_text("x,y,Gewicht,Name,phone\n1.5,2,1,a,7\n3,4.25,2,b,7\n")
    with pytest.warns(InputWarning, match="columns not used: 'phone'$"):
        problem = read(tmp_path / "stops.csv", ignore=["demand", "name"])
    assert isinstance(problem, TSP) and problem.labels is None


CITIES = "{}\n13.405,52.52\n2.3522,48.8566\n9.9937,53.5511\n"


@pytest.mark.parametrize("header", ["x,y", "X (east),Y (north)", ""])
def test_degrees_in_columns_of_a_plane(tmp_path: Path, header: str) -> None:
    text = CITIES.format(header).lstrip()
    with pytest.warns(InputWarning, match=r"look like longitude and latitude.*plane.*--latlon"):
        assert from_text(tmp_path, text).metric.name == "EUCLIDEAN"
    assert from_text(tmp_path, text, latlon=False).metric.name == "EUCLIDEAN"
    problem = from_text(tmp_path, text, latlon=True)
    assert problem.metric.name == "GREAT_CIRCLE"
    if header:
        assert problem.distance(0, 1) == pytest.approx(877_460, rel=1e-3)
        np.testing.assert_array_equal(problem.points[0], [52.52, 13.405])
    else:
        np.testing.assert_array_equal(problem.points[0], [13.405, 52.52])


def test_degrees_in_an_array(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([[52.52, 13.405], [48.8566, 2.3522]]))
    with pytest.warns(InputWarning, match="--latlon"):
        assert read(tmp_path / "a.npy").metric.name == "EUCLIDEAN"
    assert read(tmp_path / "a.npy", latlon=True).distance(0, 1) == pytest.approx(877_460, rel=1e-3)
    assert read(tmp_path / "a.npy", latlon=False).metric.name == "EUCLIDEAN"


def random_points(n: int, low: float, high: float) -> np.ndarray:
    return np.random.default_rng(n).uniform(low, high, (n, 2))


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (random_points(100, 0, 1), False),
        (random_points(10, 0, 10), False),
        (random_points(10, 0, 100), False),
        (np.array([[13.41, 52.52]]), False),
        (random_points(100, -1, 1), False),
        (random_points(100, 0, 10), False),
        (random_points(100, 0, 100), False),
        (random_points(100, 0, 1000), False),
        (np.random.default_rng(1).normal(size=(100, 2)), False),
        (np.random.default_rng(1).integers(5, 80, (100, 2)).astype(float), False),
        (random_points(100, 0, 1) + np.array([8.5, 47.3]), True),
        (random_points(100, 0, 1) - [74.5, -40.3], True),
        (random_points(100, -0.3, 0.3) + np.array([0, 51.5]), True),
        (random_points(100, -1, 1) * [179, 80], True),
        (np.array([[13.41, 52.52], [2.35, 48.86]]), True),
    ],
)
def test_what_looks_like_degrees(points: np.ndarray, expected: bool) -> None:
    assert look_like_degrees(points) is expected


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "lat,lon,demand,Service (min)\n1,2,,\n3,4,1,5\n",
            {"max_distance": 9},
            r"'Service \(min\)' cannot be added .* without travel times",
        ),
        ("lat,lon,demand,Service [km]\n1,2,,\n3,4,1,5\n", {}, "cannot be added .* in m;"),
        ("x,y,demand,Service (kg)\n1,2,,\n3,4,1,5\n", {}, "which the header does not name"),
        ("x (km),y (km),demand,service_time (m)\n1,2,,\n3,4,1,5\n", {}, "cannot be added .* in km;"),
        ("x (m),y (km)\n1,2\n", {}, "x is in m and y in km"),
        ("lat (rad),lon (rad)\n1,2\n", {}, "lat is in radians; it must be in degrees"),
        ("lat (m),lon (m)\n1,2\n", {}, "lat is in m; it must be in degrees"),
        ("x (m),y (m)\n1,2\n", {"latlon": True}, "y is in m; it must be in degrees"),
        ("x (deg),y (°)\n1,2\n", {}, "x is in degrees, but x,y are coordinates of a plane"),
        ("x,y,z\n1,2,3\n", {"latlon": True}, "no longitude and latitude"),
        ("lat,lon\n1,2\n", {"latlon": False}, "no coordinates of a plane"),
        ("95,4\n", {"latlon": True}, "latitude beyond 90"),
    ],
)
def test_units_that_do_not_fit(tmp_path: Path, text: str, options: dict[str, object], message: str) -> None:
    vehicles = {"capacity": 5} if "demand" in text else {}
    with pytest.raises(WarptourError, match=message) as caught:
        from_text(tmp_path, text, **options, **vehicles)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "header",
    [
        "x (km),y (km),Demand (kg),Service (km)",
        "x (min.),y,demand,service time [Minutes]",
        "lat (deg),lon (°),demand (pallets),service (m)",
        "Lat (WGS84),Lon (WGS84),demand,service",
        "x (east),y (north),demand,service",
    ],
)
def test_units_that_fit(tmp_path: Path, header: str) -> None:
    problem = from_text(tmp_path, f"{header}\n1,2,,\n3,4,1,5\n", capacity=5)
    assert isinstance(problem, VRP) and problem.service_times.tolist() == [0, 5]


def test_a_unit_of_length_says_that_it_is_a_plane(tmp_path: Path) -> None:
    assert from_text(tmp_path, CITIES.format("x (mm),y (mm)")).metric.name == "EUCLIDEAN"


@pytest.mark.parametrize("source", ["a.tsp", "uniform:9:1"])
def test_latlon_is_for_tables(tmp_path: Path, source: str) -> None:
    write_problem(tmp_path / "a.tsp", read("uniform:9:1"))
    with pytest.raises(UsageError, match="says how it is measured"):
        read(tmp_path / source if source == "a.tsp" else source, latlon=True)
    read("uniform:9:1", latlon=False)


@pytest.mark.parametrize(
    "text",
    [
        "x,y\r0,0\r1,1\r2,2\n3,3\n4,4\n5,5\n",
        "x,y\r\n0,0\r1,1\r2,2\r\n3,3\n4,4\n5,5\n",
        "x;y\r0;0\r1;1\r2;2\n3;3\n4;4\n5;5\n",
        "sep=;\rx;y\r0;0\r1;1\r2;2\n3;3\n4;4\n5;5\n",
        "0,0\r1,1\r2,2\n3,3\n4,4\n5,5\n",
    ],
)
def test_rows_may_end_in_a_carriage_return(tmp_path: Path, text: str) -> None:
    assert from_text(tmp_path, text).points[:, 0].tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("header", ["lat,lon", "Latitude,Longitude", "LAT,LNG", "lat,long"])
def test_places_on_earth_are_measured_in_metres(tmp_path: Path, header: str) -> None:
    problem = from_text(tmp_path, f"name,{header}\nBerlin,52.52,13.405\nParis,48.8566,2.3522\n")
    assert problem.metric.name == "GREAT_CIRCLE"
    assert problem.labels == ("Berlin", "Paris")
    assert problem.distance(0, 1) == pytest.approx(877_460, rel=1e-3)


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ('"Shop, the ""first"""', 'Shop, the "first"'),
        ("Zürich", "Zürich"),
        (" Å ", "Å"),
        ('"two\nlines"', "two\nlines"),
    ],
)
def test_names_are_kept(tmp_path: Path, cell: str, name: str) -> None:
    assert from_text(tmp_path, f"Name,x,y\n{cell},1,2\n").labels == (name,)


def test_old_windows_text_is_understood(tmp_path: Path) -> None:
    assert from_text(tmp_path, "name,x,y\nZürich,1,2\n".encode("cp1252")).labels == ("Zürich",)


def test_the_best_column_is_the_name(tmp_path: Path) -> None:
    with pytest.warns(InputWarning, match="columns not used: 'id'"):
        assert from_text(tmp_path, "id,stop,x,y\n7,Home,1,2\n").labels == ("Home",)
    assert from_text(tmp_path, "id,x,y\n7,1,2\n").labels == ("7",)


def test_three_dimensions(tmp_path: Path) -> None:
    assert from_text(tmp_path, "x,y,z\n0,0,0\n2,3,6\n").distance(0, 1) == 7


def test_demands_make_a_vehicle_problem(tmp_path: Path) -> None:
    text = "name,x,y,Demand,Service_Time\nDepot,0,0,,\nA,3,4,2,5\nB,6,8,3.5,6\n"
    problem = from_text(tmp_path, text, capacity=5, max_distance=100, vehicles=2, fixed_cost=3)
    assert isinstance(problem, VRP)
    assert (problem.capacity, problem.max_distance, problem.vehicles, problem.fixed_cost) == (5, 100, 2, 3)
    assert problem.demands.tolist() == [0, 2, 3.5]
    assert problem.service_times.tolist() == [0, 5, 6]
    assert problem.cost([np.array([1]), np.array([2])]) == 10 + 20 + 6


@pytest.mark.parametrize("depot", [2, "2", "B"])
def test_the_depot_can_be_any_row(tmp_path: Path, depot: int | str) -> None:
    problem = from_text(tmp_path, "name,x,y,demand\nA,0,0,1\nB,3,4,0\n", capacity=5, depot=depot, service_time=4)
    assert isinstance(problem, VRP)
    assert problem.depot == 1
    assert problem.service_times.tolist() == [4, 0]


def test_tab_separated_suffix(tmp_path: Path) -> None:
    assert from_text(tmp_path, "x\ty\n1\t2\n", "a.tsv").n == 1


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8, ">f8"])
def test_arrays_of_points(tmp_path: Path, dtype: object) -> None:
    points = np.array([[0, 0], [3, 4]], dtype=dtype)  # type: ignore[call-overload]
    np.save(tmp_path / "a.npy", points)
    problem = read(tmp_path / "a.npy")
    assert problem.distance(0, 1) == 5.0
    np.save(tmp_path / "a.npy", np.asfortranarray(np.zeros((5, 3))))
    assert read(tmp_path / "a.npy").metric.name == "EUCLIDEAN_3D"


def test_a_square_array_is_a_matrix(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.ones((4, 4), int) - np.eye(4, dtype=int))
    problem = read(tmp_path / "a.npy")
    assert isinstance(problem, TSP)
    assert problem.matrix is not None and problem.cost(np.arange(4)) == 4


@pytest.mark.parametrize(
    ("header", "cells", "seconds"),
    [
        ("service (min)", ["5 min", "1.5h", "90 sec."], [300, 5400, 90]),
        ("service (min)", ["5", "10 Minuten", "0"], [300, 600, 0]),
        ("service (s)", ["5 min", "30", "2 hours"], [300, 30, 7200]),
        ("service (min)", ["2,5 min", "7,5", "1"], [150, 450, 60]),
    ],
)
def test_a_service_time_may_name_its_unit_in_the_cell(tmp_path, header, cells, seconds):
    rows = [f"S{k};{k};1;1;{cell}" for k, cell in enumerate(cells)]
    (tmp_path / "a.csv").write_text("\n".join([f"name;x (km);y (km);demand;{header}", "d;0;0;;", *rows]) + "\n")
    problem = wt.read(tmp_path / "a.csv", capacity=9, speed=30)
    assert problem.clock.services.tolist() == [0, *seconds]


def test_a_service_time_in_another_unit_is_no_number(tmp_path):
    (tmp_path / "a.csv").write_text("name,x,y,demand,service (min)\nd,0,0,,\nA,1,1,1,5 km\n")
    with pytest.raises(wt.InputError, match="service_minutes of 'A' is '5 km'; it must be a number"):
        wt.read(tmp_path / "a.csv", capacity=9, speed=30, unit="km")
