"""Service times in a table of stops: minutes, hours or seconds by the header, or the unit of the distances."""

from __future__ import annotations

from warptour.io.headers import fold_timed
from warptour.io.sheet import Sheet
from warptour.io.source import quote
from warptour.io.travel_options import TravelOptions
from warptour.io.units import SECONDS, unit_of
from warptour.io.vehicle_options import VehicleOptions
from warptour.model.errors import InputError, UsageError

MINUTES = "service_minutes"
DISTANCE = "service_time"


def service_column(
    sheet: Sheet, unit: str | None, options: VehicleOptions, travel: TravelOptions, notes: list[str]
) -> str | None:
    """Return which column of service times is used, if any: ``service_minutes`` or ``service_time``.

    Parameters
    ----------
    sheet : Sheet
    unit : str or None
        Unit of the distances; where it is one of time, services in it are a ``service_time``.
    options, travel : VehicleOptions, TravelOptions
    notes : list of str
        Receives a line if a column of minutes is not used, since there are no travel times.
    """
    columns = sheet.columns
    if MINUTES in columns and unit in SECONDS and unit_of(sheet.header[columns[MINUTES]]) == unit:
        columns[DISTANCE] = columns.pop(MINUTES)
    vehicles = "demand" in columns
    if MINUTES in columns and travel.timed:
        if travel.service_minutes is not None:
            header = quote(sheet.header[columns[MINUTES]].strip())
            raise UsageError(
                f"{sheet.path} has service times, in the column {header}; --service-minutes contradicts it "
                "(--ignore service_minutes)"
            )
        return MINUTES
    if DISTANCE in columns and travel.timed and options.max_distance is None:
        header = sheet.header[columns[DISTANCE]].strip()
        raise InputError(
            f"the column {quote(header)} does not say its unit of time; call it {quote(header + ' (min)')}, or "
            f"--columns service_minutes={quote(header)}, or --ignore service_time",
            sheet.path,
            sheet.header_line,
        )
    if DISTANCE in columns and vehicles:
        _check_unit(sheet, unit)
        return DISTANCE
    if MINUTES in columns:
        header = quote(sheet.header[columns[MINUTES]].strip())
        lack = "without travel times: --speed or --durations"
        if vehicles and options.max_distance is not None:
            message = f"{header} cannot be added to distances, and does not count {lack}; or --ignore service_minutes"
            raise InputError(message, sheet.path, sheet.header_line)
        notes.append(f"{sheet.path}: the column {header} is not used {lack}")
    return None


def seconds_per_unit(sheet: Sheet) -> float:
    """Return the seconds in the unit of the column ``service_minutes``: minutes unless its header says otherwise."""
    header = sheet.header[sheet.columns[MINUTES]]
    return SECONDS.get(fold_timed(header).rpartition("_")[2], SECONDS["minutes"])


def _check_unit(sheet: Sheet, distance: str | None) -> None:
    """Reject service times in a unit other than that of the distances they are added to."""
    header = sheet.header[sheet.columns[DISTANCE]]
    unit = unit_of(header)
    if unit is not None and unit != distance:
        travel = f"in {distance}" if distance else "in the unit of x,y, which the header does not name"
        raise InputError(
            f"{quote(header.strip())} cannot be added to distances, which are {travel}; convert the times to that unit "
            "and call the column service_time, or --ignore service_time",
            sheet.path,
            sheet.header_line,
        )
