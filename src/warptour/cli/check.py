"""``warptour check``: the exact cost and the violations of a solution."""

from __future__ import annotations

from typing import Annotated

from warptour import api
from warptour.cli.options import File, Json, read_given
from warptour.cli.show import show_json, show_rows
from warptour.io.reading import ReadOptions
from warptour.model.option import Argument
from warptour.observe.wording import exact_cost


def check(
    file: File,
    solution: Annotated[str, Argument("A .tour, .sol, .csv, .xlsx or .geojson file.", "SOLUTION")],
    given: ReadOptions,
    as_json: Json = False,
) -> int:
    """Compute the exact cost of SOLUTION and check it; exit 1 if it is not a feasible solution of FILE."""
    problem = read_given(file, given)
    report = api.check(problem, solution)
    if as_json:
        violations, warnings = list(report.violations), list(problem.warnings)
        show_json({"cost": report.cost, "feasible": report.feasible, "violations": violations, "warnings": warnings})
    else:
        show_rows({"cost": exact_cost(problem, report.cost), "feasible": "yes" if report.feasible else "no"})
        for violation in report.violations:
            print(f"- {violation}")
    return 0 if report.feasible else 1
