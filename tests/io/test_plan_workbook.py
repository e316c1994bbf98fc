"""One workbook of stops, vehicles and depots: whichever way people fill it in."""

from __future__ import annotations

import re
from datetime import time
from pathlib import Path
from typing import Any

import pytest

from warptour.io import read, write_solution
from warptour.io.headers import kind_of_sheet
from warptour.io.template import SHEETS, template_bytes
from warptour.model.errors import InputError, InputWarning
from warptour.model.vehicles import VRP

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")

STOPS: list[list[Any]] = [
    ["name", "lat", "lon", "demand"],
    ["A", 52.51, 13.41, 0],
    ["B", 52.52, 13.4, 4],
    ["C", 52.53, 13.42, 2],
]
DEPOTS = [["name", "lat", "lon"], ["Nord", 52.6, 13.4], ["Süd", 52.4, 13.3]]
VEHICLES = [
    ["name", "count", "capacity", "start", "end"],
    ["van", 2, 5, "Nord", "Nord"],
    ["truck", 1, 9, "Süd", "none"],
]


def saved(path: Path, **sheets: list[list[Any]]) -> Path:
    """Write a workbook with these sheets in their order."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def planned(path: Path, **options: Any) -> VRP:
    problem = read(path, **options)
    assert isinstance(problem, VRP)
    return problem


@pytest.mark.parametrize("order", ["stops vehicles depots", "depots vehicles stops", "vehicles depots stops"])
def test_sheets_stand_in_any_order(tmp_path: Path, order: str) -> None:
    sheets = {"stops": STOPS, "vehicles": VEHICLES, "depots": DEPOTS}
    problem = planned(saved(tmp_path / "a.xlsx", **{name: sheets[name] for name in order.split()}))
    assert problem.labels == ("Nord", "Süd", "A", "B", "C") and problem.depots == (0, 1) and problem.warnings == ()
    assert problem.points[1].tolist() == [52.4, 13.3] and problem.demands.tolist() == [0, 0, 0, 4, 2]
    assert problem.fleet is not None
    assert [(each.start, each.end) for each in problem.fleet.types] == [(0, 0), (1, None)]


def test_words_of_other_languages_and_title_rows(tmp_path: Path) -> None:
    stops = [["Tour am Montag"], [], ["Kunde", "Breitengrad", "Längengrad", "Menge"], *STOPS[1:]]
    cars = [["Fuhrpark"], ["Bezeichnung", "Anzahl", "Kapazität"], ["Transporter", 3, 6]]
    problem = planned(saved(tmp_path / "a.xlsx", Fahrzeuge=cars, Lager=[["Lager"], *DEPOTS[:2]], Kunden=stops))
    assert problem.labels == ("Nord", "A", "B", "C") and problem.depots == (0,)


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Vehicles 2026", "vehicles"),
        ("Unsere Fahrzeuge", "vehicles"),
        ("Depots (Nord)", "depots"),
        ("Monday stops", "stops"),
        ("READ ME", "guides"),
        ("Stops and depots", None),
        ("Sheet1", None),
    ],
)
def test_titles_of_sheets(title: str, kind: str | None) -> None:
    assert kind_of_sheet(title) == kind


def test_vehicles_may_say_whose_they_are(tmp_path: Path) -> None:
    cars = [["name", "capacity", "driver", "plate"], ["a", 9, "Anna", "G-1"], [], ["b", 5, "Bob", "G-2"]]
    problem = planned(saved(tmp_path / "a.xlsx", stops=STOPS, vehicles=cars))
    assert problem.fleet is not None and [each.name for each in problem.fleet.types] == ["a", "b"]


def test_one_depot_begins_a_tour_and_several_need_no_options(tmp_path: Path) -> None:
    stops = [row[:3] for row in STOPS]
    assert read(saved(tmp_path / "a.xlsx", stops=stops, depots=DEPOTS[:2])).labels == ("Nord", "A", "B", "C")
    problem = planned(saved(tmp_path / "b.xlsx", stops=stops, depots=DEPOTS))
    assert problem.depots == (0, 1) and problem.customers.tolist() == [2, 3, 4]
    assert planned(tmp_path / "b.xlsx", depot="Süd", vehicles=2).depots == (1,)


def test_a_depot_among_the_stops_is_no_stop(tmp_path: Path) -> None:
    stops = [STOPS[0], ["Nord", 52.6, 13.4, None], *STOPS[1:], ["Süd", 52.5, 13.3, 1]]
    with pytest.warns(InputWarning, match=r"a.xlsx \(stops\):2: 'Nord' is a depot, and no stop"):
        problem = planned(saved(tmp_path / "a.xlsx", stops=stops, vehicles=VEHICLES[:2], depots=DEPOTS[:2]))
    assert problem.labels == ("Nord", "A", "B", "C", "Süd") and len(problem.warnings) == 1


def test_a_header_without_rows_says_nothing(tmp_path: Path) -> None:
    problem = planned(saved(tmp_path / "a.xlsx", stops=STOPS, depots=DEPOTS[:1], vehicles=VEHICLES[:1]), capacity=9)
    assert problem.fleet is None and problem.labels == ("A", "B", "C")


def test_a_workbook_of_depots_alone_is_one_of_stops(tmp_path: Path) -> None:
    assert read(saved(tmp_path / "a.xlsx", depots=[row[:3] for row in STOPS])).labels == ("A", "B", "C")


@pytest.mark.parametrize(
    ("stops", "depots"),
    [
        (["opens", "closes", "08:00", "12:00"], ["opens", "closes", "06:00", "20:00"]),
        (["opens", "closes", "08:00", "12:00"], ["hours", "", "06:00-20:00", ""]),
        (["Time window", "", "08:00-12:00", ""], ["from", "to", "06:00", "20:00"]),
        (["Time window", "", "08:00-12:00", ""], ["Opening hours", "", "06:00-20:00", ""]),
    ],
)
def test_hours_of_depots_are_written_as_those_of_stops(tmp_path: Path, stops: list[str], depots: list[str]) -> None:
    rows = [STOPS[0] + stops[:2], STOPS[1] + stops[2:], *STOPS[2:]]
    base = [DEPOTS[0] + depots[:2], DEPOTS[1] + depots[2:], DEPOTS[2]]
    problem = planned(saved(tmp_path / "a.xlsx", stops=rows, depots=base), capacity=9, speed=30)
    assert problem.windows is not None
    hours = [problem.windows.text(node, True) for node in range(3)]
    assert hours[0] == "06:00-20:00" and hours[2] == "08:00-12:00"


def test_hours_of_depots_alone(tmp_path: Path) -> None:
    base = [[*DEPOTS[0], "opens", "closes"], [*DEPOTS[1], "06:00", "20:00"]]
    problem = planned(saved(tmp_path / "a.xlsx", stops=STOPS, depots=base), capacity=9, speed=30)
    assert problem.windows is not None and problem.windows.text(0, True) == "06:00-20:00"
    assert [problem.windows.of_node(node) for node in (1, 2)] == [[(0.0, float("inf"))]] * 2


@pytest.mark.parametrize(
    ("depots", "fault"),
    [
        ([["name", "x", "y"], ["Nord", 1, 2]], r"a.xlsx \(depots\):1: depots need lat,lon, as the stops have them"),
        ([["name", "lat", "lon"], ["Nord", 52.6, "east"]], r"a.xlsx \(depots\):2: lon of 'Nord' is 'east'"),
        ([["Nord"]], r"a.xlsx \(depots\): the sheet 'depots' has no header; depots have columns such as name"),
    ],
)
def test_faults_of_depots(tmp_path: Path, depots: list[list[Any]], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read(saved(tmp_path / "a.xlsx", stops=STOPS, depots=depots), capacity=9)


def test_hidden_rows_and_totals_of_all_sheets(tmp_path: Path) -> None:
    stops, cars = [*STOPS, [], ["Total", None, None, 9]], [*VEHICLES, ["Summe", 3]]
    path = saved(tmp_path / "a.xlsx", stops=stops, vehicles=cars, depots=DEPOTS)
    book = openpyxl.load_workbook(path)
    book["stops"].row_dimensions[3].hidden = True
    book["vehicles"].row_dimensions[2].hidden = True
    book["depots"].row_dimensions[2].hidden = True
    book.save(path)
    with pytest.warns(InputWarning):
        problem = planned(path)
    assert problem.labels == ("Süd", "A", "C")
    assert problem.fleet is not None and [each.name for each in problem.fleet.types] == ["truck"]
    assert [note.partition("a.xlsx")[2] for note in problem.warnings] == [
        " (vehicles): 1 hidden row is left out",
        " (vehicles):4: 'Summe, 3' is a row of totals, and left out",
        " (depots): 1 hidden row is left out",
        " (stops): 1 hidden row is left out",
        " (stops):6: 'Total, 9' is a row of totals, and left out",
    ]


@pytest.mark.parametrize("last", ["Total,,,9", "Summe:,,,9", ",,,6", "Grand total,,,", "total (3 stops),,,9"])
def test_a_row_of_totals_is_no_stop(tmp_path: Path, last: str) -> None:
    text = "".join(",".join(map(str, row)) + "\n" for row in STOPS)
    (tmp_path / "a.csv").write_text(text + last + "\n")
    with pytest.warns(InputWarning, match=r"a.csv:5: .* is a row of totals, and left out$"):
        problem = planned(tmp_path / "a.csv", capacity=9)
    assert problem.n == 3
    write_solution(tmp_path / "b.csv", problem, [[1, 2]])
    assert (tmp_path / "b.csv").read_text().splitlines()[0].startswith("name,lat,lon,demand,route")


@pytest.mark.parametrize("last", ["D,,,9", "Total,52.5,13.4,9", ",,,8"])
def test_other_rows_are_not_taken_for_totals(tmp_path: Path, last: str) -> None:
    text = "".join(",".join(map(str, row)) + "\n" for row in STOPS)
    (tmp_path / "a.csv").write_text(text + last + "\n")
    if "52.5" in last:
        assert planned(tmp_path / "a.csv", capacity=9).n == 4
    else:
        with pytest.raises(InputError, match="there is no lat"):
            read(tmp_path / "a.csv", capacity=9)


def test_the_template_is_a_plan(tmp_path: Path) -> None:
    (tmp_path / "plan.xlsx").write_bytes(template_bytes())
    problem = planned(tmp_path / "plan.xlsx", speed=30)
    assert problem.warnings == () and problem.n == 6 and problem.depots == (0,)
    assert problem.fleet is not None and [each.count for each in problem.fleet.types] == [2, 1]
    book = openpyxl.load_workbook(tmp_path / "plan.xlsx")
    assert book.sheetnames == [*SHEETS, "help"]
    for title, columns in SHEETS.items():
        assert [cell.value for cell in book[title][1]] == [column.name for column in columns]
        rules = book[title].data_validations.dataValidation
        assert len(rules) == len(columns) and all(rule.prompt for rule in rules)
    lists = [rule.formula1 for rule in book["vehicles"].data_validations.dataValidation if rule.type == "list"]
    assert "depots!$A$2:$A$50" in lists
    assert {row[1].value for row in book["help"].iter_rows(min_row=9)} == {
        column.name for columns in SHEETS.values() for column in columns
    }


def test_a_template_without_its_examples_is_named_as_empty(tmp_path: Path) -> None:
    (tmp_path / "plan.xlsx").write_bytes(template_bytes())
    book = openpyxl.load_workbook(tmp_path / "plan.xlsx")
    for title in SHEETS:
        book[title].delete_rows(2, 9)
    book.save(tmp_path / "plan.xlsx")
    with pytest.raises(InputError, match=r"plan.xlsx \(stops\):1: "):
        read(tmp_path / "plan.xlsx", speed=30)


def test_faults_name_the_sheet_and_the_row(tmp_path: Path) -> None:
    stops = [["Monday"], *STOPS[:2], ["B", None, 13.4, 4]]
    with pytest.raises(InputError, match=r"a.xlsx \(Kunden KW 47\):4: there is no lat of 'B'"):
        read(saved(tmp_path / "a.xlsx", **{"Notizen": [["-"]], "Kunden KW 47": stops}), capacity=9)


@pytest.mark.parametrize(("cell", "fault"), [("=B3+0.01", "lat of 'B' is the formula '=B3"), ("=D4*2", None)])
def test_formulas_without_values_are_named(tmp_path: Path, cell: str, fault: str | None) -> None:
    """Programs that do not calculate leave values out; in columns that are not used, and in sums, that is no matter."""
    stops = [["name", "lat", "lon", "demand", "twice"], *([*row, 1] for row in STOPS[1:]), ["", "", "", "=SUM(D2:D4)"]]
    stops[2][1 if fault else 4] = cell
    path = saved(tmp_path / "a.xlsx", stops=stops)
    if fault:
        with pytest.raises(InputError, match=f"a.xlsx:3: {re.escape(fault)}.* without its value; open the workbook"):
            read(path, capacity=9)
    else:
        with pytest.warns(InputWarning, match="a row of totals|columns not used: 'twice'"):
            assert read(path, capacity=9).n == 3


def test_parts_of_a_day_are_times(tmp_path: Path) -> None:
    stops = [[*STOPS[0], "von", "bis"]]
    times = [(None, None), ("08:00", 12.5 / 24), (0.25, time(17)), ("0,375", "17 Uhr")]
    rows = [*STOPS[1:], ["D", 52.54, 13.4, 1]]
    stops += [[*row, *hours] for row, hours in zip(rows, times, strict=True)]
    vehicles = [["Nom", "Nombre", "Capacité", "Début", "Fin"], ["fourgon", 2, 9, 0.25, time(18)]]
    problem = read(saved(tmp_path / "a.xlsx", stops=stops, véhicules=vehicles), speed=30)
    assert isinstance(problem, VRP) and problem.windows is not None and problem.fleet is not None
    hours = [problem.windows.text(node, True) for node in range(4)]
    assert hours[1:] == ["08:00-12:30", "06:00-17:00", "09:00-17:00"]
    (van,) = problem.fleet.types
    assert (van.name, van.count, van.opens, van.closes) == ("fourgon", 2, 6 * 3600, 18 * 3600)


def test_a_fleet_file_has_hidden_rows_and_totals_too(tmp_path: Path) -> None:
    path = saved(tmp_path / "fleet.xlsx", notes=[["name"], ["-"]], vans=[*VEHICLES[:2], ["old", 9, 9], ["Total", 11]])
    book = openpyxl.load_workbook(path)
    for column in "DE":
        book["vans"][f"{column}2"] = None
    book["vans"].row_dimensions[3].hidden = True
    book.save(path)
    with pytest.warns(InputWarning, match="1 hidden row is left out|is a row of totals"):
        problem = read(saved(tmp_path / "a.xlsx", stops=STOPS), fleet=path)
    assert isinstance(problem, VRP) and problem.fleet is not None
    assert [(each.name, each.count) for each in problem.fleet.types] == [("van", 2)]
