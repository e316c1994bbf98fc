"""Free memory of the machine and of the process's control group, and the refusal of instances that exceed it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

from warptour.model.errors import UnsupportedError

GROUP: Final = Path("/sys/fs/cgroup")
MACHINE: Final = Path("/proc/meminfo")

MIN_CHECKED_NODES: Final = 1_000_000
"""Instances with fewer nodes are never refused for want of memory."""


def require_memory(nodes: int, each: float, purpose: str) -> None:
    """Raise :class:`UnsupportedError` if ``nodes`` of ``each`` bytes exceed the free memory; it says how many fit.

    ``purpose`` is what takes the memory, for the message: "uniform:2000000000".
    """
    if nodes < MIN_CHECKED_NODES:
        return
    free = free_memory()
    if nodes * each > free:
        raise UnsupportedError(shortage_text(purpose, nodes, each, free, "are free"))


def shortage_text(purpose: str, nodes: int, each: float, free: float, where: str) -> str:
    """Return a sentence: what ``nodes`` of ``each`` bytes take, what is free, and how many nodes would fit."""
    return (
        f"{purpose}: {nodes:,} nodes take {nodes * each / 1e9:.1f} GB and {free / 1e9:.1f} GB {where};"
        f" {int(max(0.0, free) // each):,} would fit"
    )


def free_memory(group: Path = GROUP, machine: Path = MACHINE) -> float:
    """Return the bytes that this process can still allocate; infinite where the system does not say."""
    facts = _table(machine)
    free = math.inf
    if "MemAvailable:" in facts:
        free = 1024.0 * (facts["MemAvailable:"] + facts.get("SwapFree:", 0))
    for limit, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        most, now = _number(group / limit), _number(group / used)
        if math.isfinite(most) and math.isfinite(now):
            cached = _table((group / limit).with_name("memory.stat"))
            files = cached.get("inactive_file", 0) + cached.get("active_file", 0)  # given up when memory is short
            free = min(free, most - now + files)
    return free


def _table(path: Path) -> dict[str, int]:
    """Return the first number after each word that begins a line of a file; empty if it cannot be read."""
    try:
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return {}
    words = (line.split() for line in lines)
    return {row[0]: int(row[1]) for row in words if len(row) > 1 and row[1].isdecimal()}


def _number(path: Path) -> float:
    """Return the number in a file; infinite if there is none."""
    try:
        return float(int(path.read_text(encoding="ascii")))
    except (OSError, ValueError):
        return math.inf
