"""Sheets of a workbook beside the plan itself: a summary, and for each vehicle what its driver prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from warptour.io.cells import escaped
from warptour.io.headers import fold, words
from warptour.io.workbook import Value
from warptour.model.clock import METRES
from warptour.model.itinerary import Trip, amount_text, by_the_clock, has_windows, time_text
from warptour.model.metric import Floats
from warptour.model.unserved import Unserved
from warptour.model.vehicles import VRP

MOST_SHEETS: Final = 200
"""Maximum number of vehicles that have sheets of their own."""
LONGEST_TITLE: Final = 31
"""Maximum length of a sheet's name."""
WIDEST: Final = 40.0
"""Maximum width of a column, in characters."""
AXES: Final = ("x", "y", "z", "lat", "lat alone", "lon", "lon alone")
"""Columns that a driver does not need, as ``words.ini`` has them."""


@dataclass(frozen=True)
class Page:
    """A sheet to print."""

    title: str
    rows: list[list[Value]]  # of values; those above ``header`` are a heading
    header: int = field(default=0)  # the row of the column titles, from 0


def pages(
    problem: VRP,
    trips: Sequence[Trip],
    lost: Sequence[Unserved],
    header: Sequence[str],
    kept: Sequence[Sequence[Value]],
) -> list[Page]:
    """Return a summary, and a page for each vehicle that drives unless there are too many.

    ``header`` and ``kept`` are the columns of the input, and the row of each node.
    """
    found = [_summary(problem, trips, lost)]
    if len(trips) <= MOST_SHEETS:
        axes = {word for name in AXES for word in words()["columns"][name]}
        shown = [at for at, name in enumerate(header) if name.strip() and fold(name) not in axes]
        found += [_driver(problem, trip, [header[at] for at in shown], _chosen(kept, shown)) for trip in trips]
    return found


def _chosen(kept: Sequence[Sequence[Value]], shown: Sequence[int]) -> list[list[Value]]:
    return [[row[at] for at in shown] for row in kept]


def _named(trip: Trip) -> str:
    return f"Route {trip.number}" + ("" if trip.vehicle is None else f" {trip.vehicle}")


def _length(problem: VRP, length: float) -> tuple[str, float]:
    """Return the unit of a length for people and the length in it: kilometres where metres are known."""
    if problem.unit == "m":
        return "km", round(length / METRES["km"], 2)
    return problem.unit or "distance", round(length, 2)


def _summary(problem: VRP, trips: Sequence[Trip], lost: Sequence[Unserved]) -> Page:
    """Return the page with a row for each vehicle, their sum, and the stops that are not served."""
    unit = _length(problem, 0)[0]
    timed = problem.clock is not None or has_windows(problem)
    header: list[Value] = ["route", "vehicle", "stops", "load", unit, *(["leaves", "back", "time"] if timed else [])]
    rows: list[list[Value]] = []
    for trip in trips:
        rows.append(
            [trip.number, trip.vehicle or "", len(trip.nodes[trip.stops]), trip.load, _length(problem, trip.length)[1]]
        )
        rows[-1] += _hours(problem, trip) if timed else []
    stops = sum(len(trip.nodes[trip.stops]) for trip in trips)
    length = _length(problem, sum(trip.length for trip in trips))[1]
    total: list[Value] = ["total", "", stops, "", length]
    total += ["", "", amount_text(problem, sum(trip.duration or 0.0 for trip in trips))] if timed else []
    rows.append(total)
    if lost:
        rows += [[], ["not served", "", "reason"]]
        rows += [[_name(problem, each.node), "", each.text] for each in lost]
    return Page("Summary", [header, *rows])


def _hours(problem: VRP, trip: Trip) -> list[Value]:
    """Return when a vehicle leaves and is back, and how long it is out."""
    assert trip.times is not None
    begins, ends = _clock(problem, float(trip.times.departures[0])), _clock(problem, trip.end or 0.0)
    return [begins, ends, amount_text(problem, trip.duration or 0.0)]


def _name(problem: VRP, node: int) -> Value:
    return problem.labels[node] if problem.labels is not None and problem.labels[node] else node + 1


def _driver(problem: VRP, trip: Trip, header: Sequence[str], kept: Sequence[Sequence[Value]]) -> Page:
    """Return the page of one vehicle: its visits in order with a box to tick."""
    unit, length = _length(problem, trip.length)
    stops = len(trip.nodes[trip.stops])
    heading = [_named(trip), f"{stops} stop{'' if stops == 1 else 's'}", f"{length:g} {unit}"]
    timed: list[Value] = []
    moments: list[Floats] = []
    if trip.times is not None:
        begins, ends, out = _hours(problem, trip)
        heading += [f"leaves {begins}", f"{'back' if trip.returns else 'done'} {ends}", str(out)]
        heading += [f"break {_clock(problem, rest.start)}-{_clock(problem, rest.end)}" for rest in trip.times.breaks]
        timed, moments = ["arrival" if by_the_clock(problem) else "after"], [trip.times.arrivals]
        if has_windows(problem):
            timed, moments = [*timed, "start"], [*moments, trip.times.starts]
    loads = trip.loads if trip.loads is not None and (problem.demands.any() or problem.two_way) else None
    named = [] if header else ["name"]
    columns: list[Value] = ["stop", *timed, *named, *header, *(["load"] if loads is not None else []), unit, "done"]
    rows: list[list[Value]] = []
    for at, node in enumerate(trip.nodes.tolist()):
        row: list[Value] = [int(trip.orders[at]), *(_clock(problem, float(each[at])) for each in moments)]
        row += [_name(problem, node)] if named else kept[node]
        row += [] if loads is None else [loads[at].item()]
        rows.append([*row, _length(problem, trip.distances[at].item())[1], "" if node in problem.depots else "☐"])
    return Page(_named(trip), [[", ".join(heading)], [], columns, *rows], 2)


def _clock(problem: VRP, moment: float) -> str:
    """Return a time of day, or hours and minutes from the start."""
    return time_text(problem, moment).removesuffix(" h")


def write_page(book: Any, openpyxl: Any, page: Page, taken: set[str]) -> None:
    """Add a page to a workbook that is written row by row; ``taken`` are the names of its sheets, folded."""
    plain = "".join(letter for letter in page.title if letter.isprintable() and letter not in "[]:*?/\\'")
    name, number = plain[:LONGEST_TITLE] or "Plan", 1
    while name.casefold() in taken:
        number += 1
        ending = f" ({number})"
        name = plain[: LONGEST_TITLE - len(ending)] + ending
    taken.add(name.casefold())
    sheet = book.create_sheet(name)
    for at, width in _widths(page).items():
        sheet.column_dimensions[openpyxl.utils.get_column_letter(at)].width = width
    sheet.freeze_panes = f"A{page.header + 2}"
    sheet.print_title_rows = f"{page.header + 1}:{page.header + 1}"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr = openpyxl.worksheet.properties.PageSetupProperties(fitToPage=True)
    sheet.oddFooter.right.text = "&P / &N"
    thin = openpyxl.styles.Side(style="thin", color="FFBBBBBB")
    for at, row in enumerate(page.rows):
        cells = []
        for value in row:
            known = escaped(value) if isinstance(value, str) else value
            cells.append(cell := openpyxl.cell.WriteOnlyCell(sheet, value=known))
            if isinstance(value, str):
                cell.data_type = "s"
            cell.alignment = openpyxl.styles.Alignment(vertical="top", wrap_text=at > page.header)
            if at <= page.header:
                cell.font = openpyxl.styles.Font(bold=True, size=14 if at == 0 < page.header else None)
            else:
                cell.border = openpyxl.styles.Border(bottom=thin)
        sheet.append(cells)


def _widths(page: Page) -> Mapping[int, float]:
    """Return the widths of columns, by their numbers from 1, so that most cells fit."""
    widths: dict[int, float] = {}
    for row in page.rows[page.header :]:
        for at, value in enumerate(row, 1):
            widths[at] = min(WIDEST, max(widths.get(at, 6.0), len(str("" if value is None else value)) + 2.0))
    return widths
