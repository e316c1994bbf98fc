"""A person who has only a spreadsheet of stops."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from warptour.io import read
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
        "y,note,x\n2,hello,1.5\n4.25,,3\n",
        "\n\nx,y\n1.5,2\n\n3,4.25\n,\n",
        "easting,northing\n1.5,2\n3,4.25\n",
        "X (m),Y [m]\n1.5,2\n3,4.25\n",
        "x,y,phone\n1.5,2,+49 30\n3,4.25\n",
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
