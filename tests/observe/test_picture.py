"""Pictures show every node, whatever the instance looks like."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from warptour.model.errors import UnsupportedError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.picture import braille, write_svg

POINTS = np.random.default_rng(3).random((30, 2)) * 50 + 7
SVG = "{http://www.w3.org/2000/svg}"


def polylines(path):
    root = ElementTree.parse(path).getroot()
    return [line.get("points").split() for line in root.iter(f"{SVG}polyline")]


def test_a_tour_is_one_closed_line(tmp_path):
    problem = TSP("p", METRICS["EUCLIDEAN"], POINTS)
    write_svg(tmp_path / "a.svg", problem, np.arange(30))
    (line,) = polylines(tmp_path / "a.svg")
    assert len(line) == 31 and line[0] == line[-1]


def test_a_path_is_open(tmp_path):
    problem = TSP("p", METRICS["EUCLIDEAN"], POINTS, open=True)
    write_svg(tmp_path / "a.svg", problem, np.arange(30))
    assert len(polylines(tmp_path / "a.svg")[0]) == 30


def test_each_route_is_a_line_from_the_depot_and_back(tmp_path):
    problem = VRP("p", METRICS["EUCLIDEAN"], POINTS, demands=np.array([0, *[1] * 29]), capacity=20)
    write_svg(tmp_path / "a.svg", problem, [np.arange(1, 15), np.arange(15, 30)])
    first, second = polylines(tmp_path / "a.svg")
    assert first[0] == first[-1] == second[0] == second[-1]


def test_north_is_up_and_east_is_right(tmp_path):
    problem = TSP("p", METRICS["GREAT_CIRCLE"], np.array([[50.0, 0.0], [51.0, 2.0]]))
    write_svg(tmp_path / "a.svg", problem, np.arange(2))
    (south, north, _) = [tuple(map(float, corner.split(","))) for corner in polylines(tmp_path / "a.svg")[0]]
    assert north[0] > south[0] and north[1] < south[1]


@pytest.mark.parametrize("points", [np.ones((5, 2)), np.column_stack((np.arange(5), np.zeros(5))),
                                    np.column_stack((np.zeros(5), np.arange(5))), np.array([[3.0, 4.0]])])  # fmt: skip
def test_flat_instances_are_drawn(tmp_path, points):
    problem = TSP("p", METRICS["EUCLIDEAN"], points)
    write_svg(tmp_path / "a.svg", problem, np.arange(len(points)))
    assert max(map(len, braille(problem, np.arange(len(points)), 40).splitlines())) <= 40


def test_braille_fits_its_columns():
    problem = TSP("p", METRICS["EUCLIDEAN"], POINTS)
    lines = braille(problem, np.arange(30), 60).splitlines()
    assert max(map(len, lines)) <= 60 and len(lines) <= 60
    assert all(0x2800 <= ord(letter) < 0x2900 for line in lines for letter in line)


def test_a_matrix_without_places_says_so(tmp_path):
    problem = TSP.from_matrix(np.ones((3, 3)) - np.eye(3))
    with pytest.raises(UnsupportedError, match="cannot be drawn"):
        write_svg(tmp_path / "a.svg", problem, np.arange(3))
