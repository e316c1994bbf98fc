"""Longest rides: how long goods of shipments may be on the way, from the end of their pickup to the start of delivery.

A ride is shorter if its pickup begins later, where there is a wait behind it. So the starts of a route are bounded from
below by earlier stops, and by later ones:

    start of a delivery  >=  start of the stop before it + its service + travel
    start of a pickup    >=  start of its delivery - longest ride - service of the pickup

The earliest starts are found by walks along the route and back until nothing changes; the latest likewise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from warptour.model.windows import TimeWindows


@dataclass(frozen=True)
class Ride:
    """Goods on a route: the numbers of the visits between which they are aboard, and how long they may be."""

    pickup: int
    delivery: int
    longest: float


def rides_among(limits: Mapping[int, tuple[int, float]], nodes: Sequence[int]) -> tuple[Ride, ...]:
    """Return the rides on a route whose pickup comes first; ``limits`` are the pickup and limit of each delivery."""
    if not limits:
        return ()
    places = {node: at for at, node in enumerate(nodes)}
    known = ((at, *limits[node]) for at, node in enumerate(nodes) if node in limits)
    return tuple(
        Ride(places[pickup], at, longest) for at, pickup, longest in known if places.get(pickup, len(nodes)) < at
    )


class RiddenRoute:
    """A route some of whose goods have a longest ride, and its starts.

    Limits that it cannot keep are as long as they must be, within the windows as far as these can be kept.

    ``services``, ``travel``: service of each visit, and travel between them
    """

    def __init__(
        self,
        windows: TimeWindows,
        nodes: list[int],  # the visits, depots included
        services: list[float],
        travel: list[float],
        loadings: list[float],  # when the goods of each visit are there
        rides: Sequence[Ride],
        *,
        longest_wait: float,  # limit on the wait at a stop
        hard: bool,  # whether no stop may be late
        tolerance: float,  # time that counts as rounding
    ) -> None:
        self._windows, self._nodes, self._services, self._loadings = windows, nodes, services, loadings
        self._hard, self._tolerance = hard, tolerance
        self._ways = [service + leg for service, leg in zip(services, travel, strict=False)]
        self._offsets = [0.0, *accumulate(self._ways)]
        self._waits = [longest_wait] * len(self._ways)
        self._rides = [replace(ride, longest=max(ride.longest, self._direct(ride))) for ride in rides]
        self._walks = 2 + len(nodes) + sum(len(list(windows.of_node(node))) - 1 for node in nodes)

    def _direct(self, ride: Ride) -> float:
        """Return how long a ride takes without waits."""
        return self._offsets[ride.delivery] - self._offsets[ride.pickup] - self._services[ride.pickup]

    def starts(self) -> tuple[list[float], list[float]]:
        """Return starts as little late, then as briefly out and then as early as possible, and their closings."""
        windows, nodes = self._windows, self._nodes
        leave, most = windows.next_start(nodes[0], self._loadings[0]), [math.inf] * len(nodes)
        if self._hard:
            rides, waits, self._rides, self._waits = self._rides, self._waits, [], [math.inf] * len(self._ways)
            plain = self._earliest(leave, most)
            most = self._latest(plain, self._closings(plain), math.inf)
            self._rides, self._waits = rides, waits
        earliest = self._earliest(leave, most)
        gone = zip(earliest, self._ways, strict=False)
        lengths = [later - start - way for later, (start, way) in zip(earliest[1:], gone, strict=True)]
        self._waits = [max(wait, length) for wait, length in zip(self._waits, lengths, strict=True)]
        self._rides = [replace(ride, longest=max(ride.longest, self._length(ride, earliest))) for ride in self._rides]
        closes = self._closings(earliest)
        best = self._earliest(self._latest(earliest, closes, earliest[-1])[0], most)
        for later in self._later_departures(best[0]) if windows.several else ():
            starts = self._earliest(later, most)
            if starts[-1] - starts[0] < best[-1] - best[0] - self._tolerance and self._keeps(starts, closes):
                best = starts
        return best, closes

    def due(self, starts: list[float], closes: list[float]) -> list[float]:
        """Return closings that, beside these starts, keep the limits on rides, too."""
        due = list(closes)
        for ride in self._rides:
            due[ride.delivery] = min(
                due[ride.delivery], starts[ride.delivery] + ride.longest - self._length(ride, starts)
            )
        return due

    def _length(self, ride: Ride, starts: list[float]) -> float:
        return starts[ride.delivery] - starts[ride.pickup] - self._services[ride.pickup]

    def _closings(self, starts: list[float]) -> list[float]:
        """Return the closings of all stops, those that are late already no later than they are."""
        closes = self._windows.closes
        return [max(float(closes[node]), start) for node, start in zip(self._nodes, starts, strict=True)]

    def _keeps(self, starts: list[float], closes: list[float]) -> bool:
        """Return whether starts keep closings and all limits, but for rounding."""
        most = self._tolerance / 2
        ways = zip(pairwise(starts), self._ways, self._waits, strict=True)
        return (
            all(start <= shuts + most for start, shuts in zip(starts, closes, strict=True))
            and all(b - a - way <= wait + most for (a, b), way, wait in ways)
            and all(self._length(ride, starts) <= ride.longest + most for ride in self._rides)
        )

    def _later_departures(self, leave: float) -> list[float]:
        """Return later departures at which, without waits, some stop is served as one of its windows closes."""
        windows = self._windows
        found = {
            shuts - offset for node, offset in zip(self._nodes, self._offsets, strict=True)
            for _, shuts in windows.of_node(node) if leave < shuts - offset < math.inf
        }  # fmt: skip
        return [later for later in sorted(found) if windows.next_start(self._nodes[0], later) == later]

    def _earliest(self, leave: float, most: list[float]) -> list[float]:
        """Return the earliest starts from a departure on; waits and rides are above their limits only at ``most``."""
        starts = [leave, *[-math.inf] * (len(self._nodes) - 1)]
        for _ in range(self._walks):
            for at, node in list(enumerate(self._nodes))[1:]:
                ready = max(starts[at], starts[at - 1] + self._ways[at - 1], self._loadings[at])
                starts[at] = self._windows.next_start(node, ready)
            if not self._delay(starts, most):
                break
        return starts

    def _delay(self, starts: list[float], most: list[float]) -> bool:
        """Move starts to where waits and rides behind them keep their limits, and return whether any changes."""
        changed = False
        rides = sorted(self._rides, key=lambda ride: ride.pickup)
        for at in range(len(starts) - 2, -1, -1):
            least = starts[at + 1] - self._ways[at] - self._waits[at]
            while rides and rides[-1].pickup == at:
                ride = rides.pop()
                least = max(least, starts[ride.delivery] - ride.longest - self._services[at])
            if least > starts[at] + self._tolerance / 4:
                later = min(self._windows.next_start(self._nodes[at], least), most[at])
                changed |= later > starts[at]
                starts[at] = max(starts[at], later)
        return changed

    def _latest(self, earliest: list[float], closes: list[float], end: float) -> list[float]:
        """Return the latest starts until ``end`` that keep closings and limits, which the earliest ones do."""
        windows, last = self._windows, len(earliest) - 1
        starts = [min(shuts, end) for shuts in closes]
        for _ in range(self._walks):
            for at in range(last, -1, -1):
                until = min(starts[at], starts[at + 1] - self._ways[at]) if at < last else starts[at]
                in_time = closes[at] <= windows.closes[self._nodes[at]]
                until = windows.last_start(self._nodes[at], until) if in_time else until
                starts[at] = max(until, earliest[at])
            if not self._advance(starts, earliest):
                break
        return starts

    def _advance(self, starts: list[float], earliest: list[float]) -> bool:
        """Move starts to where waits and rides before them keep their limits, and return whether any changes."""
        changed, most = False, [math.inf] * len(starts)
        for ride in self._rides:
            most[ride.delivery] = starts[ride.pickup] + self._services[ride.pickup] + ride.longest
        for at in range(1, len(starts)):
            until = max(min(most[at], starts[at - 1] + self._ways[at - 1] + self._waits[at - 1]), earliest[at])
            if starts[at] > until + self._tolerance / 4:
                starts[at], changed = until, True
        return changed
