"""Line and scatter plots for the documentation; needs ``pip install matplotlib``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

Points: TypeAlias = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Axes:
    """Axis labels, and which axes are logarithmic."""

    x: str
    y: str
    title: str
    log_x: bool = False
    log_y: bool = False


def draw(output: Path, lines: Mapping[str, Points], axes: Axes, *, joined: bool = True) -> None:
    """Write an SVG with one line, or one scatter series, per name."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": "warptour", "font.family": "sans-serif"}):
        figure, area = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
        for name, points in lines.items():
            x, y = zip(*sorted(points), strict=True)
            area.plot(x, y, "o-" if joined else "o", label=name, markersize=4)
        if axes.log_x:
            area.set_xscale("log", base=2)
            area.xaxis.set_major_formatter("{x:g}")
        if axes.log_y:
            area.set_yscale("log")
            area.yaxis.set_major_formatter("{x:g}")
        area.set(xlabel=axes.x, ylabel=axes.y, title=axes.title)
        area.grid(alpha=0.3)
        if len(lines) > 1:
            area.legend()
        figure.savefig(output, metadata={"Date": None})
        plt.close(figure)
