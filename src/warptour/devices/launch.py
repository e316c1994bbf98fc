"""Launches of a kernel whose lanes share a number of equal jobs, ranked by occupancy.

Ermis (2015) calls lanes that run side by side thread-level parallelism, and the jobs that a lane does one after the
other iterations. The rule of the thesis: launch as many groups as are resident, and leave the rest to iterations. Lane
l of ``block * grid`` does jobs l, l + block * grid, l + 2 * block * grid, ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from warptour.devices.device import About
from warptour.devices.occupancy import Needs, occupancy

BLOCKS: Final = (1024, 512, 256, 128)
"""Block sizes of Ermis (2015)."""


@dataclass(frozen=True)
class Launch:
    """Shape of a launch."""

    block: int  # lanes per group
    grid: int  # number of groups

    def iterations(self, jobs: int) -> int:
        """Return the jobs of the busiest lane: ``jobs`` over all lanes, rounded up."""
        return -(-jobs // (self.block * self.grid))

    def __str__(self) -> str:
        return f"{self.block} x {self.grid}"


def resident_launch(about: About, needs: Needs) -> Launch | None:
    """Return the launch of as many groups as are resident on the whole device; None if not even one fits."""
    groups = occupancy(about, needs).on_device
    return Launch(needs.lanes, groups) if groups else None


def ranked_launches(
    about: About, shared: Callable[[int], int], registers: int = 0, blocks: Sequence[int] = BLOCKS
) -> list[Launch]:
    """Return the resident launch of each block size that fits, those with most resident lanes first.

    ``shared``: takes the lanes per group; returns the bytes of shared memory per group
    ``registers``: registers per lane; 0 if unknown
    ``blocks``: candidate block sizes; of those with equally many resident lanes the first is preferred
    """
    found = (resident_launch(about, Needs(block, registers, shared(block))) for block in blocks)
    return sorted((launch for launch in found if launch), key=lambda launch: -launch.block * launch.grid)
