"""Instances of the slides: the first n cities of d18512."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Final

from warptour.bench import Options
from warptour.io import read
from warptour.io.generate import generate
from warptour.model.metric import METRICS
from warptour.model.problem import TSP

SIZES: Final = (100, 200, 500, 1000, 2000, 4000)
QUICK: Final = (100, 200)


def sizes(options: Options) -> tuple[int, ...]:
    """Return the numbers of cities to measure."""
    if options.first is not None:
        return (options.first,)
    return QUICK if options.quick else SIZES


def first_cities(n: int) -> TSP:
    """Return the first ``n`` cities of d18512, or uniform ones if the file is not at hand, with unrounded distances.

    Unrounded as in the slides. d18512 is read from ``tsp`` in the folder ``WARPTOUR_DATA``.
    """
    whole = _whole()
    if whole is None or whole.n < n:
        uniform = generate("uniform", n, seed=1)
        return TSP(f"uniform {n}", METRICS["EUCLIDEAN"], uniform.points)
    return TSP(f"d18512, first {n}", METRICS["EUCLIDEAN"], whole.points[:n])


@cache
def _whole() -> TSP | None:
    folder = os.environ.get("WARPTOUR_DATA")
    file = Path(folder or ".", "tsp", "d18512.tsp")
    problem = read(file) if folder and file.exists() else None
    return problem if isinstance(problem, TSP) else None
