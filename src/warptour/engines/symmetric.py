"""Symmetric 2-opt on a device: a batch of tours, a group each (``kernels/symmetric.c``).

The same text runs natively, under OpenCL and on CUDA, and in exact mode gives
the tours of the reference, ``neighborhoods/symmetric.py``, move for move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.engines.tolerance import least_gain
from warptour.kernels.points import Points
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.neighborhoods.symmetric import with_double, without_double

ROUNDS, IDLE, ACCEPTED = range(3)

EFFORT: Final = 4_000_000
"""Moves of one tour in one call: about 50 ms natively."""

SLACK: Final = 128
"""Places a row moves on a GPU before it is moved back."""

MOST_LANES: Final = 1024


class Symmetric:
    """Tours of one problem under symmetric 2-opt, with annealing before it if there are temperatures.

    Parameters
    ----------
    device : Device
    problem : TSP
        Closed, without fixed edges, of at least five cities.
    tours : array of int32, shape (batch, n)
    temperatures : sequence of float
        One a level, in the unit of the distances; after the last level the tours descend to 2-optimal ones.
    level : int
        Rounds at each temperature.
    seed : int
        64 bits.
    first : int
        Number of the first tour; with the seed it gives a tour's random numbers.
    lanes : int, optional
        Of the group that works on a tour, on a GPU.
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,
        tours: NDArray[np.int32],
        *,
        temperatures: Sequence[float] | NDArray[np.float64] = (),
        level: int = 1,
        seed: int = 0,
        first: int = 0,
        lanes: int | None = None,
    ) -> None:
        self.device, self.problem = device, problem
        self.batch = len(tours)
        self.length = problem.n | 1
        self.moves = (self.length - 1) // 2
        rows = np.array([with_double(tour) for tour in np.atleast_2d(tours)], np.int32)
        self._tours = device.send(rows)
        self._state = device.zeros((self.batch, 4), np.int64)
        self._temperatures = device.send(np.append(np.asarray(temperatures, np.float64), 0.0))
        self._schedule = np.int32(len(temperatures)), np.int64(max(1, level)), np.float64(least_gain(problem))
        self._seed = np.uint64(seed), np.int32(first)
        points = Points.of(problem)
        columns = [device.send(column) if column.size else None for column in (points.x, points.y, points.z)]
        table = device.send(points.table) if points.table.size else None
        numbers = np.int32(points.n), np.int32(points.norm), np.int32(points.rounding)
        self._points = (*columns, table, *numbers, np.float64(points.divisor), np.float64(points.radius))

        about = device.about()
        self.lanes = 1 if device.lanes == 1 else lanes or lanes_for(self.moves)
        slack = self.length if self.lanes == 1 else min(self.length, SLACK)
        self._local, room = self.bytes(slack), about.local_memory or 1 << 40
        wide = self._local > room
        self._slack = np.int32(slack)
        self.groups = min(self.batch, about.units if self.lanes == 1 else 1 << 16)
        self._work = device.empty(self.groups * self._local, np.uint8) if wide else None
        defines = {"WIDE": 1} if wide else {}
        self._program = device.build("symmetric", points.special, lanes=self.lanes, **defines)
        self._scratch = 16 if wide else self._local

    def bytes(self, slack: int) -> int:
        """Return what a group needs to hold a tour that may move ``slack`` places."""
        places = self.length + slack
        return (places * (3 * 8 + 4) + self.moves * (2 * 8 + 1) + 15) // 16 * 16

    @property
    def budget(self) -> int:
        """Rounds that take about 50 ms."""
        if self.lanes > 1:
            return 50_000
        return max(1, EFFORT // (self.moves * -(-self.batch // self.groups)))

    def run(self, rounds: int | None = None) -> None:
        """Do so many rounds on each tour that has not settled; by default as many as take about 50 ms."""
        self._program.launch(
            "symmetric_rounds", self.groups, *self._points, np.int32(self.length), np.int32(self.batch),
            self._tours, self._state, self._temperatures, *self._schedule, np.int32(rounds or self.budget), self._slack,
            *self._seed, self._work, np.int64(self._local), local=self._scratch,
        )  # fmt: skip

    @property
    def settled(self) -> bool:
        """Whether no tour has a move left."""
        return bool((self.state()[:, IDLE] >= self.length).all())

    def state(self) -> NDArray[np.int64]:
        """Return the rounds, the last idle ones, and the accepted moves of each tour, shape (batch, 4)."""
        return self.device.fetch(self._state)

    def tours(self) -> NDArray[np.int32]:
        """Return the tours as they are now, shape (batch, n)."""
        rows: Ints = self.device.fetch(self._tours)
        return np.array([without_double(row, self.problem.n) for row in rows], np.int32)

    def finish(self) -> NDArray[np.int32]:
        """Work until all tours are settled, and return them."""
        while not self.settled:
            self.run()
        return self.tours()


def lanes_for(moves: int) -> int:
    """Return how many lanes a GPU gives a tour of so many moves a round: one each, as far as a block goes."""
    lanes = 32
    while lanes < moves and lanes < MOST_LANES:
        lanes *= 2
    return lanes
