"""Range checks that keep sums exact: integral distances in int64, loads in float64. Larger values are rejected."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.errors import InputError
from warptour.model.spread import Measured, extent

LONGEST: Final = 2.0**52
"""Maximum integral distance: sums of two are exact in float64, in which kernels evaluate moves."""

DEAREST: Final = 2.0**62
"""Maximum cost, well within int64."""

HEAVIEST: Final = 2.0**53
"""Maximum total of integral demands, since loads are also summed in float64."""

REMEDY: Final = "use a larger unit, or unrounded distances (--rounding none)"


def check_cost(problem: Measured, hub: int | None = None) -> None:
    """Reject an instance with integral distances if the cost of some solution may exceed the exact range.

    ``hub``: the depot, if there is one: then every customer has at most two edges
    """
    n = len(problem.points)
    if not problem.metric.integral or n < 2:
        return
    longest = _longest(problem)
    if longest > LONGEST:
        raise InputError(f"distances may reach {longest:.3g}, and beyond 2**52 their sums are not exact; {REMEDY}")
    if 2 * n * longest > DEAREST and _dearest(problem, hub) > DEAREST:
        raise InputError(f"{n} nodes up to {longest:.3g} apart: costs may pass 2**62, too large to add up; {REMEDY}")


def check_load(demands: NDArray[Any]) -> None:
    """Reject demands whose total is not exact or not finite."""
    with np.errstate(over="ignore"):
        total = float(demands.sum(dtype=np.float64))
    if np.issubdtype(demands.dtype, np.integer) and total > HEAVIEST:
        raise InputError(
            f"the demands sum to {total:.3g}, and beyond 2**53 whole numbers are not exact; use a larger unit"
        )
    if not np.isfinite(total):
        raise InputError("the demands sum to more than a number holds; use a larger unit")


def _longest(problem: Measured) -> float:
    """Return an upper bound on any distance."""
    longest = extent(problem)
    if problem.metric.norm != "matrix" or 2 * len(problem.points) * longest <= DEAREST:
        return longest
    return float(_lengths(problem.points).max())


def _dearest(problem: Measured, hub: int | None) -> float:
    """Return an upper bound on the cost of any solution."""
    points, n = problem.points, len(problem.points)
    if problem.metric.norm == "matrix":
        two_longest = np.partition(_lengths(points), n - 2, axis=1)[:, n - 2 :].sum(axis=1)
        return float(two_longest.sum()) / (2 if hub is None else 1)
    # Triangle inequality: no edge is longer than the detour through the middle, plus rounding.
    middle = np.median(points, axis=0) if hub is None else points[hub]
    return 2 * float(np.abs(points - middle).sum()) + 2.0 * n


def _lengths(matrix: NDArray[Any]) -> NDArray[np.float64]:
    """Return a copy of the absolute distances, the longer of both directions, with a zero diagonal."""
    lengths = np.abs(matrix.astype(np.float64))
    np.fill_diagonal(lengths, 0.0)
    return np.maximum(lengths, lengths.T)
