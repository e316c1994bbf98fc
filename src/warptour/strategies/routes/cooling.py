"""The temperature of a search for routes: how much dearer an attempt may be, over the budget."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from warptour.engines.routes.fleet import Ints
from warptour.model.vehicles import VRP
from warptour.search.search import Search

CYCLE = 1000
"""Attempts per customer of the first cooling of a search that has no limit; each later one is twice as long."""

LONGEST = 0.99
"""Edges longer than this part of all others count as that one in the mean edge."""


@dataclass
class Cooling:
    """Falls from ``hot`` to ``cold`` by equal factors while a ``share`` of the budget is used up.

    The budget is the search's seconds or iterations, whichever is used up faster. A search with neither is cooled
    again and again, each time more slowly.
    """

    search: Search
    hot: float
    cold: float
    share: float = 1.0
    _began: float = field(init=False)
    _counted: int = field(init=False)

    def __post_init__(self) -> None:
        self._began = self.search.seconds
        self._counted = self.search.iterations

    def used(self, more: int = 0) -> float:
        """Return the part of the share that is used up, ``more`` iterations included."""
        search = self.search
        spent, left = search.seconds - self._began, search.seconds_left()
        done = search.iterations - self._counted + more
        to_do = search.iterations_left() - more
        if math.isinf(left) and math.isinf(to_do):
            turns = done / (CYCLE * search.problem.n) + 1
            return min(1.0, math.log2(turns) % 1.0 / max(self.share, 1e-9))
        by_time = 0.0 if math.isinf(left) else spent / max(spent + left, 1e-9)
        by_count = 0.0 if math.isinf(to_do) else done / max(done + to_do, 1)
        return min(1.0, max(by_time, by_count) / max(self.share, 1e-9))

    @property
    def finished(self) -> bool:
        """Whether others have the rest of the budget."""
        return self.share < 1 and self.used() >= 1

    def heat(self, more: int = 0) -> float:
        """Return the temperature, in units of cost, after ``more`` iterations."""
        return float(self.hot * (self.cold / self.hot) ** self.used(more))


def typical_edge(problem: VRP, giant: Ints) -> float:
    """Return the mean distance of consecutive customers of a walk; of all edges where no two are consecutive.

    The longest hundredth counts as the next shorter edge does: a given start may drive where the matrix forbids it.
    """
    edges = problem.distances(np.roll(giant, 1), giant)
    inner = (np.roll(giant, 1) != problem.depot) & (giant != problem.depot)
    edges = edges[inner] if inner.any() else edges
    mean = float(np.minimum(edges, np.quantile(edges, LONGEST, method="lower")).mean())
    return mean if mean > 0 else max(float(edges.mean()), 0.0) or 1.0
