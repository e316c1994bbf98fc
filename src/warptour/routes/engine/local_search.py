"""Crossover, split and local search of hybrid genetic search (HGS): wrapper of ``kernels/routes/routes_breed.c``.

Capacity and limits are soft here: excess is penalised, so that a search can pass through infeasible solutions. For
problems small enough for a table of all distances.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.library import array, kernel
from warptour.routes.engine.instance import Floats, Ints, RouteInstance

_int32, _int64, _uint64, _real = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_double
_ints, _reals, _maybe = array(np.int32), array(np.float64), array(np.float64, optional=True)
_ints_out, _longs_out, _reals_out = (array(kind, output=True) for kind in (np.int32, np.int64, np.float64))
_ROUTES = (
    _int32, _int32, _int32, _reals, _ints, _reals, _reals, _real, _real, _maybe, _maybe, _real, _real, _real, _real,
    _ints_out, _reals_out, _ints_out, _reals_out,
)  # fmt: skip
_BREED = (
    _reals, _real, _maybe, _real, _real, _real, _real, _uint64, _uint64, _int32, _int64, _longs_out, _ints, _reals,
    _ints, _ints, _ints, _ints_out, _reals_out, _ints_out, _ints_out, _reals_out,
)  # fmt: skip
_SPLIT = (
    _int32, _int32, _ints, _reals, _reals, _reals, _reals, _real, _real, _maybe, _maybe, _real,
    _real, _real, _real, _real, _real, _reals_out, _ints_out, _ints_out, _longs_out,
)  # fmt: skip
_TIMES = (_reals, _reals, _real)
_KINDS = (_int32, _int32, _reals, _reals, _ints_out)
_EXCHANGE = (_int32, _ints, _int32, _ints, _int32, _uint64, _uint64, _ints_out, _ints_out, _longs_out)
_CROSS = (_int32, _ints, _ints, _uint64, _uint64, _ints_out, _ints_out)

MAX_LOAD = 1.5
"""Maximum load of a route after the split of a giant tour, in multiples of the capacity."""

ROUNDS = 1000
"""Maximum passes over all customers per descent."""

REPAIR_FACTOR = 10.0
"""Factor of the penalties when an infeasible local optimum is repaired."""

RANDOM = -1
"""As both parents: a random order of all customers; as the second alone: the first as it is."""


@dataclass(frozen=True)
class Penalties:
    """Penalty per unit of load (of ``problem.loads``) above the capacity, and per unit above each limit."""

    load: float
    time: float
    second: float = 0.0


@dataclass(frozen=True, eq=False)
class PenalizedRoutes:
    """Routes that may violate limits."""

    giants: Ints  # (count, 2 m): giant tours, routes by angle around the depot where it has coordinates
    sizes: Ints  # (count,): length of each giant tour, 0 for none
    # (count, 4): travel and fixed costs, and the total excess over the capacity, the limit on travel and the second
    # limit
    costs: Floats

    @classmethod
    def room(cls, count: int, nodes: int) -> PenalizedRoutes:
        """Return room for so many individuals of ``nodes`` nodes."""
        return cls(np.zeros((count, 2 * nodes), np.int32), np.zeros(count, np.int32), np.zeros((count, 4)))

    @classmethod
    def of(cls, giant: Ints, nodes: int) -> PenalizedRoutes:
        """Return the one individual of a giant tour, whose costs are not known."""
        one = cls.room(1, nodes)
        one.giants[0, : len(giant)], one.sizes[0] = giant, len(giant)
        return one

    def __getitem__(self, rows: slice) -> PenalizedRoutes:
        """Return some of them, which share their arrays."""
        return PenalizedRoutes(self.giants[rows], self.sizes[rows], self.costs[rows])

    def giant(self, number: int) -> Ints:
        """Return the giant tour of one."""
        found: Ints = self.giants[number, : self.sizes[number]].copy()
        return found

    @property
    def feasible(self) -> NDArray[np.bool_]:
        """Which violate no limit."""
        feasible: NDArray[np.bool_] = (self.sizes > 0) & ~self.costs[:, 1:].any(axis=1)
        return feasible

    def penalized(self, penalties: Penalties) -> Floats:
        """Return the penalised cost of each."""
        return np.asarray(self.costs @ np.array([1.0, penalties.load, penalties.time, penalties.second]))


@dataclass(frozen=True, eq=False)
class Births:
    """Offspring that all threads make together."""

    parents: Ints  # (count, 2): rows of a pool, or :data:`RANDOM`
    factors: Floats  # (count,): by what the penalties are multiplied
    repairs: Ints  # (count,): whether an infeasible local optimum is repaired
    begun: NDArray[np.int64]  # (1,): how many of them threads have begun
    # the local optimum of child k in row 2 k, and in the next what its repair gave, if it is feasible
    found: PenalizedRoutes

    @classmethod
    def of(cls, parents: Ints, factors: Floats, repairs: NDArray[np.bool_], nodes: int) -> Births:
        """Return births of which none has begun."""
        begun = np.zeros(1, np.int64)
        return cls(parents, factors, repairs.astype(np.int32), begun, PenalizedRoutes.room(2 * len(parents), nodes))


class LocalSearch:
    """Workspace of one thread for offspring: crossover, split and local search.

    :meth:`cross`, :meth:`exchange` and :meth:`split` are steps of :meth:`breed` alone, for tests.

    ``width``: neighbours of each customer beside which a move may put it
    ``counts``: maximum number of routes, of vehicles of several kinds of each
    """

    def __init__(self, instance: RouteInstance, width: int, counts: int | Ints) -> None:
        self.instance = instance
        self.slots = slots = int(np.sum(counts))
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
        self._breed = "routes_breed_general" if instance.general else "routes_breed"
        if schedule is not None:
            self._breed = "routes_breed_timed"
        self._kinds: tuple[Any, ...] = ()
        if instance.kinds is not None:
            self._breed = "routes_breed_mixed"
            self._kinds = instance.kinds.for_population(np.atleast_1d(np.asarray(counts, np.int32)))
        self._spots = _spots(instance)
        cells = slots * m
        self._ints = np.zeros(10 * m + 2 * slots + 5 * cells, np.int32)
        self._reals = np.zeros(3 * m + slots + 4 * cells)

    def breed(self, births: Births, pool: PenalizedRoutes, penalties: Penalties, *, seed: int, born: int) -> None:
        """Make offspring of individuals in ``pool`` until other threads have begun the rest.

        Child k depends on ``seed`` and ``born + k``. The interpreter lock is released.
        """
        timed = (*_TIMES, _reals_out) if self._times else ()
        mixed = _KINDS if self._kinds else ()
        found = births.found
        kernel(self._breed, *_ROUTES, *timed, *mixed, *_BREED)(
            0, 1, *self._arguments, *self._times, *self._segments, *self._kinds, self.instance.home, MAX_LOAD,
            self._spots,
            penalties.load, penalties.time, penalties.second, REPAIR_FACTOR, seed % 2**64, born, ROUNDS,
            len(births.parents), births.begun, births.parents.reshape(-1), births.factors, births.repairs,
            pool.giants.reshape(-1), pool.sizes, self._ints, self._reals,
            found.giants.reshape(-1), found.sizes, found.costs.reshape(-1),
        )  # fmt: skip

    def descend(self, giant: Ints, penalties: Penalties, *, seed: int, born: int) -> PenalizedRoutes:
        """Return the local optimum reached from ``giant``; customers that it lacks are inserted first."""
        nodes = self.instance.problem.n
        births = Births.of(np.array([[0, RANDOM]], np.int32), np.ones(1), np.zeros(1, np.bool_), nodes)
        self.breed(births, PenalizedRoutes.of(giant, nodes), penalties, seed=seed, born=born)
        return births.found[:1]

    def cross(self, one: Ints, other: Ints, *, seed: int, stream: int) -> Ints:
        """Return the order crossover (OX): a random segment of ``one``, then the rest in the order of ``other``."""
        child, taken = np.empty_like(one), np.empty(len(one) + 1, np.int32)
        kernel("routes_cross", *_CROSS)(0, 1, len(one), one, other, seed % 2**64, stream, taken, child)
        return child

    def exchange(self, one: Ints, other: Ints, *, seed: int, stream: int) -> Ints:
        """Return ``one`` with some routes of ``other`` in place of similar ones; a few customers may be missing.

        Both are giant tours whose adjacent routes are neighbours.
        """
        m = self.instance.problem.n
        child, counts = np.empty(2 * m, np.int32), np.zeros(1, np.int64)
        kernel("routes_exchange", *_EXCHANGE)(
            0, 1, m, one, len(one), other, len(other), seed % 2**64, stream, np.zeros(4 * m, np.int32), child, counts
        )
        return child[: counts[0]]

    def split(self, tour: Ints, penalties: Penalties) -> Ints:
        """Return the optimal split of ``tour`` into routes (Prins 2004), as a giant tour."""
        instance, m = self.instance, self.instance.problem.n
        timed = _TIMES if self._times else ()
        giant, counts, cells = np.empty(2 * m, np.int32), np.zeros(1, np.int64), (self.slots + 1) * m
        kernel("routes_split_timed" if timed else "routes_split", *_SPLIT, *timed)(
            0, 1, m, self.slots, tour, instance.table, instance.home, *self._limits,
            penalties.load, penalties.time, penalties.second, MAX_LOAD,
            np.zeros(cells), np.zeros(cells, np.int32), giant, counts, *self._times,
        )  # fmt: skip
        return giant[: counts[0]]


def _second(instance: RouteInstance) -> tuple[Floats | None, Floats | None, float]:
    """Return travel, services and value of the second limit: on missed time where routes have a schedule."""
    schedule, second = instance.schedule, instance.second
    if instance.kinds is not None and instance.problem.schedule is None:
        return None, None, np.inf
    if schedule is not None:
        travel = schedule.travel
        travel = instance.table if travel is None else np.array(travel, np.float64).reshape(-1)
        if instance.kinds is not None:
            travel = travel * float(instance.kinds.table["pace"][0])
            travel.reshape(instance.problem.n, -1)[(instance.problem.depots,) * 2] = 0.0
        return travel, np.ascontiguousarray(schedule.services), 0.0
    if second is None:
        return None, None, np.inf
    return instance.second_table, second.amounts, float(second.most[0])


def _spots(instance: RouteInstance) -> Floats | None:
    """Return places by which routes are ordered, in place of the depot's the middle of all depots, or None."""
    places = instance.places
    if places is None:
        return None
    places = np.array(places, np.float64)
    places[0] = places[list(instance.problem.depots)].mean(axis=0)
    return places.reshape(-1)
