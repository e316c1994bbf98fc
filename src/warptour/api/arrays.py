"""Tours straight from arrays: of points, or of distances."""

from __future__ import annotations

import warnings
from typing import Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.api.arguments import fixed_edge_array, numbers
from warptour.api.options import PathOptions, PointOptions, SolveOptions
from warptour.api.solving import solve
from warptour.model.errors import InputWarning
from warptour.model.geometries import places_in
from warptour.model.mistakes import ADVICE, look_like_degrees
from warptour.model.problem import TSP
from warptour.search.strategy import Strategy


@overload
def solve_points(
    xy: Any, *, return_cost: Literal[False] = ..., **options: Unpack[PointOptions]
) -> NDArray[np.int32]: ...
@overload
def solve_points(
    xy: Any, *, return_cost: Literal[True], **options: Unpack[PointOptions]
) -> tuple[NDArray[np.int32], int | float]: ...
def solve_points(
    xy: Any,
    *,
    strategy: Strategy | str | None = None,
    latlon: bool | None = None,
    metric: str | None = None,
    name: str = "points",
    open: bool = False,
    first: int | None = None,
    last: int | None = None,
    fixed_edges: ArrayLike | None = None,
    return_cost: bool = False,
    **options: Unpack[SolveOptions],
) -> NDArray[np.int32] | tuple[NDArray[np.int32], int | float]:
    """Return a short tour through points, as a permutation of 0..n-1.

    Parameters
    ----------
    xy : array-like, shape (n, 2) or (n, 3), GeoDataFrame or GeoSeries
        Coordinates; with ``latlon`` latitude and longitude in degrees. Geometries know themselves what they are.
    latlon : bool, optional
        Whether to measure great-circle metres. If neither this nor ``metric`` is given, points that look like degrees
        get a warning.
    metric : str, optional
        A name in ``METRICS``; by default Euclidean, unrounded.
    open, first, last, fixed_edges
        As for :class:`TSP`.
    return_cost : bool
        Whether to return the tour and its cost.
    strategy, **options
        As for :func:`solve`.
    """
    points, latlon = places_in(xy, latlon)
    points = numbers(points, "points")
    if latlon is None and metric is None and look_like_degrees(points):
        warnings.warn(f"points {ADVICE}", InputWarning, stacklevel=2)
    edges = fixed_edge_array(fixed_edges)
    problem = TSP.from_points(
        points, latlon=bool(latlon), metric=metric, name=name, open=open, first=first, last=last, fixed_edges=edges
    )
    result = solve(problem, strategy, **options)
    return (result.tour, result.cost) if return_cost else result.tour


@overload
def solve_matrix(
    matrix: ArrayLike, *, return_cost: Literal[False] = ..., **options: Unpack[PathOptions]
) -> NDArray[np.int32]: ...
@overload
def solve_matrix(
    matrix: ArrayLike, *, return_cost: Literal[True], **options: Unpack[PathOptions]
) -> tuple[NDArray[np.int32], int | float]: ...
def solve_matrix(
    matrix: ArrayLike,
    *,
    strategy: Strategy | str | None = None,
    name: str = "matrix",
    open: bool = False,
    first: int | None = None,
    last: int | None = None,
    fixed_edges: ArrayLike | None = None,
    return_cost: bool = False,
    **options: Unpack[SolveOptions],
) -> NDArray[np.int32] | tuple[NDArray[np.int32], int | float]:
    """Return a short tour for an (n, n) matrix of distances from row to column, as a permutation of 0..n-1.

    ``open``, ``first``, ``last`` and ``fixed_edges`` are as for :class:`TSP`, ``strategy`` and ``options`` as for
    :func:`solve`; ``return_cost`` returns the cost beside the tour.
    """
    table = numbers(matrix, "a matrix")
    edges = fixed_edge_array(fixed_edges)
    problem = TSP.from_matrix(table, name=name, open=open, first=first, last=last, fixed_edges=edges)
    result = solve(problem, strategy, **options)
    return (result.tour, result.cost) if return_cost else result.tour
