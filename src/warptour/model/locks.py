"""What a plan under way fixes: who was to serve whom, which stops keep their order, and what a change costs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from warptour.model.metric import Nodes
from warptour.model.shipments import Describe

Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Locks:
    """A plan under way, as a problem with a fleet keeps it."""

    home: Ints  # (n,): vehicle that each stop is planned for; -1 of new orders, and of what is no stop
    # (n,): along a route ranks never fall: below 0 of stops that come first, above 0 of those that come last
    rank: Ints
    turn: Ints  # (n,): nor do these, where they are above 0, whatever comes between
    change_cost: float = 0.0  # cost of each stop that another vehicle serves than was planned
    plan: tuple[Ints, ...] = ()  # stops of each vehicle that are still to be served, in order
    cancelled: tuple[str, ...] = ()  # stops of the plan that the problem has no longer

    def on(self, nodes: Nodes) -> Locks:
        """Return the locks of a selection of nodes, renumbered in its order, without the plan."""
        return replace(self, home=self.home[nodes], rank=self.rank[nodes], turn=self.turn[nodes], plan=())

    def cost(self, vehicle: int, route: Nodes) -> float:
        """Return what a vehicle's stops that were planned for another one cost."""
        if not self.change_cost:
            return 0
        home = self.home[np.asarray(route, np.int64)]
        return self.change_cost * int(((home >= 0) & (home != vehicle)).sum())

    def faults(self, route: Nodes, describe: Describe) -> list[str]:
        """Return which stops of a route are out of their order."""
        stops = np.asarray(route, np.int64)
        turned = stops[self.turn[stops] > 0]
        faults = []
        for listed, keys in ((stops, self.rank[stops]), (turned, self.turn[turned])):
            wrong = np.flatnonzero(np.diff(keys) < 0)
            if len(wrong):
                before, after = (describe(int(listed[wrong[0] + k]), "customer") for k in (0, 1))
                faults.append(f"serves {before} before {after}, against the plan's order")
        return faults
