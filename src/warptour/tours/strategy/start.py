"""What a run begins with: neighbour lists, the first tour, and the instance that both make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from warptour.model.problem import TSP
from warptour.search.search import Search, Tour
from warptour.search.threads import ThreadPool
from warptour.tours.engine.instance import Instance, Ints, along_curve
from warptour.tours.starts.start import first_tour, start

MIN_KICKED_CITIES = 8
"""Smallest instance on which a kick changes anything."""


@dataclass(frozen=True, eq=False)
class SharedTask:
    """What the workers of a run share."""

    search: Search[TSP]
    instance: Instance
    tour: Tour  # the first tour, in the instance's numbering
    pool: ThreadPool


def begin(search: Search[TSP], construction: str, lists_of: Callable[[TSP], Ints]) -> tuple[Instance, Tour] | None:
    """Return the instance and its first tour, which is offered; None if there is nothing to search, or no time.

    ``construction``: of the first tour, unless the search brings one
    ``lists_of``: returns the neighbour lists of a problem
    """
    problem = search.problem
    lists = lists_of(problem)
    if search.over():
        return None
    tour = first_tour(search, construction, lists)
    search.offer(tour)
    if problem.n < MIN_KICKED_CITIES or search.over():
        return None
    instance = Instance.of(problem, lists, threads=search.threads, over=search.hurried)
    return instance, instance.enter(tour)


def begin_along_curve(
    search: Search[TSP], construction: str, lists_of: Callable[[TSP], Ints]
) -> tuple[Instance, Tour] | None:
    """Return the same of a large instance, whose cities are renumbered first: near ones are near in memory."""
    problem, threads, over = search.problem, search.threads, search.hurried
    renumbered, order = along_curve(problem, threads)
    lists = lists_of(renumbered)
    if search.over():
        return None
    if construction == "greedy" and search.start is None:
        tour = order[start(renumbered, "greedy", candidates=lists, threads=threads, over=over)]
    else:
        tour = first_tour(search, construction)
    search.offer(tour)
    if search.over():
        return None
    instance = Instance.of(problem, lists, order=order, threads=threads, over=over)
    return instance, instance.enter(tour)


def disjoint_start(search: Search[TSP], construction: str | None) -> Tour | None:
    """Return the tour that disjoint windows start from; None for the one along the device's own curve."""
    problem = search.problem
    given = construction if search.start is None or isinstance(search.start, list) else search.start
    if given is not None:
        return start(problem, given, search.seeds, None, search.threads, search.hurried)
    if len(problem.fixed_edges) == 0:
        return None
    # windows never lose long edges, so the regions of a tour begin with it
    orders = [start(problem, name, threads=search.threads, over=search.hurried) for name in ("file", "curve")]
    return min(orders, key=search.exact_cost)
