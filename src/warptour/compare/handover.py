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
"""Longest distance, or side of the square, to which unrounded distances are scaled before they are rounded."""
EXPLICIT_CITIES: Final = 2_000
"""Maximum number of cities of a file with all distances."""
TABLE_NODES: Final = 20_000
"""Maximum number of nodes of a table of all distances: 3.2 GB."""
NAME: Final = "instance"
COMMENT: Final = "written by warptour"


@dataclass(frozen=True)
class Handed:
    """A problem file for another program, whose costs are ``scale`` times those of the problem."""

    file: Path
    scale: float = 1.0


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
        return Handed(file, scale)
    table, scale = integers(problem, EXPLICIT_CITIES)
    _write(file, TSP(NAME, METRICS["EXPLICIT"], table, fixed_edges=problem.fixed_edges))
    return Handed(file, scale)


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


def tables_file(problem: TSP | VRP, folder: Path) -> Handed:
    """Write tables of integers as ``.npz``: distances and, for vehicles, demands and limits, the depot first."""
    file = folder / f"{NAME}.npz"
    distances, scale = integers(problem, TABLE_NODES)
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
                "durations": integers(problem, TABLE_NODES, scale, up=True)[0][np.ix_(order, order)],
                "services": np.ceil(scale * problem.service_times[order]).astype(np.int64),
                "limit": int(np.floor(scale * problem.max_distance)),
            }
    np.savez(file, **facts)
    return Handed(file, scale)


def integers(problem: TSP | VRP, largest: int, scale: float | None = None, *, up: bool = False) -> tuple[Ints, float]:
    """Return all distances as integers, and their scale: 1 if they are integers already."""
    if problem.n > largest:
        raise UnsupportedError(f"it needs a table of all distances, here for at most {largest:,} nodes")
    nodes = np.arange(problem.n)
    if scale is None:
        longest = max(float(problem.distances(nodes[node : node + 1], nodes).max()) for node in nodes)
        scale = 1.0 if problem.metric.integral else SIDE / max(longest, 1e-9)
    table = np.empty((problem.n, problem.n), np.int64)
    for node in nodes:
        row = scale * problem.distances(nodes[node : node + 1], nodes)
        table[node] = np.ceil(row - 1e-9) if up else np.rint(row)
    return table, scale


def depot_first(problem: VRP) -> NDArray[np.int32]:
    """Return the nodes in the order of ``.sol`` files: the depot, then the customers."""
    return np.concatenate((np.array([problem.depot], np.int32), problem.customers))


def _write(file: Path, problem: TSP | VRP) -> None:
    write_problem(file, problem, COMMENT)
