"""Problems as other programs read them: TSPLIB and CVRPLIB files in their plainest form, and tables of integers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.write import write_problem
from warptour.model.errors import UnsupportedError
from warptour.model.metric import METRICS, Ints
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

PLAIN: Final = ("EUC_2D", "CEIL_2D", "ATT", "GEO")
"""Metrics with one meaning in all programs."""
SIDE: Final = 1_000_000
"""Side of the square to which unrounded points are scaled before their distances are rounded."""
RESOLUTION: Final = 10
"""Unrounded distances keep their unit if the longest is at most this many times below what a program is given."""
EXPLICIT_CITIES: Final = 2_000
"""Maximum number of cities of a file with all distances."""
TABLE_NODES: Final = 20_000
"""Maximum number of nodes of a table of all distances: 3.2 GB."""
NAME: Final = "instance"
COMMENT: Final = "written by warptour"


@dataclass(frozen=True)
class Handed:
    """A problem file for another program, whose costs are ``scale`` times those of the problem.

    ``units`` says in which units its distances are.
    """

    file: Path
    scale: float = 1.0
    units: str = "as in the problem"


def tour_file(problem: TSP, folder: Path) -> Handed:
    """Write a TSPLIB file with integral distances, scaled where the problem has others."""
    file, metric = folder / (f"{NAME}.atsp" if problem.asymmetric else f"{NAME}.tsp"), problem.metric
    if any(metric == METRICS[word] for word in PLAIN):
        _write(file, replace(problem, name=NAME, labels=None, table=None))
        return Handed(file)
    if (metric.norm, metric.rounding, metric.dimensions) == ("euclidean", "none", 2):
        extent = float(np.ptp(problem.points, axis=0).max())
        scale = SIDE / extent if extent else 1.0
        points = scale * (problem.points - problem.points.min(axis=0))
        _write(file, TSP(NAME, METRICS["EUC_2D"], points, fixed_edges=problem.fixed_edges))
        return Handed(file, scale, units_of(problem, scale))
    table, scale = integers(problem, EXPLICIT_CITIES, SIDE)
    _write(file, TSP(NAME, METRICS["EXPLICIT"], table, fixed_edges=problem.fixed_edges))
    return Handed(file, scale, units_of(problem, scale))


def routes_file(problem: VRP, folder: Path) -> Handed:
    """Write a CVRPLIB file: EUC_2D, the depot first, integral demands, no limit on vehicles."""
    order = depot_first(problem)
    loads, capacity = problem.loads
    file = folder / f"{NAME}.vrp"
    plain = VRP(
        NAME,
        METRICS["EUC_2D"],
        problem.points[order],
        demands=loads[order].astype(np.int64),
        capacity=int(capacity),
        max_distance=problem.max_distance,
        service_times=problem.service_times[order],
    )
    _write(file, plain)
    return Handed(file)


def tables_file(problem: TSP | VRP, folder: Path, longest: int) -> Handed:
    """Write tables of integers as ``.npz``: distances and, for vehicles, demands and limits, the depot first."""
    file = folder / f"{NAME}.npz"
    distances, scale = integers(problem, TABLE_NODES, longest)
    facts: dict[str, Any] = {"distances": distances, "scale": scale}
    if isinstance(problem, VRP):
        order = depot_first(problem)
        loads, capacity = problem.loads
        facts |= {
            "distances": distances[np.ix_(order, order)], "demands": loads[order].astype(np.int64),
            "capacity": int(capacity), "vehicles": problem.vehicles or 0,
            "fixed_cost": round(scale * problem.fixed_cost),
            "places": np.zeros((problem.n, 2)) if problem.map is None else problem.map[order, :2],
        }  # fmt: skip
        if problem.max_distance is not None:
            # Rounded up, so that a route within the limit is within it in exact distances, too.
            facts |= {
                "durations": _rounded(problem, scale, up=True)[np.ix_(order, order)],
                "services": np.ceil(scale * problem.service_times[order]).astype(np.int64),
                "limit": int(np.floor(scale * problem.max_distance)),
            }
    np.savez(file, **facts)
    return Handed(file, scale, units_of(problem, scale))


def integers(problem: TSP | VRP, largest: int, longest: int) -> tuple[Ints, float]:
    """Return all distances as integers of at most ``longest``, and their scale.

    It is 1 for integers that fit, and for unrounded distances whose longest has enough digits; else the longest
    distance becomes ``longest``.
    """
    if problem.n > largest:
        raise UnsupportedError(f"it needs a table of all distances, here for at most {largest:,} nodes")
    nodes = np.arange(problem.n)
    found = max(float(problem.distances(nodes[node : node + 1], nodes).max()) for node in nodes)
    exact = problem.metric.integral or found >= longest / RESOLUTION
    scale = 1.0 if exact and found <= longest else longest / max(found, 1e-9)
    return _rounded(problem, scale), scale


def _rounded(problem: TSP | VRP, scale: float, *, up: bool = False) -> Ints:
    nodes = np.arange(problem.n)
    table = np.empty((problem.n, problem.n), np.int64)
    for node in nodes:
        row = scale * problem.distances(nodes[node : node + 1], nodes)
        table[node] = np.ceil(row - 1e-9) if up else np.rint(row)
    return table


def units_of(problem: TSP | VRP, scale: float) -> str:
    """Return in which units distances are that were scaled and rounded."""
    if scale == 1:
        return Handed.units if problem.metric.integral else f"{Handed.units}, rounded"
    return f"times {scale:.6g}, rounded"


def depot_first(problem: VRP) -> NDArray[np.int32]:
    """Return the nodes in the order of ``.sol`` files: the depot, then the customers."""
    return np.concatenate((np.array([problem.depot], np.int32), problem.customers))


def _write(file: Path, problem: TSP | VRP) -> None:
    write_problem(file, problem, COMMENT)
