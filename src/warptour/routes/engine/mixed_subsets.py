"""Optimal routes of few customers where vehicles differ, there are shipments, or not all customers are alike.

The cheapest route of each subset comes first for each kind of vehicles, then what all vehicles of a kind serve best,
kind by kind, then who is served at all.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.library import array, kernel
from warptour.model.limits import LIMIT_TOLERANCE
from warptour.model.schedule import Schedule
from warptour.model.shipments import ends_of
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.instance import Floats, Ints, RouteInstance
from warptour.routes.engine.route_state import RouteState
from warptour.routes.engine.subsets import (
    MAX_LABELLED,
    MAX_LABELS,
    MAX_WALKED,
    NONE,
    ROUNDING,
    Best,
    division,
    labelled,
    labels_tell,
    parts_of,
    sums_of,
    walked,
    window_arguments,
)

MAX_KINDS: Final = 8
"""Maximum kinds of vehicles: to walk along all orders of nine customers takes up to 0.6 s for each."""

_reals, _reals_out, _ints_out = array(np.float64), array(np.float64, output=True), array(np.int32, output=True)


def most_mixed_customers(problem: VRP) -> int:
    """Return the largest number of customers for which :func:`cheapest_mixed` is for problems with such limits."""
    schedule = problem.schedule
    if problem.balance is not None or (problem.fewest and problem.optional):
        return 0  # what comes before the cost is no sum, or best without any customers
    if problem.locks is not None or problem.rested or problem.trips:
        return 0  # walks along all orders know neither changes, nor the way home of empty vehicles, breaks or reloads
    if schedule is not None and schedule.traffic is not None:
        return 0  # its travel is an upper bound
    if schedule is not None and schedule.windows.several and np.isfinite(schedule.longest_wait):
        return 0  # some feasible routes are judged infeasible
    typed = _with_types(problem)
    assert typed.fleet is not None
    if len(typed.fleet.types) > MAX_KINDS or any(_has_breaks(each) for each in _schedules(typed)):
        return 0  # searches know one window of each depot
    return MAX_LABELLED if _has_labels(typed) else MAX_WALKED


def cheapest_mixed(given: VRP) -> Routes | None:
    """Return optimal routes, or None if no routes keep all limits.

    Raises :class:`~warptour.routes.engine.subsets.TooManyLabels` if there are too many partial routes, which up to nine
    customers never happens.
    """
    instance = RouteInstance.of(given, 1)
    problem = instance.problem
    assert instance.kinds is not None
    assert problem.fleet is not None
    m, fleet, unit = len(problem.customers), problem.fleet, instance.kinds.unit
    state = RouteState(instance, np.zeros(0, np.int32), 1)
    firsts = (np.cumsum(fleet.counts) - fleet.counts).tolist()
    if _has_labels(problem):
        routes = [_labelled(problem, kind) for kind in range(len(fleet.types))]
    else:
        routes = [_in_unit(walked(state, first), unit) for first in firsts]
    broken = _parted(problem)
    for costs, _ in routes:
        costs[broken] = NONE
    lost = _lost(problem)
    dear = _dear(problem, [costs for costs, _ in routes], lost)
    best = np.full(1 << m, NONE)
    best[0] = 0.0
    shares: list[Ints] = []
    divisions: list[Ints] = []
    for kind, (costs, _) in enumerate(routes):
        slots = int(fleet.counts[kind])
        rows, chosen = division(m, 0 if slots >= m else slots, dear, costs)
        both, share = np.empty(1 << m), np.empty(1 << m, np.int32)
        kernel("exact_kinds", ctypes.c_int32, _reals, _reals, _reals_out, _ints_out)(
            0, 1, m, best, rows[-1], both, share
        )
        best = both
        shares.append(share)
        divisions.append(chosen)
    subset = int(np.argmin(best + lost))
    if best[subset] + lost[subset] >= NONE:
        return None
    plan: Routes = [np.zeros(0, np.int32) for _ in fleet.kinds]
    for kind in range(len(routes) - 1, -1, -1):
        own = int(shares[kind][subset])
        for number, part in enumerate(parts_of(divisions[kind], own)):
            plan[firsts[kind] + number] = instance.order[routes[kind][1](part)]
        subset ^= own
    return plan if given.fleet is not None else [route for route in plan if len(route)]


def _with_types(problem: VRP) -> VRP:
    return problem if problem.fleet is not None else problem.with_types([problem.common_type])


def _schedules(problem: VRP) -> tuple[Schedule, ...]:
    return () if problem.schedule is None else problem.schedules


def _has_breaks(schedule: Schedule) -> bool:
    """Return whether the depot where routes begin or end closes in between."""
    n = len(schedule.windows.opens)
    return any(len(list(schedule.windows.of_node(place))) > 1 for place in (n - 2, n - 1))


def _has_labels(problem: VRP) -> bool:
    """Return whether of two partial routes of a kind, one that is cheaper and earlier is better."""
    assert problem.fleet is not None
    if problem.two_way or (problem.clock is not None and problem.clock.distances is not None):
        return False
    for kind, each in enumerate(problem.fleet.types):
        if math.isfinite(each.max_distance) and not each.distance_cost:
            return False
        if problem.schedule is not None and not labels_tell(problem, problem.schedules[kind]):
            return False
    return True


def _labelled(problem: VRP, kind: int) -> Best:
    """Return the best routes of a kind of vehicles, from partial routes."""
    assert problem.fleet is not None
    m, each = len(problem.customers), problem.fleet.types[kind]
    every = np.indices((problem.n, problem.n))
    ways = np.array(problem.ways(kind, every[0], every[1]), np.float64)
    longest = (
        each.max_distance * (1 + LIMIT_TOLERANCE - ROUNDING) * each.distance_cost if each.distance_cost else np.inf
    )
    most, most2 = np.full(1 << m, longest), np.full(1 << m, np.inf)
    most[~_within(problem, kind)] = -NONE
    windows: tuple[Any, ...] = (None, None, 0.0)
    travel2: Floats | None = None
    if problem.schedule is not None:
        schedule = problem.schedules[kind]  # whose travel is that of all kinds
        times = np.asarray(problem.ways(kind, every[0], every[1], schedule.travel), np.float64)
        travel2 = _between(times / each.speed, each.start, each.end, m)
        _, windows = window_arguments(_of_kind(schedule, problem.n, m))
        most2[:] = min(float(schedule.windows.closes[-1]) + schedule.tolerance * (1 - ROUNDING), NONE / 10)
    own = each.distance_cost * _between(ways, each.start, each.end, m)
    room = m << m if travel2 is None else MAX_LABELS
    costs, stops = labelled(own, most, room, travel2, most2, windows)
    costs[1:][costs[1:] < NONE] += each.fixed_cost
    return costs, stops


def _between(ways: Floats, start: int | None, end: int | None, m: int) -> Floats:
    """Return ways among a start, customers 1 to ``m`` and an end as one flat table, where node 0 is both depots."""
    table = np.zeros((m + 1, m + 1))
    table[1:, 1:] = ways[1 : m + 1, 1 : m + 1]
    if start is not None:
        table[0, 1:] = ways[start, 1 : m + 1]
    if end is not None:
        table[1:, 0] = ways[1 : m + 1, end]
    return table.reshape(-1)


def _of_kind(schedule: Schedule, start: int, m: int) -> Schedule:
    """Return the schedule of a kind with the start of its routes as node 0 and customers 1 to ``m``."""
    nodes = np.concatenate(([start], np.arange(1, m + 1))).astype(np.int32)
    return replace(schedule, windows=schedule.windows.on(nodes), services=schedule.services[nodes], travel=None)


def _within(problem: VRP, kind: int) -> NDArray[np.bool_]:
    """Return which subsets a vehicle may carry and serve in a route without shipments."""
    assert problem.fleet is not None
    each, m = problem.fleet.types[kind], len(problem.customers)
    inside = slice(1, m + 1)
    loads, capacities = problem.all_loads
    within = np.ones(1 << m, np.bool_)
    for column, capacity in zip(loads[inside].T, capacities[kind], strict=True):
        within &= sums_of(column) <= capacity
    if each.max_stops is not None:
        within &= sums_of(np.ones(m)) <= each.max_stops
    if problem.fleet.allowed is not None:
        within &= sums_of((~problem.fleet.allowed[inside, kind]).astype(np.float64)) == 0
    return within


def _parted(problem: VRP) -> NDArray[np.bool_]:
    """Return which subsets are no route, since they part customers who go together or join some who stay apart."""
    parted = np.zeros(1 << len(problem.customers), np.bool_)
    for group in problem.together:
        count = _count(problem, group)
        parted |= (count > 0) & (count < len(group))
    for group in problem.apart:
        parted |= _count(problem, group) > 1
    return parted


def _lost(problem: VRP) -> Floats:
    """Return what is lost if exactly each subset is served, :data:`NONE` where that may not be."""
    inside = slice(1, len(problem.customers) + 1)
    losses = np.asarray(problem.losses, np.float64)[inside]
    lost: Floats = losses.sum() - sums_of(losses)
    required = problem.required[inside].astype(np.float64)
    lost[sums_of(required) < required.sum()] = NONE
    for each in problem.alternatives:
        count = _count(problem, each.nodes)
        lost[(count > 1) | ((count == 0) & each.required)] = NONE
    for group in (*problem.together, *ends_of(problem.shipments).tolist()):
        count = _count(problem, group)
        lost[(count > 0) & (count < len(group))] = NONE
    return lost


def _count(problem: VRP, group: Any) -> Ints:
    """Return how many of a group each subset has."""
    inside = np.isin(np.arange(1, len(problem.customers) + 1), list(group))
    return sums_of(inside.astype(np.float64)).astype(np.int32)


def _dear(problem: VRP, costs: list[Floats], lost: Floats) -> float:
    """Return a cost of each route above all else if fewer are always better, else 0."""
    if not problem.fewest:
        return 0.0
    known = [each[each < NONE].max(initial=0.0) for each in (*costs, lost)]
    return 1.0 + len(problem.customers) * float(sum(known))


def _in_unit(best: Best, unit: float) -> Best:
    """Return routes with costs in the unit of the problem instead of that of searches."""
    costs, stops = best
    return np.where(costs < NONE, costs * unit, NONE), stops
