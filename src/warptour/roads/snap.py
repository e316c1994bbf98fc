"""The nearest street of each place, by boxes around pieces of streets that lie close together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.metric import EARTH_RADIUS_M, Floats
from warptour.roads.extract import DEGREE
from warptour.roads.network import Int64s, Network, morton

BLOCK: Final = 64
"""Pieces in a box, and boxes in a larger one."""
METRES: Final = EARTH_RADIUS_M * math.pi / 180
"""Metres in a degree of latitude."""


@dataclass(frozen=True)
class Spots:
    """Places on streets."""

    streets: Int64s  # (n,)
    offsets: Int64s  # (n,): centimetres from the beginning of the street
    pieces: Int64s  # (n,): the place of the network at which the piece begins that the spot lies on
    latlon: Floats  # (n, 2)
    distances: Floats  # (n,): metres from the place to its street
    cut_off: Floats  # (n,): metres to a nearer street that cannot be left; infinite where there is none


class SnapIndex:
    """Pieces of all streets of a network, in boxes.

    A piece is a straight line between consecutive places of a street. Distances are in the plane that touches the
    Earth at the place asked for.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        counts = network.last - network.first
        streets = np.repeat(np.arange(network.streets), counts)
        begins = np.repeat(network.first - np.concatenate(([0], np.cumsum(counts)[:-1])), counts) + np.arange(
            len(streets)
        )
        order = np.argsort(morton(network.x[begins], network.y[begins]), kind="stable")
        self.streets, self.begins = streets[order], begins[order]
        usable = np.zeros(network.streets, np.bool_)
        usable[network.ways[network.usable] >> 1] = True
        self.usable = usable[self.streets]
        ends = np.stack([np.stack([of[self.begins], of[self.begins + 1]]) for of in (network.x, network.y)]) / DEGREE
        low, high = ends.min(axis=1), ends.max(axis=1)
        starts = np.arange(0, len(order), BLOCK)
        self.boxes = np.concatenate(
            (np.minimum.reduceat(low, starts, axis=1), np.maximum.reduceat(high, starts, axis=1))
        )
        above = np.arange(0, self.boxes.shape[1], BLOCK)
        self.large = np.concatenate(
            (np.minimum.reduceat(self.boxes[:2], above, axis=1), np.maximum.reduceat(self.boxes[2:], above, axis=1))
        )

    def nearest(self, latlon: Floats) -> Spots:
        """Return the spot on the nearest usable street of each place."""
        found = [self._nearest(lat, lon) for lat, lon in latlon.tolist()]
        pieces, shares, distances, cut_off = (np.array(values) for values in zip(*found, strict=True))
        network, begins = self.network, self.begins[pieces]
        streets = self.streets[pieces]
        x, y = (of[begins] + shares * (of[begins + 1] - of[begins]) for of in (network.x / DEGREE, network.y / DEGREE))
        latlon_there = np.column_stack((y, x))
        return Spots(streets, self._offsets(streets, begins, shares), begins, latlon_there, distances, cut_off)

    def _offsets(self, streets: Int64s, begins: Int64s, shares: Floats) -> Int64s:
        """Return how far spots are from the beginnings of their streets, in centimetres."""
        network, offsets = self.network, []
        for street, begin, share in zip(streets.tolist(), begins.tolist(), shares.tolist(), strict=True):
            places = slice(int(network.first[street]), int(network.last[street]) + 1)
            x, y = network.x[places] / DEGREE, network.y[places] / DEGREE
            pieces = np.hypot(np.diff(x) * math.cos(math.radians(y[0])), np.diff(y))
            at, whole = begin - places.start, float(pieces.sum())
            done = (pieces[:at].sum() + share * pieces[at]) / whole if whole > 0 else 0.0
            offsets.append(round(done * int(network.lengths[street])))
        return np.array(offsets, np.int64)

    def _nearest(self, lat: float, lon: float) -> tuple[int, float, float, float]:
        """Return the nearest usable piece, the share of it that lies before the spot, and both distances in metres."""
        scale = math.cos(math.radians(lat))
        best, cut = (math.inf, -1, 0.0), math.inf
        bounds = _to_boxes(self.large, lat, lon, scale)
        for block in np.argsort(bounds, kind="stable").tolist():
            if bounds[block] > best[0]:
                break
            inner = slice(block * BLOCK, (block + 1) * BLOCK)
            near = _to_boxes(self.boxes[:, inner], lat, lon, scale)
            for box in np.argsort(near, kind="stable").tolist():
                if near[box] > best[0]:
                    break
                begin = (block * BLOCK + box) * BLOCK
                pieces = np.arange(begin, min(begin + BLOCK, len(self.begins)))
                gaps, shares = self.gaps(pieces, lat, lon)
                usable = self.usable[pieces]
                if not usable.all():
                    cut = min(cut, float(gaps[~usable].min()))
                if usable.any():
                    at = int(np.where(usable, gaps, math.inf).argmin())
                    best = min(best, (float(gaps[at]), int(pieces[at]), float(shares[at])))
        return best[1], best[2], best[0] * METRES, cut * METRES if cut < best[0] else math.inf

    def gaps(self, pieces: Int64s, lat: float, lon: float) -> tuple[Floats, Floats]:
        """Return the distance of pieces from a place, in degrees of latitude, and the share before its spot on each."""
        scale, network, begins = math.cos(math.radians(lat)), self.network, self.begins[pieces]
        x, y = (network.x[begins] / DEGREE - lon) * scale, network.y[begins] / DEGREE - lat
        dx = (network.x[begins + 1] - network.x[begins]) / DEGREE * scale
        dy = (network.y[begins + 1] - network.y[begins]) / DEGREE
        square = dx * dx + dy * dy
        shares = np.clip(-(x * dx + y * dy) / np.where(square > 0, square, 1.0), 0.0, 1.0)
        return np.hypot(x + shares * dx, y + shares * dy), shares


def _to_boxes(boxes: NDArray[np.float64], lat: float, lon: float, scale: float) -> Floats:
    """Return a lower bound on the distance of each box from a place, in degrees of latitude."""
    x = np.maximum(np.maximum(boxes[0] - lon, lon - boxes[2]), 0.0) * scale
    y = np.maximum(np.maximum(boxes[1] - lat, lat - boxes[3]), 0.0)
    return np.asarray(np.hypot(x, y))
