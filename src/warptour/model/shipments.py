"""Shipments: goods that a vehicle picks up at one customer and delivers at another, later on the same route.

The demand of a pickup is what it loads, that of its delivery the opposite. All other customers are served from the
depot, so their demands are on board from the start:

    load at the start    demands of the customers that are in no shipment
    load behind a stop   less the demand of such a customer; more or less the goods of a pickup or a delivery
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.errors import InputError
from warptour.model.metric import Nodes
from warptour.model.quantities import finite_number, whole_number

Describe = Callable[[int, str], str]
"""Returns a node for messages, as :meth:`Problem.describe` does."""


@dataclass(frozen=True)
class Shipment:
    """A customer where goods are picked up, and the one to whom the same vehicle brings them later.

    Attributes
    ----------
    pickup, delivery : int
    max_ride : float or None
        Limit on the time from the end of the pickup to the start of the delivery, waits and services between them
        included: in seconds by the clock, without one in the unit of the distances.
    """

    pickup: int
    delivery: int
    max_ride: float | None = None


def shipments_of(
    given: Iterable[Shipment | Sequence[int]], n: int, depots: Sequence[int], describe: Describe
) -> tuple[Shipment, ...]:
    """Return the shipments of a problem with ``n`` nodes, given as such or as pairs (pickup, delivery).

    Raises :class:`InputError` for ends that are no customers, and for customers with two ends.
    """
    shipments, seen = [], set[int]()
    for each in given:
        ends: Any = (each.pickup, each.delivery) if isinstance(each, Shipment) else each
        try:
            pair = tuple(whole_number(end) for end in ends)
        except TypeError:
            pair = ()
        if len(pair) != 2:
            raise InputError(f"a shipment is a pickup and a delivery, not {ends!r}")
        for node, what, end in zip(pair, ("pickup", "delivery"), ends, strict=True):
            if node is None or not 0 <= node < n or node in depots:
                raise InputError(f"the {what} {end!r} of a shipment is no customer; here nodes are 0 to {n - 1}")
            if node in seen:
                raise InputError(f"{describe(node, 'customer')} is in two shipments; a stop has one pickup or delivery")
            seen.add(node)
        longest = each.max_ride if isinstance(each, Shipment) else None
        most = finite_number(longest)
        if longest is not None and longest != math.inf and (most is None or most < 0):
            who = " to ".join(describe(int(end), "customer") for end in ends)
            raise InputError(f"the longest ride from {who} is {longest}; it must be a number of at least 0, or None")
        shipments.append(Shipment(int(ends[0]), int(ends[1]), most))
    return tuple(shipments)


def with_longest_ride(given: Iterable[Any], longest: float) -> tuple[Any, ...]:
    """Return shipments of which those without a longest ride get one; what is no shipment stays as it is."""
    found = []
    for each in given:
        pair = not isinstance(each, Shipment) and isinstance(each, Sequence | np.ndarray) and len(each) == 2
        own = Shipment(*each) if pair else each
        found.append(replace(own, max_ride=longest) if isinstance(own, Shipment) and own.max_ride is None else each)
    return tuple(found)


def ends_of(shipments: Sequence[Shipment]) -> NDArray[np.int64]:
    """Return the pickup and the delivery of each shipment, of shape (number of shipments, 2)."""
    return np.array([(each.pickup, each.delivery) for each in shipments], np.int64).reshape(-1, 2)


def signed(demands: NDArray[Any], shipments: Sequence[Shipment], describe: Describe) -> NDArray[Any]:
    """Return demands with those of deliveries opposite to what is picked up; they are positive so far, or 0.

    Raises :class:`InputError` for a delivery of another amount.

    ``demands``: (n,) or (n, dimensions)
    """
    if not shipments:
        return demands
    pickups, deliveries = ends_of(shipments).T
    amounts, given = demands[pickups], demands[deliveries]
    wrong = np.argwhere((given != 0) & (given != amounts))
    if len(wrong):
        at = tuple(wrong[0].tolist())
        who, whose = (describe(int(end[at[0]]), "customer") for end in (deliveries, pickups))
        raise InputError(f"{who} delivers {given[at].item()}; its pickup, {whose}, loads {amounts[at].item()}")
    table = demands.copy()
    table[deliveries] = -amounts
    return table


def unsigned(demands: ArrayLike, shipments: Sequence[Shipment]) -> ArrayLike:
    """Return demands with those of deliveries positive; what is no array of numbers for all nodes stays as it is."""
    if not shipments:
        return demands
    try:
        table, deliveries = np.asarray(demands), ends_of(shipments)[:, 1]
    except ValueError:
        return demands
    if table.ndim == 0 or not np.issubdtype(table.dtype, np.number) or len(table) <= deliveries.max(initial=-1):
        return demands
    table = table.copy()
    table[deliveries] = np.abs(table[deliveries])
    return table


def stack_faults(shipments: Sequence[Shipment], routes: Sequence[Nodes], describe: Describe) -> list[str]:
    """Return which goods are unloaded while others that were loaded later are in front of them, one of each route."""
    pickup_of = {each.delivery: each.pickup for each in shipments}
    loaded = {*pickup_of.values()}
    faults = []
    for number, route in enumerate(routes, 1):
        stack: list[int] = []
        for node in np.asarray(route).tolist():
            if node in loaded:
                stack.append(node)
            elif pickup_of.get(node) in stack and stack.pop() != pickup_of[node]:
                faults.append(f"route {number} serves {describe(node, 'customer')} while goods loaded later are aboard")
                break
    return faults


def shipment_faults(shipments: Sequence[Shipment], routes: Sequence[Nodes], n: int, describe: Describe) -> list[str]:
    """Return which goods are delivered before they are picked up, by another vehicle, or not at all."""
    home, place = np.full(n, -1), np.full(n, -1)
    for number, route in enumerate(routes if shipments else ()):
        home[route], place[route] = number, np.arange(len(route))
    faults = []
    for each in shipments:
        by, to = int(home[each.pickup]), int(home[each.delivery])
        taken, brought = describe(each.pickup, "customer"), describe(each.delivery, "customer")
        if by == to and place[each.pickup] <= place[each.delivery]:
            continue
        if by == to:
            faults.append(f"route {by + 1} serves {brought} before its pickup, {taken}")
        elif by < 0 or to < 0:
            faults.append(f"of the shipment from {taken} to {brought}, one end is served without the other")
        else:
            faults.append(f"{taken} is on route {by + 1}, and its delivery, {brought}, on route {to + 1}")
    return faults
