"""Instances of the papers: public files where they are at hand, uniform cities in their place elsewhere."""

from __future__ import annotations

import os
from dataclasses import replace
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
    if folder is None or not file.exists():
        _absent.add(f"{kind}/{name}.{kind}")
        return None
    return read(file)


_absent: set[str] = set()
"""Files that were asked for and are not there."""


def forget_absent() -> None:
    """Begin a new list of absent files."""
    _absent.clear()


def absent() -> str:
    """Return one clause on the files that were asked for and are not there, and where they belong; empty if none is."""
    if not _absent:
        return ""
    folder = os.environ.get("WARPTOUR_DATA")
    where = (
        f"{folder}, the folder that WARPTOUR_DATA names" if folder else "a folder that WARPTOUR_DATA names; none is set"
    )
    return f"generated stand-ins took the place of {', '.join(sorted(_absent))}; these files belong in {where}"


def stand_in(n: int, of: str = "") -> TSP:
    """Return ``n`` uniform cities; their name says which instance ``of`` they stand for."""
    problem = read(f"uniform:{n}:1")
    assert isinstance(problem, TSP)
    return replace(problem, name=f"{problem.name}, stand-in for {of}") if of else problem
