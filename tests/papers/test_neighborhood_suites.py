"""The suites on neighbourhoods measure what they say; how fast is not tested."""

from __future__ import annotations

import pytest

from warptour.bench import Options, run
from warptour.devices import Device, find
from warptour.papers.ermis.suites.vns import rates
from warptour.papers.scans.suites.three_opt import THESIS
from warptour.tours.starts.start import installed_starts


def test_three_opt_has_no_time_of_a_gpu_beside_a_cpu() -> None:
    rows = list(run("three-opt", Options("cpu", 1, quick=True)))
    assert {row.n for row in rows if row.unit == "ms"} <= set(THESIS)
    assert all(row.value > 0 and row.device == "cpu" and row.peer is None for row in rows)


def test_pruned_steps_stand_beside_diagonal_ones_of_the_same_run() -> None:
    rows = list(run("pruned", Options("cpu", 1, quick=True)))
    assert [row.case for row in rows] == ["tree, boxes and lists", "step from greedy", "step from random"]
    assert all(row.value > 0 for row in rows) and all(row.peer for row in rows[1:])


def test_symmetric_measures_descents_and_batches_without_instance_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WARPTOUR_DATA", raising=False)
    rows = list(run("symmetric", Options("cpu", 1, quick=True)))
    assert {row.unit for row in rows} == {"ms", "Gmoves/s"}
    assert all(row.value > 0 and row.peer is None for row in rows)


def test_starts_end_below_where_they_began() -> None:
    rows = {row.case: row.value for row in run("starts", Options("cpu", 1, quick=True))}
    for name in installed_starts():
        assert rows[f"2-opt from {name}, cost"] < rows[f"2-opt from {name}, first cost"]
    assert rows["2-opt from greedy, scans"] < rows["2-opt from random, scans"]


def test_shakes_on_a_device_stand_beside_those_of_its_host(accelerator: Device) -> None:
    options = Options(threads=1, quick=True)
    (there,), (here,) = rates(accelerator, options), rates(find("cpu", 1), options)
    assert there.device == accelerator.name and there.value > 0 and there.peer and there.peer > 0
    assert here.value > 0 and here.peer is None


def test_vns_measures_every_list_and_every_share() -> None:
    rows = {row.case: row.value for row in run("vns", Options("cpu", 1, quick=True))}
    assert rows["uniform, 3-opt moves"] > 0
    assert min(value for case, value in rows.items() if "," not in case) == pytest.approx(0, abs=20)
    assert rows["uniform swap"] > rows["uniform 2-opt,or-opt,3-opt"]


def test_shared_passes_stand_beside_the_sum_of_the_devices() -> None:
    rows = list(run("shared", Options("cpu,cpu", 2, quick=True)))
    alone, alone_too, together = (row for row in rows if row.unit == "Gmoves/s")
    assert together.limit == pytest.approx(alone.value + alone_too.value)
    assert together.device == "cpu,cpu"
    assert [row.device for row in rows if row.unit == "ms"] == ["cpu", "cpu,cpu"]
