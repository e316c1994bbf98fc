"""Columns that a plan must not lose in silence: windows of a tour, vehicles, skills, priorities, depots, pickups."""

from __future__ import annotations

from pathlib import Path

import pytest

from warptour.io import read
from warptour.io.cells import are_hours
from warptour.model.errors import InputError, InputWarning, UsageError

ROWS = ("D,52.5,13.4", "A,52.51,13.41", "B,52.52,13.42", "C,52.5,13.43")


def sheet(folder: Path, header: str, *cells: str) -> Path:
    """Write four stops, the depot first, with further columns; cells are separated by semicolons, as all columns."""
    lines = [f"name,lat,lon,{header}", *(f"{row},{cell}" for row, cell in zip(ROWS, ("", *cells), strict=True))]
    (folder / "a.csv").write_text("\n".join(line.replace(",", ";") for line in lines) + "\n", encoding="utf-8")
    return folder / "a.csv"


UNCLEAR = "times of day that may be openings or closings"

REFUSED = {
    "Öffnungszeiten": ("13:00-18:00", "", "", "time windows"),
    "Hours": ("8-12, 14-18".replace(",", " und"), "", "", "time windows"),
    "Notes": ("ring twice", "9am-5pm", "", "time windows"),
    "Bemerkung": ("", "", "ab 13 Uhr", "time windows"),
    "Heures d'ouverture": ("le matin", "", "", "time windows"),
    "Delivery window": ("morning", "", "", "time windows"),
    "Horario": ("mañana", "", "", "time windows"),
    "Orari di apertura": ("mattina", "", "", "time windows"),
    "Janela de tempo": ("manhã", "", "", "time windows"),
    "Openingstijden": ("ochtend", "", "", "time windows"),
    "Godziny otwarcia": ("rano", "", "", "time windows"),
    "Öppettider": ("morgon", "", "", "time windows"),
    "Åbningstid": ("morgen", "", "", "time windows"),
    "Otevírací doba": ("ráno", "", "", "time windows"),
    "Nyitvatartás": ("reggel", "", "", "time windows"),
    "Aukioloajat": ("aamu", "", "", "time windows"),
    "ReadyTime": ("30", "60", "0", "time windows"),
    "Due date": ("2026-05-01", "2026-05-02", "", "several days"),
    "Latest": ("12:00", "", "", "time windows"),
    "Zeit (bis)": ("12", "14", "", "time windows"),
    "From": ("08:00", "09:30", "", "time windows"),
    "Lieferfenster": ("vormittags", "", "", "time windows"),
    "Anlieferung bis": ("12 Uhr", "", "9 Uhr", "time windows"),
    "Deliver by": ("10:00", "5 pm", "", "time windows"),
    "Annahmeschluss": ("14:00", "", "", "time windows"),
    "Preferred time": ("morning", "10:00", "", UNCLEAR),
    "Time": ("08:00:00", "09:30:00", "", UNCLEAR),
    "Window": ("AM", "PM", "all day", "time windows"),
    "Verfügbarkeit": ("vormittags", "ganztägig", "nachmittags", "time windows"),
    "Liefertermin": ("10:30", "", "", UNCLEAR),
    "arrival": ("08:25", "09:10", "10:00", UNCLEAR),
    "Slack bus": ("08:25", "-", "any", UNCLEAR),
    "e": ("9 Uhr", "10 Uhr", "17 Uhr", UNCLEAR),
    "Schicht": ("früh", "spät", "", "shifts"),
    "Vehicle": ("van", "truck", "van", "vehicles for certain stops"),
    "Fahrer": ("Anna", "Bob", "Anna", "vehicles for certain stops"),
    "Technician": ("Anna", "Bob", "Anna", "vehicles for certain stops"),
    "required skills": ("fridge", "", "", "skills"),
    "Compétences": ("froid", "", "", "skills"),
    "Priorität": ("1", "2", "1", "priorities"),
    "prio": ("", "x", "", "priorities"),
    "Urgent": ("yes", "no", "no", "priorities"),
    "Returns": ("2", "0", "0", "pickups"),
    "Pickup qty": ("2", "0", "0", "pickups"),
    "Abholung": ("ja", "nein", "", "pickups"),
    "Stop type": ("delivery", "pickup", "delivery", "pickups"),
    "Depot": ("Nord", "Süd", "Nord", "several depots"),
    "Shipment": ("S1", "S2", "S1", "shipments"),
}


@pytest.mark.parametrize("header", REFUSED)
def test_a_column_that_is_not_supported_yet_is_an_error(tmp_path: Path, header: str) -> None:
    *cells, what = REFUSED[header]
    path = sheet(tmp_path, header, *cells)
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:1: the column ")
    fault = "needs vehicles: a column demand, and --capacity" if what == "time windows" else "is not supported yet"
    fault = "is for vehicles: with a column demand, and --capacity" if what == "pickups" else fault
    assert f" ({what}) {fault}; --ignore " in caught.value.message and header in caught.value.message
    assert caught.value.message.endswith(" plans without it")
    assert read(path, ignore=[header]).warnings == () and read(path, ignore=[header.upper()]).n == 4


HARMLESS = {
    "notes": ("call first", "8-12", "2nd floor"),
    "phone": ("030-12", "+49 30 12-14", "0800 1-2"),
    "Address": ("Hauptstr. 8-12", "Weg 1", "Gasse 2/3"),
    "Vehicle": ("van", "van", "van"),
    "Priority": ("1", "1", "1"),
    "Pickup": ("0", "no", ""),
    "Type": ("shop", "school", "shop"),
    "Depot": ("Nord", "Nord", "Nord"),
    "Shipment ID": ("S1", "S2", "S3"),
    "Open": ("yes", "yes", "no"),
    "From": ("Berlin", "Bonn", "Ulm"),
    "Start": ("1", "0", "0"),
    "Delivery date": ("2026-05-01", "2026-05-02", ""),
    "Contract end": ("2026-05-01", "2026-05-02", ""),
    "Price": ("8.30", "12.50", "9.00"),
    "Effort": ("2h", "1h", "3 h"),
    "Last visit": ("2026-05-01 08:25", "2026-05-02 09:10", "2026-05-02 10:00"),
    "Tour": ("1", "2", "1"),
    "Driver notes": ("gate code 3", "ring twice", ""),
    "Priority mail address": ("Box 1", "Box 2", "Box 3"),
    "Window cleaning notes": ("3 windows", "2 windows", "1 window"),
    "Window": ("3", "2", "1"),
    "Distance from depot": ("3.5", "2", "1"),
    "Vehicle registration": ("B-XY 12", "M-AB 3", ""),
    "Order time": ("10:12", "11:15", "12:40"),
    "Contact": ("Ms Morning", "Mr Evening", "morning"),
    "Kind": ("Home Depot", "Home Depot", "shop"),
}


@pytest.mark.parametrize("header", HARMLESS)
def test_a_harmless_column_is_named(tmp_path: Path, header: str) -> None:
    with pytest.warns(InputWarning, match=f"columns not used: '{header}'"):
        problem = read(sheet(tmp_path, header, *HARMLESS[header]))
    assert len(problem.warnings) == 1 and problem.warnings[0].endswith(f"a.csv: columns not used: '{header}'")


def test_an_empty_column_is_not_named(tmp_path: Path) -> None:
    assert read(sheet(tmp_path, "Opening hours", "", "", "")).warnings == ()


def test_all_such_columns_are_named_at_once(tmp_path: Path) -> None:
    path = sheet(tmp_path, "Von,Bis,Prio,Fahrer,note", "8,12,1,A,a", "9,17,2,B,b", "8,18,1,A,c")
    kinds = r"'Prio' \(priorities\) and 'Fahrer' \(vehicles for certain stops\) are not supported yet"
    with pytest.raises(InputError, match=f":1: the columns {kinds}; --ignore Prio,Fahrer plans without them"):
        read(path)
    with pytest.raises(
        InputError, match=r":1: the columns 'Von', 'Bis' \(time windows\) need vehicles: a column demand"
    ):
        read(path, ignore=["Prio", "Fahrer"])
    with pytest.warns(InputWarning, match="columns not used: 'note'$"):
        assert read(path, ignore=["von", "bis", "PRIO", "fahrer"]).n == 4


@pytest.mark.parametrize(
    ("header", "cells"), [("Von", ("8", "9", "8")), ("to", ("8", "24", "")), ("Open", ("1", "0", "1"))]
)
def test_a_column_of_hours_that_may_be_other_numbers_is_an_error(
    tmp_path: Path, header: str, cells: tuple[str, ...]
) -> None:
    fault = f":1: the column '{header}' .numbers that may be hours. is not supported yet; --ignore {header} plans"
    with pytest.raises(InputError, match=fault):
        read(sheet(tmp_path, header, *cells))


def test_a_header_with_a_comma_is_ignored_in_quotes(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('x,y,"Hours, from"\n1,2,08:00-12:00\n3,4,\n')
    with pytest.raises(InputError) as caught:
        read(tmp_path / "a.csv")
    assert """--ignore '"Hours, from"' plans""" in caught.value.message
    assert read(tmp_path / "a.csv", ignore=["hours, FROM"]).n == 2


def test_of_two_headers_alike_the_one_that_is_written_out_is_ignored(tmp_path: Path) -> None:
    path = sheet(tmp_path, "Hours (Mon),Hours (Tue)", "8:00-9:00,7:00-9:00", ",", ",")
    with pytest.raises(InputError, match=r"the column 'Hours \(Tue\)' \(time windows\)"):
        read(path, ignore=["Hours (Mon)"])
    assert read(path, ignore=["hours"]).warnings == ()


def test_a_recognised_column_is_ignored_by_its_header(tmp_path: Path) -> None:
    path = sheet(tmp_path, "Menge,Gewicht", "1,5", "2,6", "3,7")
    with pytest.warns(InputWarning, match="not used: 'Gewicht'"):
        assert read(path, capacity=9).demands.tolist() == [0, 1, 2, 3]  # type: ignore[union-attr]
    assert read(path, capacity=9, ignore=["menge"]).demands.tolist() == [0, 5, 6, 7]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Ofnungszeiten", "has no column 'Ofnungszeiten' to ignore .--ignore.; did you mean 'Öffnungszeiten'?"),
        ("phone", "it has 'name', 'lat', 'lon', 'Öffnungszeiten'"),
        ("demand", "has no column 'demand' to ignore"),
    ],
)
def test_a_column_that_is_not_there_cannot_be_ignored(tmp_path: Path, name: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        read(sheet(tmp_path, "Öffnungszeiten", "8:00-9:00", "", ""), ignore=[name])


def test_the_depot_is_where_its_column_says(tmp_path: Path) -> None:
    text = "name,x,y,demand,Kind\nA,0,0,{},customer\nB,1,1,{},depot\nC,2,0,3,customer\n"
    (tmp_path / "a.csv").write_text(text.format("", "2"))
    with pytest.raises(InputError, match=r":3: this is the depot by the column 'Kind', but row 1.*--depot 2"):
        read(tmp_path / "a.csv", capacity=9)
    (tmp_path / "a.csv").write_text(text.format("2", ""))
    with pytest.warns(InputWarning, match="not used: 'Kind'"):
        assert read(tmp_path / "a.csv", capacity=9, depot="B").depot == 1  # type: ignore[union-attr]
    (tmp_path / "a.csv").write_text(text.replace(",demand", "").replace(",{}", "").replace(",3", ""))
    with pytest.raises(InputError, match="move it to the first row, or --ignore Kind"):
        read(tmp_path / "a.csv")


def test_rows_that_are_depots(tmp_path: Path) -> None:
    text = "name,x,y,demand,Site type\nA,0,0,,Depot 1\nB,9,1,,Depot 2\nC,2,0,3,customer\n"
    (tmp_path / "a.csv").write_text(text)
    with pytest.warns(InputWarning, match=r"a.csv: 2 rows are depots, 'A', 'B'; each has vehicles of its own"):
        problem = read(tmp_path / "a.csv", capacity=9)
    assert problem.depots == (0, 1) and problem.customers.tolist() == [2]  # type: ignore[union-attr]
    with pytest.warns(InputWarning, match=r"a.csv:3: 'B' is a depot by its row, and is planned as a stop"):
        assert read(tmp_path / "a.csv", ignore=["demand"]).n == 3
    (tmp_path / "a.csv").write_text(text.replace("1,,", "1,2,"))
    with pytest.warns(InputWarning, match=r"a.csv:3: 'B' is a depot by its row, and is planned as a stop"):
        problem = read(tmp_path / "a.csv", capacity=9, depot="A")
    assert problem.depots == (0,) and len(problem.warnings) == 1  # type: ignore[union-attr]
    with pytest.raises(InputError, match=r"a.csv:3: the depot, 'B', has the demand 2"):
        read(tmp_path / "a.csv", capacity=9)


@pytest.mark.parametrize(
    ("cell", "clear"),
    [
        ("13:00-18:00", True),
        ("8:00 – 12:00", True),
        ("8-12, 14-18", True),
        ("Mo-Fr 8-18 Uhr", True),
        ("8h30 à 12h", True),
        ("10.00-12.30", True),
        ("after 13:00", True),
        ("8-12", False),
        ("bis 12", False),
        ("08:00", False),
        ("01.05-03.05", False),
        ("2026-05-01", False),
        ("1/2", False),
        ("8:00-12:00 at the back door, ask for the key", False),
    ],
)
def test_cells_that_clearly_are_hours(cell: str, clear: bool) -> None:
    assert are_hours(cell) is clear
