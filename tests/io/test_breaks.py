"""Breaks of drivers in tables of vehicles, in VROOM's JSON and in what is written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import warptour as wt
from warptour.model.rests import Break
from warptour.model.windows import TimeWindows
from warptour.view.plan import plan_facts

STOPS = "name,x,y,demand\nDepot,0,0,\nA,10,0,1\nB,20,0,1\nC,30,0,1\n"
HOURS = {"speed": 60, "unit": "km", "service_minutes": 30}


def problem(tmp_path: Path, breaks: str, shift: str = "08:00,17:00", **options: Any) -> wt.VRP:
    (tmp_path / "stops.csv").write_text(STOPS)
    (tmp_path / "fleet.csv").write_text(f"name,count,capacity,shift_from,shift_to,breaks\nvan,1,9,{shift},{breaks}\n")
    return wt.read(tmp_path / "stops.csv", fleet=tmp_path / "fleet.csv", **(options or HOURS))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30 min 11:30-13:30", [(41400, 46800, 1800)]),
        ("45 09:00-10:00; 15 Minuten 15-16", [(32400, 33300, 2700), (54000, 56700, 900)]),
        ("", []),
    ],
)
def test_a_column_says_how_long_and_within_which_hours(tmp_path: Path, text: str, expected: list[Any]) -> None:
    (own,) = problem(tmp_path, text).fleet.types
    assert own.breaks == tuple(Break(*each) for each in expected)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("90 min 11:30-12:30", "a break is longer than the hours in which it lies"),
        ("at noon", "write a break as its length and the hours in which it lies: 30 min 11:30-13:30"),
        ("; ".join(["5 min 09:00-10:00"] * 5), "a driver may have 4 breaks"),
    ],
)
def test_what_is_no_break_is_one_line(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(wt.InputError, match=f"fleet.csv:2: breaks of 'van' is .*; {fault}"):
        problem(tmp_path, text)


def test_the_european_rule_is_a_word(tmp_path: Path) -> None:
    for word in ("eu", "EU 561/2006"):
        (own,) = problem(tmp_path, word).fleet.types
        assert own.driving == wt.DrivingRule(4.5 * 3600, 45 * 60) and own.breaks == ()
    with pytest.raises(wt.InputError, match="breaks of 'van' is 'eu'; it needs travel times"):
        problem(tmp_path, "eu", ",", unit="km")
    with pytest.raises(wt.UsageError, match="a driving rule does not go with breaks within hours yet"):
        problem(tmp_path, "").with_types(
            [wt.VehicleType(capacities=(9,), breaks=(Break(0, 9, 1),), driving=wt.DrivingRule())]
        )


def test_breaks_show_in_tables_and_answers(tmp_path: Path) -> None:
    vrp = problem(tmp_path, "30 min 08:40-09:30", "08:00,11:05")
    result = wt.solve(vrp, iterations=200, threads=1)
    (trip,) = result.trips
    (rest,) = trip.times.breaks
    assert trip.duration == 3600 + 3 * 1800 + 1800 and trip.times.travel.sum() == pytest.approx(3600)
    assert rest.end - rest.start == pytest.approx(1800) and 31200 <= rest.start <= 32400
    wt.write(tmp_path / "plan.csv", vrp, result)
    header, *rows = (tmp_path / "plan.csv").read_text().splitlines()
    cells = [row.split(",")[header.split(",").index("break")] for row in rows]
    assert sum("-" in cell for cell in cells) == 1
    assert wt.check(vrp, tmp_path / "plan.csv").feasible
    (row,) = plan_facts(vrp, result.routes)["routes"]
    assert row["breaks"] == [(rest.start, rest.end)], "as the view draws it"


def test_a_break_that_cannot_be_had_is_a_fault(tmp_path: Path) -> None:
    vrp = problem(tmp_path, "60 min 08:05-09:25", "08:00,11:20")
    report = vrp.check([[1, 2, 3]])
    assert any("late" in fault or "takes" in fault for fault in report.violations)


def test_what_breaks_do_not_go_with_yet(tmp_path: Path) -> None:
    vrp = problem(tmp_path, "30 min 11:30-13:30")
    windows = TimeWindows.of([None, (0, 9), (0, 9), (0, 9)], 4)
    with pytest.raises(wt.UsageError, match="breaks of drivers do not go with a cost of lateness yet"):
        replace(vrp, late_cost=3, windows=windows)


REQUEST = {
    "vehicles": [
        {
            "id": 1,
            "start_index": 0,
            "end_index": 0,
            "time_window": [0, 5300],
            "breaks": [{"id": 7, "time_windows": [[2000, 2500]], "service": 600, "description": "lunch"}],
        }
    ],
    "jobs": [{"id": 4, "location_index": 1, "service": 300}, {"id": 5, "location_index": 2, "service": 300}],
    "matrices": {"car": {"durations": [[0, 1000, 2000], [1000, 0, 1000], [2000, 1000, 0]]}},
}


def test_vrooms_breaks_are_planned_and_answered(tmp_path: Path) -> None:
    path = tmp_path / "input.json"
    path.write_text(json.dumps(REQUEST))
    vrp = wt.read(path)
    result = wt.solve(vrp, iterations=100, threads=1)
    wt.write(tmp_path / "answer.json", vrp, result)
    (route,) = json.loads((tmp_path / "answer.json").read_text())["routes"]
    kinds = [step["type"] for step in route["steps"]]
    at = kinds.index("break")
    step = route["steps"][at]
    assert sorted(kinds) == ["break", "end", "job", "job", "start"] and 0 < at < 4
    assert step["id"] == 7 and step["service"] == 600 and 2000 <= step["arrival"] + step["waiting_time"] <= 2500
    last, first = route["steps"][-1], route["steps"][0]
    assert last["arrival"] - first["arrival"] == 4000 + 600 + 600 + route["waiting_time"]
    assert wt.check(vrp, tmp_path / "answer.json").feasible


@pytest.mark.parametrize(
    ("rest", "fault"),
    [
        (
            {"id": 7, "service": 600, "max_load": [1]},
            r"vehicles\[0\]\.breaks\[0\]\.max_load: breaks that",
        ),
        (
            {"id": 7, "service": 5, "time_windows": [[0, 5], [8, 9]]},
            r"breaks\[0\]\.time_windows: breaks with several",
        ),
    ],
)
def test_vrooms_breaks_that_are_not_planned(tmp_path: Path, rest: dict[str, Any], fault: str) -> None:
    path = tmp_path / "input.json"
    path.write_text(json.dumps(REQUEST | {"vehicles": [REQUEST["vehicles"][0] | {"breaks": [rest]}]}))
    with pytest.raises(wt.InputError, match=fault):
        wt.read(path)
