"""Problems from tables of stops.

A spreadsheet has a header with ``x,y`` or ``lat,lon`` and optionally ``name``, ``demand``, ``service_minutes``,
``service_time`` and time windows, in any order and case and in several languages; a note lists the unused columns. Two
columns of numbers without a header are ``x,y``. Units in brackets must be consistent. Beside a matrix, stops need no
coordinates.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

import numpy as np

from warptour.io.axes import axes_of, checked_points, unit_of_axes
from warptour.io.choices import ALTERNATIVES, StopChoices, allowed_types, choice_fields, read_shipments
from warptour.io.depots import depots_in_workbook, with_depots
from warptour.io.doubts import (
    note_depots,
    note_duplicates,
    note_long_services,
    note_outliers,
    note_unused,
    row_error,
    stop_name,
)
from warptour.io.fleets import FleetTable, fleet_in_workbook, places_of_types, read_fleet, with_fleet
from warptour.io.headers import (
    LOAD,
    MINUTES,
    PICKUP,
    SECONDS,
    WINDOW_COLUMNS,
    ignoring,
    unit_of,
    unit_seconds,
)
from warptour.io.matrix import Stops, read_square
from warptour.io.options import NO_TRAVEL, TravelOptions, VehicleOptions, over_matrix, with_times, with_windows
from warptour.io.pickups import pickup_fields, read_pickups
from warptour.io.restrictions import WINDOWS, judge_columns, marked_depots
from warptour.io.sheet import Sheet
from warptour.io.source import STANDARD_INPUT, quote
from warptour.io.stop_sheet import DISTANCE, ignored_places, open_stops, unused_columns, without_hidden
from warptour.io.totals import without_totals
from warptour.io.tsplib import whole
from warptour.io.window_columns import WindowColumns, read_releases, read_windows
from warptour.model.clock import METRES
from warptour.model.errors import InputError, UsageError
from warptour.model.metric import Floats, Metric
from warptour.model.mistakes import ADVICE, look_like_degrees
from warptour.model.problem import TSP
from warptour.model.quantities import whole_number
from warptour.model.shipments import Shipment
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

FALLBACK_NAME: Final = "stops"
"""Name of a problem from standard input."""


def read_sheet(
    path: str | PathLike[str],
    options: VehicleOptions,
    latlon: bool | None,
    notes: list[str],
    columns: Mapping[str, str] | None = None,
    ignore: Collection[str] = (),
    travel: TravelOptions = NO_TRAVEL,
) -> TSP | VRP:
    """Read stops from a spreadsheet: a VRP if there is a demand column, otherwise a TSP.

    Latitude and longitude give great-circle distances in metres, x and y unrounded Euclidean distances. The depot is
    the first row unless ``options`` say otherwise. ``notes`` receives one line per input that may be a mistake; for the
    other parameters see :func:`warptour.read`.
    """
    fleet = fleet_in_workbook(path, notes) if options.fleet is None else read_fleet(options.fleet, notes)
    base = depots_in_workbook(path, notes)
    sheet = open_stops(path, latlon, columns or {}, ignore, travel, () if fleet is None else fleet.loads)
    sheet = without_totals(without_hidden(sheet, notes, own_fleet=options.fleet is not None), notes)
    sheet, homes = with_depots(sheet, base, notes)
    loads = _loads(sheet, fleet)
    vehicles = bool(loads) or fleet is not None or options.asks_for_vehicles or travel.max_hours is not None
    vehicles = vehicles or homes > 1
    unwanted = ignored_places(sheet, ignore)
    axes, metric = axes_of(sheet, latlon, alone=travel.matrix is None)
    unit = unit_of_axes(sheet, axes, metric)
    length = "m" if metric.norm == "great_circle" else unit
    services = _service_column(sheet, length, options, travel, notes, vehicles=vehicles)
    extra = [*loads, *([services] if services in sheet.columns else [])]
    labels = sheet.labels("name") if "name" in sheet.columns else None
    numbers = [*axes, *extra]
    values = sheet.numbers(numbers, optional=extra) if numbers else np.empty((len(labels or ()), 0))
    unused = unused_columns(sheet, numbers, unwanted)
    kinds, marked = marked_depots(sheet, unused)
    own = [*range(1, homes + 1), *(row + 1 for row in marked)]
    given = own if own and options.depot is None else options.places
    depots = [find_depot(each, labels, len(values), sheet.path) for each in given] if vehicles else [0]
    depot, places = depots[0], named_places(fleet, depots, labels, len(values))
    depots = sorted({*depots, *(place for ends in places for place in ends if place is not None)})
    note_depots(sheet, marked, depots if vehicles else [], labels, notes, asked=options.depot is not None)
    hours = _window_columns(sheet, unused, depot, vehicles=vehicles, timed=travel.timed, fleet=fleet is not None)
    chosen = {what: at for what, (at,) in hours.choices.items()}
    read_columns = {*hours.places, *hours.pickups, *chosen.values(), *kinds}
    note_unused(sheet, [at for at in unused if at not in read_columns], notes)
    choices = StopChoices(sheet, chosen, depots)
    first = values[:, len(axes)] if loads else np.zeros(len(values))
    shipments = read_shipments(choices, first, timed=travel.timed) if vehicles else ()
    picked = read_pickups(sheet, hours.pickups, loads or ["demand"])
    windows, releases = read_windows(sheet, hours), read_releases(sheet, hours)
    once = not shipments and ALTERNATIVES not in chosen  # whether each place is one stop's
    stops = _stops(sheet, path, labels, values[:, : len(axes)], metric, unit, latlon, travel, notes, once=once)
    problem: TSP | VRP = stops
    if vehicles:
        times = values[:, -1] if services == DISTANCE else None
        demands = values[:, len(axes) : len(axes) + len(loads)]
        brought = [each.delivery for each in shipments]
        demands[brought] = np.nan_to_num(np.abs(demands[brought]))
        demands[picked.any(axis=1)] = np.nan_to_num(demands[picked.any(axis=1)])
        problem = _read_vehicles(sheet, stops, demands, times, options, depots, depot, fleet)
    seconds = _seconds(sheet, values[:, -1], depots, labels) if services == MINUTES else None
    planned = _with_hours(sheet, problem, seconds, windows, releases, depots, options, travel, notes)
    if not isinstance(planned, VRP):
        return planned
    if fleet is not None or len(depots) > 1:
        planned = _with_vehicles(planned, fleet, places, depots, options)
    return _with_choices(planned, choices, shipments, picked, fleet)


def _stops(
    sheet: Sheet,
    path: str | PathLike[str],
    labels: tuple[str, ...] | None,
    values: Floats,
    metric: Metric,
    unit: str | None,
    latlon: bool | None,
    travel: TravelOptions,
    notes: list[str],
    *,
    once: bool,
) -> TSP:
    """Return the stops of a table and the distances between them; ``values`` are coordinates, if it has any.

    ``notes`` receives a line for what looks wrong: with ``once``, that two stops are at one place, too.
    """
    name = FALLBACK_NAME if fspath(path) == STANDARD_INPUT else Path(path).stem
    matrix = read_square(travel.matrix, "distances", Stops(sheet.path, len(values), labels), notes, travel.decimal)
    if values.shape[1] == 0:
        return TSP(name, metric, np.asarray(matrix), labels=labels, table=sheet, unit=travel.unit)
    points = checked_points(sheet, np.ascontiguousarray(values), metric, labels)
    if latlon is None and metric.planar and unit is None and look_like_degrees(points):
        notes.append(f"{sheet.path}: the coordinates {ADVICE}")
    note_outliers(sheet, points, labels, notes, latlon=not metric.planar)
    if once:
        note_duplicates(sheet, points, labels, notes)
    own = unit if unit in METRES else None
    return over_matrix(TSP(name, metric, points, labels=labels, table=sheet, unit=own), matrix, travel, notes)


def _seconds(sheet: Sheet, services: Floats, depots: list[int], labels: tuple[str, ...] | None) -> Floats:
    """Return the times of service in the column of minutes, in seconds."""
    header = sheet.header[sheet.columns[MINUTES]]
    return _filled(sheet, services, header.strip(), depots, labels) * unit_seconds(header)


def _with_hours(
    sheet: Sheet,
    problem: TSP | VRP,
    services: Floats | None,
    windows: TimeWindows | None,
    releases: Sequence[float] | None,
    depots: list[int],
    options: VehicleOptions,
    travel: TravelOptions,
    notes: list[str],
) -> TSP | VRP:
    """Return a problem with times of service in seconds, time windows, and when goods are there."""
    timed = with_times(problem, travel, sheet.path, services, notes)
    if windows is not None:
        note_long_services(sheet, timed, windows, notes)
    if travel.service_minutes is not None and timed.clock is not None and isinstance(timed, VRP):
        at_stops = timed.clock.services.copy()
        at_stops[depots] = 0.0
        timed = replace(timed, clock=replace(timed.clock, services=at_stops))
    if isinstance(timed, VRP) and releases is not None:
        timed = replace(timed, releases=np.array(releases))
    return with_windows(timed, options, sheet.path, windows, notes)


def _with_choices(
    problem: VRP, choices: StopChoices, shipments: Sequence[Shipment], picked: Floats, fleet: FleetTable | None
) -> VRP:
    """Return a problem with shipments, pickups, priorities, groups and who may serve whom."""
    fields = choice_fields(choices, _dearest(problem)) | ({"shipments": shipments} if shipments else {})
    shipped = [node for each in shipments for node in (each.pickup, each.delivery)]
    fields |= pickup_fields(choices, problem.demand_table, picked, shipped)
    allowed = None if fleet is None else allowed_types(choices, fleet, problem)
    if allowed is not None and problem.fleet is not None:
        fields["fleet"] = replace(problem.fleet, allowed=allowed)
    return replace(problem, **fields) if fields else problem


def _loads(sheet: Sheet, fleet: FleetTable | None) -> list[str]:
    """Return the columns of demands in the order of the fleet's loads; none where there are no demands."""
    if fleet is None or len(fleet.loads) < 2:
        return ["demand"] if "demand" in sheet.columns else []
    missing = [load for load in fleet.loads if LOAD + load not in sheet.columns]
    if missing:
        need = f"{fleet.path} has capacities {', '.join(filter(None, fleet.loads))}"
        right = f"call it {'_'.join(filter(None, ('demand', missing[0])))}"
        raise sheet.header_error(f"there is no demand for {missing[0] or 'one of them'}: {need}; {right}")
    return [LOAD + load for load in fleet.loads]


def named_places(
    fleet: FleetTable | None, depots: Sequence[int], labels: tuple[str, ...] | None, n: int
) -> list[tuple[int | None, int | None]]:
    """Return where the vehicles of each row of a fleet begin and end."""
    if fleet is None:
        return []

    def place(text: str) -> int:
        try:
            return find_depot(text, labels, n, "")
        except UsageError:
            raise InputError("no stop has this name; it is one of the stops, by its name or row, or 'none'") from None

    return [places_of_types(fleet, row, place, depots[0]) for row in range(len(fleet.rows))]


def _with_vehicles(
    problem: VRP,
    fleet: FleetTable | None,
    places: Sequence[tuple[int | None, int | None]],
    depots: Sequence[int],
    options: VehicleOptions,
) -> VRP:
    """Return a problem with the vehicles of a fleet, or with those of the options at each of several depots."""
    base = problem.common_type
    if fleet is None:
        at_each = [
            replace(base, start=at, end=None if base.end is None else at, name=_named(problem, at)) for at in depots
        ]
        return problem.with_types(at_each)
    own = () if options.capacity is None else (options.capacity,)
    return with_fleet(problem, fleet, replace(base, capacities=own), places)


def _named(problem: VRP, node: int) -> str:
    return problem.labels[node] if problem.labels is not None else str(node + 1)


def _dearest(problem: VRP) -> float:
    """Return more than a trip to any one stop can cost, but for hours: the prize of one step of priority."""
    farthest = max(float(problem.distances(np.array([at]), problem.customers).max(initial=0)) for at in problem.depots)
    types = (problem.common_type,) if problem.fleet is None else problem.fleet.types
    return 1 + max(each.fixed_cost + 2 * farthest * each.distance_cost for each in types)


def read_stops(
    path: str | PathLike[str],
    latlon: bool | None,
    columns: Mapping[str, str],
    ignore: Collection[str],
    travel: TravelOptions,
) -> TSP:
    """Read where stops are and what they are called, and travel between them; other columns do not matter."""
    notes = list[str]()
    sheet = without_hidden(open_stops(path, latlon, columns, ignore, travel, ()), notes, own_fleet=False)
    sheet, base = without_totals(sheet, notes), depots_in_workbook(path, notes)
    sheet, _ = with_depots(sheet, base, notes)
    axes, metric = axes_of(sheet, latlon, alone=True)
    labels = sheet.labels("name") if "name" in sheet.columns else None
    points = checked_points(sheet, np.ascontiguousarray(sheet.numbers(axes)), metric, labels)
    name = FALLBACK_NAME if fspath(path) == STANDARD_INPUT else Path(path).stem
    stops = over_matrix(TSP(name, metric, points, labels=labels, table=sheet), None, travel, notes)
    return replace(stops, warnings=tuple(notes))


def _window_columns(
    sheet: Sheet, unused: list[int], depot: int, *, vehicles: bool, timed: bool, fleet: bool
) -> WindowColumns:
    """Return the columns of time windows, chosen by the user or found; raise InputError where they cannot be kept."""
    chosen: dict[str, Any] = {name: [sheet.columns[name]] for name in WINDOW_COLUMNS if name in sheet.columns}
    taken = {at for places in chosen.values() for at in places} | {sheet.columns.get(PICKUP, -1)}
    found = judge_columns(sheet, [at for at in unused if at not in taken], depot, vehicles=vehicles, fleet=fleet)
    columns = replace(found, **chosen)
    if PICKUP in sheet.columns:
        columns = replace(columns, pickups=[sheet.columns[PICKUP]])
    if columns.places and not (vehicles and timed):
        names = [sheet.header[at].strip() for at in columns.places]
        what = f"the column{'s' if len(names) > 1 else ''} {', '.join(map(quote, names))} ({WINDOWS})"
        need = "vehicles: a column demand, and --capacity"
        need = "travel times: --speed or --durations" if vehicles else need
        without = f"{ignoring(names)} plans without {'them' if len(names) > 1 else 'it'}"
        raise sheet.header_error(f"{what} need{'' if len(names) > 1 else 's'} {need}; {without}")
    return columns


def _service_column(
    sheet: Sheet, unit: str | None, options: VehicleOptions, travel: TravelOptions, notes: list[str], *, vehicles: bool
) -> str | None:
    """Return which column of service times is used, if any: ``service_minutes`` or ``service_time``.

    Where the distances are in a unit of time, services in that are a ``service_time``. ``notes`` receives a line if a
    column of minutes is not used, since there are no travel times.
    """
    columns = sheet.columns
    if MINUTES in columns and unit in SECONDS and unit_of(sheet.header[columns[MINUTES]]) == unit:
        columns[DISTANCE] = columns.pop(MINUTES)
    if MINUTES in columns and travel.timed:
        if travel.service_minutes is not None:
            raise UsageError(
                f"{sheet.path} has service times, in the column {sheet.called(MINUTES)}; --service-minutes contradicts "
                "it (--ignore service_minutes)"
            )
        return MINUTES
    if DISTANCE in columns and travel.timed and options.max_distance is None:
        header = sheet.header[columns[DISTANCE]].strip()
        raise sheet.header_error(
            f"the column {quote(header)} does not say its unit of time; call it {quote(header + ' (min)')}, or "
            f"--columns service_minutes={quote(header)}, or --ignore service_time"
        )
    if DISTANCE in columns and vehicles:
        own = unit_of(sheet.header[columns[DISTANCE]])
        if own is not None and own != unit:
            measured = f"in {unit}" if unit else "in the unit of x,y, which the header does not name"
            raise sheet.header_error(
                f"{sheet.called(DISTANCE)} cannot be added to distances, which are {measured}; convert the times to "
                "that unit and call the column service_time, or --ignore service_time"
            )
        return DISTANCE
    if MINUTES in columns:
        header, lack = sheet.called(MINUTES), "without travel times: --speed or --durations"
        if vehicles and options.max_distance is not None:
            raise sheet.header_error(
                f"{header} cannot be added to distances, and does not count {lack}; or --ignore service_minutes"
            )
        notes.append(f"{sheet.path}: the column {header} is not used {lack}")
    return None


def _read_vehicles(
    sheet: Sheet,
    stops: TSP,
    demands: Floats,
    services: Floats | None,
    options: VehicleOptions,
    depots: Sequence[int],
    depot: int,
    fleet: FleetTable | None,
) -> VRP:
    """Return the stops as a VRP; only depots may lack a demand or service time. Without demands, all are 0."""
    capacity, service_time = options.capacity, options.service_time
    if capacity is not None and demands.shape[1] == 0:
        raise UsageError(
            f"{sheet.path} has no demands, so --capacity cannot apply; a column demand has them, or any other with "
            "--columns demand=HEADER"
        )
    if capacity is None and fleet is None and demands.shape[1]:
        raise UsageError(
            f"{sheet.path} has demands, in the column {sheet.called('demand')}, so it needs the capacity of a vehicle "
            "(--capacity); --ignore demand makes one tour of all stops"
        )
    if services is not None and service_time is not None:
        raise UsageError(
            f"{sheet.path} has a service_time column; a service time for all contradicts it (--ignore service_time)"
        )
    filled = [_filled(sheet, column, "demand", depots, stops.labels) for column in demands.T]
    if services is None:
        times = np.full(stops.n, float(service_time or 0))
        times[[*depots]] = 0
    else:
        times = _filled(sheet, services, "service time", depots, stops.labels)
    for column, at in ((column, at) for column in filled for at in depots):
        if column[at] != 0:
            message = (
                f"the depot, {stop_name(at, stops.labels)}, has the demand {column[at]:g}; it must be empty or 0; "
                "--depot names another row"
            )
            raise InputError(message, sheet.path, sheet.line(at))
    first = whole(filled[0]) if filled else np.zeros(stops.n, np.int64)
    more = np.stack(filled[1:], axis=1) if len(filled) > 1 else None
    return VRP(
        stops.name, stops.metric, stops.points, stops.display, stops.labels, table=sheet, unit=stops.unit,
        latlon=stops.latlon, streets=stops.streets, demands=first, capacity=capacity or 1, depot=depot,
        max_distance=options.max_distance, service_times=times, vehicles=options.vehicles,
        fixed_cost=options.fixed_cost or 0, more_demands=more, more_capacities=(1,) * (len(filled) - 1),
    )  # fmt: skip


def _filled(sheet: Sheet, column: Floats, what: str, depots: Sequence[int], labels: tuple[str, ...] | None) -> Floats:
    """Return a column of amounts; only depots, or the first row of a tour, may lack one."""
    values = column.copy()
    for depot in depots:
        if np.isnan(values[depot]):
            values[depot] = 0
    wrong = np.isnan(values) | (values < 0)
    if wrong.any():
        row = int(wrong.argmax())
        have = f"no {what}" if np.isnan(values[row]) else f"the {what} {values[row]:g}"
        raise row_error(sheet, row, labels, f"has {have}; it must be a number of at least 0")
    return values


def find_depot(depot: int | str | None, labels: tuple[str, ...] | None, n: int, path: str) -> int:
    """Return the index of a depot given by name or by row number from 1; None means the first row."""
    if depot is None:
        return 0
    if isinstance(depot, str):
        named = [at for at, label in enumerate(labels or ()) if label == depot]
        if len(named) == 1:
            return named[0]
        if named or not depot.isascii() or not depot.isdecimal() or len(depot) > 18:
            many = f"{len(named)} rows are" if named else "no row is"
            raise UsageError(f"{path}: {many} called {quote(depot)}; name the depot or give its row, 1..{n}")
        depot = int(depot)
    row = whole_number(depot)
    if row is None or not 1 <= row <= n:
        raise UsageError(f"{path}: the depot {depot} is not a row; they are 1..{n}")
    return row - 1
