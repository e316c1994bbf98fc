"""Lower bounds for vehicles within a time limit: first a program over edges, then one over routes, then a proof."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.bound.bound import Bound
from warptour.bound.vehicles.columns import RouteProgram
from warptour.bound.vehicles.edges import EdgeProgram
from warptour.bound.vehicles.enumeration import MOST_NODES, enumerated
from warptour.bound.vehicles.network import RouteNetwork
from warptour.bound.vehicles.partition import PartitionProof
from warptour.bound.vehicles.pricing import NoRoom
from warptour.kernels.groups import Over, Unfinished
from warptour.model.gaps import is_optimal
from warptour.model.vehicles import VRP

EDGES_SHARE = 0.15
"""Share of the time for the program over edges, where one over routes follows."""

LONG = 40
"""Mean number of customers of a full route from which there is no program over routes: labels would be too many."""

Plan: TypeAlias = tuple[int | float, Sequence[NDArray[Any]]]
"""Cost and routes of a solution."""


def prove_vehicles(
    problem: VRP,  # one that :func:`~warptour.bound.vehicles.network.refusal` does not refuse
    seconds: float = 10.0,  # time limit; the work ends earlier once the bound rises no more
    over: Over | None = None,  # ends the work once it returns True
    listener: Callable[[int | float], object] | None = None,  # called with each bound that is higher than those before
    plan: Callable[[], Plan | None] | None = None,  # returns the best solution known so far, or None
) -> Bound:
    """Return the highest lower bound on the cost of all routes of ``problem`` that the time allows."""
    began = time.perf_counter()
    work = _Work(problem, began + seconds, over, listener, plan or (lambda: None))
    with suppress(Unfinished, NoRoom):
        work.run()
    known = work.plan()
    tight = known is not None and is_optimal(known[0], work.bound)
    return Bound(problem.name, problem.n, work.bound, time.perf_counter() - began, work.rounds, tight)


class _Work:
    """The bound so far, and what leads to higher ones."""

    def __init__(
        self,
        problem: VRP,
        deadline: float,
        over: Over | None,
        listener: Callable[[int | float], object] | None,
        plan: Callable[[], Plan | None],
    ) -> None:
        self.problem, self.deadline, self.plan = problem, deadline, plan
        self._over, self._listener = over, listener
        self.network = RouteNetwork(problem)
        self.bound: int | float = -math.inf
        self.rounds = 0
        least = int(np.minimum(self.network.costs.min(axis=0), 0).sum() + np.minimum(self.network.costs[:, 0], 0).sum())
        self.take(least)
        self.rounds = 0

    def take(self, doubled: int) -> None:
        """Keep the bound of twice a scaled cost if it is higher."""
        self.rounds += 1
        found = self.network.unscaled(doubled)
        if found > self.bound:
            self.bound = found
            if self._listener is not None:
                self._listener(found)

    def late(self) -> bool:
        """Return whether to end."""
        return time.perf_counter() >= self.deadline or (self._over is not None and self._over())

    def limit(self) -> float:
        """Return the bound, twice the scaled cost, from which on the plan is optimal."""
        known = self.plan()
        return math.inf if known is None else float(self.network.target(known[0])) + 1

    def run(self) -> None:
        """Raise the bound until time is up or nothing can be gained."""
        network = self.network
        if network.n < 3:
            return
        share = EDGES_SHARE if self._short() else 1.0
        edges = EdgeProgram(network, self.late)
        edges.run(time.perf_counter() + share * (self.deadline - time.perf_counter()), self.take)
        if share == 1.0 or edges.bound >= self.limit():
            return
        routes = RouteProgram(network, edges.cuts, edges.prices, edges.bound, self._planned(), self.late, self.limit)
        routes.run(self.deadline, self.take)
        self.prove(routes)

    def prove(self, routes: RouteProgram) -> None:
        """Prove that no routes are cheaper than the plan, if there are few that may be part of them."""
        network, known = self.network, self.plan()
        if known is None or network.n > MOST_NODES or routes.bound >= self.limit():
            return
        target = network.target(known[0])
        costs = routes.prices.reduced(network.costs, routes.cuts)
        sets = enumerated(routes.pricer, costs, target - routes.bound + 1)
        if sets is not None:
            PartitionProof(network, sets, target, self.late).run(self.take)

    def _short(self) -> bool:
        """Return whether routes are so short that they can be priced."""
        return (self.network.n - 1) / self.network.fewest <= LONG or self.network.timed

    def _planned(self) -> list[NDArray[np.int64]]:
        """Return the routes of the plan in the numbers of the network, from depot to depot."""
        known = self.plan()
        if known is None:
            return []
        number = np.zeros(self.problem.n, np.int64)
        number[self.network.nodes] = np.arange(self.network.n)
        return [np.concatenate(([0], number[np.asarray(route)], [0])) for route in known[1] if len(route)]
