"""FILO2 (Accorsi and Vigo, 2024)."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from typing import Final

from warptour.compare.pace import Pace
from warptour.compare.peers.peer import Peer, PeerTask
from warptour.io.solution import Solution
from warptour.model.errors import InputError

FIRST: Final = 10
SECOND: Final = 500
"""Iterations of the first runs that measure its speed; later iterations take longer."""
SHARES: Final = (0.25, 0.5)
"""Shares of the limit that the next runs are to take."""
SIMILAR: Final = 1.2
"""An iteration that takes less than this much longer than in the run before ends them."""


class Filo2(Peer):
    """``filo2``: it counts iterations, over which it cools, so their number is chosen to take the CPU time."""

    name = "FILO2"
    kinds = ("vrp",)
    programs = ("filo2",)
    clock = "a number of iterations that takes about that CPU time, by runs before"

    def calibrate(self, limit: float, measure: Callable[[float], tuple[PeerTask, float | None]]) -> Pace:
        pace = Pace(fixed=measure(FIRST)[1] or 0.0, learns=True)
        pace.learn(SECOND, measure(SECOND)[1])
        for share in SHARES:
            before, iterations = pace.slope, pace.budget(share * limit)
            if iterations > SECOND:
                pace.learn(iterations, measure(iterations)[1])
            if pace.slope < SIMILAR * before:
                break
        return pace

    def command(self, task: PeerTask) -> Sequence[str]:
        limits = ["--coreopt-iterations", str(max(1, round(task.budget))), "--seed", str(task.seed)]
        return [*self.words, str(task.handed.file), *limits, "--outpath", f"{task.folder}/"]

    def answer(self, task: PeerTask) -> Solution:
        written = next(task.folder.glob("*.vrp.sol"), None)
        if written is None:
            raise InputError("left no solution")
        shutil.copyfile(written, task.output)
        return super().answer(task)
