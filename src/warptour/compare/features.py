"""What a problem asks of a solver, so that no program is given one that it would take for another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum

import numpy as np

from warptour.compare.timetable import timetable_of
from warptour.model.problem import TSP
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
    MIXED = "it is given no vehicles that differ, bonds of customers, shipments, several loads or even routes"


def features_of(problem: TSP | VRP) -> Iterator[Feature]:
    """Yield what a problem asks."""
    asked = _of_tour(problem) if isinstance(problem, TSP) else _of_routes(problem) | _of_times(problem)
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
        Feature.FLEET: problem.vehicles is not None and problem.vehicles < len(customers),
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
        Feature.MIXED: replace(problem, prizes=None, alternatives=(), pickups=None).mixed,
    }


def _of_times(problem: VRP) -> dict[Feature, bool]:
    windows, times, longest = problem.windows, timetable_of(problem), problem.max_duration is not None
    return {
        Feature.DURATION_LIMIT: longest and problem.schedule is None,
        Feature.WORKING_TIME: longest and problem.schedule is not None,
        Feature.WINDOWS: windows is not None,
        Feature.SEVERAL_WINDOWS: windows is not None and windows.several,
        Feature.DEPOT_WINDOWS: windows is not None and len(windows.of_node(problem.depot)) > 1,
        Feature.LATENESS: problem.late_cost is not None,
        Feature.WAIT_LIMIT: problem.max_wait is not None,
        Feature.RELEASES: problem.releases is not None,
        Feature.HOUR_COST: problem.hour_cost > 0,
        Feature.OTHER_TRAVEL: times is not None and times.travel is not None,
        Feature.TWO_LIMITS: problem.max_distance is not None and (problem.schedule is not None or longest),
    }
