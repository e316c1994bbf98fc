"""Problems from lists of customers, depots and types of vehicles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.audience import count
from warptour.model.building import TimeOptions
from warptour.model.clock import MINUTE
from warptour.model.errors import InputError
from warptour.model.fleet import Alternatives, Fleet, VehicleType
from warptour.model.vehicles import VRP


@dataclass(frozen=True)
class Depot:
    """Where vehicles begin and end.

    Attributes
    ----------
    x, y : float
        Its place; latitude and longitude where the problem says so.
    windows : str, pair, list of pairs or None
        When vehicles may leave and must be back: ``"06:00-20:00"``, or numbers without travel times.
    service : float
        Time before a vehicle leaves, in seconds; without travel times, in the unit of the distances.
    name : str
    """

    x: float = 0.0
    y: float = 0.0
    windows: Any = None
    service: float = 0.0
    name: str = ""


@dataclass(frozen=True)
class Customer:
    """Whom vehicles serve.

    Attributes
    ----------
    x, y : float
        Its place; latitude and longitude where the problem says so.
    demand : float or tuple of float
        What it gets, in each dimension of the loads.
    windows : str, pair, list of pairs or None
        When service may begin: ``"08:00-12:00, 14:00-18:00"``, or numbers without travel times.
    service : float
        How long it takes, in seconds; without travel times, in the unit of the distances.
    prize : float or None
        What is lost if it is not served; None if it must be.
    skills : tuple of str
        Those that its vehicle needs, all of them.
    vehicles : tuple of str
        Names of the types that may serve it; empty: all.
    days : tuple of str
        Days on which it may be served, of those of the vehicles; empty: all.
    group : str
        One of those with the same group is served; empty: none.
    together, apart : tuple of str
        Those with a word in common are on one route, and on different ones.
    name : str
    pickup : float or tuple of float
        What it gives for the end of the route, in each dimension of the loads.
    """

    x: float = 0.0
    y: float = 0.0
    demand: float | tuple[float, ...] = 0
    windows: Any = None
    service: float = 0.0
    prize: float | None = None
    skills: tuple[str, ...] = ()
    vehicles: tuple[str, ...] = ()
    group: str = ""
    together: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    name: str = ""
    pickup: float | tuple[float, ...] = 0
    days: tuple[str, ...] = ()


def fleet_problem(
    depots: Sequence[Depot],
    customers: Sequence[Customer],
    vehicles: Sequence[VehicleType],
    *,
    matrix: ArrayLike | None = None,
    latlon: bool = False,
    name: str = "fleet",
    late_cost: float | None = None,
    max_wait_minutes: float | None = None,
    backhauls: str | None = None,
    **options: Unpack[TimeOptions],
) -> VRP:
    """Return the problem of a fleet.

    Parameters
    ----------
    depots, customers : sequence of Depot, sequence of Customer
        The nodes of the problem, depots first: a type's ``start`` is the number of its depot, from 0.
    vehicles : sequence of VehicleType
        Their capacities have an entry for each of the demands' dimensions.
    matrix : array-like, shape (n, n), optional
        Distances between all nodes, instead of those between their places.
    latlon : bool
        Whether places are latitudes and longitudes.
    late_cost, max_wait_minutes : float, optional
    backhauls : {"last", "after-deliveries"}, optional
    **options
        ``unit``, ``speed``, ``durations``, ``minimize`` and ``depart``; all these as for :meth:`VRP.from_points`.
    """
    if not depots or not customers:
        raise InputError("a problem of a fleet has a depot and a customer at least")
    nodes: list[Depot | Customer] = [*depots, *customers]
    points = np.array([(node.x, node.y) for node in nodes], np.float64)
    table, pickups = _amounts(len(depots), customers)
    timed = options.get("speed") is not None or options.get("durations") is not None
    services = np.array([node.service for node in nodes], np.float64)
    given: dict[str, Any] = {**options}
    given |= {"service_minutes": services / MINUTE} if timed else {"service_times": services}
    if any(node.windows is not None for node in nodes):
        given["windows"] = [node.windows for node in nodes]
    if any(node.name for node in nodes):
        given["labels"] = [node.name for node in nodes]
    given |= {"demands": np.zeros(len(nodes), np.int64), "capacity": 1, "name": name, "latlon": latlon}
    given |= {} if late_cost is None else {"late_cost": late_cost}
    given |= {} if max_wait_minutes is None else {"max_wait_minutes": max_wait_minutes}
    plain = VRP.from_points(points, **given) if matrix is None else VRP.from_matrix(matrix, display=points, **given)
    groups = _groups(len(depots), [(each.group,) if each.group else () for each in customers])
    prizes = np.array([0.0] * len(depots) + [math.inf if each.prize is None else each.prize for each in customers])
    return replace(
        plain,
        demands=table[:, 0],
        more_demands=table[:, 1:] if table.shape[1] > 1 else None,
        pickups=pickups,
        backhauls=backhauls,
        depots=tuple(range(len(depots))),
        fleet=Fleet(tuple(vehicles), allowed=_allowed(len(depots), customers, vehicles)),
        prizes=None if np.isinf(prizes[len(depots) :]).all() else prizes,
        alternatives=tuple(Alternatives(nodes) for nodes in groups if len(nodes) > 1),
        together=_groups(len(depots), [each.together for each in customers]),
        apart=_groups(len(depots), [each.apart for each in customers]),
    )


def _groups(first: int, words: Sequence[tuple[str, ...]]) -> tuple[tuple[int, ...], ...]:
    """Return the nodes that have each word; those of customers are counted from ``first`` on."""
    groups: dict[str, list[int]] = {}
    for node, own in enumerate(words, first):
        for word in dict.fromkeys(own):
            groups.setdefault(word, []).append(node)
    return tuple(map(tuple, groups.values()))


def _amounts(depots: int, customers: Sequence[Customer]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return demands and pickups of all nodes, of shape (n, dimensions); integers if all are."""
    given = [[each.demand for each in customers], [each.pickup for each in customers]]
    rows = [[each if isinstance(each, tuple | list) else (each,) for each in column] for column in given]
    wide = max(1, *(len(row) for column in rows for row in column))
    tables = []
    for what, column in zip(("demands", "pickups"), rows, strict=True):
        if any(len(row) not in (0, wide) and any(row) for row in column):
            raise InputError(f"{what} have {wide} dimensions, and some customers have fewer")
        full = [row if len(row) == wide else (0,) * wide for row in column]
        table = np.array([(0,) * wide] * depots + full)
        if table.dtype.kind not in "biuf":
            raise InputError(f"{what} are numbers")
        tables.append(table.astype(np.int64) if table.dtype.kind in "biu" else table.astype(np.float64))
    return tables[0], tables[1]


def _allowed(depots: int, customers: Sequence[Customer], vehicles: Sequence[VehicleType]) -> NDArray[np.bool_] | None:
    """Return which types may serve each node; None if all may."""
    if not any(each.skills or each.vehicles or each.days for each in customers):
        return None
    allowed = np.ones((depots + len(customers), len(vehicles)), np.bool_)
    known = {skill for kind in vehicles for skill in kind.skills}
    names, driven = {kind.name for kind in vehicles}, {kind.day for kind in vehicles}
    for at, each in enumerate(customers, depots):
        who = f"customer {count(at)}" + (f" ({each.name!r})" if each.name else "")
        for skill in {*each.skills} - known:
            raise InputError(f"{who} needs the skill {skill!r}, which no vehicle has")
        for name in {*each.vehicles} - names:
            raise InputError(f"{who} may be served by {name!r}, and no type of vehicles is called so")
        for day in {*each.days} - driven:
            raise InputError(f"{who} may be served on {day!r}, and no type of vehicles drives on that day")
        for column, kind in enumerate(vehicles):
            named = (not each.vehicles or kind.name in each.vehicles) and (not each.days or kind.day in each.days)
            allowed[at, column] = named and {*each.skills} <= {*kind.skills}
    return allowed
