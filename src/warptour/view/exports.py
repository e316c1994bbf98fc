"""Files that the page offers: a solution as the solver writes it, and the costs of a trace."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from io import StringIO
from typing import Any, Final

from warptour.io.solution import check_output, solution_bytes
from warptour.io.spreadsheet import printed_pages
from warptour.io.workbook import text_of
from warptour.model.errors import MissingLibrary
from warptour.model.itinerary import itinerary
from warptour.model.unserved import unserved
from warptour.observe.tour_frames import as_routes
from warptour.observe.trace_lines import points
from warptour.view.by_hand import plan_under_way
from warptour.view.opened import OpenedTrace
from warptour.web.refusal import Refusal

TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "geojson": "application/geo+json",
    "tour": "text/plain; charset=utf-8",
    "sol": "text/plain; charset=utf-8",
}


@dataclass(frozen=True)
class Download:
    """A file for the user."""

    name: str
    type: str
    data: bytes


def solution_file(trace: OpenedTrace, number: int, form: str) -> Download:
    """Return a tour of a trace as a file."""
    if form == "json":
        return locked_plan(trace, number)
    if form not in TYPES:
        raise Refusal(400, f"a solution is exported as {', '.join(TYPES)}")
    problem = trace.problem
    check_output(f"solution.{form}", problem)
    lengths, order = trace.solution(number)
    try:
        data = solution_bytes(f".{form}", problem, as_routes(lengths, order))
    except MissingLibrary as error:
        raise Refusal(400, str(error)) from None
    return Download(f"solution.{form}", TYPES[form], data)


def driver_sheets(trace: OpenedTrace, number: int) -> dict[str, Any]:
    """Return what is printed of a plan: a summary, and a sheet for each driver, as rows of texts."""
    problem, routes = trace.vehicles, trace.routes(number)
    found = printed_pages(problem, itinerary(problem, routes), unserved(problem, routes))
    return {
        "pages": [
            {"title": page.title, "header": page.header, "rows": [[*map(text_of, row)] for row in page.rows]}
            for page in found
        ]
    }


def locked_plan(trace: OpenedTrace, number: int) -> Download:
    """Return a plan with what is locked, as ``--locked`` takes it."""
    plan = plan_under_way(trace.routes(number), trace.locked_in(number))
    return Download("plan.json", "application/json", json.dumps(plan, indent=1).encode())


def cost_file(trace: OpenedTrace) -> Download:
    """Return the costs of a trace as a table: seconds, cost, lower bound, gap in percent."""
    text = StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("seconds", "cost", "lower_bound", "gap_percent"))
    for point in points(trace.trace.lines):
        bound = point.lower_bound
        gap = None if not bound else 100 * (point.cost - bound) / abs(bound)
        rows.writerow((point.seconds, f"{point.cost:.15g}", "" if bound is None else f"{bound:.15g}", gap))
    return Download("costs.csv", TYPES["csv"], text.getvalue().encode())
