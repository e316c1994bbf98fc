"""Chains of kicks that are repaired by the best of all 2-opt moves, on any device (Rocki's iterated local search)."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from warptour.devices import Device
from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.papers.scans.ladder.climber_batch import KICKS, LOCALLY_OPTIMAL, SCANS
from warptour.papers.scans.two_opt import TwoOptEngine
from warptour.papers.scans.two_opt_climbers import TwoOptClimbers
from warptour.search.search import Tour
from warptour.search.worker import Budget, TimedWorker

SCANS_AT_ONCE: Final = 8
"""Scans of a large tour per call."""


class ResidentChains(TimedWorker):
    """Many chains in parallel, each in the shared memory of a group.

    When each has had ``exchange`` kicks, all continue from the best one's tour.
    """

    def __init__(
        self, problem: TSP, device: Device, tour: Tour, *, chains: int, seed: int, segment: int, exchange: int
    ) -> None:
        self.problem = problem
        self.exchange = exchange
        self.first_cost = float(problem.cost(tour))
        self.climbers = TwoOptClimbers(problem, device, chains, seed=seed, tour=tour, segment=segment)
        self._adopted: Tour | None = tour
        self.iterations = self.evaluations = 0
        self.gain = 0.0

    def adopt(self, tour: Tour, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self.gain += gain
        self.climbers.go_on(0, tour, self.first_cost - self.gain)
        self._adopted = tour

    def step(self, budget: Budget) -> None:
        """Let every chain work for one slice, or share the best tour if all have had their kicks."""
        climbers, kicks_left = self.climbers, budget.iterations
        counters = climbers.counters()
        if counters[:, LOCALLY_OPTIMAL].all():
            if kicks_left < climbers.count:
                self.iterations += 0 if math.isinf(kicks_left) else int(kicks_left)  # too few for one each
                return
            each = int(min(self.exchange, kicks_left // climbers.count))
            climbers.go_on(each, self.best(), float(climbers.lengths().min()))
        climbers.climb()
        counters = climbers.counters()
        self.iterations = int(counters[:, KICKS].sum())
        self.evaluations = int(counters[:, SCANS].sum()) * (self.problem.n * (self.problem.n - 3) // 2)
        shortest = float(climbers.lengths().min())
        if math.isfinite(shortest) and self.first_cost - shortest >= self.gain:
            self.gain, self._adopted = self.first_cost - shortest, None

    def best(self) -> Tour:
        """Return the best tour."""
        best = self.climbers.best() if self._adopted is None else self._adopted
        assert best is not None
        return best


class ScanChain(TimedWorker):
    """One chain on a tour of any size: the whole device, or all devices, scan for each move."""

    def __init__(self, engine: TwoOptEngine, tour: Tour, *, rng: np.random.Generator, segment: int) -> None:
        self.problem = problem = engine.problem
        self.engine = engine
        self.rng = rng
        self.segment = max(1, min(segment, (problem.n - 2) // 2))
        self.first_cost = self.cost = float(problem.cost(tour))
        self.tour = self._kicked_tour = tour
        self.iterations = self.evaluations = 0

    @property
    def gain(self) -> float:
        """Length of the first tour less that of :meth:`best`."""
        return self.first_cost - self.cost

    def adopt(self, tour: Tour, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self.cost -= gain
        self.tour = self._kicked_tour = tour.copy()

    def step(self, budget: Budget) -> None:
        """Make a few moves; at a local optimum, keep the better tour and kick it."""
        engine = self.engine
        try:
            if engine.fast:
                climbed = engine.climb(self._kicked_tour, SCANS_AT_ONCE)
                self._kicked_tour = climbed.tour
                self.evaluations += climbed.scans * engine.move_count
                if not climbed.locally_optimal:
                    self._descend()
                    return
            else:
                found = engine.best_improvement(self._kicked_tour)
                self.evaluations += engine.move_count
                if found is not None:
                    self._kicked_tour = engine.apply(self._kicked_tour, found[0])
                    self._descend()
                    return
        except Unfinished:
            return
        cost = float(self.problem.cost(self._kicked_tour))
        if cost <= self.cost:
            self.cost, self.tour = cost, self._kicked_tour
        self._kicked_tour = self._kicked(self.tour)
        self.iterations += 1

    def _descend(self) -> None:
        """Keep the tour on its way to the first local minimum, which is better than the one before."""
        if self.iterations == 0:
            self.cost, self.tour = float(self.problem.cost(self._kicked_tour)), self._kicked_tour

    def _kicked(self, tour: Tour) -> Tour:
        """Return a-[C]-[B]-d for a-[B]-[C]-d at a random place."""
        first = int(self.rng.integers(len(tour)))
        b, c = self.rng.integers(1, self.segment, 2, endpoint=True).tolist()
        turned = np.roll(tour, -first)
        return np.concatenate((turned[b : b + c], turned[:b], turned[b + c :]))

    def best(self) -> Tour:
        """Return the best tour."""
        return self.tour
