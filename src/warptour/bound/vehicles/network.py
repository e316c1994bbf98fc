"""A VRP as bounds see it: the depot is node 0, and costs, loads and times are integers, so that sums are exact.

Whatever is rounded is rounded so that no routes become dearer or forbidden.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.model.limits import LIMIT_TOLERANCE
from warptour.model.vehicles import VRP

Whole: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

NONE = 1 << 60
"""Cost of an arc that is not there, as in ``ng_routes.h``."""

COST_BITS, WHOLE_BITS = 40, 20
"""Binary logarithm of the largest scaled distance, and of the scale of integral distances."""

AMOUNT_BITS = 28
"""Binary logarithm of the largest scaled load and time."""

RELATIVE_ERROR = 2.0**-44
"""Bound on the relative rounding error of a float cost, as for tours."""

CHEAPER_SHARE = 1e-10
"""Share of a float cost by which other routes must be cheaper to count."""

MOST_NODES = 2500
"""Maximum number of nodes: costs are a table."""


@dataclass(frozen=True)
class Amount:
    """What rises along a route, by at least one on each leg to a customer, and is limited at each node."""

    step: NDArray[np.int32]  # (n, n): what an arc adds
    # opens, closes: (n,): least amount behind each node, and the largest
    opens: NDArray[np.int32]
    closes: NDArray[np.int32]
    # (n, n): what an arc adds between the amounts of a path to its tail and of one from its head, counted from the end
    gap: NDArray[np.int32]
    whole: int  # the largest sum of both

    def reversed(self) -> Amount:
        """Return the resource of routes that are driven backwards, counted from the end."""
        if not self.gap.any():
            return self
        step = np.ascontiguousarray(self.step.T)
        return Amount(step, self.whole - self.closes, self.whole - self.opens, step, self.whole)

    @property
    def symmetric(self) -> bool:
        """Whether a route driven backwards takes the same."""
        back = self.reversed()
        same = (
            (self.step == back.step).all() and (self.opens == back.opens).all() and (self.closes == back.closes).all()
        )
        return bool(same)


class RouteNetwork:
    """Nodes of a VRP without a fleet, the depot first.

    ``nodes``: (n,): node of the problem that each one is
    ``costs``: (n, n): twice the scaled cost of each arc; half of what a vehicle costs is on each arc of the depot
    ``bits``: binary logarithm of the scale
    ``demands``, ``capacity``: (n,), and int
    ``resource``: time, or the load where there is none
    ``loads``, ``limit``: (n,), and int: what each customer adds to the second amount, the load beside time, and its
        limit
    ``fewest``, ``most``: numbers of routes between which every solution has
    """

    def __init__(self, problem: VRP) -> None:
        self.problem = problem
        self.nodes = np.concatenate(([problem.depot], problem.customers)).astype(np.int64)
        self.n = n = len(self.nodes)
        lengths = np.asarray(problem.distances(self.nodes[:, None], self.nodes[None, :]), np.float64).copy()
        np.fill_diagonal(lengths, 0.0)
        self.longest = float(np.abs(lengths).max(initial=0.0)) + float(problem.fixed_cost)
        room = COST_BITS - math.frexp(self.longest)[1] if self.longest else 0
        self.whole = problem.metric.integral and float(problem.fixed_cost).is_integer()
        self.bits = min(room, WHOLE_BITS if problem.metric.integral else 900)
        scale = 2.0**self.bits
        self.costs: Whole = 2 * np.floor(lengths * scale).astype(np.int64)
        fixed = math.floor(problem.fixed_cost * scale)
        self.costs[0, 1:] += fixed
        self.costs[1:, 0] += fixed
        loads, capacity = problem.loads
        self.demands: Whole = loads[self.nodes].astype(np.int64)
        self.capacity = math.floor(capacity)
        total = int(self.demands.sum())
        self.most = min(n - 1, problem.vehicles or n - 1)
        self.fewest = max(1, -(-total // max(1, self.capacity))) if n > 1 else 0
        self.loads, self.limit = self._scaled_loads()
        self.timed = False
        self.resource = self._time() or self._load()

    @property
    def symmetric(self) -> bool:
        """Whether all routes may be driven backwards at the same cost."""
        return bool((self.costs == self.costs.T).all()) and self.resource.symmetric

    @property
    def least(self) -> Whole:
        """Twice the scaled cost of each edge in the cheaper direction, for edges that know none."""
        return np.minimum(self.costs, self.costs.T)

    def unscaled(self, doubled: int) -> int | float:
        """Return the bound of twice a scaled cost: rounded up if costs are integral, less rounding errors if not."""
        if self.whole:
            bits = self.bits + 1
            return -(-doubled >> bits) if bits >= 0 else doubled << -bits
        exact = math.ldexp(doubled, -self.bits - 1)
        error = RELATIVE_ERROR * abs(exact)
        if self.costs.min() < 0:
            error += RELATIVE_ERROR * 2 * self.n * self.longest
        return math.nextafter(exact - error, -math.inf)

    def target(self, cost: float) -> int:
        """Return the largest value of twice the scaled cost that routes cheaper than ``cost`` may have."""
        if self.whole:
            bits, cheaper = self.bits + 1, math.ceil(cost) - 1
            return cheaper << bits if bits >= 0 else (cheaper >> -bits) + 1
        scaled = math.ldexp(cost, self.bits + 1)
        return math.ceil(scaled - CHEAPER_SHARE * abs(scaled))

    def cheaper(self, doubled: int) -> int:
        """Return the largest value of twice the scaled cost below that of other routes."""
        if self.whole:
            return doubled - (1 << max(0, self.bits + 1))
        return doubled - math.ceil(CHEAPER_SHARE * abs(doubled)) - 1

    def _scaled_loads(self) -> tuple[NDArray[np.int32], int]:
        """Return loads and capacity below 2 to the ``AMOUNT_BITS``: where they are more, both are rounded down."""
        fewer = max(0, int(self.capacity).bit_length() - AMOUNT_BITS)
        limit = self.capacity >> fewer
        return np.minimum(self.demands >> fewer, limit + 1).astype(np.int32), int(limit)

    def _load(self) -> Amount:
        """Return the load as a resource; who loads nothing takes a share of a unit, for which there is room."""
        load, limit, n = self.loads.astype(np.int64), self.limit, self.n
        idle = load[1:] == 0
        if idle.any():
            fewer = max(0, (limit * n).bit_length() - AMOUNT_BITS)
            load, limit = load >> fewer, limit >> fewer
            idle = load[1:] == 0
            load, limit = load * n, limit * n + int(idle.sum())
            load[1:] += idle
        step = np.broadcast_to(load, (n, n)).astype(np.int32)
        zeros = np.zeros(n, np.int32)
        self.loads, second = zeros, 0
        self.limit = second
        closes = np.full(n, limit, np.int32)
        return Amount(np.ascontiguousarray(step), zeros, closes, np.zeros((n, n), np.int32), int(limit))

    def _time(self) -> Amount | None:
        """Return time as a resource, or the length of routes where that is limited; None if neither is."""
        problem, nodes, n = self.problem, self.nodes, self.n
        pairs = nodes[:, None], nodes[None, :]
        schedule = problem.schedule
        services: Floats
        if schedule is not None:
            travel: Any = problem.distances(*pairs) if schedule.travel is None else schedule.travel[pairs]
            services, tolerance = schedule.services[nodes], schedule.tolerance
            opens, closes = schedule.windows.opens[nodes], schedule.windows.closes[nodes] + tolerance
            steps = np.asarray(travel, np.float64) + services[:, None]
            if problem.open:
                steps[:, 0], closes[0] = 0.0, math.inf
        elif problem.limits:
            limit = problem.limits[0]
            travel = problem.distances(*pairs) if limit.travel is None else limit.travel[pairs]
            half = limit.services[nodes] / 2
            half[0] = 0.0
            steps = np.asarray(travel, np.float64) + half[:, None] + half[None, :]
            opens, closes = np.zeros(n), np.full(n, limit.most * (1 + LIMIT_TOLERANCE))
        else:
            return None
        np.fill_diagonal(steps, 0.0)
        if steps.min() < 0:
            return None
        latest = float(opens.max()) + float(steps.max(axis=1).sum())
        closes = np.minimum(closes, latest)
        self.timed = True
        scale = 2.0 ** (AMOUNT_BITS - math.frexp(float(closes.max()))[1])
        step = np.floor(steps * scale).astype(np.int32) + 1
        shuts = np.ceil(closes * scale).astype(np.int32) + n + 2
        return Amount(step, np.floor(opens * scale).astype(np.int32), shuts, step, int(shuts.max()))


def refusal(problem: VRP) -> str | None:
    """Return why there is no bound for a problem, or None."""
    traffic = problem.clock is not None and problem.clock.traffic is not None
    windows = problem.windows
    facts = {
        "several types of vehicles or depots": problem.fleet is not None,
        "shipments": len(problem.shipments) > 0,
        "several trips of a vehicle": problem.trips,
        "pickups": problem.pickups is not None,
        "customers that may be left out": problem.optional,
        "several windows of a customer": windows is not None and windows.several,
        "a cost of lateness": problem.late_cost is not None,
        "a cost of hours": problem.hour_cost > 0,
        "travel times that depend on the time of day": traffic,
        "as few vehicles as possible": problem.fewest,
        "even routes": problem.balance is not None,
        "a plan under way": problem.locks is not None,
        f"more than {MOST_NODES - 1:,} customers": problem.n > MOST_NODES,
    }
    found = next((what for what, present in facts.items() if present), None)
    return None if found is None else f"there are no lower bounds for {found} yet"
