"""Solomon's text: every published problem costs what is published, and bad files give one line."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from refused_files import assert_refused
from warptour.io import read, read_solution, write_solution
from warptour.model.errors import UsageError
from warptour.model.vehicles import VRP

GOOD = (
    "T1\n\nVEHICLE\nNUMBER     CAPACITY\n  2         20\n\n"  # 6 lines
    "CUSTOMER\nCUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE   TIME\n \n"  # 7 to 9
    "0 0 0 0 0 30 0\n1 3 4 8 6 9 2\n2 1 1 7 0 25 2.5\n3 6 8 6 0 25 0\n"  # 10 to 13
)


def problem_in(path: Path, text: str = GOOD, **options: object) -> VRP:
    path.write_text(text)
    problem = read(path, **options)  # type: ignore[arg-type]
    assert isinstance(problem, VRP)
    return problem


def test_every_column_is_read(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.txt")
    assert (problem.name, problem.vehicles, problem.capacity, problem.depot) == ("T1", 2, 20, 0)
    assert problem.metric.name == "EUCLIDEAN" and problem.distance(0, 2) == 2**0.5
    assert problem.points.tolist() == [[0, 0], [3, 4], [1, 1], [6, 8]]
    assert problem.demands.tolist() == [0, 8, 7, 6] and problem.demands.dtype == np.int64
    assert problem.service_times.tolist() == [0, 2, 2.5, 0]
    assert problem.windows is not None
    assert [*problem.windows] == [[(0, 30)], [(6, 9)], [(0, 25)], [(0, 25)]]
    assert problem.labels == ("0", "1", "2", "3"), "messages name customers as the file does"


def test_a_vehicle_waits_and_is_back_in_time(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.txt")
    assert problem.check([np.array([1, 3]), np.array([2])]).feasible, "starts at 6, 13 and 0, ends at 23"
    (late,) = problem.check([np.array([3, 1]), np.array([2])]).violations
    assert "customer 2 ('1')" in late and "6 late" in late, "at customer 1 at 15, whose window ends at 9"
    assert not problem.check([np.array([1]), np.array([2]), np.array([3])]).feasible, "there are two vehicles"
    tight = problem_in(tmp_path / "b.txt", GOOD.replace("0 30 0", "0 22 0"))
    assert not tight.check([np.array([1, 3]), np.array([2])]).feasible, "back at 23, or 22 without the wait"


def test_the_text_of_other_systems(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode() + b"\r\n \r\n")
    (tmp_path / "b.TXT").write_text(GOOD.replace("T1\n\n", "").replace("\n \n", "\n"))
    problem, nameless = read(tmp_path / "a.txt"), read(tmp_path / "b.TXT")
    assert problem.n == nameless.n == 4
    assert (problem.name, nameless.name) == ("T1", "b")


def test_a_text_of_tsplib_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("DIMENSION: 1\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n")
    assert read(tmp_path / "a.txt").kind == "tsp"


@pytest.mark.parametrize("rounding", [None, "dimacs"])
def test_solutions_have_the_numbers_of_the_file(tmp_path: Path, rounding: str | None) -> None:
    problem = problem_in(tmp_path / "a.txt", rounding=rounding)
    routes = [np.array([2]), np.array([1, 3])]
    write_solution(tmp_path / "a.sol", problem, routes)
    lines = (tmp_path / "a.sol").read_text().splitlines()
    assert lines[:2] == ["Route #1: 2", "Route #2: 1 3"]
    known = 20 + 2 * 2**0.5 if rounding is None else 14 + 14 + 50 + 50 + 100
    assert float(lines[2].removeprefix("Cost ")) == pytest.approx(known)
    again = read_solution(tmp_path / "a.sol", problem)
    assert [route.tolist() for route in again] == [[2], [1, 3]]


def test_solutions_as_sintef_writes_them(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.txt")
    remarks = "Instance name : T1\nAuthors       : A and Ü\nDate          : 1.1.2003\nReference: none\nSolution\n"
    (tmp_path / "a.sol").write_bytes(remarks.encode("latin-1") + b"Route  1 : 2\nRoute  2 : 1 3\nRoute #3:\n")
    assert [route.tolist() for route in read_solution(tmp_path / "a.sol", problem)] == [[2], [1, 3]]


BAD = {
    "no-vehicles": (GOOD.replace("VEHICLE", "CARS"), 1, "no heading VEHICLE"),
    "no-count": (
        GOOD.replace("  2         20\n", ""),
        6,
        "'CUSTOMER' is not a number; here are the number and the cap",
    ),
    "one-number": (GOOD.replace("  2  ", "  "), 5, "1 numbers in a line; here are the number and the capacity"),
    "vehicles-zero": (GOOD.replace("  2  ", "  0  "), 5, "the number of vehicles is 0; it must be an integer of at"),
    "vehicles-half": (GOOD.replace("  2  ", "  2.5  "), 5, "the number of vehicles is 2.5"),
    "capacity-zero": (GOOD.replace("20\n", "0\n"), 5, "the capacity is 0; it must be above 0"),
    "capacity-word": (GOOD.replace("20\n", "many\n"), 5, "'many' is not a number"),
    "capacity-infinite": (GOOD.replace("20\n", "1e999\n"), 5, "'1e999' is not a number"),
    "no-customer-heading": (GOOD.replace("CUSTOMER\n", ""), 7, "'CUST NO. .* stands where the heading CUSTOMER should"),
    "no-column-heading": (GOOD.replace("CUST NO.", "NO."), 8, "stands where the heading CUST should be"),
    "cut-in-heading": (GOOD[: GOOD.index("CUSTOMER")], 5, "the file ends before the heading CUSTOMER"),
    "no-rows": (GOOD[: GOOD.index("0 0 0 0")], 8, "there are no customers"),
    "only-depot": (GOOD[: GOOD.index("1 3 4")], 10, "there are no customers"),
    "missing-column": (
        GOOD.replace("1 1 7 0 25 2.5", "1 1 7 0 25"),
        12,
        "6 numbers in a line of CUSTOMER; a line is 'customer x y",
    ),
    "more-columns": (GOOD.replace("25 2.5", "25 2.5 1 2"), 12, "9 numbers in a line"),
    "word": (GOOD.replace("2 1 1 7", "2 1 one 7"), 12, "'one' is not a number; a line of CUSTOMER is 'customer"),
    "nan": (GOOD.replace("2 1 1 7", "2 1 nan 7"), 12, "'nan' is not a number"),
    "comma": (GOOD.replace("25 2.5", "25 2,5"), 12, "'2,5' is not a number"),
    "underscore": (GOOD.replace("25 2.5", "25 2_5"), 12, "'2_5' is not a number"),
    "missing-row": (GOOD.replace("2 1 1 7 0 25 2.5\n", ""), 12, "customer 3 stands where customer 2 should be"),
    "row-twice": (GOOD + "3 6 8 6 0 25 0\n", 14, "customer 3 stands where customer 4 should be"),
    "from-one": (GOOD.replace("0 0 0 0 0 30 0\n", ""), 10, "customer 1 stands where customer 0 should be"),
    "half-a-customer": (GOOD.replace("2 1 1 7", "2.5 1 1 7"), 12, "customer 2.5 stands where customer 2 should be"),
    "window-reversed": (GOOD.replace("6 9 2", "9 6 2"), 11, "customer 1 has a window that ends at 6, before it begins"),
    "ready-negative": (GOOD.replace("6 9 2", "-6 9 2"), 11, "customer 1 has the ready time -6; it must be at least 0"),
    "demand-negative": (GOOD.replace("3 4 8", "3 4 -8"), 11, "customer 1 has the demand -8"),
    "service-negative": (GOOD.replace("6 9 2", "6 9 -2"), 11, "customer 1 has the service time -2"),
    "depot-demand": (GOOD.replace("0 0 0 0 0 30", "0 0 0 5 0 30"), 10, "customer 0, the depot, has the demand 5"),
    "far-away": (GOOD.replace("1 3 4", "1 3 1e200"), 10, "a coordinate beyond 1e15"),
    "prose": ("Dear reader,\nthis is no problem.\n", 1, "no heading VEHICLE"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_one_line(tmp_path: Path, case: str) -> None:
    text, line, message = BAD[case]
    assert text != GOOD
    assert_refused(tmp_path / "bad.txt", text, line, message)


def test_options_that_make_no_sense(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="latlon"):
        problem_in(tmp_path / "a.txt", latlon=True)
    with pytest.raises(UsageError, match="no columns"):
        problem_in(tmp_path / "a.txt", ignore=["demand"])
    with pytest.raises(UsageError, match=r"a.txt has time windows in the unit of its distances.*; leave out --speed"):
        problem_in(tmp_path / "a.txt", speed=30, unit="km")
    assert problem_in(tmp_path / "a.txt", vehicles=3, capacity=9).vehicles == 3


def test_best_known_values_of_dimacs_and_of_sintef(tmp_path: Path) -> None:
    (tmp_path / "best.csv").write_text("name,objective,vehicles,cost,source\na,distance,2,228,x\n")
    assert problem_in(tmp_path / "a.txt", rounding="dimacs").best_known == 228
    for rounding in (None, "exact", "nearest", "floor", "none"):
        assert problem_in(tmp_path / "a.txt", rounding=rounding).best_known is None, rounding
    (tmp_path / "best.csv").write_text("name,objective,vehicles,cost,source\na,vehicles>distance,2,22.8284,x\n")
    assert problem_in(tmp_path / "a.txt").best_known == 22.8284
    assert problem_in(tmp_path / "a.txt", minimize="vehicles").best_known == 22.8284
    assert problem_in(tmp_path / "a.txt", vehicles=2).best_known is None
    for rounding in ("dimacs", "exact", "nearest"):
        assert problem_in(tmp_path / "a.txt", rounding=rounding).best_known is None, rounding
    (tmp_path / "best.csv").write_text("name,best,rounding\na,22828,exact\n")
    assert problem_in(tmp_path / "a.txt", rounding="exact").best_known == 22828
    assert problem_in(tmp_path / "a.txt").best_known is None


@pytest.mark.parametrize(("folder", "rounding"), [("solomon", "dimacs"), ("homberger", None)])
def test_every_published_solution_has_its_published_cost(rich: Path, folder: str, rounding: str | None) -> None:
    with open(rich / folder / "best.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(list((rich / folder).glob("*.txt"))) > 20
    for row in rows:
        path = rich / folder / f"{row['name']}.txt"
        problem = read(path, rounding=rounding)  # type: ignore[arg-type]
        assert isinstance(problem, VRP)
        routes = read_solution(path.with_suffix(".sol"), problem)
        report = problem.check(routes)  # type: ignore[arg-type]
        assert report.feasible, (path, report)
        assert len(routes) == int(row["vehicles"])
        rounded = report.cost if rounding else round(report.cost, 4)
        assert rounded == float(row["cost"]), path
        assert problem.best_known == float(row["cost"])
