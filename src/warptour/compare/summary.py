"""Medians and spread of the runs of a comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, TypeAlias

from warptour.compare.run import JudgedRun
from warptour.model.gaps import percent_above
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

Rank: TypeAlias = tuple[float, float]
"""Routes and cost, in which runs are compared."""
NOTHING: Final[Rank] = (math.inf, math.inf)
"""Rank without a feasible answer."""
BEST_KNOWN, BEST_HERE = "best known", "best of this comparison"


@dataclass(frozen=True)
class Base:
    """What gaps are above: a cost, and where it comes from; ``routes`` where fewer of them come before the cost."""

    cost: float | None
    origin: str
    routes: int | None = None


@dataclass(frozen=True)
class SummaryLine:
    """A line of the table: the runs of one solver on one problem with one limit.

    ``gap``, ``least`` and ``most`` are the median, smallest and largest gap in percent, ``cost`` the median cost. A run
    without a feasible answer counts as infinitely bad; what is not finite is None. Where fewer routes come before the
    cost, runs are ordered by both, and a gap is None unless its routes are as many as those of the base.
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
    """Return the best known cost of a problem, or else the best cost of its runs.

    Where fewer routes come before the cost it is that of the runs: of what is known, the routes are not.
    """
    if isinstance(problem, VRP) and problem.fewest:
        routes, cost = min((_rank(run, fewest=True) for run in runs), default=NOTHING)
        return Base(_finite(cost), BEST_HERE, 0 if math.isinf(routes) else int(routes))
    if problem.best_known is not None:
        return Base(problem.best_known, BEST_KNOWN)
    return Base(min((run.cost for run in runs if run.cost is not None), default=None), BEST_HERE)


def bases_of(problems: Mapping[str, TSP | VRP], runs: Sequence[JudgedRun]) -> dict[str, Base]:
    """Return the base of each problem's gaps."""
    return {name: base_of(problem, [run for run in runs if run.instance == name]) for name, problem in problems.items()}


def gap_of(cost: float | None, base: Base, routes: int | None = None) -> float | None:
    """Return a cost in percent above the base; None where either is missing, or comes with more routes."""
    if cost is None or (base.routes is not None and routes != base.routes):
        return None
    return percent_above(cost, base.cost)


def lines_of(runs: Sequence[JudgedRun], base: Base) -> list[SummaryLine]:
    """Return the lines of one problem: by limit, solvers in the order of their first run."""
    groups: dict[tuple[float, str], list[JudgedRun]] = {}
    for run in runs:
        groups.setdefault((run.seconds, run.solver), []).append(run)
    return [_line(group, base) for group in groups.values()]


def _line(runs: Sequence[JudgedRun], base: Base) -> SummaryLine:
    first = runs[0]
    ranks = sorted(_rank(run, fewest=base.routes is not None) for run in runs)
    middle = _median(ranks)
    cpu = [run.cpu for run in runs if run.cpu is not None]
    routes = [run.routes for run in runs if run.routes is not None and run.cost is not None]
    if base.routes is not None and middle != NOTHING:
        routes = [int(middle[0])]
    return SummaryLine(
        first.instance, first.n, first.solver, first.version, first.threads, first.seconds, first.limit,
        runs=len(runs),
        answers=sum(run.cost is not None for run in runs),
        cost=_finite(middle[1]),
        gap=_gap(middle, base),
        least=_gap(ranks[0], base),
        most=_gap(ranks[-1], base),
        gap_to=base.origin,
        routes=round(median(routes)) if routes else None,
        wall=median(run.wall for run in runs),
        cpu=median(cpu) if cpu else None,
        note=next((run.note for run in runs if run.note), ""),
        units=next((run.units for run in runs if run.units), ""),
    )  # fmt: skip


def _rank(run: JudgedRun, *, fewest: bool) -> Rank:
    """Return what runs are ordered by: routes where fewer come first, else 0, and cost; infinite without an answer."""
    if run.cost is None:
        return NOTHING
    return (run.routes or 0) if fewest else 0, run.cost


def _median(ranks: Sequence[Rank]) -> Rank:
    """Return the median; of two with different routes, the worse."""
    low, high = ranks[(len(ranks) - 1) // 2], ranks[len(ranks) // 2]
    return (low[0], (low[1] + high[1]) / 2) if low[0] == high[0] and low != high else high


def _gap(rank: Rank, base: Base) -> float | None:
    routes, cost = rank
    return gap_of(_finite(cost), base, int(routes) if math.isfinite(routes) else None)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
