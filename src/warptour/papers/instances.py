"""Instances of the papers: public files where they are at hand, uniform cities in their place elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

from warptour.io.read import read
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


def public(name: str) -> TSP | None:
    """Return an instance from ``tsp`` in the folder ``WARPTOUR_DATA``, or None if it is not there."""
    problem = _at_hand("tsp", name)
    return problem if isinstance(problem, TSP) else None


def public_routes(name: str) -> VRP | None:
    """Return an instance from ``vrp`` in the folder ``WARPTOUR_DATA``, or None if it is not there."""
    problem = _at_hand("vrp", name)
    return problem if isinstance(problem, VRP) else None


def _at_hand(kind: str, name: str) -> TSP | VRP | None:
    folder = os.environ.get("WARPTOUR_DATA")
    file = Path(folder or ".", kind, f"{name}.{kind}")
    return None if folder is None or not file.exists() else read(file)


def stand_in(n: int) -> TSP:
    """Return ``n`` uniform cities; rows of a stand-in have no value of the paper beside them."""
    problem = read(f"uniform:{n}:1")
    assert isinstance(problem, TSP)
    return problem
