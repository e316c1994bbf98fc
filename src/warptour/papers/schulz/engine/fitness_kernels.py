"""Launches of the kernels of the fitness structure (``kernels/papers/schulz/giant_hierarchy.c``, ``giant_fitness_*.c``,
``giant_reduce.c``) for the giant tour of one instance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from warptour.devices import Array, Device, Program
from warptour.devices.points import send_points
from warptour.devices.tuning import tuned
from warptour.neighborhoods.move import Ints
from warptour.papers.schulz.engine.fitness_filter import Filter
from warptour.papers.schulz.engine.fitness_split import Half
from warptour.papers.schulz.engine.hierarchy import Hierarchies
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.numbering import Part
from warptour.papers.schulz.engine.objectives import Objective
from warptour.papers.schulz.engine.version import UNFILTERED, Version
from warptour.routes.engine.instance import cost_tolerance

BLOCK: Final = 256
"""Threads per block of all kernels but those that evaluate."""

BLOCKS: Final = (32, 64, 96, 128, 160, 192, 224, 256)
"""Block sizes that are measured where a version has each kernel tuned."""

CROWD: Final = 8
"""Blocks per multiprocessor of the reduction."""

REPEATS: Final = 5
"""Launches that the time of a kernel is the mean of."""

ROUNDING: Final = 2.0**-52
"""Error of a float64 operation relative to its result, doubled."""


class FitnessKernels:
    """The giant tour of an instance on a device, its hierarchies, and the kernels of a version.

    ``move``: (4,): what :meth:`reduce` found: x, y, z and p, the last two -1 for 2-opt, all -1 if there is no improving
        move
    ``delta``: (1,)
    """

    def __init__(self, instance: GiantInstance, device: Device, version: Version) -> None:
        self.instance, self.device, self.version = instance, device, version
        self.last = instance.nodes - 1
        self.units = device.about().units
        self.hierarchies = Hierarchies(device, self.last, len(instance.resources), version)
        self.move, self.delta = device.empty(4, np.int32), device.empty(1, np.float64)
        self._tours = [device.empty(self.last + 1, np.int32) for _ in range(2)]
        self._programs: dict[tuple[str, int, int, int], Program] = {}
        self._blocks: dict[str, int] = {}
        self._giant = self._send_instance()
        self._groups = self.units * (1 if device.lanes == 1 else CROWD)
        self._gains, self._ranks = device.empty(self._groups, np.float64), device.empty(self._groups, np.int64)
        problem = instance.problem
        self._penalty = np.float64(problem.fixed_cost), np.float64(instance.weight), np.int32(instance.vehicles)
        self._bar = tuple(np.float64(number) for number in cost_tolerance(instance.problem))
        self._error = np.float64(0)

    def _send_instance(self) -> tuple[Any, ...]:
        """Return the arguments for ``GIANT_PARAMETERS``."""
        resources, send = self.instance.resources, self.device.send
        visits = np.zeros((len(resources), self.instance.customers + 1, 4))
        for number, one in enumerate(resources):
            visits[number] = np.stack((one.enter, one.leave, one.low, one.high), axis=1)
        numbers = np.int32(self.instance.customers), np.int32(len(resources))
        travel = np.array([one.travel for one in resources])
        return (*send_points(self.device, self.instance.points), *numbers, send(travel), send(visits))

    def load(self, giant: Ints) -> None:
        """Set the giant tour. The error of its neighbours' deltas grows with what they are differences of."""
        self.device.fill(self._tours[0], giant)
        instance, problem = self.instance, self.instance.problem
        if not problem.metric.integral or problem.fixed_cost % 1:
            routes = instance.routes * (instance.weight + problem.fixed_cost)
            largest = problem.length(instance.places(giant)) + routes
            self._error = np.float64((self.last + 64) * largest * ROUNDING)

    # ---- programs and arguments ----

    def _program(self, text: str, filter: int = UNFILTERED, block: int = BLOCK, only: int = 0) -> Program:
        """Return a text compiled for the version, on a CPU for all of them; ``only``: bits of a mixed kernel."""
        key = text, filter, block, only
        if key not in self._programs:
            alone = self.device.lanes == 1
            choices = {} if alone else self.version.choices(filter)
            if only and not self.device.is_host:
                choices["ONLY"] = only
            lanes = 1 if alone else block
            self._programs[key] = self.device.build(text, self.instance.points.special, lanes=lanes, **choices)
        return self._programs[key]

    def _threads(self, count: int, block: int = BLOCK) -> int:
        """Return the groups for ``count`` threads."""
        return self.units if self.device.lanes == 1 else max(1, -(-count // block))

    def launch(self, name: str, count: int, *arguments: Any) -> None:
        """Launch a kernel of ``giant_reduce.c`` with ``count`` threads."""
        self._program("giant_reduce").launch(name, self._threads(count), *arguments)

    def _segments(self, one: Objective, filter: int = UNFILTERED) -> tuple[Any, ...]:
        """Return the arguments for ``HIERARCHY_PARAMETERS``."""
        numbers = np.int32(self.version.options(filter)), np.int32(self.last)
        return (*self._giant, *numbers, self._tours[0], *self.hierarchies.arguments(one.resource, one.beside))

    @property
    def _reduction(self) -> tuple[Any, ...]:
        """Arguments for ``REDUCTION_PARAMETERS``."""
        numbers = np.int32(self.version.options()), np.int32(self.last)
        routes = self.hierarchies.counts, self.hierarchies.whole
        return (*self._giant, *numbers, self._tours[0], *self._penalty, *routes, self._error)

    # ---- kernels ----

    def build(self, one: Objective) -> None:
        """Build a hierarchy: a launch per level."""
        program = self._program("giant_hierarchy")
        for level in range(self.version.levels + 1):
            positions = int(self.hierarchies.plan.levels[level, 0])
            groups, segments = self._threads(positions), self._segments(one)
            program.launch(f"giant_build_{one.kernel}", groups, *segments, np.int32(level))

    def clear(self, slots: int, mask: Array | None, half: Half) -> None:
        """Set deltas to 0, and make all neighbours feasible, or those of a mask."""
        self.launch("giant_clear", slots, np.int64(slots), mask, *half)

    def evaluator(
        self, one: Objective, edges: int, filter: int = UNFILTERED, block: int | None = None
    ) -> tuple[Program, str]:
        """Return the program and the kernel that evaluate an objective; ``edges`` as in :meth:`evaluate`."""
        name = f"giant_{'two' if edges == 2 else 'three'}_opt_{one.kernel}"
        return self._program(one.text, filter, block or self.block_of(name), one.bits), name

    def block_of(self, name: str) -> int:
        """Return the threads per block of a kernel."""
        return self._blocks.get(name, self.version.block)

    def tune(self, one: Objective, edges: int, part: Part, table: Array | None, slots: range, half: Half) -> None:
        """Measure the block sizes of a kernel, once per device and size; this spoils the fitness structure."""
        name = f"giant_{'two' if edges == 2 else 'three'}_opt_{one.kernel}"
        if not slots or name in self._blocks:
            return

        def run(block: int) -> None:
            self.evaluate(one, edges, part, table, slots, half, None, block)

        sizes = [block for block in BLOCKS if block <= self.device.max_lanes]
        key = f"{name} {self.instance.points.special} {self.last} {self.version}"
        self._blocks[name] = tuned(self.device, key, sizes, run, tried=len(sizes))

    def evaluate(
        self,
        one: Objective,
        edges: int,
        part: Part,
        table: Array | None,
        slots: range,
        half: Half,
        filter: Filter | None,
        block: int | None = None,
    ) -> None:
        """Evaluate some slots of a part for one objective; ``edges``: 2 for 2-opt, 3 for pure 3-opt."""
        if not slots:
            return
        kind, listed, mask = (filter.kind, filter.list, filter.mask) if filter else (UNFILTERED, None, None)
        program, name = self.evaluator(one, edges, kind, block)
        program.launch(
            name, self._threads(len(slots), block or self.block_of(name)), *self._segments(one, kind), *self._penalty,
            *part.arguments, table, np.int64(slots.start), np.int64(slots.stop), listed, mask, *half,
        )  # fmt: skip

    def merge(self, part: Part, first: bool, half: Half, best: Half, ranks: Array, slots: int) -> None:
        """Keep the better neighbour of each slot in ``best``, with its rank."""
        numbers = np.int64(part.slots), np.int64(slots), np.int32(first)
        self.launch("giant_merge", slots, *self._reduction, *part.arguments, None, *numbers, *half, *best, ranks)

    def ranks(self, part: Part, slots: int, listed: Array | None) -> Array:
        """Return the ranks of the neighbours in the slots of a part."""
        ranks = self.device.empty(slots, np.int64)
        numbers = np.int32(self.version.options()), np.int32(self.last)
        self.launch("giant_ranks", slots, *numbers, *part.arguments, None, np.int64(slots), listed, ranks)
        return ranks

    def reduce(self, part: Part, slots: int, listed: Array | None, ranks: Array | None, half: Half) -> None:
        """Find the best feasible neighbour that improves the giant tour."""
        program, groups = self._program("giant_reduce"), min(self._groups, self._threads(slots))
        program.launch(
            "giant_reduce", groups, *self._reduction, *self._bar, *part.arguments, None, np.int64(slots), listed, ranks,
            *half, self._gains, self._ranks,
        )  # fmt: skip
        numbers = np.int32(self.last), np.int32(groups)
        program.launch("giant_found", 1, *numbers, self._gains, self._ranks, self.move, self.delta)

    def apply(self) -> None:
        """Write the giant tour after the move to the other of two arrays."""
        self.launch("giant_apply", self.last + 1, np.int32(self.last), self.move, *self._tours)

    def turn(self) -> None:
        """Go on with the other array."""
        self._tours.reverse()

    def tell(self, move: Array, delta: Array) -> None:
        """Copy the move and its delta."""
        self._program("giant_reduce").launch("giant_tell", 1, self.move, self.delta, move, delta)

    def seconds(self, work: Callable[[], None]) -> float:
        """Return the device time of a launch."""

        def repeated() -> None:
            for _ in range(REPEATS):
                work()

        work()
        again = self.device.record(repeated)
        with self.device.timed() as elapsed:
            again()
        return elapsed.seconds / REPEATS
