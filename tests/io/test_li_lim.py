"""Li and Lim's text of pickups and deliveries."""

from __future__ import annotations

import csv
import io
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from refused_files import assert_refused
from warptour.io import read
from warptour.io.li_lim import read_li_lim
from warptour.model.errors import InputError
from warptour.model.shipments import Shipment
from warptour.model.vehicles import VRP

GOOD = (
    "3\t20\t1\n0\t0\t0\t0\t0\t90\t0\t0\t0\n"  # 2 lines
    "1 3 4 8 6 9 2 0 4\n2 1 1 -7.5 0 25 2.5 3 0\n3 6 8 7.5 0 25 0 0 2\n4 0 5 -8 0 80 2 1 0\n"
)


def test_every_column_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(GOOD)
    found = read_li_lim(tmp_path / "a.txt")
    assert (found.name, found.n, found.vehicles, found.capacity) == ("a", 5, 3, 20)
    assert found.shipments == (Shipment(1, 4), Shipment(3, 2)), "each pickup and its delivery"
    assert found.points.tolist() == [[0, 0], [3, 4], [1, 1], [6, 8], [0, 5]]
    assert found.demands.tolist() == [0, 8, -7.5, 7.5, -8] and found.service_times.tolist() == [0, 2, 2.5, 0, 2]
    assert found.windows is not None
    assert [*found.windows] == [[(0, 90)], [(6, 9)], [(0, 25)], [(0, 25)], [(0, 80)]]


@pytest.mark.parametrize("text", [GOOD, "\n \n" + GOOD, "\ufeff" + GOOD.replace("\n", "\r\n"), GOOD.rstrip("\n")])
def test_it_is_solved(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text, newline="")
    problem = read(tmp_path / "a.txt")
    assert isinstance(problem, VRP) and len(problem.shipments) == 2
    result = wt.solve(problem, iterations=100, threads=1)
    assert [route.tolist() for route in result.routes] == [[1, 3, 2, 4]], "the goods of both are on board at once"


def test_it_is_known_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (GOOD, "1 2 3\n4 5 6\n"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode()))))  # type: ignore[arg-type]
        if text == GOOD:
            assert isinstance(read("-"), VRP)
        else:
            with pytest.raises(InputError):
                read("-")


BAD = {
    "vehicles": (GOOD.replace("3\t20", "0\t20"), 1, "the number of vehicles is 0; it must be an integer of at least 1"),
    "capacity": (GOOD.replace("3\t20", "3\t-2"), 1, "the capacity is -2; it must be above 0"),
    "speed": (GOOD.replace("20\t1", "20\t1e"), 1, "'1e' is not a number; the first line is 'vehicles capacity speed'"),
    "huge": (GOOD.replace("3\t20", "1e999\t20"), 1, "'1e999' is not a number"),
    "no-tasks": ("3 20 1\n", 1, "there are no tasks; after the depot, task 0, a line is 'task x y demand"),
    "only-depot": (GOOD[: GOOD.index("1 3 4")], 2, "there are no tasks"),
    "short-line": (GOOD.replace(" 2 0 4\n", " 2 0\n"), 3, "8 numbers in a line of TASKS; a line is 'task x y demand"),
    "solomons-depot": (GOOD.replace("90\t0\t0\t0", "90\t0"), 2, "7 numbers in a line of TASKS"),
    "word": (GOOD.replace("2 1 1", "2 one 1"), 4, "'one' is not a number"),
    "order": (GOOD.replace("2 1 1", "5 1 1"), 4, "task 5 stands where task 2 should be, in order from 0"),
    "cut": (GOOD[: GOOD.index("4 0 5")], 3, "task 1 has the partner 4, which is not one of the tasks 1..3"),
    "reversed": (GOOD.replace("6 9 2", "9 6 2"), 3, "task 1 has a window that ends at 6, before it begins at 9"),
    "ready": (GOOD.replace("8 6 9", "8 -6 9"), 3, "task 1 has the ready time -6; it must be at least 0"),
    "service": (GOOD.replace("25 2.5", "25 -2.5"), 4, "task 2 has the service time -2.5; it must be at least 0"),
    "depot-demand": (GOOD.replace("0\t0\t0\t0\t0\t90", "0\t0\t0\t1\t0\t90"), 2, "the depot, has the demand 1; it must"),
    "depot-pair": (GOOD.replace("90\t0\t0\t0", "90\t0\t0\t2"), 2, "task 0, the depot, has the partner 2; it must be 0"),
    "both": (GOOD.replace("2 0 4", "2 3 4"), 3, "task 1 has the pickup 3 and the delivery 4; one of them must be 0"),
    "neither": (GOOD.replace("2.5 3 0", "2.5 0 0"), 4, "task 2 has neither a pickup nor a delivery; its partner is"),
    "half": (GOOD.replace("2 0 4", "2 0 4.5"), 3, "task 1 has the partner 4.5, which is not one of the tasks 1..4"),
    "negative": (GOOD.replace("2 0 4", "2 0 -4"), 3, "task 1 has the partner -4, which is not one of the tasks"),
    "itself": (GOOD.replace("2 0 4", "2 0 1"), 3, "task 1 has the partner 1, which does not name it in turn"),
    "taken": (GOOD.replace("2 0 4", "2 0 2"), 3, "task 1 has the partner 2, which does not name it in turn"),
    "swapped": (GOOD.replace("2 0 4", "2 4 0"), 3, "task 1 has the partner 4, which does not name it in turn"),
    "loads-less": (GOOD.replace("4 8 6", "4 9 6"), 3, "task 1 has the demand 9, but its partner 4 not the opposite"),
    "loads-nothing": (
        GOOD.replace("4 8 6", "4 -8 6").replace("5 -8", "5 8"),
        3,
        "task 1 is a pickup and has the demand -8; it must be at least 0",
    ),
    "far": (GOOD.replace("1 3 4", "1 3 1e200"), 2, "a coordinate beyond 1e15"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_one_line(tmp_path: Path, case: str) -> None:
    text, line, message = BAD[case]
    assert text != GOOD
    assert_refused(tmp_path / "bad.txt", text, line, re.escape(message))


def _published(path: Path) -> list[list[int]]:
    """The routes of a solution as SINTEF writes them."""
    lines = re.findall(r"^Route[^:]*:([\d ]*)", path.read_text(encoding="latin-1"), re.MULTILINE)
    return [[int(word) for word in line.split()] for line in lines]


def test_every_published_file_is_what_its_solution_says(rich: Path) -> None:
    """Its pairs, places and windows: a solution keeps them at the published cost."""
    with open(rich / "li_lim" / "best.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(list((rich / "li_lim").glob("*.txt"))) > 20
    for row in rows:
        path = rich / "li_lim" / f"{row['name']}.txt"
        found, routes = read(path), _published(path.with_suffix(".sol"))
        assert isinstance(found, VRP) and found.vehicles is not None
        assert len(routes) == int(row["vehicles"]) <= found.vehicles
        assert sorted(task for route in routes for task in route) == [*range(1, found.n)]
        assert found.n == 2 * len(found.shipments) + 1
        length = sum(_length(found, route) for route in routes)
        assert round(length, 4) == float(row["cost"]), path
        report = found.check([np.array(route) for route in routes])
        assert report.feasible and report.cost == pytest.approx(length)


def _length(found: VRP, route: list[int]) -> float:
    """The length of a route that is feasible."""
    delivered = {each.pickup: each.delivery for each in found.shipments}
    assert all(route.index(delivered[task]) > at for at, task in enumerate(route) if task in delivered)
    loads = found.demands[route].cumsum()
    assert loads.min() >= 0 and loads.max() <= found.capacity and loads[-1] == 0
    windows = found.windows
    assert windows is not None
    time, length, last = windows.opens[0], 0.0, 0
    for task in (*route, 0):
        leg = float(np.hypot(*(found.points[task] - found.points[last])))
        length, time, last = length + leg, max(time + leg, windows.opens[task]), task
        assert time <= windows.closes[task] + 1e-9
        time += found.service_times[task]
    return length
