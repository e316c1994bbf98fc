"""Searches with several processes and devices, as a user starts them."""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import warptour as wt

MPIEXEC = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
TWO = ["--cluster", "local:2", "--threads", "1"]


def children(process):
    """Return the processes that another has started."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [line.split() for line in listed.splitlines()]
    return [int(pid) for pid, parent in pairs if int(parent) == process]


def test_the_seed_and_the_iterations_decide_what_two_processes_find(call):
    runs = [call("solve", "uniform:300:1", "--iterations", "500", *TWO, "--json") for _ in range(2)]
    assert [done.code for done in runs] == [0, 0]
    first, second = (done.json for done in runs)
    assert (first["workers"], first["threads"], first["device"], first["strategy"]) == (2, 1, "cpu", "windows")
    assert first["cost"] == second["cost"]
    assert first["iterations"] == second["iterations"] == 500


def test_routes_and_a_list_of_devices(call, tmp_path):
    done = call("solve", "vrp:60:1", "--seconds", "1", *TWO, "--json", "-o", "a.sol")
    assert done.code == 0, done.err
    assert wt.check(wt.read("vrp:60:1"), tmp_path / "a.sol").cost == done.json["cost"]
    done = call("solve", "uniform:300:1", "--seconds", "1", "--device", "cpu,cpu", "--json", "--trace", "t.jsonl")
    assert (done.code, done.json["device"]) == (0, "cpu,cpu"), done.err
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert [len(line["workers"]) for line in lines if line["event"] == "workers"][-1] == 2


@pytest.mark.parametrize("where", [["--device", "cpu,cpu"], TWO, ["--cluster", "local:3"]])
def test_scans_of_all_moves_are_the_same_wherever_they_are_made(call, where):
    hill = ["solve", "uniform:400:3", "--strategy", "hill", "--set", "exact=true", "--json"]
    assert call(*hill, *where).json["cost"] == call(*hill, "--device", "cpu").json["cost"]


def test_a_killed_process_is_replaced_and_the_run_says_so(begin, tmp_path):
    process = begin("solve", "uniform:2000:1", "--seconds", "3600", *TWO, "--trace", "t.jsonl", "-o", "a.tour")
    process.wait_for(tmp_path / "t.jsonl")
    os.kill(children(process.process.pid)[0], signal.SIGKILL)
    process.wait_for(tmp_path / "t.jsonl", b"another takes its place")
    process.send(signal.SIGTERM)
    done = process.end()
    assert done.code == 143, done.err
    assert "another takes its place" in done.err
    assert wt.check(wt.read("uniform:2000:1"), tmp_path / "a.tour").feasible


def test_a_signal_ends_all_processes_with_the_best_tour(begin, tmp_path):
    process = begin("solve", "uniform:500:1", "--seconds", "3600", *TWO, "--json", "-o", "a.tour", "--trace", "t.jsonl")
    process.wait_for(tmp_path / "t.jsonl")
    workers = children(process.process.pid)
    process.send(signal.SIGTERM)
    done = process.end()
    assert done.code == 143, done.err
    assert wt.check(wt.read("uniform:500:1"), tmp_path / "a.tour").cost == done.json["cost"]
    assert len(workers) == 2
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


@pytest.mark.parametrize(
    ("where", "fault"),
    [
        ("locl", "unknown cluster 'locl'; there are local:4 (processes), mpi, ray and ray:ADDRESS"),
        ("local:0", "local:0 names no number of processes, 1 to 1024; try local:4"),
    ],
)
def test_clusters_that_there_are_not(call, where, fault):
    done = call("solve", "uniform:50:1", "--cluster", where)
    assert (done.code, done.fault) == (2, fault)


@pytest.mark.skipif(
    MPIEXEC is None or importlib.util.find_spec("mpi4py") is None, reason="needs mpi4py and an MPI: pip install mpich"
)
@pytest.mark.parametrize("strategy", ["windows", "hill"])
def test_ranks_write_and_print_once(tmp_path, strategy):
    command = [
        MPIEXEC, "-n", "3", sys.executable, "-m", "warptour", "solve", "uniform:300:1", "--iterations", "1000",
        "--cluster", "mpi", "--threads", "1", "--strategy", strategy, "--json", "-o", "a.tour",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["workers"] == 3
    assert wt.check(wt.read("uniform:300:1"), tmp_path / "a.tour").cost == found["cost"]
