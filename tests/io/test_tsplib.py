"""TSPLIB and CVRPLIB as they are found in the wild."""

from __future__ import annotations

import contextlib
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from warptour.io import read
from warptour.model.errors import InputError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

GOOD = """NAME : t
COMMENT : a square
COMMENT : and a second comment
TYPE : TSP
DIMENSION : 4
EDGE_WEIGHT_TYPE : EUC_2D
NODE_COORD_SECTION
1 0 0
2 0 10
3 10 10
4 10 0
EOF
"""
SQUARE = [[0, 0], [0, 10], [10, 10], [10, 0]]
ROWS = "1 0 0\n2 0 10\n3 10 10\n4 10 0\n"

VRP_TEXT = """NAME : v
TYPE : CVRP
DIMENSION : 3
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 10
NODE_COORD_SECTION
1 0 0
2 3 0
3 0 4
DEMAND_SECTION
1 0
2 4
3 5
DEPOT_SECTION
 1
 -1
EOF
"""


@pytest.fixture
def parse(tmp_path: Path):
    """Write a text to a file and read it as a problem."""

    def write_and_read(text: str, name: str = "x.tsp"):
        path = tmp_path / name
        path.write_bytes(text.encode("latin-1"))
        return read(path)

    return write_and_read


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        GOOD.replace(" : ", ": "),
        GOOD.replace(" : ", ":"),
        GOOD.replace(" : ", " = "),
        GOOD.replace(" : ", " "),
        GOOD.replace(" : ", " : \t").replace("\n", "\t\n"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD.replace("\n", "\n\n  \n"),
        GOOD.replace("EOF\n", ""),
        GOOD.replace("\nEOF\n", ""),
        GOOD.replace("EOF\n", "EOF\n\n\n  after the end anything goes 1 2 3\n"),
        GOOD.replace("NAME", "  NAME").replace("EOF", "  EOF"),
        GOOD.lower(),
        "\ufeff".encode().decode("latin-1") + GOOD,
        "\n\n" + GOOD,
        GOOD.replace(": TSP", ": TSP (M.~Hofmeister)"),
        GOOD.replace("TYPE : TSP\n", "", 1),
        GOOD.replace("NODE_COORD_SECTION", "NODE_COORD_SECTION :"),
        GOOD.replace(
            "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT : FUNCTION\nDISPLAY_DATA_TYPE : COORD_DISPLAY\nEDGE_WEIGHT_TYPE"
        ),
        GOOD.replace("DIMENSION : 4\n", "").replace("EOF", "DIMENSION : 4"),
        GOOD.replace("DIMENSION : 4\n", "DIMENSION : 4\nDIMENSION : 4\n"),
        GOOD.replace("a square", "40 Städte \xff\xfe NODE_COORD_SECTION").replace("\u2019", ""),
        GOOD.replace(ROWS, "4 10 0\n2 0 10\n1 0 0\n3 10 10\n"),
        GOOD.replace(ROWS, "0 0 0\n1 0 10\n2 10 10\n3 10 0\n"),
        GOOD.replace(ROWS, "  1\t0e0   0.0 \n2 -0 1e1\n3 +10 10.\n4 1.0E+01 .0\n"),
    ],
)
def test_spellings(parse, text: str) -> None:
    problem = parse(text)
    assert isinstance(problem, TSP)
    np.testing.assert_array_equal(problem.points, SQUARE)
    assert problem.name == "t"
    assert problem.cost(np.arange(4)) == 40


def test_a_file_without_name_is_called_as_it_is(parse) -> None:
    assert parse(GOOD.replace("NAME : t\n", ""), "seven.tsp").name == "seven"
    assert parse(GOOD.replace("NAME : t\n", "NAME :\n"), "seven.tsp").name == "seven"


def test_fixed_edges_before_and_after_the_nodes(parse) -> None:
    for keyword in ("FIXED_EDGES_SECTION", "FIXED_EDGES"):
        section = f"{keyword}\n1 3\n2 4 -1\n"
        for text in (GOOD.replace("NODE_COORD", section + "NODE_COORD"), GOOD.replace("EOF", section + "EOF")):
            assert parse(text).fixed_edges.tolist() == [[0, 2], [1, 3]]


def test_matrix_with_places_to_draw(parse) -> None:
    text = (
        "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n"
        "DISPLAY_DATA_TYPE: TWOD_DISPLAY\nEDGE_WEIGHT_SECTION\n5 6 7\n{}\n1 0 0\n2 1 0\n3 0 1\nEOF"
    )
    for keyword in ("DISPLAY_DATA_SECTION", "NODE_COORD_SECTION"):
        problem = parse(text.format(keyword))
        assert problem.points.tolist() == [[0, 5, 6], [5, 0, 7], [6, 7, 0]]
        assert problem.display.tolist() == [[0, 0], [1, 0], [0, 1]]
        assert problem.cost(np.arange(3)) == 18


def test_vehicles(parse) -> None:
    problem = parse(VRP_TEXT, "v.vrp")
    assert isinstance(problem, VRP)
    assert (problem.capacity, problem.depot, problem.max_distance, problem.vehicles) == (10, 0, None, None)
    assert problem.demands.tolist() == [0, 4, 5]
    assert problem.cost([[1, 2]]) == 12  # type: ignore[list-item]


def test_vehicle_options(parse) -> None:
    head = "DISTANCE : 200.0\nSERVICE_TIME : 10.0\nVEHICLES : 3\nBEST_KNOWN : 7\n"
    problem = parse(VRP_TEXT.replace("NODE_COORD", head + "NODE_COORD"), "v.vrp")
    assert (problem.max_distance, problem.vehicles) == (200, 3)
    assert problem.service_times.tolist() == [0, 10, 10]
    section = "SERVICE_TIME_SECTION\n1 0\n3 7\n2 5\n"
    assert parse(VRP_TEXT.replace("DEPOT", section + "DEPOT"), "v.vrp").service_times.tolist() == [0, 5, 7]


def test_vehicles_counted_from_zero_and_depot_elsewhere(parse) -> None:
    text = VRP_TEXT.replace("1 0 0\n2 3 0\n3 0 4", "0 0 0\n1 3 0\n2 0 4").replace("1 0\n2 4\n3 5", "0 4\n1 5\n2 0")
    problem = parse(text.replace(" 1\n -1", "2\n-1"), "v.vrp")
    assert (problem.depot, problem.demands.tolist()) == (2, [4, 5, 0])


def test_the_type_decides_not_the_suffix(parse) -> None:
    assert isinstance(parse(VRP_TEXT, "v.tsp"), VRP)
    assert isinstance(parse(VRP_TEXT.replace("TYPE : CVRP\n", "", 1), "v.vrp"), VRP)
    assert isinstance(parse(GOOD, "t.vrp"), TSP)


def test_a_demand_above_the_capacity_is_for_the_solver_to_refuse(parse) -> None:
    assert parse(VRP_TEXT.replace("3 5", "3 11"), "v.vrp").demands.max() == 11


def test_fractional_demands_and_weights_stay_fractional(parse) -> None:
    problem = parse(VRP_TEXT.replace("3 5", "3 5.5"), "v.vrp")
    assert problem.demands.tolist() == [0, 4, 5.5]


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace(": 4", ": 999999999999"),
        GOOD.replace("EUC_2D", "EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX")
        .replace("NODE_COORD", "EDGE_WEIGHT")
        .replace(": 4", ": 999999999"),
        GOOD.replace("3 10 10", "3 " + "7" * 5_000_000),
        GOOD.replace("3 10 10", "3 10 10 " * 600_000),
        GOOD.replace("a square", "x" * 5_000_000),
        GOOD.replace("COMMENT : a square\n", "COMMENT : a square\n" * 50_000) + "x",
        "NAME" * 1_000_000,
        "\n" * 5_000_000 + "x",
        " " * 5_000_000 + "x",
        "NODE_COORD_SECTION\n" + " \n" * 2_000_000 + "x",
    ],
    ids=["nodes", "matrix", "digits", "columns", "comment", "comments", "word", "newlines", "blanks", "blank-section"],
)
def test_lies_and_bombs_cost_little(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bomb.tsp"
    path.write_text(text)
    start = time.thread_time()
    tracemalloc.start()
    try:
        with contextlib.suppress(InputError):
            read(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20 * len(text) + 5_000_000
    assert time.thread_time() - start < 100, "seconds of this thread, not of the clock"
