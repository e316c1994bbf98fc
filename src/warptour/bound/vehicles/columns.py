"""A linear program over ng-routes by column generation, with rounded capacity cuts: bounds where routes are short.

The dual prices of the program, moved towards those of the best bound so far (Wentges 1997) and rounded to integers, are
the costs under which the cheapest ng-route is sought. What all customers, routes and sets pay, plus what the cheapest
route costs less than its prices for each vehicle, is a bound whatever the prices: nothing of the program is trusted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from warptour.bound.vehicles.cuts import Cuts, Prices, separate
from warptour.bound.vehicles.network import Floats, RouteNetwork, Whole
from warptour.bound.vehicles.pricing import Memory, Pricer
from warptour.bound.vehicles.program import LinearProgram
from warptour.kernels.groups import Over, go_on

REMEMBERED, MOST_REMEMBERED = 8, 16
"""Customers that a customer remembers at first, and at most, where paths came back too early."""

HEADS = 12
"""Arcs from each customer when routes are sought quickly."""

WEIGHT = 0.7
"""Share of the prices of the best bound in those that routes are priced with."""

MOST_CUTS = 40
"""Maximum number of cuts that join at a time."""

MOST_COLUMNS = 30
"""Columns per row above which those of the largest reduced cost leave the program."""

GAIN_ROUNDS, GAIN = 4, 2e-5
"""Rounds of cuts and memories without a gain of this share of the bound, after which the work ends."""

Routes = Sequence[NDArray[np.int64]]


class RouteProgram:
    """The program over routes.

    ``bound``: the best bound on twice the scaled cost
    ``prices``: those of the best bound
    """

    def __init__(
        self,
        network: RouteNetwork,
        cuts: Cuts,
        prices: Prices,
        bound: int,
        routes: Routes,
        over: Over,
        limit: Callable[[], float],
    ) -> None:
        self.network, self.cuts, self.prices, self.bound = network, cuts, prices, bound
        keep = (prices.crossings > 0) & (cuts.least > 2)  # one vehicle enters each set in every solution of the program
        cuts.keep(keep)
        self.prices = Prices(prices.nodes, prices.crossings[keep])
        self._over, self._limit = over, limit
        self.memory = Memory.of_nearest(network, REMEMBERED)
        self.pricer = Pricer(network, self.memory, over)
        n = network.n
        lower, upper = np.append(np.ones(n - 1), network.fewest), np.append(np.full(n - 1, np.inf), network.most)
        self._program = LinearProgram(lower.astype(np.float64), upper.astype(np.float64))
        self._routes: list[NDArray[np.int64]] = []
        self._known: set[bytes] = set()
        self._artificial = n - 1
        scale = 2.0 ** -(network.bits + 1)
        dear = 10 * float(np.abs(network.costs).max()) * scale + 1
        entries = [(np.array([at], np.int32), np.ones(1)) for at in range(n - 1)]
        self._program.add_columns(np.full(n - 1, dear), np.full(n - 1, np.inf), entries)
        self._add_cut_rows(cuts.sets, cuts.least)
        self._add([*routes, *(np.array([0, node, 0], np.int64) for node in range(1, n))])

    def run(self, deadline: float, take: Callable[[int], object]) -> None:
        """Raise the bound until time is up or it rises no more; ``take`` is called with each one.

        Raises :class:`~warptour.bound.vehicles.pricing.NoRoom` where there are too many labels.
        """
        stalled, last, seed = 0, self.bound, 0
        while self._converge(deadline, take) and self.bound < self._limit():
            stalled = 0 if self.bound > last + GAIN * abs(last) else stalled + 1
            last = max(last, self.bound)
            if stalled >= GAIN_ROUNDS:
                return
            go_on(self._over)
            cut = self._cut(seed)
            seed += 1
            if cut == 0 and not self._remember():
                return

    def _converge(self, deadline: float, take: Callable[[int], object]) -> bool:
        """Generate columns until the bound is that of the program; return whether it is, within the time."""
        weight, quick = WEIGHT, True
        while time.perf_counter() < deadline:
            go_on(self._over)
            if not self._program.solve(deadline - time.perf_counter()):
                return False
            ideal = self._priced()
            prices = self._between(ideal, weight)
            costs = prices.reduced(self.network.costs, self.cuts)
            least, routes = self.pricer.cheapest(costs, HEADS if quick else None)
            if not quick:
                found = prices.income(self.network, self.cuts) + self.network.most * least
                if found > self.bound:
                    self.bound, self.prices = found, prices
                    take(found)
                if self._attained():
                    return True
            added = self._add(self._improving(routes, ideal))
            if added:
                self._shrink()
                continue
            if quick and weight > 0:
                weight = 0.0 if weight < 0.2 else weight - 0.2
                continue
            if quick:
                quick, weight = False, WEIGHT
            elif weight > 0:
                weight = 0.0 if weight < 0.2 else weight - 0.3
            else:
                return True
        return False

    def _attained(self) -> bool:
        """Return whether the bound is as good as that of the program."""
        network = self.network
        if network.whole:
            return network.unscaled(self.bound) >= math.ceil(self._program.cost - 1e-6)
        return math.ldexp(self.bound, -network.bits - 1) >= self._program.cost - 1e-7 * abs(self._program.cost)

    def _priced(self) -> Prices:
        n, duals = self.network.n, self._program.prices
        return Prices.rounded(self.network, np.append(duals[n - 1], duals[: n - 1]), duals[n:])

    def _between(self, ideal: Prices, weight: float) -> Prices:
        if weight == 0:
            return ideal
        own, other = ideal.floats(self.network), self.prices.floats(self.network)
        nodes, crossings = ((1 - weight) * a + weight * b for a, b in zip(own, other, strict=True))
        return Prices.rounded(self.network, nodes, crossings)

    def _improving(self, routes: Routes, prices: Prices) -> Routes:
        """Return the routes that cost less than their prices in the program."""
        costs = prices.reduced(self.network.costs, self.cuts)
        return [route for route in routes if int(costs[route[:-1], route[1:]].sum()) < 0]

    def _add(self, routes: Routes) -> int:
        """Add routes as columns; return how many were not there."""
        fresh = []
        for route in routes:
            key = route.astype(np.int16).tobytes()
            if key not in self._known:
                self._known.add(key)
                fresh.append(route)
        n, scale = self.network.n, 2.0 ** -(self.network.bits + 1)
        costs, entries = np.empty(len(fresh)), []
        for at, route in enumerate(fresh):
            costs[at] = float(self.network.costs[route[:-1], route[1:]].sum()) * scale
            visited, times = np.unique(route[1:-1], return_counts=True)
            crossed = self.cuts.crossings(route)
            rows = np.flatnonzero(crossed)
            index = np.concatenate((visited - 1, [n - 1], n + rows)).astype(np.int32)
            entries.append((index, np.concatenate((times, [1], crossed[rows])).astype(np.float64)))
        self._program.add_columns(costs, np.full(len(fresh), np.inf), entries)
        self._routes += fresh
        return len(fresh)

    def _shrink(self) -> None:
        """Remove the columns of the largest reduced cost if there are many."""
        if len(self._routes) < MOST_COLUMNS * self.network.n:
            return
        costs = self._priced().reduced(self.network.costs, self.cuts)
        left = np.array([int(costs[route[:-1], route[1:]].sum()) for route in self._routes])
        drop = np.argsort(left, kind="stable")[len(left) // 3 :]
        drop = np.sort(drop[left[drop] > 0])
        for at in drop.tolist():
            self._known.discard(self._routes[at].astype(np.int16).tobytes())
        keep = np.ones(len(left), np.bool_)
        keep[drop] = False
        self._routes = [route for route, kept in zip(self._routes, keep, strict=True) if kept]
        self._program.drop_columns((self._artificial + drop).astype(np.int32))

    def used(self) -> tuple[Routes, Floats]:
        """Return the routes of the last solution, and how much of each it uses."""
        values = self._program.values[self._artificial :]
        at = np.flatnonzero(values > 1e-7)
        return [self._routes[k] for k in at.tolist()], values[at]

    def _flow(self) -> Floats:
        flow = np.zeros((self.network.n, self.network.n))
        for route, value in zip(*self.used(), strict=True):
            np.add.at(flow, (route[:-1], route[1:]), value)
        return flow + flow.T

    def _cut(self, seed: int) -> int:
        """Add violated cuts; return how many."""
        self._forget()
        before = len(self.cuts)
        sets = self.cuts.add(separate(self.network, self._flow(), MOST_CUTS, seed))
        self._add_cut_rows(sets, self.cuts.least[before:])
        paid = np.append(self.prices.crossings, np.zeros(len(sets), np.int64))
        self.prices = Prices(self.prices.nodes, paid)
        return len(sets)

    def _forget(self) -> None:
        """Remove cuts without a price."""
        n = self.network.n
        keep = (self._program.prices[n:] > 1e-9) | (self.prices.crossings > 0)
        self._program.drop_rows((n + np.flatnonzero(~keep)).astype(np.int32))
        self.cuts.keep(keep)
        self.prices = Prices(self.prices.nodes, self.prices.crossings[keep])

    def _add_cut_rows(self, sets: NDArray[np.bool_], least: Whole) -> None:
        entries = []
        for inside, need in zip(sets, least.tolist(), strict=True):
            own = [np.count_nonzero(inside[route[1:]] != inside[route[:-1]]) for route in self._routes]
            crossed = np.concatenate((need * inside[1:], own)).astype(np.float64)
            columns = np.flatnonzero(crossed).astype(np.int32)
            entries.append((columns, crossed[columns]))
        self._program.add_rows(least.astype(np.float64), np.full(len(sets), np.inf), entries)

    def _remember(self) -> bool:
        """Let customers remember those to which the routes in use come back between; return whether any does now."""
        near = self.memory.near.copy()
        for route in self.used()[0]:
            stops = route.tolist()
            last: dict[int, int] = {}
            for at, node in enumerate(stops[1:-1], 1):
                if node in last:
                    between = stops[last[node] + 1 : at]
                    if all(near[other].sum() < MOST_REMEMBERED or near[other, node] for other in between):
                        near[between, node] = True
                last[node] = at
        if (near == self.memory.near).all():
            return False
        memory = Memory(near)
        if (memory.near == self.memory.near).all():
            return False
        self.memory = self.pricer.memory = memory
        return self._drop_forgetful()

    def _drop_forgetful(self) -> bool:
        """Remove routes that come back too early for the memories; return whether there were any."""
        near = self.memory.near
        drop = []
        for number, route in enumerate(self._routes):
            seen: set[int] = set()
            for node in route[1:-1].tolist():
                if node in seen:
                    drop.append(number)
                    break
                seen = {other for other in seen if near[node, other]} | {node}
        gone = set(drop)
        for at in drop:
            self._known.discard(self._routes[at].astype(np.int16).tobytes())
        self._routes = [route for at, route in enumerate(self._routes) if at not in gone]
        self._program.drop_columns((self._artificial + np.array(drop, np.int64)).astype(np.int32))
        return len(drop) > 0
