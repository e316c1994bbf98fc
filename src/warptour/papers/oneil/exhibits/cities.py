"""Instances of the slides: the first n cities of d18512."""

from __future__ import annotations

from functools import cache
from typing import Final

from warptour.bench import Options
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.papers.instances import public, stand_in

SIZES: Final = (100, 200, 500, 1000, 2000, 4000)
QUICK: Final = (100, 200)


def sizes(options: Options) -> tuple[int, ...]:
    """Return the numbers of cities to measure."""
    if options.first is not None:
        return (options.first,)
    return QUICK if options.quick else SIZES


def first_cities(n: int) -> TSP:
    """Return the first ``n`` cities of d18512, or uniform ones without the file, with unrounded distances."""
    whole = _whole()
    if whole is None or whole.n < n:
        return TSP(f"uniform {n}", METRICS["EUCLIDEAN"], stand_in(n).points)
    return TSP(f"d18512, first {n}", METRICS["EUCLIDEAN"], whole.points[:n])


@cache
def _whole() -> TSP | None:
    return public("d18512")
