"""Resources of a route that need its order: when each stop is served, and how long the vehicle is out.

A vehicle leaves so that it is late as little as possible, then so that it is out as briefly as possible, then as early
as possible. An early vehicle waits.

    start of c  =  max(opening of c, start of the stop before + its service + travel)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.limits import LIMIT_TOLERANCE, SEARCHED_LIMIT
from warptour.model.metric import Floats, Nodes
from warptour.model.rests import Break, DrivingRule, Segment, Taken, placed, ruled
from warptour.model.rides import RiddenRoute, Ride, rides_among
from warptour.model.traffic import Traffic
from warptour.model.windows import TimeWindows


@dataclass(frozen=True, eq=False)
class Day:
    """The times of one route, in the unit of its schedule; arrays have an entry for each visit, depots included."""

    # arrivals, starts, departures: the first arrival is the start of service at the depot, where the vehicle is before
    arrivals: Floats
    starts: Floats
    departures: Floats
    late: Floats  # how far each start is behind the last closing
    slack: Floats  # how much later each start may be without another stop becoming late or later than it is
    long_waits: Floats  # how far each wait is above the longest that is allowed
    breaks: tuple[Taken, ...] = ()  # the driver's breaks
    rides: tuple[Ride, ...] = ()  # goods that may not be aboard for long

    def over_ride(self, ride: Ride) -> float:
        """Return by how much goods are aboard for longer than they may be."""
        return float(self.starts[ride.delivery] - self.departures[ride.pickup]) - ride.longest

    @property
    def waits(self) -> Floats:
        """How long the vehicle waits at each visit."""
        return self.starts - self.arrivals

    @property
    def duration(self) -> float:
        """How long the vehicle is out, its services at the depot included."""
        return float(self.departures[-1] - self.starts[0])


@dataclass(frozen=True, eq=False)
class Schedule:
    """Time on routes with windows, or whose time has a price."""

    windows: TimeWindows  # when service may begin; at the depot, when a vehicle may leave and must be back
    services: Floats  # (n,): at the depot, the time before a vehicle leaves
    travel: NDArray[Any] | None = None  # (n, n): travel times; None for the distances that are minimised
    pace: float = 1.0  # what the user's unit is in that of all these times: seconds are ``pace`` times them
    longest: float = math.inf  # limit on a route's duration
    longest_wait: float = math.inf  # limit on the wait at a stop
    per_time: float = 0.0  # cost of a unit of duration
    per_late: float = math.inf  # cost of a unit of lateness; infinite where windows are hard at their end
    # regular, per_overtime: duration above which overtime begins, and the cost of a unit of it
    regular: float = math.inf
    per_overtime: float = 0.0
    # (n,): when the goods of each customer are at the depot: a route leaves, its service there included, no earlier
    releases: Floats | None = None
    # (n,): nodes where vehicles come between two trips: the second is loaded there when its goods are
    reloads: NDArray[np.bool_] | None = None
    # travel times by the time of day; ``travel``, which searches take, is then the slowest of each leg
    traffic: Traffic | None = None
    breaks: tuple[Break, ...] = ()  # breaks of the driver; stops have one window then
    driving: DrivingRule | None = None  # a break after so much driving; likewise
    # of each delivery whose goods may not be aboard for long: its pickup and the longest ride
    rides: Mapping[int, tuple[int, float]] = field(default_factory=dict)

    @property
    def hard(self) -> bool:
        """Whether no stop may be late."""
        return math.isinf(self.per_late)

    @property
    def priced(self) -> bool:
        """Whether time has a cost."""
        return self.per_time > 0 or self.per_overtime > 0 or not self.hard

    @property
    def walks(self) -> bool:
        """Whether a route has to be walked along to know its times: no constant number of sums says them."""
        lasting = self.per_time > 0 or not math.isinf(self.longest)
        return (
            (self.releases is not None and self.reloads is None)  # kernels for trips know releases otherwise
            or not self.hard
            or not math.isinf(self.longest_wait)
            or (lasting and self.windows.several)
            or len(self.rides) > 0
        )

    @cached_property
    def scale(self) -> float:
        """Size of the times, for tolerances."""
        closes = self.windows.closes
        finite = closes[np.isfinite(closes)]
        longest = max((longest for _, longest in self.rides.values()), default=1.0)
        return float(max(finite.max(initial=0.0), self.windows.opens.max(initial=0.0), longest, 1.0))

    @property
    def tolerance(self) -> float:
        """Lateness, or excess over a limit, that counts as rounding."""
        return LIMIT_TOLERANCE * self.scale

    @property
    def searched_tolerance(self) -> float:
        """Lateness that searches take for rounding: less than the checker's."""
        return SEARCHED_LIMIT * self.scale

    def day(self, visits: Nodes, legs: Floats) -> Day:
        """Return the times of a route.

        ``visits``: depot, customers in order, and the depot again unless the route is open
        ``legs``: travel between consecutive visits
        """
        if self.traffic is not None:
            return self._day_in_traffic(visits.tolist(), self.traffic)
        nodes, travel = visits.tolist(), np.asarray(legs, np.float64).tolist()
        if self.breaks or self.driving is not None:
            return rested_day(self, nodes, travel)
        rides = rides_among(self.rides, nodes)
        if rides:
            return self._ridden_day(nodes, travel, rides)
        starts, closes = self._feasible_starts(nodes, travel)
        if self.windows.several and math.isinf(self.longest_wait):
            starts = self._shortest(nodes, travel, starts, closes)
        driven = self._driven(nodes, travel, starts[0])
        waits = (start - before for before, start in zip(self._arrivals(nodes, travel, driven), driven, strict=True))
        if max(waits) <= self.longest_wait:
            starts = driven
        return self._told(nodes, travel, np.array(starts), closes)

    def _ridden_day(self, nodes: list[int], travel: list[float], rides: tuple[Ride, ...]) -> Day:
        """Return the times of a route some of whose goods have a longest ride."""
        route = RiddenRoute(
            self.windows, nodes, self.services[nodes].tolist(), travel, self.loadings(nodes), rides,
            longest_wait=self.longest_wait, hard=self.hard, tolerance=self.searched_tolerance,
        )  # fmt: skip
        starts, closes = route.starts()
        return replace(self._told(nodes, travel, np.array(starts), route.due(starts, closes)), rides=rides)

    def _day_in_traffic(self, nodes: list[int], traffic: Traffic) -> Day:
        """Return the times of a route whose legs take as long as its hours say, ``travel`` at most.

        The vehicle leaves as late as it can without ending later or being late more than it must.
        """
        windows, services = self.windows, self.services[nodes]
        services[1:][np.equal(nodes[1:], nodes[0])] = 0.0
        ways = list(enumerate(pairwise(nodes)))

        def driven(leaves: float) -> tuple[list[float], list[float]]:
            """Return arrivals and starts of a vehicle that begins at a time and serves each stop as soon as it may."""
            arrivals = [leaves]
            starts = [leaves]
            for at, (a, b) in ways:
                arrivals.append(traffic.arrival(a, b, starts[-1] + services[at]))
                starts.append(windows.next_start(b, arrivals[-1]))
            return arrivals, starts

        def latest(starts: list[float], last: float) -> list[float]:
            """Return the latest starts that are as little late as these, and at most ``last`` at the end."""
            found = [last]
            for at, (a, b) in reversed(ways):
                until = traffic.departure(a, b, max(found[-1], starts[at + 1])) - services[at]
                shuts = float(windows.closes[a])
                until = windows.last_start(a, min(until, shuts)) if starts[at] <= shuts else starts[at]
                found.append(max(until, starts[at]))
            return found[::-1]

        earliest = driven(windows.next_start(nodes[0], self.loadings(nodes)[0]))[1]
        arrivals, begins = driven(latest(earliest, earliest[-1])[0])
        starts = np.array(begins)
        end = windows.closes[nodes[-1]]
        ends = np.array(latest(begins, max(begins[-1], windows.last_start(nodes[-1], float(end)))))
        late, nothing = np.maximum(starts - windows.closes[nodes], 0.0), np.zeros(len(nodes))
        return Day(np.array(arrivals), starts, starts + services, late, ends - starts, nothing)

    def price(self, day: Day) -> float:
        """Return what the times of a route cost."""
        if not self.priced:
            return 0.0
        late = 0.0 if self.hard else self.per_late * float(day.late.sum())
        overtime = self.per_overtime * max(day.duration - self.regular, 0.0) if self.per_overtime else 0.0
        return self.per_time * day.duration + overtime + late

    def excess(self, day: Day) -> float:
        """Return by how much a route is over the limit on durations."""
        return day.duration - self.longest

    def is_kept_by(self, day: Day) -> bool:
        """Return whether a route keeps windows and limits, but for rounding."""
        most = self.tolerance
        kept = self.excess(day) <= most and float(day.long_waits.max()) <= most
        kept = kept and all(rest.late <= most for rest in day.breaks)
        kept = kept and all(day.over_ride(ride) <= most for ride in day.rides)
        return kept and (not self.hard or float(day.late.max()) <= most)

    def _feasible_starts(self, nodes: list[int], travel: list[float]) -> tuple[list[float], list[float]]:
        """Return starts that are as little late, end as early and begin as late as possible, and their closings.

        Each start lies between the earliest and, where waits have a limit, the latest that the stops before allow.
        """
        windows, services = self.windows, self.services
        earliest: list[float] = []
        latest: list[float] = []
        closes: list[float] = []
        loadings = self.loadings(nodes)
        for at, node in enumerate(nodes):
            arrival = earliest[-1] + services[nodes[at - 1]] + travel[at - 1] if at else 0.0
            last = latest[-1] + services[nodes[at - 1]] + travel[at - 1] + self.longest_wait if at else math.inf
            start = windows.next_start(node, max(arrival, loadings[at]))
            closes.append(max(float(windows.closes[node]), start))
            earliest.append(start)
            latest.append(max(start, min(closes[-1], last)))
        starts = list(earliest)
        for at in range(len(nodes) - 2, -1, -1):
            until = starts[at + 1] - services[nodes[at]] - travel[at]
            start = (
                windows.last_start(nodes[at], min(until, latest[at]))
                if closes[at] <= windows.closes[nodes[at]]
                else until
            )
            starts[at] = max(min(start, latest[at]), earliest[at])
        return starts, closes

    def loadings(self, nodes: list[int]) -> list[float]:
        """Return when the goods of the trip that begins at each visit are there; 0 where none does."""
        loadings = [0.0] * len(nodes)
        if self.releases is None:
            return loadings
        start = 0
        for at, node in enumerate(nodes):
            if self.reloads is not None and self.reloads[node]:
                start = at
            loadings[start] = max(loadings[start], float(self.releases[node]))
        return loadings

    def _shortest(self, nodes: list[int], travel: list[float], starts: list[float], closes: list[float]) -> list[float]:
        """Return starts of the shortest duration, where later windows may make the route shorter than ``starts``.

        On the shortest route no wait comes before a stop that is served as its window closes, or there is none.
        Sums in another order may be larger by rounding.
        """
        best, duration = starts, starts[-1] - starts[0]
        offset, leaves = 0.0, set()
        for at, node in enumerate(nodes):
            leaves |= {shuts - offset for _, shuts in self.windows.of_node(node) if math.isfinite(shuts)}
            offset += self.services[node] + (travel[at] if at < len(travel) else 0.0)
        for leave in sorted(leaves):
            if leave <= starts[0] or self.windows.next_start(nodes[0], leave) != leave:
                continue
            later = self._driven(nodes, travel, leave)
            if later[-1] - later[0] < duration - self.searched_tolerance and all(
                x <= y + self.searched_tolerance / 2 for x, y in zip(later, closes, strict=True)
            ):
                best, duration = later, later[-1] - later[0]
        return best

    def _driven(self, nodes: list[int], travel: list[float], leave: float) -> list[float]:
        """Return the starts of a vehicle that leaves at a time and serves each stop as soon as it may."""
        starts = [leave]
        for (a, b), leg, loading in zip(pairwise(nodes), travel, self.loadings(nodes)[1:], strict=True):
            starts.append(self.windows.next_start(b, max(starts[-1] + self.services[a] + leg, loading)))
        return starts

    def _arrivals(self, nodes: list[int], travel: list[float], starts: list[float]) -> list[float]:
        """Return the arrivals that belong to starts; at the depot, the start."""
        ways = zip(starts, nodes, travel, strict=False)
        return [starts[0], *(start + self.services[node] + leg for start, node, leg in ways)]

    def _told(self, nodes: list[int], travel: list[float], starts: Floats, closes: list[float]) -> Day:
        """Return the day with these starts."""
        services = self.services[nodes].copy()
        if len(nodes) > 1 and nodes[-1] == nodes[0]:
            services[-1] = 0.0
        departures = starts + services
        arrivals = np.array(self._arrivals(nodes, travel, starts.tolist()))
        slack, last = np.zeros(len(nodes)), math.inf
        for at in range(len(nodes) - 1, -1, -1):
            latest = (
                self.windows.last_start(nodes[at], min(last, closes[at]))
                if closes[at] <= self.windows.closes[nodes[at]]
                else closes[at]
            )
            slack[at] = max(latest - starts[at], 0.0)
            last = starts[at] + slack[at] - (services[at - 1] + travel[at - 1] if at else 0.0)
        late = np.maximum(starts - self.windows.closes[nodes], 0.0)
        waits = np.maximum(starts - arrivals - self.longest_wait, 0.0)
        return Day(arrivals, starts, departures, late, slack, waits)


def rested_day(schedule: Schedule, nodes: list[int], travel: list[float]) -> Day:
    """Return the times of a route with breaks: it is late as little, and then out as briefly, as they allow."""
    opens, closes = (edge[nodes].tolist() for edge in (schedule.windows.opens, schedule.windows.closes))
    services = schedule.services[nodes]
    stops = [Segment(*each) for each in zip(services.tolist(), opens, closes, strict=True)]
    if schedule.driving is not None:
        piece, where = ruled(stops, travel, schedule.driving, schedule.searched_tolerance)
        taken = [Break(0.0, math.inf, schedule.driving.length) for _ in where]
        legs, ways = tuple(leg for leg, _ in where), [way for _, way in where]
    else:
        whole = placed(stops, travel, schedule.breaks, schedule.searched_tolerance)
        piece, legs, taken, ways = whole.piece, whole.at, list(schedule.breaks), []
    leaves = min(max(piece.earliest, opens[0]), closes[0])
    return _driven_with_breaks(taken, ways, schedule, stops, travel, leaves, legs)


def _driven_with_breaks(
    breaks: list[Break],
    ways: list[float],
    schedule: Schedule,
    stops: list[Segment],
    travel: list[float],
    leaves: float,
    legs: tuple[int, ...],
) -> Day:
    """Return the day of a vehicle that leaves at a time and has breaks on these legs, at once or after these ways."""
    arrivals, starts, taken = [leaves], [leaves], list[Taken]()
    due = [math.inf] * len(travel)  # when to leave for each leg at the latest, for its breaks

    def rest(at: int, moment: float, pause: float = 0.0) -> float:
        """Take the next break at a moment, or once it opens; return its end."""
        own = breaks[len(taken)]
        start = max(moment, own.opens)
        taken.append(Taken(at, start, start + own.length, max(start - own.closes, 0.0), pause))
        return start + own.length

    ready = 0.0
    for _ in range(legs.count(-1)):
        ready = rest(-1, ready)
    for at, way in enumerate(travel):
        moment, left = starts[-1] + stops[at].duration, way
        for _ in range(legs.count(at)):
            own = breaks[len(taken)]
            driven = min(left, max(own.opens - moment, ways[len(taken)] - (way - left) if ways else 0.0, 0.0))
            due[at] = min(due[at], own.closes)
            ended = rest(at, moment + driven)
            taken[-1] = replace(taken[-1], pause=ended - moment - driven)
            moment, left = ended, left - driven
        arrivals.append(moment + left)
        starts.append(max(moment + left, stops[at + 1].earliest))
    ended = starts[-1] + stops[-1].duration
    for _ in range(legs.count(len(travel))):
        ended = rest(len(travel), ended)
    services = np.array([stop.duration for stop in stops])
    begins, closes = np.array(starts), np.array([stop.latest for stop in stops])
    latest = np.maximum(closes, begins)
    for at in range(len(travel) - 1, -1, -1):
        pauses = sum(each.pause for each in taken if each.after == at)
        until = min(due[at], float(latest[at + 1]) - travel[at] - pauses) - services[at]
        latest[at] = max(min(float(latest[at]), until), starts[at])
    late, nothing = np.maximum(begins - closes, 0.0), np.zeros(len(stops))
    return Day(np.array(arrivals), begins, begins + services, late, latest - begins, nothing, tuple(taken))
