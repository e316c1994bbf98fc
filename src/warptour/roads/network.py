"""The street network of a vehicle: streets between junctions, and the arcs by which they are driven.

A street is a piece of a way between two junctions, with the places along it; street ``s`` is driven along as direction
``2 * s`` and against as ``2 * s + 1``. An arc is a direction with the vertex it leaves: the vertices of a junction are
more than one where turns are forbidden. A vehicle that comes by a forbidden turn's first street arrives at a vertex of
its own, which only the streets that it may take leave:

        a -> v -> b, c        a -> b is forbidden        a -> v' -> c,  others -> v -> b, c
"""

from __future__ import annotations

from collections import defaultdict
from ctypes import c_int32
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.kernels.library import array, kernel
from warptour.model.metric import EARTH_RADIUS_M
from warptour.roads.extract import DEGREE, Extract

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]

LONGEST: Final = 10**8
"""Maximum time on a street in milliseconds, more than a day; sums stay below 2**32."""
MAIN: Final = 10
"""A part of the network counts as usable if it has at least this fraction (1/10) of the largest part's vertices."""
CENTIMETRES: Final = 32
"""Bits of a distance below its milliseconds."""


@dataclass(frozen=True)
class Network:
    """Streets and arcs."""

    # x, y: longitude and latitude of all places along streets, in units of 1e-7 degrees
    x: Int32s
    y: Int32s
    # first, last: (streets,): the first and the last place of each street
    first: Int64s
    last: Int64s
    kinds: Int32s  # (streets,): class of each street
    lengths: Int64s  # (streets,): in centimetres
    times: Int64s  # (2 * streets,): milliseconds of each direction; 0 where it is forbidden
    heads: Int32s  # (2 * streets,): vertex at which each direction arrives
    # tails, ways: (arcs,): vertex and direction of each arc
    tails: Int32s
    ways: Int32s
    vertices: int
    usable: NDArray[np.bool_]  # (arcs,): whether the arc lies in a large part of the network that can be left

    @property
    def streets(self) -> int:
        """Number of streets."""
        return len(self.first)

    @property
    def costs(self) -> NDArray[np.uint64]:
        """Milliseconds and centimetres of each direction in one number; see ``kernels/roads/queue.h``."""
        return joined(self.times, np.repeat(self.lengths, 2))


def joined(milliseconds: Int64s, centimetres: Int64s) -> NDArray[np.uint64]:
    """Return times and distances as numbers whose order is by time, then by distance."""
    return (milliseconds.astype(np.uint64) << np.uint64(CENTIMETRES)) | centimetres.astype(np.uint64)


def parted(costs: NDArray[np.uint64]) -> tuple[Int64s, Int64s]:
    """Return the milliseconds and centimetres of costs."""
    low = np.uint64((1 << CENTIMETRES) - 1)
    return (costs >> np.uint64(CENTIMETRES)).astype(np.int64), (costs & low).astype(np.int64)


def network_of(extract: Extract) -> Network:
    """Return the network of an extract."""
    nodes, place = np.unique(extract.nodes, return_inverse=True)
    begins, ends = extract.first[:-1], extract.first[1:] - 1
    uses = np.bincount(place, minlength=len(nodes))
    uses[place[begins]] += 1
    uses[place[ends]] += 1
    barred = np.isin(nodes, np.array(sorted(extract.blocked), np.int64))
    junction = (uses > 1) | barred
    cuts = np.flatnonzero(junction[place])
    owner = np.searchsorted(extract.first, cuts, side="right") - 1
    same = owner[:-1] == owner[1:]
    first, last, way = cuts[:-1][same], cuts[1:][same], owner[:-1][same]
    lengths = _lengths(extract, first, last)
    vertex, count = _numbered(extract, place, junction)
    tails, heads = vertex[place[first]], vertex[place[last]]
    tails, heads, count = _blocked(tails, heads, barred[place[first]], barred[place[last]], count)
    times = np.column_stack([_times(extract, way, lengths, speeds) for speeds in (extract.forward, extract.backward)])
    times = times.ravel()
    arrives = np.column_stack((heads, tails)).ravel().astype(np.int32)
    leaves = np.column_stack((tails, heads)).ravel().astype(np.int32)
    driven = np.flatnonzero(times > 0).astype(np.int32)
    via = {node: int(vertex[at]) for node, at in _found(nodes, [turn.via for turn in extract.turns]).items()}
    turned = _turned(extract, via, way, driven, leaves, arrives, count)
    return _with_parts(extract, first, last, way, lengths, times, *turned)


def _lengths(extract: Extract, first: Int64s, last: Int64s) -> Int64s:
    """Return the lengths of streets in centimetres, along great circles."""
    lat, lon = np.radians(extract.y / DEGREE), np.radians(extract.x / DEGREE)
    half = np.sin(np.diff(lat) / 2) ** 2 + np.cos(lat[:-1]) * np.cos(lat[1:]) * np.sin(np.diff(lon) / 2) ** 2
    pieces = 2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(np.minimum(half, 1.0)))
    along = np.concatenate(([0.0], np.cumsum(pieces)))
    return np.asarray(np.rint(100 * (along[last] - along[first])), np.int64)


def _times(extract: Extract, way: Int64s, lengths: Int64s, speeds: NDArray[np.float64]) -> Int64s:
    """Return the milliseconds on each street in one direction: at least one, 0 where it is forbidden."""
    speed = speeds[way]
    times = 36.0 * lengths / np.where(speed > 0, speed, 1.0)
    whole = np.bincount(way, lengths, minlength=len(extract.ways))[way]
    fixed = extract.seconds[way]
    times = np.where(np.isfinite(fixed), 1000 * fixed * lengths / np.maximum(whole, 1), times)
    return np.where(speed > 0, np.clip(np.rint(times), 1, LONGEST), 0).astype(np.int64)


def _numbered(extract: Extract, place: Int64s, junction: NDArray[np.bool_]) -> tuple[Int32s, int]:
    """Return the vertex of each node that is a junction, numbered so that near ones have near numbers."""
    at = np.zeros(len(junction), np.int64)
    at[place] = np.arange(len(place))
    codes = morton(extract.x[at], extract.y[at])
    order = np.flatnonzero(junction)
    order = order[np.argsort(codes[order], kind="stable")]
    vertex = np.full(len(junction), -1, np.int32)
    vertex[order] = np.arange(len(order), dtype=np.int32)
    return vertex, len(order)


def morton(x: Int32s, y: Int32s) -> NDArray[np.uint64]:
    """Return places along a curve that fills the plane: the bits of x and y by turns."""
    codes = np.zeros(len(x), np.uint64)
    for shift, values in enumerate((x, y)):
        bits = (values.astype(np.int64) + 2**31).astype(np.uint64)
        for width, mask in (
            (16, 0x0000FFFF0000FFFF), (8, 0x00FF00FF00FF00FF), (4, 0x0F0F0F0F0F0F0F0F),
            (2, 0x3333333333333333), (1, 0x5555555555555555),
        ):  # fmt: skip
            bits = (bits | (bits << np.uint64(width))) & np.uint64(mask)
        codes |= bits << np.uint64(shift)
    return codes


def _blocked(
    tails: Int32s, heads: Int32s, at_tail: NDArray[np.bool_], at_head: NDArray[np.bool_], count: int
) -> tuple[Int32s, Int32s, int]:
    """Return the ends of streets, each with a vertex of its own at a barrier."""
    ends = np.concatenate((tails, heads)).astype(np.int32)
    cut = np.flatnonzero(np.concatenate((at_tail, at_head)))
    ends[cut] = np.arange(count, count + len(cut), dtype=np.int32)
    return ends[: len(tails)], ends[len(tails) :], count + len(cut)


def _found(nodes: Int64s, wanted: list[int]) -> dict[int, int]:
    """Return the places in ``nodes``, which are sorted, of those wanted that are there."""
    at = np.searchsorted(nodes, wanted)
    return {node: int(k) for node, k in zip(wanted, at, strict=True) if k < len(nodes) and nodes[k] == node}


def _turned(
    extract: Extract, via: dict[int, int], way: Int64s, driven: Int32s, leaves: Int32s, arrives: Int32s, count: int
) -> tuple[Int32s, Int32s, Int32s, int]:
    """Return heads of directions, and tails and directions of arcs, where turn restrictions are kept; and vertices."""
    names = extract.ways[way[driven >> 1]]
    wanted = np.isin(names, [number for turn in extract.turns for number in (turn.begin, turn.end)])
    arriving, leaving = defaultdict[tuple[int, int], list[int]](list), defaultdict[tuple[int, int], list[int]](list)
    for name, direction in zip(names[wanted].tolist(), driven[wanted].tolist(), strict=True):
        arriving[int(arrives[direction]), name].append(direction)
        leaving[int(leaves[direction]), name].append(direction)
    rules = defaultdict[int, list[tuple[bool, set[int]]]](list)
    for turn in extract.turns:
        v = via.get(turn.via, -1)
        for direction in arriving.get((v, turn.begin), ()):
            rules[direction].append((turn.only, {*leaving.get((v, turn.end), ())}))
    at = {int(arrives[direction]) for direction in rules}
    exits = defaultdict[int, set[int]](set)
    those = np.isin(leaves[driven], list(at))
    for v, direction in zip(leaves[driven[those]].tolist(), driven[those].tolist(), strict=True):
        exits[v].add(direction)
    heads, tails, ways = arrives.copy(), [], []
    for direction, kept in rules.items():
        allowed = set(exits[int(arrives[direction])])
        forced = [ends for only, ends in kept if only and ends]
        for ends in forced:
            allowed &= ends
        for only, ends in kept:
            allowed -= set() if only else ends
        heads[direction] = count
        tails += [count] * len(allowed)
        ways += sorted(allowed)
        count += 1
    more = np.array(tails, np.int32), np.array(ways, np.int32)
    return heads, np.concatenate((leaves[driven], more[0])), np.concatenate((driven, more[1])), count


def _with_parts(
    extract: Extract, first: Int64s, last: Int64s, way: Int64s, lengths: Int64s, times: Int64s,
    heads: Int32s, tails: Int32s, ways: Int32s, count: int,
) -> Network:  # fmt: skip
    """Return the network with arcs in the order of their directions, marked where they are usable."""
    order = np.argsort(ways, kind="stable")
    tails, ways = tails[order], ways[order]
    part = parts(count, tails, heads[ways])
    inside = part[tails] == part[heads[ways]]
    sizes = np.bincount(part, minlength=1)
    large = MAIN * sizes >= sizes.max()
    usable = inside & large[part[tails]]
    return Network(
        extract.x, extract.y, first, last, extract.kinds[way], lengths, times, heads, tails, ways, count, usable
    )


def parts(vertices: int, tails: Int32s, heads: Int32s) -> Int32s:
    """Return the strongly connected part of each vertex."""
    order = np.argsort(tails, kind="stable")
    first = np.concatenate(([0], np.cumsum(np.bincount(tails, minlength=vertices)))).astype(np.int64)
    part = np.empty(vertices, np.int32)
    room = array(np.int32, output=True)
    find = kernel(
        "roads_parts", c_int32, array(np.int64), array(np.int32), room, room, array(np.int64, output=True),
        room, room, room,
    )  # fmt: skip
    find(
        0, 1, vertices, first, heads[order].astype(np.int32), np.zeros(vertices, np.int32),
        np.empty(vertices, np.int32), np.empty(vertices, np.int64), np.empty(vertices, np.int32),
        np.empty(vertices, np.int32), part,
    )  # fmt: skip
    return part
