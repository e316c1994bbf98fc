"""The program of Schulz (2011): all neighbours of a giant tour into a fitness structure, then the best of them.

Every neighbour has a thread in each of the kernels that evaluate an objective or constraint. The *fitness structure*
holds its delta and its feasibility. A reduction finds the best feasible neighbour; the move is applied on the device and
told to the host.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Array, Device, Program
from warptour.engines.device_points import send_points
from warptour.engines.giant.fitness_filter import Filter
from warptour.engines.giant.fitness_split import Storage
from warptour.engines.giant.hierarchy import Hierarchies
from warptour.engines.giant.instance import GiantInstance
from warptour.engines.giant.numbering import Ints, Longs, Move, Part, moved, neighbours
from warptour.engines.giant.objectives import Objective, evaluated, separate
from warptour.engines.giant.version import UNFILTERED, Version
from warptour.neighborhoods.tolerance import tolerance

BLOCK: Final = 256
"""Threads per block of all kernels but those that evaluate."""

CROWD: Final = 8
"""Blocks per multiprocessor of the reduction."""

REPEATS: Final = 5
"""Launches that the time of a kernel is the mean of."""


class FitnessEngine:
    """The neighbourhood of one giant tour, evaluated as a version of the paper's program does.

    Parameters
    ----------
    instance : GiantInstance
    device : Device
    version : Version
    neighborhood : {2, 3}
        2-opt, or complete 3-opt: 2-opt and pure 3-opt.
    memory : int, optional
        Bytes for the fitness structure and the table of triples; by default what the device has. Larger neighbourhoods
        are split.
    parts : int
        Number of parts at least.
    first : bool
        Take the best neighbour of the first part that has an improving one.

    Attributes
    ----------
    pairs, triples : int
        Numbers of 2-opt neighbours and of triples of edges, each of which has four pure 3-opt neighbours.
    locally_optimal : bool
        Whether the last search for a move found no improving one.
    """

    def __init__(
        self,
        instance: GiantInstance,
        device: Device,
        version: Version,
        neighborhood: int,
        *,
        memory: int | None = None,
        parts: int = 1,
        first: bool = False,
    ) -> None:
        self.instance, self.device, self.version = instance, device, version
        self.first = first
        self.locally_optimal = False
        self.last = instance.nodes - 1
        self.pairs, self.triples = neighbours(self.last, neighborhood)
        self._about = device.about()
        self._programs: dict[tuple[str, int], Program] = {}
        self._giant = self._send_instance()
        self.hierarchies = Hierarchies(device, self.last, len(instance.resources), version)
        self._separate, self._evaluated = separate(instance), evaluated(instance, version)
        self._tours = [device.empty(self.last + 1, np.int32) for _ in range(2)]
        self._host = np.zeros(0, np.int32)
        self._built = False
        self._move, self._delta = device.empty(4, np.int32), device.empty(1, np.float64)
        self._told = device.mapped(4, np.int32), device.mapped(1, np.float64)
        self._groups = self._about.units * (1 if device.lanes == 1 else CROWD)
        self._gains, self._ranks = device.empty(self._groups, np.float64), device.empty(self._groups, np.int64)
        self._filter: Filter | None = None
        room = memory if memory is not None else self._room(instance)
        self.storage = Storage(device, self.last, self.pairs, self.triples, version, room, parts)
        self._error = np.float64(0)

    def _room(self, instance: GiantInstance) -> int:
        return int(0.75 * self._about.memory) - Hierarchies.bytes_of(self.last, len(instance.resources), self.version)

    def _send_instance(self) -> tuple[Any, ...]:
        """Return the arguments for ``GIANT_PARAMETERS``."""
        resources, send = self.instance.resources, self.device.send
        visits = np.zeros((len(resources), self.instance.customers + 1, 4))
        for number, one in enumerate(resources):
            visits[number] = np.stack((one.enter, one.leave, one.low, one.high), axis=1)
        numbers = np.int32(self.instance.customers), np.int32(len(resources))
        travel = np.array([one.travel for one in resources])
        return (*send_points(self.device, self.instance.points), *numbers, send(travel), send(visits))

    # ---- kernels ----

    def _program(self, text: str, filter: int = UNFILTERED) -> Program:
        """Return a text compiled for the version, on a CPU for all of them."""
        if (text, filter) not in self._programs:
            special = self.instance.points.special
            if self.device.lanes == 1:
                program = self.device.build(text, special)
            else:
                lanes = self.version.block if "fitness" in text else BLOCK
                program = self.device.build(text, special, lanes=lanes, **self.version.choices(filter))
            self._programs[text, filter] = program
        return self._programs[text, filter]

    def _threads(self, count: int, block: int = BLOCK) -> int:
        """Return the groups for ``count`` threads."""
        return self._about.units if self.device.lanes == 1 else max(1, -(-count // block))

    def _launch(self, name: str, count: int, *arguments: Any) -> None:
        self._program("giant_reduce").launch(name, self._threads(count), *arguments)

    def _segments(self, resource: int | None) -> tuple[Any, ...]:
        """Return the arguments for ``HIERARCHY_PARAMETERS``."""
        options = np.int32(self.version.options(self._filter.kind if self._filter else UNFILTERED))
        return (*self._giant, options, np.int32(self.last), self._tours[0], *self.hierarchies.arguments(resource))

    @property
    def _penalty(self) -> tuple[Any, ...]:
        instance = self.instance
        return np.float64(instance.problem.fixed_cost), np.float64(instance.weight), np.int32(instance.vehicles)

    @property
    def _reduction(self) -> tuple[Any, ...]:
        """Arguments for ``REDUCTION_PARAMETERS``."""
        options = np.int32(self.version.options())
        tour = np.int32(self.last), self._tours[0]
        return (*self._giant, options, *tour, *self._penalty, self.hierarchies.counts, self.hierarchies.whole, self._error)

    # ---- one iteration ----

    def load(self, giant: Ints) -> None:
        """Set the giant tour."""
        self._host = np.array(giant, np.int32)
        self.device.fill(self._tours[0], self._host)
        self._built = self.locally_optimal = False
        problem = self.instance.problem
        if not problem.metric.integral:
            routes = self.instance.routes
            largest = problem.length(self.instance.places(self._host)) + routes * (self.instance.weight + problem.fixed_cost)
            self._error = np.float64((self.last + 64) * largest * 2.0**-52)

    def tour(self) -> Ints:
        """Return the giant tour, as the host has it."""
        return self._host.copy()

    def build(self) -> None:
        """Build the hierarchies: a launch per level, objective and constraint."""
        for one in self._separate:
            self._build(one)
        self._built = True

    def _build(self, one: Objective) -> None:
        for level in range(self.version.levels + 1):
            positions = int(self.hierarchies.plan.levels[level, 0])
            program, name = self._program("giant_hierarchy"), f"giant_build_{one.kernel}"
            program.launch(name, self._threads(positions), *self._segments(one.resource), np.int32(level))

    def evaluate(self) -> None:
        """Evaluate all neighbours into the fitness structure, part by part if it is split."""
        if not self._built:
            self.build()
        for number, part in enumerate(self.storage.parts):
            self.storage.look_ahead(number)
            half = self.storage.half(number)
            self._evaluate_part(part, half)
            if self.storage.split:
                self._merge(part, number, half)

    def _evaluate_part(self, part: Part, half: tuple[Array, Array]) -> None:
        pairs, slots = (self._filter.prepare() if self._filter else (part.pairs, part.slots))
        mask = self._filter.mask if self._filter and not self._filter.listed else None
        self._launch("giant_clear", slots, np.int64(slots), mask, *half)
        for one in self._evaluated:
            self._neighbours(one, "two", part, (0, pairs), half)
        for one in self._evaluated if slots > pairs else ():
            self._neighbours(one, "three", part, (pairs, slots), half)

    def _neighbours(
        self, one: Objective, edges: str, part: Part, slots: tuple[int, int], half: tuple[Array, Array]
    ) -> None:
        """Launch one of the kernels that evaluate."""
        begin, end = slots
        if begin == end:
            return
        filter = self._filter
        text = self._program(f"giant_fitness_{one.kernel}", filter.kind if filter else UNFILTERED)
        listed, mask = (filter.list, filter.mask) if filter else (None, None)
        text.launch(
            f"giant_{edges}_opt_{one.kernel}", self._threads(end - begin, self.version.block),
            *self._segments(one.resource), *self._penalty, *part.arguments, self.storage.table,
            np.int64(begin), np.int64(end), listed, mask, *half,
        )  # fmt: skip

    def _merge(self, part: Part, number: int, half: tuple[Array, Array]) -> None:
        storage = self.storage
        self._launch(
            "giant_merge", storage.slots, *self._reduction, *part.arguments, None, np.int64(part.slots),
            np.int64(storage.slots), np.int32(number == 0), *half, *storage.half(0), storage.ranks,
        )  # fmt: skip

    def reduce(self) -> None:
        """Find the best feasible neighbour of the fitness structure that improves the giant tour."""
        storage = self.storage
        self._reduce(storage.parts[0], storage.ranks if storage.split else None, storage.slots)

    def _reduce(self, part: Part, ranks: Array | None, slots: int) -> None:
        listed = None
        if self._filter:
            slots, listed = self._filter.slots, self._filter.list
        bar = tolerance(self.instance.problem)
        program = self._program("giant_reduce")
        groups = min(self._groups, self._threads(slots))
        program.launch(
            "giant_reduce", groups, *self._reduction, np.float64(bar.absolute), np.float64(bar.relative),
            *part.arguments, None, np.int64(slots), listed, ranks, *self.storage.half(0), self._gains, self._ranks,
        )  # fmt: skip
        program.launch(
            "giant_found", 1, np.int32(self.last), np.int32(groups), self._gains, self._ranks, self._move, self._delta
        )

    def apply(self) -> None:
        """Apply the move to the giant tour of the device; without a move it stays."""
        self._launch("giant_apply", self.last + 1, np.int32(self.last), self._move, *self._tours)
        self._tours.reverse()
        self._built = False

    def _search(self) -> None:
        """Evaluate and reduce; if the first improving part suffices, no further than that."""
        if not self.first:
            self.evaluate()
            self.reduce()
            return
        if not self._built:
            self.build()
        for number, part in enumerate(self.storage.parts):
            self.storage.look_ahead(number)
            self._evaluate_part(part, self.storage.half(0))
            self._reduce(part, None, part.slots)
            if self.device.fetch(self._move)[0] >= 0:
                return

    def step(self) -> tuple[Move, float] | None:
        """Make one iteration: apply the best move on the device and the host, and return it with its delta.

        None if no neighbour improves the giant tour. Overlapped, the host schedules the next hierarchies while it waits
        for the move.
        """
        self._search()
        self.apply()
        if not self.version.overlapped:
            return self._take(self.device.fetch(self._move), self.device.fetch(self._delta))
        move, delta = self._told
        self._program("giant_reduce").launch("giant_tell", 1, self._move, self._delta, move.array, delta.array)
        arrived = self.device.mark()
        self.build()
        arrived()
        return self._take(move.read(), delta.read())

    def _take(self, move: NDArray[np.int32], delta: NDArray[np.float64]) -> tuple[Move, float] | None:
        found = _move(move)
        self.locally_optimal = found is None
        if found is None:
            return None
        self._host = moved(self._host, found)
        return found, float(delta[0])

    def steps(self, count: int) -> int:
        """Make up to ``count`` iterations; return how many found a move."""
        for number in range(count):
            if self.step() is None:
                return number
        return count

    def best_move(self, giant: Ints) -> tuple[Move, float] | None:
        """Return the best move from ``giant`` and its delta; None proves that there is none."""
        self.load(giant)
        self._search()
        found = _move(self.device.fetch(self._move))
        self.locally_optimal = found is None
        return None if found is None else (found, float(self.device.fetch(self._delta)[0]))

    # ---- the fitness structure ----

    def filtered(self, share: float, how: str, seed: int = 0) -> None:
        """Leave out a random ``share`` of the neighbours.

        Parameters
        ----------
        share : float
            Share of the neighbours that are not evaluated.
        how : {"mask", "list", "compaction"}
            Each thread checks the mask; or there are only threads for the neighbours of a list, which is given, or made
            of the mask in each iteration.
        seed : int
            Of the random numbers.
        """
        if self.storage.split:
            raise ValueError("a neighbourhood that is split cannot be filtered")
        self._filter = Filter(self.device, self._launch, self.pairs, self.storage.slots, share, how, seed)

    def fitness(self, keep: int | None = None) -> tuple[NDArray[np.float64], NDArray[np.bool_], Longs]:
        """Evaluate, and return deltas, feasibility and ranks of all neighbours, or of as many as fit.

        Of a split neighbourhood the best feasible neighbour is among them; ``keep``: return at most so many.
        """
        whole = self.storage
        if keep is not None and keep < whole.slots:
            self.storage = whole.smaller(keep)
        try:
            self.evaluate()
            slots = self._filter.slots if self._filter else self.storage.slots
            ranks = self.storage.ranks
            if not self.storage.split:
                ranks = self.device.empty(slots, np.int64)
                listed = self._filter.list if self._filter else None
                self._launch(
                    "giant_ranks", slots, np.int32(self.version.options()), np.int32(self.last),
                    *self.storage.parts[0].arguments, None, np.int64(slots), listed, ranks,
                )  # fmt: skip
            arrays = (*self.storage.half(0), ranks)
            deltas, feasible, found = (self.device.fetch(array)[:slots] for array in arrays)
        finally:
            self.storage = whole
        real = found >= 0
        return deltas[real], feasible[real].astype(bool), found[real]

    def kernel_seconds(self) -> dict[str, float]:
        """Return the device time of each kernel in seconds; of evaluations, on the first part."""
        self.best_move(self._host)
        part, half, storage = self.storage.parts[0], self.storage.half(0), self.storage
        pairs, slots = (self._filter.prepare() if self._filter else (part.pairs, part.slots))
        works: dict[str, Callable[[], None]] = {
            "clear": lambda: self._launch("giant_clear", slots, np.int64(slots), None, *half)
        }
        for one in self._separate:
            works[f"hierarchy {one.name}"] = lambda one=one: self._build(one)  # type: ignore[misc]
        for name, edges, range_ in (("2-opt", "two", (0, pairs)), ("3-opt", "three", (pairs, slots))):
            for one in self._evaluated if range_[1] > range_[0] else ():
                works[f"{name} {one.name}"] = lambda one=one, edges=edges, range_=range_: (  # type: ignore[misc]
                    self._neighbours(one, edges, part, range_, half)
                )
        works["reduce"] = lambda: self._reduce(part, None, slots)
        works["apply"] = lambda: self._launch(
            "giant_apply", self.last + 1, np.int32(self.last), self._move, *self._tours
        )
        storage.look_ahead(0)
        return {name: self._seconds(work) for name, work in works.items()}

    def _seconds(self, work: Callable[[], None]) -> float:
        def repeated() -> None:
            for _ in range(REPEATS):
                work()

        work()
        again = self.device.record(repeated)
        with self.device.timed() as elapsed:
            again()
        return elapsed.seconds / REPEATS


def _move(found: NDArray[np.int32]) -> Move | None:
    x, y, z, p = (int(number) for number in found)
    return None if x < 0 else (x, y) if p < 0 else (x, y, z, p)
