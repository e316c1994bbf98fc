"""What a member tells of itself before its first task."""

from __future__ import annotations

import hashlib
import os
import platform
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import warptour.kernels
from warptour._version import __version__
from warptour.cluster.messages import Hello
from warptour.kernels.cores import usable_cores


@cache
def hello() -> Hello:
    """Return what this process tells of itself."""
    digest = hashlib.sha256()
    for path in sorted(Path(warptour.kernels.__path__[0]).rglob("*.[ch]")):
        digest.update(path.name.encode() + path.read_bytes())
    cores = usable_cores()
    processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else range(cores)
    return Hello(__version__, digest.hexdigest()[:16], platform.node(), cores, tuple(processors))


def stranger(theirs: Hello) -> str | None:
    """Return why a member cannot work with this process; None if it can."""
    ours = hello()
    if theirs.version != ours.version:
        return f"has warptour {theirs.version}, not {ours.version}"
    if theirs.kernels != ours.kernels:
        return f"has other kernels of warptour {ours.version}"
    return None


def fair_threads(hellos: Iterable[Hello]) -> int:
    """Return the threads that each member may have such that no machine has more of them than cores.

    Members of a machine share its processors, or have been bound to some each; a container's quota is for all in it.
    """
    machines: dict[str, list[Hello]] = defaultdict(list)
    for one in hellos:
        machines[one.host].append(one)
    shares = []
    for members in machines.values():
        processors = set().union(*(one.processors for one in members))
        quotas = [one.cores for one in members if one.cores < len(one.processors)]
        shares.append(min([len(processors), *quotas]) // len(members))
    return max(1, min(shares))
