"""Routes of many solutions, from which set partitioning makes better ones (partition_routes.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.instance import Floats, Ints, RouteInstance

MAX_ROUTES: Final = 20_000
"""Maximum number of routes kept; those seen last stay."""

MAX_COLUMNS: Final = 10_000
"""Maximum number of routes that one partition chooses from: HiGHS takes seconds for so many."""

MAX_WHOLE: Final = 1_200
"""Maximum number of customers of a partition; of more, those near a random one are divided anew."""


class RoutePool:
    """Routes by their customers, each in the cheapest order seen.

    Two routes with the same customers have the same sum of random numbers (Zobrist 1970).
    """

    def __init__(self, instance: RouteInstance, seed: int) -> None:
        self._instance = instance
        self._rng = np.random.default_rng([seed, 2])
        self._numbers = self._rng.integers(1, 2**63, instance.problem.n, np.uint64)
        self._numbers[0] = 0
        self._routes: dict[int, tuple[float, Ints]] = {}

    @staticmethod
    def supports(problem: VRP) -> bool:
        """Return whether the cost of routes is their travel and one fixed cost each."""
        return not problem.mixed and (problem.schedule is None or not problem.schedule.priced)

    def __len__(self) -> int:
        return len(self._routes)

    def add(self, giant: Ints) -> None:
        """Add the routes of a giant tour without empty ones."""
        ends = np.flatnonzero(giant == 0)
        firsts = np.concatenate(([0], ends[:-1] + 1))
        keys = np.add.reduceat(self._numbers[giant], firsts).tolist()
        legs = self._instance.problem.distances(np.roll(giant, 1), giant).astype(np.float64)
        costs = np.add.reduceat(legs, firsts) + self._instance.problem.fixed_cost
        routes = self._routes
        for key, cost, first, end in zip(keys, costs.tolist(), firsts.tolist(), ends.tolist(), strict=True):
            known = routes.pop(key, None)
            routes[key] = known if known is not None and known[0] <= cost else (cost, giant[first:end].copy())
        while len(routes) > MAX_ROUTES:
            del routes[next(iter(routes))]

    def columns(self, giant: Ints) -> Columns:
        """Return the routes from which to choose better ones than those of ``giant``, of all customers or some."""
        self.add(giant)
        seen = [route for _, route in reversed(self._routes.values())]
        costs = [cost for cost, _ in reversed(self._routes.values())]
        own = seen[: int(np.count_nonzero(giant == 0))]
        inside = self._region(own)
        chosen = [k for k, route in enumerate(seen) if inside[route].all()][:MAX_COLUMNS]
        rest = [route for route in own if not inside[route[0]]]
        return Columns([seen[k] for k in chosen], np.array([costs[k] for k in chosen]), len(own) - len(rest), rest)

    def _region(self, own: list[Ints]) -> NDArray[np.bool_]:
        """Return which nodes are divided anew: all, or of many the customers of routes around a random one."""
        inside = np.ones(self._instance.problem.n, np.bool_)
        places = self._instance.places
        if len(inside) <= MAX_WHOLE or places is None:
            return inside
        centre = places[self._rng.integers(1, len(inside))]
        far = [float(np.abs(places[route] - centre).sum(axis=1).min()) for route in own]
        inside[:] = False
        left = MAX_WHOLE
        for number in np.argsort(far, kind="stable").tolist():
            left -= len(own[number])
            if left < 0:
                break
            inside[own[number]] = True
        return inside


@dataclass(frozen=True, eq=False)
class Columns:
    """Routes to choose from."""

    routes: Routes
    costs: Floats
    known: int  # number of routes, the first ones, that serve each of their customers once
    rest: Routes  # the routes of other customers, which stay

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Costs, customers numbered from 0, where those of each route end, and the known routes."""
        nodes = np.concatenate(self.routes)
        customers = np.unique(nodes, return_inverse=True)[1].astype(np.int32)
        ends = np.cumsum([len(route) for route in self.routes]).astype(np.int32)
        known = np.arange(self.known, dtype=np.int32)
        return {"costs": self.costs, "ends": ends, "customers": customers, "known": known}

    def giant_tour(self, chosen: Ints) -> Ints:
        """Return the giant tour of the chosen routes and the rest."""
        depot = np.zeros(1, np.int32)
        routes = [*(self.routes[k] for k in chosen.tolist()), *self.rest]
        return np.concatenate([part for route in routes for part in (route, depot)]).astype(np.int32)

    def gain(self, chosen: Ints) -> float:
        """Return by how much the chosen routes are cheaper than those known."""
        return float(self.costs[: self.known].sum() - self.costs[chosen].sum())
