"""What every other program has in common: how it is found, called and read."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from warptour.compare.features import Feature, features_of
from warptour.compare.handover import Handed, routes_file, tour_file
from warptour.compare.pace import Pace
from warptour.compare.run import Curve
from warptour.io.solution import Solution, read_solution
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

WALL: Final = "its own limit on wall time, corrected by the CPU time of the run before"
"""The clock of a program whose limit is on wall time."""


@dataclass(frozen=True)
class PeerTask:
    """One run of another program."""

    problem: TSP | VRP
    handed: Handed  # the problem as the program reads it
    folder: Path  # of this run alone
    budget: float  # CPU seconds, or another unit that the program counts in
    seed: int
    threads: int = 1

    @property
    def output(self) -> Path:
        """Where the program's solution is to be."""
        return self.folder / ("answer.sol" if isinstance(self.problem, VRP) else "answer.tour")

    @property
    def log(self) -> Path:
        """What the program prints."""
        return self.folder / "log"

    def find(self, pattern: str) -> Curve:
        """Return the curve in the log by a pattern with the groups ``cost`` and ``seconds``."""
        text = self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""
        return [(float(match["seconds"]), float(match["cost"])) for match in re.finditer(pattern, text)]


class Peer:
    """A program that solves the problems of ``kinds``, with one thread; subclasses say how.

    ``command``: the program, with its first arguments; by default one of ``programs`` on the PATH
    ``words``: the command
    ``version``: if the program tells it
    """

    name: str
    kinds: tuple[str, ...]
    knows: frozenset[Feature] = frozenset()  # what a problem may ask of it
    programs: tuple[str, ...] = ()
    threaded = False
    """Whether it is told how many threads to use; otherwise it has one."""
    wall_clock = False
    """Whether the times of its curve are wall time."""
    clock = "its own limit on CPU time"
    """What keeps its CPU time equal."""

    def __init__(self, command: str | None) -> None:
        self.version: str | None = None
        self.words = self.find_program(command)

    def find_program(self, command: str | None) -> list[str]:
        """Return the command's words, or raise :class:`UsageError` if there is no such program."""
        if command is not None:
            return existing(self.name, command)
        found = next(filter(None, map(shutil.which, self.programs)), None)
        if found is None:
            raise UsageError(
                f"{self.name}: {' or '.join(self.programs)} is not on the PATH; give the program, "
                f"--peer {self.name}=COMMAND"
            )
        return [found]

    def about(self) -> dict[str, str | None]:
        """Return its command, version and clock."""
        return {"command": shlex.join(self.words), "version": self.version, "clock": self.clock}

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why the program cannot solve ``problem``, or None."""
        if problem.kind not in self.kinds:
            return "it is for tours" if self.kinds == ("tsp",) else "it is for vehicles"
        return next((feature.value for feature in features_of(problem) if feature not in self.knows), None)

    def hand_over(self, problem: TSP | VRP, folder: Path) -> Handed:
        """Write the problem into ``folder`` for the program."""
        return routes_file(problem, folder) if isinstance(problem, VRP) else tour_file(problem, folder)

    def calibrate(self, limit: float, measure: Callable[[float], tuple[PeerTask, float | None]]) -> Pace:
        """Return what a budget costs; ``measure`` runs the program with one, and returns the task and CPU seconds."""
        return Pace()

    def command(self, task: PeerTask) -> Sequence[str]:
        """Return the command line of a run."""
        raise NotImplementedError

    def answer(self, task: PeerTask) -> Solution:
        """Return the solution that a run has left, or raise :class:`InputError`."""
        return read_solution(task.output, task.problem, strict=False)

    def curve(self, task: PeerTask) -> Curve:
        """Return the costs during a run as the program reports them, if it does, and seconds on its own clock."""
        return []


def existing(name: str, command: str) -> list[str]:
    """Return the words of a command whose first is a program, as an absolute path."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--peer {name}={command}: {error}") from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise UsageError(f"--peer {name}={command}: there is no such program")
    return [str(Path(program).absolute()), *words[1:]]
