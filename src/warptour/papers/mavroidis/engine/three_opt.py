"""Symmetric 3-opt: nested 3-opt moves, evaluated and applied together (proposed in Mavroidis 2011, section 7.1).

The thesis leaves open how its scheme could handle 3-opt. Here an element has a segment of k cities on each side of the
row instead of one city, and whatever is between the two:

    a [s] [inner] [r] d        a at position q, s at q+1 .. q+k, r mirrored at m-1-q-k .. m-2-q, d at m-1-q

It takes the best arrangement of the three pieces that changes at most three of their four edges: 2-opt, or 3-opt with
one edge on one side and two on the other. Elements of a round are k+1 positions apart, so that their edges are distinct
and each lies inside the inner piece of those further out. Any of them may therefore be rearranged together: an inner
piece is reversed if an odd number of elements further out reversed theirs, and shifted by the sum of the cities that
those have moved from one side to the other. Parity and shift are both prefix sums, log2(n) steps each; in the 2-opt of
the thesis the shift is always 0.

A turn of the row has k+1 rounds for each k up to 3, so that every position is an a. Then the row rotates by one. The
kernel ``symmetric_three.c`` makes the moves of the plain reference, ``tests/symmetric_three_reference.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.kernels.points import Points
from warptour.model.problem import TSP
from warptour.neighborhoods.tolerance import tolerance
from warptour.papers.mavroidis.engine.rows import EFFORT, TourRows, built
from warptour.papers.mavroidis.engine.shapes import MAX_LANES, lanes_for

LONGEST: Final = 3
"""Longest segment, in cities, as of or-opt."""

PIECES: Final = {"s": (1, 2), "inner": (3, 4), "r": (5, 6)}
"""The first and last city of each piece, as columns of the ends of an element: a, then these, then d."""
A, D = 0, 7


@dataclass(frozen=True)
class Arrangement:
    """An order of the three pieces, each forwards or reversed."""

    pieces: tuple[tuple[str, bool], ...]  # name of each piece from a to d, and whether it is reversed

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The four edges between a, the pieces and d, in this order, each with its lower end first."""
        ends = [A]
        for name, reverse in self.pieces:
            ends.extend(PIECES[name][::-1] if reverse else PIECES[name])
        ends.append(D)
        return tuple((min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2], strict=True))

    @property
    def centre(self) -> int:
        """Place of the inner piece among the three, from 0."""
        return [name for name, _ in self.pieces].index("inner")

    def words(self, present: tuple[tuple[int, int], ...]) -> list[int]:
        """Return the words of the kernel's table: edges, which of the present ones it keeps, pieces, cities moved."""
        kept = sum(1 << i for i, edge in enumerate(present) if edge in self.edges)
        pieces = [2 * [*PIECES].index(name) + reverse for name, reverse in self.pieces]
        return [*(8 * one + other for one, other in self.edges), kept, *pieces, self.centre - 1]


def _arrangements() -> tuple[Arrangement, ...]:
    """Return the arrangements that change two or three edges, after the one that changes none."""
    found = [
        Arrangement(tuple(zip(order, reverse, strict=True)))
        for order in permutations(PIECES)
        for reverse in product((False, True), repeat=3)
    ]
    present = set(found[0].edges)
    return tuple(each for each in found if present & set(each.edges))


ARRANGEMENTS: Final = _arrangements()
WORDS: Final = np.array([each.words(ARRANGEMENTS[0].edges) for each in ARRANGEMENTS], np.int32)
"""The arrangements as the kernel has them."""

GPU_TURNS: Final = 300
"""Turns of a row per GPU call, for tours with at most one element per lane: some 50 ms."""


class SymmetricThree(TourRows):
    """Tours on a device that descend by symmetric 3-opt; their rounds do not anneal.

    A tour ends after m turns of its row without a move, one per position; it is then 2-optimal too.
    """

    def __init__(
        self,
        device: Device,
        problem: TSP,
        tours: NDArray[np.int32],
        *,
        longest: int = LONGEST,  # longest segment, in cities
        lanes: int | None = None,  # lanes of the group that works on one tour, on a GPU
        **numbers: Any,
    ) -> None:
        super().__init__(device, problem, tours, **numbers)
        self.longest = longest
        self.turn = longest * (longest + 3) // 2
        self.lanes = 1 if device.lanes == 1 else lanes or min(MAX_LANES, lanes_for(device, self.moves // 2))
        self.groups = min(self.batch, device.about().units * (1 if self.lanes == 1 else 2))
        error = tolerance(problem)
        self._error = np.float64(error.absolute), np.float64(error.relative)
        self._arrangements = device.send(WORDS)
        self._work = device.empty((self.groups, 3, self.length), np.int32)
        self._program = built(device, "symmetric_three", Points.of(problem).special, self.lanes)

    @property
    def evaluated(self) -> int:
        """Arrangements that a round evaluates, on average over a turn."""
        rounds = ((k, offset) for k in range(1, self.longest + 1) for offset in range(k + 1))
        elements = sum(len(range(offset, self.moves - k, k + 1)) for k, offset in rounds)
        return elements * (len(ARRANGEMENTS) - 1) // self.turn

    @property
    def budget(self) -> int:
        tours = -(-self.batch // self.groups)
        if self.lanes > 1:
            waves = -(-self.moves // (2 * self.lanes))
            return max(1, GPU_TURNS * self.turn // (waves * tours))
        return max(1, EFFORT * self.turn // (len(ARRANGEMENTS) * self.longest * self.moves * tours))

    def heat(self, temperature: float) -> None:
        """Refuse temperatures above 0."""
        if temperature > 0:
            raise ValueError("symmetric 3-opt does not anneal")

    def run(self, rounds: int | None = None) -> None:
        """Run ``rounds`` rounds on each tour that has a move left; by default as many as take about 50 ms."""
        self._program.launch(
            "symmetric_three", self.groups, *self._points, np.int32(self.length), np.int32(self.batch), self._tours,
            self._state, np.int32(self.longest), self._arrangements, np.int32(len(WORDS)), *self._error,
            np.int32(rounds or self.budget), self._work,
        )  # fmt: skip
