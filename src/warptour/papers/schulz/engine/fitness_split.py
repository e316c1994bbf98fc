"""Memory of the fitness structure, and the parts of a neighbourhood that does not fit into it.

The first half of the memory keeps, in each slot, the best neighbour of all parts so far; the second half takes the next
part. While a part is evaluated, the table of the next one's triples is copied to the device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np

from warptour.devices import Array, Device
from warptour.papers.schulz.engine.numbering import RECOMBINATIONS, Longs, fill_table, parts_of
from warptour.papers.schulz.engine.version import Version

Half: TypeAlias = tuple[Array, Array]
"""Deltas (float64) and feasibility (uint8) of a part."""

SLOT: Final = 9
"""Bytes of a neighbour: its delta and its feasibility."""
RANK: Final = 8
"""Bytes of a rank, or of a triple in the table."""


def _at_once() -> None:
    """Wait for nothing."""


class Storage:
    """The parts of a neighbourhood, and the arrays that hold their fitness and their triples.

    ``slots``: neighbours whose fitness is kept
    ``split``: whether there are several parts
    """

    def __init__(
        self, device: Device, last: int, pairs: int, triples: int, version: Version, memory: int, parts: int = 1
    ) -> None:
        self._device, self._last = device, last
        tabled = version.triples == "table" and triples > 0
        every = pairs + RECOMBINATIONS * triples
        slots = max(RECOMBINATIONS, -(-every // parts))
        if slots * SLOT + tabled * triples * RANK > memory or parts > 1:
            slots = min(slots, memory // (2 * SLOT + RANK + tabled * RANK // 2))
            slots = max(RECOMBINATIONS, slots - slots % RECOMBINATIONS)
        self.parts = list(parts_of(pairs, triples, slots))
        self.split = len(self.parts) > 1
        self.slots = max(part.slots for part in self.parts)
        self._halves = [
            (device.empty(self.slots, np.float64), device.empty(self.slots, np.uint8)) for _ in range(1 + self.split)
        ]
        self.ranks = device.empty(self.slots, np.int64) if self.split else None
        self._tables: list[Array] = []
        self._hosts: list[Longs] = []
        self._ahead = 0
        self._arrived: Callable[[], None] = _at_once
        if tabled:
            self._make_tables()

    def half(self, number: int) -> Half:
        """Return the fitness of a part; all but the first share the second half."""
        return self._halves[min(number, len(self._halves) - 1)]

    # ---- tables of triples ----

    def _make_tables(self) -> None:
        longest = max(part.triples for part in self.parts)
        if not self.split:
            host = np.empty(longest, np.int64)
            fill_table(host, self._last, 0)
            self._tables = [self._device.send(host)]
            return
        self._tables = [self._device.empty(longest, np.int64) for _ in range(2)]
        for part in self.parts:
            host = self._device.pinned(longest, np.int64)
            fill_table(host[: part.triples], self._last, part.triple_first)
            self._hosts.append(host)
        self._send(0)

    def _send(self, number: int) -> None:
        """Begin to copy the table of a part to where the present one is not."""
        self._ahead, self._arrived = number, self._device.fill_ahead(self._tables[-1], self._hosts[number])

    @property
    def table(self) -> Array | None:
        """The table of the present part's triples, None if they are computed."""
        return self._tables[0] if self._tables else None

    def look_ahead(self, number: int) -> None:
        """Turn to a part: what is launched next waits for its table, and meanwhile the next one's is copied."""
        if len(self._tables) < 2:
            return
        if self._ahead != number:
            self._send(number)
        self._arrived()
        self._tables.reverse()
        self._send((number + 1) % len(self.parts))
