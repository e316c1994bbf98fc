"""Spreadsheets come back: every column of the input, its text and its conventions, and what the solution adds."""

from __future__ import annotations

import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warptour.io import read, read_solution, write_solution
from warptour.io.cells import decimal_sign, parse
from warptour.io.headers import fold, stop_columns
from warptour.model.errors import InputError, InputWarning, MissingLibrary, UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

pytestmark = pytest.mark.filterwarnings("ignore::warptour.InputWarning")

GERMAN = (
    "Kunde;Straße;PLZ;Breitengrad;Längengrad;Menge;Notiz\r\n"
    "Lager;Weg 1;04109;52,5;13,25;;\r\n"
    'Müller;"Gasse 2; links";01067;52,5;13,5;2,5;"sagt ""ja"""\r\n'
    "Größe;Allee 3;01069;52,25;13,5;1.250;\r\n"
)
EXPORT = (
    '"Auftrag";"Empfänger Name";"GPS Lat";"GPS Lon";"Gewicht";"Länge";"Breite";"Order"\n'
    '"A1";"Depot";"51.2";"6.7";"0";"40";"30";"x"\n'
    '"A2";"Weiß\n2. OG";"51.3";"6.8";"2.5";"40";"30";"y"\n'
)


def solved(path: Path, solution: Any, out: str, **options: Any) -> tuple[TSP | VRP, bytes]:
    problem = read(path, **options)
    write_solution(path.with_name(out), problem, solution)
    again = read_solution(path.with_name(out), problem)
    for route, expected in zip(again, solution, strict=True):
        np.testing.assert_array_equal(route, expected)
    return problem, path.with_name(out).read_bytes()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
def test_a_german_csv(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.csv").write_bytes(GERMAN.encode(encoding))
    problem, written = solved(tmp_path / "a.csv", [[2, 1]], "b.csv", capacity=2000)
    assert isinstance(problem, VRP) and problem.labels == ("Lager", "Müller", "Größe")
    assert problem.demands.tolist() == [0, 2.5, 1250], "1.250 is a thousand where 2,5 is a fraction"
    assert written.startswith(GERMAN[:1].encode(encoding))
    lines = written.decode(encoding).split("\r\n")
    assert lines[0] == GERMAN.split("\r\n")[0] + ";route;order;node;leg (m);distance (m);load"
    assert lines[1] == "Lager;Weg 1;04109;52,5;13,25;;;1;0;1;0;0;0"
    assert lines[3].startswith('Müller;"Gasse 2; links";01067;52,5;13,5;2,5;"sagt ""ja""";1;2;2;27798,77;')
    assert lines[3].endswith(";1252,5") and lines[5] == ""


def test_decimal_commas_in_quotes(tmp_path: Path) -> None:
    text = 'Nom du client,Adresse,Latitude,Longitude\nDépôt,"Port, 1","47,2","-1,55"\nÉglise,"Rue, 2","47,3","-1,5"'
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    problem, written = solved(tmp_path / "a.csv", [0, 1], "b.csv")
    assert problem.labels == ("Dépôt", "Église") and problem.points.tolist() == [[47.2, -1.55], [47.3, -1.5]]
    lines = written.decode().splitlines()
    assert lines[2] == 'Église,"Rue, 2","47,3","-1,5",2,2,"11742,5","11742,5"'
    assert len(lines) == 4 and lines[3].endswith(',3,1,"11742,5",23485'), "and back to the first stop"


def test_an_export_of_a_delivery_system(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(EXPORT, encoding="utf-8")
    problem, written = solved(tmp_path / "a.csv", [[1]], "b.csv", capacity=9)
    assert problem.labels == ("Depot", "Weiß\n2. OG") and problem.points[0].tolist() == [51.2, 6.7]
    text = written.decode()
    assert text.startswith(EXPORT.split("\n")[0] + ";route;warptour_order;node;leg (m);distance (m);load\n")
    assert '"A2";"Weiß\n2. OG";"51.3";"6.8";"2.5";"40";"30";"y";1;1;2;13118.1;' in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sep=;\nx;y\n1;2\n3;4\n", "sep=;\nx;y;order;node;leg;distance\n1;2;1;1;0;0\n"),
        ("1,2\n3,4\n", "x,y,order,node,leg,distance\n1,2,1,1,0,0\n"),
        ("Stops of Monday\n\nx,y,,note\n1,2\n3,4,,a,,\n", "Stops of Monday\nx,y,,note,,,order,node,"),
        ("x (km),y (km)\n1.5,2\n3,4\n", "x (km),y (km),order,node,leg (km),distance (km)\n"),
        ("x|y|phone\n1|2|+49\n3|4|=1\n", "x|y|phone|order|node|leg|distance\n1|2|+49|1|1|0|0\n3|4|=1|"),
        ("node,x,y\nA,1,2\nB,3,4\n", "node,x,y,order,warptour_node,leg,distance\n"),
        (" x, y\n\n1, 2\r\n\n3,4\n", " x, y,order,node,leg,distance\n1, 2,1,1,0,0\n"),
    ],
)
def test_what_is_kept(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "a.csv").write_bytes(text.encode())
    assert solved(tmp_path / "a.csv", [0, 1], "b.csv")[1].decode().startswith(expected)


def test_integers_beside_semicolons_get_decimal_commas(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x;y\n1;2\n2;4\n")
    assert b";2,236068;" in solved(tmp_path / "a.csv", [0, 1], "b.csv")[1]


def test_tabs(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("x\ty\n1\t2\n3\t4\n")
    assert solved(tmp_path / "a.tsv", [0, 1], "b.tsv")[1].startswith(b"x\ty\torder\t")
    assert solved(tmp_path / "a.tsv", [0, 1], "b.csv")[1].startswith(b"x,y,order,")


def workbook(path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    book.active.title = "Notes"
    book.active.append(["nothing here"])
    sheet = book.create_sheet("Montag")
    sheet.append(["Lieferliste"])
    sheet.append([])
    sheet.append(["Nr", "Name", "Datum", "Geogr. Breite", "Geogr. Länge", "Gewicht (kg)", "Tel"])
    sheet.append([1, "Depot", None, 52.5, "13,25", None, None])
    sheet.append([2, "=cmd", datetime.date(2024, 5, 6), 52.5, 13.5, 2, "+49 30"])
    sheet["B5"].data_type = "s"
    sheet["C5"].number_format = "DD.MM.YYYY"
    sheet.column_dimensions["B"].width = 34
    book.save(path)


def test_a_workbook(tmp_path: Path) -> None:
    workbook(tmp_path / "a.xlsx")
    problem, written = solved(tmp_path / "a.xlsx", [[1]], "b.xlsx", capacity=5)
    assert isinstance(problem, VRP) and problem.labels == ("Depot", "=cmd") and problem.demands.tolist() == [0, 2]
    assert problem.points.tolist() == [[52.5, 13.25], [52.5, 13.5]]
    import openpyxl

    sheet = openpyxl.load_workbook(BytesIO(written))["Montag"]
    rows = [list(row) for row in sheet.iter_rows(values_only=True)]
    assert rows[0][0] == "Lieferliste"
    assert rows[1][:8] == ["Nr", "Name", "Datum", "Geogr. Breite", "Geogr. Länge", "Gewicht (kg)", "Tel", "route"]
    assert rows[3][:7] == [2, "=cmd", datetime.datetime(2024, 5, 6), 52.5, 13.5, 2, "+49 30"]
    assert sheet["B4"].data_type == "s" and sheet["C4"].number_format == "DD.MM.YYYY"
    assert sheet.column_dimensions["B"].width == 34 and len(rows) == 5
    text = solved(tmp_path / "a.xlsx", [[1]], "b.csv", capacity=5)[1].decode()
    assert "\n2,'=cmd,2024-05-06,52.5,13.5,2,+49 30,1,1,2,16922.81," in text


def test_a_csv_as_a_workbook_has_numbers_and_keeps_digits_of_names(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    import openpyxl

    (tmp_path / "a.csv").write_bytes(GERMAN.encode())
    written = solved(tmp_path / "a.csv", [[2, 1]], "b.xlsx", capacity=2000)[1]
    rows = list(openpyxl.load_workbook(BytesIO(written)).active.iter_rows(values_only=True))
    assert rows[2][:6] == ("Größe", "Allee 3", "01069", 52.25, 13.5, 1250)


def test_a_problem_without_a_table_as_a_workbook(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    problem = read("uniform:9:1")
    write_solution(tmp_path / "a.xlsx", problem, np.arange(9))
    np.testing.assert_array_equal(read_solution(tmp_path / "a.xlsx", problem), np.arange(9))


def test_without_openpyxl_a_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workbook(tmp_path / "a.xlsx")
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingLibrary, match=r"pip install 'warptour\[sheets\]'"):
        read(tmp_path / "a.xlsx")
    with pytest.raises(MissingLibrary, match="openpyxl"):
        write_solution(tmp_path / "b.xlsx", read("uniform:9:1"), np.arange(9))


@pytest.mark.parametrize("content", [b"PK\x03\x04 no archive", b"PK\x03\x04"])
def test_a_damaged_workbook(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    (tmp_path / "a.xlsx").write_bytes(content)
    with pytest.raises(InputError, match=r"a\.xlsx: is not an \.xlsx workbook"):
        read(tmp_path / "a.xlsx")


@pytest.mark.parametrize("name", ["a.xls", "a.ods"])
def test_other_spreadsheets(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(InputError, match=r"save it as one of these"):
        read(tmp_path / name)


@pytest.mark.parametrize(
    "header",
    [
        "Name;Breitengrad;Längengrad;Bedarf",
        "Kunde;geogr. Breite;geogr. Laenge;Menge",
        "Nom;Latitude;Longitude;Quantité",
        "Nombre;Latitud;Longitud;Demanda",
        "Cliente;Latitudine;Longitudine;Quantità",
        "Cliente;LATITUDE;LONGITUDE;Quantidade",
        "Naam;Breedtegraad;Lengtegraad;Hoeveelheid",
        "Nazwa;Szerokość;Długość;Ilość",
        "Namn;Breddgrad;Längdgrad;Mängd",
        "Navn;Breddegrad;Lengdegrad;Vekt",
        "Název;Zeměpisná šířka;Zeměpisná délka;Množství",
        "Név;Szélesség;Hosszúság;Mennyiség",
        "Stop name;stopLatitude;stopLongitude;Qty",
        "Customer Name;Delivery Lat.;Delivery Long.;Weight (kg)",
    ],
)
def test_words_of_headers(tmp_path: Path, header: str) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\nA;1,5;2;\nB;3;4;7\n", encoding="utf-8")
    problem = read(tmp_path / "a.csv", capacity=9)
    assert isinstance(problem, VRP) and problem.labels == ("A", "B") and problem.demands.tolist() == [0, 7]
    assert problem.points.tolist() == [[1.5, 2], [3, 4]] and problem.metric.name == "GREAT_CIRCLE"


def test_polish_words_of_an_old_windows(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("Nazwa;Szerokość;Długość\nŁódź;51,75;19,5\n".encode("cp1250"))
    assert read(tmp_path / "a.csv").labels == ("Łódź",)


def test_every_word_of_a_header_is_folded_and_means_one_column() -> None:
    words = [(word, column) for column, known in stop_columns().items() for word in known]
    assert [word for word, _ in words if fold(word) != word] == []
    assert len({word for word, _ in words}) == len(words)


def test_columns_by_choice(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('name,x,y,A,B,"Qty, in boxes",demand\nn,9,9,1,2,0,5\nm,9,9,1,3,4,5\n')
    chosen = {"lat": "A", "lon": "b", "demand": "Qty, in boxes"}
    with pytest.warns(InputWarning, match="not used: 'x', 'y', 'demand'"):
        problem = read(tmp_path / "a.csv", columns=chosen, capacity=9)
    assert isinstance(problem, VRP) and problem.demands.tolist() == [0, 4] and problem.points[0].tolist() == [1, 2]
    assert read(tmp_path / "a.csv", ignore=["demand"]).kind == "tsp"
    assert read(tmp_path / "a.csv", ignore="demand").kind == "tsp"
    for options, message in [
        ({"columns": {"lat": "GPS", "lon": "B"}}, "no column 'GPS'.*it has 'name', 'x'"),
        ({"columns": {"where": "A"}}, "'where' is no column of stops; there are x, y"),
        ({"ignore": ["name", "Name"], "columns": {"name": "A"}}, "both given and ignored"),
    ]:
        with pytest.raises(UsageError, match=message):
            read(tmp_path / "a.csv", capacity=9, **options)
    with pytest.raises(UsageError, match="has no columns to choose"):
        read("uniform:9:1", ignore=["demand"])
    with pytest.raises(UsageError, match=r"in the column 'demand', so it needs the capacity.*--ignore demand"):
        read(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("A,1,2,\nB,n.a.,4,1\n", ":3: x of 'B' is 'n.a.'; it must be a number"),
        ("A,1,2,\nB,,4,1\n", ":3: there is no x of 'B'"),
        ("A,1,2,\nB,3,4,\n", ":3: 'B' has no demand; it must be a number of at least 0"),
        ("A,1,2,\nB,3,4,-1\n", ":3: 'B' has the demand -1"),
        ("A,1,2,3\nB,3,4,1\n", ":2: the depot, 'A', has the demand 3; .*--depot"),
        ('A,1,2,\nB,3,4,"1,234"\n', ":3: demand is '1,234': thousands or decimals"),
    ],
)
def test_a_problem_with_a_stop_names_it(tmp_path: Path, rows: str, message: str) -> None:
    (tmp_path / "a.csv").write_text("name,x,y,demand\n" + rows)
    with pytest.raises(InputError, match=message):
        read(tmp_path / "a.csv", capacity=9)


@pytest.mark.parametrize(
    ("cell", "sign", "value"),
    [
        ("52,37", ",", 52.37),
        ("1.234,5", ",", 1234.5),
        ("1.234", ",", 1234),
        ("1.23", ",", 1.23),
        ("1.234", ".", 1.234),
        ("1,234.5", ".", 1234.5),
        ("12 500", ".", 12500),
        ("12\u202f500,25", ",", 12500.25),
        ("1'234.5", ".", 1234.5),
        ("\u22125", ".", -5),
        ("1,23,4", ".", None),
        ("12 50", ".", None),
        ("", ".", None),
        ("1,5", ".", None),
        ("1e999", ".", None),
    ],
)
def test_numerals(cell: str, sign: str, value: float | None) -> None:
    assert parse(cell, sign) == value


@pytest.mark.parametrize(
    ("cells", "sign"),
    [
        (["1", "2"], None),
        (["1", "2.5"], "."),
        (["1", "2,5"], ","),
        (["1,234", "2.5"], "."),
        (["1,234.5"], "."),
        (["1.234,5"], ","),
        (["1,234,567"], "."),
        (["0,500"], ","),
        (["1,234", "5"], "?"),
        (["1,234", "1.616"], "?"),
        (["1.616", "5"], "."),
        (["1.234.567"], ","),
        (["1,234", "1.234.567"], ","),
    ],
)
def test_the_decimal_sign_of_a_sheet(cells: list[str], sign: str | None) -> None:
    assert decimal_sign(cells) == sign


@pytest.mark.parametrize(
    ("text", "points", "demand"),
    [
        ("x;y;demand\n587,142;866,957;\n612,100;800,500;1.616\n", None, None),
        ("x;y;demand\n587;866;\n612;800;1.616\n", None, None),
        ('x,y,demand\n"587,142","866,957",\n"612,100",5,1.616\n', None, None),
        ("x\ty\tdemand\n587\t866\t\n612\t800\t1,616\n", None, None),
        ("x|y|demand\n587|866|\n612|800|1,616\n", None, None),
        ("x\ty\tdemand\n587,14\t866\t\n612\t800\t1,616\n", [587.14, 866], 1.616),
        ("lat\tlon\tdemand\n52,370\t13,400\t\n52,380\t13,410\t1,616\n", [52.37, 13.4], 1.616),
        ("x;y;demand\n587,14;866,957;\n612,100;800,500;1.616\n", [587.14, 866.957], 1616),
        ("x;y;demand\n0,142;866,957;\n612,100;800,500;1.616\n", [0.142, 866.957], 1616),
        ("x;y;demand\n587,142;866,957;\n612,100;800,500;1.61\n", [587142, 866957], 1.61),
        ("x;y;demand\n587.142;866.957;\n612.100;800.5;1.616\n", [587.142, 866.957], 1.616),
        ("x;y;demand\n587.142;1866.957;\n612.100;800;1.616\n", [587.142, 1866.957], 1.616),
        ("lat;lon;demand\n52,370;13,400;\n52,380;13,410;1.616\n", [52.37, 13.4], 1616),
        ("lat;lon;demand\n52.370;13.400;\n52.380;13.410;1.616\n", [52.37, 13.4], 1.616),
        ("x;y;demand\n587,142;866,957;\n612,100;800,500;2\n", [587.142, 866.957], 2),
        ("x,y,demand\n587.142,866.957,\n612.100,800.500,1.616\n", [587.142, 866.957], 1.616),
        ("x\ty\tdemand\n587.142\t866.957\t\n612.100\t800.500\t1.616\n", [587.142, 866.957], 1.616),
    ],
)
def test_thousands_and_decimals(tmp_path: Path, text: str, points: list[float] | None, demand: float | None) -> None:
    (tmp_path / "a.csv").write_text(text)
    if points is None:
        with pytest.raises(
            InputError, match=r":[23]: (x|demand) is '[0-9,.]*': thousands or decimals\? --decimal , or"
        ):
            read(tmp_path / "a.csv", capacity=5000)
        return
    problem = read(tmp_path / "a.csv", capacity=5000)
    assert isinstance(problem, VRP) and problem.points[0].tolist() == points and problem.demands[1] == demand


@pytest.mark.parametrize(
    "text", ["x;y;demand\n587,142;866,957;\n612,100;800,500;1.616\n", "x;y;demand\n1;2;\n3;4;1.616\n"]
)
def test_the_decimal_sign_by_choice(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    comma, point = (read(tmp_path / "a.csv", capacity=5000, decimal=sign) for sign in (",", "."))
    assert isinstance(comma, VRP) and isinstance(point, VRP)
    assert comma.demands[1] == 1616 and point.demands[1] == 1.616
    assert comma.points[0, 0] in (1, 587.142) and point.points[0, 0] in (1, 587142)
    write_solution(tmp_path / "b.csv", comma, [[1]])
    assert ("," in (tmp_path / "b.csv").read_text().splitlines()[2].split(";")[6]) is True
    with pytest.raises(UsageError, match=r"--decimal takes , or \., not ';'"):
        read(tmp_path / "a.csv", decimal=";")
    with pytest.raises(UsageError, match="is no spreadsheet"):
        read("uniform:9:1", decimal=",")
    pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    write_solution(tmp_path / "b.xlsx", comma, [[1]])
    assert read(tmp_path / "b.xlsx", ignore=["demand"]).points[1].tolist() == comma.points[1].tolist()


def test_numbers_of_unused_columns_are_read_by_the_sign_of_their_sheet(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    (tmp_path / "a.csv").write_text("x;y;height;width\n1,5;2;1,234;1.234.567\n3;4;5;6\n")
    write_solution(tmp_path / "b.xlsx", read(tmp_path / "a.csv"), [0, 1])
    row = [cell.value for cell in openpyxl.load_workbook(tmp_path / "b.xlsx").active[2]]
    assert row[:4] == [1.5, 2, 1.234, 1234567]
    (tmp_path / "c.tsv").write_text("lat\tlon\n52,370\t13,400\n52,380\t13,410\n")
    write_solution(tmp_path / "d.tsv", read(tmp_path / "c.tsv"), [0, 1])
    assert "," in (tmp_path / "d.tsv").read_text().splitlines()[2].split("\t")[-1]


def test_a_comma_contradicts_a_decimal_point(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x;y\n1,5;2\n3;4\n")
    with pytest.raises(InputError, match=":2: x is '1,5'; it must be a number"):
        read(tmp_path / "a.csv", decimal=".")


def test_thousands_and_decimals_of_a_matrix(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name\nA\nB\n")
    (tmp_path / "m.csv").write_text("0;1.616\n1.717;0\n")
    with pytest.raises(InputError, match=r"m.csv: '1.616' of the matrix: thousands or decimals\? --decimal"):
        read(tmp_path / "a.csv", matrix=tmp_path / "m.csv")
    (tmp_path / "c.csv").write_text("name\nA\nB\nC\n")
    (tmp_path / "n.csv").write_text("0;1.616;2,717\n1.616;0;3,111\n2,717;3,111;0\n")
    with pytest.raises(InputError, match=r"n.csv: '3,111' of the matrix: thousands or decimals\? --decimal"):
        read(tmp_path / "c.csv", matrix=tmp_path / "n.csv")
    for sign, value in ((",", 1616), (".", 1.616)):
        assert read(tmp_path / "a.csv", matrix=tmp_path / "m.csv", decimal=sign).points[0, 1] == value
