"""Proof that no partition of the customers among given routes is cheaper: branch and bound on pairs of customers.

A subproblem lets some pairs of customers ride together and others not (Ryan and Foster 1981). Its bound comes from dual
prices of a linear program that are rounded to integers, and from the exact reduced costs of all of its routes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from warptour.bound.vehicles.enumeration import RouteSets
from warptour.bound.vehicles.network import Floats, RouteNetwork, Whole
from warptour.bound.vehicles.program import LinearProgram
from warptour.kernels.groups import Over, Unfinished, go_on

FIRST_ROUTES, MORE_ROUTES = 2000, 1000
"""Routes in the first program, and of those that join it at a time."""

MOST_TRIPLES, TRIPLE_ROUNDS, VIOLATION = 40, 12, 0.02
"""Cuts of three customers that join at a time, rounds of them in a subproblem, and their minimum violation."""

FRACTION = 1e-6
"""Minimum distance from 0 and 1 of how much a pair rides together, to branch on it."""

DEAR = 10
"""Cost of a customer that no route serves, in multiples of the limit."""

LARGEST = 1 << 50
"""Largest price in size."""


@dataclass
class _Subproblem:
    routes: NDArray[np.int64]
    depth: int


class PartitionProof:
    """The search for cheaper partitions.

    ``limit``: Largest cost of what is sought; it falls below that of each partition found. What is left at the end is
        that no partition costs ``limit`` or less.
    """

    def __init__(self, network: RouteNetwork, routes: RouteSets, limit: int, over: Over) -> None:
        self.network, self.routes, self.limit, self._over = network, routes, limit, over
        self._triples = np.zeros((0, 3), np.int64)
        self.root: int | None = None

    def run(self, take: Callable[[int], object]) -> None:
        """Search; ``take`` is called with proven bounds, the last of which is the limit plus one."""
        stack = [_Subproblem(np.arange(len(self.routes)), 0)]
        while stack:
            go_on(self._over)
            each = stack.pop()
            stack += self._children(each, take)
        take(self.limit + 1)

    def _children(self, each: _Subproblem, take: Callable[[int], object]) -> list[_Subproblem]:
        """Return the subproblems of one, none if it holds nothing of the limit or below."""
        program = _Program(self.network, self.routes, each.routes, self.limit, self._over)
        for turn in range(TRIPLE_ROUNDS + 1):
            program.add_triples(self._triples[program.triples :])
            if not program.solve(self.limit):
                return []
            if each.depth == 0:
                take(min(program.bound, self.limit + 1))
            chosen = program.integral()
            if chosen is not None:
                self.limit = min(self.limit, self.network.cheaper(int(self.routes.costs[chosen].sum())))
                if program.bound > self.limit:
                    return []
            fresh = program.violated(self._triples) if turn < TRIPLE_ROUNDS else np.zeros((0, 3), np.int64)
            if len(fresh) == 0:
                break
            self._triples = np.concatenate((self._triples, fresh))
        one, two = program.fractional_pair()
        members = self.routes.members[program.present]
        a, b = members[:, one], members[:, two]
        apart, together = program.present[~(a & b)], program.present[a == b]
        return [_Subproblem(apart, each.depth + 1), _Subproblem(together, each.depth + 1)]


class _Program:
    """The linear program of a subproblem over those of its routes that matter.

    ``present``: routes that a partition of the limit or below may have
    """

    def __init__(
        self, network: RouteNetwork, routes: RouteSets, present: NDArray[np.int64], limit: int, over: Over
    ) -> None:
        self.network, self.routes, self.present, self._over = network, routes, present, over
        self._members = routes.members[present]
        self._costs = routes.costs[present]
        self.bound = -LARGEST * network.n
        self.triples = 0
        self._served = np.zeros((len(present), 0), np.int8)
        n = network.n
        self._scale = 2.0 ** -(network.bits + 1)
        dear = (DEAR * float(abs(limit)) + 1) * self._scale
        lower = np.append(np.ones(n - 1), float(network.fewest))
        self._program = LinearProgram(lower, np.append(np.ones(n - 1), float(network.most)))
        artificial = [(np.array([at], np.int32), np.ones(1)) for at in range(n)]
        self._program.add_columns(np.full(n, dear), np.full(n, np.inf), artificial)
        self._active = np.zeros(0, np.int64)
        size = np.maximum(1, self._members.sum(axis=1))
        self._activate(np.argsort(self._costs / size, kind="stable")[:FIRST_ROUTES])

    def _activate(self, which: NDArray[np.int64]) -> None:
        n = self.network.n
        entries = []
        for at in which.tolist():
            rows = np.flatnonzero(self._members[at]) - 1
            cut = n + np.flatnonzero(self._served[at])
            index = np.concatenate((rows, [n - 1], cut)).astype(np.int32)
            entries.append((index, np.ones(len(index))))
        costs = self._costs[which].astype(np.float64) * self._scale
        self._program.add_columns(costs, np.full(len(which), np.inf), entries)
        self._active = np.concatenate((self._active, which))

    def add_triples(self, triples: NDArray[np.int64]) -> None:
        """Add cuts: at most one route serves two of three customers."""
        if len(triples) == 0:
            return
        served = np.stack([self._members[:, triple].sum(axis=1) > 1 for triple in triples], axis=1).astype(np.int8)
        self._served = np.concatenate((self._served, served), axis=1)
        entries = []
        for column in served.T:
            at = np.flatnonzero(column[self._active]) + self.network.n
            entries.append((at.astype(np.int32), np.ones(len(at))))
        self._program.add_rows(np.full(len(triples), -np.inf), np.ones(len(triples)), entries)
        self.triples += len(triples)

    def solve(self, limit: int) -> bool:
        """Solve over all routes; return False once no partition costs ``limit`` or less."""
        while True:
            go_on(self._over)
            if not self._program.solve(np.inf):
                raise Unfinished
            reduced, bound = self._priced()
            self.bound = max(self.bound, bound)
            if self.bound > limit:
                return False
            self._drop(reduced <= limit - bound)
            reduced = reduced[reduced <= limit - bound]
            absent = np.ones(len(reduced), np.bool_)
            absent[self._active] = False
            worth = np.flatnonzero(absent & (reduced < -1e-7 / self._scale))
            if len(worth) == 0:
                return True
            if len(worth) > MORE_ROUTES:
                worth = worth[np.argpartition(reduced[worth], MORE_ROUTES)[:MORE_ROUTES]]
            self._activate(worth)

    def _priced(self) -> tuple[Whole, int]:
        """Return the exact reduced costs of all routes, and the bound."""
        n, network = self.network.n, self.network
        scaled = np.clip(np.rint(self._program.prices / self._scale), -LARGEST, LARGEST).astype(np.int64)
        paid, count, cuts = scaled[: n - 1], int(scaled[n - 1]), np.minimum(scaled[n:], 0)
        reduced = self._costs - count
        for customer in range(1, n):
            reduced[self._members[:, customer]] -= paid[customer - 1]
        for cut in np.flatnonzero(cuts).tolist():
            reduced[self._served[:, cut] > 0] -= cuts[cut]
        income = sum(paid.tolist()) + sum(cuts.tolist()) + count * (network.fewest if count > 0 else network.most)
        return reduced, income + network.most * min(0, int(reduced.min(initial=0)))

    def _drop(self, kept: NDArray[np.bool_]) -> None:
        """Keep some routes only."""
        if kept.all():
            return
        number = np.cumsum(kept) - 1
        gone = np.flatnonzero(~kept[self._active])
        self._program.drop_columns((self.network.n + gone).astype(np.int32))
        self._active = number[self._active[kept[self._active]]]
        self.present, self._members, self._costs = self.present[kept], self._members[kept], self._costs[kept]
        self._served = self._served[kept]

    def _values(self) -> tuple[NDArray[np.bool_], Floats]:
        """Return the members of the routes in the last solution, and how much of each it uses."""
        values = self._program.values[self.network.n :]
        at = np.flatnonzero(values > 1e-7)
        return self._members[self._active[at]], values[at]

    def integral(self) -> NDArray[np.int64] | None:
        """Return the routes of the solution if it is a partition."""
        at = self._active[self._program.values[self.network.n :] > 0.5]
        whole = (self._members[at].sum(axis=0)[1:] == 1).all()
        return self.present[at] if whole and self.network.fewest <= len(at) <= self.network.most else None

    def violated(self, known: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return triples of customers of whom more than one route serves two, all in all."""
        members, values = self._values()
        weighted = members * values[:, None]
        pairs = weighted.T @ members
        excess: dict[tuple[int, int, int], float] = {}
        for route in members:
            for triple in combinations(np.flatnonzero(route).tolist(), 3):
                excess.setdefault(triple, 0.0)
        for route, value in zip(members, values, strict=True):
            for triple in combinations(np.flatnonzero(route).tolist(), 3):
                excess[triple] -= 2 * value
        near = pairs > VIOLATION
        for one, two, three in _triangles(near):
            excess.setdefault((one, two, three), 0.0)
        for present in known.tolist():
            excess.pop((present[0], present[1], present[2]), None)
        found = np.array(list(excess), np.int64).reshape(-1, 3)
        over = np.array(list(excess.values())) + (
            pairs[found[:, 0], found[:, 1]] + pairs[found[:, 0], found[:, 2]] + pairs[found[:, 1], found[:, 2]]
        )
        best = np.argsort(-over, kind="stable")[:MOST_TRIPLES]
        return found[best[over[best] > 1 + VIOLATION]]

    def fractional_pair(self) -> tuple[int, int]:
        """Return the pair of customers of which it is most open whether they ride together."""
        members, values = self._values()
        pairs = np.triu((members * values[:, None]).T @ members, 1)
        one, two = divmod(int(np.abs(pairs - 0.5).argmin()), self.network.n)
        if abs(pairs[one, two] - 0.5) > 0.5 - FRACTION:
            raise Unfinished  # the bound of an integral solution lies below its cost: rounding errors are too large
        return one, two


def _triangles(near: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Return all triples that are near each other."""
    found = []
    for one in range(1, len(near)):
        others = np.flatnonzero(near[one]).tolist()
        others = [other for other in others if other > one]
        for two in others:
            found += [(one, two, three) for three in others if three > two and near[two, three]]
    return found
