"""Ruin and recreate on the routes of a group of customers: the wrapper of ``routes_search.c`` and others."""

from __future__ import annotations

import copy
import ctypes
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.groups import Over, go_on
from warptour.kernels.library import array, kernel
from warptour.kernels.points import POINTS_TYPES, Points
from warptour.routes.engine.carried import load_arguments
from warptour.routes.engine.instance import Floats, Ints, RouteInstance

SPARES, LEFT_OUT, DRAWS, DONE, TAKEN, GIANT_TOUR_SIZE, DETOURS, TURNS = range(8)
COST, LOWEST = range(2)
UNREACHED: Final = 1e300
"""Indices and sentinel as in ``kernels/routes/annealing.h`` and ``recreate.h``."""

LOG_LINE, LOCAL_LINES = 5, 16 * 6
"""Length of a line of the journal (``kernels/routes/journal.h``), and lines of local search (``local.h``)."""

NO_TRAVEL, DISTANCES = -1, -2
"""What further sums take of travel, where they have no table of their own (``kernels/routes/sums.h``)."""
INSERTED, WALKED = 4000, 20
"""Customers that one native call inserts, 10 to 50 ms, and by how much fewer where routes are walked along."""

ANGLE, MATRIX = 4, 5
"""Norms, as in ``kernels/common/metric.h``."""

TABLE_NODES, ANGLE_NODES = 250, 1000
"""Maximum number of nodes for a distance table: it then stays in cache, and a lookup beats computing a root. On a
sphere it beats an arcsine in larger ones, which whole problems have; groups are drawn anew in each round."""

_int32, _int64, _uint64, _real = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_double
_ints, _reals, _maybe = array(np.int32), array(np.float64), array(np.float64, optional=True)
_ints_out, _longs_out, _reals_out = (array(kind, output=True) for kind in (np.int32, np.int64, np.float64))
_GATHER = (_ints, _int32, _ints, _ints, _int32, _ints, _int32, _ints_out, _int32)
_FLEET = (
    *POINTS_TYPES, _int32, _ints, _reals_out, _reals, _reals, _real, _real, _int32, _reals, _reals, _maybe, _ints,
    _real, _int32, _ints_out, _reals_out, _ints_out, _reals_out, _ints_out, _longs_out, _reals_out,
)  # fmt: skip
_some = array(np.int32, optional=True)
_TIMED = (_reals, _some, _maybe, _reals, _reals_out, _ints_out)
_PAIRS = (_int32, _int32, _int32, _ints, _some, _reals, _maybe, _reals_out, _ints_out)
_TRIPS = (_ints, _reals, _reals_out, _ints_out)
_MIXED = (
    _int32, _int32, _int32, _int32, _reals, _some, _maybe, _some, _some, _some, _some, _some, _some, _maybe, _ints_out,
)  # fmt: skip
_ENTER = (_ints, _int32)
_LEAVE = (_ints_out,)
_ANNEALING = (_uint64, _uint64, _real, _int32, _real, _real, _real, _int32, _real, _real, _real, _real, _real, _int64)
_SEARCH = (_ints_out, _reals_out, _reals_out, _real, *_ANNEALING)
_BOARD = (_ints_out, _int64, _int32, _int64, _longs_out, _reals_out, _longs_out, _ints_out, _int32, _int32)
_TOGETHER = (_ints_out, _reals_out, *_BOARD, *_ANNEALING)


@dataclass(frozen=True)
class Ruin:
    """Parameters of ruin and recreate, with their values.

    Half of the ruins are slack induction by string removals (Christiaens and Vanden Berghe, 2020), half walks (Accorsi
    and Vigo, 2021).
    """

    mean: float = 10.0  # average number of customers removed per iteration
    longest: int = 10  # maximum number of customers in a string
    split: float = 0.5  # probability of a split string, which keeps some customers in its middle
    deeper: float = 0.01  # probability of keeping each further customer of a split string
    blink: float = 0.01  # probability that an insertion position is skipped
    sought: int = 10  # nearest customers of each moved one that local search considers after an iteration
    slack: float = 30.0  # temperatures by which an iteration may be too expensive and still be improved by local search


@dataclass(frozen=True)
class _Part:
    """Arguments of kernels that depend on the problem: their types, what is given and what changes."""

    types: tuple[Any, ...]
    given: tuple[Any, ...]
    state: list[NDArray[Any]]


class RouteState:
    """The routes of one group of customers, with the kernel's state.

    ``group``: the group in a partition of all customers; by default a single group
    """

    def __init__(
        self,
        instance: RouteInstance,
        giant: Ints,  # giant tour of the routes
        slots: int,  # maximum number of routes, unless ``giant`` has more
        group: tuple[int, Ints, Ints] | None = None,
        left_out: Ints | None = None,  # customers of the group that are in no route yet
    ) -> None:
        self.instance = instance
        which, home, number = group or (0, *instance.whole)
        inside = giant[giant != 0] if left_out is None else np.concatenate((giant[giant != 0], left_out))
        kinds = instance.kinds
        if kinds is not None:
            inside = instance.problem.customers
        m, sums = len(inside) + 1, len(instance.sums)
        self.nodes: Ints = np.empty(m, np.int32)
        self.nodes[number[inside]] = inside
        self.nodes[0] = 0
        width = instance.near.shape[1]
        near = np.empty(m * width, np.int32)
        gather = kernel("routes_gather", *_GATHER)
        gather(0, 1, instance.near.reshape(-1), width, home, number, which, self.nodes, m, near, width)
        points = _points(instance, self.nodes if kinds is None else instance.with_places(self.nodes))
        self.slots = max(1, min(slots, m - 1), int(np.count_nonzero(giant == 0))) if kinds is None else kinds.slots
        journal = LOG_LINE * ((2 if kinds is None else 3 if instance.reloads is None else 5) * m + LOCAL_LINES)
        self._state: list[NDArray[Any]] = [
            np.zeros(4 * m, np.int32), np.zeros((4 + sums) * m), np.zeros(7 * self.slots, np.int32),
            np.zeros((4 + 2 * sums) * self.slots), np.zeros(4 * m + journal, np.int32), np.zeros(8, np.int64),
            np.zeros(2),
        ]  # fmt: skip
        self.counts[DETOURS] = instance.problem.matrix is not None
        self.counts[TURNS] = not instance.problem.directed if kinds is None else instance.reversible
        self._best = np.zeros(m + max(m, self.slots), np.int32)
        self._rank, self._misses = np.zeros(m), np.zeros(m)
        self._kept: Ints = np.empty(0, np.int32)
        self._held = points  # keeps the arrays alive: the arguments are raw addresses
        self._special = "timed" if instance.schedule else "general" if instance.general else points.special
        self._parts = self._chosen(m)
        self._given: tuple[Any, ...] = (
            *points.arguments, width, near, np.empty((1 + instance.general) * m * width),
            instance.demands[self.nodes], instance.services[self.nodes], instance.capacity, instance.limit,
            *_sums(instance, self.nodes), 0.0 if kinds else instance.problem.fixed_cost, self.slots,
        )  # fmt: skip
        local = np.where(giant == 0, 0, number[giant]).astype(np.int32)
        self._call("routes_enter", _ENTER, local, len(local))
        self._kept = local

    def _chosen(self, m: int) -> list[_Part]:
        """Return the parts of the kernel's state for what routes have besides loads and one limit."""
        instance, kinds, reloads, parts = self.instance, self.instance.kinds, self.instance.reloads, list[_Part]()
        if instance.schedule is not None:
            state: list[NDArray[Any]] = [
                np.zeros(12 * m + 2 + 2 * self.slots + 4 * (m + 1)),
                np.zeros(2 * m + self.slots, np.int32),
            ]
            parts.append(_Part(_TIMED, _times(instance, self.nodes), state))
        if kinds is not None:
            self._special = "mixed"
            parts.append(_Part(_MIXED, (m, *kinds.arguments, *kinds.of(self.nodes)), [kinds.state(m)]))
        if instance.problem.two_way or reloads is not None:
            self._special = "pairs" if reloads is None else "trips"
            load = 6 if reloads is None else 14
            state = [np.zeros(load * instance.problem.dimensions * m), np.zeros(5 * m, np.int32)]
            parts.append(_Part(_PAIRS, load_arguments(instance.problem, self.nodes), state))
        if reloads is not None:
            parts.append(_Part(_TRIPS, reloads.arguments(self.nodes), reloads.state(m)))
        return parts

    def copy(self) -> RouteState:
        """Return a fleet with the same routes; the two share what does not change."""
        twin = copy.copy(self)
        twin._state = [each.copy() for each in self._state]
        twin._parts = [replace(part, state=[each.copy() for each in part.state]) for part in self._parts]
        twin._best, twin._rank, twin._misses = self._best.copy(), self._rank.copy(), self._misses.copy()
        return twin

    def insert(self, customers: Ints, over: Over | None = None, *, larger: bool = True, eager: bool = False) -> None:
        """Insert customers that are in no route, in the given order, each where it costs least.

        With ``larger``, a route may get a larger vehicle for one of them; with ``eager``, those with prizes are served
        whatever it costs. Once ``over()`` is true, raises :class:`~warptour.kernels.groups.Unfinished`.
        """
        number = np.empty(self.instance.problem.n, np.int32)
        number[self.nodes] = np.arange(len(self.nodes), dtype=np.int32)
        m = len(self.nodes)
        each = INSERTED // WALKED if self.instance.walks else INSERTED
        missing = [np.zeros(0, np.int32)]
        types = (_ints, _int32, _int32, _int32)
        for at in range(0, len(customers), each):
            go_on(over)
            some = number[customers[at : at + each]]
            self._call("routes_insert", types, some, len(some), larger, eager)
            missing.append(self._state[4][m : m + self.missing].copy())
        left_out = np.concatenate(missing)
        self._state[4][m : m + len(left_out)] = left_out
        self.counts[LEFT_OUT] = len(left_out)
        self.costs[LOWEST] = UNREACHED if len(left_out) else self.cost

    def search(
        self,
        iterations: int,
        temperature: tuple[float, float],
        *,
        seed: int,
        stream: int,
        ruin: Ruin,
        absence: float = 0.0,
    ) -> None:
        """Run ``iterations`` iterations while the temperature falls from ``temperature[0]`` to ``temperature[1]``.

        ``absence``: what each unserved customer costs; by default serving those often unserved comes before the cost.
        The interpreter lock is released.
        """
        annealing = self._annealing(iterations, temperature, seed, stream, ruin)
        self._call("routes_search", _SEARCH, self._best, self._rank, self._misses, absence, *annealing)
        self._keep()

    def search_together(
        self,
        board: tuple[Any, ...],
        iterations: int,
        temperature: tuple[float, float],
        *,
        seed: int,
        stream: int,
        ruin: Ruin,
    ) -> None:
        """Run some of the ``iterations`` that all fleets which share ``board`` run together."""
        annealing = self._annealing(iterations, temperature, seed, stream, ruin)
        self._call("routes_together", _TOGETHER, self._best, self._rank, *board, *annealing)
        self._keep()

    def walked(self, vehicle: int) -> tuple[Floats, Ints]:
        """Return the cost of a vehicle's best route of each subset of customers, and its order (``exact_walks.c``)."""
        m = len(self.nodes) - 1
        costs, orders = np.empty(1 << m), np.empty(m << m, np.int32)
        self._call("exact_walks", (_int32, _reals_out, _ints_out), vehicle, costs, orders)
        return costs, orders

    def _annealing(
        self, iterations: int, temperature: tuple[float, float], seed: int, stream: int, ruin: Ruin
    ) -> tuple[Any, ...]:
        """Return the arguments of a kernel that anneals."""
        return (
            seed % 2**64, stream, ruin.mean, ruin.longest, ruin.split, ruin.deeper, ruin.blink, ruin.sought, ruin.slack,
            *temperature, *self.instance.tolerance, iterations,
        )  # fmt: skip

    def _call(self, name: str, types: tuple[Any, ...], *arguments: Any) -> None:
        """Call a kernel with this fleet and further arguments."""
        own, fleet = [*_FLEET], [*self._given, *self._state]
        for part in self._parts:
            own += part.types
            fleet += (*part.given, *part.state)
        kernel(f"{name}_{self._special}", *own, *types)(0, 1, *fleet, *arguments)

    def _keep(self) -> None:
        """Keep the best routes, if the last call has written better ones."""
        size = int(self.counts[GIANT_TOUR_SIZE])
        if size:
            self._kept = self._best[:size].copy()

    @property
    def counts(self) -> NDArray[np.int64]:
        """Counters of the kernel, by the names above."""
        return self._state[-2]

    @property
    def costs(self) -> Floats:
        """Costs of the current and the best routes."""
        return self._state[-1]

    @property
    def complete(self) -> bool:
        """Whether a solution with all customers has been found."""
        return float(self.costs[LOWEST]) < UNREACHED

    @property
    def missing(self) -> int:
        """Number of customers in no route."""
        return int(self.counts[LEFT_OUT])

    @property
    def cost(self) -> float:
        """Cost of the current routes."""
        return float(self.costs[COST])

    @property
    def lowest(self) -> float:
        """Cost of the best routes."""
        return float(self.costs[LOWEST])

    def best(self) -> Ints:
        """Return the giant tour of the best routes."""
        return self.nodes[self._kept]

    def giant_tour(self) -> Ints:
        """Return the giant tour of the current routes."""
        giant = np.empty(len(self._best), np.int32)
        self._call("routes_leave", _LEAVE, giant)
        return self.nodes[giant[: self.counts[GIANT_TOUR_SIZE]]]


def _times(instance: RouteInstance, nodes: Ints) -> tuple[Any, ...]:
    """Return the times among ``nodes`` as arguments of kernels: see ``kernels/routes/annealing.h``."""
    schedule, kinds = instance.schedule, instance.kinds
    assert schedule is not None
    windows = schedule.windows.on(nodes)
    late = windows.closes + (schedule.searched_tolerance if schedule.hard else 0.0)
    last = late if schedule.hard else np.full(len(nodes), np.inf)
    gaps = windows.gaps.reshape(-1) + np.tile((schedule.searched_tolerance, 0.0), len(windows.gaps))
    released = () if schedule.releases is None else (schedule.releases[nodes],)
    times = np.concatenate((windows.opens, last, late, schedule.services[nodes], *released, gaps))
    travel = None
    if schedule.travel is not None:
        every = nodes if kinds is None else instance.with_places(nodes)
        tables = [schedule.travel, *([] if kinds is None else kinds.own_hours)]
        travel = np.concatenate([np.asarray(each, np.float64)[np.ix_(every, every)].reshape(-1) for each in tables])
    longest = schedule.longest + schedule.searched_tolerance
    unit = 1.0 if kinds is None else kinds.unit
    rules = [
        0.0 if kinds else longest, schedule.longest_wait, schedule.per_time, schedule.per_late / unit,
        schedule.searched_tolerance, instance.problem.open, instance.walks,
        schedule.releases is not None,
    ]  # fmt: skip
    counts = windows.ends.astype(np.int32) if windows.several else None
    return times, counts, travel, np.minimum(np.array(rules, np.float64), UNREACHED)


def _sums(instance: RouteInstance, nodes: Ints) -> tuple[Any, ...]:
    """Return number, limits, amounts, and travel among ``nodes`` of the further sums."""
    every = nodes if instance.kinds is None else instance.with_places(nodes)
    whole = len(every) == instance.problem.n and (every[1:] > every[:-1]).all()
    amounts, travel = [np.empty(0)], []
    tables: list[Floats] = []
    for each in instance.sums:
        amounts.append(each.amounts[nodes])
        travel.append(len(tables) if each.table is not None else DISTANCES if each.travels else NO_TRAVEL)
        if each.table is not None:
            among = each.table if whole else each.table[np.ix_(every, every)]
            tables.append(np.ascontiguousarray(among, np.float64).reshape(-1))
    most = np.concatenate([np.empty(0), *(each.most for each in instance.sums)])
    if instance.sums and instance.kinds is not None:
        most = np.ascontiguousarray(np.stack([each.most for each in instance.sums], axis=1)).reshape(-1)
    joined = tables[0] if len(tables) == 1 else np.concatenate(tables) if tables else None
    return len(instance.sums), most, np.concatenate(amounts), joined, np.array(travel, np.int32)


def _points(instance: RouteInstance, nodes: Ints) -> Points:
    """Return the coordinates of ``nodes``, or for few nodes and matrices their distance table."""
    every = instance.points
    n = instance.problem.n
    if every.norm == ANGLE and TABLE_NODES < len(nodes) == n <= ANGLE_NODES:
        table = np.ascontiguousarray(instance.table.reshape(n, n)[np.ix_(nodes, nodes)])
        return replace(every, table=table, norm=MATRIX, rounding=0, special="any")
    if instance.problem.matrix is not None or len(nodes) <= TABLE_NODES:
        table = np.ascontiguousarray(instance.problem.distances(nodes[:, None], nodes[None, :]), np.float64)
        if instance.kinds is not None and (own := instance.kinds.own_ways):  # behind it
            ways = [instance.problem.metric.distances(each, nodes[:, None], nodes[None, :]) for each in own]
            table = np.stack([table, *(np.asarray(each, np.float64) for each in ways)])
        return replace(every, table=table, n=len(nodes), norm=MATRIX, rounding=0, special="any")
    x, y, z = (column[nodes] if column.size else column for column in (every.x, every.y, every.z))
    return replace(every, x=x, y=y, z=z, n=len(nodes))
