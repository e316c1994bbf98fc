"""Numbers of the neighbours of a giant tour.

A giant tour with positions 0 to ``last`` has as many edges as ``last``. Its 2-opt neighbours are the pairs x < y of
edges; its pure 3-opt neighbours the triples x < y < z, each with four recombinations. The *rank* of a neighbour orders
the pairs by (x, y), then the triples by (x, y, z, p).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.int64]

RECOMBINATIONS: Final = 4
"""Ways to join the segments of a triple of edges that are no 2-opt moves."""

FIELD: Final = 21
"""Bits of an edge's number in a table of triples."""


def neighbours(last: int, neighborhood: int) -> tuple[int, int]:
    """Return the numbers of pairs and of triples of edges in a neighbourhood, 2 or 3."""
    return comb(last, 2), comb(last, 3) if neighborhood == 3 else 0


def fill_table(table: Longs, last: int, first: int) -> None:
    """Write triples ``first``, ``first`` + 1, ... in lexicographic order: x, y and z, 21 bits each.

    The pairs (y, z) that follow x are the last ones of all pairs.
    """
    y, z = (edges.astype(np.int64) for edges in np.triu_indices(last, 1))
    pairs = y << FIELD | z
    at, skipped = 0, first
    for x in range(last - 2):
        those = pairs[len(pairs) - comb(last - 1 - x, 2) :]
        if skipped >= len(those):
            skipped -= len(those)
            continue
        those = those[skipped : skipped + len(table) - at]
        np.bitwise_or(those, x << 2 * FIELD, out=table[at : at + len(those)])
        at, skipped = at + len(those), 0
        if at == len(table):
            return


@dataclass(frozen=True)
class Part:
    """Neighbours that are evaluated together: a range of the mapping of pairs, then one of the triples."""

    pair_first: int
    pairs: int
    triple_first: int
    triples: int

    @property
    def slots(self) -> int:
        """Number of neighbours."""
        return self.pairs + RECOMBINATIONS * self.triples

    @property
    def arguments(self) -> tuple[np.int64, ...]:
        """Arguments for ``PART_PARAMETERS`` but the table."""
        numbers = self.pair_first, self.pairs, self.triple_first, self.triples
        return tuple(np.int64(number) for number in numbers)


def parts_of(pairs: int, triples: int, slots: int) -> Iterator[Part]:
    """Yield the parts of a neighbourhood, each of at most ``slots`` neighbours."""
    if slots < RECOMBINATIONS:
        raise ValueError(f"parts of {slots} neighbours do not hold the recombinations of a triple")
    pair = triple = 0
    while pair < pairs or triple < triples:
        some = min(pairs - pair, slots)
        more = min(triples - triple, (slots - some) // RECOMBINATIONS)
        yield Part(pair, some, triple, more)
        pair, triple = pair + some, triple + more
