"""``read``: a problem from a file or a specification."""

from __future__ import annotations

import csv
import os
import re
import sys
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from os import PathLike, fspath
from pathlib import Path
from typing import Final, get_args

import numpy as np

from warptour.io.arrays import MAGIC, read_npy
from warptour.io.cordeau import is_cordeau, read_cordeau
from warptour.io.files import open_regular
from warptour.io.fleets import read_fleet, with_fleet
from warptour.io.generate import from_spec
from warptour.io.json_problem import read_json
from warptour.io.li_lim import HEAD, is_li_lim, read_li_lim
from warptour.io.matrix import Stops, read_square
from warptour.io.options import (
    WORKING_TIME,
    TravelOptions,
    VehicleOptions,
    as_path,
    over_matrix,
    with_backhauls,
    with_balance,
    with_lifo,
    with_max_ride,
    with_max_trips,
    with_times,
    with_windows,
)
from warptour.io.own_ways import OwnWays
from warptour.io.solomon import is_solomon, read_solomon
from warptour.io.source import STANDARD_INPUT, UTF_8_MARK, display_name, load_lines, quote
from warptour.io.stops import find_depot, named_places, read_sheet
from warptour.io.tsplib import read_tsplib
from warptour.model.audience import addressed, as_files_count
from warptour.model.errors import InputError, InputWarning, UsageError
from warptour.model.metric import Rounding, Scaling
from warptour.model.problem import TSP
from warptour.model.scaling import FACTORS, scaled
from warptour.model.vehicles import VRP

SUFFIXES: Final = (".tsp", ".atsp", ".vrp", ".txt", ".csv", ".tsv", ".xlsx", ".npy", ".json")
TSPLIB: Final = (".tsp", ".atsp", ".vrp")
SHEETS: Final = (".csv", ".tsv", ".xlsx")
ROUNDINGS: Final = (*(name for name in get_args(Rounding) if name != "geo"), *FACTORS)

PEEKED: Final = 512
"""Bytes of standard input that are examined to tell its format."""
KEYWORD: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*[A-Z_]+(?:[ \t]*:|_SECTION\b)")
"""First line of a TSPLIB file."""

MAX_BEST: Final = 2**24
"""Maximum size in bytes of a ``best.csv`` that is read."""


def read(
    source: str | PathLike[str],
    *,
    rounding: Rounding | Scaling | None = None,
    latlon: bool | None = None,
    capacity: float | None = None,
    max_distance: float | None = None,
    service_time: float | None = None,
    vehicles: int | None = None,
    fixed_cost: float | None = None,
    depot: int | str | Sequence[int | str] | None = None,
    fleet: str | PathLike[str] | None = None,
    shift: str | None = None,
    hour_cost: float | None = None,
    late_cost: float | None = None,
    max_wait: float | None = None,
    balance: str | None = None,
    backhauls: str | None = None,
    lifo: bool = False,
    max_ride: float | None = None,
    max_trips: int | None = None,
    open: bool = False,
    columns: Mapping[str, str] | None = None,
    ignore: Collection[str] = (),
    matrix: str | PathLike[str] | None = None,
    durations: str | PathLike[str] | None = None,
    speed: float | None = None,
    roads: str | PathLike[str] | None = None,
    profile: str | None = None,
    snap: float | None = None,
    traffic: str | PathLike[str] | None = None,
    osrm: str | None = None,
    valhalla: str | None = None,
    unit: str | None = None,
    service_minutes: float | None = None,
    max_hours: float | None = None,
    minimize: str | None = None,
    depart: str | None = None,
    decimal: str | None = None,
) -> TSP | VRP:
    """Read a problem.

    Parameters
    ----------
    source : str or path-like
        A TSPLIB ``.tsp`` or ``.atsp`` file, a CVRPLIB ``.vrp``, a ``.txt`` as Solomon's, a ``.csv``, ``.tsv`` or
        ``.xlsx`` of stops, an ``.npy`` of points or distances, VROOM's ``.json``, or a specification such as
        ``uniform:1000:7`` for a generated instance (kind, number of nodes, seed). ``-`` is standard input.
    rounding : {"none", "nearest", "ceil", "floor", "dimacs", "exact"}, optional
        Rounding of distances, instead of the metric's own. ``dimacs`` multiplies every distance, time, limit and cost
        by 10 and truncates, ``exact`` multiplies by 1,000 and rounds to nearest.
    latlon : bool, optional
        Whether the coordinates of a table are degrees: columns x,y are then longitude and latitude; two columns without
        a header, or of an array, latitude and longitude. By default they are not, with a warning if they look like
        degrees.
    capacity, max_distance, service_time, vehicles, fixed_cost : number, optional
        Vehicle capacity, limit on a route's length including service times, service time at each customer, maximum
        number of routes, and cost per route. They override a ``.vrp`` file.
    depot : int, str or sequence of them, optional
        The depot's name, or its node number from 1 as in files; by default the first row of a table. Several depots of
        a table have as many vehicles each.
    fleet : path-like, optional
        A table of vehicles that differ: name, count, capacity, start, end, shift_from, shift_to, max_hours, max_km,
        max_stops, fixed_cost, cost_km, cost_hour, skills. By default the sheet ``vehicles`` of a workbook.
    shift : str, optional
        When vehicles may leave and must be back, ``"08:00-17:00"``, within the hours of the depot. Without travel times
        numbers in the unit of the distances, ``"0-230"``, as are those of the next three.
    hour_cost, late_cost : float, optional
        Cost of an hour that a vehicle is out, and of an hour that a stop begins late; without it none may be late.
    max_wait : float, optional
        Limit on the wait at a stop, in minutes.
    balance : {"hours", "stops", "load", "km"}, optional
        What of the largest route is minimised first, then the cost; needs a number of vehicles.
    backhauls : {"last", "after-deliveries"}, optional
        Whether all deliveries of a route come before its pickups, and whether besides no route has pickups alone.
    lifo : bool
        Whether the goods of shipments are unloaded last in, first out.
    max_ride : float, optional
        Limit on the time from the end of a pickup to the start of its delivery, in minutes; without travel times in the
        unit of the distances. A table may have one for each shipment.
    max_trips : int, optional
        How often each vehicle may be loaded and go out; 1 by default.
    open : bool
        Whether routes end at their last customer, and a tour at its last city.
    columns : mapping, optional
        Headers of a table's columns where its words are not recognised: ``{"lat": "GPS Lat", "demand": "Qty"}``. The
        columns are name, place (latitude and longitude in one), lat, lon, x, y, z, demand, service_minutes,
        service_time, opens, closes, windows, release and pickup.
    ignore : collection of str, optional
        Columns of a table not to use, by their headers or as above: ``["demand"]`` makes one tour of all stops, and
        ``["Opening hours"]`` plans without them.
    matrix : path-like, optional
        Distances between the stops from row to column, which may differ there and back: an ``.npy``, a ``.csv`` or
        ``.xlsx`` of numbers, OSRM's JSON, or a TSPLIB matrix. Beside latitudes and longitudes they are in metres.
        ``"van=van.npy,truck=truck.npy"`` has one for each of several types of vehicles; others have the first.
    durations : path-like, optional
        Travel times in seconds, in such a file or files.
    speed : float, optional
        Speed in km/h, for travel times, instead.
    roads : path-like, optional
        An OpenStreetMap extract, ``.osm.pbf``: distances and travel times are those along its streets.
    profile : str, optional
        Who drives there: ``car`` (the default), ``van``, ``truck``, ``bicycle``, ``foot``, or a ``.toml`` like theirs.
    snap : float, optional
        How far a stop may be from its street, in metres; 1,000 by default.
    traffic : path-like, optional
        A ``.csv`` of factors on the speed by hour and class of street.
    osrm, valhalla : str, optional
        URL of a server to ask for distances and travel times instead.
    unit : str, optional
        Unit of the distances where the file does not say it: m, km, miles, ...
    service_minutes : float, optional
        Time spent at each stop but the depot or, in a tour, the first row.
    max_hours : float, optional
        Limit on the travel and service time of a route.
    minimize : {"distance", "duration"}, optional
        What the cost is.
    depart : str, optional
        Time of departure, ``"08:00"``; with time windows, the earliest.
    decimal : {",", "."}, optional
        Decimal sign of spreadsheets, where 1,234 or 1.234 may be a thousand.

    Returns
    -------
    TSP or VRP
        With ``best_known`` if a ``best.csv`` beside the file has its value for the rounding in use, and with what it
        warns of as ``warnings``.

    Raises
    ------
    InputError
        If the file is not a valid problem; with the fault, its line, and the expected input.
    UsageError
        If an option is invalid.

    Warns
    -----
    InputWarning
        If a table has unused columns, hidden rows or further sheets, stops that are there twice, or coordinates that
        are probably mistakes.
    """
    if rounding is not None and rounding not in ROUNDINGS:
        raise UsageError(f"unknown rounding {quote(str(rounding))}; there are {', '.join(ROUNDINGS)}")
    options = VehicleOptions(
        capacity=capacity, max_distance=max_distance, service_time=service_time,
        vehicles=vehicles, fixed_cost=fixed_cost, depot=[depot] if isinstance(depot, int | str) else depot, fleet=fleet,
        shift=shift, hour_cost=hour_cost, late_cost=late_cost,
        max_wait=max_wait, balance=balance, backhauls=backhauls, lifo=lifo or None,
        max_ride=max_ride, max_trips=max_trips,
    )  # fmt: skip
    options.check()
    travel = TravelOptions(
        roads=roads, profile=profile, snap=snap, traffic=traffic, osrm=osrm, valhalla=valhalla, matrix=matrix,
        durations=durations, speed=speed, max_hours=max_hours, service_minutes=service_minutes, depart=depart,
        minimize=minimize, unit=unit, decimal=decimal,
    ).checked()  # fmt: skip
    if not isinstance(source, str | PathLike):
        raise UsageError(f"a problem is read from a path or a word, not from {type(source).__name__}")
    name, ignored, notes = fspath(source), [ignore] if isinstance(ignore, str) else ignore, list[str]()
    with errors_of(name), as_files_count():
        travel, own = OwnWays.of(travel)
        problem = _read_any(name, options, latlon, notes, columns or {}, ignored, travel)
        problem = own.over(problem, display_name(name), notes, travel.decimal)
        if travel.timed and service_time is not None and isinstance(problem, VRP) and problem.max_distance is None:
            raise UsageError(
                "--service-time is in the unit of the distances and counts against --max-distance; "
                "minutes are --service-minutes"
            )
        if rounding is not None and problem.request is not None:
            raise UsageError(f"{display_name(name)} has whole seconds; rounding (--rounding) is for coordinates")
        problem = with_max_ride(problem, options, display_name(name))
        rounded = _rounded(problem, rounding)
        if not (latlon or options.given() or travel.given().items() - {("minimize", "vehicles")}):
            rounded = with_best(rounded, name, original=rounded.metric == problem.metric)
        problem = with_balance(as_path(rounded, open, None, None), options, display_name(name))
        for later in (with_backhauls, with_lifo, with_max_trips):
            problem = later(problem, options, display_name(name))
    notes = [*map(addressed, notes)]
    if notes:
        problem = replace(problem, warnings=tuple(notes))
    for note in notes:
        warnings.warn(note, InputWarning, stacklevel=2)
    return problem


def _rounded(problem: TSP | VRP, rounding: Rounding | Scaling | None) -> TSP | VRP:
    if rounding == "dimacs" or rounding == "exact":
        return scaled(problem, rounding)
    return problem if rounding is None else problem.rounded(rounding)


@contextmanager
def errors_of(name: str) -> Iterator[None]:
    """Let errors that name no file, or standard input, name the one that is read."""
    try:
        yield
    except InputError as error:
        if error.path not in (None, STANDARD_INPUT):
            raise
        raise InputError(error.message, display_name(name), error.line) from None
    except MemoryError:
        raise InputError("is too large for the free memory", name) from None


def _read_any(
    name: str,
    options: VehicleOptions,
    latlon: bool | None,
    notes: list[str],
    columns: Mapping[str, str],
    ignore: Collection[str],
    travel: TravelOptions,
) -> TSP | VRP:
    """Return the problem in a file, on standard input or of a specification, with what the options change in it."""
    generated = None if os.path.exists(name) else from_spec(name)
    suffix = _suffix_of_input() if name == STANDARD_INPUT else Path(name).suffix.lower()
    shown, sheet = display_name(name), generated is None and suffix in SHEETS
    if latlon and (generated is not None or suffix in (*TSPLIB, ".txt")):
        raise UsageError(f"{shown} says how it is measured; latlon (--latlon) is for {', '.join(SHEETS)} and .npy")
    if (columns or ignore) and not sheet:
        raise UsageError(f"{shown} has no columns to choose or ignore; {', '.join(SHEETS)} have")
    if travel.decimal and not sheet and not (travel.matrix or travel.durations):
        raise UsageError(f"{shown} is no spreadsheet, so it needs no decimal sign (--decimal)")
    if sheet:
        problem = read_sheet(name, options, latlon, notes, columns, ignore, travel)
        return problem if isinstance(problem, VRP) else _with_options(problem, options, shown)
    if suffix == ".json" and generated is None:
        return read_json(name, options, travel, latlon, notes)
    other = _read_file(name, suffix, latlon, notes) if generated is None else generated
    if travel.timed and isinstance(other, VRP) and other.windows is not None:
        fault = "has time windows in the unit of its distances, which are its travel times; leave out"
        raise UsageError(f"{shown} {fault} {'--speed' if travel.speed is not None else '--durations'}")
    other = _with_options(other, options, shown)
    stops = Stops(shown, other.n, other.labels)
    matrix = read_square(travel.matrix, "distances", stops, notes, travel.decimal)
    other = over_matrix(other, matrix, travel, notes)
    planned = with_windows(with_times(other, travel, shown, None, notes), options, shown, None, notes)
    if options.fleet is None or not isinstance(planned, VRP):
        return planned
    if planned.fleet is not None:
        raise UsageError(f"{shown} has a fleet of its own (--fleet)")
    table = read_fleet(options.fleet, notes)
    base = planned.common_type
    return with_fleet(planned, table, base, named_places(table, [planned.depot], planned.labels, planned.n))


def _read_file(name: str, suffix: str, latlon: bool | None, notes: list[str]) -> TSP | VRP:
    """Return the problem in a file that is no spreadsheet, or raise :class:`InputError` if its suffix is of none."""
    if suffix == ".npy":
        return read_npy(name, latlon, notes)
    if suffix in TSPLIB:
        return read_tsplib(name)
    if suffix == ".txt":
        return _read_text(name)
    if suffix in (".tour", ".sol", ".geojson"):
        raise InputError(f"is a solution by its suffix; a problem is one of {', '.join(SUFFIXES)}", name)
    if suffix in (".gz", ".zip", ".bz2", ".xz", ".zst"):
        raise InputError("is compressed by its suffix; unpack it first", name)
    if suffix in (".xls", ".xlsm", ".xlsb", ".ods", ".numbers"):
        raise InputError(f"a spreadsheet is read as {', '.join(SHEETS)}; save it as one of these", name)
    raise InputError(f"is no problem by its suffix; known are {', '.join(SUFFIXES)}, or a word like uniform:9:1", name)


def _read_text(name: str) -> TSP | VRP:
    """Read a ``.txt``: its contents say what it is."""
    data = _peeked() if name == STANDARD_INPUT else load_lines(name) if os.path.isfile(name) else b""
    if is_li_lim(data):
        return read_li_lim(name)
    if is_cordeau(data):
        return read_cordeau(name)
    return read_tsplib(name) if KEYWORD.match(data) else read_solomon(name)


def _suffix_of_input() -> str:
    """Return the suffix that what is on standard input would have in a file."""
    head = _peeked()
    if head.startswith(MAGIC):
        raise InputError("an array cannot be piped; give the .npy file", display_name(STANDARD_INPUT))
    text = HEAD.match(head) or is_cordeau(head) or is_solomon(head)
    if head.removeprefix(UTF_8_MARK).lstrip().startswith(b"{"):
        return ".json"
    return ".tsp" if KEYWORD.match(head) else ".txt" if text else ".csv"


def _peeked() -> bytes:
    """Return how standard input begins, without reading it."""
    peek = None if sys.stdin is None or sys.stdin.isatty() else getattr(sys.stdin.buffer, "peek", None)
    return b"" if peek is None else peek(PEEKED)[:PEEKED]


def _with_options(problem: TSP | VRP, options: VehicleOptions, name: str) -> TSP | VRP:
    """Return a problem with user options overriding its file."""
    given = options.given()
    for later in ("balance", "backhauls", "lifo", "max_ride", "max_trips"):
        given.pop(later, None)
    if not given:
        return problem
    if not isinstance(problem, VRP):
        what = " and ".join(given)
        raise UsageError(f"{name} has no demands, so {what} cannot apply; a .vrp or a column demand in a .csv has them")
    if problem.fleet is not None and given.keys() - {"depot", "fleet", "late_cost", "max_wait"}:
        what = " and ".join(sorted(given.keys() - {"depot", "fleet", "late_cost", "max_wait"}))
        raise UsageError(f"{name} has vehicles that differ, each with its own limits and costs, so {what} cannot apply")
    given = {option: value for option, value in given.items() if option not in (*WORKING_TIME, "fleet")}
    if "depot" in given:
        depots = [find_depot(each, problem.labels, problem.n, name) for each in options.places]
        if depots != [problem.depot]:
            raise UsageError(f"{name} names its own depot, {problem.depot + 1}")
        del given["depot"]
    if "service_time" in given:
        services = np.full(problem.n, float(options.service_time or 0))
        services[problem.depot] = 0
        del given["service_time"]
        given["service_times"] = services
    return replace(problem, **given)


def with_best(problem: TSP | VRP, name: str, table: str | None = None, *, original: bool) -> TSP | VRP:
    """Return a problem with its best known cost, if a table has it for the rounding in use.

    ``name``: The file that it was read from. Rows are matched by it before NAME, which may be another file's (linhp318
        calls itself lin318).
    ``table``: a table with the columns ``name`` and ``best`` or ``cost``; by default the ``best.csv`` beside the file
    ``original``: Whether the metric is the file's own: a row without a rounding applies to that. A table may have
        ``cost`` in place of ``best``, as those of problems with time windows do.
    """
    path = Path(name)
    best = _best_known(path, Path(table) if table else path.parent / "best.csv", problem, original=original)
    return problem if best is None else replace(problem, best_known=best)


def _best_known(path: Path, table: Path, problem: TSP | VRP, *, original: bool) -> float | None:
    try:
        with open_regular(table) as file:
            text = StringIO(file.read(MAX_BEST).decode("utf-8-sig"), newline="")
        rows = {
            row["name"]: row for row in csv.DictReader(text) if row.get("name") and (row.get("best") or row.get("cost"))
        }
    except (OSError, ValueError, csv.Error):
        return None
    row = rows.get(path.stem) or rows.get(problem.name)
    if row is None:
        return None
    value = row.get("best") or row["cost"]
    try:
        nodes = int(row["n"]) if row.get("n") else int(row["customers"]) + 1 if row.get("customers") else problem.n
        best = float(value)
    except ValueError:
        return None
    rounding = (row.get("rounding") or "").split()[:1] or ([] if row.get("best") else _rounding_of_cost(path, value))
    scaling = problem.metric.name.rpartition("/")[2]
    fits = (scaling if scaling in FACTORS else problem.metric.rounding) in rounding if rounding else original
    if nodes != problem.n or not fits or not np.isfinite(best):
        return None
    return int(best) if best == int(best) and problem.metric.integral else best


def _rounding_of_cost(path: Path, cost: str) -> list[str]:
    """Return the rounding that goes with a ``cost`` of a table that does not say it.

    Of Solomon's and Homberger's problems, DIMACS's costs are whole, and SINTEF's, of unrounded distances, are not.
    """
    if path.suffix.lower() != ".txt":
        return ["unknown"]
    return ["none"] if "." in cost else ["dimacs"]
