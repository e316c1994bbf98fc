"""The 2-opt engine on the CPU, with descent over neighbour lists."""

from __future__ import annotations

import numpy as np

from warptour.devices.cpu import Cpu
from warptour.kernels.groups import Over
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.papers.scans.climbers import Climbers
from warptour.papers.scans.two_opt import TwoOptEngine
from warptour.tours.engine.instance import Instance


class NativeEngine(TwoOptEngine):
    """2-opt on closed tours of one problem, by the native library.

    Parameters
    ----------
    problem : TSP
    threads : int
        Number of threads. Results do not depend on it.
    over : callable, optional
        Polled about every 50 ms; once it returns True, scans raise :class:`Unfinished`.
    """

    name = "native"

    def __init__(self, problem: TSP, threads: int = 1, over: Over | None = None) -> None:
        super().__init__(problem, Cpu(threads), over)
        self._instance: Instance | None = None

    def descend(self, tour: Ints, *, certified: bool = False) -> Ints:
        """Return a local optimum of 2-opt and or-opt over neighbour lists; if ``certified``, of all 2-opt moves too.

        If the search ends first, return the tour reached so far.
        """
        if self._instance is None:
            self._instance = Instance.of(self.problem, over=self.over)
        while True:
            climber = Climbers(self._instance, self._instance.enter(tour))
            while not climber.locally_optimal and not (self.over is not None and self.over()):
                climber.climb()
            tour = self._instance.leave(climber.best()[0])
            move = self.certify(tour) if certified else None
            if move is None:
                return np.ascontiguousarray(tour)
            tour = self.apply(tour, move)
