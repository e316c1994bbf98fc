"""The suite on scans: what stands beside a CPU is measured in the same run."""

from __future__ import annotations

import pytest

from warptour.bench import Options, run
from warptour.devices import find
from warptour.papers.rocki.engine.vector import VectorScan
from warptour.papers.scans.scan import FastScan
from warptour.papers.scans.suites import scan


def test_the_plain_loop_beside_a_cpu_is_measured_on_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds, used = {FastScan: 1.0, VectorScan: 4.0}, []

    def measured(device: object, scanner: FastScan | VectorScan) -> float:
        scanner.scan()
        used.append(device)
        return seconds[type(scanner)]

    monkeypatch.setattr(scan, "pass_seconds", measured)
    monkeypatch.setattr(scan, "restarts", lambda device, n: None)
    rows = [row for row in run("scan", Options("cpu", 1, quick=True)) if row and row.unit == "Gmoves/s"]
    assert [row.case for row in rows] == ["one tour, EUCLIDEAN", "one tour, EUC_2D"]
    assert all(row.peer == row.value / 4 for row in rows) and len(set(used)) == 1


def test_what_was_measured_on_another_gpu_does_not_stand_beside_a_cpu() -> None:
    assert scan.restarts(find("cpu", 1), 200).peer is None
