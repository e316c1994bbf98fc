"""Solvers that are Python modules: each runs in a process of its own, by ``child/solve_with.py``."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from warptour.compare.features import Feature
from warptour.compare.handover import SIDE, Handed, tables_file
from warptour.compare.pace import Pace
from warptour.compare.peers.peer import WALL, Peer, PeerTask, existing
from warptour.compare.run import Curve
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

PROGRAM: Final = Path(__file__).parent.parent / "child" / "solve_with.py"
VERSION: Final = """
import sys
sys.path[:] = filter(None, sys.path)  # nothing from the current folder; -P needs Python 3.11
import importlib, importlib.metadata
importlib.import_module(sys.argv[1])
print(importlib.metadata.version(sys.argv[2]))
"""


class Module(Peer):
    """A Python module; the command is a Python interpreter that has it, by default this one."""

    module: str
    package: str  # what pip installs
    longest = SIDE
    """Longest distance that it is given; see :func:`integers`."""
    clock = "the CPU time of its process"

    def find_program(self, command: str | None) -> list[str]:
        words = [sys.executable] if command is None else existing(self.name, command)
        safe = os.environ | {"PYTHONSAFEPATH": "1"}  # nothing is imported from the current folder
        asked = [*words, "-c", VERSION, self.module, self.package]
        try:
            done = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False, env=safe)
        except (OSError, subprocess.TimeoutExpired):
            done = None
        if done is None or done.returncode:
            where = f"{words[0]} has no {self.module}" if command else f"{self.name} is not installed"
            raise UsageError(f"{where}: pip install {self.package}, or --peer {self.name}=PYTHON that has it")
        self.version = done.stdout.strip()
        return words

    def hand_over(self, problem: TSP | VRP, folder: Path) -> Handed:
        return tables_file(problem, folder, self.longest)

    def command(self, task: PeerTask) -> Sequence[str]:
        arguments = [self.module, str(task.handed.file), f"{task.budget:g}", str(task.seed), str(task.output)]
        return [*self.words, str(PROGRAM), *arguments]

    def curve(self, task: PeerTask) -> Curve:
        return task.find(r"best (?P<cost>[\d.]+) after (?P<seconds>[\d.]+)")


ROUTES: Final = frozenset(
    {
        Feature.ONE_WAY, Feature.OTHER_METRIC, Feature.UNROUNDED, Feature.FIXED_COST, Feature.FLEET,
        Feature.LENGTH_LIMIT, Feature.UNEVEN_SERVICES, Feature.DURATION_LIMIT, Feature.OTHER_TRAVEL,
        Feature.OPEN_ROUTES, Feature.FEWEST,
    }
)  # fmt: skip
"""What tables of distances, a fixed cost and a limit can say of routes."""


class PyVrp(Module):
    """PyVRP (Wouda, Lan and Kool, 2024).

    A unit of excess load or time costs it at most 100,000: where distances are longer, infeasible routes seem to pay.
    """

    name = "PyVRP"
    longest = 100_000
    module, package, kinds = "pyvrp", "pyvrp", ("vrp",)
    knows = ROUTES | {
        Feature.WINDOWS, Feature.SEVERAL_WINDOWS, Feature.WORKING_TIME, Feature.HOUR_COST, Feature.RELEASES,
        Feature.PRIZES, Feature.ALTERNATIVES, Feature.PICKUPS, Feature.BACKHAULS, Feature.TYPES, Feature.DEPOTS,
        Feature.SEVERAL_LOADS, Feature.STOP_LIMIT, Feature.SKILLS, Feature.OVERTIME, Feature.TWO_SHIFTS,
    }  # fmt: skip


class Vroom(Module):
    """VROOM. Its prices of time and limits on it leave out waits, so it is given none."""

    name = "VROOM"
    longest = 100_000
    module, package, kinds = "vroom", "pyvroom", ("vrp",)
    knows = ROUTES | {
        Feature.WINDOWS, Feature.SEVERAL_WINDOWS, Feature.PICKUPS, Feature.TYPES, Feature.DEPOTS,
        Feature.SEVERAL_LOADS, Feature.STOP_LIMIT, Feature.SKILLS,
    }  # fmt: skip
    clock = f"{WALL}; it may end before, after its highest level of exploration"

    def calibrate(self, limit: float, measure: Callable[[float], tuple[PeerTask, float | None]]) -> Pace:
        return Pace.of_wall_time()


class OrTools(Module):
    """OR-Tools' routing library, with guided local search."""

    name = "OR-Tools"
    module, package, kinds = "ortools", "ortools", ("tsp", "vrp")
    knows = ROUTES


class FastTsp(Module):
    """fast-tsp: Or-opt with kicks; distances up to 65,535."""

    name = "fast-tsp"
    longest = 65_535
    module, package, kinds = "fast_tsp", "fast-tsp", ("tsp",)
    clock = WALL

    def calibrate(self, limit: float, measure: Callable[[float], tuple[PeerTask, float | None]]) -> Pace:
        return Pace.of_wall_time()


class Elkai(Module):
    """elkai: LKH as a library; it has no limit and runs to its end."""

    name = "elkai"
    module, package, kinds = "elkai", "elkai", ("tsp",)
    knows = frozenset({Feature.ONE_WAY})
    clock = "nothing: it has no limit"


class Hygese(Module):
    """hygese: HGS-CVRP as a library. It computes with floats: integers are as fine as those, and scaled back."""

    name = "hygese"
    longest = 2**40
    module, package, kinds = "hygese", "hygese", ("vrp",)
    knows = frozenset(
        {
            Feature.ONE_WAY, Feature.OTHER_METRIC, Feature.UNROUNDED, Feature.FLEET, Feature.LENGTH_LIMIT,
            Feature.UNEVEN_SERVICES,
        }
    )  # fmt: skip

    def hand_over(self, problem: TSP | VRP, folder: Path) -> Handed:
        return replace(super().hand_over(problem, folder), units=Handed.units)
