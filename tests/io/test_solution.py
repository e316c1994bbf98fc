"""What the files of solutions look like, and reading them without judging them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from warptour.io import check_output, read_solution, write_solution
from warptour.io.solution import check_solution
from warptour.model.errors import InputError, UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

PLACES = np.array([[0, 0], [3, 4.5], [6, 8]])
TOUR = np.array([2, 0, 1])
TRIANGLE = TSP("triangle", METRICS["EUC_2D"], PLACES)
PLAN = VRP(
    "plan",
    METRICS["EUCLIDEAN"],
    PLACES,
    labels=("home", 'the "old" mill', "b, c"),
    demands=np.array([2, 0, 1.5]),
    capacity=4,
    depot=1,
)


def test_tour_text(tmp_path: Path) -> None:
    write_solution(tmp_path / "a.tour", TRIANGLE, TOUR)
    assert (tmp_path / "a.tour").read_text() == (
        "NAME : triangle\nCOMMENT : Length 20\nTYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n3\n1\n2\n-1\nEOF\n"
    )


def test_sol_text_counts_customers_without_the_depot(tmp_path: Path) -> None:
    write_solution(tmp_path / "a.sol", PLAN, [np.array([2]), np.array([], int), np.array([0])], cost=12.5)
    assert (tmp_path / "a.sol").read_text() == "Route #1: 2\nRoute #2: 1\nCost 12.5\n"
    assert [route.tolist() for route in read_solution(tmp_path / "a.sol", PLAN)] == [[2], [0]]


def test_csv_text(tmp_path: Path) -> None:
    write_solution(tmp_path / "a.csv", TRIANGLE, TOUR)
    assert (tmp_path / "a.csv").read_text() == (
        "order,node,x,y,leg,distance\n1,3,6,8,0,0\n2,1,0,0,10,10\n3,2,3,4.5,5,15\n4,3,6,8,5,20\n"
    )
    write_solution(tmp_path / "b.csv", PLAN, [np.array([2, 0])])
    assert (tmp_path / "b.csv").read_text() == (
        "route,order,node,name,x,y,demand,leg,distance,load\n"
        '1,0,2,"the ""old"" mill",3,4.5,0,0,0,0\n1,1,3,"b, c",6,8,1.5,4.60977,4.60977,1.5\n'
        '1,2,1,home,0,0,2,10,14.60977,3.5\n1,3,2,"the ""old"" mill",3,4.5,0,5.40833,20.0181,3.5\n'
    )


@pytest.mark.parametrize(
    ("metric", "point", "expected"),
    [
        ("EUC_2D", [3, 4], [3, 4]),
        ("GREAT_CIRCLE", [52.5, 13.25], [13.25, 52.5]),
        ("GEO", [52.30, -13.15], [-13.25, 52.5]),
    ],
)
def test_geojson_has_longitude_first(tmp_path: Path, metric: str, point: list[float], expected: list[float]) -> None:
    problem = TSP("p", METRICS[metric], np.array([point, [0, 0]]), labels=("a", "b"))
    write_solution(tmp_path / "a.geojson", problem, np.arange(2))
    content = json.loads((tmp_path / "a.geojson").read_text())
    line, first, _ = content["features"]
    assert content["type"] == "FeatureCollection"
    assert line["geometry"] == {"type": "LineString", "coordinates": [expected, [0, 0], expected]}
    assert first["geometry"] == {"type": "Point", "coordinates": expected}
    assert first["properties"] == {"node": 1, "order": 1, "name": "a"}


def test_geojson_of_an_open_path_and_of_routes(tmp_path: Path) -> None:
    path = TSP("p", METRICS["EUC_2D"], PLACES, open=True)
    write_solution(tmp_path / "a.geojson", path, np.arange(3))
    assert len(json.loads((tmp_path / "a.geojson").read_text())["features"][0]["geometry"]["coordinates"]) == 3
    write_solution(tmp_path / "a.geojson", PLAN, [np.array([2]), np.array([0])])
    lines = [
        f for f in json.loads((tmp_path / "a.geojson").read_text())["features"] if f["geometry"]["type"] == "LineString"
    ]
    assert [line["properties"]["load"] for line in lines] == [1.5, 2]
    assert lines[0]["geometry"]["coordinates"][0] == [3, 4.5], "from the depot"


@pytest.mark.parametrize("suffix", [".tour", ".csv", ".geojson"])
def test_an_open_path_is_not_checked_as_a_closed_tour(tmp_path: Path, suffix: str) -> None:
    path = TSP("p", METRICS["EUC_2D"], PLACES, open=True)
    file = tmp_path / f"a{suffix}"
    write_solution(file, path, TOUR)
    assert check_solution(file, path) == path.check(TOUR)
    report = check_solution(file, TRIANGLE)
    assert not report.feasible and "open path" in report.violations[0] and "--open" in report.violations[0]
    np.testing.assert_array_equal(read_solution(file, TRIANGLE), TOUR, "as a start it is fine")
    write_solution(file, TRIANGLE, TOUR)
    assert check_solution(file, TRIANGLE).feasible


def test_open_paths_as_text(tmp_path: Path) -> None:
    path = TSP("p", METRICS["EUC_2D"], PLACES, open=True)
    write_solution(tmp_path / "a.tour", path, TOUR)
    assert "COMMENT : Length 15\nCOMMENT : Open path\nTYPE : TOUR\n" in (tmp_path / "a.tour").read_text()
    write_solution(tmp_path / "a.csv", path, TOUR)
    assert (tmp_path / "a.csv").read_text().startswith("order,node,x,y,leg,distance,path\n1,3,6,8,0,0,open\n")


@pytest.mark.parametrize("suffix", [".tour", ".csv", ".geojson"])
@pytest.mark.parametrize("tour", [[0, 1], [0, 1, 1], [0, 1, 3], [0, 1, -1], [0, 1, 2, 2**40], []])
def test_what_is_no_tour_is_not_written(tmp_path: Path, suffix: str, tour: list[int]) -> None:
    with pytest.raises(InputError, match="no solution of triangle to write"):
        write_solution(tmp_path / f"a{suffix}", TRIANGLE, np.array(tour, np.int64))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("routes", [[[0]], [[0, 2], [0]], [[0, 1, 2]], [[0, 2, 3]], []])
def test_what_are_no_routes_is_not_written(tmp_path: Path, routes: list[list[int]]) -> None:
    with pytest.raises(InputError, match="no solution of plan to write"):
        write_solution(tmp_path / "a.sol", PLAN, [np.array(route) for route in routes])
    overloaded = replace(PLAN, capacity=1)
    write_solution(tmp_path / "a.sol", overloaded, [np.array([0, 2])])


def test_lines_of_a_solution_may_end_in_a_carriage_return(tmp_path: Path) -> None:
    (tmp_path / "a.sol").write_bytes(b"Route #1: 2\rRoute #2: 1\r\nCost 9\n")
    assert [route.tolist() for route in read_solution(tmp_path / "a.sol", PLAN)] == [[2], [0]]


@pytest.mark.parametrize(
    ("name", "problem", "message"),
    [
        ("a.sol", TRIANGLE, "has the suffix '.sol'; tours are written as .tour, .csv, .tsv, .xlsx, .geojson, .gpx"),
        ("a.tour", PLAN, "routes are written as .sol, .csv, .tsv, .xlsx, .geojson, .gpx"),
        ("a.txt", TRIANGLE, "tours are written as"),
        ("a", TRIANGLE, "has no suffix"),
        ("a.geojson", TSP.from_matrix([[0, 1], [1, 0]]), "no coordinates"),
    ],
)
def test_suffixes_are_checked_before_the_search(tmp_path: Path, name: str, problem: TSP | VRP, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check_output(tmp_path / name, problem)
    with pytest.raises(UsageError, match=message):
        write_solution(tmp_path / name, problem, np.arange(2))
    check_output("anywhere/a.csv", problem)


@pytest.mark.parametrize(
    "text",
    [
        "TYPE : TOUR\nTOUR_SECTION\n3 1\n2 -1\nEOF\n",
        "NAME: x\nCOMMENT: Length 20\nTYPE: TOUR\nDIMENSION: 3\nTOUR_SECTION\n3\n1\n2\n-1\n-1\nEOF\n",
        "TOUR_SECTION\n3\n1\n2\n",
        "TOUR_SECTION\r\n3\r\n1\r\n2\r\nEOF\r\n",
    ],
)
def test_tours_as_they_are_found(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.tour").write_bytes(text.encode())
    np.testing.assert_array_equal(read_solution(tmp_path / "a.tour", TRIANGLE), TOUR)


@pytest.mark.parametrize(
    "text", ["Route #1: 2 1\nCost 9\n", "route 1 : 0 2 1 0\n\nTime 3.2\n", "Route #1: 2 1\r\nCost: 9.5\r\n"]
)
def test_routes_as_they_are_found(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.sol").write_bytes(text.encode())
    assert [route.tolist() for route in read_solution(tmp_path / "a.sol", PLAN)] == [[2, 0]]


def test_order_and_extra_columns_of_csv(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("note,Node,Order\nx,2,3\ny,3,1\nz,1,2\n")
    np.testing.assert_array_equal(read_solution(tmp_path / "a.csv", TRIANGLE), TOUR)


def test_without_strictness_the_check_judges(tmp_path: Path) -> None:
    (tmp_path / "a.tour").write_text("TOUR_SECTION\n1\n1\n9\n-1\n")
    report = TRIANGLE.check(read_solution(tmp_path / "a.tour", TRIANGLE, strict=False))  # type: ignore[arg-type]
    assert len(report.violations) == 3
    (tmp_path / "a.sol").write_text("Route #1: 1 1\nRoute #2: 7\n")
    report = PLAN.check(read_solution(tmp_path / "a.sol", PLAN, strict=False))  # type: ignore[arg-type]
    assert not report.feasible
