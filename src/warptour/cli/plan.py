"""The plan in a result: lengths, hours and loads of its routes, and which limits bind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from warptour.model.itinerary import Trip, itinerary
from warptour.model.problem import TSP
from warptour.model.result import Result
from warptour.model.vehicles import VRP
from warptour.observe.wording import route_text, total_text

LISTED: Final = 20
"""Maximum number of routes that have a line each."""
TIGHT: Final = 0.95
"""Share of a limit from which on it is said to bind."""


def plan_rows(problem: TSP | VRP | None, result: Result) -> dict[str, str | None]:
    """Return lines of the summary: totals, routes if they are few, and the limits that bind."""
    if problem is None or (isinstance(problem, TSP) and problem.unit is None and problem.clock is None):
        return {}
    trips = itinerary(problem, result.solution)
    rows: dict[str, str | None] = {"total": total_text(problem, trips)}
    if not isinstance(problem, VRP):
        return rows
    if len(trips) <= LISTED:
        rows |= {f"route {trip.number}": route_text(problem, trip) for trip in trips}
    return rows | {"near limits": ", ".join(_binding(problem, trips)) or None}


def plan_facts(problem: TSP | VRP, result: Result) -> dict[str, Any]:
    """Return the plan for ``--json``: exact lengths in ``unit``, times in seconds.

    Arrivals and departures are those of the stops in ``solution``: after midnight, or from the start where no departure
    is given.
    """
    facts: dict[str, Any] = {"unit": problem.unit, "minimizes": problem.minimizes}
    facts |= dict.fromkeys(("distance", "duration", "trips"))
    if not isinstance(problem, VRP) and problem.clock is None:
        return facts
    trips = itinerary(problem, result.solution)
    facts["distance"] = sum(trip.length for trip in trips)
    if problem.clock is not None:
        facts["duration"] = sum(trip.duration or 0.0 for trip in trips)
    return facts | {"trips": [_trip_facts(trip) for trip in trips]}


def _trip_facts(trip: Trip) -> dict[str, Any]:
    facts: dict[str, Any] = {"distance": trip.length}
    if trip.loads is not None:
        facts["load"] = trip.loads[-1].item()
    if trip.times is not None:
        facts |= {
            "duration": trip.duration,
            "start": float(trip.times.arrivals[0]),
            "end": float(trip.times.arrivals[-1]),
            "arrivals": trip.times.arrivals[trip.stops].tolist(),
            "departures": trip.times.departures[trip.stops].tolist(),
        }
    return facts


def _binding(problem: VRP, trips: Sequence[Trip]) -> list[str]:
    """Return the limits that some route uses by more than :data:`TIGHT`, and the routes that do."""
    routes = [trip.nodes[trip.stops] for trip in trips]
    used = {"load": problem.route_loads(routes) / problem.loads[1]}
    used |= {limit.of: problem.route_uses(limit, routes) / limit.most for limit in problem.limits}
    words = []
    for what, shares in used.items():
        full = [str(number) for number in (1 + np.flatnonzero(shares >= TIGHT)).tolist()]
        if full:
            listed = ", ".join(full[:LISTED]) + (" and others" if len(full) > LISTED else "")
            words.append(f"{what} of route{'s' if len(full) > 1 else ''} {listed} (up to {max(shares):.0%})")
    if problem.vehicles is not None and len(trips) >= problem.vehicles:
        words.append(f"all {problem.vehicles} vehicles")
    return words
