"""A trace that is open in the view, with its tours: finished, or followed while it grows."""

from __future__ import annotations

import os
import struct
import time
from pathlib import Path
from threading import RLock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.streets import RoadOptions, streets_between
from warptour.model.problem import TSP
from warptour.model.streets import Streets
from warptour.model.vehicles import VRP
from warptour.observe.tour_frames import TourFile, as_routes
from warptour.observe.tours import Order
from warptour.observe.trace_lines import Line, TraceLines
from warptour.view.by_hand import Locked, PlanStep, PlanWriter
from warptour.view.plan import plan_facts, stops_of
from warptour.view.problems import NO_ROADS, coordinates, drawing_facts, drawn_norm, is_geographic, node_facts
from warptour.web.refusal import Refusal, missing

MAX_LINES: Final = 20_000
"""Maximum lines of one answer."""
QUIET_SECONDS: Final = 10.0
"""A trace of version 1, which has no last line, counts as ended after this much silence."""
NOTHING: Final = Locked()
TOUR_HEAD: Final = struct.Struct("<ddII")


def stop_called(node: int) -> str:
    """Return a stop for messages."""
    return f"stop {node + 1}"


class OpenedTrace:
    """A trace and its sidecar."""

    def __init__(
        self,
        id: str,
        name: str,
        path: Path,
        tours: Path,  # the sidecar, which need not exist
        *,
        problem: TSP | VRP | None = None,  # the problem of a run of this server, whose sidecar may not be there yet
        run: str | None = None,  # id of that run
        base: str | None = None,  # id of the problem that its plan can be made again for
        locked: Locked = NOTHING,  # what stays when it is
        writer: PlanWriter | None = None,  # of a plan that is changed by hand
        grows: bool = True,  # whether more may come; an upload is as it is
        roads: RoadOptions = NO_ROADS,  # the streets that tours of a trace from elsewhere are drawn along
    ) -> None:
        self.id = id
        self.name = name
        self.run = run
        self.base = base
        self.locked = locked
        self.writer = writer
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
        if self.trace.ended or self.writer is not None:
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
            "base": self.base,
            "locked": self.locked.facts(),
            "steps": None if self.writer is None else [step.facts() for step in self.writer.steps],
        }

    def signature(self) -> tuple[object, ...]:
        """Return what changes when there is something new to tell."""
        return self.state(), len(self.trace.lines), len(self.tours.frames), self.tours.facts is None, self._steps()

    def _steps(self) -> tuple[PlanStep, ...]:
        return () if self.writer is None else tuple(self.writer.steps)

    def locked_in(self, number: int) -> Locked:
        """Return what is locked in a plan."""
        return self._steps()[number].locked if self.writer is not None else self.locked

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

    @property
    def vehicles(self) -> VRP:
        """The problem of vehicles; of a tour there is none."""
        problem = self.problem
        if not isinstance(problem, VRP):
            raise Refusal(400, "this is one tour, and no routes of vehicles")
        return problem

    def routes(self, number: int) -> list[NDArray[np.int32]]:
        """Return the routes of the vehicles of a tour."""
        lengths, order = self.solution(number)
        return [np.asarray(route) for route in as_routes(lengths, order)] if len(lengths) else []

    def plan(self, number: int) -> dict[str, Any]:
        """Return what the page tells of the routes of a tour."""
        if not isinstance(self.problem, VRP):
            length, cost = len(self.solution(number)[1]), self.tours.frames[number].cost
            return {"routes": [{"number": 1, "stops": length, "length": cost}], "capacity": None}
        routes = self.routes(number)
        facts = plan_facts(self.vehicles, routes)
        return facts | ({"faults": self.vehicles.check(routes).violations} if self.writer else {})

    def stops(self, number: int, vehicle: int) -> dict[str, Any]:
        """Return the stops of a vehicle in a tour."""
        routes = self.routes(number)
        if vehicle >= len(routes):
            raise missing("route")
        return stops_of(self.vehicles, routes[vehicle], vehicle)
