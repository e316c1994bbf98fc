"""Descent in the complete 2-opt and 3-opt neighbourhoods of a giant tour, cost first.

A move matters only if it gains more than the best feasible one so far, so its gain is bounded in float32 first; the few
moves whose bound is high enough are evaluated exactly, and their resources checked in constant time
(``kernels/giant_tour.h``). All of an iteration happens on the device: the scans, the choice of the best move, its
application and the tables of the new tour.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from warptour.devices import Array, Device, Program
from warptour.engines.device_points import send_points
from warptour.engines.giant.instance import GiantInstance, Ints
from warptour.engines.scans.tour_scan import FLOAT32_ERROR, LONGEST_ROUNDED
from warptour.kernels.groups import Over
from warptour.model.errors import UnsupportedError
from warptour.model.spread import extent
from warptour.neighborhoods.move import Move
from warptour.neighborhoods.tolerance import tolerance

LARGEST: Final = 20_000
"""Maximum number of nodes in a giant tour."""

TWO_OPT, NO_MOVE = -1, -2
OPTIMAL, MOVES_MADE = 3, 4
"""Indices into the state on the device: see ``kernels/giant_tour.h``."""

STATE: Final = 6

FREE: Final = 8192
"""Shared memory left to the collectives and constant arrays of a kernel, in bytes."""

RUN_BYTES: Final = 32
"""Shared memory per node while tables are built."""

ONE_GROUP, SCAN_LANES = 1024, 32
"""Lanes per group on a GPU: of kernels with few groups, and of scans."""

SCAN_GROUPS: Final = 16
"""Groups per multiprocessor of scans on a GPU."""

HERE: Final = 7
"""Numbers per node and resource in ``Here``."""

RECORDED: Final = {"2-opt": 32, "3-opt": 4}
"""Iterations recorded for one submission to a GPU; even, since two arrays alternate."""


class GiantSearch:
    """A giant tour resident on a device, and its complete neighbourhoods.

    Parameters
    ----------
    instance : GiantInstance
    device : Device
    neighborhoods : tuple of str
        ``2-opt``, ``3-opt`` (the pure 3-opt moves), or both: complete 3-opt.
    first : bool
        Apply the best move of the first part of a neighbourhood that has an improving one, instead of the best of all.
    parts : int
        Number of parts.
    """

    def __init__(
        self, instance: GiantInstance, device: Device, neighborhoods: tuple[str, ...] = ("2-opt", "3-opt"),
        *, first: bool = False, parts: int = 8,
    ) -> None:  # fmt: skip
        if instance.nodes > LARGEST:
            raise UnsupportedError(f"giant tours have up to {LARGEST} nodes here, not {instance.nodes}")
        self.instance, self.device = instance, device
        self.neighborhoods = neighborhoods
        self.parts = parts if first else 1
        self.edges = instance.nodes - 1
        self.levels = max(1, int(self.edges).bit_length())
        self._recorded: dict[bool, Callable[[], None]] = {}
        self._allocate()
        self._build()

    def _allocate(self) -> None:
        device, nodes = self.device, self.instance.nodes
        resources = self.instance.resources
        count = len(resources)
        visits = np.stack([np.stack((one.enter, one.leave, one.low, one.high), axis=-1) for one in resources])
        self._giant: list[Array] = [device.empty(nodes, np.int32) for _ in range(2)]
        self._front = self._giant[0]
        self._at, self._place, self._cut = (device.empty(nodes, np.int32) for _ in range(3))
        self._length = device.empty(nodes, np.float64)
        self._rough = device.zeros((3, nodes), np.float32)
        self._prices = device.zeros(2, np.float32)
        run = RUN_BYTES * nodes
        self._run_bytes = run if run + FREE <= device.about().local_memory or device.lanes == 1 else 0
        self._runs = None if self._run_bytes else device.empty((4 * count + 1, nodes, 4), np.float64)
        self._bounds = device.empty((2, nodes), np.int32)
        self._here = device.empty((count, nodes, HERE), np.float64)
        self._tables = device.empty((2 * count, self.levels, nodes, 3), np.float64)
        self._travel = device.send(np.array([one.travel for one in resources]))
        self._visits = device.send(np.ascontiguousarray(visits, np.float64))
        self._state = device.zeros(STATE, np.int32)
        self._move = device.send(np.array([0, 0, 0, NO_MOVE], np.int32))
        self._best = device.zeros(1, np.float64)

    def _build(self) -> None:
        device, instance, problem = self.device, self.instance, self.instance.problem
        points = instance.points
        long = extent(problem) + problem.fixed_cost
        special = "any" if long >= LONGEST_ROUNDED and points.special != "flat" else points.special
        wide = device.lanes > 1
        units = device.about().units

        def build(name: str, lanes: int, **defines: int) -> Program:
            return device.build(name, special, lanes=lanes if wide else 1, **defines if wide else {})

        self._lay = build("giant_lay", ONE_GROUP)
        self._table = build("giant_tables", ONE_GROUP, **{} if self._run_bytes else {"RUNS_IN_GLOBAL": 1})
        self._scans = {
            "2-opt": build("giant_two_opt", SCAN_LANES, RESIDENT=SCAN_GROUPS),
            "3-opt": build("giant_three_opt", SCAN_LANES, RESIDENT=SCAN_GROUPS),
        }
        self._picked = device.build("giant_pick", lanes=ONE_GROUP if wide else 1)
        self._groups = SCAN_GROUPS * units if wide else units
        tasks = 4 * len(instance.resources) + 1
        self._table_groups = tasks if wide else min(units, tasks)
        self._gains, self._ranks = (device.zeros(2 * self._groups, kind) for kind in (np.float64, np.int64))

        sent = send_points(device, points)
        self._least = device.send(_least_distances(instance)) if special == "any" else None
        centre = np.median(problem.points, axis=0) if points.x.size else np.zeros(2)
        absolute = 0.0 if _fractional(instance) else tolerance(problem).absolute
        penalty = (np.float64(problem.fixed_cost), np.float64(instance.weight))
        edges, customers = np.int32(self.edges), np.int32(instance.customers)
        giant = (*sent, customers, np.int32(len(instance.resources)), self._travel, self._visits)
        self._lay_arguments = (
            *sent, customers, edges, np.int32(instance.routes), np.int32(instance.vehicles), *penalty,
            np.float64(centre[0]), np.float64(centre[1]), np.float32(FLOAT32_ERROR * long), np.float32(absolute),
        )  # fmt: skip
        self._table_arguments = (
            *giant, edges, np.int32(self.levels), self._state, self._place, self._length, self._runs, self._bounds,
            self._here, self._tables,
        )  # fmt: skip
        self._scan_arguments = (
            *giant, edges, np.int32(self.levels), self._place, self._cut, self._length, self._bounds, self._here,
            self._tables, *penalty, np.int32(instance.vehicles), np.float64(absolute), self._state, self._rough,
            self._least, self._prices,
        )  # fmt: skip

    @property
    def move_count(self) -> int:
        """Number of moves in the neighbourhoods."""
        n = self.edges
        counts = {"2-opt": n * (n - 1) // 2, "3-opt": 4 * (n * (n - 1) * (n - 2) // 6)}
        return sum(counts[name] for name in self.neighborhoods)

    @property
    def locally_optimal(self) -> bool:
        """Whether the last scan was complete and found no improving move."""
        return bool(self.device.fetch(self._state)[OPTIMAL])

    def load(self, giant: Ints) -> None:
        """Copy a giant tour to the device; every resource must be feasible along it."""
        self.device.fill(self._state, np.zeros(STATE, np.int32))
        self.device.fill(self._move, np.array([0, 0, 0, NO_MOVE], np.int32))
        self.device.fill(self._giant[0], np.asarray(giant, np.int32))
        self._make()

    def steps(self, count: int, over: Over | None = None) -> int:
        """Find and apply up to ``count`` moves, or until ``over()`` or a local optimum; return the moves applied."""
        batch = min(RECORDED[name] for name in self.neighborhoods) if self.device.lanes > 1 else 1
        before = done = int(self.device.fetch(self._state)[MOVES_MADE])
        asked = 0
        while asked < count and not (over is not None and over()):
            if count - asked >= batch > 1:
                self._replay(batch)
                asked += batch
            else:
                self._step()
                asked += 1
            state = self.device.fetch(self._state)
            done = int(state[MOVES_MADE])
            if state[OPTIMAL]:
                break
        return done - before

    def tour(self) -> Ints:
        """Return the current giant tour."""
        giant: Ints = self.device.fetch(self._giant[0])
        return giant

    def best_move(self, giant: Ints) -> tuple[Move, float] | None:
        """Return the best improving move of ``giant`` and its exact delta; None proves that there is none."""
        self.load(giant)
        self._scan()
        x, y, z, p = self.device.fetch(self._move).tolist()
        if p == NO_MOVE:
            return None
        return ((x, y) if p == TWO_OPT else (x, y, z, p)), -float(self.device.fetch(self._best)[0])

    def _replay(self, count: int) -> None:
        swapped = self._giant[0] is not self._front
        if swapped not in self._recorded:
            self._recorded[swapped] = self.device.record(lambda: self._repeat(count))
        self._recorded[swapped]()

    def _repeat(self, count: int) -> None:
        for _ in range(count):
            self._step()

    def _step(self) -> None:
        self._scan()
        self._make()

    def _scan(self) -> None:
        """Find the best move, part by part if need be, and keep it on the device."""
        for part in range(self.parts):
            first = 0
            for name in self.neighborhoods:
                self._scans[name].launch(
                    f"giant_{name.replace('2-', 'two_').replace('3-', 'three_')}", self._groups,
                    *self._scan_arguments, np.int32(part), np.int32(self.parts), np.int32(first), self._gains,
                    self._ranks,
                )  # fmt: skip
                first += self._groups
            self._picked.launch(
                "giant_pick", 1, np.int32(self.edges), np.int32(first), np.int32(part == self.parts - 1),
                self._gains, self._ranks, self._state, self._move, self._best,
            )  # fmt: skip

    def _make(self) -> None:
        """Apply the picked move, if there is one, and build the tables of the tour."""
        old, new = self._giant
        self._lay.launch(
            "giant_lay", 1, *self._lay_arguments, old, self._move, new, self._at, self._state, self._place, self._cut,
            self._length, self._rough, self._prices,
        )  # fmt: skip
        self._giant = [new, old]
        self._table.launch("giant_tables", self._table_groups, *self._table_arguments, local=self._run_bytes or 16)


def _fractional(instance: GiantInstance) -> bool:
    """Return whether fixed costs make gains fractions where distances are integers."""
    return not float(instance.problem.fixed_cost).is_integer()


def _least_distances(instance: GiantInstance) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return lower bounds on all distances in float32."""
    problem = instance.problem
    nodes = np.arange(problem.n)
    exact = np.array(problem.distances(nodes[:, None], nodes[None, :]), np.float64)
    exact[0, 0] = 0.0
    rough = exact.astype(np.float32)
    return np.where(rough > exact, np.nextafter(rough, np.float32(-np.inf)), rough).astype(np.float32)
