"""Depots of a workbook's sheet ``depots``, which become the first rows of its stops.

The two sheets have their columns in any order: those that mean the same become one, and what only depots have stands on
the right, empty for the stops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Final, TypeAlias

from warptour.io.coordinates import place_in
from warptour.io.headers import DEGREES, PAIRS, PLACE, fold, kind_of_sheet, stop_columns
from warptour.io.restrictions import BOUNDS, WINDOWS, meaning_of
from warptour.io.sheet import Sheet
from warptour.io.source import ZIP, display_name, load_bytes, quote
from warptour.io.workbook import Value, Workbook, text_of
from warptour.model.clock import format_time
from warptour.model.errors import InputError
from warptour.model.hours import windows_in

Move: TypeAlias = Callable[[Sequence[Value]], dict[int, Value]]
"""Returns the values of a depot by the columns of the stops in which they go."""
EXAMPLE: Final = "depots have columns such as name, lat, lon, opens, closes"


def depots_in_workbook(path: str | PathLike[str], notes: list[str]) -> Sheet | None:
    """Return the depots in a workbook's sheet of them; None if it has none, or none below its header."""
    if Path(path).suffix.lower() != ".xlsx" or not (data := load_bytes(path)).startswith(ZIP):
        return None
    name = display_name(path)
    grid = next(Workbook.candidates(name, data, lambda title: kind_of_sheet(title) == "depots"), None)
    if grid is None:
        return None
    sheet = Sheet.over(grid.without_hidden(notes), stop_columns(), EXAMPLE, [*PAIRS, (PLACE,)])
    return sheet if any(True for _ in sheet.body()) else None


def with_depots(stops: Sheet, depots: Sheet | None, notes: list[str]) -> tuple[Sheet, int]:
    """Return a table of stops with depots, if there are any, as its first rows, and their number.

    ``notes`` receives a line for each row of the stops that is a depot, and left out.
    """
    grid = stops.grid
    if depots is None or not isinstance(grid, Workbook) or grid.title == getattr(depots.grid, "title", ""):
        return stops, 0
    _check_places(stops, depots)
    again = _depots_among(stops, depots)
    notes += [f"{stops.path}:{line}: {quote(name)} is a depot, and no stop" for line, name in again.items()]
    header, columns = [*stops.header], dict(stops.columns)
    moves: list[Move] = []
    own = _hours(stops)
    theirs = _hours(depots)
    for at, called in enumerate(depots.header):
        name = next((name for name, place in depots.columns.items() if place == at), None)
        meaning = next((each for each, place in theirs.items() if place == at), None)
        if name in DEGREES and stops.in_one_cell != depots.in_one_cell:
            moves.append(_place_move(stops, depots, at))
        elif meaning is not None and meaning not in own and own:
            moves += _hour_moves(depots, own, theirs, meaning)
        else:
            alike = _called(stops, called) if meaning is None else own.get(meaning)
            place = alike if name is None else columns.get(name)
            if place is None:
                place = len(header)
                header.append(called)
                columns |= {} if name is None else {name: place}
            moves.append(partial(_copied, at, place))
    rows = [(line, _moved(values, moves, len(header))) for line, values in _rows(depots)]
    above = grid.values[: stops.above]
    above[-1] = (above[-1][0], (*above[-1][1], *header[len(above[-1][1]) :]))
    kept = [row for row in _rows(stops) if row[0] not in again]
    grid = replace(grid, values=[*above, *rows, *kept])
    ends = None if stops.ends is None else stops.ends + len(rows) - len(again)
    merged = replace(stops, grid=grid, header=tuple(header), columns=columns, width=len(header), ends=ends)
    return merged, len(rows)


def _rows(sheet: Sheet) -> list[tuple[int, tuple[Value, ...]]]:
    assert isinstance(sheet.grid, Workbook)
    return sheet.grid.values[sheet.above :]


def _check_places(stops: Sheet, depots: Sheet) -> None:
    """Raise :class:`InputError` unless both sheets say where their rows are in the same way."""
    if not stops.header:
        raise InputError("depots need stops that have a header", stops.path, stops.grid.head(1)[0][0])
    pair = next((pair for pair in PAIRS if {*pair} <= stops.columns.keys()), None)
    if pair is not None and not {*pair} <= depots.columns.keys():
        raise depots.header_error(f"depots need {pair[0]},{pair[1]}, as the stops have them; {EXAMPLE}")
    if pair is not None:
        depots.numbers(pair)


def _depots_among(stops: Sheet, depots: Sheet) -> dict[int, str]:
    """Return the names of depots that are among the stops, too, at the same place, by the lines there."""
    pair = next((pair for pair in PAIRS if {*pair} <= stops.columns.keys()), None)
    if pair is None or "name" not in stops.columns.keys() & depots.columns.keys():
        return {}
    names, own = depots.labels("name"), stops.labels("name")
    if {*names}.isdisjoint(own):
        return {}
    known = {(name, *place) for name, place in zip(names, depots.numbers(pair).tolist(), strict=True) if name}
    places = [(name, *place) for name, place in zip(own, stops.numbers(pair).tolist(), strict=True)]
    return {line: place[0] for (line, _), place in zip(stops.body(), places, strict=True) if place in known}


def _called(stops: Sheet, header: str) -> int | None:
    """Return the column of the stops with the same header."""
    folded = [fold(cell) for cell in stops.header]
    return folded.index(fold(header)) if header.strip() and fold(header) in folded else None


def _hours(sheet: Sheet) -> dict[str, int]:
    """Return the columns of windows, of openings and of closings, by their meanings."""
    found = {(meaning_of(cell) or "").removeprefix("weak "): at for at, cell in enumerate(sheet.header)}
    found |= {WINDOWS: found["slot"]} if "slot" in found else {}
    return {meaning: found[meaning] for meaning in (WINDOWS, *BOUNDS) if meaning in found}


def _moved(values: Sequence[Value], moves: Sequence[Move], width: int) -> tuple[Value, ...]:
    """Return the values of a depot in the columns of the stops."""
    row: list[Value] = [None] * width
    for move in moves:
        for place, value in move(values).items():
            row[place] = value
    return tuple(row)


def _text(values: Sequence[Value], at: int) -> str:
    return text_of(values[at]).strip() if at < len(values) else ""


def _copied(at: int, place: int, values: Sequence[Value]) -> dict[int, Value]:
    """Return the value of one column in another."""
    return {place: values[at] if at < len(values) else None}


def _place_move(stops: Sheet, depots: Sheet, at: int) -> Move:
    """Return what writes the coordinates of a column as the stops have theirs: in one cell, or in two."""

    def move(values: Sequence[Value]) -> dict[int, Value]:
        if stops.in_one_cell:
            lat, lon = (_text(values, depots.columns[name]) for name in DEGREES)
            return {stops.columns["lat"]: f"{lat}, {lon}"}
        found = place_in(_text(values, at))
        assert found is not None  # as the coordinates were read
        return {stops.columns[name]: value for name, value in zip(DEGREES, found, strict=True)}

    return move


def _hour_moves(depots: Sheet, own: Mapping[str, int], theirs: Mapping[str, int], meaning: str) -> list[Move]:
    """Return what writes hours as the stops have theirs: as one window, or as an opening and a closing."""
    opens, closes = BOUNDS

    def joined(values: Sequence[Value]) -> dict[int, Value]:
        first, last = (_text(values, theirs[bound]) for bound in BOUNDS)
        return {own[WINDOWS]: f"{first}-{last}" if first and last else None}

    def split(values: Sequence[Value]) -> dict[int, Value]:
        text = _text(values, theirs[WINDOWS])
        if not text:
            return {}
        windows = windows_in(text) or []
        if len(windows) != 1 or not {*BOUNDS} <= own.keys():
            fault = f"the hours {quote(text)} cannot be written as the stops have theirs, as {' and '.join(own)}"
            raise depots.header_error(f"{fault}; use the same columns in both sheets")
        return {own[bound]: format_time(second) for bound, second in zip((opens, closes), windows[0], strict=True)}

    if meaning == WINDOWS:
        return [split]
    if WINDOWS in own and {*BOUNDS} <= theirs.keys():
        return [joined] if meaning == opens else []
    header = depots.header[theirs[meaning]].strip()
    raise depots.header_error(f"the stops have no column like {quote(header)}; use the same columns in both sheets")
