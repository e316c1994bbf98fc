"""Time windows on the command line: what is solved, printed, written, checked and refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

STOPS = (
    "name,lat,lon,demand,service (min),from,to\nDepot,47.07,15.44,,,07:00,17:00\nBaker,47.08,15.45,20,10,08:00,10:00\n"
    "Miller,47.05,15.42,30,15,8,9\nSmith,47.09,15.40,25,20,14:00,18:00\nCooper,47.02,15.47,15,5,,12:00\n"
)
DRIVE = ["--capacity", "60", "--speed", "30"]
FAST = ["--seconds", "0.3"]
OWN = "route order node leg (m) distance (m) duration (min) arrival wait (min) start departure slack (min)"


@pytest.fixture
def stops(tmp_path: Path) -> Path:
    (tmp_path / "stops.csv").write_text(STOPS)
    return tmp_path


def minutes(text: str) -> int:
    hours, _, rest = text.partition(":")
    return 60 * int(hours) + int(rest)


def test_a_plan_keeps_the_hours_and_tells_them(call: Any, stops: Path) -> None:
    done = call("solve", "stops.csv", *DRIVE, *FAST, "-o", "plan.csv", "-o", "plan.geojson", "--map", "plan.html")
    assert done.code == 0, done.err
    rows = list(csv.DictReader((stops / "plan.csv").read_text().splitlines()))
    assert " ".join([*rows[0]][7:]) == f"{OWN} load"
    windows = {"Baker": (480, 600), "Miller": (480, 540), "Smith": (840, 1080), "Cooper": (0, 720)}
    served = {row["name"]: minutes(row["start"]) for row in rows if row["name"] != "Depot"}
    assert served.keys() == windows.keys() and all(low <= served[name] <= high for name, (low, high) in windows.items())
    for row in rows:
        waited = minutes(row["start"]) - minutes(row["arrival"])
        assert float(row["wait (min)"]) == pytest.approx(waited, abs=1) and float(row["slack (min)"]) >= 0
    assert "Smith" in done.out and "waits until 14:00" in done.out and "leaves at " in done.out and "slack " in done.out
    features = json.loads((stops / "plan.geojson").read_text())["features"]
    smith = next(each["properties"] for each in features if each["properties"].get("name") == "Smith")
    assert smith["start"] == "14:00" and smith["wait"] >= 0 and smith["late"] == 0
    assert "open 14:00-18:00" in (stops / "plan.html").read_text()
    assert call("check", "stops.csv", "plan.csv", *DRIVE).code == 0


def test_json_has_waits_starts_and_slack(call: Any, stops: Path) -> None:
    trips = call("solve", "stops.csv", *DRIVE, *FAST, "--json").json["trips"]
    for trip in trips:
        for arrival, wait, start in zip(trip["arrivals"], trip["waits"], trip["starts"], strict=True):
            assert start == pytest.approx(arrival + wait) and wait >= 0
        assert len(trip["slack"]) == len(trip["late"]) == len(trip["starts"]) and not any(trip["late"])


def test_a_workbook_has_the_same_columns(call: Any, stops: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    assert call("solve", "stops.csv", *DRIVE, *FAST, "--late-cost", "9", "-o", "plan.xlsx").code == 0
    header = [cell.value for cell in next(openpyxl.load_workbook(stops / "plan.xlsx").active.iter_rows())]
    assert " ".join(header[7:]) == f"{OWN} late (min) load"
    assert call("check", "stops.csv", "plan.xlsx", *DRIVE).code == 0


def test_open_routes_do_not_return(call: Any, stops: Path) -> None:
    done = call("solve", "stops.csv", *DRIVE, *FAST, "--open", "-o", "plan.csv", "-o", "plan.geojson")
    assert done.code == 0 and "all done at " in done.out and "back at" not in done.out
    rows = list(csv.DictReader((stops / "plan.csv").read_text().splitlines()))
    assert rows[-1]["name"] != "Depot" and rows[-1]["departure"]
    closed = call("check", "stops.csv", "plan.csv", *DRIVE, "--json").json["cost"]
    open_cost = call("check", "stops.csv", "plan.csv", *DRIVE, "--open", "--json").json["cost"]
    assert open_cost == pytest.approx(sum(float(row["leg (m)"]) for row in rows), rel=1e-4) and open_cost < closed
    line = json.loads((stops / "plan.geojson").read_text())["features"][0]
    assert line["geometry"]["coordinates"][0] == [15.44, 47.07] != line["geometry"]["coordinates"][-1]


def test_check_says_which_stop_is_late_by_how_much(call: Any, stops: Path) -> None:
    (stops / "bad.sol").write_text("Route #1: 3 2\nRoute #2: 1 4\nCost 1\n")
    done = call("check", "stops.csv", "bad.sol", *DRIVE)
    assert done.code == 1 and "feasible  no" in done.out
    assert "- route 1 serves customer 3 ('Miller', row 4) 5:29 h late; its hours are 08:00-09:00" in done.out
    assert "customer 2" not in done.out.replace("route 2", "")
    assert call("check", "stops.csv", "bad.sol", *DRIVE, "--late-cost", "1").code == 0


def test_costs_of_time_are_in_the_cost(call: Any, stops: Path) -> None:
    plain = call("solve", "stops.csv", *DRIVE, *FAST, "-o", "plan.csv", "--json").json
    hours = call("check", "stops.csv", "plan.csv", *DRIVE, "--hour-cost", "1000", "--json").json["cost"]
    assert hours == pytest.approx(plain["cost"] + plain["duration"] / 3.6)
    waits = call("check", "stops.csv", "plan.csv", *DRIVE, "--max-wait", "1")
    longest = max(wait for trip in plain["trips"] for wait in trip["waits"])
    assert (waits.code == 1) is (longest > 60.01)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (
            ["--shift", "08:30-12:00", "--all"],
            "customer 4 ('Smith', row 5) cannot be served before 14:00, so its vehicle would be back at",
        ),
        (
            ["--depart", "09:30", "--all"],
            "customer 3 ('Miller', row 4) cannot be reached before 09:35, after its hours 08:00-09",
        ),
        (["--depart", "18:00"], "stops.csv: the departure at 18:00 is after the depot's hours, 07:00-17:00"),
        (["--shift", "17-8"], "stops.csv: the shift ends at 08:00, before it begins at 17:00"),
        (["--shift", "eight"], "stops.csv: the shift: 'eight' is no window; write it as '08:00-17:00'"),
        (["--max-wait", "-1"], "the longest wait is -1.0; it must be at least 0"),
        (["--from", "Baker"], "--from and --to are for one tour; vehicles begin at their depot"),
    ],
)
def test_what_cannot_be_is_one_line(call: Any, stops: Path, options: list[str], fault: str) -> None:
    done = call("solve", "stops.csv", *DRIVE, *FAST, *options)
    assert done.code == 2 and fault in done.fault


def test_a_stop_outside_the_shift_is_left_out(call: Any, stops: Path) -> None:
    done = call("solve", "stops.csv", *DRIVE, *FAST, "--depart", "09:30")
    reason = "outside every shift: cannot be reached before 09:35, after its hours 08:00-09"
    assert done.code == 0 and f"customer 3 ('Miller', row 4) is left out: {reason}" in done.err


def test_windows_need_travel_times(call: Any, stops: Path) -> None:
    fault = call("solve", "stops.csv", "--capacity", "60").fault
    assert fault.startswith(
        "stops.csv:1: the columns 'from', 'to' (time windows) need travel times: --speed or --durations"
    )


def test_info_knows_the_shift(call: Any, stops: Path) -> None:
    done = call("info", "stops.csv", *DRIVE, "--shift", "07:30-16:00")
    assert done.code == 0 and "07:30-16:00" in done.out
