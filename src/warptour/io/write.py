"""``write_problem``: problem files that ``read`` reads back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Final

import numpy as np

from warptour.io.arrays import array_chunks
from warptour.io.cells import cell_text, number_text
from warptour.io.files import write_atomic
from warptour.io.solution import one_line
from warptour.io.source import quote
from warptour.model.clock import MINUTE
from warptour.model.errors import UsageError
from warptour.model.metric import METRICS, Floats, Ints, Metric
from warptour.model.pickups import LAST
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

NEVER: Final = 2.0**52
"""Closing written for a window that never closes: an integer beyond ``LATEST``, the latest finite closing."""

SUFFIXES: Final = {".tsp": ("tsp",), ".atsp": ("tsp",), ".vrp": ("vrp",), ".csv": ("tsp", "vrp"), ".npy": ("tsp",)}


def write_problem(path: str | PathLike[str], problem: TSP | VRP, comment: str = "") -> None:
    """Write a problem atomically; the suffix of ``path`` selects the format.

    ``.tsp`` and ``.vrp`` keep everything but the names of nodes, and have no words for travel times, open routes,
    prices of lateness and limits on waits. ``.csv`` keeps stops, names, demands and service times, and ``.npy`` keeps
    coordinates (or the distance matrix): neither holds the metric, the vehicles, the travel times or time windows.

    ``path``: ``.tsp`` (TSP), ``.vrp`` (VRP), ``.csv`` or ``.npy``
    ``comment``: text of the file's COMMENT

    Raises :class:`UsageError` if the suffix is unknown or cannot hold the problem, or the file cannot be written.
    """
    name = fspath(path)
    suffix = Path(name).suffix.lower()
    fitting = [known for known, kinds in SUFFIXES.items() if problem.kind in kinds]
    if suffix not in fitting:
        have = f"the suffix {quote(suffix)}" if suffix else "no suffix"
        raise UsageError(f"{name} has {have}; a {problem.kind.upper()} is written as {', '.join(fitting)}")
    if suffix == ".npy":
        write_atomic(path, array_chunks(problem.points))
        return
    lines = _csv_lines(problem) if suffix == ".csv" else _tsplib_lines(problem, comment)
    write_atomic(path, (line.encode("utf-8", "replace") for line in lines))


def _tsplib_lines(problem: TSP | VRP, comment: str) -> Iterator[str]:
    if isinstance(problem, TSP) and problem.open:
        raise UsageError("TSPLIB has no word for an open path; write the closed problem and say open when solving")
    if problem.clock is not None:
        raise UsageError("TSPLIB has no words for travel times and hours; .csv keeps the stops and their service times")
    if isinstance(problem, VRP):
        _check_words(problem)
    word = _metric_word(problem.metric)
    yield f"NAME : {one_line(problem.name)}\n"
    if comment:
        yield f"COMMENT : {one_line(comment)}\n"
    kind = _type_of(problem) if isinstance(problem, VRP) else "ATSP" if problem.asymmetric else "TSP"
    yield f"TYPE : {kind}\nDIMENSION : {problem.n}\nEDGE_WEIGHT_TYPE : {word}\n"
    if isinstance(problem, VRP):
        yield from _vehicle_lines(problem)
    if word == "EXPLICIT":
        yield "EDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n"
        for row in problem.points:
            yield " ".join(map(number_text, row.tolist())) + "\n"
        if problem.display is not None:
            yield from ("DISPLAY_DATA_SECTION\n", *_rows(problem.display))
    else:
        yield "NODE_COORD_SECTION\n"
        yield from _rows(problem.points)
    if isinstance(problem, TSP) and len(problem.fixed_edges):
        edges = "".join(f"{a} {b}\n" for a, b in (problem.fixed_edges + 1).tolist())
        yield f"FIXED_EDGES_SECTION\n{edges}-1\n"
    if isinstance(problem, VRP):
        yield "DEMAND_SECTION\n"
        yield from _rows(problem.demands[:, None])
        if _uniform_service(problem) is None:
            yield from ("SERVICE_TIME_SECTION\n", *_rows(problem.service_times[:, None]))
        if problem.windows is not None:
            yield from _window_lines(problem.windows)
        if problem.releases is not None:
            yield from ("RELEASE_TIME_SECTION\n", *_rows(problem.releases[:, None]))
        if problem.pickups is not None:
            yield from ("BACKHAUL_SECTION\n", *_rows(problem.pickups))
        yield f"DEPOT_SECTION\n{problem.depot + 1}\n-1\n"
    yield "EOF\n"


def _type_of(problem: VRP) -> str:
    """Return the TYPE of a problem of vehicles; that of backhauls says in which order they are."""
    if problem.backhauls is not None:
        return "VRPB"
    return "CVRP" if problem.windows is None else "VRPTW"


def _vehicle_lines(problem: VRP) -> Iterator[str]:
    service = _uniform_service(problem)
    for key, value in (
        ("CAPACITY", problem.capacity),
        ("DISTANCE", problem.max_distance),
        ("SERVICE_TIME", service or None),
        ("VEHICLES", problem.vehicles),
        ("FIXED_COST", problem.fixed_cost or None),
        ("VEHICLES_MAX_DURATION", problem.max_duration),
        ("VEHICLES_UNIT_DURATION_COST", problem.hour_cost or None),
    ):
        if value is not None:
            yield f"{key} : {number_text(value)}\n"


def _check_words(problem: VRP) -> None:
    """Raise :class:`UsageError` for what .vrp cannot say."""
    for given, what in (
        (problem.open, "open routes"),
        (problem.late_cost is not None, "a cost of lateness"),
        (problem.max_wait is not None, "a limit on waits"),
        (problem.backhauls == LAST, "routes of pickups alone beside deliveries that come first"),
        (
            replace(problem, pickups=None).mixed,
            "vehicles that differ, optional customers and several loads, as warptour writes it",
        ),
        (bool(problem.together or problem.apart), "customers that one vehicle serves, or different ones"),
    ):
        if given:
            raise UsageError(f"VRPLIB has no word for {what}; write the problem without, and say so when solving")


def _window_lines(windows: TimeWindows) -> Iterator[str]:
    """Yield the span of each node's windows, of which a closing beyond all times is none, and the gaps in them."""
    yield "TIME_WINDOW_SECTION\n"
    yield from _rows(np.column_stack((windows.opens, np.minimum(windows.closes, NEVER))))
    if windows.several:
        yield "TIME_WINDOW_GAP_SECTION\n"
        for node in range(len(windows.opens)):
            for shuts, opens in windows.gaps_of(node):
                yield f"{node + 1} {number_text(shuts)} {number_text(opens)}\n"


def _uniform_service(problem: VRP) -> float | None:
    """Return the service time common to all customers, if it is 0 at the depot, or None."""
    times = problem.service_times[problem.customers]
    same = problem.service_times[problem.depot] == 0 and (len(times) == 0 or bool((times == times[0]).all()))
    return (float(times[0]) if len(times) else 0.0) if same else None


def _metric_word(metric: Metric) -> str:
    """Return the EDGE_WEIGHT_TYPE of a metric: its own name, or that of an equivalent metric."""
    if metric.norm == "matrix":
        return "EXPLICIT"
    for word, known in METRICS.items():
        same = (known.norm, known.rounding, known.dimensions) == (metric.norm, metric.rounding, metric.dimensions)
        if same and known.divisor == metric.divisor:
            return word
    raise UsageError(f"TSPLIB has no word for the metric {metric.name}; its own rounding has one")


def _rows(values: Floats | Ints) -> Iterator[str]:
    """Yield lines of node number (from 1) and values, in blocks of 4096 nodes."""
    exact = bool((np.floor(values) == values).all() and (np.abs(values) < 2.0**53).all())
    for at in range(0, len(values), 4096):
        part = values[at : at + 4096]
        rows = part.astype(np.int64).tolist() if exact else part.tolist()
        yield "".join(f"{node} {' '.join(map(repr, row))}\n" for node, row in enumerate(rows, at + 1))


def _csv_lines(problem: TSP | VRP) -> Iterator[str]:
    if not (problem.metric.planar or problem.metric.norm == "great_circle"):
        raise UsageError(f"a .csv holds x,y or lat,lon, not {problem.metric.name}; use .tsp or .vrp")
    if isinstance(problem, VRP) and problem.windows is not None:
        raise UsageError("time windows are written as .vrp")
    header = ["lat", "lon"] if problem.metric.norm == "great_circle" else ["x", "y", "z"][: problem.points.shape[1]]
    columns = [[number_text(value) for value in axis] for axis in problem.points.T.tolist()]
    if problem.labels:
        header.insert(0, "name")
        columns.insert(0, [cell_text(label) for label in problem.labels])
    if isinstance(problem, VRP):
        if problem.depot != 0:
            raise UsageError("the depot is the first row of a .csv, and here it is another node; use .vrp")
        header.append("demand")
        columns.append([number_text(value) for value in problem.demands.tolist()])
    clock = problem.clock
    if isinstance(problem, VRP) and (clock is None or problem.service_times.any()):
        header.append("service_time")
        columns.append([number_text(value) for value in problem.service_times.tolist()])
    if clock is not None and clock.services.any():
        header.append("service_minutes")
        columns.append([number_text(value / MINUTE) for value in clock.services.tolist()])
    yield ",".join(header) + "\n"
    for row in zip(*columns, strict=True):
        yield ",".join(row) + "\n"
