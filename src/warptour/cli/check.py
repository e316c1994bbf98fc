"""``warptour check``: the exact cost of a solution, and what is wrong with it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from warptour import api
from warptour.cli.cities import as_path
from warptour.cli.show import show_json, show_rows
from warptour.observe.progress import money


def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The problem.")],
    solution: Annotated[str, typer.Argument(metavar="SOLUTION", help="A .tour, .sol or .csv file.")],
    rounding: Annotated[
        str | None, typer.Option(metavar="none|nearest|ceil|floor", help="Override how distances are rounded.")
    ] = None,
    is_open: Annotated[bool, typer.Option("--open", help="A path that does not return.")] = False,
    from_city: Annotated[str | None, typer.Option("--from", metavar="CITY", help="First city of a path.")] = None,
    to_city: Annotated[str | None, typer.Option("--to", metavar="CITY", help="Last city of a path.")] = None,
    capacity: Annotated[float | None, typer.Option(help="What one vehicle carries.")] = None,
    max_distance: Annotated[float | None, typer.Option(help="Limit on a route's travel and service.")] = None,
    service_time: Annotated[float | None, typer.Option(help="Time spent at each customer.")] = None,
    vehicles: Annotated[int | None, typer.Option(help="How many routes there may be.")] = None,
    fixed_cost: Annotated[float | None, typer.Option(help="Cost of each vehicle used.")] = None,
    depot: Annotated[str | None, typer.Option(help="The depot: its name, or its number from 1.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Compute the exact cost of SOLUTION and check it; exit 1 if it is no solution of FILE."""
    vehicle_options: dict[str, Any] = {
        "capacity": capacity,
        "max_distance": max_distance,
        "service_time": service_time,
        "vehicles": vehicles,
        "fixed_cost": fixed_cost,
        "depot": depot,
    }
    problem = as_path(api.read(file, rounding=rounding, **vehicle_options), is_open, from_city, to_city)
    report = api.check(problem, solution)
    if as_json:
        show_json({"cost": report.cost, "feasible": report.feasible, "violations": list(report.violations)})
    else:
        show_rows({"cost": money(report.cost), "feasible": "yes" if report.feasible else "no"})
        for violation in report.violations:
            print(f"- {violation}")
    return 0 if report.feasible else 1
