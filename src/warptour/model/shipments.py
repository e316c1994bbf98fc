"""Problems of pickups and their deliveries, with time windows: what a file of them holds. None is solved yet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.model.errors import UnsupportedError
from warptour.model.metric import Floats
from warptour.model.windows import TimeWindows


@dataclass(frozen=True, eq=False)
class Shipments:
    """Tasks in pairs: what a pickup loads, its delivery unloads, later on the same route. Task 0 is the depot.

    Attributes
    ----------
    name : str
    points : array of float64, shape (n, 2)
        Places of the depot and the tasks; distances are Euclidean and not rounded, and travel times equal them.
    demands : array of int64 or float64, shape (n,)
        What a task loads; negative for deliveries.
    pairs : array of int64, shape (m, 2)
        Each pickup and its delivery.
    windows : TimeWindows
        When service may begin.
    service_times : array of float64, shape (n,)
    capacity : int or float
    vehicles : int
        Maximum number of routes.
    """

    name: str
    points: Floats
    demands: NDArray[np.int64] | Floats
    pairs: NDArray[np.int64]
    windows: TimeWindows
    service_times: Floats
    capacity: float
    vehicles: int

    @property
    def n(self) -> int:
        """Number of nodes: the tasks and the depot."""
        return len(self.points)


class ShipmentsUnsupported(UnsupportedError):
    """A file of pickups and deliveries where a problem to solve is expected; ``shipments`` is what it holds."""

    def __init__(self, path: str, shipments: Shipments) -> None:
        self.shipments = shipments
        count = len(shipments.pairs)
        pairs = "a pickup with its delivery" if count == 1 else f"{count} pickups with their deliveries"
        super().__init__(f"{path}: {pairs}: shipments are not supported yet; warptour info describes the file")
