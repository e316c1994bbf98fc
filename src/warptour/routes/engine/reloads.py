"""Depots where vehicles are loaded again, as nodes of a search (``kernels/routes/trips.h``).

A search needs one node for each reload: copies of the depots, the last of its customers, depot by depot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.vehicles import VRP, Routes

Ints = NDArray[np.int32]


def with_copies(problem: VRP, order: Ints) -> tuple[VRP, Ints]:
    """Return a problem with copies of its docks, and ``order``, the given problem's node of each, with them."""
    fleet = problem.fleet
    assert fleet is not None
    customers = len(problem.customers)
    reloads = [customers if each.max_trips is None else each.max_trips - 1 for each in fleet.types]
    count = max(1, customers - 1)
    if not problem.fewest:  # whose searches have ever fewer vehicles, and pass routes on in the same numbers
        count = min(count, int(np.dot(np.minimum(reloads, customers), fleet.counts)))
    copied = np.repeat(np.array(problem.docks, np.int32), count)
    nodes = np.arange(problem.n, dtype=np.int32)
    every = np.concatenate((nodes[: 1 + customers], copied, nodes[1 + customers :]))
    copies = np.arange(1 + customers, 1 + customers + len(copied))
    expanded = problem.part(every, prizes=None, copies=tuple(copies.tolist()))
    changes: dict[str, Any] = {}
    if problem.prizes is not None:
        changes["prizes"] = np.where(np.isin(np.arange(len(every)), copies), 0.0, problem.prizes[every])
    if fleet.allowed is not None or len(problem.docks) > 1:
        allowed = np.ones((len(every), len(fleet.types)), np.bool_) if fleet.allowed is None else fleet.allowed[every]
        allowed[copies] = [[dock in each.docks for each in fleet.types] for dock in copied.tolist()]
        assert expanded.fleet is not None
        changes["fleet"] = replace(expanded.fleet, allowed=allowed)
    return (replace(expanded, **changes) if changes else expanded), order[every]


@dataclass(frozen=True, eq=False)
class Reloads:
    """The copies of a problem as kernels see them."""

    problem: VRP  # with copies, all but the further depots behind its other customers

    def arguments(self, nodes: Ints) -> tuple[Any, ...]:
        """Return the docks, and what is loaded for ``nodes``, of which the last are the copies."""
        problem, copies = self.problem, len(self.problem.copies)
        each = copies // len(problem.docks)
        ends = len(nodes) - copies + each * np.arange(1, len(problem.docks) + 1)
        docks = np.concatenate(([len(problem.docks), len(nodes) - copies], ends)).astype(np.int32)
        return docks, np.ascontiguousarray(problem.starting_loads[nodes].T).reshape(-1)

    def state(self, nodes: int) -> list[NDArray[Any]]:
        """Return room for the stages of routes, and for who is idle."""
        return [np.zeros(6 * nodes), np.zeros(2 * nodes + len(self.problem.docks), np.int32)]

    def enter(self, routes: Routes) -> Routes:
        """Return routes in which copies stand where docks do, and no trip is empty."""
        docks = self.problem.docks
        idle = {
            dock: [*each] for dock, each in zip(docks, np.split(np.array(self.problem.copies), len(docks)), strict=True)
        }
        entered = []
        for route in routes:
            own: list[int] = []
            for node, then in pairwise([*route.tolist(), docks[0]]):
                if node not in idle:
                    own.append(node)
                elif own and then not in idle and idle[node]:
                    own.append(idle[node].pop(0))
            entered.append(np.array(own, np.int32))
        return entered
