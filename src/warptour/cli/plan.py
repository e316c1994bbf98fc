"""The plan in a result: lengths, hours and loads of its routes, and which limits bind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any, Final

import numpy as np

from warptour.io.plan_json import trips_facts, unserved_facts
from warptour.model.changes import Changes
from warptour.model.itinerary import Trip, amount_text, has_windows, is_told, itinerary, time_text
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.result import Result
from warptour.observe.wording import evenness_text, route_text, total_text

LISTED: Final = 20
"""Maximum number of routes that have a line each."""
LISTED_STOPS: Final = 40
"""Maximum number of stops of a problem with time windows that have a line each."""
TIGHT: Final = 0.95
"""Share of a limit from which on a route is said to be close to it."""


def plan_rows(problem: TSP | VRP | None, result: Result) -> dict[str, str | None]:
    """Return lines of the summary: totals, routes if they are few, and the limits that bind."""
    if problem is None or (isinstance(problem, TSP) and problem.unit is None and problem.clock is None):
        return {}
    trips = itinerary(problem, result.solution)
    rows: dict[str, str | None] = {"total": total_text(problem, trips)}
    if not isinstance(problem, VRP):
        return rows
    if len(trips) <= LISTED:
        stops = problem.windows is not None and problem.n - 1 <= LISTED_STOPS
        for trip in trips:
            rows[f"route {trip.number}"] = route_text(problem, trip)
            rows |= _stop_rows(problem, trip) if stops else {}
    rows |= {"changes": None if result.changes is None else result.changes.text}
    rows |= {"balance": evenness_text(problem, result.routes or [])}
    rows |= {"near limits": ", ".join(_binding(problem, trips)) or None}
    rows |= {"unused": ", ".join(f"{count} {name}" for name, count in result.unused.items()) or None}
    lost = result.unserved
    rows |= {"not served": str(len(lost)) if lost else None}
    rows |= {f"  {problem.describe(each.node, 'customer')}": each.text for each in lost[:LISTED_STOPS]}
    more = len(lost) - LISTED_STOPS
    return rows | {"  and": f"{more} more (--json has all)" if more > 0 else None}


def _stop_rows(problem: VRP, trip: Trip) -> dict[str, str]:
    """Return a line for each stop of a route: when it is reached, served and left, and how much later it may be."""
    times, rows = trip.times, {}
    assert times is not None
    for at in range(len(trip.nodes))[trip.stops]:
        arrival, start, departure = (
            time_text(problem, float(of[at])) for of in (times.arrivals, times.starts, times.departures)
        )
        node = int(trip.nodes[at])
        name = problem.labels[node] if problem.labels else ""
        words = [f"{arrival} {name or f'customer {node + 1}'}"]
        words += [f"waits until {start}"] if start != arrival else []
        words += [f"leaves {departure}"] if departure != start else []
        words += (
            [f"{amount_text(problem, float(times.late[at]))} late"] if is_told(problem, float(times.late[at])) else []
        )
        ride = np.nan if times.rides is None else float(times.rides[at])
        words += [f"ride {amount_text(problem, ride)}"] if isfinite(ride) else []
        slack = float(times.slack[at])
        words += [f"slack {amount_text(problem, slack)}"] if isfinite(slack) else []
        served = at + 1 if not trip.leaves else at
        breaks = [each for each in times.breaks if each.after == served]
        words += [f"break {time_text(problem, each.start)}-{time_text(problem, each.end)}" for each in breaks]
        rows[f"  {trip.number}.{trip.orders[at]}"] = ", ".join(words)
    return rows


def plan_facts(problem: TSP | VRP, result: Result) -> dict[str, Any]:
    """Return the plan for ``--json``: exact lengths in ``unit``, times in seconds.

    Arrivals and departures are those of the stops in ``solution``: after midnight, or from the start where no departure
    is given. With windows, so are waits, starts of service and slack, which is null where nothing ends it. Without a
    clock, times are in the unit of the distances.
    """
    facts: dict[str, Any] = {"unit": problem.unit, "minimizes": problem.minimizes}
    facts |= dict.fromkeys(("distance", "duration", "trips", "unserved", "unused", "balance", "changes"))
    if isinstance(problem, VRP):
        facts["unserved"] = [unserved_facts(problem, each) for each in result.unserved]
        facts["changes"] = None if result.changes is None else _change_facts(problem, result.changes)
        facts["balance"] = None if result.balance is None else asdict(result.balance)
    if isinstance(problem, VRP) and problem.fleet is not None:
        facts["unused"] = result.unused
    if not isinstance(problem, VRP) and problem.clock is None:
        return facts
    trips = itinerary(problem, result.solution)
    facts["distance"] = sum(trip.length for trip in trips)
    if problem.clock is not None or has_windows(problem):
        facts["duration"] = sum(trip.duration or 0.0 for trip in trips)
    return facts | {"trips": trips_facts(problem, trips)}


def _change_facts(problem: VRP, changes: Changes) -> dict[str, Any]:
    def stop(node: int) -> dict[str, Any]:
        return {"node": node + 1, "name": None if problem.labels is None else problem.labels[node]}

    return {
        "moved": [stop(each.node) | {"from": each.planned, "to": each.vehicle} for each in changes.moved],
        "new": [stop(node) | {"to": vehicle} for node, vehicle in changes.new.items()],
        "dropped": [stop(node) for node in changes.dropped],
        "cancelled": changes.cancelled,
    }


def _binding(problem: VRP, trips: Sequence[Trip]) -> list[str]:
    """Return the limits that some route uses by more than :data:`TIGHT`, and the routes that do."""
    if problem.fleet is not None:
        return []
    routes = [trip.nodes[trip.stops] for trip in trips]
    peaks = [problem.loads_along(route)[:, 0].max(initial=0) for route in routes]
    used = {"load": np.array(peaks) / problem.loads[1]}
    used |= {limit.of: problem.route_uses(limit, routes) / limit.most for limit in problem.limits}
    if problem.schedule is not None and isfinite(problem.schedule.longest):
        used["duration"] = np.array([day.duration for day in problem.days(routes)]) / problem.schedule.longest
    words = []
    for what, shares in used.items():
        full = [str(number) for number in (1 + np.flatnonzero(shares >= TIGHT)).tolist()]
        if full:
            listed = ", ".join(full[:LISTED]) + (" and others" if len(full) > LISTED else "")
            words.append(f"{what} of route{'s' if len(full) > 1 else ''} {listed} (up to {max(shares):.0%})")
    if problem.vehicles is not None and len(trips) >= problem.vehicles:
        words.append(f"all {problem.vehicles} vehicles")
    return words
