"""Runs with time windows, as a user starts, stops and continues them."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warptour as wt

N = 30
FEW = ["--iterations", "1500", "--threads", "2"]


@pytest.fixture
def timed(tmp_path: Path) -> Path:
    """Thirty customers whose windows, an hour of two hundred each, are in no order along any short tour."""
    random = np.random.default_rng(4)
    rows = ["0 50 50 0 0 400 0"]
    for node in range(1, N + 1):
        x, y = random.integers(0, 100, 2).tolist()
        opens = int(random.integers(80, 240))
        rows.append(f"{node} {x} {y} {random.integers(1, 9)} {opens} {opens + 60} 5")
    head = "T\n\nVEHICLE\nNUMBER CAPACITY\n30 60\n\nCUSTOMER\nCUST NO. XCOORD. YCOORD. DEMAND READY DUE SERVICE\n\n"
    (tmp_path / "t.txt").write_text(head + "\n".join(rows) + "\n")
    return tmp_path


def feasible_cost(folder: Path, name: str, **options: Any) -> float:
    """The cost of a feasible solution, which breaks its windows when they are half as long."""
    problem = wt.read(folder / "t.txt", **options)
    report = wt.check(problem, folder / name)
    assert report.feasible, report.violations
    lines = (folder / "t.txt").read_text().splitlines()
    tight = [*lines[:10], *(" ".join([*row[:5], str(int(row[4]) + 2), row[6]]) for row in map(str.split, lines[10:]))]
    (folder / "tight.txt").write_text("\n".join(tight))
    assert not wt.check(wt.read(folder / "tight.txt", **options), folder / name).feasible, "the windows bind"
    return report.cost


def test_a_run_goes_on_from_its_checkpoint_and_from_its_solution(call: Any, timed: Path) -> None:
    done = call(
        "solve", "t.txt", *FEW, "--checkpoint", "a.ckpt", "--trace", "t.jsonl", "--tours", "-o", "a.sol", "--json"
    )
    assert done.code == 0, done.err
    first = feasible_cost(timed, "a.sol")
    assert done.json["cost"] == pytest.approx(first)
    lines = [json.loads(line) for line in (timed / "t.jsonl").read_text().splitlines()]
    assert lines[-1]["cost"] == pytest.approx(first) and (timed / "t.jsonl.tours").stat().st_size > 0
    for begin in (["--resume", "a.ckpt"], ["--start", "a.sol"]):
        done = call("solve", "t.txt", *begin, "--iterations", "300", "-o", "b.sol")
        assert done.code == 0, done.err
        assert feasible_cost(timed, "b.sol") <= first + 1e-9
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    assert call("plot", "t.jsonl", "-o", "t.svg").code == 0 and (timed / "t.svg").stat().st_size > 0


@pytest.mark.parametrize(
    "options", [["--shift", "0-399"], ["--late-cost", "2"], ["--rounding", "dimacs"], ["--open"], ["--max-wait", "30"]]
)
def test_a_checkpoint_belongs_to_its_windows_and_options(call: Any, timed: Path, options: list[str]) -> None:
    assert call("solve", "t.txt", "--iterations", "300", "--checkpoint", "a.ckpt").code == 0
    done = call("solve", "t.txt", "--iterations", "300", "--resume", "a.ckpt", *options)
    assert done.code == 2 and "is of another problem, or the same under other options" in done.fault


def test_a_start_that_is_late_is_refused_with_the_customer(call: Any, timed: Path) -> None:
    (timed / "all.sol").write_text(f"Route #1: {' '.join(map(str, range(1, N + 1)))}\n")
    done = call("solve", "t.txt", "--capacity", "500", "--start", "all.sol", "--iterations", "10")
    assert done.code == 2 and "all.sol: this is no solution of T to start from: route 1 serves customer" in done.fault
    assert " late; its hours are " in done.fault


def test_two_members_of_a_cluster_keep_the_windows(call: Any, timed: Path) -> None:
    options = ["--cluster", "local:2", "--threads", "1", "--rounding", "dimacs"]
    done = call("solve", "t.txt", "--iterations", "1500", *options, "--json", "-o", "a.sol", "--checkpoint", "a.ckpt")
    assert (done.code, done.json["workers"]) == (0, 2), done.err
    assert done.json["cost"] == feasible_cost(timed, "a.sol", rounding="dimacs")
    again = call("solve", "t.txt", "--iterations", "300", *options, "--resume", "a.ckpt", "-o", "b.sol")
    assert again.code == 0 and feasible_cost(timed, "b.sol", rounding="dimacs") <= done.json["cost"]


def test_an_interrupted_run_leaves_feasible_routes(begin: Any, timed: Path) -> None:
    process = begin(
        "solve", "t.txt", "--seconds", "3600", "--checkpoint", "a.ckpt", "--trace", "t.jsonl", "-o", "a.sol"
    )
    process.wait_for(timed / "t.jsonl", b'"improvement"')
    process.send(signal.SIGINT)
    assert process.end().code == 130
    cost = feasible_cost(timed, "a.sol")
    saved = wt.solve(wt.read(timed / "t.txt"), iterations=1, resume=timed / "a.ckpt")
    assert saved.cost <= cost + 1e-9


@pytest.mark.parametrize("name", ["auto", "all"])
def test_devices_that_cannot_search_times_are_passed_over(call: Any, timed: Path, name: str) -> None:
    done = call("solve", "t.txt", "--iterations", "300", "--device", name, "--json")
    assert (done.code, done.json["device"]) == (0, "cpu"), done.err
