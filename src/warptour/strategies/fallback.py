"""A solution in no time, for a run that ends before its strategy has one."""

from __future__ import annotations

import numpy as np

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.strategies.search import Tour


def first_solution(problem: TSP | VRP) -> Tour | Routes | None:
    """Return the cities in the order of the file, or a route for each customer; None if that is not feasible."""
    solution: Tour | Routes
    if isinstance(problem, VRP):
        solution = [np.array([node], np.int32) for node in problem.customers]
    elif len(problem.fixed_edges):
        solution = _chained_order(problem)
    else:
        solution = _file_order(problem)
    return solution if problem.check(solution).feasible else None  # type: ignore[arg-type]


def _file_order(problem: TSP) -> Tour:
    ends = [end for end in (problem.first, problem.last) if end is not None]
    order = np.setdiff1d(np.arange(problem.n, dtype=np.int32), ends, assume_unique=True)
    if problem.first is not None:
        order = np.concatenate(([problem.first], order))
    if problem.last is not None:
        order = np.concatenate((order, [problem.last]))
    return order.astype(np.int32)


def _chained_order(problem: TSP) -> Tour:
    """Return the chains that fixed edges make, one after the other, those of the path's ends at its ends."""
    bound: dict[int, list[int]] = {}
    for a, b in problem.fixed_edges.tolist():
        bound.setdefault(a, []).append(b)
        bound.setdefault(b, []).append(a)
    seen: set[int] = set()
    chains: list[list[int]] = []
    heads = [city for city in range(problem.n) if len(bound.get(city, ())) < 2]
    for head in [*heads, 0]:  # city 0 again: the fixed edges may be the whole tour
        if head in seen:
            continue
        chain, at = [], head
        while at not in seen:
            chain.append(at)
            seen.add(at)
            at = next((city for city in bound.get(at, ()) if city not in seen), at)
        chains.append(chain)

    def place(chain: list[int]) -> int:
        """-1 for the chain that must come first, 1 for the last, 0 for others; turned so that its end is outside."""
        if problem.first in (chain[0], chain[-1]):
            if chain[0] != problem.first:
                chain.reverse()
            return -1
        if problem.last in (chain[0], chain[-1]):
            if chain[-1] != problem.last:
                chain.reverse()
            return 1
        return 0

    return np.concatenate([np.array(chain, np.int32) for chain in sorted(chains, key=place)])
