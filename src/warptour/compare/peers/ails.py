"""AILS-II (Máximo, Cordeau and Nascimento, 2024)."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from warptour.compare.peers.peer import Curve, Peer, Task, planar_vehicles
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

LAUNCHER: Final = Path(__file__).parent.parent / "child" / "Ails.java"


class Ails(Peer):
    """AILS-II by its classes: the command is their folder or jar. It takes no seed; its limit is in wall seconds."""

    name = "AILS-II"
    kind = "vrp"
    clock = "its own limit on wall time"

    def find_program(self, command: str | None) -> list[str]:
        if command is None:
            raise UsageError("AILS-II: say where its classes are, --peer AILS-II=FOLDER or AILS-II=FILE.jar")
        if not Path(command).exists():
            raise UsageError(f"--peer AILS-II={command}: there is no such folder or jar")
        java, compiler = shutil.which("java"), shutil.which("javac")
        if java is None or compiler is None:
            raise UsageError("AILS-II needs java and javac on the PATH")
        self._launcher = tempfile.TemporaryDirectory(prefix="warptour-ails-")
        classes = os.path.abspath(command)
        done = subprocess.run(
            [compiler, "-cp", classes, "-d", self._launcher.name, str(LAUNCHER)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise UsageError(f"--peer AILS-II={command}: there is no SearchMethod.AILSII in it")
        path = os.pathsep.join((classes, self._launcher.name))
        return [java, "-XX:+UseSerialGC", "-cp", path, "Ails"]

    def refuses(self, problem: TSP | VRP) -> str | None:
        if isinstance(problem, VRP) and problem.max_distance is not None:
            return "it knows no route limit"
        return super().refuses(problem) if not isinstance(problem, VRP) else planar_vehicles(problem)

    def command(self, task: Task) -> Sequence[str]:
        rounded = "true" if task.problem.metric.integral else "false"
        limit = max(0.0, task.budget - 1)  # it ends when whole seconds exceed the limit
        words = ["-file", str(task.handed.file), "-rounded", rounded, "-best", "0", "-limit", f"{limit:g}"]
        return [*self.words, str(task.output), *words, "-stoppingCriterion", "Time"]

    def curve(self, task: Task) -> Curve:
        return task.find(r"solution quality: (?P<cost>[\d.E]+) .* time: (?P<seconds>[\d.]+)")
