"""Individuals: tours that one thread improves for a while before they join the population (edge_assembly.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from warptour.candidates import space_order
from warptour.model.problem import TSP
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget, TimedWorker, Worker
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.engine.window import Window
from warptour.tours.starts.chains import arrange
from warptour.tours.starts.start import start
from warptour.tours.strategy.exchange_selection import ExchangeSelection
from warptour.tours.strategy.rounds import Rounds

CURVED = 12_000
"""Smallest instance whose individuals all start along a space-filling curve: a random tour takes too long to repair."""


class Individual(Worker, Protocol):
    """A worker on one thread."""

    @property
    def locally_optimal(self) -> bool:
        """Whether the tour has been repaired; before, kicks would be wasted."""


class Individuals(Protocol):
    """Makes the individuals of a population."""

    @property
    def batch(self) -> int:
        """Individuals per thread that may be made in any order."""

    def make(self, number: int, *, quick: bool = False) -> Individual:
        """Return individual ``number``, from a new tour; from one that is repaired quickly where that is asked for."""


def improve(individual: Individual, budget: Budget) -> None:
    """Repair an individual and kick it until it has had as many kicks in all as the budget says."""
    while (not individual.locally_optimal or individual.iterations < budget.iterations) and not budget.over():
        left = budget.iterations - individual.iterations
        individual.advance(Budget(left, budget.over, budget.seconds_left))


def is_curved(problem: TSP) -> bool:
    """Return whether individuals start along a curve."""
    return problem.n >= CURVED and problem.matrix is None


def new_tour(instance: Instance, seed: int, number: int, *, quick: bool = False) -> Ints:
    """Return a random tour that holds the fixed edges; for large or quick individuals, a curve in a random position."""
    rng = np.random.default_rng([seed, number])
    problem = instance.problem
    if not (quick or is_curved(problem)):
        return instance.enter(start(problem, "random", rng))
    shift, rotation = float(rng.uniform()), float(rng.uniform(0, 2 * np.pi))
    order = space_order(problem, shift=shift, rotation=rotation, threads=1)
    return instance.enter(arrange(problem, order))


class WholeIndividual(TimedWorker):
    """A tour searched as one window."""

    def __init__(self, instance: Instance, tour: Ints, *, seed: int, walk_length: int) -> None:
        self._window = Window.whole(instance, tour)
        self._seed = seed
        self._walk_length = walk_length
        self._adopted = 0.0

    @property
    def locally_optimal(self) -> bool:
        """Whether no city is queued."""
        return self._window.locally_optimal

    @property
    def iterations(self) -> int:
        """Kicks so far."""
        return self._window.kicks

    @property
    def evaluations(self) -> int:
        """Cities evaluated so far."""
        return self._window.evaluations

    @property
    def gain(self) -> float:
        """Length of the first tour less that of :meth:`best`."""
        return self._window.gain + self._adopted

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        self._window.restart(tour)
        self._adopted += gain

    def step(self, budget: Budget) -> None:
        """Search for about 20 ms."""
        kicks = int(min(budget.iterations, 2**31 - 1))
        self._window.search(kicks, seed=self._seed, walk_length=self._walk_length)

    def best(self) -> Ints:
        """Return the tour."""
        return self._window.tour


@dataclass(frozen=True)
class WholeIndividuals:
    """Individuals of instances that are searched as one window."""

    instance: Instance
    seed: int
    walk_length: int
    batch: ClassVar[int] = 2

    def make(self, number: int, *, quick: bool = False) -> WholeIndividual:
        """Return individual ``number``."""
        tour, seed = new_tour(self.instance, self.seed, number, quick=quick), _seed(self.seed, number)
        return WholeIndividual(self.instance, tour, seed=seed, walk_length=self.walk_length)


class SplitIndividuals:
    """Individuals of larger instances: rounds of windows on one thread each.

    What alternating-path exchanges gained is known from earlier individuals of the same thread.

    ``walk_length``, ``size``: as in :class:`~warptour.tours.strategy.rounds.Rounds`
    ``threads``: individuals that are improved at the same time; their numbers differ by less
    """

    batch: ClassVar[int] = 1

    def __init__(self, instance: Instance, *, seed: int, walk_length: int, size: int, threads: int) -> None:
        self.instance = instance
        self.seed = seed
        self.walk_length = walk_length
        self.size = size
        self._selections = [ExchangeSelection() for _ in range(threads)]

    def make(self, number: int, *, quick: bool = False) -> Rounds:
        """Return individual ``number``."""
        tour = new_tour(self.instance, self.seed, number, quick=quick)
        return Rounds(
            self.instance, tour, ThreadPool(1), seed=_seed(self.seed, number),
            walk_length=self.walk_length, size=self.size, effort=1.0,
            selection=self._selections[number % len(self._selections)],
        )  # fmt: skip


def _seed(seed: int, number: int) -> int:
    return int(np.random.default_rng([seed, number, 1]).integers(2**63))
