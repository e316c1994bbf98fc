"""Two-way loads: what customers give for the depot, beside what they get from it.

    load at the start    deliveries of all customers
    load behind a stop   less its delivery, more its pickup

Backhauls are pickups behind the deliveries of a route, where the goods of a vehicle are loaded from behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.clock import amounts
from warptour.model.errors import InputError, UsageError
from warptour.model.exactness import check_load
from warptour.model.metric import Nodes

LAST, AFTER_DELIVERIES = "last", "after-deliveries"
BACKHAULS: Final = (LAST, AFTER_DELIVERIES)
"""Rules of order: all deliveries of a route come before its pickups; besides, no route has pickups alone."""


def pickup_table(
    given: ArrayLike | None, n: int, dimensions: int, depots: Sequence[int], shipped: Sequence[int],
    describe: Callable[[int, str], str],
) -> NDArray[Any] | None:  # fmt: skip
    """Return what is picked up at each of ``n`` nodes, of shape (n, dimensions); None if nothing is anywhere.

    One number a node is of the first dimension. Raises :class:`InputError` for pickups at depots, or at the nodes that
    are ``shipped``, and for what is no amount.
    """
    if given is None:
        return None
    table = np.asarray(given)
    columns = [table] if table.ndim < 2 else list(table.T)
    if table.ndim > 2 or len(columns) > dimensions:
        raise InputError(f"pickups are {dimensions} numbers a node, as demands; here they have the shape {table.shape}")
    checked = [amounts(column, "pickup", n) for column in columns]
    for column in checked:
        check_load(column)
    checked += [np.zeros(n, np.int64)] * (dimensions - len(checked))
    pickups = np.stack(checked, axis=1)
    for nodes, fault in ((depots, "is a depot"), (shipped, "is in a shipment")):
        wrong = [node for node in nodes if pickups[node].any()]
        if wrong:
            raise InputError(f"{describe(wrong[0], 'node')} {fault}; goods for the depot are picked up at other stops")
    return pickups if pickups.any() else None


def backhaul_rule(given: str | None, pickups: NDArray[Any] | None) -> str | None:
    """Return a rule of order, which only pickups need, or raise :class:`UsageError`."""
    if given is not None and given not in BACKHAULS:
        raise UsageError(f"backhauls are {' or '.join(BACKHAULS)}, not {given!r}")
    return given if pickups is not None else None


def backhaul_faults(
    rule: str, route: Nodes, brings: NDArray[np.bool_], takes: NDArray[np.bool_], describe: Callable[[int, str], str]
) -> list[str]:
    """Return what breaks a rule of order on a route; ``brings`` and ``takes`` say what is done at each node."""
    pickups, deliveries = np.flatnonzero(takes[route]), np.flatnonzero(brings[route])
    if len(pickups) == 0:
        return []
    if len(deliveries) == 0:
        return ["has pickups and no delivery before them"] if rule == AFTER_DELIVERIES else []
    late = deliveries[deliveries > pickups[0]]
    if len(late) == 0:
        return []
    taken, brought = (describe(int(route[at]), "customer") for at in (pickups[0], late[0]))
    return [f"picks up at {taken} before its delivery to {brought}"]
