"""Problems in the JSON of other programs: what a file is by its members, and travel where it has only coordinates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.json_fields import remark
from warptour.io.options import TravelOptions, VehicleOptions, over_matrix, with_times
from warptour.io.pragmatic.problem import problem_of as pragmatic_problem
from warptour.io.pragmatic.request import PragmaticReader, is_pragmatic
from warptour.io.source import STANDARD_INPUT, display_name, load_json
from warptour.io.streets import RoadOptions
from warptour.io.vroom.problem import problem_of
from warptour.io.vroom.request import Travel, is_request, read_request
from warptour.model.clock import HOUR
from warptour.model.errors import InputError, UsageError
from warptour.model.metric import METRICS, Floats
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

OF_TRAVEL: Final = {"speed", *RoadOptions.__annotations__} - {"traffic"}
"""Options that say what travel is between coordinates."""


def read_json(name: str, options: VehicleOptions, travel: TravelOptions, latlon: bool | None, notes: list[str]) -> VRP:
    """Return the problem in a ``.json``; ``notes`` receives a line per possible mistake.

    Raises :class:`InputError` if it is no problem of a kind that is known, with the place of the member that is wrong,
    and :class:`UsageError` for options of what the file says itself.
    """
    shown, content = display_name(name), load_json(name)
    given = [*options.given(), *(travel.given().keys() - OF_TRAVEL), *(["latlon"] if latlon else [])]
    if given:
        option = min(given).replace("_", "-")
        raise UsageError(f"{shown} says itself what there is to plan, so --{option} cannot apply")
    if is_request(content):
        request = read_request(content, shown, lambda spots: _between(spots, travel, shown, notes))
        notes += request.notes
        return problem_of(request, "request" if name == STANDARD_INPUT else Path(name).stem)
    if is_pragmatic(content):
        reader = PragmaticReader(content, shown)
        wanted = reader.read()
        notes += [remark(shown, reader.unused)] if reader.unused else []
        called = "request" if name == STANDARD_INPUT else Path(name).stem
        return pragmatic_problem(wanted, called, lambda spots, pace: _travel(spots, pace, travel, shown, notes), notes)
    if isinstance(content, dict) and "durations" in content:
        raise InputError("is a matrix; give it with --durations or --matrix, beside a table of stops", shown)
    raise InputError("is no problem: VROOM's JSON has vehicles and jobs, and vrp-cli's a plan and a fleet", shown)


def _between(spots: list[tuple[float, float]], travel: TravelOptions, path: str, notes: list[str]) -> Travel:
    """Return the travel between longitudes and latitudes, in whole seconds and metres."""
    if not travel.timed:
        fault = "has coordinates and no matrices; --osrm URL, --roads FILE or --speed KMH say what travel is"
        raise InputError(fault, path)
    places = np.array([(lat, lon) for lon, lat in spots])
    stops = TSP(path, METRICS["GREAT_CIRCLE"], places)
    stops = with_times(over_matrix(stops, None, travel, notes), travel, path, None, notes)
    from_, to = np.indices((stops.n, stops.n))
    durations, distances = (np.rint(of(from_, to)).astype(np.int64) for of in (stops.durations, stops.road_lengths))
    return durations, distances, None


def _travel(
    places: Floats, pace: float, travel: TravelOptions, path: str, notes: list[str]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return distances and durations between latitudes and longitudes, by default by air at a pace in m/s."""
    stops = TSP(path, METRICS["GREAT_CIRCLE"], places)
    known = travel if travel.timed else replace(travel, speed=pace * HOUR / 1000)
    stops = with_times(over_matrix(stops, None, known, notes), known, path, None, notes)
    from_, to = np.indices((stops.n, stops.n))
    return stops.road_lengths(from_, to), stops.durations(from_, to)
