"""Symmetric 2-opt: nested segments reversed all at once (Mavroidis 2011, chapter 6), in plain Python.

A tour of odd length m lies in a row. Move q reverses the places q+1 .. m-2-q:

    a-b ... c-d  ->  a-c ... b-d        a at place q, b at q+1, c at m-2-q, d at m-1-q

The segments are nested around the middle place and touch different edges, so
any of the moves may be accepted together: b and c, which mirror each other,
change places if and only if an odd number of the moves 0 .. q was accepted.
Then the first city becomes the last, and the next round looks at other
segments; m rounds look at every 2-opt move once. The segment of all m cities is
left out: it reverses the whole tour, which changes nothing.

A tour of even length gets a double of its last city, numbered n, beside it. The
edge between the two is fixed: with rounded distances the triangle inequality
fails, and annealing goes uphill, so that nothing else would hold them together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from warptour.fpga.chance import LOG2_E, random_key, rises
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.neighborhoods.tolerance import tolerance

Accept: TypeAlias = Callable[[int, float], bool]
"""Says of a move q and what it adds to the cost whether it is made."""


def with_double(tour: Ints, places: int = 0) -> Ints:
    """Return a tour of odd length, with doubles numbered from n on after city n - 1 where it takes any, or more."""
    n = len(tour)
    doubles = np.arange(n, max(places, n | 1), dtype=np.int32)
    return np.insert(tour, int(np.flatnonzero(tour == n - 1)[0]) + 1, doubles).astype(np.int32)


def without_double(tour: Ints, n: int) -> Ints:
    """Return the tour of the ``n`` cities alone."""
    return tour[tour < n]


def one_round(problem: TSP, tour: Ints, accept: Accept) -> tuple[Ints, int]:
    """Return the tour after one round, moved on by one place, and how many moves were accepted.

    Parameters
    ----------
    problem : TSP
    tour : array of int32, shape (m,), m odd
        As :func:`with_double` gives it.
    accept : callable
    """
    m, n = len(tour), problem.n
    tour = tour.copy()
    named = np.minimum(tour, n - 1)

    def edge(i: int, k: int) -> float:
        return problem.distance(int(named[i]), int(named[k]))

    def fixed(i: int, k: int) -> bool:
        return min(int(tour[i]), int(tour[k])) >= n - 1

    kept = 1.0 - tolerance(problem).relative  # so that an error of the arithmetic is no gain
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
    """Return the 2-optimal tour that rounds of improving moves end in, and how many rounds that took.

    The end comes after as many idle rounds in a row as there are places.
    """
    return anneal(problem, tour, (), 1, 0)


def anneal(
    problem: TSP, tour: Ints, temperatures: tuple[float, ...], level: int, seed: int, number: int = 0
) -> tuple[Ints, int]:
    """Return the tour after ``level`` rounds at each temperature and a descent, and how many rounds that took.

    A move is accepted if it improves the tour, or if exp(-rise / temperature) > u. ``number`` is the tour's own, which
    gives it other random numbers than the rest of its batch.
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
