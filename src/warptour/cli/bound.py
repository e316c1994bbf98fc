"""``warptour bound``: a proven lower bound on the cost of every solution."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

from warptour import api
from warptour.api.arguments import DEFAULT_SECONDS
from warptour.cli.declare import Context, Only
from warptour.cli.failure import complain
from warptour.cli.options import File, Json, read_given
from warptour.cli.show import show_json, show_rows
from warptour.io.reading import ReadOptions
from warptour.model.errors import UnsupportedError
from warptour.model.option import Option
from warptour.model.problem import TSP
from warptour.observe.progress import format_cost

READING = (
    "rounding latlon is_open from_city to_city matrix durations minimize columns ignore decimal strict"
    " capacity max_distance service_time vehicles fixed_cost depot shift speed max_hours service_minutes depart unit"
)


def bound(
    context: Context,
    file: File,
    *,
    seconds: Annotated[float, Option("Time limit; it ends earlier where no more can be gained.")] = DEFAULT_SECONDS,
    threads: Annotated[int | None, Option("Worker threads; all cores by default.")] = None,
    prove: Annotated[
        bool, Option("Search for a tour and prove it optimal by branch and cut (up to 3,000 cities).")
    ] = False,
    given: Annotated[ReadOptions, Only(READING)],
    as_json: Json = False,
    quiet: Annotated[bool, Option("No progress.", "--quiet -q")] = False,
) -> int:
    """Prove a lower bound on the cost of every tour, or of all vehicle routes, of FILE."""
    problem = read_given(file, given)
    tour = isinstance(problem, TSP)
    shown = None if quiet or as_json or sys.stderr is None else lambda found: complain(f"bound {format_cost(found)}")
    try:
        found = api.bound(
            problem, seconds=seconds, threads=threads, prove=prove, interrupt=context.interrupt, listener=shown
        )
    except UnsupportedError as error:
        raise UnsupportedError(f"{file}: {error}") from None
    facts = asdict(found) | {"best_known": problem.best_known, "gap": gap(problem.best_known, found.lower_bound)}
    facts["warnings"] = list(problem.warnings)
    if as_json:
        show_json(facts)
        return 0
    below = facts["gap"]
    known = None if below is None else f"{below:.3f}% below the best known, {format_cost(problem.best_known)}"
    if problem.best_known is not None and problem.best_known == found.lower_bound:
        known = f"none: the best known, {format_cost(problem.best_known)}, is optimal"
    work, attained = ("1-trees", "a tour attains") if tour else ("bounds", "routes attain")
    show_rows(
        {
            "lower bound": format_cost(found.lower_bound) + (f", optimal: {attained} it" if found.tight else ""),
            "gap": known,
            "problem": f"{found.name}, {found.n:,} {'cities' if tour else 'nodes'}",
            "ascent" if tour else "programs": f"{found.seconds:.2f} s, {found.iterations:,} {work}",
        }
    )
    return 0


def gap(best_known: float | None, bound: float) -> float | None:
    """Return how far the bound lies below the best known cost, in percent of that."""
    return None if not best_known else 100.0 * (best_known - bound) / abs(best_known)
