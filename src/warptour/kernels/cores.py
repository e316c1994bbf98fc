"""Number of cores available to this process, by its CPU affinity and the CPU quota of its control groups."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

GROUPS = Path("/sys/fs/cgroup")
MEMBERSHIP = Path("/proc/self/cgroup")

MAX_THREADS = 1024
"""Maximum number of threads a user may request; more than the cores of any machine in 2026."""


@cache
def usable_cores() -> int:
    """Return the number of cores available to this process, at least 1."""
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, math.ceil(min(affinity, cpu_quota())))


def cpu_quota(groups: Path = GROUPS, membership: Path = MEMBERSHIP) -> float:
    """Return the CPU quota of this process's control groups, in cores; infinite without a limit.

    ``groups``: mount point of the control groups, version 1, 2 or both
    ``membership``: file that lists the groups of this process, one ``number:controllers:path`` per line
    """
    try:
        lines = membership.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return math.inf
    quota = math.inf
    for line in lines:
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            for mount in (groups, groups / "unified"):
                quota = min([quota, *(_quota_v2(folder) for folder in _upward(mount, path))])
        elif "cpu" in controllers.split(","):
            for mount in (groups / controllers, groups / "cpu"):
                quota = min([quota, *(_quota_v1(folder) for folder in _upward(mount, path))])
    return quota


def _upward(mount: Path, path: str) -> Iterator[Path]:
    """Yield the folders of a group and of its ancestors; a container may see its own group as the root."""
    inside = PurePosixPath(path.lstrip("/"))
    for part in (inside, *inside.parents):
        if ".." not in part.parts:
            yield mount / part


def _quota_v2(folder: Path) -> float:
    words = _words(folder / "cpu.max")
    return _ratio(words[0], words[1]) if len(words) == 2 else math.inf


def _quota_v1(folder: Path) -> float:
    quota, period = _words(folder / "cpu.cfs_quota_us"), _words(folder / "cpu.cfs_period_us")
    return _ratio(quota[0], period[0]) if quota and period else math.inf


def _ratio(quota: str, period: str) -> float:
    """Return quota / period, in cores; infinite for ``max`` (version 2) and ``-1`` (version 1)."""
    try:
        allowed, every = int(quota), int(period)
    except ValueError:
        return math.inf
    return allowed / every if allowed > 0 and every > 0 else math.inf


def _words(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii", errors="replace").split()
    except OSError:
        return []
