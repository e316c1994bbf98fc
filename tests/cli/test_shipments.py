"""Files of pickups and deliveries on the command line: described, and refused where they are to be solved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

TASKS = "3 20 1\n0 0 0 0 0 90 0 0 0\n1 3 4 8 6 9 2 0 2\n2 1 1 -8 0 25 2.5 1 0\n"


def test_info_describes_them(tmp_path: Path, call: Any) -> None:
    (tmp_path / "a.txt").write_text(TASKS)
    shown = call("info", "a.txt", "--json").json
    assert (shown["tasks"], shown["pairs"], shown["time_windows"], shown["horizon"]) == (2, 1, 2, [0, 90])
    assert (shown["kind"], shown["solved"]) == ("pickups and deliveries", False)
    out = call("info", "a.txt").out
    assert "2 of 2 tasks" in out and "no, shipments are not supported yet" in out and "2..2.5" in out


@pytest.mark.parametrize("command", [["solve", "a.txt"], ["check", "a.txt", "a.sol"], ["bound", "a.txt"]])
def test_commands_refuse_them_in_one_line(tmp_path: Path, call: Any, command: list[str]) -> None:
    (tmp_path / "a.txt").write_text(TASKS)
    (tmp_path / "a.sol").write_text("Route #1: 1 2\n")
    done = call(*command)
    assert done.code == 2
    assert done.fault == (
        "a.txt: a pickup with its delivery: shipments are not supported yet; warptour info describes the file"
    )
