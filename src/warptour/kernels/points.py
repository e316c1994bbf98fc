"""Nodes of a problem in the form that kernels take: ``POINTS_PARAMETERS`` of ``metric.h``."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from warptour.model.metric import EARTH_RADIUS_M, GEO_RADIUS_KM, Metric, geo_radians
from warptour.model.problem import Problem

NORMS: Final = {"euclidean": 0, "manhattan": 2, "maximum": 3, "geo": 4, "great_circle": 4, "matrix": 5}
ROUNDINGS: Final = {"none": 0, "nearest": 1, "ceil": 2, "floor": 3, "geo": 4}

POINTS_TYPES: Final = (*(ctypes.c_void_p,) * 4, *(ctypes.c_int32,) * 3, *(ctypes.c_double,) * 2)
"""ctypes of ``POINTS_PARAMETERS``."""


@dataclass(frozen=True, eq=False)
class Points:
    """Coordinates or distance matrix, and metric, as arguments of native kernels.

    ``special`` names the kernel build for the metric: ``euc``, ``flat``, ``ceil``, or ``any``.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    z: NDArray[np.float64]
    table: NDArray[np.float64]
    n: int
    norm: int
    rounding: int
    divisor: float
    radius: float
    special: str

    @classmethod
    def of(cls, problem: Problem, *, closing: bool = False) -> Self:
        """Return the points of ``problem``; with ``closing``, node n is a dummy at distance 0 from all others."""
        metric = problem.metric
        none = np.zeros(0)
        columns = [none, none, none]
        table = none
        if metric.norm == "matrix":
            table = np.ascontiguousarray(problem.points, np.float64)
        elif metric.planar:
            columns = [np.ascontiguousarray(column, np.float64) for column in problem.points.T]
        else:
            columns = list(unit_vectors(problem))
        if len(columns) == 2:
            columns.append(none if metric.norm == "euclidean" else np.zeros(problem.n))
        norm = NORMS[metric.norm] + (metric.norm == "euclidean" and metric.dimensions == 3)
        special = "any" if closing else special_of(metric)
        radius = GEO_RADIUS_KM if metric.norm == "geo" else EARTH_RADIUS_M
        x, y, z = columns
        return cls(x, y, z, table, problem.n, norm, ROUNDINGS[metric.rounding], metric.divisor, radius, special)

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments for ``POINTS_PARAMETERS``."""
        pointers = (array.ctypes.data if array.size else None for array in (self.x, self.y, self.z, self.table))
        return (*pointers, self.n, self.norm, self.rounding, self.divisor, self.radius)


def special_of(metric: Metric) -> str:
    """Return the suffix of the kernel build for ``metric``: ``euc``, ``flat``, ``ceil``, or ``any``."""
    plain = metric.norm == "euclidean" and metric.dimensions == 2 and metric.divisor == 1.0
    return {"nearest": "euc", "none": "flat", "ceil": "ceil"}.get(metric.rounding, "any") if plain else "any"


def unit_vectors(problem: Problem) -> NDArray[np.float64]:
    """Return the points of a geographic problem on the unit sphere, as x, y and z, shape (3, n)."""
    radians = geo_radians(problem.points) if problem.metric.norm == "geo" else np.radians(problem.points)
    latitude, longitude = radians.T
    return np.array([np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)])
