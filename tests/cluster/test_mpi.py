"""Members that are ranks of MPI, with whichever MPI is installed; skipped without one."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cluster_work import PROBLEM
from warptour.cluster.links.mpi import RESUME

PROGRAM = Path(__file__).resolve().parent.parent / "cluster_program.py"
MPIEXEC = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")

pytestmark = pytest.mark.skipif(
    MPIEXEC is None or importlib.util.find_spec("mpi4py") is None, reason="needs mpi4py and mpiexec"
)

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(place or "." for place in sys.path),
}


PATIENCE = 300
"""Seconds after which a job is taken to hang."""


def start(ranks: int, *words: object) -> subprocess.Popen[str]:
    launcher = [str(MPIEXEC), "-n", str(ranks)] if ranks else []
    command = [*launcher, sys.executable, str(PROGRAM), *map(str, words)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT, start_new_session=True
    )


def end(process: subprocess.Popen[str]) -> None:
    """End a job that has not ended; killed outright, mpiexec would leave its ranks behind."""
    if process.poll() is None:
        process.terminate()
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
    process.communicate()


def run(ranks: int, *words: object) -> list[str]:
    process = start(ranks, *words)
    try:
        output, _ = process.communicate(timeout=PATIENCE)
    finally:
        end(process)
    assert process.returncode == 0, output
    return output.splitlines()


def cost(seed: int) -> float:
    return PROBLEM.check(np.random.default_rng(seed).permutation(PROBLEM.n)).cost


def test_all_ranks_work_and_return_the_same_as_often_as_asked() -> None:
    lines = run(3, "spmd")
    expected = [[], [cost(seed) for seed in range(6)], [False, True, True], RESUME]
    assert [json.loads(line) for line in lines] == [expected] * 6


def test_an_error_of_rank_0_is_raised_on_all() -> None:
    assert run(2, "fail") == ["rank 0 says no"] * 2


def test_one_rank_without_mpiexec_works_alone_and_says_so() -> None:
    losses, costs, traffic, remark = json.loads(run(0, "spmd")[0])
    assert (losses, costs, traffic) == ([], [cost(0), cost(1)], [False])
    assert "mpiexec -n 4" in remark


@pytest.mark.parametrize(("rank", "number"), [(0, signal.SIGTERM), (1, signal.SIGINT), (2, signal.SIGTERM)])
def test_a_signal_at_any_rank_ends_all_with_one_result(rank: int, number: int, tmp_path: Path) -> None:
    result = tmp_path / "result"
    process = start(3, "wait", result)
    assert process.stdout is not None
    pids: dict[int, int] = {}
    seen = ""
    for line in process.stdout:
        seen += line
        pids |= {int(word): int(pid) for word, pid in re.findall(r"pid (\d) (\d+)", line)}
        if "started" in line:
            break
    try:
        assert len(pids) == 3, seen
        os.kill(pids[rank], number)
        output, _ = process.communicate(timeout=PATIENCE)
    finally:
        end(process)
    lines = result.read_text(encoding="ascii").splitlines()
    assert [json.loads(line)["cost"] for line in lines] == [min(map(cost, range(3)))], output
    assert (process.returncode == 0) == (rank > 0), output


def test_a_launcher_of_another_mpi_is_told(tmp_path: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-c", "from warptour.cluster.links import mpi; mpi.rank()"],
        env={**ENVIRONMENT, "SLURM_STEP_NUM_TASKS": "4"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "the launcher started 4 processes, but to mpi4py each is alone" in process.stderr
