"""A linear program over edges with rounded capacity cuts, for symmetric costs: bounds of problems with long routes.

Each customer has two edges, the depot two for each route, and sets of customers are crossed as often as they need
vehicles (Laporte and Nobert 1983). Any dual prices bound the cost: what all nodes and sets pay, plus what each edge
that is cheaper than its prices saves, over the complete graph.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from warptour.bound.vehicles.cuts import Cuts, Prices, separate
from warptour.bound.vehicles.network import NONE, Floats, RouteNetwork
from warptour.bound.vehicles.program import LinearProgram
from warptour.kernels.groups import Over, go_on

NEAREST = 8
"""Edges of each customer in the first program, besides those of the depot."""

MOST_EDGES = 5
"""Maximum number of edges that join the program at a time, per node."""

MOST_CUTS = 100
"""Maximum number of cuts that join the program at a time."""

SLACK_ROUNDS = 8
"""Rounds after which a cut without a price leaves the program."""

GAIN_ROUNDS, GAIN = 12, 5e-5
"""The work ends after so many rounds without a gain of this share of the bound."""


def bound_of(network: RouteNetwork, cuts: Cuts, prices: Prices) -> int:
    """Return a lower bound on twice the scaled cost: exact, for any prices."""
    left = np.minimum(prices.reduced(network.least, cuts), 0)
    customers = int(np.triu(left[1:, 1:], 1).sum())
    return prices.income(network, cuts) + customers + 2 * int(left[0, 1:].sum())


class EdgeProgram:
    """The program, its cuts and its edges.

    ``prices``: those of the best bound
    """

    def __init__(self, network: RouteNetwork, over: Over) -> None:
        self.network, self._over = network, over
        self.cuts = Cuts(network)
        n = network.n
        self.prices = Prices(np.zeros(n, np.int64), np.zeros(0, np.int64))
        self.bound = bound_of(network, self.cuts, self.prices)
        self._idle = np.zeros(0, np.int64)
        self._present = np.zeros((n, n), np.bool_)
        self._ends = np.zeros((2, 0), np.int64)
        degrees = np.full(n, 2.0)
        most = degrees.copy()
        degrees[0], most[0] = 2.0 * network.fewest, 2.0 * network.most
        self._program = LinearProgram(degrees, most)
        costs = network.least.astype(np.float64)
        np.fill_diagonal(costs, np.inf)
        costs[:, 0] = np.inf
        near = np.argsort(costs[1:], axis=1, kind="stable")[:, :NEAREST]
        tails = np.repeat(np.arange(1, n), near.shape[1])
        self._add_edges(np.append(tails, np.zeros(n - 1, np.int64)), np.append(near.ravel(), np.arange(1, n)))

    def run(self, deadline: float, take: Callable[[int], object]) -> None:
        """Raise the bound until time is up, or it rises no more; ``take`` is called with each one."""
        stalled, last = 0, self.bound
        rounds = 0
        while stalled < GAIN_ROUNDS and time.perf_counter() < deadline:
            go_on(self._over)
            if not self._program.solve(deadline - time.perf_counter()):
                return
            prices = self._priced()
            found = bound_of(self.network, self.cuts, prices)
            if found > self.bound or rounds == 0:
                self.bound, self.prices = max(found, self.bound), prices
                take(found)
            added = self._add_missing(prices)
            if self.bound > last + GAIN * abs(last):
                last, stalled = self.bound, 0
            else:
                stalled += added == 0
            self._forget()
            if self._cut(rounds) == 0 and added == 0:
                return
            rounds += 1

    def _priced(self) -> Prices:
        n, duals = self.network.n, self._program.prices
        return Prices.rounded(self.network, 2 * duals[:n], duals[n:])

    def _add_missing(self, prices: Prices) -> int:
        """Add edges that are cheaper than their prices; return how many."""
        left = prices.reduced(self.network.least, self.cuts)
        left[self._present] = NONE
        left[np.tril_indices(self.network.n)] = NONE
        worth = np.flatnonzero(left.ravel() < -(1 << max(0, self.network.bits - 10)))
        most = MOST_EDGES * self.network.n
        if len(worth) > most:
            worth = worth[np.argpartition(left.ravel()[worth], most)[:most]]
        self._add_edges(*np.divmod(worth, self.network.n))
        return len(worth)

    def _add_edges(self, one: NDArray[np.int64], two: NDArray[np.int64]) -> None:
        n = self.network.n
        keys = np.unique(np.minimum(one, two) * n + np.maximum(one, two))
        one, two = np.divmod(keys, n)
        fresh = ~self._present[one, two]
        one, two = one[fresh], two[fresh]
        self._present[one, two] = self._present[two, one] = True
        crossed = self.cuts.sets[:, one] != self.cuts.sets[:, two]
        entries = []
        for at in range(len(one)):
            rows = np.append((one[at], two[at]), n + np.flatnonzero(crossed[:, at])).astype(np.int32)
            entries.append((rows, np.ones(len(rows))))
        costs = np.ldexp(self.network.least[one, two].astype(np.float64), -self.network.bits - 1)
        self._program.add_columns(costs, np.where(one == 0, 2.0, 1.0), entries)
        self._ends = np.concatenate((self._ends, (one, two)), axis=1)

    def flow(self) -> Floats:
        """Return how much of each edge the last solution uses."""
        flow = np.zeros((self.network.n, self.network.n))
        values = self._program.values
        one, two = self._ends[:, : len(values)]
        flow[one, two] = values
        return flow + flow.T

    def _cut(self, seed: int) -> int:
        """Add violated cuts; return how many."""
        sets = self.cuts.add(separate(self.network, self.flow(), MOST_CUTS, seed))
        one, two = self._ends
        entries = []
        for inside in sets:
            columns = np.flatnonzero(inside[one] != inside[two]).astype(np.int32)
            entries.append((columns, np.ones(len(columns))))
        least = self.cuts.least[len(self.cuts) - len(sets) :].astype(np.float64)
        self._program.add_rows(least, np.full(len(sets), np.inf), entries)
        self._idle = np.append(self._idle, np.zeros(len(sets), np.int64))
        paid = np.append(self.prices.crossings, np.zeros(len(self.cuts) - len(self.prices.crossings), np.int64))
        self.prices = Prices(self.prices.nodes, paid)
        return len(sets)

    def _forget(self) -> None:
        """Remove cuts that have had no price for some rounds."""
        n = self.network.n
        paid = np.append(self.prices.crossings, np.zeros(len(self.cuts) - len(self.prices.crossings), np.int64))
        idle = (self._program.prices[n:] < 1e-9) & (paid == 0)
        self._idle = np.where(idle, self._idle + 1, 0)
        keep = self._idle < SLACK_ROUNDS
        if keep.all():
            return
        self._program.drop_rows((n + np.flatnonzero(~keep)).astype(np.int32))
        self.cuts.keep(keep)
        self._idle, self.prices = self._idle[keep], Prices(self.prices.nodes, paid[keep])
