"""The exhibits of Rocki (2013)."""

from __future__ import annotations

import importlib.util
import math
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.kernels.groups import usable_threads
from warptour.model.errors import UnsupportedError
from warptour.papers.rocki.exhibits import PAPER, big_valley, cooperation, lookup
from warptour.papers.rocki.exhibits.printed import FLOP, FLOP_TEST, IMPLIED_FLOP, MEMORY, PASS, RATES

MPIEXEC = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
QUICK = Options(device="cpu", quick=True)
EXHIBITS = {exhibit.name: exhibit for exhibit in PAPER.exhibits}


@pytest.fixture(scope="module")
def rows() -> dict[str, list[Row]]:
    """All rows that a machine without a GPU measures."""
    return {name: list(exhibit.measure(QUICK)) for name, exhibit in EXHIBITS.items() if name != "ranks"}


def test_every_row_has_a_positive_value_and_every_plot_its_lines(rows: dict[str, list[Row]]) -> None:
    assert list(rows) == [
        "memory", "lookup", "devices", "pass", "widths", "flops", "many-devices", "cooperation", "big-valley",
    ]  # fmt: skip
    for name, found in rows.items():
        assert found
        assert all(row.suite == "rocki" and 0 < row.value < math.inf for row in found)
        for plot in EXHIBITS[name].plots:
            lines = plot.lines(found)
            least = 1 if name == "many-devices" else 2
            assert lines and all(len(points) >= least for points in lines.values())


def test_memory_is_what_the_slide_prints_but_for_rounding(rows: dict[str, list[Row]]) -> None:
    table = rows["memory"]
    assert len(table) == 2 * len(MEMORY) == 26
    for row in table:
        assert row.peer is not None and row.value == pytest.approx(row.peer, rel=0.02)
    assert [row.case for row in table if "nearest" in row.case] == [
        "ch130, look-up table, 0.064 if rounded to nearest",
        "ts225, coordinates, 1.76 if rounded to nearest",
    ]


def test_native_programs_stand_beside_those_of_the_slides(rows: dict[str, list[Row]]) -> None:
    printed = {rate.gflops for name in RATES if name.startswith(("1 core", "all")) for rate in RATES[name]}
    assert {row.peer for row in rows["devices"] if row.unit == "GFLOP/s" and row.peer} == printed
    assert {49.6, 43.5} <= {row.peer for row in rows["devices"] if row.unit == "% of peak"}
    assert {row.peer for row in rows["pass"]} == {None, 86.0, 0.84}
    assert all("scaled by pairs to n = 100,000" in row.case and row.n == 2000 for row in rows["pass"])
    values = {value for hardware in FLOP_TEST.values() for each in hardware.values() for value in each}
    assert {row.peer for row in rows["flops"]} == values


def test_the_look_up_table_is_compared_where_the_slide_does(rows: dict[str, list[Row]]) -> None:
    compared = [row for row in rows["lookup"] if row.peer is not None]
    assert [(row.n, row.unit, row.peer) for row in compared] == [(100, "x", 5.0)]


def test_other_devices_have_exhibits_as_well(accelerator: Device) -> None:
    options = Options(device=accelerator.name, quick=True)
    style = "OpenCL CPU" if accelerator.lanes == 1 else "GPU"
    found = list(EXHIBITS["devices"].measure(options))
    assert {row.case.partition(",")[0] for row in found} == {style}
    assert {row.peer for row in EXHIBITS["pass"].measure(options)} >= {peer for _, peer in PASS[f"{style}, vector"]}


def assert_a_course(rows: list[Row], names: list[str], each: list[int]) -> None:
    """Lengths fall over time, and speed-up and efficiency are those of the rates."""
    assert list(dict.fromkeys(row.case.partition(": ")[0] for row in rows)) == names
    of = {tuple(row.case.split(": ")): row.value for row in rows}
    for name, parts in zip(names, each, strict=True):
        lengths = [value for (which, what), value in of.items() if which == name and what.startswith("length")]
        assert len(lengths) == len(cooperation.PARTS) and lengths == sorted(lengths, reverse=True)
        rate = of[name, "moves in scans"]
        assert of[name, "speed-up"] == pytest.approx(rate / of[names[0], "moves in scans"])
        if (name, "efficiency") in of:
            assert of[name, "efficiency"] == pytest.approx(100 * of[name, "speed-up"] / parts)


def test_devices_that_cooperate_are_compared_with_one(rows: dict[str, list[Row]]) -> None:
    half = max(1, usable_threads(None) // 2)
    word = f"{half} core" + ("s" if half > 1 else "")
    assert_a_course(rows["cooperation"], [f"cpu, {word}", f"cpu,cpu, {word} each"], [1, 2])


@pytest.mark.long
def test_ranks_of_mpi_are_compared_with_one() -> None:
    if MPIEXEC is None or importlib.util.find_spec("mpi4py") is None:
        with pytest.raises(UnsupportedError, match="pip install mpich mpi4py"):
            list(EXHIBITS["ranks"].measure(QUICK))
        return
    found = list(EXHIBITS["ranks"].measure(QUICK))
    assert_a_course(found, [f"mpiexec -n {ranks}" for ranks in (1, 2, 4)], [1, 2, 4])


def test_a_failing_mpi_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsupportedError, match=r"/bin/false -n 2 failed: it says nothing"):
        cooperation.on_ranks("uniform:100:1", 2, 0.1, "/bin/false")


def test_distances_count_the_edges_that_differ() -> None:
    tours = np.array([[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [0, 2, 1, 3, 4]], np.int32)
    assert big_valley.mean_distances(tours).tolist() == [1, 1, 2]
    assert big_valley.distances_to(tours, tours[2]).tolist() == [2, 2, 0]


def test_short_minima_are_near_the_best_tour(rows: dict[str, list[Row]]) -> None:
    found = {row.case.partition(", ")[2]: row.value for row in rows["big-valley"]}
    assert found["correlation with distance to the best"] > 0.3
    assert found["fifth 1, to the others"] < found["fifth 5, to the others"]


def test_flop_are_counted_as_the_slides_do() -> None:
    assert 155e9 / 5e9 == FLOP == 4 * (6 + 1) + 3
    assert IMPLIED_FLOP == 1000 / 40


def test_crossing_points() -> None:
    assert lookup.crossing([(100, 4.0), (1000, 2.0)]) is None
    assert lookup.crossing([(100, 0.5), (1000, 0.4)]) == 100
    assert lookup.crossing([(100, 2.0), (400, 0.5)]) == pytest.approx(200)
    assert lookup.crossing([(100, 0.9), (200, 2.0), (800, 0.5)]) == pytest.approx(400)
