"""Medians and spread of the runs of a comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from warptour.compare.run import JudgedRun
from warptour.model.gaps import percent_above
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

BEST_KNOWN, BEST_HERE = "best known", "best of this comparison"


@dataclass(frozen=True)
class Base:
    """What gaps are above: a cost, and where it comes from."""

    cost: float | None
    origin: str


@dataclass(frozen=True)
class SummaryLine:
    """A line of the table: the runs of one solver on one problem with one limit.

    ``gap``, ``least`` and ``most`` are the median, smallest and largest gap in percent, ``cost`` the median cost. A run
    without a feasible answer counts as infinitely bad; what is not finite is None.
    """

    instance: str
    n: int
    solver: str
    version: str | None
    threads: int
    seconds: float
    limit: str
    runs: int
    answers: int
    cost: float | None
    gap: float | None
    least: float | None
    most: float | None
    gap_to: str
    routes: int | None
    wall: float
    cpu: float | None
    note: str
    units: str


def base_of(problem: TSP | VRP, runs: Sequence[JudgedRun]) -> Base:
    """Return the best known cost of a problem, or else the best cost of its runs."""
    if problem.best_known is not None:
        return Base(problem.best_known, BEST_KNOWN)
    return Base(min((run.cost for run in runs if run.cost is not None), default=None), BEST_HERE)


def bases_of(problems: Mapping[str, TSP | VRP], runs: Sequence[JudgedRun]) -> dict[str, Base]:
    """Return the base of each problem's gaps."""
    return {name: base_of(problem, [run for run in runs if run.instance == name]) for name, problem in problems.items()}


def gap_of(cost: float | None, base: Base) -> float | None:
    """Return a cost in percent above the base; None where either is missing."""
    return None if cost is None else percent_above(cost, base.cost)


def lines_of(runs: Sequence[JudgedRun], base: Base) -> list[SummaryLine]:
    """Return the lines of one problem: by limit, solvers in the order of their first run."""
    groups: dict[tuple[float, str], list[JudgedRun]] = {}
    for run in runs:
        groups.setdefault((run.seconds, run.solver), []).append(run)
    return [_line(group, base) for group in groups.values()]


def _line(runs: Sequence[JudgedRun], base: Base) -> SummaryLine:
    first = runs[0]
    costs = [math.inf if run.cost is None else run.cost for run in runs]
    cpu = [run.cpu for run in runs if run.cpu is not None]
    routes = [run.routes for run in runs if run.routes is not None and run.cost is not None]
    return SummaryLine(
        first.instance, first.n, first.solver, first.version, first.threads, first.seconds, first.limit,
        runs=len(runs),
        answers=sum(run.cost is not None for run in runs),
        cost=_finite(median(costs)),
        gap=gap_of(_finite(median(costs)), base),
        least=gap_of(_finite(min(costs)), base),
        most=gap_of(_finite(max(costs)), base),
        gap_to=base.origin,
        routes=round(median(routes)) if routes else None,
        wall=median(run.wall for run in runs),
        cpu=median(cpu) if cpu else None,
        note=next((run.note for run in runs if run.note), ""),
        units=next((run.units for run in runs if run.units), ""),
    )  # fmt: skip


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
