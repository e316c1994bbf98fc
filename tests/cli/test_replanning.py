"""Plans that are under way on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ORDERS = ["name,x,y,demand", "Depot,0,0,", *(f"S{at},{at * 7 % 10},{at * 3 % 11},1" for at in range(1, 13))]
OPTIONS = ("--capacity", "5", "--vehicles", "4", "--unit", "km", "--speed", "60", "--depart", "08:00")


def write(tmp_path: Path, stops: range) -> None:
    (tmp_path / "orders.csv").write_text("\n".join(ORDERS[:2] + [ORDERS[at + 1] for at in stops]) + "\n")


def test_a_day_is_planned_again(tmp_path: Path, call: Any) -> None:
    write(tmp_path, range(1, 11))
    morning = call("solve", "orders.csv", *OPTIONS, "--iterations", "500", "--json", "-o", "morning.csv")
    (tmp_path / "plan.json").write_text(morning.out)
    write(tmp_path, range(2, 13))  # S1 is cancelled, S11 and S12 are new
    locked = ("--locked", "plan.json", "--now", "08:20")
    again = call(
        "solve", "orders.csv", *OPTIONS, *locked, "--change-cost", "1", "--iterations", "500", "--json", "-o", "a.csv"
    )
    assert again.code == 0
    changes = again.json["changes"]
    assert [each["name"] for each in changes["new"]] == ["S11", "S12"] and changes["cancelled"] == ["S1"]
    served = {name for names in again.json["names"] for name in names}
    late = {
        name
        for names, trip in zip(morning.json["names"], morning.json["trips"], strict=True)
        for name, leaves in zip(names, trip["departures"], strict=True)
        if leaves > 8 * 3600 + 20 * 60
    }
    assert served == (late | {"S11", "S12"}) - {"S1"} and len(served) < 11
    assert call("check", "orders.csv", "a.csv", *OPTIONS, *locked).code == 0
    assert "changes" in call("solve", "orders.csv", *OPTIONS, *locked, "--iterations", "500").out


def test_a_table_is_a_plan_that_nobody_has_begun(tmp_path: Path, call: Any) -> None:
    write(tmp_path, range(1, 13))
    assert call("solve", "orders.csv", *OPTIONS, "--iterations", "500", "-o", "plan.csv").code == 0
    again = call(
        "solve", "orders.csv", *OPTIONS, "--locked", "plan.csv", "--change-cost", "100", "--iterations", "50", "--json"
    )
    assert again.code == 0 and again.json["changes"] == {"moved": [], "new": [], "dropped": [], "cancelled": []}


def test_faults_are_one_line_with_their_place(tmp_path: Path, call: Any) -> None:
    write(tmp_path, range(1, 13))
    plan = {"vehicles": [{"stops": ["S1", "S2"], "first": ["S2"], "last": ["S2"]}]}
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    done = call("solve", "orders.csv", *OPTIONS, "--locked", "plan.json")
    assert done.code == 2
    assert done.fault == "plan.json: vehicles[0].last: stop 3 ('S2', row 4) is to be first and last"
    for option in (("--now", "09:00"), ("--change-cost", "1")):
        done = call("solve", "orders.csv", *OPTIONS, *option)
        assert (
            done.code == 2 and f"{option[0]} is of a plan that is under way; give it with --locked FILE" in done.fault
        )


def test_yesterdays_plan_is_a_start_though_stops_have_come_and_gone(tmp_path: Path, call: Any) -> None:
    write(tmp_path, range(1, 11))
    options = ("--capacity", "5", "--vehicles", "4")
    assert call("solve", "orders.csv", *options, "--iterations", "500", "-o", "plan.csv").code == 0
    write(tmp_path, range(2, 13))  # as many rows as before and one more, in other places
    again = call("solve", "orders.csv", *options, "--start", "plan.csv", "--iterations", "1", "--json")
    assert again.code == 0 and again.json["feasible"]
    assert "plan.csv: 1 of its stops are gone, 2 are new" in again.err
    kept = {tuple(names) for names in again.json["names"]}
    best = call("solve", "orders.csv", *options, "--iterations", "2000", "--json").json["cost"]
    assert again.json["cost"] <= 1.5 * best and kept


def test_a_start_is_read_by_names_where_rows_have_moved(tmp_path: Path, call: Any) -> None:
    write(tmp_path, range(1, 13))
    options = ("--capacity", "5", "--vehicles", "4")
    solved = call("solve", "orders.csv", *options, "--iterations", "500", "-o", "plan.csv", "--json")
    (tmp_path / "orders.csv").write_text("\n".join(ORDERS[:2] + ORDERS[:1:-1]) + "\n")
    again = call("solve", "orders.csv", *options, "--start", "plan.csv", "--iterations", "0", "--json")
    assert again.json["cost"] == solved.json["cost"]
