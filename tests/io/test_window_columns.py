"""Time windows in tables of stops: words of four languages, forms of cells, and what cannot be read."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from warptour.api import solve
from warptour.io import read
from warptour.model.errors import InfeasibleError, InputError, InputWarning, UsageError
from warptour.model.vehicles import VRP

STOPS = ("Depot,52.5,13.4,", "Baker,52.51,13.41,2", "Miller,52.52,13.42,3", "Smith,52.5,13.43,1")
DRIVE = {"capacity": 9, "speed": 30}
ANY = "00:00-"


def table(folder: Path, header: str, *cells: str) -> Path:
    """Write four stops, the depot first, with further columns, whose cells are separated by bars.

    Cells of three stops leave those of the depot empty.
    """
    own = cells if len(cells) == len(STOPS) else ("|" * header.count("|"), *cells)
    rows = ["name,lat,lon,demand", *STOPS]
    lines = [
        f"{row.replace(',', chr(9))}\t{cell.replace('|', chr(9))}"
        for row, cell in zip(rows, (header, *own), strict=True)
    ]
    (folder / "a.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "a.csv"


def hours(path: Path, **options: Any) -> list[str]:
    """The windows of the stops of a table, the depot first."""
    problem = read(path, **DRIVE | options)
    assert isinstance(problem, VRP)
    return [problem.windows.text(node, True) for node in range(problem.n)] if problem.windows else []


PAIRS = [
    "from|to", "open|close", "earliest|latest", "ready|due", "Ready time|Due time", "Opens at|Closes at", "start|end",
    "time_window_start|time_window_end", "tw_from|tw_to", "Not before|Deliver by", "available from|available until",
    "von|bis", "Zeit (von)|Zeit (bis)", "Öffnet|Schließt", "Frühestens|Spätestens", "Früheste Ankunft|Späteste Ankunft",
    "Zeitfenster von|Zeitfenster bis", "Lieferung ab|Lieferung bis", "Geöffnet ab|Geöffnet bis", "Beginn|Ende",
    "de|à", "Heure d'ouverture|Heure de fermeture", "Au plus tôt|Au plus tard", "Début créneau|Fin créneau",
    "Ouvre à|Ferme à", "heure début|heure fin", "desde|hasta", "Apertura|Cierre", "Hora de apertura|Hora de cierre",
    "Abre|Cierra", "Hora inicio|Hora fin", "Open from|Open until", "Geöffnet von|Geöffnet bis", "Ouvert de|Ouvert à",
    "Abierto desde|Abierto hasta", "Startzeit|Endzeit", "Uhrzeit von|Uhrzeit bis", "Livraison de|Livraison à",
    "Livrer après|Livrer avant", "Plus tôt|Plus tard", "Ouvre|Ferme", "Más temprano|Más tarde",
    "No antes de|No después de", "Nicht vor|Nicht nach", "arrive after|arrive before", "Open1|Close1",
]  # fmt: skip


@pytest.mark.parametrize("header", PAIRS)
def test_openings_and_closings(tmp_path: Path, header: str) -> None:
    path = table(tmp_path, header, "08:00|12:30", "|17:00", "9:15|")
    assert hours(path) == [ANY, "08:00-12:30", "00:00-17:00", "09:15-"]
    assert read(path, **DRIVE).warnings == ()


ONE_COLUMN = [
    "Hours", "time_window", "Time windows", "Opening hours", "Delivery window", "Öffnungszeiten", "Zeitfenster",
    "Lieferfenster", "Von - bis", "Heures d'ouverture", "Créneau", "Plage horaire", "Horaires", "Horario",
    "Horario de apertura", "Ventana horaria", "Franja horaria", "Verfügbarkeit",
]  # fmt: skip


@pytest.mark.parametrize("header", ONE_COLUMN)
def test_windows_in_one_cell(tmp_path: Path, header: str) -> None:
    path = table(tmp_path, header, "08:00-12:00", "8-12, 14-18", "")
    assert hours(path) == [ANY, "08:00-12:00", "08:00-12:00, 14:00-18:00", ANY]


@pytest.mark.parametrize(
    ("header", "cells", "expected"),
    [
        ("Hours", ("8am-5pm", "ab 13 Uhr", "any"), ["08:00-17:00", "13:00-", ANY]),
        ("Öffnungszeiten", ("8.30–12.15 Uhr", "ganztägig", "bis 12"), ["08:30-12:15", ANY, "00:00-12:00"]),
        ("Horaires", ("8h-12h30 et 14h-18h", "", "après 9h"), ["08:00-12:30, 14:00-18:00", ANY, "09:00-"]),
        ("Horario", ("de 8 a 14 h", "9:00-13:00 y 16:00-19:00", ""), ["08:00-14:00", "09:00-13:00, 16:00-19:00", ANY]),
        ("Notes", ("", "9am-5pm", ""), [ANY, "09:00-17:00", ANY]),
        ("from|to", ("8|12", "9|17", "0|24"), ["08:00-12:00", "09:00-17:00", "00:00-00:00 +1"]),
        ("earliest|latest", ("8 Uhr|5 pm", "8.30|24:00", "07:00:00|"), ["08:00-17:00", "08:30-00:00 +1", "07:00-"]),
        ("Ready (min)|Due (min)", ("480|720", "510.5|600", "|"), ["08:00-12:00", "08:30-10:00", ANY]),
        ("Open (h)|Close (h)", ("8.5|12", "8|12.25", "|"), ["08:30-12:00", "08:00-12:15", ANY]),
        ("Deadline", ("12:00", "5pm", ""), ["00:00-12:00", "00:00-17:00", ANY]),
        ("Due by", ("12:00", "", "before 9:00"), ["00:00-12:00", ANY, "00:00-09:00"]),
        ("Ready", ("12:00", "", ""), ["12:00-", ANY, ANY]),
        (
            "from|to",
            ("2026-05-01 08:00|2026-05-01 12:00", "2026-05-01 22:00|2026-05-02 06:00", "2026-05-02|"),
            ["08:00-12:00", "22:00-06:00 +1", "00:00 +1-"],
        ),
        ("von|bis", ("1.5.2026 8:00|1.5.2026 12:00", "2.5.2026 8:00|", "|"), ["08:00-12:00", "08:00 +1-", ANY]),
        ("from|to", ("5/1/2026 8:00 AM|5/1/2026 1:30 PM", "|", "|"), ["08:00-13:30", ANY, ANY]),
        (
            "Open 1|Close 1|Open 2|Close 2",
            ("8|12|14|18", "9|17||", "|||"),
            ["08:00-12:00, 14:00-18:00", "09:00-17:00", ANY],
        ),
        ("Lieferzeit", ("8-12", "9-17", ""), ["08:00-12:00", "09:00-17:00", ANY]),
        ("Open", ("8-12", "9-17", ""), ["08:00-12:00", "09:00-17:00", ANY]),
        ("Hours", ("22:00-06:00 +1", "", ""), ["22:00-06:00 +1", ANY, ANY]),
        ("Hours", ("13:00-", "from 10:00", "until 10:00"), ["13:00-", "10:00-", "00:00-10:00"]),
        ("Hours", (">= 9:30", "≤10:00", "08:00−12:00"), ["09:30-", "00:00-10:00", "08:00-12:00"]),
        ("Hours", ("24/7", "24h", "8-12"), [ANY, ANY, "08:00-12:00"]),
        ("Horario", ("todo el día", "8-12", "siempre"), [ANY, "08:00-12:00", ANY]),
        ("Horaires", ("toute la journée", "8h-12h", "24h/24"), [ANY, "08:00-12:00", ANY]),
    ],
)
def test_cells(tmp_path: Path, header: str, cells: tuple[str, ...], expected: list[str]) -> None:
    assert hours(table(tmp_path, header, *cells)) == [ANY, *expected]


def test_the_hours_of_the_depot_are_the_shift(tmp_path: Path) -> None:
    path = table(tmp_path, "from|to", "07:00|16:00", "08:00|12:00", "|", "|")
    assert hours(path)[:2] == ["07:00-16:00", "08:00-12:00"]
    assert hours(path, shift="08:00-15:00")[0] == "08:00-15:00"
    with pytest.warns(InputWarning, match=r"a.csv: the depot's hours, 07:00-16:00, cut the shift to 08:00-16:00"):
        assert hours(path, shift="08:00-17:00")[0] == "08:00-16:00"
    with pytest.raises(InputError, match="the shift 17:00-18:00 is outside the depot's hours, 07:00-16:00"):
        read(path, **DRIVE, shift="17:00-18:00")
    assert hours(table(tmp_path, "note", "", "", ""), shift="8-17", ignore=["note"]) == ["08:00-17:00", ANY, ANY, ANY]


def test_costs_and_limits_of_time(tmp_path: Path) -> None:
    path = table(tmp_path, "Hours", "8-12", "", "")
    problem = read(path, **DRIVE, hour_cost=20, late_cost=50, max_wait=30, depart="07:30", open=True)
    assert isinstance(problem, VRP) and problem.open and problem.max_wait == 1800
    assert (problem.hour_cost, problem.late_cost) == (20, 50)
    assert problem.schedule is not None and problem.schedule.windows.opens[0] * problem.schedule.pace == 7.5 * 3600


def test_a_problem_without_a_clock_has_the_unit_of_the_distances() -> None:
    problem = read("vrp:9:1", shift="0-3000", late_cost=2, max_wait=70, hour_cost=1)
    assert isinstance(problem, VRP) and problem.windows is not None and problem.max_wait == 70
    assert problem.windows.of_node(problem.depot) == [(0, 3000)]
    with pytest.raises(InputError, match=r"'8:00-17:00' is no window; write it as '0-230'.*hours need travel times"):
        read("vrp:9:1", shift="8:00-17:00")


BAD = [
    (
        "Hours",
        ("8-12", "vormittags", ""),
        ":4: 'Hours' of 'Miller' is 'vormittags', which is no window; write hours such as",
    ),
    ("Hours", ("8-12", "Mo-Fr 8-18", ""), ":4: 'Hours' of 'Miller' is 'Mo-Fr 8-18', which is no window"),
    (
        "Hours",
        ("10:00", "8-12, 14-18", ""),
        ":3: .* is '10:00', which may be an opening or a closing; write 'from 10:00' or 'until 10:00'",
    ),
    ("Notes", ("ring twice", "9am-5pm", ""), ":3: 'Notes' of 'Baker' is 'ring twice', which is no window"),
    (
        "Hours",
        ("13:00-08:00", "", ""),
        ":3: the window of 'Baker' ends at 08:00, before it begins at 13:00; is 13:00-08:00 .1",
    ),
    (
        "from|to",
        ("9|5", "8|12", "|"),
        ":3: the window of 'Baker' ends at 05:00, before it begins at 09:00; is 09:00-17:00",
    ),
    (
        "ready|due",
        ("30|60", "0|90", "|"),
        ":3: 'ready' of 'Baker' is '30', which has no unit; write a time such as 08:30, or",
    ),
    ("ready|due", ("0|1700", "|", "|"), "'due' of 'Baker' is '1700', .* in the header: 'due .min.'"),
    (
        "from|to",
        ("08:00|noonish", "|", "|"),
        ":3: 'to' of 'Baker' is 'noonish', which is no time of day; write it as 08:00",
    ),
    ("from|to", ("8:61|9", "8|9", "|"), ":3: 'from' of 'Baker' is '8:61', which is no time of day"),
    ("from|to", ("480|540", "8|9", "|"), ":3: 'from' of 'Baker' is '480', which has no unit"),
    ("from|to", ("-1|9", "8|9", "|"), ":3: 'from' of 'Baker' is '-1', which is no time of day"),
    ("von|bis", ("8|inf", "8|9", "|"), ":3: 'bis' of 'Baker' is 'inf', which is no time of day"),
    ("earliest|latest", ("8:61|9:99", "8|9", "|"), ":3: 'earliest' of 'Baker' is '8:61', which is no time of day"),
    ("from|to", ("08:00|25:00", "|", "|"), "'25:00', which is no time of day"),
    ("from|to", ("08:00|0.5", "|", "|"), "'0.5', which is no time of day"),
    (
        "from|to",
        ("2026-05-01 08:00|2026-05-01 09:00", "2026-05-02 8:00|10:00", "|"),
        ":4: 'to' .* has no date, as others do",
    ),
    (
        "from|to",
        ("5/1/2026 8:00|", "5/2/2026 8:00|", "|"),
        ":3: the date '5/1/2026' is ambiguous; write it as 2026-05-31",
    ),
    ("earliest|ready|due", ("8|9|12", "8|9|12", "||"), ":1: the columns 'earliest' and 'ready' are openings; keep one"),
    (
        "Hours|Deadline",
        ("8-12|11:00", "|", "|"),
        ":1: the columns 'Hours' and 'Deadline' say when stops are open; keep one",
    ),
    ("Hours (Mon)|Hours (Tue)", ("8-12|9-12", "|", "|"), "keep one of them: --ignore 'Hours .Tue.'"),
    ("Due date", ("2026-05-01", "2026-05-02", ""), "'Due date' .several days. is not supported yet; --ignore"),
    ("Liefertermin", ("10:30", "", ""), "times of day that may be openings or closings"),
    ("Hours|Schicht", ("8-12|1", "|2", "|1"), "the column 'Schicht' .shifts. is not supported yet"),
]


@pytest.mark.parametrize(("header", "cells", "fault"), BAD)
def test_what_cannot_be_read_is_named(tmp_path: Path, header: str, cells: tuple[str, ...], fault: str) -> None:
    path = table(tmp_path, header, *cells)
    with pytest.raises(InputError, match=fault) as caught:
        read(path, **DRIVE)
    assert str(caught.value).startswith(f"{path}:") and "\n" not in str(caught.value)
    assert "--ignore" in caught.value.message or any(what in fault for what in ("the window of", "the date"))
    assert hours(path, ignore=header.split("|")) == []


def test_windows_need_travel_times(tmp_path: Path) -> None:
    path = table(tmp_path, "from|to", "8|12", "|", "|")
    fault = (
        r":1: the columns 'from', 'to' .time windows. need travel times: --speed or --durations; --ignore from,to plans"
    )
    with pytest.raises(InputError, match=fault):
        read(path, capacity=9)


@pytest.mark.parametrize("header", ["Release", "release (min)", "Freigabe", "Mise à disposition"])
def test_releases(tmp_path: Path, header: str) -> None:
    first = "90" if "min" in header else "01:30"
    problem = read(table(tmp_path, f"from|to|{header}", f"8|12|{first}", "||", "||2:00"), **DRIVE)
    assert isinstance(problem, VRP) and problem.releases is not None
    assert problem.releases.tolist() == [0, 5400, 0, 7200] and problem.warnings == ()
    with pytest.raises(InputError, match=r"'.*' of 'Miller' is '9x', which is no time of day; .*--ignore"):
        read(table(tmp_path, header, first, "9x", ""), **DRIVE)
    with pytest.raises(InputError, match=r"need.* travel times"):
        read(table(tmp_path, header, first, "", ""), capacity=9)


def test_a_stop_whose_goods_come_too_late_is_named(tmp_path: Path) -> None:
    problem = read(table(tmp_path, "from|to|release", "8|9|10:00", "||", "||"), **DRIVE)
    with pytest.raises(
        InfeasibleError, match=r"'Baker', row 3.* cannot be reached before 10:03, after its hours 08:00"
    ):
        solve(problem, seconds=1)


def test_columns_are_chosen(tmp_path: Path) -> None:
    path = table(tmp_path, "A1|A2|A3", "8|12|8-10", "9|17|", "||")
    with pytest.warns(InputWarning, match="not used: 'A3'"):
        assert hours(path, columns={"opens": "A1", "to": "A2"}, ignore=[])[1] == "08:00-12:00"
    assert hours(path, columns={"time_window": "A3"}, ignore=["A1", "A2"])[1] == "08:00-10:00"
    with pytest.raises(UsageError, match="has no column 'B' "):
        read(path, **DRIVE, columns={"opens": "B"})


def test_a_service_longer_than_its_window_is_told(tmp_path: Path) -> None:
    path = table(tmp_path, "Hours|service (min)", "8:00-8:15|45", "8-12|30", "9-9:10|30")
    with pytest.warns(
        InputWarning, match=r":3: 'Baker' is served for 0:45 h, longer than its window 08:00-08:15, as is 1 more"
    ):
        assert hours(path)[1] == "08:00-08:15"


def test_a_workbook_has_times_and_dates(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    day = datetime.datetime(2026, 5, 1, 8, 30)
    for row in (
        ["name", "x (km)", "y (km)", "demand", "von", "bis"],
        ["D", 0, 0, None, None, None],
        ["A", 1, 0, 1, datetime.time(8), datetime.time(12, 15)],
        ["B", 2, 0, 1, "9 Uhr", 17],
        ["C", 3, 0, 1, day, day.replace(hour=10)],
        ["E", 4, 0, 1, datetime.timedelta(hours=9.5), datetime.timedelta(hours=24)],
    ):
        book.active.append(row)
    assert book.active.cell(6, 6).number_format == "[hh]:mm:ss"
    book.save(tmp_path / "a.xlsx")
    assert hours(tmp_path / "a.xlsx") == [ANY, "08:00-12:15", "09:00-17:00", "08:30-10:30", "09:30-00:00 +1"]


def test_the_columns_of_a_solution_are_no_windows(tmp_path: Path) -> None:
    path = table(tmp_path, "node|arrival|start|departure", "2|8:00|8:05|8:10", "3|9:00|9:00|9:10", "4|9:20|9:20|9:30")
    with pytest.warns(InputWarning, match="columns not used"):
        assert hours(path) == []


def test_a_tour_has_no_windows(tmp_path: Path) -> None:
    path = table(tmp_path, "Hours", "8-12", "", "")
    with pytest.raises(
        InputError, match=r"'Hours' .time windows. needs vehicles: a column demand, and --capacity; --ignore"
    ):
        read(path, ignore=["demand"], speed=30)


def test_windows_beside_matrices(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name,demand,from,to\nD,,7,17\nA,1,8,12\nB,2,,10:30\n")
    (tmp_path / "m.csv").write_text("0,600,700\n650,0,200\n720,210,0\n")
    path = str(tmp_path / "m.csv")
    problem = read(tmp_path / "a.csv", capacity=5, matrix=path, durations=path)
    assert isinstance(problem, VRP) and problem.schedule is not None and problem.windows is not None
    assert [problem.windows.text(node, True) for node in range(3)] == ["07:00-17:00", "08:00-12:00", "00:00-10:30"]


def test_a_large_table_has_windows(tmp_path: Path) -> None:
    rows = "".join(f"{x},{x % 7},1,{8 + x % 4}:00-12:00\n" for x in range(1, 20_000))
    (tmp_path / "a.csv").write_text(f"x (km),y (km),demand,Hours\n0,0,,\n{rows}")
    problem = read(tmp_path / "a.csv", capacity=99, speed=50)
    assert isinstance(problem, VRP) and problem.windows is not None and problem.n == 20_000
    assert problem.windows.opens[1:5].tolist() == [32400, 36000, 39600, 28800] and not problem.windows.several
