"""Times on routes as integers for other programs: what is feasible in them is feasible."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.metric import Floats, Ints
from warptour.model.schedule import Schedule
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

RESOLUTION: Final = 10
"""Unrounded amounts keep their unit if the largest is at most this many times below what a program is given."""
CHEAPEST: Final = 0.01
"""Lowest price of a unit of time in units of distance: coarser units of time have a higher one."""
ROUNDING: Final = 1e-9
"""What a number may be above an integer and still be that, relative to its size and at least to 1."""


def timetable_of(problem: VRP) -> Schedule | None:
    """Return the schedule of a problem, or its limit on routes as the limit on durations of one without windows."""
    if problem.schedule is not None or not problem.limits:
        return problem.schedule
    limit = problem.limits[0]
    services = np.where(np.arange(problem.n) == problem.depot, 0.0, limit.services)
    return Schedule(TimeWindows.always(problem.n), services, limit.travel, longest=limit.most)


def scale_of(found: float, longest: float, *, exact: bool, tens: bool) -> float:
    """Return by what amounts are multiplied, of which ``found`` is the largest, so that it is at most ``longest``.

    ``exact``: whether they are integers, which stay if they fit. ``tens``: whether the factor is a power of ten.
    """
    if found <= longest and (exact or found >= longest / RESOLUTION):
        return 1.0
    factor = longest / max(found, ROUNDING)
    return 10.0 ** math.floor(math.log10(factor) + ROUNDING) if tens else factor


def time_tables(
    problem: VRP, times: Schedule, order: NDArray[np.int32], scale: float, longest: int, speeds: Sequence[float]
) -> tuple[dict[str, Any], float, str]:
    """Return tables of integers, nodes in ``order``, the depots first; what times are multiplied by; that in words.

    Travel, services and openings are rounded up, closings down. ``scale`` is that of the distances, and of times unless
    they have a unit of their own.

    - ``durations``: of legs at each of ``speeds``; what a vehicle does before it leaves is part of its leg
    - ``services``: at customers
    - ``window_nodes``, ``windows``: each window of a node, by nodes; those that are always open end at the horizon
    - ``horizon``: a time by which all ends
    - ``releases``: when the goods of each customer are at the depot, if that matters
    """
    schedules = (times,) if problem.fleet is None or problem.schedule is None else problem.schedules
    unit = _time_scale(times, min((each.per_time for each in schedules if each.per_time), default=0.0), scale, longest)
    services, depots = _up(unit * times.services[order]), len(problem.depots)
    durations, exact = np.empty((len(speeds), problem.n, problem.n), np.int64), True
    for place in range(problem.n):
        here = order[place : place + 1]
        legs = problem.distances(here, order) if times.travel is None else times.travel[here, order]
        for at, speed in enumerate(speeds):
            row = unit * np.asarray(legs, np.float64).reshape(-1) / speed
            durations[at, place] = _up(row)
            exact = exact and _whole(row)
    durations[:, :depots] += services[:depots, None]
    durations[:, range(problem.n), range(problem.n)] = 0
    services[:depots] = 0
    windows = times.windows
    finite = windows.closes[np.isfinite(windows.closes)]
    latest = max(float(windows.opens.max()), float(finite.max(initial=0.0)))
    horizon = math.ceil(unit * latest) + int(services.sum() + durations.max(axis=(0, 2)).sum())
    owners = [place for place, node in enumerate(order) for _ in windows.of_node(int(node))]
    spans = np.array([span for node in order for span in windows.of_node(int(node))])
    tables: dict[str, Any] = {
        "durations": durations, "services": services, "window_nodes": np.array(owners),
        "windows": _inside(unit * spans, horizon), "horizon": horizon,
    }  # fmt: skip
    if times.releases is not None:
        tables["releases"] = _up(unit * times.releases[order])
    told = "likewise" if times.travel is None and unit == scale else f"times {unit:.6g}"
    told = "as in the problem" if told == "times 1" else told
    return tables, unit, told + ("" if exact else ", rounded up")


def _time_scale(times: Schedule, per_time: float, scale: float, longest: int) -> float:
    """Return by what times are multiplied: as distances are, unless they have a table of their own.

    ``per_time`` is their lowest price, 0 if there is none.
    """
    unit = scale
    if times.travel is not None:
        unit = scale_of(float(times.travel.max()), longest, exact=_whole(np.asarray(times.travel)), tens=True)
    return min(unit, scale * per_time / CHEAPEST) if per_time else unit


def _whole(values: Floats) -> bool:
    return bool((values == np.rint(values)).all())


def _up(values: Floats) -> Ints:
    return np.ceil(values - ROUNDING * np.maximum(np.abs(values), 1.0)).astype(np.int64)


def _inside(spans: Floats, horizon: int) -> Ints:
    """Return the integers inside of spans, one near a span that has none; what has no end ends at the horizon."""
    opens = _up(spans[:, 0])
    closes = -_up(-np.minimum(spans[:, 1], horizon))
    return np.column_stack((opens, np.maximum(opens, closes)))
