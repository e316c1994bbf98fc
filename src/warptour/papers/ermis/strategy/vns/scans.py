"""One search on the whole device: every scan evaluates all moves of a neighbourhood."""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np

from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.observe.contributions import Contribution
from warptour.papers.scans.full import FullScan
from warptour.search.search import Search, Tour
from warptour.search.worker import Budget, TimedWorker

SLICE_SECONDS: Final = 0.05
"""Seconds of scans per step; steps end between scans, and no move depends on where."""


class ScanShaker(TimedWorker):
    """Best improvement through a list of neighbourhoods, shaken at each local optimum.

    ``segment``, ``strongest``: a shake has 1 to ``strongest`` double bridges of segments of at most ``segment`` cities
    """

    def __init__(
        self,
        problem: TSP,  # a closed tour of at least 8 cities, without fixed edges
        tour: Tour,  # (n,)
        scans: list[FullScan],  # the neighbourhoods in the order in which they are tried
        *,
        rng: np.random.Generator,  # decides the shakes
        segment: int = 50,
        strongest: int = 3,
        slack: float = 0.0,  # a shaken and repaired tour is kept if it is longer than the best one by at most this
    ) -> None:
        self.problem = problem
        self.scans = scans
        self.rng = rng
        self.segment = max(1, min(segment, (problem.n - 1) // 3))
        self.strongest = strongest
        self.slack = slack
        self.first_cost = self.best_cost = self.cost = float(problem.cost(tour))
        self.contributions = [Contribution(scan.name) for scan in scans]
        self.iterations = 0
        self._best = self._tour = self._trial = tour
        self._level, self._strength = 0, 0

    @property
    def gain(self) -> float:
        """Length of the first tour less that of :meth:`best`."""
        return self.first_cost - self.best_cost

    @property
    def evaluations(self) -> int:
        """Moves evaluated."""
        return sum(one.evaluations for one in self.contributions)

    def best(self) -> Tour:
        """Return the best tour."""
        return self._best

    def adopt(self, tour: Tour, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self.best_cost = self.cost = self.best_cost - gain
        self._best = self._tour = self._trial = tour.copy()
        self._level, self._strength = 0, 0

    def step(self, budget: Budget) -> None:
        """Scan for a time slice; the budget limits the shakes."""
        began, last = time.perf_counter(), self.iterations + budget.iterations
        for scan in self.scans:
            scan.over = budget.over
        try:
            while self.iterations < last and time.perf_counter() - began < SLICE_SECONDS:
                if self._level < len(self.scans):
                    self._scan(self._level)
                else:
                    self._settle()
                    self._trial, self._level = self._shaken(), 0
        except Unfinished:
            return

    def _scan(self, level: int) -> None:
        """Make the best move of a neighbourhood and return to the first, or go on to the next."""
        scan, began = self.scans[level], time.perf_counter()
        found = scan.best_improvement(self._trial)
        if found is not None:
            self._trial = scan.apply(self._trial, found[0])
            if self._strength == 0:  # on the way to the first local optimum every move counts
                self._tour = self._best = self._trial
                self.cost = self.best_cost = self.cost + found[1]
        self._level = level + 1 if found is None else 0
        gain = -found[1] if found else 0
        self.contributions[level].add(found is not None, gain, scan.move_count, time.perf_counter() - began)

    def _settle(self) -> None:
        """At a local optimum, keep the tour or the one before the shake; choose the strength of the next shake."""
        cost, shaken = float(self.problem.cost(self._trial)), self._strength > 0
        shorter = shaken and cost < self.cost
        if not shaken or cost <= max(self.cost, self.best_cost + self.slack):
            self._tour, self.cost = self._trial, cost
        if not shaken or cost <= self.best_cost:
            self._best, self.best_cost = self._trial, cost
        self.iterations += shaken
        self._strength = 1 if shorter or self._strength >= self.strongest else self._strength + 1

    def _shaken(self) -> Tour:
        """Return the tour after double bridges a-[B]-[C]-[D]-e -> a-[D]-[C]-[B]-e, near each other."""
        tour, first = self._tour, int(self.rng.integers(self.problem.n))
        for _ in range(self._strength):
            b, c, d = np.cumsum(self.rng.integers(1, self.segment, 3, endpoint=True)).tolist()
            turned = np.roll(tour, -first)
            tour = np.concatenate((turned[c:d], turned[b:c], turned[:b], turned[d:]))
            first = int(self.rng.integers(self.segment))
        return tour

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what each neighbourhood has contributed."""
        super().tell(search)
        search.tell_contributions(self.contributions)
