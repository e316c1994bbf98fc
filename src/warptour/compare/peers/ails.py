"""AILS-II (Máximo, Cordeau and Nascimento, 2024)."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from warptour.compare.features import Feature
from warptour.compare.handover import Handed
from warptour.compare.pace import Pace
from warptour.compare.peers.peer import WALL, Peer, PeerTask
from warptour.compare.run import Curve
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

LAUNCHER: Final = Path(__file__).parent.parent / "child" / "Ails.java"


class Ails(Peer):
    """AILS-II by its classes: the command is their folder or jar. It takes no seed; its limit is in wall seconds."""

    name = "AILS-II"
    kinds = ("vrp",)
    knows = frozenset({Feature.UNROUNDED})
    wall_clock = True
    clock = WALL

    def find_program(self, command: str | None) -> list[str]:
        if command is None:
            raise UsageError("AILS-II: say where its classes are, --peer AILS-II=FOLDER or AILS-II=FILE.jar")
        if not Path(command).exists():
            raise UsageError(f"--peer AILS-II={command}: there is no such folder or jar")
        java, compiler = shutil.which("java"), shutil.which("javac")
        if java is None or compiler is None:
            raise UsageError("AILS-II needs java and javac on the PATH")
        self.java, self.compiler, self.classes = java, compiler, os.path.abspath(command)
        with tempfile.TemporaryDirectory(prefix="warptour-ails-") as folder:
            if not self._compile(folder):
                raise UsageError(f"--peer AILS-II={command}: there is no SearchMethod.AILSII in it")
        return [java, self.classes]

    def _compile(self, folder: str | Path) -> bool:
        """Compile the launcher into ``folder``; return whether the classes are what it expects."""
        words = [self.compiler, "-cp", self.classes, "-d", str(folder), str(LAUNCHER)]
        return subprocess.run(words, capture_output=True, check=False).returncode == 0

    def calibrate(self, limit: float, measure: Callable[[float], tuple[PeerTask, float | None]]) -> Pace:
        return Pace.of_wall_time()

    def hand_over(self, problem: TSP | VRP, folder: Path) -> Handed:
        self._compile(folder)
        return super().hand_over(problem, folder)

    def command(self, task: PeerTask) -> Sequence[str]:
        path = os.pathsep.join((self.classes, str(task.handed.file.parent)))
        launcher = [self.java, "-XX:+UseSerialGC", "-cp", path, "Ails", str(task.output)]
        rounded = "true" if task.problem.metric.integral else "false"
        limit = max(0.0, task.budget - 1)  # it ends when whole seconds exceed the limit
        words = ["-file", str(task.handed.file), "-rounded", rounded, "-best", "0", "-limit", f"{limit:g}"]
        return [*launcher, *words, "-stoppingCriterion", "Time"]

    def curve(self, task: PeerTask) -> Curve:
        return task.find(r"solution quality: (?P<cost>[\d.E]+) .* time: (?P<seconds>[\d.]+)")
