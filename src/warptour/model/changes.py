"""What a solution changes against the plan that its vehicles are on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from warptour.model.metric import Nodes
from warptour.model.vehicles import VRP


@dataclass(frozen=True)
class Moved:
    """A stop that another vehicle serves than was planned; vehicles are counted from 1, as routes are."""

    node: int
    planned: int
    vehicle: int


@dataclass(frozen=True)
class Changes:
    """What a solution changes against a plan.

    Attributes
    ----------
    moved : list of Moved
        Stops that change their vehicle.
    new : dict
        The vehicle of each stop that was in no route of the plan, by its node.
    dropped : list of int
        Stops of the plan that are not served any more.
    cancelled : list of str
        Stops of the plan that the problem has no longer.
    """

    moved: list[Moved]
    new: dict[int, int]
    dropped: list[int]
    cancelled: list[str]

    @property
    def text(self) -> str:
        """The changes for people."""
        counts = (
            (len(self.moved), "change their vehicle"), (len(self.new), "are new"),
            (len(self.dropped), "are dropped"), (len(self.cancelled), "are cancelled"),
        )  # fmt: skip
        return ", ".join(f"{count} {what}" for count, what in counts if count) or "none"


def changes(problem: VRP, routes: Sequence[Nodes]) -> Changes | None:
    """Return what routes change against the plan of a problem; None if it has none."""
    locks, fleet = problem.locks, problem.fleet
    if locks is None or fleet is None:
        return None
    home = np.full(problem.n, -1)
    for vehicle, route in enumerate(routes):
        home[route] = vehicle
    numbers = (fleet.numbers + 1).tolist()
    served, planned = home >= 0, locks.home >= 0
    moved = np.flatnonzero(served & planned & (home != locks.home)).tolist()
    new = np.flatnonzero(served & ~planned).tolist()
    return Changes(
        [Moved(node, numbers[locks.home[node]], numbers[home[node]]) for node in moved],
        {node: numbers[home[node]] for node in new},
        np.flatnonzero(planned & ~served).tolist(),
        list(locks.cancelled),
    )
