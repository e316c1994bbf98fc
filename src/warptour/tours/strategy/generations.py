"""Generations of edge assembly crossover in a population of tours (Nagata and Kobayashi 2013).

In each, every tour is parent A of one offspring and B of another, and its own offspring replaces it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Final

from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget, never
from warptour.tours.engine.edge_assembly import TourPopulation
from warptour.tours.engine.instance import Instance, Ints

SHARE: Final = 0.3
"""Share of the exchanges that selective offspring make, the best by gain per loss of entropy."""

PATIENCE: Final = 12
"""Selective generations without a shorter tour after which crossover ends."""

MIN_YIELD: Final = 0.002
"""Share of the total gain; crossover by all exchanges ends after two generations that gained no more than that."""

OFFSPRING_PATIENCE: Final = 3
"""Generations without a shorter tour after which the crossover of a few tours ends."""

HURRY: Final = 60
"""Generations that it takes to make all exchanges that gain; when no more fit into the time left, selection ends."""


def cross_selectively(population: TourPopulation, pool: ThreadPool, budget: Budget, tolerance: float) -> bool:
    """Cross until the shortest tour no longer improves by more than ``tolerance``; return False if time ran out."""
    idle = 0
    while idle < PATIENCE:
        began, shortest = time.perf_counter(), population.lengths.min()
        if generation(population, pool, budget.over, SHARE) is None:
            return False
        idle = 0 if population.lengths.min() < shortest - tolerance else idle + 1
        if budget.seconds_left() < HURRY * (time.perf_counter() - began):
            break
    return True


def cross_greedily(population: TourPopulation, pool: ThreadPool, budget: Budget) -> bool:
    """Make all exchanges that gain, until that is next to nothing; return False if time ran out."""
    total, last = 0.0, math.inf
    while (gain := generation(population, pool, budget.over)) is not None:
        total += gain
        if max(gain, last) <= MIN_YIELD * total:
            return True
        last = gain
    return False


def generation(population: TourPopulation, pool: ThreadPool, poll: Poll, share: float = 1.0) -> float | None:
    """Replace all tours by their offspring; return the gain, or None if time ran out.

    With a ``share`` below 1, offspring make that share of the exchanges that gain.
    """
    done = []

    def cross(place: int, halted: Poll) -> None:
        population.cross(place)
        done.append(place)

    population.draw_parents(selective=share < 1, run=pool.run_groups)
    pool.work(cross, range(len(population)), poll)
    return population.replace_parents(share) if len(done) == len(population) else None


def offspring(
    instance: Instance, tours: Sequence[Ints], pool: ThreadPool, *, generations: float = math.inf, poll: Poll = never
) -> tuple[Ints, float]:
    """Return the shortest offspring of ``tours`` and its gain over the first of them.

    Ends after ``generations``, when they bring no shorter tour, or once ``poll()``.
    """
    population = TourPopulation(instance, seed=0, most=len(tours), workspaces=min(len(tours), pool.threads))
    for tour in tours:
        population.add(tour)
    first, shortest, idle = float(population.lengths[0]), math.inf, 0
    while idle < OFFSPRING_PATIENCE and population.generations < generations:
        if generation(population, pool, poll) is None:
            break
        idle = 0 if population.lengths.min() < shortest else idle + 1
        shortest = float(population.lengths.min())
    best = population.best
    return population.tours[best].copy(), first - float(population.lengths[best])
