"""Another program as a solver of a comparison."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from warptour.compare.handover import Handed
from warptour.compare.pace import Pace
from warptour.compare.peers.peer import Peer, PeerTask
from warptour.compare.process import ExitStatus, run_child
from warptour.compare.run import Curve, SolverOutcome, refused
from warptour.kernels.cores import usable_cores
from warptour.model.errors import InputError, UnsupportedError, UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

LONGEST_NOTE = 120
SAME_COST = 1e-3
"""Relative difference between the last cost that a program reports and the exact one, up to which its curve is used."""


class Hopeless(Exception):
    """A run that measures a program's speed was killed."""


class Theirs:
    """Another program on one problem.

    ``threads``: of the comparison: a program with one thread has as many times the seconds
    ``grace``: seconds past its limit after which it is killed; on a busy machine the limit itself is taken longer
    ``folder``: of this program and problem alone
    """

    def __init__(self, problem: TSP | VRP, peer: Peer, threads: int, grace: float, folder: Path) -> None:
        self.problem, self.peer, self.grace, self.folder = problem, peer, grace, folder
        self.name, self.version = peer.name, peer.version
        self.shares = 1 if peer.threaded else threads
        self.threads = threads if peer.threaded else 1
        self.refusal = peer.refuses(problem) or ""
        self.units = ""
        self._handed: Handed | None = None
        self._pace: Pace | None = None
        self._hopeless = 0.0
        self._count = itertools.count(1)

    def limit(self, seconds: float) -> str:
        return f"{seconds:g} s" if self.peer.threaded else f"{seconds * self.shares:g} s CPU"

    def solve(self, seconds: float, seed: int) -> SolverOutcome:
        """Run once; before the first run, write the problem and learn what a budget costs."""
        if not self.refusal:
            try:
                return self._solve(seconds * self.shares, seed)
            except (UnsupportedError, UsageError) as error:
                self.refusal = str(error)
        return refused(self.refusal)

    def _solve(self, limit: float, seed: int) -> SolverOutcome:
        if self._handed is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._handed = self.peer.hand_over(self.problem, self.folder)
            self.units = self._handed.units
        if self._pace is None and limit > self._hopeless:
            try:
                self._pace = self.peer.calibrate(limit, lambda budget: self._probe(budget, limit))
            except Hopeless:
                self._hopeless = limit
        if self._pace is None:
            return SolverOutcome(None, 0.0, 0.0, 0.0, "no answer: a run to measure its speed was killed at its limit")
        budget = self._pace.budget(limit)
        task, ended = self._run(budget, seed, limit)
        self._pace.learn(budget, ended.cpu)
        return self._outcome(task, ended)

    def _probe(self, budget: float, limit: float) -> tuple[PeerTask, float | None]:
        """Run with a budget; return the task and its CPU seconds."""
        task, ended = self._run(budget, 1, limit)
        if ended.killed:
            raise Hopeless
        return task, ended.cpu

    def _run(self, budget: float, seed: int, limit: float) -> tuple[PeerTask, ExitStatus]:
        assert self._handed is not None
        folder = self.folder / str(next(self._count))
        folder.mkdir()
        task = PeerTask(self.problem, self._handed, folder, budget, seed, self.threads)
        return task, run_child(self.peer.command(task), task.log, limit * _busy() + self.grace, self.threads)

    def _outcome(self, task: PeerTask, ended: ExitStatus) -> SolverOutcome:
        note = f"killed after {ended.wall:.0f} s" if ended.killed else ""
        used = ended.wall if ended.cpu is None or self.peer.threaded else ended.cpu / self.shares
        try:
            solution = self.peer.answer(task)
        except InputError as error:
            why = note or (f"exit code {ended.code}{_last_line(task)}" if ended.code else error.message)
            return SolverOutcome(None, ended.wall, ended.cpu, used, f"no answer: {why}")
        return SolverOutcome(solution, ended.wall, ended.cpu, used, note, self._curve(task, ended, solution))

    def _curve(self, task: PeerTask, ended: ExitStatus, solution: object) -> Curve:
        """Return the program's own curve in our units, if its last cost is that of the answer."""
        busy = ended.cpu / ended.wall if self.peer.wall_clock and ended.cpu else 1.0
        pace = busy / self.shares
        curve = [(pace * seconds, cost / task.handed.scale) for seconds, cost in self.peer.curve(task)]
        exact = self.problem.check(solution).cost  # type: ignore[arg-type]
        return curve if curve and abs(curve[-1][1] - exact) <= SAME_COST * abs(exact) else []


def _busy() -> float:
    """Return how many times longer than its CPU time a program may take while the machine has other work."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return max(1.0, 2 * load / usable_cores())


def _last_line(task: PeerTask) -> str:
    """Return the last line that the program printed, for a note."""
    text = task.log.read_text(encoding="utf-8", errors="replace") if task.log.exists() else ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return f" ({lines[-1][:LONGEST_NOTE]})" if lines else ""
