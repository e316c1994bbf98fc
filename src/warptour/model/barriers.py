"""What keeps vehicles from serving a customer even alone, told from bounds that hold whatever else is on its route.

They are the shortest way there and back, and the earliest time there.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.clock import format_time
from warptour.model.limits import LIMIT_TOLERANCE
from warptour.model.metric import Floats
from warptour.model.shipments import Shipment
from warptour.model.vehicles import VRP

EXACT_NODES: Final = 2000
"""Maximum number of nodes for shortest paths; with more, only distances that obey the triangle inequality prove."""


class Barriers:
    """What keeps each type of vehicle from serving a customer even alone."""

    def __init__(self, problem: VRP) -> None:
        self._problem = problem
        fleet = problem.fleet
        self._types = (problem.type_of(0),) if fleet is None else fleet.types
        demands, self._capacities = problem.all_loads
        self._allowed = None if fleet is None else fleet.allowed
        tables = [demands, problem.demand_table]
        if problem.together:  # of each customer, those of all who go together
            tables = [_summed(problem, table) for table in tables]
            self._allowed = None if self._allowed is None else self._allowed.copy()
            for group in map(list, problem.together):
                if self._allowed is not None:
                    self._allowed[group] = self._allowed[group].all(0)
        if problem.pickups is not None:  # on board at the end, as demands are at the start
            back = [_summed(problem, table) for table in (problem.all_pickups, problem.pickups)]
            tables = [np.maximum(*both) for both in zip(tables, back, strict=True)]
        self._demands, self._table = tables
        self._ways: dict[tuple[int | None, bool, int], Floats | None] = {}

    def suspects(self) -> list[int]:
        """Return the customers whom no vehicle serves alone on the direct way; with gaps in their windows, all."""
        problem = self._problem
        hopeless = np.ones(problem.n, np.bool_)
        for kind in range(len(self._types)):
            hopeless &= self._hopeless(kind)
        if problem.windows is not None and problem.windows.several:
            hopeless |= np.diff(problem.windows.ends, prepend=0) > 0
        for group in map(list, problem.together):
            hopeless[group] = hopeless[group].any()
        hopeless[list(problem.depots)] = False
        return np.flatnonzero(hopeless).tolist()

    def _hopeless(self, kind: int) -> NDArray[np.bool_]:
        """Return which nodes a type cannot serve alone on the direct way, but for gaps in their windows."""
        problem, own, fleet, common = self._problem, self._types[kind], self._problem.fleet, self._problem.schedule
        hopeless: NDArray[np.bool_] = (self._demands > self._capacities[kind]).any(axis=1)
        if self._allowed is not None:
            hopeless |= ~self._allowed[:, kind]
        for limit in problem.limits:
            there, back = self._direct(kind, limit.travel)
            hopeless |= there + limit.services + back > limit.most * (1 + LIMIT_TOLERANCE)
        if fleet is not None and not math.isinf(own.max_distance):
            there, back = self._direct(kind, None if problem.clock is None else problem.clock.distances)
            hopeless |= there + back > own.max_distance * (1 + LIMIT_TOLERANCE)
        if common is None or common.traffic is not None:  # whose travel is an upper bound
            return hopeless
        there, back = (way / own.speed for way in self._direct(kind, common.travel))
        begin, end = (problem.depot, problem.depot) if fleet is None else (problem.n, problem.n + 1)
        schedule = common if fleet is None else problem.schedules[kind]
        windows, most, services = schedule.windows, schedule.tolerance, schedule.services[: problem.n]
        loading = float(schedule.services[begin])
        starts = np.maximum(windows.opens[: problem.n], float(windows.opens[begin]) + loading + there)
        hopeless |= loading + there + services + back > schedule.longest + most
        if schedule.hard:
            hopeless |= starts > windows.closes[: problem.n] + most
            if not problem.open:
                hopeless |= starts + services + back > windows.closes[end] + most
        return hopeless

    def _direct(self, kind: int, travel: NDArray[Any] | None) -> tuple[Floats, Floats]:
        """Return the direct travel from where a type begins to each node, and from there to where it ends."""
        problem, own, nodes = self._problem, self._types[kind], np.arange(self._problem.n)
        ways = []
        for back, place in enumerate((own.start, own.end)):
            if place is None:
                ways.append(np.zeros(problem.n))
                continue
            itself = np.full(problem.n, place)
            ends = (nodes, itself) if back else (itself, nodes)
            ways.append(np.asarray(problem.ways(kind, ends[0], ends[1], travel), np.float64))
        return ways[0], ways[1]

    def text(self, node: int) -> str | None:
        """Return why no vehicle can serve a customer and its company; None if one may be able to."""
        others = beside(self._problem, node)
        for each in self._problem.companies.get(node, (node,)):
            if (text := self._alone(each)) is not None:
                return others + text
        return None

    def _alone(self, node: int) -> str | None:
        """Return why no vehicle can serve a customer alone, but for the load of its company."""
        faults: dict[str, str] = {}
        for kind in range(len(self._types)):
            fault = self._fault(node, kind)
            if fault is None:
                return None
            faults.setdefault(*fault)
        return next(faults[sort] for sort in ("hours", "length", "load", "skills") if sort in faults)

    def of_shipment(self, shipment: Shipment) -> str | None:
        """Return why no vehicle can serve both ends of a shipment; None if one may be able to."""
        ends = (shipment.pickup, shipment.delivery)
        taken, brought = (self._problem.describe(node, "customer") for node in ends)
        able = [kind for kind in range(len(self._types)) if all(self._fault(node, kind) is None for node in ends)]
        if not able:
            return f"no vehicle can serve both ends of the shipment from {taken} to {brought}"
        if all(self._misses(shipment, kind) for kind in able):
            return f"from {taken}, the delivery of its shipment, {brought}, cannot be reached within its hours"
        longest = shipment.max_ride
        least = math.inf if longest is None else min(self._least_ride(shipment, kind, longest) for kind in able)
        if longest is not None and least > longest + LIMIT_TOLERANCE * max(longest, 1.0):
            took, most = (self._problem.time_text(time) for time in (least, longest))
            return f"from {taken}, the ride to {brought} takes {took} at least, above its longest ride, {most}"
        return None

    def _least_ride(self, shipment: Shipment, kind: int, longest: float) -> float:
        """Return the least time from a pickup to its delivery, or less: that of the direct way if that is short."""
        problem, common, ends = self._problem, self._problem.schedule, np.array([shipment.pickup, shipment.delivery])
        assert common is not None
        seconds = common.pace / self._types[kind].speed
        direct = float(problem.ways(kind, ends[:1], ends[1:], common.travel)[0]) * seconds
        ways = self._least(kind, shipment.pickup, common.travel, False) if direct > longest else None
        return min(direct, longest) if ways is None else float(ways[shipment.delivery]) * seconds

    def _misses(self, shipment: Shipment, kind: int) -> bool:
        """Return whether a type reaches a delivery too late straight from its pickup, which is the shortest way."""
        problem, common, own = self._problem, self._problem.schedule, self._types[kind]
        if common is None or not common.hard or common.travel is not None or self._ways_of(kind, None) is None:
            return False
        if problem.metric.norm == "matrix" or problem.metric.integral:
            return False
        schedule = common if problem.fleet is None else problem.schedules[kind]
        ways, begin = self._ways_of(kind, None), problem.depot if problem.fleet is None else problem.n
        assert ways is not None
        leaves = float(schedule.windows.opens[begin] + schedule.services[begin])
        start = schedule.windows.next_start(shipment.pickup, leaves + float(ways[0][shipment.pickup]) / own.speed)
        leg = float(problem.distance(shipment.pickup, shipment.delivery)) / own.speed
        arrives = start + float(schedule.services[shipment.pickup]) + leg
        return bool(arrives > schedule.windows.closes[shipment.delivery] + schedule.tolerance)

    def _fault(self, node: int, kind: int) -> tuple[str, str] | None:
        """Return what keeps a type from serving a customer: its sort, and words for people."""
        if self._allowed is not None and not self._allowed[node, kind]:
            return "skills", "no vehicle may serve it, by its skills, its days or by name"
        over = np.flatnonzero(self._demands[node] > self._capacities[kind])
        if len(over):
            at = int(over[0])
            load, most = self._table[node, at].item(), self._largest(node, at)
            free = self._allowed is None or bool(self._allowed[node].all())
            which = "" if free else " that may serve it"
            return "load", f"too large for any vehicle{which}: {load:g}, and the largest carries {most:g}"
        return self._too_far(node, kind) or self._too_late(node, kind)

    def _largest(self, node: int, at: int) -> float:
        """Return the largest capacity of the types that may serve a customer."""
        fleet = self._problem.fleet
        if fleet is None:
            return float((self._problem.capacity, *self._problem.more_capacities)[at])
        able = [True] * len(fleet.types) if self._allowed is None else self._allowed[node].tolist()
        return max(each.capacities[at] for each, may in zip(fleet.types, able, strict=True) if may)

    def _too_far(self, node: int, kind: int) -> tuple[str, str] | None:
        """Return the fault of a way that is too long."""
        problem = self._problem
        for limit in problem.limits:
            ways = self._ways_of(kind, limit.travel)
            amount = 0.0 if ways is None else ways[0][node] + limit.services[node] + ways[1][node]
            if limit.exceeded(amount):
                return "length", f"too far: its route alone {limit.complaint(amount)}"
        longest = self._types[kind].max_distance
        if problem.fleet is None or math.isinf(longest):
            return None
        roads = None if problem.clock is None else problem.clock.distances
        ways = self._ways_of(kind, roads)
        way = 0.0 if ways is None else float(ways[0][node] + ways[1][node])
        if way <= longest * (1 + LIMIT_TOLERANCE):
            return None
        return "length", f"too far: its route alone is {way:.6g} long, above the limit {longest:.6g}"

    def _too_late(self, node: int, kind: int) -> tuple[str, str] | None:
        """Return the fault of a customer that is outside of every shift, or takes too long."""
        problem, common = self._problem, self._problem.schedule
        ways = None if common is None else self._ways_of(kind, common.travel)
        if common is None or common.traffic is not None or ways is None:
            return None
        there, back = (float(way[node]) / self._types[kind].speed for way in ways)
        begin, end = (problem.depot, problem.depot) if problem.fleet is None else (problem.n, problem.n + 1)
        schedule = common if problem.fleet is None else problem.schedules[kind]
        windows, most, pace = schedule.windows, schedule.tolerance, schedule.pace
        loading, service = float(schedule.services[begin]), float(schedule.services[node])

        def moment(time: float) -> str:
            return f"{time:g}" if problem.clock is None else format_time(time * pace)

        start = windows.next_start(node, float(windows.opens[begin]) + loading + there)
        if schedule.hard and start > windows.closes[node] + most:
            hours = windows.text(node, problem.clock is not None, pace)
            return "hours", f"outside every shift: cannot be reached before {moment(start)}, after its hours {hours}"
        if schedule.hard and not problem.open and start + service + back > windows.closes[end] + most:
            shuts = moment(float(windows.closes[end]))
            late = f"its vehicle would be back at {moment(start + service + back)}, after {shuts}"
            return "hours", f"outside every shift: {late}"
        took = loading + there + service + back
        if took <= schedule.longest + max(most, schedule.longest * LIMIT_TOLERANCE):
            return None
        least, longest = (problem.time_text(time * pace) for time in (took, schedule.longest))
        return "hours", f"too far: its route alone takes {least}, above {longest}"

    def _ways_of(self, kind: int, travel: NDArray[Any] | None) -> tuple[Floats, Floats] | None:
        """Return the least travel from where a type begins to each node, and from there to where it ends.

        ``travel`` is a matrix, or None for the distances that are minimised; the result is None if it is unknown.
        """
        own = self._types[kind]
        there, back = (self._least(kind, place, travel, back) for place, back in ((own.start, False), (own.end, True)))
        return None if there is None or back is None else (there, back)

    def _least(self, kind: int, place: int | None, travel: NDArray[Any] | None, back: bool) -> Floats | None:
        """Return the least travel between a place and each node; zeros without a place, None if it is unknown."""
        own = self._problem.own_table(kind, travel)
        key = (place, back, id(travel if own is None else own))
        if key not in self._ways:
            lengths = np.zeros(self._problem.n) if place is None else self._path_lengths(kind, place, travel, back)
            self._ways[key] = lengths
        return self._ways[key]

    def _path_lengths(self, kind: int, place: int, travel: NDArray[Any] | None, back: bool) -> Floats | None:
        """Return the lengths of the shortest paths from a place, or to it (Dijkstra)."""
        problem, nodes = self._problem, np.arange(self._problem.n)

        def ways(node: int) -> Floats:
            ends = (nodes, np.full(problem.n, node)) if back else (np.full(problem.n, node), nodes)
            return np.asarray(problem.ways(kind, ends[0], ends[1], travel), np.float64)

        if travel is None and problem.metric.norm != "matrix" and not problem.metric.integral:
            return ways(place)
        if problem.n > EXACT_NODES:
            return None
        lengths, waiting = np.full(problem.n, np.inf), np.full(problem.n, np.inf)
        lengths[place] = waiting[place] = 0.0
        while waiting.min() < np.inf:
            node = int(waiting.argmin())
            through = lengths[node] + ways(node)
            nearer = through < lengths
            nearer[node] = False
            lengths[nearer] = waiting[nearer] = through[nearer]
            waiting[node] = np.inf
        return lengths


def _summed(problem: VRP, table: NDArray[Any]) -> NDArray[Any]:
    """Return amounts of the nodes, those of customers who go together the sum of all of them."""
    table = table.copy()
    for group in map(list, problem.together):
        table[group] = table[group].sum(axis=0)
    return table


def beside(problem: VRP, node: int) -> str:
    """Return with whom a customer goes, before why they are not served; nothing if it goes alone."""
    others = [problem.describe(other, "customer") for other in problem.companies.get(node, ()) if other != node]
    return f"together with {', '.join(others)}: " if others else ""
