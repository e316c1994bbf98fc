"""What a comparison runs, and in which order."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from warptour.compare.ours import Ours
from warptour.compare.peers.peer import Peer
from warptour.compare.run import JudgedRun, Solver, judge
from warptour.compare.theirs import Theirs
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.interrupt import Interrupt, give_up


@dataclass(frozen=True)
class ComparisonPlan:
    """A comparison."""

    problems: Mapping[str, TSP | VRP]  # by the names that the table shows
    strategies: Sequence[str | None]  # None is what ``solve`` would choose
    peers: Sequence[Peer]
    devices: Sequence[str]  # each strategy runs on each of them
    seconds: Sequence[float]  # limits, each with runs of its own
    seeds: int  # runs of each solver, limit and problem, with the seeds 1, 2 and so on
    threads: int  # of warptour; a program with one thread has as many times the seconds
    by_cpu: bool = True  # whether warptour's own limit is on CPU time, too; otherwise it is on wall time
    grace: float = 60.0  # seconds past its limit after which another program is killed

    def solvers(self, problem: TSP | VRP, folder: Path, interrupt: Interrupt | None) -> list[Solver]:
        """Return all solvers of one problem; programs keep their files in ``folder``."""
        solvers: list[Solver] = []
        for strategy in self.strategies:
            for device in self.devices:
                ours = Ours(problem, strategy, device, self.threads, self.by_cpu, interrupt)
                ours.name += f"@{device}" if len(self.devices) > 1 else ""
                solvers.append(ours)
        for number, peer in enumerate(self.peers):
            solvers.append(Theirs(problem, peer, self.threads, self.grace, folder / str(number)))
        return solvers

    def runs(self, interrupt: Interrupt | None = None) -> Iterator[JudgedRun]:
        """Yield each run as it ends: solvers take turns within a seed, so that a busy machine is busy for all.

        Raises :class:`Interrupted` on a signal; a run that it ended is not yielded.
        """
        for name, problem in self.problems.items():
            with tempfile.TemporaryDirectory(prefix="warptour-compare-") as folder:
                solvers = self.solvers(problem, Path(folder), interrupt)
                for seconds in self.seconds:
                    for seed in range(1, self.seeds + 1):
                        for solver in solvers:
                            if interrupt is not None:
                                interrupt.redirect(give_up)
                            outcome = solver.solve(seconds, seed)
                            yield judge(problem, name, solver, seconds, seed, outcome)
