"""Solutions as spreadsheets, ``.csv``, ``.tsv`` and ``.xlsx``: a row per visit, with the columns of the input.

Rows are in the order of the visits. A problem that was read from a spreadsheet keeps every column of it, text and
quotes as they were, its title, separator, encoding, byte-order mark and decimal sign. Added on the right are ``route``
and ``load`` (vehicles), ``vehicle`` (its type in a fleet), ``order``, ``node``, ``leg`` (distance from the stop before)
and ``distance`` (from the start); with travel times ``duration (min)`` (from the stop before), ``arrival`` and
``departure``, and with time windows ``wait (min)``, ``start`` (of service) and ``slack (min)`` (how much later it may
begin); of drivers with breaks ``break``, at the visit before it. Stops that are not served follow, with the reason
below ``unserved``.
An added column whose name is taken is called ``warptour_...``.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import Final, TypeAlias

from warptour.io.cells import SIGNS, decimal_sign, doubtful, escaped, number_text, parse, safe_text
from warptour.io.delimited import SEPARATOR_LINE, Delimited
from warptour.io.driver_sheets import LONGEST_TITLE, Page, pages, write_page
from warptour.io.headers import fold
from warptour.io.sheet import Sheet
from warptour.io.workbook import Value, Workbook, library, text_of
from warptour.model.clock import MINUTE
from warptour.model.itinerary import Trip, by_the_clock, has_windows, time_text
from warptour.model.metric import Floats
from warptour.model.problem import TSP
from warptour.model.unserved import Unserved
from warptour.model.vehicles import VRP

OWN: Final = "warptour_"
"""Prefix of an added column whose name the input has already."""
DIGITS: Final = 7
"""Significant digits of the largest distance."""
DANGEROUS: Final = re.compile(r"'*(?:[=@＝＠]|[+\-＋－](?![0-9 ()./-]*$))")
"""Text that a spreadsheet would take for a formula; telephone numbers are none."""
LEADING_ZERO: Final = re.compile(r"[+-]?0[0-9]|\+")
"""Start of digits that are no number: postcodes, telephone numbers."""
SIGN_ROWS: Final = 1000
"""Maximum number of rows examined for the decimal sign."""
LONGEST_NUMBER: Final = 15
"""Maximum digits of a cell that becomes a number: spreadsheets keep no more of them."""

Row: TypeAlias = list[Value]


@dataclass(frozen=True)
class Kept:
    """What the input has for each node: rows above the header, the header, and a row of values per node."""

    above: list[Row]
    header: list[str]
    rows: list[Row]


def added_columns(
    problem: TSP | VRP, trips: Sequence[Trip], taken: Sequence[str], lost: Sequence[Unserved] = ()
) -> tuple[list[str], list[Row], list[int]]:
    """Return the headers and the rows that a solution adds, and their nodes.

    ``taken`` are the headers of the input, ``lost`` the stops that are not served.
    """
    suffix = f" ({problem.unit})" if problem.unit else ""
    vehicles = isinstance(problem, VRP)
    mixed = isinstance(problem, VRP) and problem.fleet is not None
    days = isinstance(problem, VRP) and problem.fleet is not None and len(problem.fleet.days) > 0
    header = [*(["route"] if vehicles else []), *(["vehicle"] if mixed else []), *(["route day"] if days else [])]
    header += ["order", "node", f"leg{suffix}", f"distance{suffix}"]
    header += _time_headers(problem)
    header += ["load"] if vehicles else []
    header += ["path"] if isinstance(problem, TSP) and problem.open else []
    header += ["unserved"] if lost else []
    names = {fold(name) for name in taken}
    header = [OWN + name if fold(name) in names else name for name in header]
    longest = max((abs(float(trip.distances[-1])) for trip in trips if len(trip.nodes)), default=0.0)
    exact = all(trip.distances.dtype.kind in "iu" for trip in trips)
    decimals = 0 if exact else _decimals(longest)
    rows: list[Row] = []
    for trip in trips:
        columns: list[Sequence[Value]] = [[trip.number] * len(trip.nodes)] if vehicles else []
        columns += [[trip.vehicle] * len(trip.nodes)] if mixed else []
        columns += [[trip.day] * len(trip.nodes)] if days else []
        columns += [trip.orders.tolist(), (trip.nodes + 1).tolist()]
        columns += [_rounded(values.tolist(), decimals) for values in (trip.legs, trip.distances)]
        columns += _times(problem, trip)
        if trip.loads is not None:
            columns.append(_rounded(trip.loads.tolist(), DIGITS))
        if isinstance(problem, TSP) and problem.open:
            columns.append(["open"] * len(trip.nodes))
        columns += [[""] * len(trip.nodes)] if lost else []
        rows += map(list, zip(*columns, strict=True))
    nodes = [node for trip in trips for node in trip.nodes.tolist()]
    place = 2 + mixed + days
    for each in lost:
        row: Row = [""] * len(header)
        row[place], row[-1] = each.node + 1, each.text
        rows.append(row)
        nodes.append(each.node)
    return header, rows, nodes


def _time_headers(problem: TSP | VRP) -> list[str]:
    """Return the headers of times; without a time of day, those are hours and minutes from the start."""
    windows = has_windows(problem)
    if problem.clock is None and not windows and not (isinstance(problem, VRP) and problem.longest_rides):
        return []
    unit = "" if problem.clock is None else " (min)"
    timed = "" if problem.clock is None or by_the_clock(problem) else " (h:min)"
    waits, slack = ([f"wait{unit}", "start"], [f"slack{unit}"]) if windows else ([], [])
    late = [f"late{unit}"] if _may_be_late(problem) else []
    rests = ["break"] if isinstance(problem, VRP) and problem.rested else []
    rides = [f"ride{unit}"] if isinstance(problem, VRP) and problem.shipments else []
    return [f"duration{unit}", f"arrival{timed}", *waits, f"departure{timed}", *slack, *late, *rides, *rests]


def _may_be_late(problem: TSP | VRP) -> bool:
    return isinstance(problem, VRP) and problem.late_cost is not None


def _times(problem: TSP | VRP, trip: Trip) -> list[list[Value]]:
    """Return a column for each of the headers of times; a trip that returns has no last departure."""
    times = trip.times
    if times is None or not _time_headers(problem):
        return []
    windows = has_windows(problem)
    departures = _moments(problem, times.departures)
    if trip.returns:
        departures[-1] = ""
    waits = [_amounts(problem, times.waits), _moments(problem, times.starts)] if windows else []
    slack = [_amounts(problem, times.slack)] if windows else []
    late = [_amounts(problem, times.late)] if _may_be_late(problem) else []
    rests = [_breaks(problem, trip)] if isinstance(problem, VRP) and problem.rested else []
    return [
        _amounts(problem, times.travel),
        _moments(problem, times.arrivals),
        *waits,
        departures,
        *slack,
        *late,
        *([] if times.rides is None else [_amounts(problem, times.rides)]),
        *rests,
    ]


def _breaks(problem: VRP, trip: Trip) -> list[Value]:
    """Return when breaks are, each at the visit that it follows or, off the route, at its first or last."""
    cells: list[Value] = [""] * len(trip.nodes)
    for rest in () if trip.times is None else trip.times.breaks:
        at = min(max(rest.after - (not trip.leaves), 0), len(cells) - 1)
        hours = f"{time_text(problem, rest.start)}-{time_text(problem, rest.end)}"
        cells[at] = f"{cells[at]}; {hours}" if cells[at] else hours
    return cells


def _moments(problem: TSP | VRP, moments: Floats) -> list[Value]:
    """Return times of day, or from the start; numbers without a clock."""
    if problem.clock is None:
        return _rounded(moments.tolist(), DIGITS)
    return [time_text(problem, seconds).removesuffix(" h") for seconds in moments.tolist()]


def _amounts(problem: TSP | VRP, amounts: Floats) -> list[Value]:
    """Return minutes, empty where there is none, or no limit; without a clock, in the unit of the distances."""
    pace, decimals = (1.0, DIGITS) if problem.clock is None else (MINUTE, 1)
    return ["" if not math.isfinite(amount) else round(amount / pace, decimals) for amount in amounts.tolist()]


def csv_bytes(problem: TSP | VRP, trips: Sequence[Trip], lost: Sequence[Unserved] = (), *, tabs: bool = False) -> bytes:
    """Return a CSV with the separator of the input; with ``tabs``, a TSV."""
    if isinstance(problem.table, Sheet) and isinstance(problem.table.grid, Delimited):
        grid = problem.table.grid
        if tabs == (grid.separator == "\t"):
            return _continued(problem, trips, lost, problem.table, grid)
    kept = _kept(problem)
    header, rows, nodes = added_columns(problem, trips, kept.header, lost)
    text = StringIO()
    writer = csv.writer(text, delimiter="\t" if tabs else ",", lineterminator="\n")
    for row in kept.above:
        writer.writerow(map(_safe, row))
    # Without columns of the input to keep, what says where a stop is in the solution comes first.
    front = header.index("node") + 1 if problem.table is None else 0
    writer.writerow([*header[:front], *kept.header, *header[front:]])
    for node, row in zip(nodes, rows, strict=True):
        writer.writerow(map(_safe, [*row[:front], *kept.rows[node], *row[front:]]))
    return text.getvalue().encode("utf-8", "replace")


def xlsx_bytes(problem: TSP | VRP, trips: Sequence[Trip], lost: Sequence[Unserved] = ()) -> bytes:
    """Return a workbook: the visits, and of vehicles a summary and a sheet for each driver."""
    kept = _kept(problem)
    header, rows, nodes = added_columns(problem, trips, kept.header, lost)
    formats: dict[int, list[str | None]] = {}
    widths: dict[int, float] = {}
    title, lines = problem.name, []
    if isinstance(problem.table, Sheet) and isinstance(problem.table.grid, Workbook):
        grid = problem.table.grid
        title = grid.title
        formats, widths = grid.formats()
        lines = [number for number, _ in grid.values]
    above = problem.table.above if isinstance(problem.table, Sheet) else 0

    def cells() -> Iterator[list[tuple[Value, str | None]]]:
        for at, row in enumerate(kept.above):
            yield _formatted(row, formats.get(lines[at], []) if lines else [])
        yield [(name, None) for name in (*kept.header, *header)]
        for node, row in zip(nodes, rows, strict=True):
            known = formats.get(lines[above + node], []) if lines else []
            yield [*_formatted(kept.rows[node], known), *((value, None) for value in row)]

    for at, name in enumerate(header, len(kept.header) + 1):
        widths[at] = max(10.0, len(name) + 2.0)
    more = printed_pages(problem, trips, lost) if isinstance(problem, VRP) else []
    return write_workbook(title, cells(), len(kept.above), widths, more)


def printed_pages(problem: VRP, trips: Sequence[Trip], lost: Sequence[Unserved] = ()) -> list[Page]:
    """Return a summary of a plan, and a page for each driver."""
    kept = _kept(problem)
    return pages(problem, trips, lost, kept.header, kept.rows)


def _continued(
    problem: TSP | VRP, trips: Sequence[Trip], lost: Sequence[Unserved], sheet: Sheet, grid: Delimited
) -> bytes:
    """Return the input's rows in the order of the visits, their text unchanged, with the added columns."""
    separator = grid.separator
    records = grid.records()
    title = max(sheet.above - 1, 0)
    width = max(cells for _, cells in records[title:])
    sign = _sign(sheet, grid)
    header, rows, nodes = added_columns(problem, trips, sheet.header, lost)
    parts = [f"sep={separator}"] if SEPARATOR_LINE.match(grid.text) else []
    parts += [raw for raw, _ in records[:title]]
    kept = [raw + separator * (width - cells + 1) for raw, cells in records[title:]]
    if sheet.header:
        parts.append(kept.pop(0) + separator.join(header))
    else:
        parts.append(separator.join([*sheet.columns, *header]))
    columns = [_texts(column, sign, separator) for column in zip(*rows, strict=True)]
    parts += [kept[node] + separator.join(row) for node, row in zip(nodes, zip(*columns, strict=True), strict=True)]
    return grid.line_end.join([*parts, ""]).encode(grid.encoding, "replace")


def _texts(column: Sequence[Value], sign: str, separator: str) -> list[str]:
    """Return added values as cells."""
    texts = []
    for value in column:
        text = number_text(value).replace(".", sign) if isinstance(value, float) else str(_safe(value))
        quoted = separator in text or '"' in text or "\n" in text
        texts.append('"' + text.replace('"', '""') + '"' if quoted else text)
    return texts


def _sign(sheet: Sheet, grid: Delimited) -> str:
    """Return the decimal sign for added numbers; where all are integers, a comma if semicolons separate."""
    sign = sheet.decimal([name for name in sheet.columns if name != "name"], SIGN_ROWS)
    return sign if sign in SIGNS else "," if grid.separator == ";" else "."


def _kept(problem: TSP | VRP) -> Kept:
    sheet = problem.table
    if not isinstance(sheet, Sheet):
        return _described(problem)
    header = list(sheet.header) or list(sheet.columns)
    title = max(sheet.above - 1, 0)
    rows = [list(row) for _, row in (sheet.grid.values if isinstance(sheet.grid, Workbook) else sheet.grid.rows())]
    width = max(len(header), *(len(row) for row in rows[title:]))
    body: list[Row] = [row + [None] * (width - len(row)) for row in rows[sheet.above :]]
    if isinstance(sheet.grid, Delimited):
        sign = _sign(sheet, sheet.grid)
        body = _transposed([_typed([str(cell or "") for cell in column], sign) for column in zip(*body, strict=True)])
    return Kept(rows[:title], header + [""] * (width - len(header)), body)


def _described(problem: TSP | VRP) -> Kept:
    """Return what a problem that was not read from a spreadsheet knows of its nodes."""
    places = problem.map
    header: list[str] = []
    columns: list[Sequence[Value]] = []
    if problem.labels:
        header.append("name")
        columns.append(problem.labels)
    if places is not None:
        axes = ["lat", "lon"] if problem.latlon else ["x", "y", "z"]
        header += axes[: places.shape[1]]
        columns += [[_plain(value) for value in axis] for axis in places.T.tolist()]
    if isinstance(problem, VRP):
        header.append("demand")
        columns.append([_plain(value) for value in problem.demands.tolist()])
    return Kept([], header, _transposed(columns) or [[] for _ in range(problem.n)])


def _transposed(columns: Sequence[Sequence[Value]]) -> list[Row]:
    return [list(row) for row in zip(*columns, strict=True)]


def _typed(column: Sequence[str], usual: str) -> Sequence[Value]:
    """Return a column of text as numbers if all of it are numbers, and none are digits of a name.

    ``usual`` is the decimal sign of the sheet, for columns whose only marks are in numbers such as 1,234.
    """
    filled = [cell.strip() for cell in column if cell.strip()]
    if not filled or any(LEADING_ZERO.match(cell) or sum(map(str.isdigit, cell)) > LONGEST_NUMBER for cell in filled):
        return [cell or None for cell in column]
    clear = [cell for cell in filled if cell.count(",") + cell.count(".") != 1 or not doubtful(cell)]
    sign = decimal_sign(clear) or usual
    values = [parse(cell, sign) if cell.strip() else None for cell in column]
    if sum(value is not None for value in values) < len(filled):
        return [cell or None for cell in column]
    return [None if value is None else _plain(value) for value in values]


def _formatted(row: Sequence[Value], formats: Sequence[str | None]) -> list[tuple[Value, str | None]]:
    return [(value, formats[at] if at < len(formats) else None) for at, value in enumerate(row)]


def _plain(value: float) -> int | float:
    return int(value) if abs(value) < 2**53 and value == int(value) else float(value)


def _safe(value: Value) -> Value:
    """Return a value for a CSV: text that a spreadsheet would execute gets an apostrophe."""
    if isinstance(value, float):
        return number_text(value)
    if not isinstance(value, str):
        return text_of(value)
    return safe_text(value) if DANGEROUS.match(value.strip()) or not value.isprintable() else value


def _decimals(longest: float) -> int:
    """Return the decimals that give the longest distance its significant digits."""
    return max(0, DIGITS - 1 - math.floor(math.log10(longest))) if longest > 0 else 0


def _rounded(values: Sequence[float], decimals: int) -> list[Value]:
    return [value if isinstance(value, int) else round(value, decimals) for value in values]


def write_workbook(
    title: str,
    rows: Iterable[Sequence[tuple[Value, str | None]]],
    header: int,
    widths: Mapping[int, float],
    more: Sequence[Page] = (),
) -> bytes:
    """Return a workbook with a sheet of ``rows`` of values, never formulas, and their number formats.

    The row ``header`` becomes bold and stays in view; ``widths`` are those of columns, by their numbers from 1. The
    sheets ``more`` follow.
    """
    openpyxl = library()
    book = openpyxl.Workbook(write_only=True)
    name = "".join(letter for letter in title if letter.isprintable() and letter not in "[]:*?/\\'")
    sheet = book.create_sheet(name[:LONGEST_TITLE] or "Stops")
    for at, width in widths.items():
        sheet.column_dimensions[openpyxl.utils.get_column_letter(at)].width = width
    sheet.freeze_panes = f"A{header + 2}"
    for number, row in enumerate(rows):
        cells = []
        for value, number_format in row:
            known = escaped(value) if isinstance(value, str) else value
            cells.append(cell := openpyxl.cell.WriteOnlyCell(sheet, value=known))
            if isinstance(value, str):
                cell.data_type = "s"
            if number_format is not None:
                cell.number_format = number_format
            if number == header:
                cell.font = openpyxl.styles.Font(bold=True)
        sheet.append(cells)
    taken = {sheet.title.casefold()}
    for page in more:
        write_page(book, openpyxl, page, taken)
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()
