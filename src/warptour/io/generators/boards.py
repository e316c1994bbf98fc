"""Drilling boards and chips: points in rows and columns, with many equal distances."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from warptour.io.generators.points import Ints, fill, planar
from warptour.model.problem import TSP

HEIGHTS: Final = (24, 240)
"""Range of the height of a row of blocks, end excluded."""

BLOCKS: Final = np.array([(2, 9), (4, 20), (4, 48), (15, 61), (0, 24)]).T
"""Ranges for a block, ends excluded: pitch across and up, columns, percentage of sites with a pin, channel after it."""

PIN_AREA: Final = 120
"""Area per pin from which the width of a chip follows, so that it is about square."""


def drilling(name: str, n: int, random: np.random.Generator) -> TSP:
    """Return a drilling board: chips with two rows of holes at a fixed pitch, single holes, and a few duplicates."""
    pitch, chip = 254, 40
    chips = max(1, n // chip)
    side = int(np.ceil(np.sqrt(chips))) * 40 * pitch
    corners = random.integers(0, side // pitch, (chips, 2)) * pitch
    upright = random.random(chips) < 0.5
    which, pin = random.integers(0, chips, n), random.integers(0, chip, n)
    along, across = pin // 2 * pitch, pin % 2 * 3 * pitch
    points = corners[which] + np.where(upright[which, None], np.stack((across, along), 1), np.stack((along, across), 1))
    lone = random.random(n) < 0.2
    points[lone] = random.integers(0, side * 5 // pitch, (int(lone.sum()), 2)) * (pitch // 5)
    _, first = np.unique(points, axis=0, return_index=True)
    repeated = np.ones(n, bool)
    repeated[first] = False
    moved = repeated & (random.random(n) < 0.9)
    points[moved] = random.integers(0, side * 5 // pitch, (int(moved.sum()), 2)) * (pitch // 5)
    return planar(name, points)


def vlsi(name: str, n: int, random: np.random.Generator) -> TSP:
    """Return a chip: rows of blocks, each with pins on some sites of a lattice of its own pitch; no two are equal."""
    points = np.empty((n, 2))
    fill(points, _pins(n, random), random)
    return planar(name, points)


def _pins(n: int, random: np.random.Generator) -> Iterator[Ints]:
    """Yield the ``n`` pins of a chip block by block, from the bottom left to the top right."""
    width = math.isqrt(PIN_AREA * n)
    left, x, y, height = n, width, 0, 0
    while left:
        if x >= width:
            x, y = 0, y + height
            height = int(random.integers(*HEIGHTS))
        across, up, columns, percentage, channel = random.integers(*BLOCKS).tolist()
        sites = columns * -(-height // up)
        pins = random.permutation(sites)[: min(left, max(1, sites * percentage // 100))]
        yield np.stack((x + across * (pins % columns), y + up * (pins // columns)), axis=1)
        left -= len(pins)
        x += across * columns + channel
