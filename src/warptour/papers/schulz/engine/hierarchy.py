"""Hierarchies of segments of a giant tour on a device (``kernels/papers/schulz/giant_hierarchy.h``).

Level 0 has all positions, cut into parts; level l + 1 has those between the parts of level l, and the last one. Each
level holds the segments between any two positions of a part, forwards and reversed; the top level is a single part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from warptour.devices import Array, Device
from warptour.papers.schulz.engine.numbering import Longs
from warptour.papers.schulz.engine.version import Version

MOST_LEVELS: Final = 3

EXPONENTS: Final = {0: (), 1: (1 / 3,), 2: (1 / 7, 2 / 7)}
"""Nodes of a part as powers of the number of nodes, which minimise the work (Irnich 2008): a part of level 1 has
n^(2/7) parts of level 0.
"""

EIGHT: Final = 8

ONE_PART: Final = 31
"""Shift by which all positions are in part 0."""

POSITION_AWARE: Final = 1
JAGGED: Final = 2
"""Index modes in which the reversed segments of a level follow all others."""
DENSE: Final = 4


def part_sizes(nodes: int, version: Version) -> list[int]:
    """Return the size of a part of each level but the top one: positions from one end to the other."""
    sizes = []
    for exponent in EXPONENTS[version.levels]:
        best = float(nodes) ** exponent
        power = 2 ** max(1, round(np.log2(best)))
        sizes.append({"optimal": max(2, round(best)), "powers": power, "eight": EIGHT}[version.parts])
    return sizes


@dataclass(frozen=True, eq=False)
class SegmentLayout:
    """Where the segments of a hierarchy lie."""

    # (3, 6): last position, size of a part, its binary logarithm, first entry, entries from a segment to its reverse,
    # and first row in ``starts``, of each level
    levels: Longs
    starts: Longs  # first segment of each row of the jagged index modes
    entries: int  # entries of all levels
    whole: int  # entry of the whole tour

    @classmethod
    def of(cls, last: int, version: Version) -> SegmentLayout:
        """Return the plan for giant tours with positions 0 to ``last``."""
        levels = np.zeros((MOST_LEVELS, 6), np.int64)
        starts: list[Longs] = []
        base = rows = whole = 0
        end = last
        for level, size in enumerate([*part_sizes(last + 1, version), None]):
            shift = ONE_PART if size is None else size.bit_length() - 1
            size = end if size is None else size
            parts = -(-end // size)
            at = np.arange(end)
            lengths = np.minimum((at // size + 1) * size, end) - at
            segments = int(lengths.sum())
            if version.index == POSITION_AWARE:
                mirror = 2 * end + parts * ((size - 1) * (size - 2) // 2)
                entries = 2 * mirror
            else:
                mirror = segments if version.index == JAGGED else 0
                entries = 2 * end * size if version.index == DENSE else 2 * segments
            levels[level] = end, size, shift, base, mirror, rows
            starts.append(np.cumsum(lengths) - lengths)
            whole = base + (end - 1) * (1 if version.index in (POSITION_AWARE, JAGGED) else 2)
            base, rows, end = base + entries, rows + len(at), parts
        return cls(levels, np.concatenate(starts), base, whole)


class Hierarchies:
    """The hierarchies of one giant tour: for its cost, its number of routes, and each of its resources."""

    def __init__(self, device: Device, last: int, resources: int, version: Version) -> None:
        self.plan = SegmentLayout.of(last, version)
        entries = self.plan.entries
        self.costs = device.empty(entries, np.float64)
        self.counts = device.empty(2 * entries, np.int32)
        self.extensions = tuple(device.empty(3 * entries, np.float64) for _ in range(resources))
        self._levels = device.send(self.plan.levels)
        self._starts = device.send(self.plan.starts)
        self.whole = np.int64(self.plan.whole * (2 if version.layout == "aos" else 1))
        """Place of the number of routes of the whole tour in ``counts``."""

    @property
    def bytes(self) -> int:
        """Memory of all hierarchies."""
        return self.plan.entries * (16 + 24 * len(self.extensions))

    def arguments(self, resource: int | None = None, beside: int | None = None) -> tuple[Any, ...]:
        """Return the arguments for ``HIERARCHY_PARAMETERS`` from ``plan`` on, of a resource and one beside it."""
        arrays = self._levels, self._starts, np.int64(self.plan.entries), self.costs
        return (*arrays, self._extensions(resource), self.counts, np.int32(resource or 0),
                self._extensions(beside), np.int32(beside or 0))  # fmt: skip

    def _extensions(self, resource: int | None) -> Array | None:
        return None if resource is None else self.extensions[resource]
