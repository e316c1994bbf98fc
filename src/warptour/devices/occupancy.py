"""Occupancy: how many groups of a kernel a multiprocessor holds at the same time, and what limits them.

The same rules as in NVIDIA's occupancy calculator. A group takes whole warps, registers for each of them, and shared
memory; the scarcest of these, or the maximum number of groups, decides. Limits that a device does not report do not
count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import floor
from typing import Final, Literal, TypeAlias

from warptour.devices.device import About

Limit: TypeAlias = Literal["warps", "registers", "shared memory", "groups"]

REGISTER_UNIT: Final = 256
"""Unit in which registers are allocated to a warp, from compute capability 3.0 on."""

PARTITIONS: Final = 4
"""Partitions of a multiprocessor, each with a quarter of its registers; a warp lives in one of them.

The occupancy calculator calls it the warp allocation granularity; it is 4 from compute capability 3.0 on.
"""

RESERVED: Final = 1024
"""Bytes of shared memory that CUDA reserves per group from compute capability 8.0 on."""

REFERENCE: Final = About(
    "cuda",
    "NVIDIA H200",
    "gpu",
    memory=141 * 10**9,
    units=132,
    clock=1980.0,
    local_memory=227 * 1024,
    warp=32,
    max_lanes=2048,
    max_groups=32,
    registers=65536,
    shared_memory=228 * 1024,
    reserved_memory=RESERVED,
    memory_unit=128,
    cluster=8,
)
"""The GPU that kernels were tuned on. Register budgets are chosen for it, so that all GPUs get the same builds."""

QUADRO_K600: Final = About(
    "cuda",
    "Quadro K600 (compute 3.0)",
    "gpu",
    memory=2**30,
    units=1,
    clock=876.0,
    local_memory=48 * 1024,
    warp=32,
    max_lanes=2048,
    max_groups=16,
    registers=65536,
    shared_memory=48 * 1024,
    memory_unit=256,
    cluster=1,
)
"""The GPU of Ermis (2015), of compute capability 3.0, for the tables of that thesis; no current driver runs it."""


@dataclass(frozen=True)
class Needs:
    """Resources that a kernel takes."""

    lanes: int  # lanes per group
    registers: int = 0  # registers per lane; 0 if unknown
    shared: int = 0  # bytes of shared memory per group


@dataclass(frozen=True)
class Occupancy:
    """Groups of a kernel that run concurrently."""

    groups: int  # resident groups per multiprocessor: 0 if not even one fits, 1 if no limit is known
    lanes: int  # resident lanes per multiprocessor
    share: float  # resident warps over the maximum of warps, what NVIDIA calls occupancy; 0 if the maximum is unknown
    on_device: int  # resident groups on the whole device: the size of a wave
    # what prevents one more group: some of ``warps``, ``registers``, ``shared memory``, ``groups``; empty if no limit
    # is known
    limited_by: tuple[Limit, ...]

    @property
    def percent(self) -> int:
        """``share`` in whole percent, halves rounded up as the occupancy calculator prints them."""
        return floor(100 * self.share + 0.5)


def occupancy(about: About, needs: Needs) -> Occupancy:
    """Return the occupancy of a device by a kernel; a group is one block, not a cluster."""
    bounds: dict[Limit, int | None] = {
        "warps": _by_warps(about, needs),
        "registers": _by_registers(about, needs),
        "shared memory": _by_shared_memory(about, needs),
        "groups": about.max_groups or None,
    }
    known = {limit: bound for limit, bound in bounds.items() if bound is not None}
    groups = min(known.values(), default=1)
    limited_by = tuple(limit for limit, bound in known.items() if bound == groups)
    warps, most = groups * _warps(about, needs.lanes), _max_warps(about)
    share = warps / most if most else 0.0
    return Occupancy(groups, groups * needs.lanes, share, groups * about.units, limited_by)


def resident(lanes: int, registers: int) -> int:
    """Return the groups per multiprocessor that a register budget allows, at least one.

    It is the ``RESIDENT`` of a build, by which the compiler keeps to ``registers`` per lane.
    """
    return max(1, occupancy(REFERENCE, Needs(lanes, registers)).groups)


def shared_memory_only(about: About) -> About:
    """Return a description in which shared memory is the only limit, counted on the safe side.

    A multiprocessor is taken to have no more than a single group may use, and to reserve ``RESERVED`` bytes per group
    whatever the device. Plans that depend on it thus depend on one reported figure alone, on CUDA as on OpenCL.
    """
    return replace(
        about,
        max_lanes=0,
        max_groups=0,
        registers=0,
        shared_memory=about.local_memory,
        reserved_memory=RESERVED,
        memory_unit=0,
    )


def _warps(about: About, lanes: int) -> int:
    return -(-lanes // (about.warp or 1))


def _max_warps(about: About) -> int:
    return about.max_lanes // (about.warp or 1)


def _by_warps(about: About, needs: Needs) -> int | None:
    return _max_warps(about) // _warps(about, needs.lanes) if about.max_lanes else None


def _by_registers(about: About, needs: Needs) -> int | None:
    if not (about.registers and needs.registers):
        return None
    if not about.warp:
        return about.registers // (needs.registers * needs.lanes)
    per_warp = -(-needs.registers * about.warp // REGISTER_UNIT) * REGISTER_UNIT
    return about.registers // PARTITIONS // per_warp * PARTITIONS // _warps(about, needs.lanes)


def _by_shared_memory(about: About, needs: Needs) -> int | None:
    if about.local_memory and needs.shared > about.local_memory:
        return 0
    unit = about.memory_unit or 1
    taken = -(-(needs.shared + about.reserved_memory) // unit) * unit
    return about.shared_memory // taken if about.shared_memory and taken else None
