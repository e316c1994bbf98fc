"""Trials: tours that one thread searches for a while, to join a population (breeding.py)."""

from __future__ import annotations

import numpy as np

from warptour.candidates import space_order
from warptour.construct import start
from warptour.construct.chains import arrange
from warptour.engines.instance import Instance, Ints
from warptour.engines.windows.window import Window
from warptour.search.threads import Poll, ThreadPool
from warptour.strategies.windows.exchange_selection import ExchangeSelection
from warptour.strategies.windows.rounds import Rounds

CURVED = 12_000
"""From so many cities on trials start along a curve: a random tour takes too long to repair."""


def new_tour(instance: Instance, seed: int, number: int) -> Ints:
    """Return a random tour that holds the bonds, or one along a curve that lies at random."""
    rng = np.random.default_rng([seed, number])
    problem = instance.problem
    if problem.n < CURVED or problem.matrix is not None:
        return instance.enter(start(problem, "random", rng))
    shift, rotation = float(rng.uniform()), float(rng.uniform(0, 2 * np.pi))
    order = space_order(problem, shift=shift, rotation=rotation, threads=1)
    return instance.enter(arrange(problem, order))


class WholeIndividual(Window):
    """A tour searched whole."""

    def __init__(self, instance: Instance, tour: Ints, *, new: bool, seed: int, number: int, walk_length: int) -> None:
        super().__init__(instance, instance.nodes)
        self.restart(tour)
        if new:
            self.enqueue_all()
        self._seed = _seed(seed, number)
        self._walk_length = walk_length

    def run(self, kicks: int, halted: Poll) -> None:
        """Repair what is dirty, then kick so many times in all."""
        while (not self.locally_optimal or self.kicks < kicks) and not halted():
            self.search(kicks - self.kicks, seed=self._seed, walk_length=self._walk_length)


class SplitIndividual(Rounds):
    """A tour searched in windows by one thread.

    ``selection`` says how far walks pay, from trials before, and learns from this one.
    """

    def __init__(
        self,
        instance: Instance,
        tour: Ints,
        *,
        new: bool,
        seed: int,
        number: int,
        walk_length: int,
        size: int,
        selection: ExchangeSelection,
    ) -> None:
        super().__init__(
            instance,
            instance.leave(tour),
            ThreadPool(1),
            seed=_seed(seed, number),
            walk_length=walk_length,
            size=size,
            effort=1.0,
        )
        self._selection = selection
        if not new:
            self.round, self.marks[:] = 1, 0

    def run(self, kicks: int, halted: Poll) -> None:
        """Repair what is dirty, then kick so many times in all."""
        while (self.round == 0 or self.kicks < kicks) and not halted():
            self.advance(kicks - self.kicks, halted)


def _seed(seed: int, number: int) -> int:
    return int(np.random.default_rng([seed, number, 1]).integers(2**63))
