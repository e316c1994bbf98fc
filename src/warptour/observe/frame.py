"""Visits as a pandas DataFrame: the one place that imports pandas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from warptour.model.errors import MissingLibrary
from warptour.model.itinerary import Trip, has_windows
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


def frame_of(problem: TSP | VRP, trips: Sequence[Trip]) -> Any:
    """Return a DataFrame with a row per visit; nodes are counted from 0."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingLibrary("a frame needs pandas: pip install 'warptour[frame]'") from None
    nodes = np.concatenate([trip.nodes for trip in trips]) if trips else np.empty(0, np.int64)
    columns: dict[str, Any] = {}
    if isinstance(problem, VRP):
        columns["route"] = np.concatenate([np.full(len(trip.nodes), trip.number) for trip in trips])
    columns["order"] = np.concatenate([trip.orders for trip in trips])
    columns["node"] = nodes
    if problem.labels is not None:
        columns["name"] = [problem.labels[node] for node in nodes.tolist()]
    if problem.map is not None:
        axes = ["lat", "lon"] if problem.latlon else ["x", "y", "z"]
        columns |= dict(zip(axes, problem.map[nodes].T, strict=False))
    if isinstance(problem, VRP):
        columns["demand"] = problem.demands[nodes]
    columns["leg"] = np.concatenate([trip.legs for trip in trips])
    columns["distance"] = np.concatenate([trip.distances for trip in trips])
    windows = has_windows(problem)
    if problem.clock is not None or windows:
        waits, slack = {"wait": "waits", "start": "starts"}, {"slack": "slack", "late": "late"}
        names = {"duration": "travel", "arrival": "arrivals", **(waits if windows else {}), "departure": "departures"}
        for name, of in (names | (slack if windows else {})).items():
            times = np.concatenate([getattr(trip.times, of) for trip in trips])
            times = np.where(np.isinf(times), np.nan, times)
            columns[name] = times if problem.clock is None else pd.to_timedelta(np.round(times, 3), unit="s")
    if isinstance(problem, VRP):
        columns["load"] = np.concatenate([trip.loads for trip in trips if trip.loads is not None])
    return pd.DataFrame(columns)
