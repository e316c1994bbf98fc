"""The program of Schulz (2011): all neighbours of a giant tour into a fitness structure, then the best of them.

Every neighbour has a thread in each of the kernels that evaluate an objective or constraint. The *fitness structure*
holds its delta and its feasibility. A reduction finds the best feasible neighbour; its move is applied on the device
and told to the host.

The paper's penalty is the number of routes as soon as there are more than vehicles; here it is the number beyond the
vehicles. With a weight that exceeds all that a move can gain in length, both order the moves alike.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.neighborhoods.move import Ints, Move
from warptour.papers.schulz.engine.fitness_filter import Filter
from warptour.papers.schulz.engine.fitness_kernels import FitnessKernels
from warptour.papers.schulz.engine.fitness_split import Half, Storage
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.moves import apply
from warptour.papers.schulz.engine.numbering import Longs, Part, neighbours
from warptour.papers.schulz.engine.objectives import evaluated, separate
from warptour.papers.schulz.engine.version import Version

ROOM: Final = 0.75
"""Share of a device's memory for the hierarchies and the fitness structure."""


TUNED_SLOTS: Final = 1 << 26
"""Maximum neighbours of a launch that is measured to choose a block size."""


class FitnessEngine:
    """The neighbourhood of one giant tour, evaluated as a version of the paper's program does.

    ``memory``: Bytes for the fitness structure and the table of triples; by default what the device has. Larger
        neighbourhoods are split.
    ``pairs``, ``triples``: numbers of 2-opt neighbours and of triples of edges, each of which has four pure 3-opt
        neighbours
    ``locally_optimal``: whether the last search for a move found no improving one
    """

    def __init__(
        self,
        instance: GiantInstance,
        device: Device,
        version: Version,
        neighborhood: int,  # {2, 3}: 2-opt, or complete 3-opt: 2-opt and pure 3-opt
        *,
        memory: int | None = None,
        parts: int = 1,  # minimum number of parts
    ) -> None:
        self.instance, self.device, self.version = instance, device, version
        self.locally_optimal = False
        last = instance.nodes - 1
        self.pairs, self.triples = neighbours(last, neighborhood)
        self._kernels = FitnessKernels(instance, device, version)
        self._separate, self._evaluated = separate(instance), evaluated(instance, version)
        if memory is None:
            memory = int(ROOM * device.about().memory) - self._kernels.hierarchies.bytes
        self._storage = Storage(device, last, self.pairs, self.triples, version, memory, parts)
        self._filter: Filter | None = None
        self._told = device.mapped(4, np.int32), device.mapped(1, np.float64)
        self._giant = np.zeros(0, np.int32)
        self._built = False

    def load(self, giant: Ints) -> None:
        """Set the giant tour."""
        self._giant = np.array(giant, np.int32)
        self._kernels.load(self._giant)
        self._built = self.locally_optimal = False

    def tour(self) -> Ints:
        """Return the giant tour, as the host has it."""
        return self._giant.copy()

    # ---- one iteration ----

    def build(self) -> None:
        """Build the hierarchies: a launch per level, objective and constraint."""
        for one in self._separate:
            self._kernels.build(one)
        self._built = True

    def evaluate(self) -> None:
        """Evaluate all neighbours into the fitness structure; of a split one, keep the best of each slot."""
        if not self._built:
            self.build()
        storage = self._storage
        for number, part in enumerate(storage.parts):
            storage.look_ahead(number)
            self._evaluate(part, storage.half(number))
            if storage.split:
                best = storage.half(0)
                self._kernels.merge(part, number == 0, storage.half(number), best, storage.ranks, storage.slots)

    def _slots(self, part: Part) -> tuple[range, range]:
        """Return the slots of a part's 2-opt and pure 3-opt neighbours."""
        pairs, slots = self._filter.prepare() if self._filter else (part.pairs, part.slots)
        return range(pairs), range(pairs, slots)

    def _tune(self, part: Part, half: Half) -> None:
        """Choose the block size of each kernel, where the version has that and the device a choice."""
        if not self.version.tuned or self.device.lanes == 1 or self._filter:
            return
        pairs, triples = self._slots(part)
        for edges, slots in ((2, pairs), (3, triples)):
            for one in self._evaluated:
                self._kernels.tune(one, edges, part, self._storage.table, slots[:TUNED_SLOTS], half)

    def block_of(self, kernel: str) -> int:
        """Return the threads per block of an evaluation kernel."""
        return self._kernels.block_of(kernel)

    def _evaluate(self, part: Part, half: Half) -> None:
        self._tune(part, half)
        pairs, triples = self._slots(part)
        mask = self._filter.mask if self._filter and not self._filter.listed else None
        self._kernels.clear(triples.stop, mask, half)
        for edges, slots in ((2, pairs), (3, triples)):
            for one in self._evaluated:
                self._kernels.evaluate(one, edges, part, self._storage.table, slots, half, self._filter)

    def reduce(self) -> None:
        """Find the best feasible neighbour of the fitness structure that improves the giant tour."""
        self._reduce(self._storage.parts[0], self._storage.slots)

    def _reduce(self, part: Part, slots: int, *, merged: bool = True) -> None:
        listed = self._filter.list if self._filter else None
        slots = self._filter.slots if self._filter else slots
        self._kernels.reduce(part, slots, listed, self._storage.ranks if merged else None, self._storage.half(0))

    def apply(self) -> None:
        """Apply the move to the giant tour of the device; without a move it stays."""
        self._kernels.apply()
        self._kernels.turn()
        self._built = False

    def _search(self) -> None:
        """Evaluate and reduce."""
        self.evaluate()
        self.reduce()

    def step(self) -> tuple[Move, float] | None:
        """Make one iteration: apply the best move on the device and the host, and return it with its delta.

        None if no neighbour improves the giant tour. Overlapped, the host schedules the next hierarchies while it waits
        for the move.
        """
        self._search()
        self.apply()
        if not self.version.overlapped:
            return self._take(self._fetch())
        move, delta = self._told
        self._kernels.tell(move.array, delta.array)
        arrived = self.device.mark()
        self.build()
        arrived()
        return self._take(_found(move.read(), delta.read()))

    def _fetch(self) -> tuple[Move, float] | None:
        return _found(self.device.fetch(self._kernels.move), self.device.fetch(self._kernels.delta))

    def _take(self, found: tuple[Move, float] | None) -> tuple[Move, float] | None:
        """Apply the move on the host."""
        self.locally_optimal = found is None
        if found is not None:
            self._giant = apply(self._giant, found[0])
        return found

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
        found = self._fetch()
        self.locally_optimal = found is None
        return found

    # ---- the fitness structure ----

    def filtered(self, share: float, how: str, seed: int = 0) -> None:
        """Leave out a random ``share`` of the neighbours.

        ``share``: share of the neighbours that are not evaluated
        ``how``: "mask" or "list" or "compaction": each thread checks the mask; or there are only threads for the
            neighbours of a list, which is given, or made of the mask in each iteration
        ``seed``: of the random numbers
        """
        if self._storage.split:
            raise ValueError("a neighbourhood that is split cannot be filtered")
        self._filter = Filter(self.device, self._kernels.launch, self.pairs, self._storage.slots, share, how, seed)

    def fitness(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], Longs]:
        """Evaluate, and return deltas, feasibility and ranks of all neighbours that are kept.

        Of a split neighbourhood the best feasible neighbour is among them.
        """
        self.evaluate()
        slots, listed = (self._filter.slots, self._filter.list) if self._filter else (self._storage.slots, None)
        ranks = self._storage.ranks
        if ranks is None:
            ranks = self._kernels.ranks(self._storage.parts[0], slots, listed)
        arrays = (*self._storage.half(0), ranks)
        deltas, feasible, found = (self.device.fetch(array)[:slots] for array in arrays)
        there = found >= 0
        return deltas[there], feasible[there].astype(bool), found[there]

    def kernel_seconds(self) -> dict[str, float]:
        """Return the device time of each kernel in seconds, of a split neighbourhood on its first part."""
        return {name: self._kernels.seconds(launch) for name, launch in self.launches().items()}

    def launches(self) -> dict[str, Callable[[], None]]:
        """Return what launches each kernel, of a split neighbourhood on its first part, after one search for a move."""
        self.best_move(self._giant)
        kernels, storage = self._kernels, self._storage
        part, half = storage.parts[0], storage.half(0)
        storage.look_ahead(0)
        pairs, triples = self._slots(part)
        works: dict[str, Callable[[], None]] = {"clear": partial(kernels.clear, triples.stop, None, half)}
        for one in self._separate:
            works[f"hierarchy {one.name}"] = partial(kernels.build, one)
        for edges, slots in ((2, pairs), (3, triples)):
            for one in self._evaluated if slots else ():
                arguments = one, edges, part, storage.table, slots, half, self._filter
                works[f"{edges}-opt {one.name}"] = partial(kernels.evaluate, *arguments)
        works["reduce"] = partial(self._reduce, part, part.slots, merged=False)
        works["apply"] = kernels.apply
        return works


def _found(move: NDArray[np.int32], delta: NDArray[np.float64]) -> tuple[Move, float] | None:
    x, y, z, p = (int(number) for number in move)
    return None if x < 0 else ((x, y) if p < 0 else (x, y, z, p), float(delta[0]))
