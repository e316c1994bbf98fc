"""Dots of a stippled picture: close together where it is dark, far apart where it is light."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from warptour.io.generators.points import Ints, fill, pieces, planar
from warptour.model.problem import TSP

BITS: Final = 8
PIXELS: Final = 1 << BITS
"""Pixels along a side."""

PIXEL: Final = 1 << 12
"""Side of a pixel in units of the coordinates."""

SPOTS: Final = 25
"""Dark spots whose overlap makes the picture."""

RADII: Final = (PIXELS // 12, PIXELS * 3 // 8)
"""Range of the radius of a spot in pixels, end excluded."""

LIGHTEST: Final = 0.02
"""Density of blank paper relative to the darkest pixel."""

LEVELS: Final = 1 << 12
"""Levels of density, so few that the ink of a black picture times the maximum number of nodes is below 2**63."""


def picture(name: str, n: int, random: np.random.Generator) -> TSP:
    """Return the dots of a picture of soft dark spots."""
    points = np.empty((n, 2))
    fill(points, stipple(n, shades(random), random), random)
    return planar(name, points)


def shades(random: np.random.Generator) -> Ints:
    """Return the density of each pixel, row by row, as a level."""
    y, x = np.mgrid[:PIXELS, :PIXELS]
    shade = np.zeros((PIXELS, PIXELS))
    for _ in range(SPOTS):
        a, b = random.integers(0, PIXELS, 2)
        radius, darkness = random.integers(*RADII), random.integers(2, 11)
        inside = np.maximum(0.0, 1.0 - ((x - a) ** 2 + (y - b) ** 2) / (radius * radius))
        shade += darkness * inside * inside
    shade /= shade.max()
    return np.rint(LEVELS * (LIGHTEST + shade * np.sqrt(shade))).astype(np.int64)


def stipple(n: int, density: Ints, random: np.random.Generator) -> Iterator[Ints]:
    """Yield ``n`` dots: one in each of ``n`` equal shares of the ink along a curve, so that they are spread evenly."""
    axes = np.arange(2 * BITS).reshape(2, BITS).T.ravel()  # a Z-order curve interleaves the bits of row and column
    curve = np.arange(PIXELS * PIXELS).reshape((2,) * (2 * BITS)).transpose(axes).ravel()
    ink = np.cumsum(density.ravel()[curve])
    drop, place = random.spawn(2)
    for piece in pieces(n):
        dots = np.arange(piece.start, piece.stop)
        at = (dots * ink[-1] + drop.integers(0, ink[-1], len(dots))) // n
        pixel = curve[np.searchsorted(ink, at, side="right")]
        corner = PIXEL * np.stack((pixel % PIXELS, pixel // PIXELS), axis=1)
        yield corner + place.integers(0, PIXEL, (len(dots), 2))
