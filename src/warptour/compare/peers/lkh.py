"""LKH (Helsgaun, 2000, 2017)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from warptour.compare.features import Feature
from warptour.compare.pace import Pace
from warptour.compare.peers.peer import Peer, PeerTask
from warptour.compare.run import Curve

TRIALS = 1_000_000_000
"""Trials asked for, more than any time limit allows; LKH's default is the number of cities."""


class Lkh(Peer):
    """``LKH``: its limit counts from after the ascent, whose time is measured by a run of one trial and taken off."""

    name = "LKH"
    kinds = ("tsp",)
    knows = frozenset({Feature.FIXED_EDGES, Feature.ONE_WAY})
    programs = ("LKH", "lkh", "LKH-3")
    clock = "its own limit on CPU time, less its preparation, measured before"

    def calibrate(self, limit: float, measure: Callable[[float], tuple[PeerTask, float | None]]) -> Pace:
        task, cpu = measure(0.0)
        preparation = _preparation(task)
        return Pace(fixed=(cpu or 0.0) if preparation is None else preparation)

    def command(self, task: PeerTask) -> Sequence[str]:
        parameters = task.folder / "parameters.par"
        parameters.write_text(
            f"PROBLEM_FILE = {task.handed.file}\nTOUR_FILE = {task.output}\nRUNS = 1\nSEED = {task.seed}\n"
            f"TIME_LIMIT = {task.budget:g}\nMAX_TRIALS = {TRIALS if task.budget else 1}\n",
            encoding="utf-8",
        )
        return [*self.words, str(parameters)]

    def curve(self, task: PeerTask) -> Curve:
        before = _preparation(task) or 0.0
        found = task.find(r"\* \d+: Cost = (?P<cost>\d+),.*?Time = (?P<seconds>[\d.]+) sec")
        return [(before + seconds, cost) for seconds, cost in found]


def _preparation(task: PeerTask) -> float | None:
    """Return the CPU seconds before the first trial."""
    match = re.search(r"Preprocessing time = ([\d.]+) sec", task.log.read_text(encoding="utf-8", errors="replace"))
    return None if match is None else float(match[1])
