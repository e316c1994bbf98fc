"""What is spread evenly over the vehicles: the largest route comes first, then the cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from warptour.model.fleet import VehicleType
from warptour.model.metric import Nodes
from warptour.model.vehicles import VRP

DIGITS: Final = 7
"""Significant digits of the largest route where plans are compared, so that no rounding error outweighs the cost."""


def measures(problem: VRP, routes: Sequence[Nodes]) -> list[float]:
    """Return what each route that is not empty has of what is balanced; hours are seconds by the clock."""
    return [measure(problem, number, route) for number, route in enumerate(routes) if len(route)]


def measure(problem: VRP, number: int, route: Nodes) -> float:
    """Return what one route has of what is balanced."""
    if problem.balance == "stops":
        return float(len(route))
    if problem.balance == "load":
        return float(problem.amounts_along(route)[:, 0].max())
    path = problem.path(number, route)
    if problem.balance == "distance":
        return float(problem.road_legs(number, path).sum())
    if problem.schedule is not None:
        return problem.day_of(number, route).duration * problem.schedule.pace
    clock = problem.clock
    assert clock is not None
    return float(problem.durations(path[:-1], path[1:]).sum() + clock.services[path[:-1]].sum())


def largest(problem: VRP, routes: Sequence[Nodes]) -> float:
    """Return the largest of :func:`measures`, rounded to compare plans."""
    return float(f"{max(measures(problem, routes), default=0.0):.{DIGITS}g}")


def limited(problem: VRP, most: float) -> VRP:
    """Return the problem with types of vehicles none of whose routes may have more of what is balanced."""
    assert problem.balance is not None
    limit = LIMITS[problem.balance]
    if problem.fleet is None:
        return problem.with_types([limit(problem.common_type, most)])
    return replace(
        problem, fleet=replace(problem.fleet, types=tuple(limit(each, most) for each in problem.fleet.types))
    )


def _hours(vehicle: VehicleType, most: float) -> VehicleType:
    """Overtime is what of the limit is beyond the regular hours."""
    regular = min(vehicle.max_duration, most)
    return replace(vehicle, max_duration=regular, overtime=min(vehicle.overtime, most - regular))


LIMITS: Final[dict[str, Callable[[VehicleType, float], VehicleType]]] = {
    "hours": _hours,
    "stops": lambda each, most: replace(each, max_stops=min(int(most), each.max_stops or int(most))),
    "load": lambda each, most: replace(each, capacities=(min(each.capacities[0], most), *each.capacities[1:])),
    "distance": lambda each, most: replace(each, max_distance=min(each.max_distance, most)),
}
"""How a type of vehicles gets a limit on each of what may be balanced."""


@dataclass(frozen=True)
class Evenness:
    """How evenly the routes that are driven share what is balanced; hours are in seconds by the clock."""

    of: str
    largest: float
    smallest: float
    mean: float


def evenness(problem: VRP, routes: Sequence[Nodes]) -> Evenness | None:
    """Return how evenly the routes that are driven share what is balanced; None if nothing is."""
    if problem.balance is None:
        return None
    amounts = measures(problem, routes) or [0.0]
    return Evenness(problem.balance, max(amounts), min(amounts), sum(amounts) / len(amounts))
