"""Plots of exhibits as SVG, by Matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from io import BytesIO
from os import PathLike
from typing import Final

from warptour.io.files import write_atomic
from warptour.model.errors import MissingLibrary
from warptour.reproduce.exhibit import Plot

WIDE: Final = 1000
"""Ratio of the ends of a logarithmic axis from which on its ticks are powers of ten only, without 2 and 5."""


def draw(path: str | PathLike[str], plot: Plot, lines: Mapping[str, Sequence[tuple[float, float]]]) -> bool:
    """Write an SVG with a line, or a scatter series, per name; return False if there is no point to draw.

    Raises
    ------
    MissingLibrary
        If Matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
        from matplotlib.ticker import LogLocator, NullLocator
    except ImportError:
        raise MissingLibrary("figures are drawn by Matplotlib: pip install 'warptour[figures]'") from None

    series = {name: kept for name, points in lines.items() if (kept := _drawable(plot, points))}
    if not series:
        return False
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "warptour", "font.family": "sans-serif"}):
        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        area = figure.subplots()
        for name, points in series.items():
            x, y = zip(*points, strict=True)
            area.plot(x, y, "o-" if plot.joined else "o", label=name, markersize=4)
        for side, logarithmic in enumerate((plot.log_x, plot.log_y)):
            axis = area.yaxis if side else area.xaxis
            if logarithmic:
                values = [point[side] for points in series.values() for point in points]
                (area.set_yscale if side else area.set_xscale)("log")
                axis.set_major_locator(LogLocator(subs=_ticks(values), numticks=99))
                axis.set_minor_locator(NullLocator())
            axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        area.set(xlabel=plot.x, ylabel=plot.y, title=plot.title)
        area.grid(alpha=0.3)
        if len(series) > 1:
            area.legend()
        buffer = BytesIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    write_atomic(path, [buffer.getvalue()])
    return True


def _drawable(plot: Plot, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the points that the axes can show, by x."""
    return sorted(
        (x, y)
        for x, y in points
        if math.isfinite(x) and math.isfinite(y) and (x > 0 or not plot.log_x) and (y > 0 or not plot.log_y)
    )


def _ticks(values: Sequence[float]) -> tuple[float, ...]:
    """Return the multiples of powers of ten at which a logarithmic axis has ticks."""
    return (1.0,) if max(values) >= WIDE * min(values) else (1.0, 2.0, 5.0)
