"""The best of a few tours by edge assembly crossover, without a lasting population."""

from __future__ import annotations

import math
from collections.abc import Sequence

from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import never
from warptour.tours.engine.edge_assembly import TourPopulation
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.strategy.generations import generation

PATIENCE = 3
"""Generations without a shorter tour after which crossover ends."""


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
    while idle < PATIENCE and population.generations < generations:
        if generation(population, pool, poll) is None:
            break
        idle = 0 if population.lengths.min() < shortest else idle + 1
        shortest = float(population.lengths.min())
    best = population.best
    return population.tours[best].copy(), first - float(population.lengths[best])
