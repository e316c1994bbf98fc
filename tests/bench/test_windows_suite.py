"""The suite of windows prints the gaps of one run and what worked; how good is not tested."""

from __future__ import annotations

import pytest

from clocks import SteppedSearch
from warptour.api import run as api_run
from warptour.bench import Options, run
from warptour.devices import Device
from warptour.model.errors import UsageError


def test_it_shows_gaps_and_what_the_device_did(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_run, "Search", SteppedSearch)
    chosen = Options(device.name, 1, instances=("uniform:900:1",), seconds=(2.0, 1.0), seeds=2)
    rows = {row.case: row for row in run("windows", chosen)}
    gaps = [rows[f"uniform:900:1 after {seconds} s"].value for seconds in (1, 2)]
    assert gaps[0] >= gaps[1]
    assert rows["uniform:900:1 kicks"].value > 0
    assert all(row.device == device.name for row in rows.values())
    assert device.name == "cpu" or rows["uniform:900:1 kernel"].value > 0
    windows = rows.get("uniform:900:1 windows")
    assert windows is None or (windows.limit is not None and 0 < windows.value <= windows.limit)


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(UsageError, match="WARPTOUR_DATA"):
        list(run("windows", Options("cpu", 1, instances=("nosuchcities",))))


def test_suites_with_cases_of_their_own_take_no_instances() -> None:
    with pytest.raises(UsageError, match="windows"):
        run("scan", Options("cpu", 1, seeds=3))
