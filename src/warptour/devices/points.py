"""Coordinates of a problem on a device, in the forms that kernels take."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Array, Device
from warptour.kernels.points import Points
from warptour.model.problem import TSP
from warptour.model.spread import median


def send_axes(device: Device, *axes: NDArray[Any]) -> tuple[Array | None, ...]:
    """Return copies of coordinate arrays on the device; None for an empty one."""
    return tuple(device.send(axis) if axis.size else None for axis in axes)


def send_points(device: Device, points: Points) -> tuple[Any, ...]:
    """Return the arguments for ``POINTS_PARAMETERS``, with the arrays on the device."""
    return (*send_axes(device, points.x, points.y, points.z, points.table), *_numbers(points))


def send_fast_coordinates(device: Device, problem: TSP) -> tuple[Array | None, ...]:
    """Return x and y of each city as the fast scan takes them: see :func:`fast_coordinates`."""
    return send_axes(device, *fast_coordinates(problem))


def fast_coordinates(problem: TSP) -> NDArray[np.float32]:
    """Return x and y of each city relative to the median, shape (2, n), scaled so that no divisor is needed.

    float32 is then most precise where most cities are, however far an outlier lies.
    """
    at = (problem.points - median(problem.points)) / np.sqrt(problem.metric.divisor)
    return np.ascontiguousarray(at.T, np.float32)


class TourPoints:
    """Points for kernels that read cities in tour order.

    In metrics with a build of their own, coordinates are stored in tour order; otherwise by city.

    ``positions``: number of tour positions that kernels read, which may exceed the number of cities
    ``special``: build of the kernels for the metric
    ``arguments``: arguments for ``POINTS_PARAMETERS``
    """

    def __init__(self, device: Device, problem: TSP, positions: int) -> None:
        points = Points.of(problem)
        self.special = points.special
        self._device, self._problem = device, problem
        self._in_order: tuple[Array, ...] = ()
        if self.special == "any":
            self.arguments = send_points(device, points)
        else:
            self._in_order = tuple(device.empty(positions, np.float64) for _ in range(2))
            self.arguments = (*self._in_order, None, None, *_numbers(points))

    def follow(self, cities: NDArray[np.int32]) -> None:
        """Store the coordinates of ``cities``, the city at each tour position."""
        if self._in_order:
            for place, axis in zip(self._in_order, self._problem.points.T, strict=True):
                self._device.fill(place, axis[cities].astype(np.float64))


def _numbers(points: Points) -> tuple[np.generic, ...]:
    """Return the scalars of ``POINTS_PARAMETERS``."""
    counts = np.int32(points.n), np.int32(points.norm), np.int32(points.rounding)
    return (*counts, np.float64(points.divisor), np.float64(points.radius))
