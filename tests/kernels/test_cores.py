"""The number of cores follows the CPU quota of the process's control groups, of version 1 and 2."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from warptour.kernels import cores
from warptour.kernels.cores import cpu_quota, usable_cores


def quota(folder: Path, membership: str, files: dict[str, str]) -> float:
    (folder / "membership").write_text(membership)
    for name, text in files.items():
        path = folder / "groups" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return cpu_quota(folder / "groups", folder / "membership")


QUOTA = {"quota": "300000", "period": "100000"}
V1 = "4:memory:/\n3:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc\n0::/\n"


@pytest.mark.parametrize(
    ("membership", "files", "wanted"),
    [
        ("0::/\n", {"cpu.max": "150000 100000\n"}, 1.5),
        ("0::/\n", {"cpu.max": "max 100000\n"}, math.inf),
        ("0::/user/run\n", {"user/run/cpu.max": "max 100000", "user/cpu.max": "200000 100000"}, 2.0),
        ("0::/user/run\n", {"user/run/cpu.max": "50000 100000", "user/cpu.max": "200000 100000"}, 0.5),
        ("0::/../outside\n", {"cpu.max": "100000 100000"}, 1.0),
        (V1, {f"cpu,cpuacct/docker/abc/cpu.cfs_{name}_us": text for name, text in QUOTA.items()}, 3.0),
        (V1, {"cpu/cpu.cfs_quota_us": "250000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 2.5),
        (V1, {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, math.inf),
        (V1, {"cpu/cpu.cfs_quota_us": "100000\n"}, math.inf),
        ("3:cpuset:/\n0::/\n", {"unified/cpu.max": "400000 100000"}, 4.0),
        ("nonsense", {"cpu.max": "1 1"}, math.inf),
        ("0::/\n", {"cpu.max": "what 0 this"}, math.inf),
        ("0::/\n", {"cpu.max": "5 0"}, math.inf),
    ],
)  # fmt: skip
def test_the_smallest_quota_of_all_groups_counts(
    tmp_path: Path, membership: str, files: dict[str, str], wanted: float
) -> None:
    assert quota(tmp_path, membership, files) == wanted


def test_without_control_groups_there_is_no_quota(tmp_path: Path) -> None:
    assert cpu_quota(tmp_path / "none", tmp_path / "nothing") == math.inf


@pytest.mark.parametrize(("allowed", "affinity", "wanted"), [(math.inf, 8, 8), (1.5, 8, 2), (0.1, 8, 1), (16, 2, 2)])
def test_part_of_a_core_is_a_core(monkeypatch: pytest.MonkeyPatch, allowed: float, affinity: int, wanted: int) -> None:
    monkeypatch.setattr(cores, "cpu_quota", lambda: allowed)
    monkeypatch.setattr(cores.os, "sched_getaffinity", lambda process: range(affinity), raising=False)
    assert usable_cores.__wrapped__() == wanted
