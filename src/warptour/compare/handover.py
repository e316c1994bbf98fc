"""Problems as other programs read them: TSPLIB and CVRPLIB files in their plainest form, and tables of integers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from warptour.compare.route_tables import depots_first, lowest_price, route_tables
from warptour.compare.timetable import scale_of, timetable_of
from warptour.io.write import write_problem
from warptour.model.errors import UnsupportedError
from warptour.model.metric import METRICS, Ints
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

PLAIN: Final = ("EUC_2D", "CEIL_2D", "ATT", "GEO")
"""Metrics with one meaning in all programs."""
SIDE: Final = 1_000_000
"""Side of the square to which unrounded points are scaled before their distances are rounded."""
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
    order = depots_first(problem)
    loads, capacity = problem.loads
    file = folder / f"{NAME}.vrp"
    plain = VRP(
        NAME,
        METRICS["EUC_2D"],
        problem.points[order],
        demands=loads[order].astype(np.int64),
        capacity=int(capacity),
        max_distance=problem.max_distance,
        service_times=np.empty(0) if problem.max_distance is None else problem.service_times[order],
    )
    _write(file, plain)
    return Handed(file)


def tables_file(problem: TSP | VRP, folder: Path, longest: int) -> Handed:
    """Write tables of integers as ``.npz``: distances and, for vehicles, what :func:`route_tables` says of them."""
    file = folder / f"{NAME}.npz"
    distances, scale = integers(problem, TABLE_NODES, longest)
    units = units_of(problem, scale)
    facts: dict[str, Any] = {"distances": distances}
    if isinstance(problem, VRP):
        facts, told = route_tables(problem, distances, scale, longest)
        units += told
    np.savez(file, **facts, scale=scale)
    return Handed(file, scale / lowest_price(problem) if isinstance(problem, VRP) else scale, units)


def integers(problem: TSP | VRP, largest: int, longest: int) -> tuple[Ints, float]:
    """Return all distances as integers of at most ``longest``, and their scale.

    It is 1 for integers that fit, and for unrounded distances whose longest has enough digits; else the longest
    distance becomes ``longest``, or, where times count, a power of ten makes it as long as fits: windows that end at
    whole times stay what they are.
    """
    if problem.n > largest:
        raise UnsupportedError(f"it needs a table of all distances, here for at most {largest:,} nodes")
    nodes = np.arange(problem.n)
    found = max(float(problem.distances(nodes[node : node + 1], nodes).max()) for node in nodes)
    timed = isinstance(problem, VRP) and timetable_of(problem) is not None
    scale = scale_of(found, longest, exact=problem.metric.integral, tens=timed)
    table = np.empty((problem.n, problem.n), np.int64)
    for node in nodes:
        table[node] = np.rint(scale * problem.distances(nodes[node : node + 1], nodes))
    np.fill_diagonal(table, 0)
    return table, scale


def units_of(problem: TSP | VRP, scale: float) -> str:
    """Return in which units distances are that were scaled and rounded."""
    if scale == 1:
        return Handed.units if problem.metric.integral else f"{Handed.units}, rounded"
    return f"times {scale:.6g}, rounded"


def _write(file: Path, problem: TSP | VRP) -> None:
    write_problem(file, problem, COMMENT)
