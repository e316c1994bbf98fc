"""Cordeau's text of problems with several depots."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from refused_files import assert_refused
from warptour.io import read, read_solution, write_solution
from warptour.model.errors import InputError
from warptour.model.vehicles import VRP

GOOD = (
    "2 1 3 2\n"  # 1: one vehicle a depot, three customers, two depots
    "20 5\n0 9\n"  # 2, 3
    "1 3 4 1 2 1 2 1 2\n2 0 8 0 3 1 2 1 2\n3 6 0 2 4 1 2 1 2\n"  # 4 to 6
    "4 0 0 0 0 0 0\n5 6 8 0 0 0 0\n"  # 7, 8
)


def problem_in(path: Path, text: str = GOOD) -> VRP:
    path.write_text(text)
    problem = read(path)
    assert isinstance(problem, VRP)
    return problem


def test_depots_are_behind_the_customers(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.txt")
    assert problem.customers.tolist() == [0, 1, 2] and problem.depots == (3, 4) and problem.depot == 3
    assert problem.demands.tolist() == [2, 3, 4, 0, 0] and problem.labels == ("1", "2", "3", "4", "5")
    assert problem.fleet is not None
    first, second = problem.fleet.types
    assert (first.start, first.end, first.capacities, first.max_duration, first.count) == (3, 3, (5,), 20, 1)
    assert (second.start, second.end, second.capacities, second.max_duration) == (4, 4, (9,), math.inf)


def test_the_longest_route_counts_services(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.txt")
    report = problem.check([np.array([0, 1]), np.array([2])])
    assert report.cost == pytest.approx(5 + 5 + 8 + 16) and report.feasible, "18 and a service of 1"
    text = GOOD.replace("20 5", "18 5")
    (fault,) = problem_in(tmp_path / "b.txt", text).check([np.array([0, 1]), np.array([2])]).violations
    assert fault == "vehicle 1 takes 19, waits and services included, above 18"


def test_solutions_have_the_customers_numbers(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.txt")
    routes = [np.array([], int), np.array([0, 2])]
    (tmp_path / "a.sol").write_text("Route #1:\nRoute #2: 1 3\n")
    assert [*map(list, read_solution(tmp_path / "a.sol", problem, strict=False))] == [*map(list, routes)]
    write_solution(tmp_path / "b.sol", problem, [np.array([1]), np.array([0, 2])])
    assert (tmp_path / "b.sol").read_text().startswith("Route #1: 2\nRoute #2: 1 3\nCost ")
    (tmp_path / "c.sol").write_text("Route #1: 4\nRoute #2: 1 2 3\n")
    with pytest.raises(InputError, match="is not one of the customers"):
        read_solution(tmp_path / "c.sol", problem)


def test_time_windows(tmp_path: Path) -> None:
    text = "6 1 1 1\n0 9\n1 3 4 1 2 1 1 1 7 9\n2 0 0 0 0 0 0 0 30\n"
    problem = problem_in(tmp_path / "a.txt", text)
    assert problem.windows is not None and [*problem.windows] == [[(7, 9)], [(0, 30)]]
    assert problem.check([np.array([0])]).feasible


BAD = {
    "days": (GOOD.replace("2 1 3 2", "1 1 3 2"), 1, r"kind 1 \(several days\) is not read from this text; 2 and 6 are"),
    "kind": (GOOD.replace("2 1 3 2", "9 1 3 2"), 1, "an unknown kind"),
    "no-vehicle": (GOOD.replace("2 1 3 2", "2 0 3 2"), 1, "at least one vehicle"),
    "many": (GOOD.replace("2 1 3 2", "2 1 3000000 2"), 8, "the file ends before 3000000 customers"),
    "limit": (GOOD.replace("0 9\n", "-1 9\n"), 3, "the longest route and the capacity are at least 0"),
    "limits": (GOOD.replace("0 9\n", "0 9 1\n"), 3, "3 numbers in a line; here are the longest route"),
    "order": (GOOD.replace("2 0 8 0 3", "3 0 8 0 3"), 5, "3 stands where 2 should be, in order from 1"),
    "demand": (GOOD.replace("2 0 8 0 3", "2 0 8 0 -3"), 5, "the service time and the demand are at least 0"),
    "word": (GOOD.replace("2 0 8 0 3", "2 0 x 0 3"), 5, "'x' is not a number"),
    "short": (GOOD.replace("3 6 0 2 4 1 2 1 2", "3 6 0 2"), 6, "4 numbers in a line; a line is 'number x y service"),
    "more": (GOOD + "6 1 1 0 0 0 0\n", 9, "a line after those of 3 customers and 2 depots"),
    "window": ("6 1 1 1\n0 9\n1 3 4 1 2 1 1 1 9 7\n2 0 0 0 0 0 0 0 30\n", 3, "a window from 9 to 7; it begins at 0"),
    "depot-demand": (GOOD.replace("5 6 8 0 0", "5 6 8 0 1"), 1, "the depot 5 has the demand 1; it must be 0"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_one_line(tmp_path: Path, case: str) -> None:
    text, line, message = BAD[case]
    assert text != GOOD
    assert_refused(tmp_path / "bad.txt", text, line, message)


def test_the_published_instances_are_read_with_their_best_costs(rich: Path) -> None:
    with open(rich / "mdvrp" / "best.csv", newline="") as file:
        best = {row["name"]: float(row["cost"]) for row in csv.DictReader(file)}
    assert len(best) == 23
    for name, cost in best.items():
        problem = read(rich / "mdvrp" / f"{name}.txt")
        assert isinstance(problem, VRP) and problem.fleet is not None
        assert len(problem.depots) == len(problem.fleet.types) > 1
        assert problem.best_known == cost
