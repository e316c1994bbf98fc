"""Descent in the complete 2-opt and 3-opt neighbourhoods of a giant tour, cost first.

A move matters only if it gains more than the best feasible one so far. So gains are bounded in float32 first; the few
moves whose bound is high enough are evaluated exactly, and their resources checked in constant time. All of an
iteration happens on the device: the scans, the choice of the best move, its application and the tables of the new tour.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from warptour.devices import Device, Program
from warptour.kernels.groups import Over, Unfinished, go_on
from warptour.model.errors import UnsupportedError
from warptour.neighborhoods.move import Move
from warptour.papers.schulz.engine.instance import GiantInstance, Ints
from warptour.papers.schulz.engine.laid_tour import LANES, MOVES_MADE, NO_MOVE, OPTIMAL, LaidGiantTour

LARGEST: Final = 20_000
"""Maximum number of nodes in a giant tour."""

KERNELS: Final = {"2-opt": "giant_two_opt", "3-opt": "giant_three_opt"}

SCAN_LANES, SCAN_GROUPS = 32, 16
"""Lanes per group of scans, and groups per multiprocessor, on a GPU."""

REACH: Final = 16
"""Numbers per node in ``Reach``."""

RECORDED: Final = {"2-opt": 32, "3-opt": 4}
"""Iterations recorded for one submission to a GPU; even, since two arrays alternate."""

CORE_PAIRS: Final = {"2-opt": 20_000_000, "3-opt": 20_000}
GPU_PAIRS: Final = {"2-opt": 10**10, "3-opt": 10**7}
"""Pairs of edges scanned per core, or by a GPU, between two polls of ``over``: at most about 50 ms."""


def move_count(edges: int, neighborhoods: tuple[str, ...]) -> int:
    """Return the number of moves in the neighbourhoods of a giant tour."""
    counts = {"2-opt": edges * (edges - 1) // 2, "3-opt": 4 * (edges * (edges - 1) * (edges - 2) // 6)}
    return sum(counts[name] for name in neighborhoods)


class GiantSearch:
    """A giant tour resident on a device, improved in its complete neighbourhoods.

    ``neighborhoods``: ``2-opt``, ``3-opt`` (the pure 3-opt moves), or both: complete 3-opt
    ``first``: apply the best move of the first part of a neighbourhood that has an improving one, instead of the best
        of all
    ``parts``: number of parts
    ``over``: ends the construction with :class:`Unfinished` once it returns True
    """

    def __init__(
        self, instance: GiantInstance, device: Device, neighborhoods: tuple[str, ...] = ("2-opt", "3-opt"),
        *, first: bool = False, parts: int = 8, over: Over | None = None,
    ) -> None:  # fmt: skip
        if instance.nodes > LARGEST:
            raise UnsupportedError(f"giant tours have up to {LARGEST} nodes here, not {instance.nodes}")
        self.device, self.neighborhoods = device, neighborhoods
        self.parts = parts if first else 1
        self.laid = LaidGiantTour(instance, device, over)
        wide = device.lanes > 1
        special, lanes, resident = self.laid.special, SCAN_LANES if wide else 1, SCAN_GROUPS if wide else 1
        self._scans: dict[str, Program] = {
            name: device.build(KERNELS[name], special, lanes=lanes, RESIDENT=resident) for name in neighborhoods
        }
        self._pick: Program = device.build("giant_pick", lanes=LANES if wide else 1)
        self._groups = resident * device.about().units
        count = self._groups * len(neighborhoods)
        self._gains, self._ranks = device.zeros(count, np.float64), device.zeros(count, np.int64)
        self._best = device.zeros(1, np.float64)
        self._reach = device.empty((instance.nodes, REACH), np.float32) if "3-opt" in neighborhoods else None
        self._recorded: dict[bool, Callable[[], None]] = {}
        pairs, most = self.laid.edges**2 // 2, GPU_PAIRS if wide else CORE_PAIRS
        at_once = {name: most[name] * (1 if wide else self._groups) * self.parts for name in neighborhoods}
        self._slices = {name: -(-pairs // at_once[name]) or 1 for name in neighborhoods}

    @property
    def move_count(self) -> int:
        """Number of moves in the neighbourhoods."""
        return move_count(self.laid.edges, self.neighborhoods)

    @property
    def batch(self) -> int:
        """Number of iterations submitted at once."""
        short = self.device.lanes > 1 and max(self._slices.values()) == 1
        return min(RECORDED[name] for name in self.neighborhoods) if short else 1

    @property
    def locally_optimal(self) -> bool:
        """Whether the last scan was complete and found no improving move."""
        return bool(self.device.fetch(self.laid.state)[OPTIMAL])

    def load(self, giant: Ints) -> None:
        """Copy a giant tour to the device; every resource must be feasible along it."""
        self.laid.load(giant)

    def tour(self) -> Ints:
        """Return the current giant tour."""
        return self.laid.tour()

    def steps(self, count: int, over: Over | None = None) -> int:
        """Find and apply up to ``count`` moves, or until ``over()`` or a local optimum; return the moves applied."""
        batch = self.batch
        before = made = int(self.device.fetch(self.laid.state)[MOVES_MADE])
        scans = 0
        while scans < count and not (over is not None and over()):
            if count - scans >= batch > 1:
                self._replay(batch)
                scans += batch
            else:
                try:
                    self.step(over)
                except Unfinished:
                    break
                scans += 1
            state = self.device.fetch(self.laid.state)
            made = int(state[MOVES_MADE])
            if state[OPTIMAL]:
                break
        return made - before

    def step(self, over: Over | None = None) -> None:
        """Find the best move and apply it; raises :class:`Unfinished` once ``over()``."""
        self.scan(over)
        self.laid.make()

    def best_move(self, giant: Ints) -> tuple[Move, float] | None:
        """Return the best improving move of ``giant`` and its exact delta; None proves that there is none."""
        self.load(giant)
        self.scan()
        found = self._found()
        return found and (found[0], -found[1])

    def scan(self, over: Over | None = None) -> None:
        """Find the best move, or that of the first part that has one, and keep it on the device."""
        for part in range(self.parts):
            for number, name in enumerate(self.neighborhoods):
                self._scan_between(name, part, part + 1, self.parts, number * self._groups, over)
            self._choose(final=part == self.parts - 1)

    def scan_rows(self, first: int, last: int, over: Over | None = None) -> tuple[Move, float] | None:
        """Return the best improving move whose first edge is one of ``first`` to ``last`` (exclusive), and its gain.

        Raises :class:`Unfinished` once ``over()``.
        """
        for number, name in enumerate(self.neighborhoods):
            self._scan_between(name, first, last, self.laid.edges, number * self._groups, over)
        self._choose(final=False)
        return self._found()

    def _found(self) -> tuple[Move, float] | None:
        x, y, z, p = self.device.fetch(self.laid.move).tolist()
        if p == NO_MOVE[3]:
            return None
        return ((x, y) if p < 0 else (x, y, z, p)), float(self.device.fetch(self._best)[0])

    def _choose(self, *, final: bool) -> None:
        """Keep the best move that was found; with none, the tour is locally optimal if the scan is ``final``."""
        self._pick.launch(
            "giant_pick", 1, np.int32(self.laid.edges), np.int32(self._groups * len(self.neighborhoods)),
            np.int32(final), self._gains, self._ranks, self.laid.state, self.laid.move, self._best,
        )  # fmt: skip

    def _scan_between(self, name: str, begin: int, end: int, parts: int, slot: int, over: Over | None) -> None:
        """Scan parts ``begin`` to ``end`` (exclusive) of a neighbourhood, slice by slice."""
        reach = () if name == "2-opt" else (self._reach,)
        slices = max(1, -(-self._slices[name] * self.parts * (end - begin) // parts))
        if reach:
            self._scans[name].launch("giant_reach", self._groups, *self.laid.reach_arguments, self._reach)
        for number in range(slices):
            go_on(over if slices > 1 else None)
            bounds = (begin * slices + k * (end - begin) for k in (number, number + 1))
            self._scans[name].launch(
                KERNELS[name], self._groups, *self.laid.arguments, *map(np.int32, bounds), np.int32(parts * slices),
                np.int32(number > 0), np.int32(slot), self._gains, self._ranks, *reach,
            )  # fmt: skip
            if slices > 1:
                self.device.synchronise()

    def _replay(self, count: int) -> None:
        """Submit ``count`` iterations at once."""

        def repeat() -> None:
            for _ in range(count):
                self.step()

        if self.laid.swapped not in self._recorded:
            self._recorded[self.laid.swapped] = self.device.record(repeat)
        self._recorded[self.laid.swapped]()
