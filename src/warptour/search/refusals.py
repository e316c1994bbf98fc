"""Why a strategy cannot solve a problem, in one line."""

from __future__ import annotations

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


def closed_tours_only(name: str, problem: TSP | VRP) -> str | None:
    """Return why a strategy for free closed tours cannot solve ``problem``, or None if it can."""
    if not isinstance(problem, TSP):
        return f"{name} is for one tour; vehicle routing needs the strategy routes"
    if problem.open:
        return f"{name} searches closed tours, not open paths; ils does both"
    if len(problem.fixed_edges):
        return f"{name} breaks fixed edges; ils keeps them"
    return None
