"""A trace that is open in the view, with its tours: finished, or followed while it grows."""

from __future__ import annotations

import os
import struct
import time
from math import isfinite
from pathlib import Path
from threading import RLock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.streets import RoadOptions, streets_between
from warptour.model.itinerary import Trip, has_windows, itinerary
from warptour.model.problem import TSP
from warptour.model.streets import Streets
from warptour.model.unserved import unserved
from warptour.model.vehicles import VRP
from warptour.observe.tour_frames import TourFile, as_routes
from warptour.observe.tours import Order
from warptour.observe.trace_lines import Line, TraceLines
from warptour.view.problems import NO_ROADS, coordinates, drawing_facts, drawn_norm, is_geographic, node_facts
from warptour.web.refusal import Refusal, missing

LARGEST: Final = 1e300
"""Capacity above which vehicles have none."""
MAX_VISITS: Final = 5000
"""Stops up to which the visits of a day are told."""
MAX_LINES: Final = 20_000
"""Maximum lines of one answer."""
QUIET_SECONDS: Final = 10.0
"""A trace of version 1, which has no last line, counts as ended after this much silence."""
TOUR_HEAD: Final = struct.Struct("<ddII")


def stop_called(node: int) -> str:
    """Return a stop for messages."""
    return f"stop {node + 1}"


class OpenedTrace:
    """A trace and its sidecar.

    Parameters
    ----------
    id, name : str
    path : Path
    tours : Path
        The sidecar, which need not exist.
    problem : TSP or VRP, optional
        The problem of a run of this server, whose sidecar may not be there yet.
    run : str, optional
        Id of that run.
    grows : bool
        Whether more may come; an upload is as it is.
    roads : RoadOptions
        The streets that tours of a trace from elsewhere are drawn along.
    """

    def __init__(
        self,
        id: str,
        name: str,
        path: Path,
        tours: Path,
        *,
        problem: TSP | VRP | None = None,
        run: str | None = None,
        grows: bool = True,
        roads: RoadOptions = NO_ROADS,
    ) -> None:
        self.id = id
        self.name = name
        self.run = run
        self.grows = grows
        self.trace = TraceLines(path, name)
        self.tours = TourFile(tours, f"{name}.tours")
        self._problem = problem
        self._roads = roads
        self._found: Streets | None = None
        self._lock = RLock()

    def grow(self) -> None:
        """Read new lines and tours."""
        with self._lock:
            if self.grows or not self.trace.lines:
                self.trace.grow()
                self.tours.grow()

    @property
    def problem(self) -> TSP | VRP:
        """The problem; of a trace from elsewhere, as the sidecar has it."""
        with self._lock:
            if self._problem is None:
                self._problem = self.tours.problem()
            if self._problem is None and self.tours.facts is not None:
                raise Refusal(404, "the trace has tours, and not the matrix of distances")
            if self._problem is None:
                raise Refusal(404, "the trace has no tours: warptour solve --trace FILE --tours keeps them")
            return self._problem

    def streets(self) -> Streets | None:
        """Return the streets that tours are drawn along, None for straight lines."""
        with self._lock:
            if self._problem is not None and self._problem.streets is not None:
                return self._problem.streets
            if self._roads.roads is not None and self._found is None and len(self.tours.points):
                self._found = streets_between(np.asarray(self.tours.points), self._roads, stop_called)
            return self._found

    def state(self) -> str:
        """Return ``growing``, ``ended`` or ``cut off``."""
        if self.trace.ended:
            return "ended"
        if self.trace.lines and self.trace.begin is None:
            return "ended" if not self.grows or self.idle() >= QUIET_SECONDS else "growing"
        return "growing" if self.grows else "cut off"

    def idle(self) -> float:
        """Return the seconds since the trace last grew."""
        try:
            return max(0.0, time.time() - os.stat(self.trace.path).st_mtime)
        except OSError:
            return 0.0

    def facts(self) -> dict[str, Any]:
        """Return what the page is told."""
        error = self.trace.error or self.tours.error
        return {
            "id": self.id,
            "run": self.run,
            "state": self.state(),
            "idle": round(self.idle(), 1),
            "error": None if error is None else str(error),
            "lines": len(self.trace.lines),
            "frames": len(self.tours.frames),
            "begin": self.trace.begin,
            **self._drawing(),
            "name": self.name,
        }

    def signature(self) -> tuple[object, ...]:
        """Return what changes when there is something new to tell."""
        return self.state(), len(self.trace.lines), len(self.tours.frames), self.tours.facts is None

    def _drawing(self) -> dict[str, Any]:
        if self._problem is not None:
            return drawing_facts(self._problem)
        known = self.tours.facts or self.trace.begin or {}
        norm = known["metric"]["norm"] if self.tours.facts is not None else ""
        facts = {name: known.get(name) for name in ("kind", "n", "open", "best_known", "depot", "capacity")}
        drawable, by_streets = self.tours.facts is not None and len(self.tours.points) > 0, self._roads.by_roads
        facts |= {"geographic": by_streets or is_geographic(norm), "streets": by_streets}
        return facts | {"drawable": drawable, "labels": self.tours.has_labels}

    def lines(self, after: int) -> tuple[list[Line], int]:
        """Return lines from ``after`` on, and where the next ones begin."""
        found = self.trace.lines[after : after + MAX_LINES]
        return found, after + len(found)

    def frames(self, after: int) -> tuple[list[list[float]], int]:
        """Return seconds, cost and number of routes of tours from ``after`` on, and where the next ones begin."""
        found = self.tours.frames[after : after + MAX_LINES]
        return [[frame.seconds, frame.cost, frame.routes] for frame in found], after + len(found)

    def solution(self, number: int) -> tuple[Order, Order]:
        """Return the lengths of the routes, and the nodes in order."""
        with self._lock:
            if not 0 <= number < len(self.tours.frames):
                raise missing("tour")
            return self.tours.solution(number)

    def tour(self, number: int) -> bytes:
        """Return a tour as the page takes it: with the line of each route along the streets, where these are known."""
        lengths, order = self.solution(number)
        frame = self.tours.frames[number]
        head = TOUR_HEAD.pack(frame.seconds, frame.cost, len(lengths), len(order))
        return b"".join(
            (head, lengths.astype("<i4").tobytes(), order.astype("<i4").tobytes(), *self._lines(lengths, order))
        )

    def _lines(self, lengths: Order, order: Order) -> list[bytes]:
        """Return how many places each line along streets has, and their longitudes and latitudes."""
        streets = self.streets()
        if streets is None or not len(order):
            return []
        trips = self._trips(lengths, order)
        lines = [streets.line(trip) if len(trip) else np.empty((0, 2)) for trip in trips]
        found = [line[:, ::-1].astype("<f4") for line in lines if line is not None]
        if len(found) < len(trips):
            return []
        return [np.array([len(line) for line in found], "<u4").tobytes(), *(line.tobytes() for line in found)]

    def _trips(self, lengths: Order, order: Order) -> list[NDArray[np.int64]]:
        """Return the nodes along the tour or each route, from its start to its end; none of an empty route."""
        sequences = [np.asarray(route) for route in as_routes(lengths, order)] if len(lengths) else [order]
        if isinstance(self._problem, VRP):
            return [self._problem.path(vehicle, route) for vehicle, route in enumerate(sequences)]
        facts = self._drawing()
        ends = [] if facts["depot"] is None else [facts["depot"]]
        back = [] if facts["open"] else ends
        return [
            np.concatenate((ends, nodes, back or ([] if facts["open"] else nodes[:1]))).astype(np.int64)
            if len(nodes) else np.empty(0, np.int64)
            for nodes in sequences
        ]  # fmt: skip

    def coordinates(self) -> bytes:
        """Return the coordinates of all nodes."""
        if self._problem is not None:
            return coordinates(self._problem.map, drawn_norm(self._problem))
        if self.tours.facts is None:
            raise missing("tour yet")
        norm = "great_circle" if self._roads.by_roads else self.tours.facts["metric"]["norm"]
        return coordinates(self.tours.points, norm)

    def node(self, number: int) -> dict[str, Any]:
        """Return the facts of a node."""
        return node_facts(self.problem, number)

    def routes(self, number: int) -> dict[str, Any]:
        """Return the stops, length and load of each route of a tour; where times count, its day, too."""
        problem = self.problem
        lengths, order = self.solution(number)
        if not isinstance(problem, VRP):
            cost = self.tours.frames[number].cost
            return {"routes": [{"number": 1, "stops": len(order), "length": cost}], "capacity": None}
        rows: list[dict[str, Any]] = []
        routes = [np.asarray(route) for route in as_routes(lengths, order)]
        for index, nodes in enumerate(routes, 1):
            if len(nodes) == 0:
                continue
            load = problem.amounts_along(nodes)[:, 0].max().item()
            cost = problem.route_cost(nodes, index - 1)
            rows.append({"number": index, "stops": len(nodes), "length": cost, "load": load})
            if problem.fleet is not None:
                most = problem.type_of(index - 1).capacities[0]
                own = {"vehicle": problem.fleet.vehicle_name(index - 1), "capacity": most if isfinite(most) else None}
                rows[-1] |= own
        if has_windows(problem) or problem.clock is not None:
            for row, trip in zip(rows, itinerary(problem, routes), strict=True):
                row |= _day(trip, len(order) <= MAX_VISITS)
        capacity = problem.capacity if problem.capacity < LARGEST else None
        lost = [
            {"node": each.node, "name": problem.describe(each.node, "customer"), "text": each.text}
            for each in unserved(problem, routes)
        ]
        return {
            "routes": rows,
            "capacity": capacity,
            "clock": problem.clock is not None,
            "unit": problem.unit,
            "unserved": lost,
        }


def _day(trip: Trip, visited: bool) -> dict[str, Any]:
    """Return when a vehicle leaves and ends, how long it waits, its driver's breaks and, if ``visited``, its visits.

    A visit is its node, arrival, start of service and departure.
    """
    times = trip.times
    assert times is not None
    facts: dict[str, Any] = {"leaves": float(times.arrivals[0]), "ends": trip.end, "waits": trip.wait}
    breaks = [(rest.start, rest.end) for rest in times.breaks if 0 <= rest.after <= len(trip.nodes[trip.stops])]
    facts |= {"breaks": breaks} if breaks else {}
    if visited:
        columns = (trip.nodes.tolist(), times.arrivals.tolist(), times.starts.tolist(), times.departures.tolist())
        facts["visits"] = list(zip(*columns, strict=True))
    return facts
