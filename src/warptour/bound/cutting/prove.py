"""Proofs that no tour is shorter than the best one known, by branch and cut."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from warptour.bound.cutting.graph import complete_graph
from warptour.bound.cutting.proof import Proof
from warptour.bound.instance import BoundInstance, Ints
from warptour.kernels.groups import Unfinished

FLOAT_SHARE = 5e-10
"""Share of a float cost by which better tours must be shorter to count."""

WAIT_SECONDS = 0.01
"""How often a first tour is asked for."""

FEWEST_NODES = 6
"""Minimum number of nodes: cuts divide them into several groups."""


def branch_and_cut(
    instance: BoundInstance, known: Callable[[], Ints | None], take: Callable[[int, int], object], deadline: float
) -> bool:
    """Raise the bound until it meets the best known tour; return whether it does.

    It does not where time is up, a graph has too few nodes or too many, or rounding errors hide the last difference.

    ``known``: returns the shortest tour or path of the instance's cities known so far, or None before the first
    ``take``: called with scaled bounds and the binary logarithm of their scale
    ``deadline``: when to end, by ``time.perf_counter``; so does ``instance.over``
    """
    graph = None if instance.count + 1 < FEWEST_NODES else complete_graph(instance)
    if graph is None:
        return False

    def over() -> bool:
        return time.perf_counter() >= deadline or (instance.over is not None and instance.over())

    while (tour := known()) is None:  # a search beside may be slower than the ascent
        if over():
            return False
        time.sleep(WAIT_SECONDS)
    problem, scale = instance.problem, 2.0**graph.bits
    best, best_cost = tour, problem.cost(tour)

    def limit() -> int:  # below the best cost by one unit of integers, or by a share of floats
        unit = scale if problem.metric.integral else 1 + math.floor(FLOAT_SHARE * abs(best_cost) * scale)
        return math.floor(best_cost * scale) - int(unit)

    def incumbent(found: Ints | None) -> tuple[Ints, int]:
        nonlocal best, best_cost
        given = known() if found is None else graph.leave(found)
        if given is not None and given is not best and problem.cost(given) < best_cost:
            best, best_cost = given, problem.cost(given)
        return graph.enter(best), limit()

    try:
        Proof(graph, incumbent, over, deadline, lambda bound: take(bound, graph.bits)).run()
    except Unfinished:
        return False
    return True
