"""Energy counters are read where there are some, and said to be missing in one line elsewhere."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from warptour.bench import Options, energy
from warptour.bench.energy import Nvml, Rapl, meter_for, packages
from warptour.devices import find
from warptour.model.errors import UnsupportedError
from warptour.papers.scans.suites import energy as suite


def counter(folder: Path, name: str, value: int, most: int = 1_000_000_000) -> Path:
    (folder / name).mkdir(parents=True)
    (folder / name / "max_energy_range_uj").write_text(f"{most}\n")
    (folder / name / "energy_uj").write_text(f"{value}\n")
    return folder / name / "energy_uj"


def test_rapl_adds_all_packages_without_their_parts_and_beyond_the_end_of_a_counter(tmp_path: Path) -> None:
    first = counter(tmp_path, "intel-rapl:0", 999_000_000)
    counter(tmp_path, "intel-rapl:0:0", 5)
    second = counter(tmp_path, "intel-rapl:1", 10)
    meter = Rapl(packages(tmp_path))
    assert meter.joules() == 0
    first.write_text("999999\n")  # begins again after 1,000,000,000
    second.write_text("3000010\n")
    assert meter.joules() == pytest.approx(2.0 + 3.0)
    second.write_text("4000010\n")
    assert meter.joules() == pytest.approx(6.0)


def test_a_counter_that_is_missing_or_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match=r"no RAPL counter in .*, as in most virtual machines") as found:
        packages(tmp_path)
    assert "\n" not in str(found.value)
    counter(tmp_path, "intel-rapl:0", 1).write_text("")
    with pytest.raises(UnsupportedError, match="energy_uj cannot be read"):
        packages(tmp_path)


def library(codes: dict[str, int], counts: list[int]) -> Any:
    """Return a stand-in for NVML whose counter says ``counts`` one after another."""

    def total(handle: Any, count: Any) -> int:
        count._obj.value = counts.pop(0)
        return codes.get("total", 0)

    return SimpleNamespace(
        nvmlInit_v2=lambda: codes.get("init", 0),
        nvmlDeviceGetHandleByPciBusId_v2=lambda bus, handle: 0 if bus == b"0000:01:00.0" else 6,
        nvmlDeviceGetTotalEnergyConsumption=total,
    )


def test_nvml_counts_millijoules_since_the_meter_was_made() -> None:
    meter = Nvml("0000:01:00.0", lambda name: library({}, [5_000, 7_500, 9_000]))
    assert (meter.joules(), meter.joules()) == (2.5, 4.0)
    with pytest.raises(UnsupportedError, match="nvmlDeviceGetHandleByPciBusId_v2 of NVML failed with code 6"):
        Nvml("0000:02:00.0", lambda name: library({}, [0]))
    with pytest.raises(UnsupportedError, match="nvmlDeviceGetTotalEnergyConsumption of NVML failed with code 3"):
        Nvml("0000:01:00.0", lambda name: library({"total": 3}, [0]))
    with pytest.raises(UnsupportedError, match="cannot be loaded"):
        Nvml("0000:01:00.0", lambda name: ctypes.CDLL("libthere-is-none.so"))


class Metered:
    """A meter that uses 2 joules between two looks."""

    def __init__(self) -> None:
        self.looks = 0

    def joules(self) -> float:
        self.looks += 1
        return 2.0 * self.looks


def test_joules_are_divided_by_the_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 0.1, 0.2, 0.4, 0.4])
    monkeypatch.setattr(suite.time, "perf_counter", lambda: next(ticks))
    seconds, joules, moves = suite.spent(lambda: 500, find("cpu", 1), Metered(), 0.3)
    assert (seconds, joules, moves) == (0.4, 2.0, 1000)
    per, power = suite.rows("some", 9, find("cpu", 1), seconds, joules, moves)
    assert (per.value, per.unit, power.value, power.unit) == (2e6, "J/Gmoves", 5.0, "W")


def test_each_rung_that_serves_and_windows_have_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "meter_for", lambda device: Metered())
    monkeypatch.setattr(suite, "QUICK", 100)
    monkeypatch.setattr(suite, "SECONDS", {True: 0.01})
    solve = suite.api.solve  # by iterations: on a busy machine a hundredth of a second is too little for one
    monkeypatch.setattr(
        suite.api, "solve", lambda *wanted, seconds, **options: solve(*wanted, iterations=50, **options)
    )
    found = list(suite.run(Options("cpu", 1, quick=True)))
    cases = {row.case for row in found if row.unit == "J/Gmoves"}
    assert {"calc", "table", "pairs", "vector", "shared", "diagonal", "pruned", "windows"} <= cases
    assert all(row.value > 0 for row in found) and len(found) == 2 * len(cases)


def test_a_device_without_a_counter_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(energy, "POWERCAP", tmp_path)
    with pytest.raises(UnsupportedError, match="no RAPL counter"):
        meter_for(find("cpu", 1))
    with pytest.raises(UnsupportedError, match="no RAPL counter"):
        list(suite.run(Options("cpu", 1, quick=True)))
