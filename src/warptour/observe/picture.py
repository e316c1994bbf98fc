"""Drawings of solutions: SVG files, and braille for terminals. Pure Python and NumPy."""

from __future__ import annotations

from colorsys import hls_to_rgb
from os import PathLike
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.files import write_atomic
from warptour.model.errors import UnsupportedError
from warptour.model.metric import Floats, Nodes
from warptour.model.problem import TSP, Problem
from warptour.model.vehicles import VRP, Routes

INKS = ("#1f5fa8", "#c8553d", "#2d8659", "#8d5fb0", "#b8860b", "#3f8fa3", "#a83f6f", "#5c6b2f")
"""Colours of the first routes; :func:`ink` has more."""
GOLDEN: Final = 0.618034
"""Step between the hues of further routes, as a share of the colour circle: the golden ratio keeps any number of hues
apart."""
SIZE = 1000.0
"""Longer side of the drawing, in SVG units."""
NODE_LIMIT = 20_000
"""Maximum nodes drawn as dots; more of them would hide the tour."""


def write_svg(path: str | PathLike[str], problem: TSP | VRP, solution: Nodes | Routes) -> None:
    """Draw ``solution`` to an SVG file."""
    write_atomic(path, [svg_text(problem, solution).encode("utf-8")])


def svg_text(problem: TSP | VRP, solution: Nodes | Routes, width_pixels: int = 800) -> str:
    """Return an SVG of ``solution``: a tour as one line, routes in colours, the depot as a square."""
    places, (width, height) = _fit(problem, SIZE)
    margin = SIZE / 50
    box = f"{-margin:g} {-margin:g} {width + 2 * margin:.1f} {height + 2 * margin:.1f}"
    stroke = float(np.clip(SIZE / 4 / np.sqrt(problem.n), 0.2, 3.0))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width_pixels}">',
        f'<rect x="{-margin:g}" y="{-margin:g}" width="100%" height="100%" fill="white"/>',
        f'<g fill="none" stroke-width="{stroke:.2f}" stroke-linejoin="round">',
    ]
    for number, sequence in enumerate(_sequences(problem, solution)):
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in places[sequence].tolist())
        lines.append(f'<polyline stroke="{ink(number)}" points="{corners}"/>')
    lines.append("</g>")
    if problem.n <= NODE_LIMIT:
        dots = "".join(f"M{x:.1f},{y:.1f}h0" for x, y in places.tolist())
        lines.append(f'<path d="{dots}" stroke="#222" stroke-width="{2 * stroke:.2f}" stroke-linecap="round"/>')
    if isinstance(problem, VRP):
        x, y = places[problem.depot].tolist()
        side = margin / 2
        lines.append(f'<rect x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:g}" height="{side:g}"/>')
    lines.append("</svg>\n")
    return "\n".join(lines)


def braille(problem: TSP | VRP, solution: Nodes | Routes, columns: int = 80) -> str:
    """Return a drawing of ``solution`` at most ``columns`` wide, in braille characters of 2 by 4 dots."""
    places, (width, height) = _fit(problem, 2.0 * columns - 1)
    scale = min(1.0, 2.0 * columns / max(height, 1e-9))  # height at most columns / 2 lines
    dots = np.zeros((int(height * scale) + 1, int(width * scale) + 1), bool)
    for sequence in _sequences(problem, solution):
        _draw(dots, places[sequence] * scale)
    rows, across = -(-dots.shape[0] // 4), -(-dots.shape[1] // 2)
    padded = np.zeros((rows * 4, across * 2), bool)
    padded[: dots.shape[0], : dots.shape[1]] = dots
    cells = padded.reshape(rows, 4, across, 2).transpose(0, 2, 1, 3)
    bits = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
    codes = 0x2800 + (cells * bits).sum(axis=(2, 3))
    return "\n".join("".join(map(chr, row)).rstrip("\u2800") for row in codes.tolist())


def ink(number: int) -> str:
    """Return the colour of a route, counted from 0."""
    if number < len(INKS):
        return INKS[number]
    red, green, blue = hls_to_rgb(number * GOLDEN % 1.0, (0.42, 0.32, 0.52)[number % 3], 0.6)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


def check_drawable(problem: Problem) -> Floats:
    """Return the coordinates for drawing, or raise :class:`UnsupportedError` if there are none."""
    if problem.map is None:
        raise UnsupportedError(f"{problem.name} is a matrix without coordinates and cannot be drawn")
    return problem.map


def flat(problem: Problem) -> tuple[Floats, float]:
    """Return coordinates (x, y) for drawing, and the length of a unit of y in units of x: above 1 for degrees."""
    spots = check_drawable(problem)[:, :2]
    if not problem.on_earth:
        return spots, 1.0
    middle = float((spots[:, 0].min() + spots[:, 0].max()) / 2)
    return spots[:, ::-1], 1.0 / max(0.05, float(np.cos(np.radians(middle))))


def _draw(dots: NDArray[np.bool_], corners: Floats) -> None:
    """Set the dots along the polyline ``corners``, (x, y) in dots."""
    for (x, y), (u, v) in zip(corners[:-1].tolist(), corners[1:].tolist(), strict=True):
        steps = int(max(abs(u - x), abs(v - y))) + 1
        along = np.linspace(0.0, 1.0, steps + 1)
        dots[(y + (v - y) * along).astype(int), (x + (u - x) * along).astype(int)] = True


def _sequences(problem: TSP | VRP, solution: Nodes | Routes) -> list[Nodes]:
    """Return the node sequences to draw, closed unless they are open."""
    if isinstance(problem, VRP):
        end = -1 if problem.open else None
        return [problem.giant_tour([route])[:end] for route in solution if len(route)]
    tour = np.asarray(solution, np.int64)
    return [tour if problem.open else np.append(tour, tour[:1])]


def _fit(problem: Problem, size: float) -> tuple[Floats, tuple[float, float]]:
    """Return drawing coordinates (y downward, longer side ``size``), and width and height."""
    spots, stretch = flat(problem)
    spots = spots * [1.0, stretch]
    low, high = spots.min(axis=0), spots.max(axis=0)
    extent = float((high - low).max()) or 1.0
    places = (spots - low) * (size / extent)
    width, height = ((high - low) * (size / extent)).tolist()
    return np.column_stack((places[:, 0], height - places[:, 1])), (width, height)
