"""Plots: solutions with names and a legend, and the convergence of traces."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

import numpy as np

from warptour.model.itinerary import Trip, itinerary
from warptour.model.metric import Nodes
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.observe import canvas
from warptour.observe.picture import NODE_LIMIT, check_drawable, flat, ink, write_svg
from warptour.observe.progress import format_cost
from warptour.observe.trace_lines import Point
from warptour.observe.wording import route_label, title_of

LABELS: Final = 60
"""Maximum number of nodes with a label each."""
LONGEST_LABEL: Final = 24
"""Maximum characters of a node's label."""
LEGEND_WIDTH: Final = 44
"""Maximum characters in a line of a legend."""
NO_BREAK: Final = "\u00a0"
"""A space at which lines are not broken."""
LEGEND_ROUTES: Final = 24
"""Maximum number of routes in a legend; the rest are counted."""


def write_plot(path: str | PathLike[str], problem: TSP | VRP, solution: Nodes | Routes) -> None:
    """Draw a solution to an ``.svg``, ``.png`` or ``.pdf``.

    Without Matplotlib, or with more nodes than it handles well, an ``.svg`` is drawn plainly: lines and dots.
    """
    plain = problem.n > NODE_LIMIT or not canvas.is_installed()
    if Path(fspath(path)).suffix.lower() == ".svg" and plain:
        write_svg(path, problem, solution)
        return
    wide = isinstance(problem, VRP)
    with canvas.figure(10.0 if wide else 8.0, 7.0) as (drawn, axes):
        draw_solution(axes, problem, solution)
        canvas.save(path, drawn)


def check_plot(path: str, problem: TSP | VRP) -> None:
    """Raise if :func:`write_plot` cannot draw this problem: it has no coordinates, or Matplotlib is missing."""
    check_drawable(problem)
    if Path(path).suffix.lower() != ".svg":
        canvas.library()


def draw_solution(axes: Any, problem: TSP | VRP, solution: Nodes | Routes) -> None:
    """Draw a tour or routes to Matplotlib axes."""
    places, stretch = flat(problem)
    trips = itinerary(problem, solution)
    size = float(np.clip(40 / math.sqrt(problem.n), 0.8, 5.0))
    width = float(np.clip(12 / math.sqrt(problem.n), 0.3, 1.6))
    for trip in trips:
        x, y = places[trip.nodes].T
        label = None
        if isinstance(problem, VRP) and trip.number <= LEGEND_ROUTES:
            label = _wrapped(route_label(problem, trip))
        axes.plot(x, y, "o-", color=ink(trip.number - 1), linewidth=width, markersize=size, label=label)
    if isinstance(problem, VRP):
        for depot in problem.depots:
            x, y = places[depot]
            axes.plot(x, y, "s", color="#222", markersize=9, label=f"depot: {_name(problem, depot)}")
    else:
        first = int(trips[0].nodes[0])
        x, y = places[first]
        axes.plot(x, y, "o", color="#222", markersize=size + 3, label=f"start: {_name(problem, first)}")
    if problem.n <= LABELS:
        orders = {node: order for trip in trips for node, order in zip(*_visits(trip), strict=True)}
        for node, (x, y) in enumerate(places.tolist()):
            order = f"{orders[node]} " if problem.labels and node in orders else ""
            text = order + _name(problem, node)
            axes.annotate(text, (x, y), textcoords="offset points", xytext=(4, 4), fontsize=7, color="#333")
        axes.margins(x=0.12)
    _legend(axes, len(trips) if isinstance(problem, VRP) else 0)
    axes.set_aspect(stretch)
    on_earth = problem.on_earth
    axes.set(xlabel="longitude" if on_earth else "x", ylabel="latitude" if on_earth else "y")
    axes.set_title(title_of(problem, solution), fontsize=10)
    axes.grid(alpha=0.25)


def write_convergence(
    path: str | PathLike[str],
    traces: Mapping[str, Sequence[Point]],
    best: float | None = None,
    *,
    log_time: bool = False,
) -> None:
    """Plot the cost of one or more runs over time; with ``best``, the gap to it in percent.

    Lower bounds, where a trace has them, are dashed lines.
    """
    with canvas.figure(7.5, 4.5) as (drawn, axes):
        end = max(point.seconds for points in traces.values() for point in points)
        for number, (name, points) in enumerate(traces.items()):
            colour = ink(number)
            times = [point.seconds for point in points] + [end]
            costs = [_gap(point.cost, best) for point in points]
            axes.step(times, [*costs, costs[-1]], where="post", color=colour, label=name.lstrip("_") or name)
            bounded = [point for point in points if point.lower_bound is not None]
            if bounded:
                bounds = [_gap(point.lower_bound or 0.0, best) for point in bounded]
                axes.step([point.seconds for point in bounded], bounds, "--", where="post", color=colour, linewidth=0.9)
        if any(point.lower_bound is not None for points in traces.values() for point in points):
            axes.plot([], [], "--", color="#222", linewidth=0.9, label="lower bound")
        if log_time:
            positive = [point.seconds for points in traces.values() for point in points if point.seconds > 0]
            canvas.logarithmic(axes, "x", positive or [1.0])
        axes.set(xlabel="seconds", ylabel="cost" if best is None else f"% above {format_cost(best)}")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        axes.grid(alpha=0.3)
        if len(axes.get_legend_handles_labels()[1]) > 1:
            axes.legend(fontsize=8)
        canvas.save(path, drawn)


def _visits(trip: Trip) -> tuple[list[int], list[int]]:
    """Return the nodes of a trip and their orders, without depot and return."""
    return trip.nodes[trip.stops].tolist(), trip.orders[trip.stops].tolist()


def _gap(cost: float, best: float | None) -> float:
    return cost if best is None else 100.0 * (cost - best) / abs(best)


def _wrapped(label: str) -> str:
    """Return a label in lines of at most :data:`LEGEND_WIDTH` letters, broken after commas."""
    lines = textwrap.wrap(re.sub(r"(?<!,) ", NO_BREAK, label), LEGEND_WIDTH, break_long_words=False)
    return "\n".join(lines).replace(NO_BREAK, " ")


def _legend(axes: Any, routes: int) -> None:
    outside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)} if routes else {"loc": "best"}
    title = f"{LEGEND_ROUTES} of {routes} routes" if routes > LEGEND_ROUTES else None
    axes.legend(fontsize=8, title=title, **outside)


def _name(problem: TSP | VRP, node: int) -> str:
    name = problem.labels[node] if problem.labels is not None and problem.labels[node] else str(node + 1)
    name = " ".join(name.split())
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1] + "…"
