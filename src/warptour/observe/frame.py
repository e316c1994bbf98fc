"""Visits as a pandas DataFrame: the one place that imports pandas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from warptour.model.errors import MissingLibrary
from warptour.model.itinerary import Trip
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
    if problem.clock is not None:
        for name, of in (("duration", "travel"), ("arrival", "arrivals"), ("departure", "departures")):
            seconds = np.concatenate([getattr(trip.times, of) for trip in trips])
            columns[name] = pd.to_timedelta(np.round(seconds, 3), unit="s")
    if isinstance(problem, VRP):
        columns["load"] = np.concatenate([trip.loads for trip in trips if trip.loads is not None])
    return pd.DataFrame(columns)
