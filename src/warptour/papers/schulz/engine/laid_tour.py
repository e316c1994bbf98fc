"""A giant tour resident on a device, with the tables that evaluate its moves (``giant_tour.h``)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from warptour.devices import Array, Device, Program
from warptour.devices.points import send_points
from warptour.kernels.groups import Over, go_on
from warptour.model.spread import extent
from warptour.papers.scans.tour_scan import FLOAT32_ERROR, LONGEST_ROUNDED
from warptour.papers.schulz.engine.instance import GiantInstance, Ints
from warptour.routes.engine.instance import cost_tolerance

NO_MOVE: Final = (0, 0, 0, -2)
"""What the kernels take for no move."""

OPTIMAL, MOVES_MADE, STATES = 3, 4, 6
"""Indices into the state on the device, and the number of its entries."""

LANES: Final = 1024
"""Lanes per group on a GPU, of kernels with few groups."""

EDGES: Final = 6
"""Edges that a move removes and adds."""

RUN_BYTES: Final = 32
"""Shared memory per node while tables are built."""

RESERVED: Final = 8192
"""Shared memory left to the collectives of a kernel, in bytes."""

BLOCK: Final = 1_000_000
"""Distances computed between two polls of ``over``: about 100 ms."""

HERE: Final = 7
"""Numbers per node and resource in ``Here``."""


class LaidGiantTour:
    """A giant tour on a device: the tour, its nodes and cuts, and the segments of its resources.

    ``over``: ends the construction with :class:`Unfinished` once it returns True
    ``special``: build of the kernels for the metric
    ``edges``: edges of a giant tour
    ``move``, ``state``: the move that :meth:`make` applies, and what the device knows of the tour
    ``arguments``: arguments of scans: ``TOUR_PARAMETERS`` and ``CUTS_PARAMETERS``
    ``reach_arguments``: arguments of ``giant_reach``
    """

    def __init__(self, instance: GiantInstance, device: Device, over: Over | None = None) -> None:
        self.instance, self.device = instance, device
        self.edges = instance.nodes - 1
        problem, points = instance.problem, instance.points
        longest = extent(problem) + problem.fixed_cost
        self.special = "any" if longest >= LONGEST_ROUNDED and points.special != "flat" else points.special
        self.move = device.send(np.array(NO_MOVE, np.int32))
        self.state = device.zeros(STATES, np.int32)
        self._build()
        self._front, self._behind = (device.empty(instance.nodes, np.int32) for _ in range(2))
        self._giant: list[Array] = [self._front, self._behind]

        nodes, levels, resources = instance.nodes, max(1, self.edges.bit_length()), len(instance.resources)
        at, place, cut = (device.empty(nodes, np.int32) for _ in range(3))
        length, rough = device.empty(nodes, np.float64), device.zeros((3, nodes), np.float32)
        prices, ends = device.zeros(3, np.float32), device.empty((2, nodes), np.int32)
        here = device.empty((resources, nodes, HERE), np.float64)
        tables = device.empty((2 * resources, levels, nodes, 3), np.float64)
        runs = None if self._local else device.empty((self._tasks, nodes, 4), np.float64)
        least = device.send(_least_distances(instance, over)) if self.special == "any" else None

        sent = send_points(device, points)
        edges, customers, vehicles = np.int32(self.edges), np.int32(instance.customers), np.int32(instance.vehicles)
        penalty = np.float64(problem.fixed_cost), np.float64(instance.weight)
        centre = np.median(problem.points, axis=0) if points.x.size else np.zeros(2)
        threshold = cost_tolerance(instance.problem).absolute
        giant = (*sent, customers, *_send_resources(instance, device), edges, np.int32(levels))
        self.arguments = (
            *giant, place, cut, length, ends, here, tables, *penalty, vehicles, np.float64(threshold),
            *_load(instance), self.state, rough, least, prices,
        )  # fmt: skip
        self.reach_arguments = customers, edges, place, self.state, rough, least, prices
        self._lay_arguments = (
            *sent, customers, edges, np.int32(instance.routes), vehicles, *penalty, np.float64(centre[0]),
            np.float64(centre[1]), np.float32(FLOAT32_ERROR * longest), _slack(instance, EDGES * longest),
            _slack(instance, EDGES * longest + 3 * instance.weight), np.float32(threshold),
        )  # fmt: skip
        self._laid = at, self.state, place, cut, length, rough, prices
        self._table_arguments = (*giant, self.state, place, length, runs, ends, here, tables)

    def _build(self) -> None:
        """Build the kernels. Tables are built in shared memory unless the tour is too long for it."""
        device, wide = self.device, self.device.lanes > 1
        bytes_needed = RUN_BYTES * self.instance.nodes
        fits = device.is_host or bytes_needed + RESERVED <= device.about().local_memory
        self._local = bytes_needed if fits else 0
        self._tasks = 4 * len(self.instance.resources) + 1
        self._groups = self._tasks if wide else min(device.about().units, self._tasks)
        lanes = LANES if wide else 1
        self._lay: Program = device.build("giant_lay", self.special, lanes=lanes)
        where = {} if fits else {"RUNS_IN_GLOBAL": 1}
        self._table: Program = device.build("giant_tables", self.special, lanes=lanes, **where)

    @property
    def swapped(self) -> bool:
        """Whether the two arrays of the tour are in their second order."""
        return self._giant[0] is not self._front

    def load(self, giant: Ints) -> None:
        """Copy a giant tour to the device; every resource must be feasible along it."""
        self.device.fill(self.state, np.zeros(STATES, np.int32))
        self.device.fill(self.move, np.array(NO_MOVE, np.int32))
        self.device.fill(self._behind, np.asarray(giant, np.int32))
        self._giant = [self._behind, self._front]
        self.make()

    def make(self) -> None:
        """Apply the move, if there is one, and build the tables of the tour."""
        old, new = self._giant
        self._lay.launch("giant_lay", 1, *self._lay_arguments, old, self.move, new, *self._laid)
        self._giant = [new, old]
        self._table.launch("giant_tables", self._groups, *self._table_arguments, local=self._local or 16)

    def tour(self) -> Ints:
        """Return the giant tour."""
        giant: Ints = self.device.fetch(self._giant[0])
        return giant


def _load(instance: GiantInstance) -> tuple[np.int32, np.float64]:
    """Return the number of the resource that is a load, whose order does not matter, and its capacity; -1 for none."""
    for number, one in enumerate(instance.resources):
        if one.travel == 0 and not one.leave.any() and not one.low.any() and (one.high == one.high[0]).all():
            return np.int32(number), np.float64(one.high[0])
    return np.int32(-1), np.float64(0)


def _slack(instance: GiantInstance, largest: float) -> np.float32:
    """Return the error of sums in float32 up to ``largest``; integers below 2^24 have none."""
    whole = cost_tolerance(instance.problem).relative == 0
    return np.float32(0 if whole and largest < 2**24 else FLOAT32_ERROR * largest)


def _send_resources(instance: GiantInstance, device: Device) -> tuple[Any, ...]:
    """Return the number of resources, and their data on the device."""
    resources = instance.resources
    travel = np.array([one.travel for one in resources], np.float64)
    visits = np.stack([np.stack((one.enter, one.leave, one.low, one.high), axis=-1) for one in resources])
    return np.int32(len(resources)), device.send(travel), device.send(np.ascontiguousarray(visits, np.float64))


def _least_distances(instance: GiantInstance, over: Over | None) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return lower bounds on all distances in float32."""
    problem = instance.problem
    nodes = np.arange(problem.n)
    least = np.empty((problem.n, problem.n), np.float32)
    rows = max(1, BLOCK // problem.n)
    for first in range(0, problem.n, rows):
        go_on(over)
        exact = np.asarray(problem.distances(nodes[first : first + rows, None], nodes[None, :]), np.float64)
        rough = exact.astype(np.float32)
        least[first : first + rows] = np.where(rough > exact, np.nextafter(rough, np.float32(-np.inf)), rough)
    least[0, 0] = 0
    return least
