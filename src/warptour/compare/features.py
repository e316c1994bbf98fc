"""What a problem asks of a solver, so that no program is given one that it would take for another."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from math import isfinite

import numpy as np

from warptour.compare.timetable import timetable_of
from warptour.model.fleet import VehicleType
from warptour.model.problem import TSP
from warptour.model.schedule import Schedule
from warptour.model.vehicles import VRP


class Feature(Enum):
    """Something beyond tours, and routes with a capacity, that a problem may ask; its value is how it is refused."""

    OPEN_PATH = "it is given closed tours only"
    FIXED_EDGES = "it is given no fixed edges"
    ONE_WAY = "it needs the same distance there and back"
    OTHER_METRIC = "it reads Euclidean distances only, unrounded or rounded to nearest"
    UNROUNDED = "it rounds distances to nearest"
    FIXED_COST = "it knows no fixed cost of a vehicle"
    FLEET = "it is given no limit on the number of vehicles"
    LENGTH_LIMIT = "it knows no route limit"
    UNEVEN_SERVICES = "it knows one service time for all customers only"
    DURATION_LIMIT = "it is given no limit on durations"
    WINDOWS = "it is given no time windows"
    SEVERAL_WINDOWS = "it is given one time window of a stop only"
    DEPOT_WINDOWS = "it is given one time window of the depot only"
    WORKING_TIME = "it is given no limit on durations that contain waits"
    LATENESS = "it is given no price of being late"
    WAIT_LIMIT = "it is given no limit on waits"
    RELEASES = "it is given no release times"
    HOUR_COST = "it is given no price of hours"
    OTHER_TRAVEL = "it is given no travel times beside what is minimised"
    TWO_LIMITS = "it is given no limit on lengths beside times"
    OPEN_ROUTES = "it is given no open routes"
    FEWEST = "it is not told that fewer vehicles come first"
    PRIZES = "it is given no prizes of customers"
    ALTERNATIVES = "it is given no customers of whom one is served"
    PICKUPS = "it is given no pickups for the depot"
    BACKHAULS = "it is given no order of deliveries and pickups"
    BRIDGED_BACKHAULS = "it is given an order of deliveries and pickups only where each stop has one of them"
    TYPES = "it is given no vehicles that differ"
    DEPOTS = "it is given one depot only"
    SEVERAL_LOADS = "it is given loads in one dimension only"
    STOP_LIMIT = "it is given no limit on the stops of a route"
    OWN_WAYS = "it is given the same distances for all vehicles"
    TRIPS = "it is given one trip of a vehicle only"
    SKILLS = "it is not told which vehicles may serve whom"
    OVERTIME = "it is given no overtime"
    TWO_SHIFTS = "it is given the same hours for both ends of a route"
    BREAKS = "it is given no breaks of drivers"
    BONDS = "it is not told which customers go together or stay apart"
    SHIPMENTS = "it is given no shipments"
    BALANCE = "it is not told to make routes even"
    LOCKS = "it is given no plan that is under way"


def features_of(problem: TSP | VRP) -> Iterator[Feature]:
    """Yield what a problem asks."""
    if isinstance(problem, TSP):
        asked = _of_tour(problem)
    else:
        asked = _of_routes(problem) | _of_times(problem)
        fleet = problem.fleet
        more = {} if fleet is None else _of_fleet(problem, fleet.types) | {Feature.SKILLS: fleet.allowed is not None}
        asked |= {feature: True for feature, present in more.items() if present}
    return (feature for feature in Feature if asked.get(feature))


def _of_tour(problem: TSP) -> dict[Feature, bool]:
    return {
        Feature.OPEN_PATH: problem.open,
        Feature.FIXED_EDGES: len(problem.fixed_edges) > 0,
        Feature.ONE_WAY: problem.asymmetric,
    }


def _of_routes(problem: VRP) -> dict[Feature, bool]:
    metric, customers = problem.metric, problem.customers
    planar = (metric.norm, metric.dimensions) == ("euclidean", 2) and metric.divisor == 1
    limited = problem.max_distance is not None
    return {
        Feature.ONE_WAY: problem.matrix is not None and problem.asymmetric and not problem.open,
        Feature.OTHER_METRIC: not planar or metric.rounding not in ("nearest", "none"),
        Feature.UNROUNDED: not metric.integral,
        Feature.FIXED_COST: problem.fixed_cost > 0,
        Feature.FLEET: problem.fleet is None and problem.vehicles is not None and problem.vehicles < len(customers),
        Feature.LENGTH_LIMIT: limited,
        Feature.UNEVEN_SERVICES: limited and len(np.unique(problem.service_times[customers])) > 1,
        Feature.OPEN_ROUTES: problem.open,
        Feature.FEWEST: problem.fewest,
        Feature.PRIZES: problem.prizes is not None,
        Feature.ALTERNATIVES: len(problem.alternatives) > 0,
        Feature.PICKUPS: problem.pickups is not None,
        Feature.BACKHAULS: problem.backhauls is not None,
        Feature.BRIDGED_BACKHAULS: problem.backhauls is not None
        and not (problem.brings | problem.takes)[customers].all(),
        Feature.DEPOTS: len(problem.depots) > 1,
        Feature.SEVERAL_LOADS: problem.dimensions > 1,
        Feature.STOP_LIMIT: problem.most_stops is not None,
        Feature.TRIPS: problem.trips,
        Feature.BONDS: len(problem.together) + len(problem.apart) > 0,
        Feature.SHIPMENTS: len(problem.shipments) > 0,
        Feature.BALANCE: problem.balance is not None,
        Feature.LOCKS: problem.locks is not None,
    }


def _of_fleet(problem: VRP, types: tuple[VehicleType, ...]) -> dict[Feature, bool]:
    """Return what types of vehicles ask beside what the problem does without them."""
    lengths = any(isfinite(each.max_distance) for each in types)
    shifts = any(each.opens > 0 or isfinite(each.closes) for each in types)
    return {
        Feature.TYPES: True,
        Feature.OWN_WAYS: any(each.matrix is not None or each.durations is not None for each in types),
        Feature.FLEET: any(each.count is not None for each in types),
        Feature.FIXED_COST: any(each.fixed_cost > 0 for each in types),
        Feature.LENGTH_LIMIT: lengths,
        Feature.TWO_LIMITS: lengths and problem.clock is not None and problem.clock.distances is not None,
        Feature.OPEN_ROUTES: any(None in (each.start, each.end) for each in types),
        Feature.STOP_LIMIT: any(each.max_stops is not None for each in types),
        Feature.WINDOWS: shifts,
        Feature.WORKING_TIME: any(isfinite(each.max_duration) for each in types),
        Feature.HOUR_COST: any(each.hour_cost > 0 for each in types),
        Feature.OVERTIME: any(each.overtime > 0 for each in types),
        Feature.BREAKS: problem.rested,
        Feature.LOCKS: any(each.under_way for each in types),
        Feature.TWO_SHIFTS: problem.schedule is not None and any(map(_has_two_shifts, problem.schedules)),
    }


def _has_two_shifts(schedule: Schedule) -> bool:
    """Return whether a vehicle may be at one end of its route when the other is closed."""
    start, end = len(schedule.services) - 2, len(schedule.services) - 1
    opens, closes = schedule.windows.opens, schedule.windows.closes
    return bool(closes[start] < closes[end] or opens[end] > opens[start])


def _of_times(problem: VRP) -> dict[Feature, bool]:
    windows, times, longest = problem.windows, timetable_of(problem), problem.max_duration is not None
    return {
        Feature.DURATION_LIMIT: longest and problem.schedule is None,
        Feature.WORKING_TIME: longest and problem.schedule is not None,
        Feature.WINDOWS: windows is not None,
        Feature.SEVERAL_WINDOWS: windows is not None and windows.several,
        Feature.DEPOT_WINDOWS: windows is not None and any(len(windows.of_node(each)) > 1 for each in problem.depots),
        Feature.LATENESS: problem.late_cost is not None,
        Feature.WAIT_LIMIT: problem.max_wait is not None,
        Feature.RELEASES: problem.releases is not None,
        Feature.HOUR_COST: problem.hour_cost > 0,
        Feature.OTHER_TRAVEL: times is not None and times.travel is not None,
        Feature.TWO_LIMITS: problem.max_distance is not None and (problem.schedule is not None or longest),
    }
