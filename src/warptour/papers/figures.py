"""Plots of exhibits as SVG, by Matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from os import PathLike

from warptour.observe import canvas
from warptour.papers.exhibit import Plot


def draw(path: str | PathLike[str], plot: Plot, lines: Mapping[str, Sequence[tuple[float, float]]]) -> bool:
    """Write an SVG with a line, or a scatter series, per name; return False if there is no point to draw.

    Raises :class:`MissingLibrary` if Matplotlib is not installed.
    """
    series = {name: kept for name, points in lines.items() if (kept := _drawable(plot, points))}
    if not series:
        return False
    with canvas.figure() as (drawn, axes):
        for name, points in series.items():
            x, y = zip(*points, strict=True)
            axes.plot(x, y, "o-" if plot.joined else "o", label=name, markersize=4)
        for at, (side, wanted) in enumerate((("x", plot.log_x), ("y", plot.log_y))):
            if wanted:
                canvas.logarithmic(axes, side, [point[at] for points in series.values() for point in points])
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        axes.set(xlabel=plot.x, ylabel=plot.y, title=plot.title)
        axes.grid(alpha=0.3)
        if len(series) > 1:
            axes.legend()
        canvas.save(path, drawn)
    return True


def _drawable(plot: Plot, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the points that the axes can show, by x."""
    return sorted(
        (x, y)
        for x, y in points
        if math.isfinite(x) and math.isfinite(y) and (x > 0 or not plot.log_x) and (y > 0 or not plot.log_y)
    )
