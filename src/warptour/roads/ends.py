"""Where ways from and to places on streets begin and end in the network, and ways that stay on one street."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.roads.graph import Roads
from warptour.roads.hierarchy import Seeds
from warptour.roads.network import Int32s, Int64s, joined, parted
from warptour.roads.snap import Spots


def before_spots(roads: Roads, spots: Spots, backward: bool) -> tuple[Int64s, Int64s, Int64s]:
    """Return the direction of each spot's street, and its milliseconds and centimetres up to the spot."""
    network = roads.network
    ways = 2 * spots.streets + backward
    whole = network.lengths[spots.streets]
    offsets = whole - spots.offsets if backward else spots.offsets
    return ways, network.times[ways] * offsets // np.maximum(whole, 1), offsets


@dataclass(frozen=True)
class Ends:
    """Where ways from places begin, or where ways to them end, and the direction of the street there of each seed."""

    seeds: Seeds
    ways: Int64s


def ends_of(roads: Roads, spots: Spots, columns: Int64s | None = None) -> tuple[Ends, Ends]:
    """Return where ways from spots begin and ways to them end, in the hierarchy.

    ``columns`` has a column of times for each class of street, for traffic.
    """
    network, number = roads.network, roads.hierarchy.number
    leaving: list[tuple[NDArray[Any], ...]] = []
    entering = list(leaving)
    for backward in (False, True):
        ways, before, offsets = before_spots(roads, spots, backward)
        driven = np.flatnonzero(network.times[ways] > 0)
        ways, before, offsets = ways[driven], before[driven], offsets[driven]
        rest = joined(network.times[ways] - before, network.lengths[ways >> 1] - offsets)
        leaving.append((driven, ways, network.heads[ways], rest))
        begin, end = (np.searchsorted(network.ways, ways, side) for side in ("left", "right"))
        arcs = _ranges(begin, end)
        own = np.repeat(np.arange(len(ways)), end - begin)
        entering.append((driven[own], ways[own], network.tails[arcs], joined(before, offsets)[own]))
    found = []
    for parts in (leaving, entering):
        places, ways, vertices, lengths = (np.concatenate(each) for each in zip(*parts, strict=True))
        order = np.argsort(places, kind="stable")
        first = np.searchsorted(places[order], np.arange(len(spots.streets) + 1)).astype(np.int64)
        ways, lengths = ways[order], lengths[order]
        times = times_by_column(network.kinds[ways >> 1], lengths, columns)
        found.append(Ends(Seeds(first, number[vertices[order]], lengths, times), ways))
    return found[0], found[1]


def times_by_column(kinds: Int32s, lengths: NDArray[np.uint64], columns: Int64s | None) -> NDArray[np.uint32]:
    """Return the milliseconds of costs on streets of some classes, in the column of each; no columns for None."""
    if columns is None:
        return np.zeros((len(lengths), 0), np.uint32)
    times = np.zeros((len(lengths), int(columns.max()) + 1), np.uint32)
    times[np.arange(len(lengths)), columns[kinds]] = parted(lengths)[0]
    return times


def _ranges(begin: Int64s, end: Int64s) -> Int64s:
    """Return the numbers of all ranges, one range behind the other."""
    count = end - begin
    shift = np.repeat(begin - np.concatenate(([0], np.cumsum(count)[:-1])), count)
    return shift + np.arange(int(count.sum()))


def direct(roads: Roads, spots: Spots) -> Iterator[tuple[int, int, int, bool]]:
    """Yield ways between spots of one street that do not leave it: both spots, the cost, whether against the street."""
    order = np.argsort(spots.streets, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(spots.streets[order])) + 1)
    for backward in (False, True):
        ways, before, offsets = before_spots(roads, spots, backward)
        costs = joined(before, offsets).tolist()
        for group in groups:
            if len(group) < 2 or roads.network.times[ways[group[0]]] == 0:
                continue
            for a, b in permutations(group.tolist(), 2):
                if offsets[a] <= offsets[b]:
                    yield a, b, costs[b] - costs[a], backward
