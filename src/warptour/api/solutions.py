"""Solutions from anywhere: what they cost, what is wrong with them, files of them."""

from __future__ import annotations

from os import PathLike

from warptour.api.arguments import Solution, as_solution
from warptour.api.choice import check_problem
from warptour.io.solution import check_solution, write_solution
from warptour.model.problem import TSP
from warptour.model.report import Report
from warptour.model.vehicles import VRP
from warptour.observe.result import Result


def check(problem: TSP | VRP, solution: str | PathLike[str] | Solution) -> Report:
    """Return the exact cost of a solution, given as such or as a file, and everything that is wrong with it."""
    check_problem(problem)
    if isinstance(solution, str | PathLike):
        return check_solution(solution, problem)
    return problem.check(as_solution(problem, solution))  # type: ignore[arg-type]


def write(path: str | PathLike[str], problem: TSP | VRP, solution: Solution) -> None:
    """Write a tour or routes to ``path`` in the format of its suffix: ``.tour``, ``.sol``, ``.csv`` or ``.geojson``.

    Every node must be visited exactly once; what breaks a limit on routes can be written.
    """
    check_problem(problem)
    cost = solution.cost if isinstance(solution, Result) else None
    write_solution(path, problem, as_solution(problem, solution), cost)
