"""Shapes of groups for symmetric 2-opt on a GPU: lanes per tour, adjacent moves per lane, shared memory."""

from __future__ import annotations

from functools import cache
from typing import Final

from warptour.devices import About, Device
from warptour.devices.occupancy import REFERENCE, Needs, occupancy, shared_memory_only

MAX_LANES: Final = 1024
"""Maximum lanes per block; larger groups are clusters of blocks."""

SLACK: Final = 128
"""Positions that a row shifts in its memory on a GPU before it is moved back to the start."""

WARP: Final = 32

KEEPS: Final = (3, 5, 7, 9)
"""Adjacent moves per lane in a batch of tours.

The tables below give the registers per lane and the relative throughput at full occupancy for each, measured on an
H200.
"""
REGISTERS_BY_KEEP: Final = {3: 96, 5: 96, 7: 128, 9: 128}
SPEED_BY_KEEP: Final = {3: 1.25, 5: 1.7, 7: 1.75, 9: 1.9}
BATCH_LANES: Final = (32, 64, 96, 128, 160, 192, 256, 384, 512)
SLACKS: Final = (256, 192)

REGISTERS: Final = 128
"""Register budget per lane."""

RESIDENT: Final = occupancy(REFERENCE, Needs(WARP, REGISTERS)).lanes
"""Resident lanes per multiprocessor within the register budget: 512."""


def batch_bytes(length: int, keep: int, slack: int) -> int:
    """Return the bytes of shared memory per tour, whose row shifts ``slack`` positions before it is moved back."""
    return (length + slack + keep + 2) * 16


def batch_slack(about: About, length: int, shape: tuple[int, int], groups: int = 1) -> int:
    """Return the number of positions a row may shift before it is moved back.

    It is the largest with which ``groups`` groups fit into the shared memory of a multiprocessor.
    """
    lanes, keep = shape
    limits = shared_memory_only(about)
    for slack in SLACKS:
        room = batch_bytes(length, keep, slack)
        if slack >= lanes and occupancy(limits, Needs(lanes, shared=room)).groups >= groups:
            return slack
    return max(lanes, SLACK)


def shape_for(moves: int) -> tuple[int, int] | None:
    """Return the fastest (lanes, adjacent moves per lane) for tours of ``moves`` moves per round; None if none fits."""
    if moves < KEEPS[0]:
        return None
    shapes = ((lanes, keep) for lanes in BATCH_LANES for keep in KEEPS if keep <= moves <= lanes * keep + 1)
    return min(shapes, key=lambda shape: shape[0] * shape[1] / _speed(*shape), default=None)


@cache
def _speed(lanes: int, keep: int) -> float:
    """Return the relative throughput of groups of this shape, less where they do not fill a multiprocessor."""
    filled, most = (occupancy(REFERENCE, Needs(size, REGISTERS_BY_KEEP[keep])).lanes for size in (lanes, WARP))
    return SPEED_BY_KEEP[keep] * filled / most


def lanes_for(device: Device, moves: int, room: int = 0, most: int = MAX_LANES) -> int:
    """Return the number of lanes for a tour on a GPU: a power of two, one lane per move of a round up to ``most``.

    A tour that needs more ``room``, in bytes, than shared memory has gets the largest group the device supports.
    """
    about = device.about()
    if room > (about.local_memory or 1 << 40):
        return MAX_LANES * about.cluster or most
    lanes = WARP
    while lanes < moves and lanes < most:
        lanes *= 2
    return lanes


def keep_for(moves: int, lanes: int) -> int:
    """Return the number of adjacent moves per lane: more save reads, but take registers from other lanes."""
    return 3 if lanes >= MAX_LANES else 5 if moves < 600 else 9
