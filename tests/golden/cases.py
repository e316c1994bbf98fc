"""Golden runs: one for each strategy, class of metric and kind of device, from 8 to 200,000 cities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from warptour.io.generate import generate
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.tours.strategy.device_worker import DeviceWindows


@dataclass(frozen=True)
class Case:
    """A run that ends after a fixed number of iterations.

    Attributes
    ----------
    exact : bool
        Whether a device other than the CPU gives the same wherever it runs. Other runs, whose float32 arithmetic
        decides, are recorded per device.
    long : bool
        Whether `make test` leaves it out: it takes more time than it tells beside the others.
    """

    name: str
    problem: Callable[[], TSP | VRP]
    strategy: str
    iterations: int
    threads: int = 1
    settings: dict[str, Any] = field(default_factory=dict)
    start: str | None = None
    exact: bool = True
    long: bool = False

    def __str__(self) -> str:
        return self.name


def planar(metric: str, n: int, kind: str = "uniform") -> TSP:
    """Return generated points under ``metric``, with halves between the integers where distances are not rounded."""
    points = generate(kind, n, 1).points[:, :2].astype(np.float64)
    if METRICS[metric].rounding == "none":
        points = points / 8
    if METRICS[metric].dimensions == 3:
        points = np.column_stack((points, points[::-1, 0]))
    return TSP(f"{metric}-{n}", METRICS[metric], points)


def spherical(metric: str, n: int) -> TSP:
    """Return generated points as degrees."""
    points = generate("uniform", n, 2).points[:, :2] / 1e6
    return TSP(f"{metric}-{n}", METRICS[metric], points * (120, 240) - (60, 120))


def matrix(n: int, *, rounded: bool) -> TSP:
    """Return a random symmetric matrix of integers or of eighths."""
    table = np.random.default_rng(n).integers(1, 10_000, (n, n))
    table = np.triu(table, 1) + np.triu(table, 1).T
    return TSP.from_matrix(table if rounded else table / 8, name=f"matrix-{n}")


def path(n: int) -> TSP:
    """Return an open path with one given end and three fixed edges."""
    edges = np.array([[1, 2], [2, 3], [10, 20]], np.int32)
    return replace(planar("EUC_2D", n), open=True, first=5, fixed_edges=edges)


def routes(n: int, kind: str = "vrp", **limits: Any) -> VRP:
    """Return generated customers with further limits."""
    problem = generate(kind, n, 1)
    assert isinstance(problem, VRP)
    return replace(problem, **limits)


ANNEALED = {"max_genetic_customers": 10, "min_ruin_customers": 20}

CPU = [
    Case("windows 8", partial(planar, "EUC_2D", 8), "windows", 10),
    Case("windows 10", partial(planar, "EUC_2D", 10), "windows", 200),
    Case("windows whole", partial(planar, "EUC_2D", 1000), "windows", 6000),
    Case("windows whole, 2 threads", partial(planar, "EUC_2D", 1000, "clustered"), "windows", 12_000, 2),
    Case("windows in windows, soon", partial(planar, "EUC_2D", 20_000), "windows", 4000),
    Case("windows in windows", partial(planar, "EUC_2D", 20_000), "windows", 12_000, long=True),
    Case("windows in windows, 2 threads", partial(planar, "EUC_2D", 20_000, "grid"), "windows", 45_000, 2, long=True),
    Case("windows 200000", partial(planar, "EUC_2D", 200_000), "windows", 30_000, 2, long=True),
    Case("windows drilling", partial(planar, "CEIL_2D", 2000, "drilling"), "windows", 4000, 2),
    Case("windows unrounded", partial(planar, "EUCLIDEAN", 1000), "windows", 3000),
    Case("windows in space", partial(planar, "EUC_3D", 1000), "windows", 3000),
    Case("windows manhattan", partial(planar, "MAN_2D", 1000), "windows", 3000),
    Case("windows maximum", partial(planar, "MAX_2D", 1000), "windows", 3000),
    Case("windows att", partial(planar, "ATT", 500), "windows", 2000),
    Case("windows geo", partial(spherical, "GEO", 300), "windows", 1000),
    Case("windows great circle", partial(spherical, "GREAT_CIRCLE", 300), "windows", 1000),
    Case("windows matrix", partial(matrix, 300, rounded=True), "windows", 2000),
    Case("windows matrix of eighths", partial(matrix, 150, rounded=False), "windows", 2000, 2),
    Case("windows path", partial(path, 500), "windows", 3000, 2),
    Case("ils", partial(planar, "EUC_2D", 1000), "ils", 20_000),
    Case("ils, 2 threads", partial(planar, "EUCLIDEAN", 500), "ils", 20_000, 2),
    Case("ils path", partial(path, 500), "ils", 5000, 2),
    Case("ils sections", partial(planar, "EUC_2D", 45_000), "ils", 40_000, 2),
    Case("ils all", partial(planar, "EUC_2D", 200), "ils", 2000, settings={"repair": "all"}, long=True),
    Case("ils all, exact", partial(matrix, 60, rounded=True), "ils", 30, settings={"repair": "all", "chains": 1}),
    Case("vns", partial(planar, "EUC_2D", 1000), "vns", 4000, 2),
    Case("vns by full scans", partial(planar, "CEIL_2D", 120), "vns", 12, 2, settings={"scans": "full"}),
    Case("vns matrix", partial(matrix, 100, rounded=True), "vns", 2000, settings={"neighborhoods": "2opt,oropt,swap"}),
    Case("hill", partial(planar, "EUC_2D", 500), "hill", 10_000, start="random"),
    Case("hill exact", partial(planar, "ATT", 200), "hill", 10_000, settings={"exact": True}, start="file"),
    Case("restarts", partial(planar, "EUC_2D", 100), "restarts", 32),
    Case("descent", partial(planar, "EUC_2D", 150), "descent", 500, settings={"exact": True, "quick": False}),
    Case(
        "descent of all", partial(planar, "MAN_2D", 120), "descent", 500, 2,
        settings={"neighborhoods": "2opt,oropt,swap,relocate", "exact": True, "quick": False},
    ),
    Case("symmetric", partial(planar, "EUC_2D", 300), "symmetric", 50_000, settings={"tours": 3}),
    Case("annealing", partial(planar, "EUC_2D", 200), "annealing", 2000),
    Case("routes few", partial(routes, 80), "routes", 40_000, 2),
    Case("routes between, soon", partial(routes, 400), "routes", 100_000, 2),
    Case("routes between", partial(routes, 400), "routes", 1_300_000, 2, long=True),
    Case("routes groups", partial(routes, 3000), "routes", 100_000, 2),
    Case("routes limited", partial(routes, 120, max_distance=3000.0), "routes", 40_000),
    Case("routes annealed", partial(routes, 80), "routes", 60_000, 2, ANNEALED),
    Case("routes in windows, few", partial(routes, 80, "windows"), "routes", 20_000, 2),
    Case("routes in windows", partial(routes, 600, "windows"), "routes", 60_000, 2),
    Case("routes in windows, fewest", partial(routes, 200, "windows", fewest=True), "routes", 30_000),
    Case("routes late", partial(routes, 120, "windows", late_cost=2.0, hour_cost=0.5), "routes", 10_000, 2),
    Case("routes open", partial(routes, 120, "windows", open=True), "routes", 20_000, 2),
]  # fmt: skip

SMALL_WINDOWS = {"overlapping": DeviceWindows(200, kicks=0.1)}

DEVICES = [
    Case("windows that overlap", partial(planar, "EUC_2D", 3000), "windows", 3000, settings=SMALL_WINDOWS, exact=False),
    Case("ils", partial(planar, "EUC_2D", 200), "ils", 2000, exact=False),
    Case("hill", partial(planar, "EUC_2D", 500), "hill", 10_000, start="random"),
    Case("restarts", partial(planar, "EUC_2D", 100), "restarts", 32),
    Case("descent", partial(planar, "EUC_2D", 200), "descent", 300, settings={"quick": False}),
    Case("symmetric", partial(planar, "EUC_2D", 300), "symmetric", 50_000, settings={"tours": 3}),
    Case("annealing", partial(planar, "EUC_2D", 200), "annealing", 2000, exact=False),
]

GPUS = [
    Case("windows that overlap, 100000", partial(planar, "EUC_2D", 100_000), "windows", 100_000, exact=False),
    Case("windows that are apart", partial(planar, "EUC_2D", 500_000), "windows", 500_000, exact=False),
]
"""Too slow for OpenCL on a CPU."""
