"""Chained Lin-Kernighan of Concorde (Applegate, Cook and Rohe, 2003)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warptour.compare.peers.peer import Peer, PeerTask
from warptour.compare.run import Curve
from warptour.io.solution import Solution
from warptour.model.errors import InputError

KICKS = 2_000_000_000
"""Kicks asked for, more than any time limit allows; linkern's default is the number of cities."""


class Linkern(Peer):
    """``linkern``: its limit counts the CPU time of the search, after the neighbours and the first tour."""

    name = "linkern"
    kinds = ("tsp",)
    programs = ("linkern",)

    def command(self, task: PeerTask) -> Sequence[str]:
        limits = ("-t", f"{task.budget:g}", "-R", str(KICKS), "-s", str(task.seed))
        return [*self.words, *limits, "-o", str(task.output), str(task.handed.file)]

    def answer(self, task: PeerTask) -> Solution:
        """Return the tour: after a line of sizes, an edge a line, in the order of the tour, cities from 0."""
        try:
            edges = np.loadtxt(task.output, dtype=np.int64, skiprows=1, ndmin=2)
            return edges[:, 0].astype(np.int32)
        except (OSError, ValueError, IndexError):
            raise InputError("left no list of edges") from None

    def curve(self, task: PeerTask) -> Curve:
        return task.find(r"Steps +Best: (?P<cost>[\d.]+) +(?P<seconds>[\d.]+) seconds")
