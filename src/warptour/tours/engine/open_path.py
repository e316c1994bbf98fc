"""Open paths: closed tours with an edge from their lowest to their highest city, opened there."""

from __future__ import annotations

import numpy as np

from warptour.tours.engine.instance import Ints


def as_segment(tour: Ints | None) -> Ints | None:
    """Return a closed tour as a path from its lowest to its highest city; None if it has no edge between them."""
    if tour is None:
        return None
    tour = np.roll(tour, -int(np.flatnonzero(tour == 0)[0]))
    last = len(tour) - 1
    if last < 2:
        return tour
    if tour[1] == last:
        tour[1:] = tour[:0:-1].copy()
    return tour if tour[-1] == last else None
