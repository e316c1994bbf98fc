"""A subpopulation of hybrid genetic search, selected by cost and diversity: wrapper of ``routes_enlist.c``."""

from __future__ import annotations

import ctypes
from typing import Final

import numpy as np

from warptour.kernels.library import array, kernel
from warptour.routes.engine.instance import Floats, Ints
from warptour.routes.engine.local_search import PenalizedRoutes, Penalties

MIN_SIZE: Final = 25
"""PenalizedRoutes that survive a selection."""

GENERATION: Final = 40
"""PenalizedRoutes added between two selections."""

ROOM: Final = MIN_SIZE + GENERATION + 1
"""PenalizedRoutes for which there is room."""

ELITE: Final = 4
"""Number of cheapest individuals that survive whatever their diversity."""

CLOSEST: Final = 5
"""Number of most similar individuals to which the diversity of an individual is measured."""

_int32, _real = ctypes.c_int32, ctypes.c_double
_ints, _reals = array(np.int32), array(np.float64)
_ints_out, _longs_out, _reals_out = (array(kind, output=True) for kind in (np.int32, np.int64, np.float64))
_ENLIST = (
    _int32, _int32, _int32, _int32, _real, _int32, _longs_out, _ints_out, _ints_out, _reals_out, _reals_out, _ints_out,
    _ints_out, _reals_out, _ints_out, _reals_out, _int32, _ints, _ints, _ints, _reals, _reals,
)  # fmt: skip


class Subpopulation:
    """PenalizedRoutes that are all feasible, or all infeasible.

    ``individuals``: room for :data:`ROOM` of them
    ``directed``: whether a reversed route is another one
    """

    def __init__(self, individuals: PenalizedRoutes, *, directed: bool = False) -> None:
        self._all = individuals
        self._directed = directed
        nodes = individuals.giants.shape[1] // 2
        self._count = np.zeros(1, np.int64)
        self._costs, self._fitness = np.zeros((2, ROOM))
        self._links = np.zeros((ROOM, 2 * nodes), np.int32)
        self.broken: Ints = np.zeros((ROOM, ROOM), np.int32)
        self._work, self._ranked = np.zeros(4 * ROOM, np.int32), np.zeros(ROOM)

    def __len__(self) -> int:
        """Return the number of individuals."""
        return int(self._count[0])

    @property
    def individuals(self) -> PenalizedRoutes:
        """The individuals."""
        return self._all[: len(self)]

    @property
    def costs(self) -> Floats:
        """Cost of each, at the penalties of the time."""
        return self._costs[: len(self)]

    @property
    def fitness(self) -> Floats:
        """Biased fitness of each: rank by cost, and by diversity; less is better."""
        return self._fitness[: len(self)]

    def add(self, found: PenalizedRoutes, rows: Ints, costs: Floats) -> None:
        """Add some rows of ``found``, with the costs of all of them; the least fit leave when there are too many."""
        own = self._all
        kernel("routes_enlist", *_ENLIST)(
            0, 1, own.giants.shape[1] // 2, self._directed, MIN_SIZE, MIN_SIZE + GENERATION, ELITE, CLOSEST,
            self._count, own.giants.reshape(-1), own.sizes, own.costs.reshape(-1), self._costs, self._links.reshape(-1),
            self.broken.reshape(-1), self._fitness, self._work, self._ranked,
            len(rows), rows, found.giants.reshape(-1), found.sizes, found.costs.reshape(-1), costs,
        )  # fmt: skip

    def reprice(self, penalties: Penalties) -> None:
        """Recompute costs and fitness with other penalties."""
        self._costs[: len(self)] = self.individuals.penalized(penalties)
        self.add(self._all, np.empty(0, np.int32), self._costs)
