"""Symmetric 2-opt: nested segments reversed simultaneously (Mavroidis 2011, chapter 6).

A tour of odd length m is stored in a row. Move q reverses the positions q+1 .. m-2-q:

    a-b ... c-d  ->  a-c ... b-d        a at position q, b at q+1, c at m-2-q, d at m-1-q

The segments are nested around the middle position and involve different edges, so any subset of the moves may be
accepted together: b and c, which mirror each other, are swapped if and only if an odd number of the moves 0 .. q was
accepted. The row then rotates by one, the first city becoming the last, so that the next round evaluates other
segments; m rounds evaluate every 2-opt move once. The segment of all m cities is omitted: it reverses the whole tour,
which changes nothing.

A tour of even length gets a duplicate of its last city, numbered n, next to it. The edge between the two is fixed: with
rounded distances the triangle inequality fails, and annealing accepts worse tours, so that nothing else would keep them
together.
"""

from __future__ import annotations

import numpy as np

from warptour.neighborhoods.move import Ints


def with_double(tour: Ints) -> Ints:
    """Return a tour of odd length: an even one is padded with a duplicate of city n - 1, numbered n, after it."""
    n = len(tour)
    doubles = np.arange(n, n | 1, dtype=np.int32)
    return np.insert(tour, int(np.flatnonzero(tour == n - 1)[0]) + 1, doubles).astype(np.int32)


def without_double(tour: Ints, n: int) -> Ints:
    """Return the tour of the ``n`` cities without duplicates."""
    return tour[tour < n]
