"""Symmetric 2-opt in plain Python, round by round, as ``papers/mavroidis/engine/rows.py`` describes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.neighborhoods.tolerance import tolerance
from warptour.papers.mavroidis.fpga.chance import LOG2_E, random_key, rises

Accept: TypeAlias = Callable[[int, float], bool]
"""Decides whether move q, which adds the given amount to the cost, is accepted."""


def with_double(tour: Ints) -> Ints:
    """Return a tour of odd length: an even one is padded with a duplicate of city n - 1, numbered n, after it."""
    n = len(tour)
    doubles = np.arange(n, n | 1, dtype=np.int32)
    return np.insert(tour, int(np.flatnonzero(tour == n - 1)[0]) + 1, doubles).astype(np.int32)


def without_double(tour: Ints, n: int) -> Ints:
    """Return the tour of the ``n`` cities without duplicates."""
    return tour[tour < n]


def one_round(problem: TSP, tour: Ints, accept: Accept) -> tuple[Ints, int]:
    """Return the tour after one round, rotated by one position, and the number of accepted moves.

    Parameters
    ----------
    problem : TSP
    tour : array of int32, shape (m,), m odd
        As :func:`with_double` returns it.
    accept : callable
    """
    m, n = len(tour), problem.n
    tour = tour.copy()
    named = np.minimum(tour, n - 1)

    def edge(i: int, k: int) -> float:
        return problem.distance(int(named[i]), int(named[k]))

    def fixed(i: int, k: int) -> bool:
        return min(int(tour[i]), int(tour[k])) >= n - 1

    kept = 1.0 - tolerance(problem).relative  # so that a rounding error does not count as a gain
    yes = []
    for q in range((m - 1) // 2 - 1):
        a, b, c, d = q, q + 1, m - 2 - q, m - 1 - q
        rise = (edge(a, c) + edge(b, d)) - kept * (edge(a, b) + edge(c, d))
        yes.append(not fixed(a, b) and not fixed(c, d) and accept(q, rise))
    odd = False
    for q, accepted in enumerate([*yes, False]):
        odd ^= accepted
        if odd:
            b, c = q + 1, m - 2 - q
            tour[b], tour[c] = tour[c], tour[b]
    return np.roll(tour, -1), sum(yes)


def descend(problem: TSP, tour: Ints) -> tuple[Ints, int]:
    """Return the 2-optimal tour reached by rounds of improving moves, and the number of rounds.

    It ends after m consecutive idle rounds, one per position.
    """
    return anneal(problem, tour, (), 1, 0)


def anneal(
    problem: TSP, tour: Ints, temperatures: tuple[float, ...], level: int, seed: int, number: int = 0
) -> tuple[Ints, int]:
    """Return the tour after ``level`` rounds at each temperature and a descent, and the number of rounds.

    A move is accepted if it improves the tour, or if exp(-rise / temperature) > u. ``number`` selects the tour's random
    stream within its batch.
    """
    row = with_double(tour)
    moves = (len(row) - 1) // 2
    least = tolerance(problem).absolute
    key = random_key(seed, number)
    rounds = idle = 0
    while idle < len(row):
        stage = rounds // level
        heat = temperatures[stage] if stage < len(temperatures) else 0.0
        scale = LOG2_E / heat if heat > 0 else 0.0

        def accept(q: int, rise: float, heat: float = heat, scale: float = scale, first: int = rounds * moves) -> bool:
            return rise < -least or (heat > 0 and rise < heat * 22 and rises(rise, scale, key, first + q))

        row, accepted = one_round(problem, row, accept)
        rounds += 1
        idle = idle + 1 if stage >= len(temperatures) and not accepted else 0
    return without_double(row, problem.n), rounds
