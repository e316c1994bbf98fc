"""Instances of the papers: public files where they are at hand, uniform cities in their place elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

from warptour.io.read import read
from warptour.model.problem import TSP


def public(name: str) -> TSP | None:
    """Return an instance from ``tsp`` in the folder ``WARPTOUR_DATA``, or None if it is not there."""
    folder = os.environ.get("WARPTOUR_DATA")
    file = Path(folder or ".", "tsp", f"{name}.tsp")
    if folder is None or not file.exists():
        return None
    problem = read(file)
    return problem if isinstance(problem, TSP) else None


def stand_in(n: int) -> TSP:
    """Return ``n`` uniform cities; rows of a stand-in have no value of the paper beside them."""
    problem = read(f"uniform:{n}:1")
    assert isinstance(problem, TSP)
    return problem
