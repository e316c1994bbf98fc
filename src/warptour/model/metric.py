"""Metrics: how distances between nodes are computed and rounded.

Every TSPLIB distance is one of a few norms followed by one of a few roundings,
so a metric is data, not code: ``EUC_2D`` is the Euclidean norm rounded to the
nearest integer, ``ATT`` the root of a tenth of the squared norm, rounded up.
The kernels hold the same table in C; a conformance test keeps the two in step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.model.audience import count
from warptour.model.bounds import bounds
from warptour.model.errors import InputError
from warptour.model.quantities import as_float64

Norm: TypeAlias = Literal["euclidean", "manhattan", "maximum", "geo", "great_circle", "matrix"]
Rounding: TypeAlias = Literal["none", "nearest", "ceil", "floor", "geo"]
Scaling: TypeAlias = Literal["dimacs", "exact"]
"""Roundings that also scale all quantities of a problem: 10 times, truncated, and 1,000 times, to nearest."""
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Nodes: TypeAlias = NDArray[np.int32] | NDArray[np.int64]

EARTH_RADIUS_M: Final = 6_371_008.8
"""Mean radius of the Earth in metres, for great-circle distances."""

GEO_RADIUS_KM: Final = 6378.388
GEO_PI: Final = 3.141592
"""Radius and truncated pi of the idealised sphere of TSPLIB's GEO distance."""

MAX_NODES: Final = 2_000_000_000
"""Maximum number of nodes: their numbers, and those plus the lanes of a launch, are int32."""

SMALLEST_EXTENT: Final = 1e-15
"""Minimum extent of an instance: kernels also square coordinate differences in float32."""


@dataclass(frozen=True)
class Metric:
    """An exact distance function between nodes.

    Attributes
    ----------
    name : str
        TSPLIB's name, or ``EUCLIDEAN`` and ``GREAT_CIRCLE`` for the two unrounded extensions.
    norm : Norm
        The distance before rounding.
    rounding : Rounding
        Rounding mode; ``none`` keeps float64, all others give integers.
    dimensions : int
        Coordinates per node, 0 for a matrix.
    divisor : float
        Divisor of the squared Euclidean distance before the root (10 for ATT).
    """

    name: str
    norm: Norm
    rounding: Rounding
    dimensions: int = 2
    divisor: float = 1.0

    @property
    def integral(self) -> bool:
        """Whether distances are integers, so that costs are exact in int64."""
        return self.rounding != "none"

    @property
    def planar(self) -> bool:
        """Whether coordinates lie in a plane or space where proximity is Euclidean (not angles, not a matrix)."""
        return self.norm in ("euclidean", "manhattan", "maximum")

    def rounded(self, rounding: Rounding) -> Metric:
        """Return this metric with another rounding (``--rounding``)."""
        if rounding == self.rounding:
            return self
        return replace(self, name=f"{self.name}/{rounding}", rounding=rounding)

    def distances(self, points: NDArray[Any], i: Nodes | slice, j: Nodes | slice) -> Floats | Ints:
        """Return the exact distances between nodes ``i`` and ``j`` (arrays that broadcast).

        ``points`` holds the coordinates, shape (n, dimensions), or the matrix itself for a matrix metric. The result is
        int64 if :attr:`integral`, float64 otherwise.
        """
        if self.norm == "matrix":
            return self._round(np.asarray(points[i, j], dtype=np.float64))
        a, b = points[i], points[j]
        if self.norm == "geo":
            return self._round(_geo(a, b))
        if self.norm == "great_circle":
            return self._round(_great_circle(a, b))
        gap = a - b
        if self.norm == "euclidean":
            square = gap[..., 0] * gap[..., 0] + gap[..., 1] * gap[..., 1]
            if self.dimensions == 3:
                square = square + gap[..., 2] * gap[..., 2]
            return self._round(np.sqrt(square / self.divisor))
        gap = np.abs(gap)
        return self._round(gap.sum(axis=-1) if self.norm == "manhattan" else gap.max(axis=-1))

    def _round(self, measure: Floats) -> Floats | Ints:
        if self.rounding == "none":
            return measure
        if self.rounding == "nearest":
            return np.floor(measure + 0.5).astype(np.int64)
        if self.rounding == "ceil":
            return np.ceil(measure).astype(np.int64)
        if self.rounding == "floor":
            return np.floor(measure).astype(np.int64)
        return (measure + 1.0).astype(np.int64)


def geo_radians(points: Floats) -> Floats:
    """Convert TSPLIB's DDD.MM (degrees and minutes) to radians, as defined for GEO."""
    degrees = np.trunc(points)
    return GEO_PI * (degrees + 5.0 * (points - degrees) / 3.0) / 180.0


def _geo(a: Floats, b: Floats) -> Floats:
    a, b = geo_radians(a), geo_radians(b)
    q1 = np.cos(a[..., 1] - b[..., 1])
    q2 = np.cos(a[..., 0] - b[..., 0])
    q3 = np.cos(a[..., 0] + b[..., 0])
    cosine = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)
    return GEO_RADIUS_KM * np.arccos(np.clip(cosine, -1.0, 1.0))


def _great_circle(a: Floats, b: Floats) -> Floats:
    a, b = np.radians(a), np.radians(b)
    rise = np.sin((a[..., 0] - b[..., 0]) / 2.0)
    turn = np.sin((a[..., 1] - b[..., 1]) / 2.0)
    chord = rise * rise + np.cos(a[..., 0]) * np.cos(b[..., 0]) * turn * turn
    return 2.0 * EARTH_RADIUS_M * np.arcsin(np.sqrt(np.clip(chord, 0.0, 1.0)))  # type: ignore[no-any-return]


METRICS: Final[dict[str, Metric]] = {
    metric.name: metric
    for metric in (
        Metric("EUC_2D", "euclidean", "nearest"),
        Metric("EUC_3D", "euclidean", "nearest", 3),
        Metric("CEIL_2D", "euclidean", "ceil"),
        Metric("ATT", "euclidean", "ceil", divisor=10.0),
        Metric("MAN_2D", "manhattan", "nearest"),
        Metric("MAN_3D", "manhattan", "nearest", 3),
        Metric("MAX_2D", "maximum", "nearest"),
        Metric("MAX_3D", "maximum", "nearest", 3),
        Metric("GEO", "geo", "geo"),
        Metric("EXPLICIT", "matrix", "nearest", 0),
        Metric("EUCLIDEAN", "euclidean", "none"),
        Metric("EUCLIDEAN_3D", "euclidean", "none", 3),
        Metric("GREAT_CIRCLE", "great_circle", "none"),
    )
}
"""All metrics by name. ATT rounds to nearest and adds 1 if that is below the true value, which is rounding up."""


def check_points(points: NDArray[Any], metric: Metric) -> Floats:
    """Return ``points`` as a float64 array of shape (n, dimensions), validated for ``metric``.

    Rejects NaN and infinity, wrong shapes, latitudes beyond the poles, coordinates so large that squares overflow or
    integral distances leave the exact range of float64, and extents so small that squares underflow.
    """
    try:
        xy = as_float64(points)
    except (ValueError, TypeError):
        raise InputError("points are numbers in rows of the same length") from None
    if xy.ndim != 2 or xy.shape[1] != metric.dimensions or len(xy) == 0:
        raise InputError(f"{metric.name} needs points of shape (n, {metric.dimensions}), n at least 1, not {xy.shape}")
    if len(xy) > MAX_NODES:
        raise InputError(f"{len(xy)} nodes; a problem has at most {MAX_NODES}")
    low, high = bounds(xy)
    if not (np.isfinite(low) & np.isfinite(high)).all():
        bad = ~np.isfinite(xy).all(axis=1)
        raise InputError(f"node {count(int(bad.argmax()))} has a coordinate that is not a finite number")
    limit = 90.0 if not metric.planar else 1e15
    checked = slice(0, 1) if not metric.planar else slice(None)
    if np.maximum(-low, high)[checked].max() > limit:
        what = "a latitude beyond 90 degrees" if not metric.planar else "a coordinate beyond 1e15"
        node = int((np.abs(xy[:, checked]).max(axis=1) > limit).argmax()) + 1
        raise InputError(f"node {node} has {what}")
    extent = float((high - low).max())
    if metric.planar and metric.rounding in ("none", "ceil") and 0 < extent < SMALLEST_EXTENT:
        raise InputError(
            f"all coordinates lie within {extent:.3g} of each other, where squares underflow; "
            f"give them in a smaller unit, so that they differ by {SMALLEST_EXTENT:g} or more"
        )
    return xy
