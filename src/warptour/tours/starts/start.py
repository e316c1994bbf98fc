"""Construction heuristics by name, and the initial tour for any ``start`` option."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.kernels.groups import Over
from warptour.model.errors import InputError, UsageError
from warptour.model.problem import TSP
from warptour.search.search import SIMPLE_SECONDS, Search
from warptour.tours.starts.christofides import christofides
from warptour.tours.starts.greedy import greedy
from warptour.tours.starts.growing import Rule
from warptour.tours.starts.insertions import SEEDS, Insertion
from warptour.tours.starts.match_edges import installed
from warptour.tours.starts.nearest import nearest
from warptour.tours.starts.orders import curve, file, random
from warptour.tours.starts.savings import tsp_savings
from warptour.tours.starts.task import StartTask

Int32s: TypeAlias = NDArray[np.int32]
Start: TypeAlias = Callable[[StartTask], Int32s]

STARTS: Final[dict[str, Start]] = {
    "random": random,
    "file": file,
    "nearest": nearest,
    "greedy": greedy,
    "curve": curve,
    "nearest-insertion": Insertion(Rule.NEAREST),
    "cheapest-insertion": Insertion(Rule.CHEAPEST),
    "farthest-insertion": Insertion(Rule.FARTHEST),
    "savings": tsp_savings,
    "christofides": christofides,
}
"""Construction heuristics for a TSP by name."""

INSERTIONS: Final[dict[str, Start]] = {
    f"{name}:{seed}": Insertion(insertion.rule, seed)
    for name, insertion in STARTS.items()
    if isinstance(insertion, Insertion)
    for seed in SEEDS
}
"""Insertions with their first subtour named: ``cheapest-insertion:hull``."""


def installed_starts() -> list[str]:
    """Return the names in :data:`STARTS` whose libraries are installed."""
    return [name for name in STARTS if name != "christofides" or installed()]


def find_start(name: str) -> Start | None:
    """Return the construction heuristic of that name, or None."""
    return STARTS.get(name) or INSERTIONS.get(name)


def start(
    problem: TSP,
    choice: str | ArrayLike = "greedy",
    seed: np.random.SeedSequence | np.random.Generator | int = 0,
    candidates: Int32s | None = None,
    threads: int | None = None,
    over: Over | None = None,
) -> Int32s:
    """Return an initial tour that contains the fixed edges and has the given ends of an open path.

    ``choice``: a name in :data:`STARTS` or :data:`INSERTIONS`, or a tour, which is checked and copied
    ``seed``: source of randomness
    ``candidates``, ``threads``, ``over``: as for :class:`StartTask`

    Returns
    -------
    array of int32, shape (n,)
        A permutation of 0..n-1.
    """
    if isinstance(choice, str):
        construct = find_start(choice)
        if construct is None:
            raise UsageError(f"unknown start {choice!r}; there are {', '.join(STARTS)}")
        return construct(StartTask(problem, np.random.default_rng(seed), candidates, threads, over))
    tour = np.asarray(choice)
    if tour.ndim != 1 or not np.issubdtype(tour.dtype, np.integer):
        raise InputError(f"a tour to start from is a list of cities, not an array of {tour.dtype} in {tour.shape}")
    violations = problem.check(tour.astype(np.int64)).violations
    if violations:
        raise InputError(f"the tour to start from is none: {violations[0]}")
    return tour.astype(np.int32)


def first_tour(
    search: Search[TSP],
    default: str,  # a name in :data:`STARTS`, unless the search was given another
    candidates: Int32s | None = None,  # (n, K): neighbour lists, if they are known already
    seeds: np.random.SeedSequence | None = None,  # randomness of the construction; by default the search's own
) -> Int32s:
    """Return the tour that ``search`` starts from: the one that it was given, or the construction ``default``.

    ``search``: abandons the construction, by :class:`~warptour.kernels.groups.Unfinished`, when its time is needed for
        a simpler tour
    """
    choice = default if search.start is None or isinstance(search.start, list) else search.start
    seeds = search.seeds if seeds is None else seeds
    return start(search.problem, choice, seeds, candidates, search.threads, search.hurried)


def simple_tour(problem: TSP, seconds: float) -> Int32s:
    """Return a tour along a space-filling curve, or in the order of the file where that takes over ``seconds``."""
    return start(problem, "file" if problem.map is None or SIMPLE_SECONDS * problem.n > seconds else "curve")
