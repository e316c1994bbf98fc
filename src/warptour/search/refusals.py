"""Why a strategy cannot solve a problem, in one line."""

from __future__ import annotations

from warptour.model.problem import TSP
from warptour.model.searched import lowest_distance
from warptour.model.vehicles import VRP
from warptour.search.strategy import Strategy


def symmetric_only(strategy: Strategy, problem: TSP | VRP) -> str | None:
    """Return why ``strategy`` cannot solve a tour: its distances are asymmetric; None if it can.

    They are searched in a form with fixed edges (:mod:`warptour.model.searched`).
    """
    if not isinstance(problem, TSP) or not problem.asymmetric or strategy.keeps_fixed_edges:
        return None
    return f"{strategy.name} needs the same distance there and back; windows and ils do without"


def closed_tours_only(name: str, problem: TSP | VRP) -> str | None:
    """Return why a strategy for free closed tours cannot solve ``problem``, or None if it can."""
    if not isinstance(problem, TSP):
        return f"{name} is for one tour; vehicle routing needs the strategy routes"
    if problem.open:
        return f"{name} searches closed tours, not open paths; ils does both"
    if len(problem.fixed_edges):
        return f"{name} breaks fixed edges; ils keeps them"
    return None


def vehicles_only(name: str, problem: TSP | VRP, *, keeps_times: bool = False) -> str | None:
    """Return why a strategy for vehicle routes cannot solve ``problem``, or None if it can."""
    if not isinstance(problem, VRP):
        return f"{name} is for vehicles; one tour needs windows, the default, or another strategy"
    if not keeps_times and problem.timed:
        return f"{name} does not support time windows, costs of time or open routes; routes, the default, does"
    if not keeps_times and problem.mixed:
        return f"{name} does not support fleets, optional customers or several loads; routes, the default, does"
    lowest = 0.0 if problem.matrix is None else lowest_distance(problem.matrix)
    return None if lowest >= 0 else f"vehicles need distances of 0 or more, and the matrix has one of {lowest:g}"
