"""Every bad file gives one line that says what is wrong, where, and what would be right."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from warptour.io import read, read_solution
from warptour.model.errors import InputError, UsageError, WarptourError
from warptour.model.vehicles import VRP as Vehicles

HEAD = "NAME : t\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\n"  # 4 lines
NODES = "NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\n"  # lines 5 to 8
GOOD = HEAD + NODES + "EOF\n"
MATRIX = (
    "TYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : {}\nEDGE_WEIGHT_SECTION\n{}\nEOF\n"
)
VRP = (
    "NAME : v\nTYPE : CVRP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : 10\n"  # 5 lines
    "NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\n"  # 6 to 9
    "DEMAND_SECTION\n1 0\n2 4\n3 5\n"  # 10 to 13
    "DEPOT_SECTION\n1\n-1\nEOF\n"  # 14 to 17
)

TSP_FILES = {
    "unknown-keyword": ("NAMES : t\n" + GOOD, 1, "did you mean NAME"),
    "no-keyword-alike": ("QQQQQ : t\n" + GOOD, 1, "known are NAME"),
    "misspelled-dimension": (GOOD.replace("DIMENSION", "DIMENSIONS"), 3, "did you mean DIMENSION"),
    "time-windows": (GOOD.replace("EOF", "TIME_WINDOW_SECTION"), 9, "belongs to vehicle problems"),
    "no-dimension": (GOOD.replace("DIMENSION : 3\n", ""), 4, "there is no DIMENSION"),
    "dimension-zero": (GOOD.replace(": 3", ": 0"), 3, "integer of at least 1"),
    "dimension-negative": (GOOD.replace(": 3", ": -3"), 3, "integer of at least 1"),
    "dimension-float": (GOOD.replace(": 3", ": 3.5"), 3, "integer of at least 1"),
    "dimension-word": (GOOD.replace(": 3", ": three"), 3, "integer of at least 1"),
    "dimension-empty": (GOOD.replace("DIMENSION : 3", "DIMENSION :"), 3, "integer of at least 1"),
    "dimension-trillion": (GOOD.replace(": 3", ": 1000000000000"), 8, "has 3 lines, but DIMENSION is 1000000000000"),
    "dimension-endless": (GOOD.replace(": 3", ": " + "9" * 5000), 3, "integer of at least 1"),
    "dimension-twice": (GOOD.replace("DIMENSION : 3", "DIMENSION : 3\nDIMENSION : 4"), 4, "keep one"),
    "too-few-nodes": (HEAD + "NODE_COORD_SECTION\n1 0 0\n2 3 0\n\nEOF\n", 7, "has 2 lines, but DIMENSION is 3"),
    "too-many-nodes": (HEAD + NODES + "4 1 1\nEOF\n", 9, "has 4 lines, but DIMENSION is 3"),
    "truncated": (GOOD[: GOOD.index("3 0 4") + 3], 8, "2 numbers in a line"),
    "no-nodes": (HEAD + "NODE_COORD_SECTION\nEOF\n", 5, "has 0 lines"),
    "section-twice": (HEAD + NODES + NODES, 9, "second NODE_COORD_SECTION; line 5"),
    "no-section": (HEAD + "EOF\n", 4, "no NODE_COORD_SECTION; EUC_2D needs one"),
    "node-outside": (GOOD.replace("3 0 4", "4 0 4"), 8, "4 is not a node; they are 1..3"),
    "node-negative": (GOOD.replace("3 0 4", "-3 0 4"), 8, "-3 is not a node"),
    "node-fraction": (GOOD.replace("3 0 4", "2.5 0 4"), 8, "2.5 is not a node"),
    "node-huge": (GOOD.replace("3 0 4", "99999999999999999999 0 4"), 8, "is not a node"),
    "node-twice": (GOOD.replace("3 0 4", "2 0 4"), 8, "node 2 for the second time"),
    "from-zero-gap": (GOOD.replace("1 0 0", "0 0 0"), 8, "3 is not a node; they are 0..2"),
    "two-columns": (GOOD.replace("2 3 0", "2 3"), 7, "2 numbers in a line of NODE_COORD_SECTION; a line is 'node x y'"),
    "four-columns": (GOOD.replace("2 3 0", "2 3 0 7"), 7, "4 numbers in a line"),
    "shifted-columns": (GOOD.replace("2 3 0\n3 0 4", "2 3 0 3\n0 4"), 7, "4 numbers in a line"),
    "word-coordinate": (GOOD.replace("2 3 0", "2 abc 0"), 7, "'abc' is not a number"),
    "two-points": (GOOD.replace("2 3 0", "2 3.1.4 0"), 7, "'3.1.4' is not a number"),
    "comma-decimal": (GOOD.replace("2 3 0", "2 3,5 0"), 7, "'3,5' is not a number"),
    "hexadecimal": (GOOD.replace("2 3 0", "2 0x3 0"), 7, "'0x3' is not a number"),
    "underscore": (GOOD.replace("2 3 0", "2 1_0 0"), 7, "'1_0' is not a number"),
    "nan": (GOOD.replace("2 3 0", "2 nan 0"), 7, "'nan' is not a number"),
    "infinity": (GOOD.replace("2 3 0", "2 inf 0"), 7, "'inf' is not a number"),
    "overflow": (GOOD.replace("2 3 0", "2 1e999 0"), 7, "too large"),
    "beyond-exact": (GOOD.replace("2 3 0", "2 1e16 0"), 7, "beyond 1e15"),
    "beyond-pole": (GOOD.replace("EUC_2D", "GEO").replace("2 3 0", "2 91 0"), 7, "latitude beyond 90"),
    "third-dimension": (GOOD.replace("EUC_2D", "EUC_3D"), 6, "a line is 'node x y z'"),
    "data-in-head": ("1 2 3\n" + GOOD, 1, "outside of a section"),
    "data-in-head-later": (GOOD.replace("TYPE", "5 5\nTYPE"), 2, "'5' stands outside of a section"),
    "no-weight-type": (
        GOOD.replace("EDGE_WEIGHT_TYPE : EUC_2D\n", ""),
        4,
        "there is no EDGE_WEIGHT_TYPE, one of EUC_2D",
    ),
    "unknown-weight-type": (GOOD.replace("EUC_2D", "EUC_4D"), 4, "'EUC_4D' is not one of EUC_2D"),
    "empty-weight-type": (GOOD.replace(" EUC_2D", ""), 4, "EDGE_WEIGHT_TYPE has no value"),
    "special": (GOOD.replace("EUC_2D", "SPECIAL"), 4, "'SPECIAL' is not one of"),
    "hamiltonian": (GOOD.replace(": TSP", ": HCP"), 2, "Hamiltonian"),
    "a-tour": (GOOD.replace(": TSP", ": TOUR"), 2, "a tour, not a problem"),
    "unknown-type": (GOOD.replace(": TSP", ": XYZ"), 2, "TSP, ATSP, CVRP and VRPTW are read"),
    "capacity-of-tsp": (GOOD.replace("NODE_COORD", "CAPACITY : 5\nNODE_COORD"), 5, "their TYPE is CVRP"),
    "weights-of-coordinates": (HEAD + NODES + "EDGE_WEIGHT_SECTION\n1 2 3\n", 9, "contradicts"),
    "tour-inside": (HEAD + NODES + "TOUR_SECTION\n1 2 3 -1\n", 9, ".tour files"),
    "format-of-coordinates": (HEAD + "EDGE_WEIGHT_FORMAT : SOME\n" + NODES, 5, "'SOME' is unknown"),
    "no-format": (MATRIX.replace("EDGE_WEIGHT_FORMAT : {}\n", "").format("1 2 3"), 3, "needs an EDGE_WEIGHT_FORMAT"),
    "unknown-format": (MATRIX.format("SQUARE", "1"), 4, "'SQUARE' is not one of FULL_MATRIX"),
    "function-format": (MATRIX.format("FUNCTION", "1"), 4, "is not one of FULL_MATRIX"),
    "no-weights": (MATRIX[: MATRIX.index("EDGE_WEIGHT_SECTION")].format("UPPER_ROW"), 3, "no EDGE_WEIGHT_SECTION"),
    "few-weights": (MATRIX.format("UPPER_ROW", "1\n2"), 7, "2 weights; a UPPER_ROW of DIMENSION 3 has 3"),
    "many-weights": (MATRIX.format("UPPER_ROW", "1 2\n3\n4"), 8, "4 weights; a UPPER_ROW of DIMENSION 3 has 3"),
    "word-weight": (MATRIX.format("UPPER_ROW", "1 2\n-\n4"), 7, "'-' is not a number"),
    "huge-weight": (MATRIX.format("UPPER_ROW", "1 2\n9007199254740993"), 7, "beyond 2**52"),
    "asymmetric": (MATRIX.format("FULL_MATRIX", "0 1 2\n1 0 3\n2 4 0"), 7, "3 from node 2 to 3, 4 back"),
    "fixed-outside": (HEAD + "FIXED_EDGES_SECTION\n1 4\n-1\n" + NODES, 6, "4 is not a node"),
    "fixed-odd": (HEAD + "FIXED_EDGES_SECTION\n1 2\n3\n-1\n" + NODES, 8, "fixed edges are pairs"),
    "fixed-loop": (HEAD + "FIXED_EDGES_SECTION\n2 2\n-1\n" + NODES, 5, "city 2 to itself"),
    "fixed-after-end": (HEAD + "FIXED_EDGES_SECTION\n1 2\n-1\n2 3\n" + NODES, 8, "after the -1"),
    "control-letters": (GOOD.replace("2 3 0", "2 \x01 0"), 7, "is not a number"),
    "long-line": (GOOD.replace("2 3 0", "2 " + "3" * 3_000_000 + " 0"), 7, "a line of over 65536 characters"),
    "spreadsheet": ("name,x,y\na,1,2\n", 1, "unknown keyword 'name,x,y'"),
}

VRP_FILES = {
    "no-capacity": (VRP.replace("CAPACITY : 10\n", ""), 5, "there is no CAPACITY"),
    "capacity-zero": (VRP.replace(": 10", ": 0"), 5, "CAPACITY is 0; it must be above 0"),
    "capacity-word": (VRP.replace(": 10", ": ten"), 5, "must be a number"),
    "capacity-infinite": (VRP.replace(": 10", ": 1e999"), 5, "must be a number"),
    "distance-negative": (VRP.replace("NODE_C", "DISTANCE : -1\nNODE_C"), 6, "DISTANCE is -1"),
    "service-negative": (VRP.replace("NODE_C", "SERVICE_TIME : -1\nNODE_C"), 6, "SERVICE_TIME is -1"),
    "vehicles-zero": (VRP.replace("NODE_C", "VEHICLES : 0\nNODE_C"), 6, "integer of at least 1"),
    "no-demands": (VRP.replace("DEMAND_SECTION\n1 0\n2 4\n3 5\n", ""), 13, "no DEMAND_SECTION"),
    "demand-missing": (VRP.replace("3 5\n", ""), 12, "DEMAND_SECTION has 2 lines, but DIMENSION is 3"),
    "demand-unknown-node": (VRP.replace("3 5\n", "4 5\n"), 13, "4 is not a node"),
    "demand-twice": (VRP.replace("3 5\n", "2 5\n"), 13, "node 2 for the second time"),
    "demand-negative": (VRP.replace("2 4\n", "2 -4\n"), 12, "node 2 has the demand -4"),
    "demand-word": (VRP.replace("2 4\n", "2 four\n"), 12, "'four' is not a number"),
    "demand-nan": (VRP.replace("2 4\n", "2 nan\n"), 12, "'nan' is not a number"),
    "depot-demand": (VRP.replace("1 0\n2 4", "1 3\n2 4"), 11, "the depot has the demand 3"),
    "no-depot": (VRP.replace("DEPOT_SECTION\n1\n-1\n", ""), 14, "no DEPOT_SECTION"),
    "depot-empty": (VRP.replace("\n1\n-1\n", "\n-1\n"), 14, "DEPOT_SECTION is empty"),
    "two-depots": (VRP.replace("\n1\n-1\n", "\n1\n2\n-1\n"), 12, "the depot has the demand"),
    "depot-unknown": (VRP.replace("\n1\n-1\n", "\n7\n-1\n"), 15, "7 is not a node"),
    "two-services": (
        VRP.replace("NODE_C", "SERVICE_TIME : 1\nNODE_C", 1).replace(
            "DEPOT_S", "SERVICE_TIME_SECTION\n1 0\n2 1\n3 1\nDEPOT_S"
        ),
        15,
        "keep one",
    ),
    "fixed-edges": (VRP.replace("EOF", "FIXED_EDGES_SECTION\n1 2\n-1\nEOF"), 17, "belongs to TYPE TSP"),
    "windows": (VRP.replace(": CVRP", ": CVRPTW"), 17, "there is no TIME_WINDOW_SECTION; a CVRPTW needs one"),
    "pickups": (VRP.replace("EOF", "PICKUP_AND_DELIVERY_SECTION\nEOF"), 17, "pickups and deliveries"),
}

CSV_FILES = {
    "no-columns": ("a,b\n1,2\n", 1, "the first row is 'a', 'b'; a header has x,y or lat,lon"),
    "only-x": ("x\n1\n", 1, "there is no column y"),
    "only-lat": ("name,lat\na,1\n", 1, "there is no column lon"),
    "addresses": ("name,address\na,Main St\n", 1, "'address' has addresses, and none is looked up; to get coordinates"),
    "links": (
        "name,map\na,https://maps.app.goo.gl/x1\n",
        2,
        "a link without coordinates; open it, and copy the address",
    ),
    "both-pairs": ("x,y,lat,lon\n1,2,3,4\n", 1, "keep one pair"),
    "twice": ("x,y,X\n1,2,3\n", 1, "two columns are called 'x'"),
    "no-rows": ("x,y\n", 1, "no rows"),
    "three-headless": ("1,2,3\n4,5,6\n", 1, "a header has x,y"),
    "word": ("x,y\n1,2\n3,four\n", 3, "y is 'four'; it must be a number"),
    "empty-cell": ("x,y\n1,2\n3,\n", 3, "there is no y"),
    "short-row": ("name,x,y\na,1,2\nb,3\n", 3, "there is no y"),
    "long-row": ("x,y\n1,2\n3,4,5\n", 3, "3 columns here, 2 in the first row"),
    "nan": ("x,y\n1,2\nnan,4\n", 3, "x is 'nan'"),
    "infinite": ("x,y\n1,2\n1e999,4\n", 3, "x is '1e999'"),
    "quote-open": ('name,x,y\n"a,1,2\n', 2, "is not CSV here"),
    "pole": ("lat,lon\n1,2\n\n95,4\n", 4, "row 2 has a latitude beyond 90"),
    "blank-lines": ("x,y\n\n1,2\n\n\n3,b\n", 6, "y is 'b'"),
    "quoted-lines": ('name,x,y\n"a\nb",1,2\nc,3,z\n', 4, "y of 'c' is 'z'"),
}


def assert_one_line(error: WarptourError) -> None:
    text = str(error)
    assert "\n" not in text and "\r" not in text and text.isprintable(), text
    assert len(text) < 700


@pytest.mark.parametrize(
    ("suffix", "text", "line", "message"),
    [
        pytest.param(suffix, *case, id=f"{suffix}-{name}")
        for suffix, cases in ((".tsp", TSP_FILES), (".vrp", VRP_FILES), (".csv", CSV_FILES))
        for name, case in cases.items()
    ],
)
def test_says_what_and_where(tmp_path: Path, suffix: str, text: str, line: int, message: str) -> None:
    path = tmp_path / f"bad{suffix}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read(path)
    error = caught.value
    assert message in error.message
    assert (error.path, error.line) == (str(path), line), error
    assert str(error).startswith(f"{path}:{line}: ")
    assert_one_line(error)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "bad.tsp"
    path.write_bytes(GOOD.replace("2 3 0", "2 b 0").replace("\n", ending).encode())
    with pytest.raises(InputError) as caught:
        read(path)
    assert caught.value.line == 7


def test_a_carriage_return_ends_a_line_among_line_feeds(tmp_path: Path) -> None:
    """A comment that swallowed the rest of its line took the next keyword with it."""
    path = tmp_path / "a.vrp"
    path.write_bytes(
        VRP.replace("NAME : v\n", "COMMENT : c\rNAME : v\r").replace("10\n", "10\rDISTANCE : 99\n").encode()
    )
    problem = read(path)
    assert isinstance(problem, Vehicles) and (problem.name, problem.max_distance) == ("v", 99)


def test_a_matrix_is_symmetric_up_to_rounding(tmp_path: Path) -> None:
    path = tmp_path / "a.tsp"
    path.write_text(MATRIX.format("FULL_MATRIX", "0 0.1 2.5\n0.10000000000000002 0 3\n2.5 3 0"))
    matrix = read(path).points
    np.testing.assert_array_equal(matrix, matrix.T)
    path.write_text(MATRIX.format("FULL_MATRIX", "0 0.1 2.5\n0.1001 0 3\n2.5 3 0"))
    with pytest.raises(InputError, match="asymmetric"):
        read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (gzip.compress(GOOD.encode()), "compressed with gzip"),
        (b"PK\x03\x04rest", "compressed with zip"),
        (GOOD.encode("utf-16"), "UTF-16"),
        (GOOD.encode("utf-16-le"), "zero bytes"),
        (b"\x7fELF\x02\x01\x01\0\0", "zero bytes"),
        (bytes(range(128, 256)) * 10, "outside of a section"),
    ],
    ids=["empty", "blank", "gzip", "zip", "utf-16", "utf-16-bare", "elf", "garbage"],
)
@pytest.mark.parametrize("suffix", [".tsp", ".vrp"])
def test_other_content(tmp_path: Path, suffix: str, content: bytes, message: str) -> None:
    path = tmp_path / f"bad{suffix}"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read(path)
    assert_one_line(caught.value)


def test_missing_directory_device_and_unreadable(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "none.tsp")
    (tmp_path / "folder.tsp").mkdir()
    with pytest.raises(InputError, match="is a directory"):
        read(tmp_path / "folder.tsp")
    (tmp_path / "device.tsp").symlink_to("/dev/null")
    with pytest.raises(InputError, match="is a device"):
        read(tmp_path / "device.tsp")
    locked = tmp_path / "locked.tsp"
    locked.write_text(GOOD)
    locked.chmod(0)
    if not os.access(locked, os.R_OK):
        with pytest.raises(InputError, match="cannot be read: Permission denied"):
            read(locked)
    with pytest.raises(InputError, match="not a file name"):
        read("a\0b.tsp")
    with pytest.raises(InputError, match="cannot be read"):
        read("x" * 5000 + ".tsp")


@pytest.mark.parametrize(
    ("name", "message"),
    [("a.asc", "known are .tsp"), ("a", "known are .tsp"), ("a.tour", "is a solution"), ("a.tsp.gz", "unpack it")],
)
def test_suffixes(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / name).write_text(GOOD)
    with pytest.raises(InputError, match=message):
        read(tmp_path / name)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.write_bytes(b"not numpy"), "not a NumPy file"),
        (lambda path: path.write_bytes(b""), "not a NumPy file"),
        (lambda path: np.save(path, np.zeros((4, 2)).astype(object), allow_pickle=True), "not a NumPy file"),
        (lambda path: np.save(path, np.array(["a"])), "no array of numbers"),
        (lambda path: np.save(path, np.zeros((4, 2), complex)), "no array of numbers"),
        (lambda path: np.save(path, np.zeros(4)), "shape"),
        (lambda path: np.save(path, np.zeros((4, 5))), "shape"),
        (lambda path: np.save(path, np.zeros((0, 2))), "shape|not a NumPy file"),
        (lambda path: np.save(path, np.full((4, 2), np.nan)), "not a finite number"),
        (lambda path: path.write_bytes(npy_of_shape("(1000000000000, 2)")), "cut off"),
        (lambda path: path.write_bytes(npy_of_shape("(3, 2)")), "cut off"),
        (lambda path: path.write_bytes(npy_of_shape("(3, 2")), "not a NumPy file"),
        (lambda path: path.write_bytes(b"PK\x03\x04 is no archive"), "not a NumPy file"),
    ],
)
def test_arrays(tmp_path: Path, make: object, message: str) -> None:
    path = tmp_path / "bad.npy"
    make(path)  # type: ignore[operator]
    with pytest.raises(InputError, match=message) as caught:
        read(path)
    assert caught.value.path == str(path)
    assert_one_line(caught.value)


def npy_of_shape(shape: str) -> bytes:
    """A file whose head claims a shape that its body does not have."""
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode()


@pytest.mark.parametrize(
    ("suffix", "text", "line", "message"),
    [
        (".tour", "TYPE : TOUR\nTOUR_SECTION\n1\n2\n-1\n", 5, "visits 2 of 3 cities"),
        (".tour", "TYPE : TOUR\nTOUR_SECTION\n1 2\n3 1 -1\n", 4, "1 is visited for the second time"),
        (".tour", "TOUR_SECTION\n1\n2\n4\n-1\n", 4, "4 is not one of the cities 1..3"),
        (".tour", "TOUR_SECTION\n1\n0\n3\n-1\n", 3, "0 is not one of the cities 1..3"),
        (".tour", "TOUR_SECTION\n1\n2.5\n3\n-1\n", 3, "2.5 is not one of the cities"),
        (".tour", "TOUR_SECTION\n1\n1e30\n3\n-1\n", 3, "is not one of the cities"),
        (".tour", "TOUR_SECTION\n1\ntwo\n3\n-1\n", 3, "unknown keyword 'two'"),
        (".tour", "TOUR_SECTION\n1\n2 two\n3\n-1\n", 3, "'two' is not a number"),
        (".tour", "TOUR_SECTION\n1\n2\n3\n-1\n3\n2\n1\n-1\n", 6, "a second tour"),
        (".tour", "TYPE : TSP\nTOUR_SECTION\n1\n", 1, "is not TOUR"),
        (".tour", "DIMENSION : 4\nTOUR_SECTION\n1\n", 1, "DIMENSION is 4, but 't' has 3 cities"),
        (".tour", "TYPE : TOUR\n", 1, "no TOUR_SECTION"),
        (".csv", "order,node\n1,1\n2,2\n", 3, "visits 2 of 3 cities"),
        (".csv", "order,node\n1,1\n2,2\n3,2\n", 4, "2 is visited for the second time"),
        (".csv", "order,node\n1,1\n2,2\n3,7\n", 4, "7 is not one of the cities 1..3"),
        (".csv", "order,node\n1,1\n2,b\n", 3, "node is 'b'"),
        (".csv", "order,node\n1,1\n2,1.5\n", 3, "1.5 is not a whole number"),
        (".csv", "order,city\n1,1\n", 1, "no column node"),
        (".geojson", "{", 1, "is not JSON"),
        (".geojson", "[1]", None, "no lines with a list of nodes"),
        (".geojson", "[" * 100_000, None, "nested too deeply"),
        (".geojson", "[" + "9" * 5000 + "]", None, "integer of too many digits"),
    ],
)
def test_tours(tmp_path: Path, suffix: str, text: str, line: int | None, message: str) -> None:
    (tmp_path / "t.tsp").write_text(GOOD)
    path = tmp_path / f"bad{suffix}"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_solution(path, read(tmp_path / "t.tsp"))
    assert message in caught.value.message
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert_one_line(caught.value)


@pytest.mark.parametrize(
    ("suffix", "text", "line", "message"),
    [
        (".sol", "Route #1: 1\nCost 6\n", 1, "visits 1 of 2 customers"),
        (".sol", "Route #1: 1\nRoute #2: 2 1\n", 2, "1 is visited for the second time"),
        (".sol", "Route #1: 1\nRoute #2: 3\n", 2, "3 is not one of the customers 1..2"),
        (".sol", "Route #1: 1 0 2\n", 1, "0 is not one of the customers 1..2"),
        (".sol", "Route #1: 1\nRoute #2: two\n", 2, "'two' is not one of the customers"),
        (".sol", "Route #1: 1 -2\n", 1, "'-2' is not one of the customers"),
        (".sol", "1 2\n", 1, "is not 'Route #1: 4 2 7'"),
        (".sol", "Cost 12\n", 1, "visits 0 of 2 customers"),
        (".csv", "node\n2\n3\n", 1, "no column route"),
        (".csv", "route,node\n1,2\n1,4\n", 3, "4 is not one of the customers"),
        (".tour", "TOUR_SECTION\n1\n2\n3\n-1\n", None, "does not fit a VRP; .sol"),
        (".xml", "<a>", None, "known are .tour"),
    ],
)
def test_routes(tmp_path: Path, suffix: str, text: str, line: int | None, message: str) -> None:
    (tmp_path / "v.vrp").write_text(VRP)
    path = tmp_path / f"bad{suffix}"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_solution(path, read(tmp_path / "v.vrp"))
    assert message in caught.value.message
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert_one_line(caught.value)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x,y,demand\n0,0,\n1,1,2\n", {}, "needs the capacity of a vehicle"),
        ("x,y\n0,0\n1,1\n", {"capacity": 5}, "has no demands, so capacity cannot apply"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 0}, "the capacity is 0; it must be above 0"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": float("nan")}, "the capacity is nan"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 5, "max_distance": -1}, "the max distance is -1"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 5, "vehicles": 0}, "at least 1"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 5, "vehicles": 99999999999999999999}, "at most 2147483647"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 5, "vehicles": 1.5}, "the number of vehicles is 1.5"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 10**400}, "the capacity is 1000"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": "5"}, "the capacity is 5"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 5, "fixed_cost": float("nan")}, "the fixed cost is nan"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 5, "fixed_cost": -1}, "the fixed cost is -1"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 5, "depot": 1.5}, "the depot 1.5 is not a row"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 5, "service_time": -1}, "at least 0"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 5, "depot": 3}, "the depot 3 is not a row; they are 1..2"),
        ("x,y,demand\n0,0,\n1,1,2\n", {"capacity": 5, "depot": "home"}, "no row is called 'home'"),
        ("x,y,demand,service\n0,0,,\n1,1,2,1\n", {"capacity": 5, "service_time": 3}, "contradicts"),
        ("x,y\n0,0\n", {"rounding": "up"}, "unknown rounding 'up'; there are none, nearest, ceil, floor"),
    ],
)
def test_options(tmp_path: Path, text: str, options: dict[str, float], message: str) -> None:
    path = tmp_path / "stops.csv"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        read(path, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert_one_line(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("x,y,demand\n0,0,\n1,1,\n", 3, "row 2 has no demand"),
        ("x,y,demand\n0,0,\n1,1,-2\n", 3, "row 2 has the demand -2"),
        ("x,y,demand\n0,0,\n1,1,two\n", 3, "demand is 'two'"),
        ("x,y,demand\n0,0,7\n1,1,2\n", 2, "the depot, row 1, has the demand 7"),
        ("x,y,demand,service\n0,0,,\n1,1,2,-3\n", 3, "row 2 has the service time -3"),
    ],
)
def test_demands(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "stops.csv"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read(path, capacity=10)
    assert message in caught.value.message
    assert caught.value.line == line
    assert_one_line(caught.value)


@pytest.mark.parametrize(
    "spec",
    [
        "uniform:",
        "uniform:0:1",
        "uniform:x:1",
        "uniform:10:-1",
        "uniform:1000000000000:1",
        "square:10:1",
        "uniform:9:1:2",
    ],
)
def test_specs(spec: str) -> None:
    with pytest.raises(WarptourError) as caught:
        read(spec)
    assert_one_line(caught.value)
