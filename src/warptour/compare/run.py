"""One run: what a solver did, and the judgement of its answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

Curve: TypeAlias = list[tuple[float, float]]
"""Seconds and the best cost then."""


@dataclass(frozen=True)
class SolverOutcome:
    """What one run of a solver gave."""

    solution: Any  # a tour or routes; None if there is no answer, and then ``note`` says why
    # wall, cpu: seconds; ``cpu`` of all threads together, None where it cannot be measured
    wall: float
    cpu: float | None
    # what it used of the seconds it was given, in the unit of its limit: wall seconds, or CPU seconds of all threads
    # divided by the threads of the comparison
    used: float
    note: str = ""  # what was unusual
    curve: Curve = field(default_factory=list)  # (float, float): time in the unit of ``used`` and the best cost then


def refused(reason: str) -> SolverOutcome:
    """Return the outcome of a solver that cannot solve a problem."""
    return SolverOutcome(None, 0.0, 0.0, 0.0, f"refused: {reason}")


class Solver(Protocol):
    """A strategy or another program, on one problem."""

    name: str
    version: str | None
    threads: int
    units: str  # units in which another program was given the distances; empty before its first run

    def limit(self, seconds: float) -> str:
        """Return the limit of a run, for the table."""
        ...

    def solve(self, seconds: float, seed: int) -> SolverOutcome:
        """Run once: for ``seconds`` with all threads of the comparison, or as much CPU time with fewer."""
        ...


@dataclass(frozen=True)
class JudgedRun:
    """One run, judged: ``cost`` is None if there was no feasible answer, and then ``note`` says why."""

    instance: str
    n: int
    solver: str
    version: str | None
    threads: int
    seconds: float
    limit: str
    seed: int
    cost: int | float | None
    routes: int | None
    wall: float
    cpu: float | None
    used: float
    note: str
    curve: Curve = field(repr=False)
    units: str = ""


def judge(
    problem: TSP | VRP, instance: str, solver: Solver, seconds: float, seed: int, outcome: SolverOutcome
) -> JudgedRun:
    """Return a run with the exact cost of its answer, if that is feasible."""
    cost: int | float | None = None
    note, routes = outcome.note, None
    if outcome.solution is not None:
        if isinstance(problem, VRP):
            solution: Any = [np.asarray(route, np.int32) for route in outcome.solution]
            routes = sum(len(route) > 0 for route in solution)
        else:
            solution = np.asarray(outcome.solution, np.int32)
        report = problem.check(solution)
        if report.feasible:
            cost = report.cost
        else:
            note = f"infeasible: {report.violations[0]}"
    curve = [] if isinstance(problem, VRP) and problem.fewest else outcome.curve  # costs alone do not tell
    return JudgedRun(
        instance, problem.n, solver.name, solver.version, solver.threads, seconds, solver.limit(seconds), seed,
        cost, routes, outcome.wall, outcome.cpu, outcome.used, note, curve, solver.units,
    )  # fmt: skip
