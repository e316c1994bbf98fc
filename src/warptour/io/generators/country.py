"""A country of towns and roads: the sizes of the towns follow Zipf's law, the n-th largest has 1/n of the largest's."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from warptour.io.generators.points import SIDE, Floats, Ints, Points, bell, fill, lengths, planar, scattered
from warptour.model.problem import TSP

LARGEST: Final = 1 << 40
"""Size of the largest town, in units of which the smallest still has many."""

EXTENT: Final = SIDE * 0.06
"""Standard deviation of a town's places if it were the only one; its area is proportional to its size."""

ROAD_WIDTH: Final = 0.02
"""Standard deviation of places from their road, relative to the mean distance of towns."""

ALONG: Final = 1 << 20
"""Steps along a road."""


@dataclass(frozen=True)
class Country:
    """Towns, one anywhere in each cell of a square lattice; rows of cells follow one another."""

    width: int  # cells along a side
    centres: Ints  # (width * width, 2)
    sizes: Ints  # (width * width,): sizes added up
    extents: Floats  # (width * width,): standard deviation of the places of each town


def settle(towns: int, random: np.random.Generator) -> Country:
    """Return a country of about as many towns, at least 9."""
    width = max(3, math.isqrt(towns))
    cell = SIDE // width
    corners = cell * np.stack(np.divmod(np.arange(width * width), width), axis=1)
    centres = corners + random.integers(0, cell, corners.shape)
    size = LARGEST // (1 + random.permutation(len(centres)))
    sizes = np.cumsum(size)
    return Country(width, centres, sizes, EXTENT * np.sqrt(size / sizes[-1]))


def in_towns(country: Country, n: int, random: np.random.Generator) -> Iterator[Floats]:
    """Yield ``n`` places in towns."""
    choice, place = random.spawn(2)
    for length in lengths(n):
        town = np.searchsorted(country.sizes, choice.integers(0, country.sizes[-1], length), side="right")
        yield np.rint(country.centres[town] + country.extents[town, None] * bell(length, place)) + 0.0  # no -0.0


def along_roads(country: Country, n: int, random: np.random.Generator) -> Iterator[Floats]:
    """Yield ``n`` places along roads, which lead from a town to three of the cells around it."""
    width = country.width
    start, direction, distance, place = random.spawn(4)
    for length in lengths(n):
        town = start.integers(0, width * width, length)
        cell = np.stack(np.divmod(town, width), axis=1)
        step = np.array([(0, 1), (1, 0), (1, 1)])[direction.integers(0, 3, length)]
        row, column = np.where(cell + step < width, cell + step, cell - step).T
        road = country.centres[row * width + column] - country.centres[town]
        spot = country.centres[town] + road * distance.integers(0, ALONG, (length, 1)) // ALONG
        yield np.rint(spot + ROAD_WIDTH * SIDE / width * bell(length, place)) + 0.0


def roads(name: str, n: int, random: np.random.Generator) -> TSP:
    """Return a town per 400 places: half of the places in towns, a twentieth anywhere, the others along roads."""
    country = settle(n // 400, random)
    urban, rural = n // 2, n // 20
    points = np.empty((n, 2))
    blocks: Iterator[Points] = chain(
        in_towns(country, urban, random), along_roads(country, n - urban - rural, random), scattered(rural, random)
    )
    fill(points, blocks, random)
    return planar(name, points)
