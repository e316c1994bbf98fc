"""Gap over time: a panel for each problem, a curve for each solver with the spread of its runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from os import PathLike
from typing import Any, Final

import numpy as np

from warptour.compare.report import ComparisonReport
from warptour.compare.run import JudgedRun
from warptour.compare.summary import Base, gap_of
from warptour.model.metric import Floats
from warptour.observe import canvas
from warptour.observe.picture import ink

TIMES: Final = 300
"""Points of a curve."""
FIRST_SHARE: Final = 0.01
"""The axis of time begins at this share of the shortest limit."""
LINEAR: Final = 0.01
"""Percent below which the axis of gaps is linear, so that it can have a zero."""
COLUMNS: Final = 2


def write_plot(path: str | PathLike[str], report: ComparisonReport) -> None:
    """Draw the runs of a report to an ``.svg``, ``.png`` or ``.pdf``.

    Curves are medians over the seeds of the longest limit, where a solver reports its costs during a run; the shaded
    area is from the best to the worst run. A dot with a bar is the median and the spread at the end of the runs, at the
    time that they used.
    """
    names = [name for name in report.problems if any(run.instance == name for run in report.runs)] or [""]
    columns = min(len(names), COLUMNS)
    rows = math.ceil(len(names) / columns)
    with canvas.figure(7.0 * columns, 4.5 * rows) as (drawn, axes):
        drawn.delaxes(axes)
        panels = drawn.subplots(rows, columns, squeeze=False).ravel().tolist()
        for panel in panels[len(names) :]:
            drawn.delaxes(panel)
        for panel, name in zip(panels, names, strict=False):
            runs = [run for run in report.runs if run.instance == name]
            if runs:
                _draw(panel, name, runs, report.bases()[name])
                panel.set_xlabel(report.time())
        canvas.save(path, drawn)


def _draw(axes: Any, name: str, runs: Sequence[JudgedRun], base: Base) -> None:
    """Draw the panel of one problem."""
    limits = sorted({run.seconds for run in runs})
    times = np.geomspace(FIRST_SHARE * limits[0], limits[-1], TIMES)
    for number, solver in enumerate(dict.fromkeys(run.solver for run in runs)):
        answered = [run for run in runs if run.solver == solver and gap_of(run.cost, base, run.routes) is not None]
        longest = [run for run in answered if run.seconds == limits[-1] and run.curve]
        if longest:
            _draw_curve(axes, np.array([_sampled(run, base, times) for run in longest]), times, ink(number))
        for limit in limits:
            _draw_end(axes, [run for run in answered if run.seconds == limit], base, ink(number))
        label = solver if answered else f"{solver}: no answer"
        axes.plot([], [], "o-", color=ink(number), markersize=4, label=label)
    canvas.logarithmic(axes, "x", [times[0], times[-1]])
    lowest = min((gap for run in runs if (gap := gap_of(run.cost, base, run.routes)) is not None), default=0.0)
    if lowest > LINEAR:
        canvas.logarithmic(axes, "y", [lowest, axes.dataLim.y1])
    else:
        axes.set_yscale("symlog", linthresh=LINEAR)
        axes.set_ylim(bottom=lowest - LINEAR / 4)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_title(name, fontsize=10)
    axes.set_ylabel(f"% above the {base.origin}")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def _draw_curve(axes: Any, gaps: Floats, times: Floats, colour: str) -> None:
    """Draw the median and the spread of gaps, shape (runs, times), from where half of the runs have a solution."""
    middle, most = np.median(gaps, axis=0), gaps.max(axis=0)
    shown = np.isfinite(middle)
    most = np.where(np.isfinite(most), most, middle)
    axes.plot(times[shown], middle[shown], color=colour)
    axes.fill_between(times[shown], gaps.min(axis=0)[shown], most[shown], color=colour, alpha=0.18, linewidth=0)


def _draw_end(axes: Any, runs: Sequence[JudgedRun], base: Base, colour: str) -> None:
    """Draw the median and the spread of the gaps at the end of runs with one limit."""
    if runs:
        gaps = np.array([gap_of(run.cost, base, run.routes) for run in runs], dtype=float)
        middle, at = float(np.median(gaps)), float(np.median([run.used for run in runs]))
        bar = [[middle - gaps.min()], [gaps.max() - middle]]
        axes.errorbar([at], [middle], yerr=bar, fmt="o", color=colour, capsize=3, ms=4)


def _sampled(run: JudgedRun, base: Base, times: Floats) -> Floats:
    """Return the gap of a run at each time, infinite before its first solution."""
    reached = np.array([seconds for seconds, _ in run.curve])
    gaps = np.array([math.inf, *(gap_of(cost, base) for _, cost in run.curve)], dtype=float)
    return np.asarray(gaps[np.searchsorted(reached, times, side="right")])
