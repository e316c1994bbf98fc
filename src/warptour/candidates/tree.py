"""A k-d tree over points: the wrapper of ``kernels/common/tree.c``."""

from __future__ import annotations

from ctypes import c_int32
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over, run_groups
from warptour.kernels.library import array, kernel

LEAF = 4
"""Minimum points per leaf; the maximum is twice that plus one."""

SHARE = 1 << 12
"""Points whose rows one native call lists: about 5 ms for rows of a dozen neighbours, to keep many threads busy."""

UPPER_LEVELS = 5
"""Minimum number of upper levels; below them, threads build separate subtrees."""

LARGE = 1 << 17
"""Minimum points for building the upper levels one by one, each with all threads."""


class Tree:
    """A k-d tree: points in tree order, for nearest-neighbour queries.

    ``spots``: (m, 2) or (m, 3): points; duplicates are allowed
    ``norm``: from :func:`warptour.candidates.space.norm_code`
    ``threads``: number of threads that build and search; None for all CPUs
    ``over``: once it returns True, building and searching raise :class:`~warptour.kernels.groups.Unfinished`
    """

    def __init__(
        self, spots: NDArray[np.float64], norm: int, threads: int | None = None, over: Over | None = None
    ) -> None:
        self.count, self.dimensions = spots.shape
        self.norm = norm
        self.threads = threads
        self.over = over
        self.levels = max(0, (self.count // LEAF).bit_length() - 1)
        self.spots = np.array(spots, np.float64, order="C")
        self.ids = np.arange(self.count, dtype=np.int32)
        self.boxes = np.empty(((2 << self.levels) * 2, self.dimensions))
        grow = kernel(
            "tree_grow",
            array(np.float64, 2, output=True),
            array(np.int32, output=True),
            array(np.float64, 2, output=True),
            *(c_int32,) * 5,
        )
        shape = (self.count, self.dimensions, self.levels)
        upper = min(self.levels, max(UPPER_LEVELS, (self.count >> 16).bit_length()))
        steps = range(upper + 1) if self.count >= LARGE else (0, upper)  # upper levels of a small tree are cheap
        for level, until in pairwise([*dict.fromkeys(steps), self.levels + 1]):
            run_groups(grow, 1 << level, threads, self.spots, self.ids, self.boxes, *shape, level, until, over=over)

    def rows(self, width: int, quadrant: int = 0) -> NDArray[np.int32]:
        """Return neighbours of every point, in the order given to the tree.

        ``width``: neighbours per point, less than the number of points
        ``quadrant``: number taken first from each quadrant (fewer if it has fewer); the nearest fill the rest of the
            row

        Returns
        -------
        array of int32, shape (m, width)
            Point numbers, nearest first within each of the two parts.
        """
        rows = np.empty((self.count, width), np.int32)
        if width == 0:
            return rows
        quadrant = min(quadrant, width)
        longer = max(1, (width + 8 * quadrant) // 16)
        groups = min(1 << self.levels, -(-self.count * longer // SHARE))
        fill = kernel(
            "tree_rows",
            array(np.float64, 2),
            array(np.int32),
            array(np.float64, 2),
            *(c_int32,) * 6,
            array(np.float64, 2, output=True),
            array(np.int32, 2, output=True),
            array(np.int32, 2, output=True),
        )
        shape = (self.count, self.dimensions, self.norm, self.levels)
        gaps, whos = np.empty((groups, 2 * width)), np.empty((groups, 2 * width), np.int32)
        boxes = (self.spots, self.ids, self.boxes)
        run_groups(fill, groups, self.threads, *boxes, *shape, width, quadrant, gaps, whos, rows, over=self.over)
        return rows

    def counts(self, present: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return, for each node of the tree, the number of points below it that ``present`` (in tree order) marks."""
        leaves = 1 << self.levels
        first = (np.arange(leaves, dtype=np.int64) * self.count) >> self.levels
        left = np.zeros(2 * leaves, np.int32)
        left[leaves:] = np.add.reduceat(present, first, dtype=np.int32)
        for level in range(self.levels - 1, -1, -1):
            left[1 << level : 2 << level] = left[2 << level : 4 << level].reshape(-1, 2).sum(axis=1)
        return left
