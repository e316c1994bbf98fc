"""Local search of hybrid genetic search (HGS): wrapper of ``kernels/routes/routes_descend.c`` and ``routes_split.c``.

Capacity and limits are soft here: excess is penalised, so that a search can pass through infeasible solutions. For
problems small enough for a table of all distances.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from warptour.kernels.library import array, kernel
from warptour.routes.engine.instance import Floats, Ints, RouteInstance

_int32, _uint64, _real = ctypes.c_int32, ctypes.c_uint64, ctypes.c_double
_ints, _reals, _maybe = array(np.int32), array(np.float64), array(np.float64, optional=True)
_ints_out, _longs_out, _reals_out = (array(kind, output=True) for kind in (np.int32, np.int64, np.float64))
_ROUTES = (
    _int32, _int32, _int32, _reals, _ints, _reals, _reals, _real, _real, _maybe, _maybe, _real, _real, _real, _real,
    _ints_out, _reals_out, _ints_out, _reals_out,
)  # fmt: skip
_DESCEND = (
    _real, _real, _real, _uint64, _uint64, _ints, _int32, _ints_out, _ints_out, _reals_out, _int32,
    _ints_out, _longs_out, _reals_out,
)  # fmt: skip
_SPLIT = (
    _int32, _int32, _ints, _reals, _reals, _reals, _reals, _real, _real, _maybe, _maybe, _real,
    _real, _real, _real, _real, _real, _reals_out, _ints_out, _ints_out, _longs_out,
)  # fmt: skip
_TIMES = (_reals, _reals, _real)
_EXCHANGE = (_int32, _ints, _int32, _ints, _int32, _uint64, _uint64, _ints_out, _ints_out, _longs_out)
_CROSS = (_int32, _ints, _ints, _uint64, _uint64, _ints_out, _ints_out)

MAX_LOAD = 1.5
"""Maximum load of a route after the split of a giant tour, in multiples of the capacity."""

ROUNDS = 1000
"""Maximum passes over all customers per descent."""


@dataclass(frozen=True)
class Penalties:
    """Penalty per unit of load (of ``problem.loads``) above the capacity, and per unit above each limit."""

    load: float
    time: float
    second: float = 0.0

    def times(self, factor: float) -> Penalties:
        """Return all of them multiplied by ``factor``."""
        return Penalties(factor * self.load, factor * self.time, factor * self.second)


@dataclass(frozen=True, eq=False)
class PenalizedRoutes:
    """Routes that may violate limits.

    Attributes
    ----------
    giant : array of int32
        Giant tour: each route followed by the depot, node 0.
    travel : float
        Cost without penalties.
    over_load, over_time, over_second : float
        Total excess over the capacity, the limit on travel and the second limit.
    """

    giant: Ints
    travel: float
    over_load: float
    over_time: float
    over_second: float

    @property
    def feasible(self) -> bool:
        """Whether no limit is violated."""
        return self.over_load == 0 and self.over_time == 0 and self.over_second == 0

    def cost(self, penalties: Penalties) -> float:
        """Return the penalised cost."""
        excess = penalties.load * self.over_load + penalties.time * self.over_time
        return self.travel + excess + penalties.second * self.over_second


class LocalSearch:
    """Workspace of one thread for crossover, split and local search.

    Parameters
    ----------
    instance : RouteInstance
    width : int
        Neighbours of each customer beside which a move may put it.
    slots : int
        Maximum number of routes.
    """

    def __init__(self, instance: RouteInstance, width: int, slots: int) -> None:
        self.instance = instance
        self.slots = slots
        m = instance.problem.n
        near = np.ascontiguousarray(instance.near[:, :width])
        self._limits: tuple[Any, ...] = (
            instance.demands, instance.services, instance.capacity, instance.limit, *_second(instance),
            instance.problem.fixed_cost,
        )  # fmt: skip
        self._times: tuple[Any, ...] = ()
        self._segments: tuple[Any, ...] = ()
        schedule = instance.schedule
        if schedule is not None:
            closes = schedule.windows.closes + schedule.searched_tolerance
            closes = np.append(closes, np.inf if instance.problem.open else closes[0])
            longest = schedule.longest + schedule.searched_tolerance
            self._times = (np.ascontiguousarray(schedule.windows.opens), closes, longest)
            self._segments = (np.zeros(8 * (m + slots)),)
        self._arguments: tuple[Any, ...] = (
            m, slots, near.shape[1], instance.table, near.reshape(-1), *self._limits, *instance.tolerance,
            np.zeros(5 * (m + slots), np.int32), np.zeros(5 * (m + slots)), np.zeros(3 * slots, np.int32),
            np.zeros(6 * slots),
        )  # fmt: skip
        self._descend = "routes_descend_general" if instance.general else "routes_descend"
        if schedule is not None:
            self._descend = "routes_descend_timed"
        self._order = np.zeros(m + slots, np.int32)
        self._cells = np.zeros(4 * slots * m, np.int32)
        self._places = np.zeros(3 * slots * m + 2 * m)
        self._giant, self._work = np.zeros(2 * m, np.int32), np.zeros(4 * m, np.int32)
        self._counts, self._costs = np.zeros(2, np.int64), np.zeros(4)
        self._best, self._from = np.zeros((slots + 1) * m), np.zeros((slots + 1) * m, np.int32)

    def cross(self, one: Ints, other: Ints, *, seed: int, stream: int) -> Ints:
        """Return the order crossover (OX): a random segment of ``one``, then the rest in the order of ``other``."""
        child = np.empty_like(one)
        kernel("routes_cross", *_CROSS)(0, 1, len(one), one, other, seed % 2**64, stream, self._order, child)
        return child

    def exchange(self, one: Ints, other: Ints, *, seed: int, stream: int) -> Ints:
        """Return ``one`` with some routes of ``other`` in place of similar ones; a few customers may be missing.

        Both are giant tours whose adjacent routes are neighbours.
        """
        kernel("routes_exchange", *_EXCHANGE)(
            0, 1, self.instance.problem.n, one, len(one), other, len(other), seed % 2**64, stream,
            self._work, self._giant, self._counts,
        )  # fmt: skip
        return self._giant[: self._counts[0]].copy()

    def split(self, tour: Ints, penalties: Penalties) -> Ints:
        """Return the optimal split of ``tour`` into routes (Prins 2004), as a giant tour."""
        instance = self.instance
        timed = _TIMES if self._times else ()
        kernel("routes_split_timed" if timed else "routes_split", *_SPLIT, *timed)(
            0, 1, instance.problem.n, self.slots, tour, instance.table, instance.home, *self._limits,
            penalties.load, penalties.time, penalties.second, MAX_LOAD,
            self._best, self._from, self._giant, self._counts, *self._times,
        )  # fmt: skip
        return self._giant[: self._counts[0]].copy()

    def descend(self, giant: Ints, penalties: Penalties, *, seed: int, stream: int) -> PenalizedRoutes:
        """Return the local optimum reached from ``giant`` with all customers; the interpreter lock is released."""
        timed = (*_TIMES, _reals_out) if self._times else ()
        kernel(self._descend, *_ROUTES, *timed, *_DESCEND)(
            0, 1, *self._arguments, *self._times, *self._segments, penalties.load, penalties.time, penalties.second,
            seed % 2**64, stream, giant, len(giant), self._order, self._cells, self._places, ROUNDS,
            self._giant, self._counts, self._costs,
        )  # fmt: skip
        return PenalizedRoutes(self._giant[: self._counts[0]].copy(), *self._costs.tolist())


def _second(instance: RouteInstance) -> tuple[Floats | None, Floats | None, float]:
    """Return travel, services and value of the second limit: on missed time where routes have a schedule."""
    schedule, second = instance.schedule, instance.second
    if schedule is not None:
        travel = schedule.travel
        travel = instance.table if travel is None else np.ascontiguousarray(travel, np.float64).reshape(-1)
        return travel, np.ascontiguousarray(schedule.services), 0.0
    if second is None:
        return None, None, np.inf
    return instance.second_table, second.amounts, float(second.most[0])
