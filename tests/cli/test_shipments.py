"""Files of pickups and deliveries on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TASKS = "3 20 1\n0 0 0 0 0 90 0 0 0\n1 3 4 8 6 9 2 0 2\n2 1 1 -8 0 25 2.5 1 0\n"


def test_info_describes_them(tmp_path: Path, call: Any) -> None:
    (tmp_path / "a.txt").write_text(TASKS)
    shown = call("info", "a.txt", "--json").json
    assert (shown["shipments"], shown["total_demand"], shown["time_windows"], shown["horizon"]) == (1, 8, 2, [0, 90])
    out = call("info", "a.txt").out
    assert "shipments       1" in out and "2 of 2 customers" in out and "2..2.5" in out


def test_they_are_solved_and_judged(tmp_path: Path, call: Any) -> None:
    (tmp_path / "a.txt").write_text(TASKS)
    solved = call("solve", "a.txt", "--iterations", "100", "--json", "--output", "a.sol")
    assert solved.code == 0 and solved.json["solution"] == [[2, 3]] and solved.json["trips"][0]["load"] == 8
    assert call("check", "a.txt", "a.sol").code == 0
    again = call("solve", "a.txt", "--iterations", "1", "--start", "a.sol", "--json")
    assert again.json["cost"] == solved.json["cost"]
    (tmp_path / "b.sol").write_text("Route #1: 2 1\n")
    judged = call("check", "a.txt", "b.sol", "--json")
    assert judged.code == 1
    assert "route 1 serves customer 3 ('2') before its pickup, customer 2 ('1')" in judged.json["violations"]


def test_a_start_that_breaks_a_shipment_is_refused(tmp_path: Path, call: Any) -> None:
    (tmp_path / "a.txt").write_text(TASKS)
    (tmp_path / "b.sol").write_text("Route #1: 2 1\n")
    done = call("solve", "a.txt", "--iterations", "10", "--start", "b.sol")
    assert done.code == 2 and "route 1 serves customer 3 ('2') before its pickup" in done.fault


def test_a_trace_and_a_checkpoint_keep_them(tmp_path: Path, call: Any) -> None:
    (tmp_path / "a.txt").write_text(TASKS)
    solved = call("solve", "a.txt", "--iterations", "100", "--trace", "t.jsonl", "--checkpoint", "c", "--json")
    assert solved.code == 0
    assert call("solve", "a.txt", "--iterations", "200", "--resume", "c", "--json").json["solution"] == [[2, 3]]
    other = TASKS.replace("1 3 4 8 6 9 2 0 2\n2 1 1 -8 0 25 2.5 1 0", "1 3 4 8 6 9 2 0 2\n2 1 1 -8 0 26 2.5 1 0")
    (tmp_path / "a.txt").write_text(other)
    assert call("solve", "a.txt", "--iterations", "200", "--resume", "c").code == 2


def test_strategies_and_bounds_refuse_them_in_one_line(tmp_path: Path, call: Any) -> None:
    (tmp_path / "a.txt").write_text(TASKS)
    for arguments in (["solve", "a.txt", "--strategy", "dcvrp"], ["bound", "a.txt"]):
        done = call(*arguments)
        assert done.code == 2 and done.fault


def test_several_processes_search_them(tmp_path: Path, call: Any) -> None:
    (tmp_path / "a.txt").write_text(TASKS)
    solved = call("solve", "a.txt", "--seconds", "1", "--cluster", "local:2", "--json")
    assert solved.code == 0 and solved.json["solution"] == [[2, 3]]
