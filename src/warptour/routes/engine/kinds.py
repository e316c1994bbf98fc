"""Vehicles of several kinds and customers that may stay unserved, as kernels see them (``kernels/routes/kinds.h``).

Distances cost one per unit in a search. What a kind asks beyond that is the price of its routes; all costs are divided
by the lowest cost of a unit of distance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.fleet import Fleet
from warptour.model.limits import SEARCHED_LIMIT
from warptour.model.rests import Break
from warptour.model.schedule import Schedule
from warptour.model.vehicles import VRP
from warptour.routes.engine.sums import further_sums

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

KIND: Final = np.dtype(
    [
        *((name, np.float64) for name in (
            "capacity", "limit", "fixed", "per_distance", "per_time", "longest", "overtime", "per_overtime", "opens",
            "closes", "serve", "back_opens", "back_closes", "back_due", "pace", "wheel", "change",
        )),
        *((name, np.int32) for name in (
            "start", "end", "first", "slots", "first_rest", "rests", "day", "ways", "hours",
        )),
    ],
    align=True,
)  # fmt: skip
"""As ``Kind`` in ``kernels/routes/kinds.h``."""

DAY: Final = (
    "start", "end", "opens", "closes", "serve", "back_opens", "back_closes", "back_due", "pace", "ways", "hours",
)  # fmt: skip
"""What kinds that are alike have in common."""

UNREACHED: Final = 1e300
"""In place of infinity, as in ``kernels/routes/routes.h``."""


@dataclass(frozen=True, eq=False)
class Kinds:
    """What kernels need of a fleet, and of who may stay unserved."""

    problem: VRP  # with a fleet; the depot is node 0, customers follow, other depots are last

    @property
    def _fleet(self) -> Fleet:
        fleet = self.problem.fleet
        assert fleet is not None
        return fleet

    @cached_property
    def slots(self) -> int:
        """Number of vehicles."""
        return len(self._fleet.kinds)

    @cached_property
    def unit(self) -> float:
        """Lowest cost of a unit of distance, above 0: costs of searches are divided by it."""
        return min((each.distance_cost for each in self._fleet.types if each.distance_cost > 0), default=1.0)

    @cached_property
    def even(self) -> bool:
        """Whether a route costs the same reversed: it ends where it begins."""
        return all(each.start == each.end for each in self._fleet.types)

    @cached_property
    def walks(self) -> bool:
        """Whether pieces of routes cannot be joined: vehicles differ in speed, or those of one cannot."""
        timed = self.problem.schedule is not None
        paces = {tuple(row[["pace", "ways", "hours"]].tolist()) for row in self.table}
        return len(paces) > 1 or (timed and any(schedule.walks for schedule in self.problem.schedules))

    @cached_property
    def own_ways(self) -> list[NDArray[Any]]:
        """The distances of kinds that differ from the problem's."""
        return _distinct([each.matrix for each in self._fleet.types])

    @cached_property
    def own_hours(self) -> list[NDArray[Any]]:
        """The travel times of kinds that differ from the problem's."""
        return _distinct([each.durations for each in self._fleet.types])

    @cached_property
    def table(self) -> NDArray[Any]:
        """The kinds, as :data:`KIND`."""
        problem, fleet = self.problem, self._fleet
        table = np.zeros(len(fleet.types), KIND)
        table["first"] = np.cumsum(fleet.counts) - fleet.counts
        table["slots"] = fleet.counts
        capacities = problem.all_loads[1][:, 0]
        for kind, each in enumerate(fleet.types):
            row = table[kind]
            row["capacity"] = capacities[kind]
            row["limit"] = each.max_distance * (1 + SEARCHED_LIMIT)
            row["fixed"] = (each.fixed_cost - problem.homeward_costs[kind]) / self.unit
            row["change"] = 0.0 if problem.locks is None else problem.locks.change_cost / self.unit
            row["per_distance"] = each.distance_cost / self.unit - 1
            row["pace"] = 1 / each.speed
            row["start"], row["end"] = (problem.n if place is None else place for place in (each.start, each.end))
            row["longest"] = row["closes"] = row["back_closes"] = row["back_due"] = UNREACHED
            row["wheel"] = UNREACHED
            if problem.schedule is not None:
                self._time(row, problem.schedules[kind])
        table["rests"] = [len(each.breaks) + (each.driving is not None) for each in fleet.types]
        table["first_rest"] = np.cumsum(table["rests"]) - table["rests"]
        table["ways"] = [_place(self.own_ways, each.matrix) for each in fleet.types]
        table["hours"] = [_place(self.own_hours, each.durations) for each in fleet.types]
        days: dict[tuple[Any, ...], int] = {}
        for row, each in zip(table, fleet.types, strict=True):
            row["day"] = days.setdefault((*(row[name].item() for name in DAY), each.breaks, each.driving), len(days))
        for name in KIND.names or ():
            if table[name].dtype == np.float64:
                table[name] = np.minimum(table[name], UNREACHED)
        return table

    def _time(self, row: Any, schedule: Schedule) -> None:
        """Fill in the times of a kind; of several windows of a depot, the longest is used."""
        start, end = (self.problem.n, self.problem.n + 1)
        slack = schedule.searched_tolerance
        row["per_time"], row["per_overtime"] = schedule.per_time / self.unit, schedule.per_overtime / self.unit
        if schedule.driving is not None:
            row["wheel"] = schedule.driving.most * (1 + SEARCHED_LIMIT)
        row["longest"] = schedule.regular
        row["overtime"] = 0.0 if math.isinf(schedule.regular) else schedule.longest - schedule.regular + slack
        row["serve"] = schedule.services[start]
        row["opens"], row["closes"] = max(schedule.windows.of_node(start), key=_length)
        row["back_opens"], row["back_due"] = max(schedule.windows.of_node(end), key=_length)
        row["back_due"] += slack
        row["closes"] += slack
        row["back_closes"] = row["back_due"] if schedule.hard else UNREACHED

    @cached_property
    def rests(self) -> NDArray[np.float64] | None:
        """The breaks of all kinds, as ``Rest`` in ``kernels/routes/kinds.h``; None if there are none."""
        problem = self.problem
        if problem.schedule is None or not problem.rested:
            return None
        slack = problem.schedule.searched_tolerance
        rows = [
            (rest.opens, min(rest.closes + slack, UNREACHED), rest.length)
            for schedule in problem.schedules
            for rest in (
                schedule.breaks or ([Break(0.0, math.inf, schedule.driving.length)] if schedule.driving else [])
            )
        ]
        return np.array(rows, np.float64).reshape(-1)

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments of kernels that do not depend on the numbering of customers, up to the table of kinds."""
        fleet = self._fleet
        timed = self.problem.schedule is not None
        return len(fleet.types), len(self.problem.alternatives), int(timed), self.table.view(np.float64)

    def of(self, nodes: Ints) -> tuple[Any, ...]:
        """Return who may serve ``nodes``, prizes, who must be served, alternatives, bonds, locks and breaks."""
        problem, allowed = self.problem, self._fleet.allowed
        allows = None if allowed is None else np.ascontiguousarray(allowed[nodes], np.int32).reshape(-1)
        prizes, must = None, None
        if problem.optional:
            needed = problem.required.copy()
            needed[[node for each in problem.alternatives if each.required for node in each.nodes]] = True
            for company in problem.together:
                needed[list(company)] = needed[list(company)].any()
            prizes, must = problem.losses[nodes] / self.unit, needed[nodes].astype(np.int32)
        number = np.full(problem.n, -1, np.int32)
        number[nodes] = np.arange(len(nodes), dtype=np.int32)
        bonds, locks = self.bonds(number, len(nodes)), self.locks(nodes)
        if not problem.alternatives:
            return allows, prizes, must, None, None, None, bonds, locks, self.rests
        group = np.full(len(nodes), -1, np.int32)
        members = [number[list(each.nodes)] for each in problem.alternatives]
        for at, each in enumerate(members):
            group[each] = at
        ends = np.cumsum([len(each) for each in members]).astype(np.int32)
        return allows, prizes, must, group, ends, np.concatenate(members).astype(np.int32), bonds, locks, self.rests

    @cached_property
    def bred(self) -> bool:
        """Whether a population knows all of them: vehicles that return, one load, one window, no prices of time."""
        problem, schedule, types = self.problem, self.problem.schedule, self._fleet.types
        others = (
            problem.alternatives, problem.together, problem.apart, problem.two_way, problem.trips, problem.rested,
            self.own_ways, self.own_hours, further_sums(problem), self._fleet.allowed is not None,
            problem.locks is not None, problem.balance is not None,
        )  # fmt: skip
        priced = any(each.hour_cost or each.overtime or each.under_way for each in types)
        free = any(each.start is None or not each.distance_cost for each in types)
        if any(others) or priced or free or not self.even or self.walks:
            return False
        return schedule is None or not (schedule.priced or schedule.walks or schedule.windows.several)

    def for_population(self, counts: Ints) -> tuple[Any, ...]:
        """Return what ``routes_breed.c`` needs of them; ``counts``: how many vehicles of each kind have room."""
        problem, table = self.problem, self.table.copy()
        table["slots"], table["first"] = counts, np.cumsum(counts) - counts
        table["longest"] = np.minimum(table["longest"] + table["overtime"], UNREACHED)
        prizes = np.where(problem.required, UNREACHED, problem.losses / self.unit)
        room = np.zeros(int(counts.sum()) + len(counts), np.int32)
        return len(problem.customers), len(table), table.view(np.float64), prizes, room

    def bonds(self, number: Ints, nodes: int) -> Ints | None:
        """Return who goes together and who stays apart in new numbers, as ``Bonds`` in ``bonds.h``; None if nobody."""
        companies, quarrels = self.problem.together, self.problem.apart
        if not companies and not quarrels:
            return None
        company = np.full(nodes, -1, np.int32)
        for at, members in enumerate(companies):
            company[number[list(members)]] = at
        own: list[list[int]] = [[] for _ in range(nodes)]
        for at, members in enumerate(quarrels):
            for node in number[list(members)].tolist():
                own[node].append(at)
        lists = [[number[list(members)].tolist() for members in groups] for groups in (companies, quarrels)]
        (company_ends, companions), (quarrel_ends, of_nodes), (rival_ends, rivals) = map(
            _listed, (lists[0], own, lists[1])
        )
        sizes = np.array([len(companies), len(companions), len(quarrels), len(rivals)])
        parts = (sizes, company, company_ends, companions, quarrel_ends, of_nodes, rival_ends, rivals)
        return np.concatenate(parts).astype(np.int32)

    def locks(self, nodes: Ints) -> Ints | None:
        """Return what is locked of ``nodes``, as ``Locks`` in ``locks.h``; None if nothing is."""
        locks = self.problem.locks
        if locks is None or not (locks.change_cost or locks.rank.any() or locks.turn.any()):
            return None
        home = np.where(locks.home < 0, -1, self._fleet.kinds[locks.home])
        return np.concatenate((home[nodes], locks.rank[nodes], locks.turn[nodes])).astype(np.int32)

    def state(self, nodes: int) -> Ints:
        """Return the kind of each vehicle, and room for what changes."""
        fleet = self._fleet
        room = len(fleet.types) + len(self.problem.alternatives) + nodes
        return np.concatenate((fleet.kinds, np.zeros(room, np.int32))).astype(np.int32)


def _distinct(tables: Sequence[NDArray[Any] | None]) -> list[NDArray[Any]]:
    """Return the different ones of several tables."""
    found: list[NDArray[Any]] = []
    for table in tables:
        if table is not None and _place(found, table) == 0:
            found.append(table)
    return found


def _place(tables: Sequence[NDArray[Any]], table: NDArray[Any] | None) -> int:
    """Return the number of a table among several, from 1; 0 if it is none of them."""
    return next((at for at, each in enumerate(tables, 1) if table is not None and np.array_equal(each, table)), 0)


def _listed(groups: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Return where each of several lists ends, and all of them in one."""
    ends = np.cumsum([len(each) for each in groups]).astype(np.int32)
    return ends, np.array([node for each in groups for node in each], np.int32)


def _length(window: tuple[float, float]) -> float:
    return window[1] - window[0]
