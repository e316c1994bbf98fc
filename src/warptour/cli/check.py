"""``warptour check``: the exact cost and the violations of a solution."""

from __future__ import annotations

from typing import Annotated

from warptour import api
from warptour.cli import declare
from warptour.cli.options import (
    Capacity,
    Columns,
    Depart,
    Depot,
    Durations,
    File,
    FixedCost,
    From,
    Ignore,
    Json,
    LatLon,
    Matrix,
    MaxDistance,
    MaxHours,
    Minimize,
    Open,
    Rounding,
    ServiceMinutes,
    ServiceTime,
    Speed,
    To,
    Unit,
    Vehicles,
    read_problem,
)
from warptour.cli.show import show_json, show_rows
from warptour.io.travel_options import TravelOptions
from warptour.io.vehicle_options import VehicleOptions
from warptour.observe.wording import exact_cost


def check(
    file: File,
    solution: Annotated[str, declare.Argument(metavar="SOLUTION", help="A .tour, .sol, .csv, .xlsx or .geojson file.")],
    rounding: Rounding = None,
    latlon: LatLon = None,
    is_open: Open = False,
    from_city: From = None,
    to_city: To = None,
    capacity: Capacity = None,
    max_distance: MaxDistance = None,
    service_time: ServiceTime = None,
    vehicles: Vehicles = None,
    fixed_cost: FixedCost = None,
    depot: Depot = None,
    matrix: Matrix = None,
    durations: Durations = None,
    speed: Speed = None,
    max_hours: MaxHours = None,
    service_minutes: ServiceMinutes = None,
    depart: Depart = None,
    minimize: Minimize = None,
    unit: Unit = None,
    columns: Columns = None,
    ignore: Ignore = None,
    as_json: Json = False,
) -> int:
    """Compute the exact cost of SOLUTION and check it; exit 1 if it is not a feasible solution of FILE."""
    problem = read_problem(
        file,
        rounding,
        latlon,
        (is_open, from_city, to_city),
        VehicleOptions(capacity, max_distance, service_time, vehicles, fixed_cost, depot),
        (columns, ignore),
        travel=TravelOptions(matrix, durations, speed, unit, service_minutes, max_hours, minimize, depart),
    )
    report = api.check(problem, solution)
    if as_json:
        show_json({"cost": report.cost, "feasible": report.feasible, "violations": list(report.violations)})
    else:
        show_rows({"cost": exact_cost(problem, report.cost), "feasible": "yes" if report.feasible else "no"})
        for violation in report.violations:
            print(f"- {violation}")
    return 0 if report.feasible else 1
