"""Shipments in tables of stops."""

from __future__ import annotations

from pathlib import Path

import pytest

import warptour as wt
from warptour.io import read_solution, write_solution
from warptour.model.vehicles import VRP

HEADER = "name,x,y,demand,shipment"
ROWS = ["D,0,0,,", "A,1,2,3,order 1", "B,4,4,2,", "C,5,1,,Order 1", "E,2,2,1,9", "F,7,7,1,9"]


def table(folder: Path, header: str = HEADER, rows: list[str] = ROWS) -> Path:
    path = folder / "stops.csv"
    path.write_text("\n".join([header, *rows, ""]))
    return path


def shipped(path: Path, **options: object) -> VRP:
    problem = wt.read(path, capacity=5, **options)
    assert isinstance(problem, VRP)
    return problem


def test_rows_with_the_same_word_are_a_shipment(tmp_path: Path) -> None:
    problem = shipped(table(tmp_path))
    assert problem.shipments == (wt.Shipment(1, 3), wt.Shipment(4, 5)) and not problem.warnings
    assert problem.demands.tolist() == [0, 3, 2, -3, 1, -1]


@pytest.mark.parametrize("word", ["Shipment", "shipments", "Sendung", "Envoi", "spedizione", "shipment no"])
def test_headers_in_several_languages(tmp_path: Path, word: str) -> None:
    assert len(shipped(table(tmp_path, HEADER.replace("shipment", word))).shipments) == 2


def test_the_pickup_is_the_row_that_says_so(tmp_path: Path) -> None:
    rows = ["D,0,0,,,", "A,1,2,,1,delivery", "B,4,4,3,1,Pickup", "C,5,1,2,2,", "E,2,2,,2,"]
    assert shipped(table(tmp_path, HEADER + ",type", rows)).shipments == (wt.Shipment(2, 1), wt.Shipment(3, 4))
    rows = ["D,0,0,,", "A,1,2,-3,1", "B,4,4,3,1"]
    problem = shipped(table(tmp_path, rows=rows))
    assert problem.shipments == (wt.Shipment(2, 1),) and problem.demands.tolist() == [0, -3, 3]


def test_order_numbers_of_one_row_each_are_no_shipments(tmp_path: Path) -> None:
    rows = ["D,0,0,,", "A,1,2,3,1", "B,4,4,2,2"]
    with pytest.warns(wt.InputWarning, match="columns not used: 'shipment'"):
        assert shipped(table(tmp_path, rows=rows)).shipments == ()


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        ([*ROWS, "G,1,1,1,10"], 8, "'shipment' is '10'; no other row has it: a shipment is a row of its pickup"),
        ([*ROWS, "G,1,1,1,9"], 8, "'shipment' is '9'; 3 rows have it: a shipment is a row of its pickup and one"),
        ([*ROWS[:-1], "F,7,7,2,9"], None, "customer 6 ('F', row 7) delivers 2; its pickup, customer 5 ('E', row 6), "),
        ([*ROWS[:-2], "E,2,2,-1,9", "F,7,7,-1,9"], 7, "'shipment' is '9'; what is picked up has a demand above 0"),
        ([*ROWS[:2], "B,4,4,-2,", *ROWS[3:]], 4, "has the demand -2; it must be a number of at least 0"),
        ([*ROWS[:-2], "E,2,2,,9", "F,7,7,1,9"], 6, "has no demand; it must be a number of at least 0"),
    ],
)  # fmt: skip
def test_a_bad_shipment_is_one_line(tmp_path: Path, rows: list[str], line: int | None, message: str) -> None:
    path = table(tmp_path, rows=rows)
    with pytest.raises(wt.InputError) as caught:
        shipped(path)
    assert message in str(caught.value) and str(caught.value).isprintable()
    assert str(caught.value).startswith(f"{path}:{line}: " if line else str(path))


def test_goods_may_be_a_stack(tmp_path: Path) -> None:
    assert shipped(table(tmp_path), lifo=True).lifo and not shipped(table(tmp_path)).lifo
    with pytest.raises(
        wt.UsageError, match="has no shipments, which --lifo unloads in order; a column shipment has them"
    ):
        shipped(table(tmp_path, "name,x,y,demand", ["D,0,0,", "A,1,2,3"]), lifo=True)


def test_two_pickups_are_refused(tmp_path: Path) -> None:
    rows = ["D,0,0,,,", "A,1,2,3,1,pickup", "B,4,4,,1,pickup"]
    with pytest.raises(wt.InputError, match=r"stops.csv:4: 'shipment' is '1'; both of its rows are pickups"):
        shipped(table(tmp_path, HEADER + ",type", rows))


def test_a_plan_goes_out_and_is_judged_again(tmp_path: Path) -> None:
    path = table(tmp_path)
    problem = shipped(path)
    result = wt.solve(problem, iterations=500, threads=1)
    for name in ("plan.csv", "plan.sol", "plan.geojson"):
        write_solution(tmp_path / name, problem, result.routes, result.cost)
        assert problem.check(read_solution(tmp_path / name, problem)).feasible


RIDDEN = ["D,0,0,,,", "A,1,2,3,1,5", "B,4,4,2,,", "C,5,1,,1,", "E,2,2,1,9,", "F,7,7,1,9,20"]
TIMES = {"speed": 60, "unit": "km"}


def test_rides_have_limits(tmp_path: Path) -> None:
    path = table(tmp_path, HEADER + ",max_ride", RIDDEN)
    assert [each.max_ride for each in shipped(path).shipments] == [5, 20]
    assert [each.max_ride for each in shipped(path, **TIMES).shipments] == [300, 1200]
    assert [each.max_ride for each in shipped(path, max_ride=7).shipments] == [5, 20]
    assert [each.max_ride for each in shipped(table(tmp_path), max_ride=7, **TIMES).shipments] == [420, 420]


@pytest.mark.parametrize(
    "word",
    ["max ride (h)", "Maximale Fahrzeit (Stunden)", "longest_ride_hours", "ride limit (hours)", "trajet max (h)"],
)
def test_rides_have_units(tmp_path: Path, word: str) -> None:
    assert shipped(table(tmp_path, f"{HEADER},{word}", RIDDEN), **TIMES).shipments[0].max_ride == 5 * 3600


@pytest.mark.parametrize(
    ("header", "row", "fault"),
    [
        ("max_ride", "C,5,1,,1,6", "5: 'max_ride' is '6'; its pickup has 5"),
        ("max_ride", "C,5,1,,1,-6", "5: 'max_ride' is '-6'; it must be a number of at least 0, of minutes, or empty"),
        ("max_ride", "C,5,1,,1,soon", "5: 'max_ride' is 'soon'; it must be a number of at least 0, of minutes, or"),
        ("max_ride (km)", "C,5,1,,1,", "1: a longest ride is a time, and 'max_ride (km)' has another unit"),
    ],
)
def test_a_bad_longest_ride_is_one_line(tmp_path: Path, header: str, row: str, fault: str) -> None:
    path = table(tmp_path, f"{HEADER},{header}", [*RIDDEN[:3], row, *RIDDEN[4:]])
    with pytest.raises(wt.InputError) as caught:
        shipped(path, **TIMES)
    assert f"stops.csv:{fault}" in str(caught.value)


def test_longest_rides_need_shipments(tmp_path: Path) -> None:
    rows = ["D,0,0,,", "A,1,2,3,5"]
    with pytest.raises(wt.InputError, match=r"stops.csv:3: 'max_ride' is '5'; the row is in no shipment"):
        shipped(table(tmp_path, "name,x,y,demand,max_ride", rows))
    with pytest.raises(wt.UsageError, match="has no shipments, whose rides --max-ride limits; a column shipment has"):
        shipped(table(tmp_path, "name,x,y,demand", ["D,0,0,", "A,1,2,3"]), max_ride=5)


def test_plans_tell_rides(tmp_path: Path) -> None:
    problem = shipped(table(tmp_path, HEADER + ",max_ride", RIDDEN), **TIMES)
    result = wt.solve(problem, iterations=500, threads=1)
    write_solution(tmp_path / "plan.csv", problem, result.routes, result.cost)
    header, *rows = [row.split(",") for row in (tmp_path / "plan.csv").read_text().splitlines()]
    told = {row[0]: row[header.index("ride (min)")] for row in rows}
    assert float(told["C"]) <= 5 and float(told["F"]) <= 20 and told["A"] == told["B"] == ""
    assert problem.check(read_solution(tmp_path / "plan.csv", problem)).feasible
