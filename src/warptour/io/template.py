"""An empty plan as a workbook: sheets of stops, vehicles and depots with examples, drop-downs, and a sheet of help."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

from warptour.io.workbook import Value, library

LAST_ROW: Final = 2000
"""Last row that has drop-downs."""
HOURS: Final = ",".join(f"{hour:02d}:00" for hour in range(24))
COUNTS: Final = "1,2,3,4,5,10,any"
WIDTH: Final = 14.0
HELP_WIDTHS: Final = (12.0, 18.0, 86.0)


@dataclass(frozen=True)
class Field:
    """A column of a sheet."""

    # name, says: its header, and what it is for
    name: str
    says: str
    examples: tuple[Value, ...]  # cells of the rows that are there as examples
    # what its drop-downs offer: words with commas between them, or a range of cells; other values may be written
    choices: str = ""
    span: tuple[int, int] | None = None  # lowest and highest whole number


PLACE: Final = "where it is: copied from a map (right-click the place), or a link of a map that has coordinates"
SHEETS: Final = {
    "stops": (
        Field("name", "what drivers call it", ("Bakery Huber", "School Nord", "Café Lind", "Hotel Post", "Clinic")),
        Field(
            "lat, lng",
            PLACE,
            ("47.0735, 15.4260", "47.0876, 15.4101", "47.0582, 15.4402", "47.0679, 15.4501", "47.0811, 15.4660"),
        ),
        Field("demand", "what is delivered there: kilograms, boxes, ... as capacities are", (120, 80, 60, 150, 90)),
        Field("service_minutes", "how long the vehicle stands there", (10, 5, 5, 15, 10)),
        Field("opens", "from when it may be served; empty: from the morning on", ("08:00", None, "07:00"), HOURS),
        Field("closes", "until when service may begin; empty: any time", ("11:00", None, "09:30"), HOURS),
        Field("skills", "what the vehicle must have, as the sheet vehicles says it: crane, fridge", ()),
        Field("priority", "1 to 100: may be left out, low ones first; empty: must be served", (), "", (1, 100)),
    ),
    "vehicles": (
        Field("name", "a kind of vehicles", ("van", "truck")),
        Field("count", "how many there are of it; any: as many as needed", (2, 1), COUNTS),
        Field("capacity", "the most that one carries", (250, 600)),
        Field("start", "the depot where its day begins", ("Depot", "Depot"), "=depots!$A$2:$A$50"),
        Field("end", "where its day ends; none: at its last stop", ("Depot", "Depot"), "=depots!$A$2:$A$50"),
        Field("shift_from", "when it may leave", ("07:00", "06:00"), HOURS),
        Field("shift_to", "when it must be back", ("16:00", "15:00"), HOURS),
        Field("max_hours", "the longest time that it is out", (8, None)),
        Field("fixed_cost", "cost of using one at all", ()),
        Field("cost_km", "cost of a kilometre", (0.4, 0.9)),
        Field("skills", "what it has: crane, fridge", ()),
    ),
    "depots": (
        Field("name", "what vehicles call it below start and end", ("Depot",)),
        Field("lat, lng", PLACE, ("47.0456, 15.4306",)),
        Field("opens", "when the first vehicle may leave", ("06:00",), HOURS),
        Field("closes", "when the last one must be back", ("20:00",), HOURS),
    ),
}
"""Columns of the sheets; all but ``lat, lng`` may be deleted."""
HELP: Final = (
    "Write over the examples in the sheets stops, vehicles and depots; a row for each.",
    "Columns may stand in any order, and those that you do not need may be deleted. Hidden rows are left out.",
    "Delete all vehicles to say them on the command line: --capacity 500 --vehicles 3.",
    "Plan the day, with a sheet for each driver:   warptour solve plan.xlsx --speed 30 --output day.xlsx",
    "Check what is read:   warptour info plan.xlsx --speed 30        Mistakes stop it:   --strict",
    "Other columns and words in a dozen languages: docs/user/files.md and docs/user/fleets.md",
)


def template_bytes() -> bytes:
    """Return the workbook."""
    openpyxl = library()
    book = openpyxl.Workbook()
    book.remove(book.active)
    bold, grey = openpyxl.styles.Font(bold=True), openpyxl.styles.Font(italic=True, color="FF808080")
    for title, columns in SHEETS.items():
        sheet = book.create_sheet(title)
        sheet.freeze_panes = "A2"
        for at, column in enumerate(columns, 1):
            letter = openpyxl.utils.get_column_letter(at)
            sheet.column_dimensions[letter].width = max(WIDTH, *(len(str(cell)) + 2.0 for cell in column.examples), 0.0)
            sheet.cell(1, at, column.name).font = bold
            for row, value in enumerate(column.examples, 2):
                cell = sheet.cell(row, at, value)
                cell.font = grey
                cell.number_format = "@" if isinstance(value, str) else "General"
            rule = _validation(openpyxl, column)
            rule.add(f"{letter}2:{letter}{LAST_ROW}")
            sheet.add_data_validation(rule)
    _write_help(book, bold)
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _validation(openpyxl: Any, column: Field) -> Any:
    """Return what a column's cells offer and accept; all say what the column is for."""
    kind = openpyxl.worksheet.datavalidation.DataValidation
    if column.span is not None:
        low, high = column.span
        rule = kind(type="whole", operator="between", formula1=str(low), formula2=str(high), showErrorMessage=True)
        rule.error = f"{column.name} is a whole number from {low} to {high}, or empty"
    elif column.choices:
        words = column.choices.startswith("=")
        rule = kind(
            type="list", formula1=column.choices[1:] if words else f'"{column.choices}"', showErrorMessage=False
        )
    else:
        rule = kind(type=None)
    rule.promptTitle, rule.prompt, rule.showInputMessage = column.name, column.says, True
    return rule


def _write_help(book: Any, bold: Any) -> None:
    """Write the sheet that says how the others are filled in."""
    sheet = book.create_sheet("help")
    for letter, width in zip("ABC", HELP_WIDTHS, strict=True):
        sheet.column_dimensions[letter].width = width
    for line in HELP:
        sheet.append([line])
    sheet.append([])
    sheet.append(["sheet", "column", "what it says"])
    for cell in sheet[sheet.max_row]:
        cell.font = bold
    for title, columns in SHEETS.items():
        for column in columns:
            sheet.append([title, column.name, column.says])
