"""The distance-constrained capacitated vehicle routing problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.errors import InfeasibleError, InputError
from warptour.model.exactness import check_cost, check_load
from warptour.model.loads import CAPACITY_TOLERANCE, whole_loads
from warptour.model.metric import Floats, Ints, Nodes
from warptour.model.nonnegative import lowest_distance
from warptour.model.problem import Problem, freeze, permutation_faults
from warptour.model.quantities import finite_number, whole_number
from warptour.model.report import Report

Routes: TypeAlias = list[NDArray[np.int32]]
"""A solution: for each vehicle the customers it visits, in order, without the depot."""

LIMIT_TOLERANCE = 1e-8
"""By how much of its length limit a route may exceed it, to forgive float64 and limits that were rounded."""

SEARCHED_LIMIT = 1e-9
"""The same for searches, which sum in another order: what they find is well within what :meth:`VRP.check` forgives."""

MAX_VEHICLES = 2**31 - 1
"""Vehicles that a limit may name; what kernels count is int32."""

EXACT_NODES = 5000
"""Nodes up to which shortest paths prove that a customer is out of reach, in 1 s; beyond, bounds from below do."""


@dataclass(frozen=True, eq=False)
class VRP(Problem):
    """Routes from one depot that serve every customer once.

    Attributes
    ----------
    demands : array of int64 or float64, shape (n,)
        What each node needs; 0 at the depot.
    capacity : int or float
        What one vehicle carries.
    depot : int
        The node where every route starts and ends.
    max_distance : float or None
        Limit on a route's travel plus its customers' service times.
    service_times : array of float64, shape (n,)
        Time spent at each customer, counted against ``max_distance`` and never in the cost.
    vehicles : int or None
        How many routes there may be.
    fixed_cost : float
        Added to the cost for every route that is used.
    """

    kind: ClassVar[str] = "vrp"

    demands: Ints | Floats = field(default_factory=lambda: np.empty(0, np.int64))
    capacity: float = 0
    depot: int = 0
    max_distance: float | None = None
    service_times: Floats = field(default_factory=lambda: np.empty(0))
    vehicles: int | None = None
    fixed_cost: float = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        demands = _amounts(self.demands, "demand", self.n)
        if not np.issubdtype(demands.dtype, np.integer):
            demands = np.asarray(demands, np.float64)
        given = np.size(self.service_times) > 0
        services = _amounts(self.service_times, "service time", self.n) if given else np.zeros(self.n)
        depot = whole_number(self.depot)
        if depot is None or not 0 <= depot < self.n:
            raise InputError(f"depot is {self.depot!r}; here nodes are counted from 0 to {self.n - 1}")
        if demands[depot] != 0:
            raise InputError(f"the depot {depot + 1} has the demand {demands[depot]}; it must be 0")
        capacity, limit, fixed_cost = (
            finite_number(self.capacity),
            finite_number(self.max_distance),
            finite_number(self.fixed_cost),
        )
        if capacity is None or capacity <= 0:
            raise InputError(f"the capacity is {self.capacity}; it must be a number above 0")
        if self.max_distance is not None and (limit is None or limit <= 0):
            raise InputError(f"the route limit is {self.max_distance}; it must be a number above 0, or None")
        if fixed_cost is None or fixed_cost < 0:
            raise InputError(f"the fixed cost is {self.fixed_cost}; it must be a number of at least 0")
        vehicles = whole_number(self.vehicles)
        if self.vehicles is not None and (vehicles is None or not 1 <= vehicles <= MAX_VEHICLES):
            raise InputError(f"{self.vehicles} vehicles; it must be an integer from 1 to {MAX_VEHICLES}, or None")
        for name, value in (
            ("depot", depot), ("capacity", capacity), ("max_distance", limit),
            ("fixed_cost", fixed_cost), ("vehicles", vehicles),
        ):  # fmt: skip
            object.__setattr__(self, name, value)
        freeze(self, "demands", demands)
        freeze(self, "service_times", np.asarray(services, np.float64))
        check_load(demands)
        check_cost(self, depot)

    @property
    def customers(self) -> NDArray[np.int32]:
        """All nodes but the depot."""
        return np.delete(np.arange(self.n, dtype=np.int32), self.depot)

    @cached_property
    def loads(self) -> tuple[Floats, float]:
        """Demands and capacity in a common unit, as whole numbers, whose sums are exact; see :func:`whole_loads`."""
        return whole_loads(self.demands, self.capacity)

    @property
    def searched_limit(self) -> float:
        """The route limit for searches, infinite where there is none."""
        return np.inf if self.max_distance is None else self.max_distance * (1 + SEARCHED_LIMIT)

    def route_cost(self, route: Nodes) -> int | float:
        """Return the exact travel of one route, from the depot and back to it."""
        if len(route) == 0:
            return 0
        return self.length(np.concatenate(([self.depot], route, [self.depot])))

    def cost(self, routes: Sequence[Nodes]) -> int | float:
        """Return the exact cost of ``routes``: travel, plus the fixed cost of each that is used."""
        used = [route for route in routes if len(route)]
        travel = self.length(self.giant_tour(used)) if used else 0
        return travel + self.fixed_cost * len(used)

    def giant_tour(self, routes: Sequence[Nodes]) -> NDArray[np.int32]:
        """Return the routes as one walk that passes the depot before, between and after them."""
        parts = [np.array([self.depot], np.int32)]
        for route in routes:
            parts += [np.asarray(route, np.int32), parts[0]]
        return np.concatenate(parts)

    def split_giant_tour(self, walk: Nodes) -> Routes:
        """Return the routes of a walk that passes the depot between them; the inverse of :meth:`giant_tour`."""
        walk = np.asarray(walk, np.int32)
        pieces = np.split(walk, np.flatnonzero(walk == self.depot))
        return [piece[piece != self.depot] for piece in pieces if (piece != self.depot).any()]

    def check(self, routes: Sequence[Nodes]) -> Report:
        """Return the cost of ``routes`` and which route breaks what by how much."""
        used = [cast(Nodes, np.asarray(route)) for route in routes if len(route)]
        visits = np.concatenate([*used, [self.depot]]).astype(np.int64)
        violations = permutation_faults(visits, self.n)
        if any(((route < 0) | (route >= self.n)).any() for route in used):
            used = [route[(route >= 0) & (route < self.n)] for route in used]
            return Report(self.cost(used), tuple(violations))
        loads, room = self.loads
        for number, route in enumerate(used, 1):
            if loads[route].sum() > room:
                load = self.demands[route].sum().item()
                excess = load - self.capacity
                violations.append(f"route {number} carries {load:g}, {excess:g} over the capacity {self.capacity:g}")
            if self.max_distance is None:
                continue
            time = self.route_cost(route) + self.service_times[route].sum().item()
            if time > self.max_distance * (1 + LIMIT_TOLERANCE):
                excess = time - self.max_distance
                violations.append(
                    f"route {number} is {time:.6g} long, {excess:.6g} over the limit {self.max_distance:g}"
                )
        if self.vehicles is not None and len(used) > self.vehicles:
            violations.append(f"{len(used)} routes, {len(used) - self.vehicles} more than the vehicles")
        return Report(self.cost(used), tuple(violations))

    def prove_infeasible(self, over: Callable[[], bool] | None = None) -> None:
        """Raise :class:`InfeasibleError` if a single customer or the total demand rules out every solution.

        Once ``over()``, no proof is looked for any more.
        """
        loads, room = self.loads
        heavy = loads > room
        if heavy.any():
            node = int(heavy.argmax())
            raise InfeasibleError(
                f"customer {node + 1} has the demand {self.demands[node]:g}, above the capacity {self.capacity:g}"
            )
        total = self.demands.sum().item()
        if self.vehicles is not None and total > self.vehicles * self.capacity * (1 + CAPACITY_TOLERANCE):
            most = self.vehicles * self.capacity
            raise InfeasibleError(f"the demands sum to {total:g}, above the {most:g} of all {self.vehicles} vehicles")
        if self.max_distance is None:
            return
        nodes = self.customers
        services = self.service_times[nodes]
        limit = self.max_distance * (1 + LIMIT_TOLERANCE)
        if not (2 * self.distances(np.full(len(nodes), self.depot), nodes) + services > limit).any():
            return
        exact = self.n <= EXACT_NODES
        ways = self.shortest_paths(limit / 2, over)[nodes] if exact else self._least_paths(nodes)
        trips = 2 * ways + services
        far = trips > limit
        if far.any():
            at = int(far.argmax())
            need = f"{'' if exact else 'at least '}{trips[at]:g}"
            raise InfeasibleError(
                f"customer {nodes[at] + 1} alone needs a route of {need}, above the limit {self.max_distance:g}"
            )

    def shortest_paths(self, reach: float, over: Callable[[], bool] | None = None) -> Floats:
        """Return how near to the depot each node is by any path; beyond ``reach``, only that it is beyond.

        It is 0 where that is not known before ``over()``, or distances are negative. A rounded or given distance may be
        longer than a detour, so the way there and back proves nothing by itself.
        """
        if self.matrix is not None and lowest_distance(self.matrix) < 0:
            return np.zeros(self.n)
        everywhere = np.arange(self.n)
        paths = np.full(self.n, np.inf)
        paths[self.depot] = 0.0
        open_paths = paths.copy()
        while open_paths.min() <= reach:
            if over is not None and over():
                return np.zeros(self.n)
            node = int(open_paths.argmin())
            through = paths[node] + self.distances(np.array([node]), everywhere)
            nearer = through < paths
            nearer[node] = False
            paths[nearer] = open_paths[nearer] = through[nearer]
            open_paths[node] = np.inf
        return paths

    def _least_paths(self, nodes: Nodes) -> Floats:
        """Return a bound from below on any path from the depot to each of ``nodes``, in time for many of them.

        Lengths before rounding obey the triangle inequality. Rounded up, a path is never shorter than the straight
        line. Rounded otherwise, a step that is 1 or longer keeps 2/3 of its length, or half of it if rounded down;
        shorter ones, which may all be free, are ruled out by coordinates that are whole numbers.
        """
        metric = self.metric
        if metric.norm == "matrix":
            return np.zeros(len(nodes))
        lines = metric.rounded("none").distances(self.points, np.full(len(nodes), self.depot), nodes)
        error = 1e-12 if metric.planar else 1e-6  # of float64, relative
        straight: Floats = np.asarray(lines, np.float64) * (1 - error)
        if metric.rounding == "none":
            return straight
        kept = 1.0
        if metric.rounding in ("nearest", "floor"):
            whole = metric.planar and metric.divisor == 1.0 and bool((self.points == np.floor(self.points)).all())
            if not whole:
                return np.zeros(len(nodes))
            if metric.norm == "euclidean":
                kept = 2 / 3 if metric.rounding == "nearest" else 1 / 2
        bound: Floats = np.ceil(kept * straight)
        return bound


def _amounts(values: ArrayLike, what: str, n: int) -> NDArray[Any]:
    """Return a number of at least 0 for each node, or say for which there is none."""
    try:
        amounts = np.asarray(values)
    except ValueError:
        raise InputError(f"{what}s are one number a node") from None
    if amounts.dtype.kind not in "biuf":
        raise InputError(f"{what}s are numbers, not {amounts.dtype}")
    if amounts.shape != (n,):
        raise InputError(f"{amounts.size} {what}s for {n} nodes")
    bad = ~np.isfinite(amounts) | (amounts < 0)
    if bad.any():
        node = int(bad.argmax())
        raise InputError(f"node {node + 1} has the {what} {amounts[node]}; it must be a number of at least 0")
    return amounts
