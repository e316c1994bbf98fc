"""Variable neighbourhood searches over neighbour lists on any device (``kernels/papers/ermis/vns_search.c``)."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.devices.points import send_points
from warptour.kernels.cores import usable_cores
from warptour.model.errors import UsageError
from warptour.tours.engine.instance import Instance, Ints

KINDS: Final = {"2-opt": 0, "or-opt": 1, "3-opt": 2, "swap": 3, "relocate": 4}
"""Neighbourhoods and their numbers in the kernel."""

EFFORT: Final = {"euc": 1_000_000, "flat": 1_000_000, "ceil": 1_000_000, "any": 200_000}
"""Moves evaluated plus cities moved per launch and core, by metric build: 10 to 50 ms."""

GPU_EFFORT: Final = 50_000
"""The same per search on a GPU, where a search is the work of 32 lanes and many run side by side."""

SEARCHES_PER_UNIT: Final = 32
"""Searches that keep a multiprocessor busy."""

LANES: Final = 32
"""Lanes of a search on a GPU; the kernel shares the candidates of a city among so many, or does not share them."""

LOG: Final = 1000
"""Maximum reversals of one shake and its repair."""

MEMORY_SHARE: Final = 0.5
"""Part of the free memory that searches may take where their number is not given."""

DRAWS, SHAKES, STRENGTH, KEPT, NUMBER, PENDING, GOAL = range(7)
PRESENT, BEST = range(2)
QUEUE_HEAD, QUEUE_TAIL, EVALUATIONS, MOVES, SWAPS = range(5)


def crowd(device: Device, nodes: int, levels: int) -> int:
    """Return how many searches of a tour keep the device busy and fit into its memory."""
    units = max(1, device.about().units)
    if device.lanes == 1:
        return units
    each = 4 * nodes * (levels + 3) + 8 * LOG
    return int(max(1, min(SEARCHES_PER_UNIT * units, MEMORY_SHARE * device.free_memory() / each)))


class VariableSearches:
    """Tours under variable neighbourhood descent through a list of neighbourhoods, shaken at each local optimum.

    All begin with the same tour and stay on the device; search k draws from the random stream k of the seed, so that it
    makes the same moves on every device.

    ``counters``: (count, 7): counters of each search, as of the last launch
    ``by_level``: (count, levels, 5): counters of each search and neighbourhood
    ``gains_by_level``: (count, levels): sum of the gains of the moves made
    """

    def __init__(
        self,
        instance: Instance,
        device: Device,
        tour: Ints,  # (nodes,): as :meth:`Instance.enter` returns it
        neighborhoods: list[str],  # keys of :data:`KINDS`, in the order in which they are tried
        *,
        count: int = 1,  # number of searches
        seed: int = 0,  # 64 bits; with the number of a search and its draw count it determines every random number
        longest: int = 3,  # maximum number of cities in an or-opt segment
        segment: int = 50,  # maximum segment length of a shake's double bridges, in nodes
        strongest: int = 3,  # number of double bridges in the strongest shake
        slack: float = 0.0,  # a shaken and repaired tour is kept if it is longer than the best one by at most this
        reach: int = 50_000,  # maximum nodes that a move may reverse while a shake is repaired
    ) -> None:
        self.m = instance.nodes
        if self.m < 8:
            raise UsageError(f"variable neighbourhood search needs at least 8 nodes, not {self.m}")
        self.instance, self.device, self.count = instance, device, count
        self.neighborhoods = list(neighborhoods)
        levels = len(neighborhoods)
        lanes = 1 if device.lanes == 1 else LANES
        self._program = device.build("vns_search", instance.points.special, lanes=lanes)
        self._cities, self._places, self._bests = (device.empty((count, self.m), np.int32) for _ in range(3))
        self._next = device.empty((count, levels, self.m), np.int32)
        self._logs = device.empty((count, 2 * LOG), np.int32)
        self._tour = device.send(np.asarray(tour, np.int32))
        self._counters = device.zeros((count, 7), np.int64)
        self._by_level = device.zeros((count, levels, 5), np.int64)
        self._gains = device.zeros((count, levels), np.float64)
        self._sums = device.zeros((count, 2), np.float64)
        self._program.launch(
            "vns_start", count, np.int32(count), np.int32(self.m), self._tour, np.int32(levels), self._cities,
            self._places, self._next, self._counters, self._by_level,
        )  # fmt: skip
        kinds = np.array([KINDS[name] for name in neighborhoods], np.int32)
        self._problem = (
            *send_points(device, instance.points), np.int32(count), np.int32(self.m), device.send(instance.near),
            device.send(instance.reaches), np.int32(instance.near.shape[1]),
            None if instance.fixed is None else device.send(instance.fixed), device.send(kinds), np.int32(levels),
        )  # fmt: skip
        segment = max(1, min(segment, (self.m - 1) // 3))
        self._rules = (
            np.uint64(seed % 2**64), np.float64(instance.epsilon), np.float64(slack), np.int32(longest),
            np.int32(segment), np.int32(max(1, strongest)), np.int32(reach),
        )  # fmt: skip
        self._look()

    def _look(self) -> None:
        """Read the counters and sums of all searches."""
        fetch = self.device.fetch
        self.counters, self.by_level = fetch(self._counters), fetch(self._by_level)
        self.gains_by_level, self._all_sums = fetch(self._gains), fetch(self._sums)

    def work(self, shakes: int | NDArray[np.int64] = 0, effort: int | None = None) -> None:
        """Run until all queues are empty and each search has made ``shakes`` shakes in total, at most for ``effort``.

        With the default effort a launch takes a few hundredths of a second.
        """
        self.counters[:, GOAL] = shakes
        self.device.fill(self._counters, self.counters)
        self._program.launch(
            "vns_search", self.count, *self._problem, self._cities, self._places, self._next, self._logs, np.int32(LOG),
            self._bests, self._counters, self._by_level, self._gains, self._sums, *self._rules,
            np.int64(self._effort if effort is None else effort),
        )  # fmt: skip
        self._look()

    @cached_property
    def _effort(self) -> int:
        """Effort of a search in one launch."""
        each = EFFORT[self.instance.points.special] if self.device.lanes == 1 else GPU_EFFORT
        if self.count == 1:
            return each
        units = max(1, self.device.about().units)
        side_by_side = min(units, usable_cores()) if self.device.lanes == 1 else SEARCHES_PER_UNIT * units
        return max(1, each // -(-self.count // side_by_side))

    @property
    def locally_optimal(self) -> bool:
        """Whether all queues are empty: the tours are local optima of all neighbourhoods."""
        return bool((self.by_level[:, :, QUEUE_HEAD] < 0).all())

    @property
    def shakes(self) -> NDArray[np.int64]:
        """Number of shakes of each search so far."""
        return self.counters[:, SHAKES]

    @property
    def evaluations(self) -> int:
        """Moves evaluated so far by all searches."""
        return int(self.by_level[:, :, EVALUATIONS].sum())

    @property
    def efforts(self) -> NDArray[np.int64]:
        """Moves evaluated plus cities moved by each neighbourhood, in all searches."""
        efforts: NDArray[np.int64] = self.by_level[:, :, [EVALUATIONS, SWAPS]].sum(axis=(0, 2))
        return efforts

    @property
    def gains(self) -> NDArray[np.float64]:
        """Difference between the first and each search's best tour length, up to rounding errors."""
        return self._all_sums[:, BEST]

    def best(self, search: int | None = None) -> Ints:
        """Return the best tour of one search, by default the best of all, in the instance's node numbers."""
        self._lay(int(self.gains.argmax()) if search is None else search)
        return self.device.fetch(self._tour)

    def meet(self) -> None:
        """Let all searches continue from the best tour of all."""
        best = int(self.gains.argmax())
        self._lay(best)
        self._continue(float(self.gains[best]))

    def adopt(self, tour: Ints, gain: float) -> None:
        """Let the searches that have gained less continue from a local optimum, shorter than the first by ``gain``."""
        self.device.fill(self._tour, np.asarray(tour, np.int32))
        self._continue(gain)

    def _lay(self, search: int) -> None:
        """Store the best tour of a search."""
        groups = 1 if self.device.is_host else max(1, min(1024, self.m // LANES))
        self._program.launch(
            "vns_best",
            groups,
            np.int32(search),
            np.int32(self.m),
            self._cities,
            self._bests,
            self._counters,
            self._tour,
        )

    def _continue(self, gain: float) -> None:
        """Let the searches that have gained less continue from the stored tour."""
        self._program.launch(
            "vns_continue", self.count, np.int32(self.count), np.int32(self.m), self._tour, np.float64(gain),
            self._cities, self._places, self._counters, self._sums,
        )  # fmt: skip
        self._look()
