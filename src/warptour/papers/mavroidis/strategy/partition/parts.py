"""Parts of a problem, and their solution by another strategy."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.observe.events import State
from warptour.search.search import Search, Tour
from warptour.search.stop import Iterations, Seconds, Stop
from warptour.search.strategy import Strategy
from warptour.strategies.exact import HeldKarp, is_tiny
from warptour.strategies.fallback import run_in_time


@dataclass(frozen=True)
class Halted(Stop):
    """Over once the whole search is."""

    halted: Callable[[], bool]

    def reached(self, state: State) -> bool:
        return self.halted()


def part_of(problem: TSP, cities: Tour, edges: NDArray[np.int32] | None = None) -> TSP:
    """Return the problem of a closed tour through ``cities``, with fixed ``edges`` between indices into them."""
    matrix = problem.matrix
    points = problem.points[cities] if matrix is None else matrix[np.ix_(cities, cities)]
    return TSP(f"part of {problem.name}", problem.metric, points, fixed_edges=() if edges is None else edges)  # type: ignore[arg-type]


def segments(problem: TSP, tour: Tour, most: int, *, shifted: bool) -> list[Tour]:
    """Cut ``tour`` into segments of equal size, ``most`` cities at most, or with ``shifted`` half a segment later."""
    number = -(-len(tour) // most)
    half = len(tour) // number // 2 if shifted and number > 1 else 0
    if not problem.open:
        return np.array_split(np.roll(tour, -half), number)
    ends = np.linspace(0, len(tour), number + 1).astype(int)[1:-1] + half
    return np.split(tour, ends if half == 0 else np.concatenate([[half], ends]))


def part_of_segment(problem: TSP, cities: Tour) -> TSP:
    """Return the problem of a segment with a fixed edge between its ends; of the whole of a closed tour, without."""
    index = np.full(problem.n, -1, np.int32)
    index[cities] = np.arange(len(cities), dtype=np.int32)
    edges = index[problem.fixed_edges]
    edges = edges[(edges >= 0).all(axis=1)]
    if problem.open or len(cities) < problem.n:
        closing = closing_edge(len(cities))
        edges = np.concatenate([edges, closing]) if len(cities) > 2 else closing
    return part_of(problem, cities, edges)


def closing_edge(count: int) -> NDArray[np.int32]:
    """Return the edge between the ends of a segment of ``count`` cities, shape (1, 2); (0, 2) for a single city."""
    return np.array([[0, count - 1]], np.int32)[: count - 1]


def edge_by_distances(part: TSP) -> TSP:
    """Return ``part`` without its fixed edge, from the first to the last city, but with distances that hold it.

    All other edges of the two cities are longer by twice the longest distance, so that a tour without the edge has two
    more of them and is longer by at least that.
    """
    every = np.arange(part.n)
    table: NDArray[Any] = part.distances(every[:, None], every).copy()
    raised = 2 * table.max()
    for end, other in ((0, -1), (-1, 0)):
        kept = table[end, other]
        table[end] += raised
        table[:, end] += raised
        table[end, other] = table[other, end] = kept
    np.fill_diagonal(table, 0)
    return TSP.from_matrix(table, name=part.name)


def solve_part(
    inner: Strategy,
    part: TSP,
    start: str | Tour | None,
    halted: Callable[[], bool],
    *,
    iterations: float,
    seconds: float,
    seed: int,
    threads: int,
    device: Device | None = None,
) -> Search[TSP]:
    """Run ``inner`` on a part within its limits and return the search, whose tour is never worse than ``start``.

    By default on the CPU.
    """
    stop: Stop = Halted(halted)
    if math.isfinite(iterations):
        stop |= Iterations(max(1, int(iterations)))
    if math.isfinite(seconds):
        stop |= Seconds(max(0.0, seconds))
    search = Search(part, stop, seed=seed, threads=threads, start=start, device=device)
    if isinstance(start, np.ndarray):
        search.offer(start)
    run_in_time(HeldKarp() if is_tiny(part) else inner, search)
    return search
