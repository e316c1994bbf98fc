"""The exhibits of Schulz (2011): their sizes, rows and arithmetic; how fast is not tested."""

from __future__ import annotations

import time
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cupy_stub import GPUS, StubCuda
from warptour.bench import Options, Row, beside_gpu
from warptour.devices import find
from warptour.devices.cuda import CudaProgram
from warptour.model.errors import UnsupportedError
from warptour.papers import load
from warptour.papers.exhibit import Exhibit
from warptour.papers.schulz.engine.fitness import FitnessEngine
from warptour.papers.schulz.engine.version import BENCHMARK, BEST
from warptour.papers.schulz.exhibits import counters, kernels, measuring
from warptour.papers.schulz.exhibits.figures import by_case
from warptour.papers.schulz.exhibits.instances import Case, case_of
from warptour.papers.schulz.exhibits.kernels import usage
from warptour.papers.schulz.exhibits.measuring import LONGEST, QUICK, mean_seconds, neighbours, while_short
from warptour.papers.schulz.exhibits.timelines import bars, idle_percent
from warptour.papers.schulz.printed import ITERATION, SIZES, TABLE_1, TABLE_3

OPTIONS = Options("cpu", 2, quick=True)
PAPER = load("schulz")


@pytest.fixture(autouse=True)
def fresh_instances() -> Any:
    """Forget instances, which depend on the files at hand."""
    case_of.cache_clear()
    yield
    case_of.cache_clear()


@pytest.mark.parametrize("exhibit", PAPER.exhibits, ids=lambda exhibit: exhibit.name)
def test_every_exhibit_has_rows_and_plots_without_a_gpu(exhibit: Exhibit) -> None:
    if exhibit.name == "figure-12":
        with pytest.raises(UnsupportedError, match="one lane per group"):
            list(exhibit.measure(OPTIONS))
        return
    rows = list(exhibit.measure(OPTIONS))
    assert rows and all(row.suite == "schulz" and row.value >= 0 and row.unit and row.n in QUICK for row in rows)
    assert all(row.peer is None for row in rows)  # a CPU does not stand beside a GPU
    assert len({(row.case, row.n) for row in rows}) == len(rows)
    for plot in exhibit.plots:
        lines = plot.lines(rows)
        assert lines and all(len(points) > 1 for points in lines.values())


def test_all_tables_and_figures_are_there() -> None:
    tables = {f"table-{k}" for k in range(1, 6)}
    figures = {f"figure-{k}" for k in (7, 8, 9, *range(10, 26))}
    assert {exhibit.name for exhibit in PAPER.exhibits} == tables | figures | {"move-copy", "splitting"}


@pytest.mark.parametrize("nodes", [*SIZES, 735])
def test_generated_instances_have_the_papers_nodes_and_limits(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WARPTOUR_DATA", raising=False)
    case = case_of(nodes)
    assert case.nodes == len(case.start) == nodes == 2 * case.instance.customers + 1
    assert case.name.startswith(f"vrp-{case.instance.customers + 1}-1")
    check_limits(case)


@pytest.mark.parametrize(("nodes", "name"), [(201, "CMT3"), (301, "CMT4"), (399, "CMT5"), (511, "Golden_9")])
def test_public_instances_have_the_papers_nodes(
    nodes: int, name: str, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (data / "vrp" / f"{name}.vrp").exists():
        pytest.skip(f"no {name}")
    monkeypatch.setenv("WARPTOUR_DATA", str(data))
    case = case_of(nodes)
    assert case.name == name and case.nodes == nodes
    check_limits(case)


def check_limits(case: Case) -> None:
    """One vehicle a customer keeps the limits of a route, and needs more vehicles than there are."""
    problem, routes = case.instance.problem, case.instance.leave(case.start)
    assert sorted(int(route[0]) for route in routes) == problem.customers.tolist()
    assert problem.max_distance is not None and problem.vehicles is not None
    assert max(problem.route_cost(route) for route in routes) <= problem.max_distance
    assert max(problem.demands) <= problem.capacity
    assert not problem.metric.integral and 0 < problem.vehicles < len(routes)


def test_neighbours_are_counted() -> None:
    pairs, triples = (list(combinations(range(10), k)) for k in (2, 3))
    assert neighbours(11, 2) == len(pairs)
    assert neighbours(11, 3) == len(pairs) + 4 * len(triples)
    assert neighbours(2401, 3) == pytest.approx(9e9, rel=0.03)  # as the paper says


class Descent:
    """An engine whose iterations take a millisecond each and end in a local optimum after a few."""

    def __init__(self, moves: int) -> None:
        self.moves, self.left, self.loads, self.clock = moves, 0, 0, 0.0

    def load(self, giant: Any) -> None:
        self.left, self.loads = self.moves, self.loads + 1

    def steps(self, count: int) -> int:
        made = min(count, self.left)
        self.left -= made
        self.clock += 1e-3 * min(count, made + 1)
        return made


@pytest.mark.parametrize(("moves", "enough", "loads"), [(1000, 1.0, 2), (30, 1.0, 5), (0, 1.0, 102), (1000, 0.01, 2)])
def test_means_count_iterations_over_restarts(
    moves: int, enough: float, loads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Descent(moves)
    monkeypatch.setattr(time, "perf_counter", lambda: engine.clock)
    assert mean_seconds(engine, np.arange(3, dtype=np.int32), find("cpu", 1), enough) == pytest.approx(1e-3)
    assert engine.loads == loads


def test_sizes_end_where_iterations_would_be_long() -> None:
    seconds = {nodes: LONGEST * neighbours(nodes, 3) / neighbours(500, 3) for nodes in SIZES}
    assert list(while_short(SIZES, 3, seconds.__getitem__)) == [57, 99, 201, 301, 399]
    assert while_short(SIZES, 2, lambda nodes: 1e-6) == dict.fromkeys(SIZES, 1e-6)


def test_a_version_is_measured_once_for_all_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(*_: Any) -> float:
        made.append(1)
        return 1.0

    measuring.version_seconds.cache_clear()
    monkeypatch.setattr(measuring, "mean_seconds", counted)
    for _ in range(2):
        assert measuring.over_sizes(OPTIONS, BENCHMARK, 2) == dict.fromkeys(QUICK, 1.0)
    measuring.version_seconds.cache_clear()
    assert len(made) == len(QUICK)


def test_values_of_the_paper_stand_beside_gpus_alone() -> None:
    assert beside_gpu(StubCuda(GPUS[-1]), 36.3) == 36.3
    assert beside_gpu(find("cpu", 1), 36.3) is None


def test_the_paper_prints_a_time_for_each_size() -> None:
    assert all(len(times) == len(SIZES) and sorted(times) == list(times) for times in ITERATION.values())
    assert ITERATION[2, 4][0] == 0.499e-3 and ITERATION[3, 4][-1] == 36.3
    assert [TABLE_1[f"3-opt {kind}"].ms for kind in ("capacity", "cost", "count", "length")] == [346, 241, 217, 562]
    assert [TABLE_3[f"3-opt {kind}"].ms for kind in ("capacity", "cost", "count", "length")] == [31, 26, 27, 76]


def test_registers_are_known_on_cuda_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    case, name = case_of(QUICK[0]), "2-opt cost+length"
    engine = FitnessEngine(case.instance, find("cpu", 1), BEST[2], 2)
    assert usage(find("cpu", 1), case, engine, name) is None
    names = []

    def function(_: CudaProgram, name: str) -> Any:
        names.append(name)
        return SimpleNamespace(num_regs=37, local_size_bytes=96)

    monkeypatch.setattr(CudaProgram, "function", function)
    gpu = StubCuda(GPUS[-1])
    assert usage(gpu, case, FitnessEngine(case.instance, gpu, BEST[2], 2), name) == (37, 96, 128)
    assert names == ["giant_two_opt_cost_travel"]


def test_a_gpu_stands_beside_the_papers_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = StubCuda(GPUS[-1])
    monkeypatch.setattr(kernels, "device_of", lambda options: gpu)
    times = {name: one.ms / 1e3 for name, one in TABLE_1.items()}
    monkeypatch.setattr(FitnessEngine, "kernel_seconds", lambda self: times)
    monkeypatch.setattr(kernels, "usage", lambda *_: (64, 0, 128))
    monkeypatch.setattr(counters, "stored", lambda: None)
    rows = {row.case: row for row in kernels.TABLES[0].measure(Options("cuda"))}
    assert len(rows) == 4 * len(TABLE_1) and {row.n for row in rows.values()} == {399}
    assert rows["3-opt length, time"].value == pytest.approx(562) and rows["3-opt length, time"].peer == 562
    assert rows["3-opt cost, registers"].peer == 32 and rows["3-opt cost, occupancy"].value == 0.5


def test_stored_counters_stand_beside_the_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    found = dict.fromkeys(("bandwidth", "L1 hits", "local accesses", "divergent branches", "active lanes"), 7.0)
    held = {
        "device": "H200", "profiler": "ncu, 1", "date": "today", "version": "0.1.0",
        "kernels": {"table-3": dict.fromkeys(TABLE_3, found | {"counted occupancy": 0.5})},
    }  # fmt: skip
    monkeypatch.setattr(counters, "stored", lambda: held)
    rows = {row.case: row for name in TABLE_3 for row in counters.counted(3, name)}
    assert len(rows) == 6 * len(TABLE_3) and {row.device for row in rows.values()} == {"H200, stored"}
    assert [rows[f"3-opt length, {what}"].peer for what in (*found, "counted occupancy")] == [
        12,
        83,
        0,
        52e4,
        None,
        0.52,
    ]
    assert "ncu, 1 on an H200, today" in counters.source()
    monkeypatch.setattr(counters, "stored", lambda: None)
    assert "No counters are stored yet" in counters.source() and not list(counters.counted(3, "3-opt cost"))


def test_every_kernel_has_counters_of_a_commit() -> None:
    held = counters.stored()
    assert held is not None and "commit " in held["version"] and "with changes" not in held["version"]
    assert all(list(counters.counted(k, name)) for k, (_, printed) in counters.TABLES.items() for name in printed)


def test_bars_follow_each_other_and_idle_time_is_the_rest() -> None:
    rows = [
        Row("schulz", f"2-opt: {name}", 399, "cuda:0", value, unit)
        for name, value, unit in (("a", 1.0, "ms"), ("b", 2.0, "ms"), ("iteration", 4.0, "ms"), ("idle", 25.0, "%"))
    ]
    assert bars(rows) == {"a": [(0, 3), (1, 3)], "b": [(1, 2), (3, 2)], "iteration": [(0, 1), (4, 1)]}
    assert idle_percent(3.0, 4.0) == 25 and idle_percent(5.0, 4.0) == 0


def test_speedups_are_drawn_by_neighbourhood() -> None:
    rows = [Row("schulz", f"{k}-opt, mode {m}", n, "cpu", k * m, "x") for k in (2, 3) for m in (3, 4) for n in (57, 99)]
    assert by_case(3, rows) == {"mode 3": [(57, 9), (99, 9)], "mode 4": [(57, 12), (99, 12)]}
