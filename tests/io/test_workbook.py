"""Workbooks: rows and sheets that are not read are named, and files made to fill the memory are refused."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from warptour.io import read, read_solution, write_solution
from warptour.io.workbook import MAX_CELLS, MAX_COLUMNS, MAX_ROWS, MAX_TAGS, scan
from warptour.model.errors import InputError, InputWarning

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")

STOPS = [["name", "x", "y"], ["A", 0.5, 0], ["B", 3, 0], ["C", 3, 4], ["D", 0, 4]]
SHEET = "xl/worksheets/sheet1.xml"


def workbook(rows: list[list[Any]] = STOPS) -> Any:
    book = openpyxl.Workbook()
    book.active.title = "Monday"
    for row in rows:
        book.active.append(row)
    return book


def packed(path: Path, **parts: bytes) -> None:
    """Write a workbook with other contents of its files."""
    data = io.BytesIO()
    workbook().save(data)
    with zipfile.ZipFile(data) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, parts.pop(name, None) or source.read(name))
        for name, content in parts.items():
            target.writestr(name, content)


def worksheet(rows: str) -> bytes:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'.encode()


def test_hidden_and_filtered_rows_are_left_out(tmp_path: Path) -> None:
    book = workbook()
    book.active.auto_filter.ref = "A1:C5"
    book.active.row_dimensions[3].hidden = True
    book.save(tmp_path / "a.xlsx")
    with pytest.warns(InputWarning, match=r"a.xlsx: 1 hidden row is left out$"):
        problem = read(tmp_path / "a.xlsx")
    assert problem.labels == ("A", "C", "D") and problem.points[0].tolist() == [0.5, 0]
    assert len(problem.warnings) == 1 and problem.describe(1, "city") == "city 2 ('C', row 4)"
    write_solution(tmp_path / "b.xlsx", problem, [0, 2, 1])
    rows = [*openpyxl.load_workbook(tmp_path / "b.xlsx").active.iter_rows(values_only=True)]
    assert [row[0] for row in rows] == ["name", "A", "D", "C", "A"]
    assert read_solution(tmp_path / "b.xlsx", problem).tolist() == [0, 2, 1]  # type: ignore[union-attr]


def test_a_hidden_header_and_hidden_columns_are_read(tmp_path: Path) -> None:
    book = workbook()
    book.active.row_dimensions[1].hidden = True
    book.active.column_dimensions["B"].hidden = True
    book.save(tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx").n == 4 and read(tmp_path / "a.xlsx").warnings == ()


def test_a_sheet_whose_rows_are_all_hidden(tmp_path: Path) -> None:
    book = workbook()
    for row in range(2, 6):
        book.active.row_dimensions[row].hidden = True
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(InputError, match=":1: all 4 rows below the header are hidden"):
        read(tmp_path / "a.xlsx")


def test_sheets_that_are_not_used_are_named(tmp_path: Path) -> None:
    book = workbook()
    book.create_sheet("Drivers").append(["Anna", 3])
    book.create_sheet("Empty")
    book.create_sheet("Hidden").append(["secret"])
    book["Hidden"].sheet_state = "hidden"
    book.save(tmp_path / "a.xlsx")
    with pytest.warns(InputWarning, match=r"\(Monday\): sheets not used: 'Drivers'$"):
        assert len(read(tmp_path / "a.xlsx").warnings) == 1


def test_widths_and_formats_of_a_workbook_are_kept(tmp_path: Path) -> None:
    book = workbook()
    book.active.column_dimensions["A"].width = 33
    book.active["B2"].number_format = "0.000"
    book.save(tmp_path / "a.xlsx")
    write_solution(tmp_path / "b.xlsx", read(tmp_path / "a.xlsx"), [0, 1, 2, 3])
    written = openpyxl.load_workbook(tmp_path / "b.xlsx").active
    assert written.column_dimensions["A"].width == 33 and written["B2"].number_format == "0.000"


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ('<row r="999999999999"><c r="A999999999999"><v>1</v></c></row>', "a sheet has at most 1,048,576 rows"),
        (f'<row r="{MAX_ROWS + 1}"/>' + '<row><c><v>1</v></c></row>', "a sheet has at most 1,048,576 rows"),
        ('<row r="1"><c r="XFE1"><v>1</v></c></row>', "a sheet has at most 16,384 columns"),
        ('<row r="1"><c r="AAAAAAAA1"><v>1</v></c></row>', "a sheet has at most 16,384 columns"),
        ('<row r="1"><c r="A999999999"><v>1</v></c></row>', "the sheet 'Monday' is damaged"),
        ('<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>', "the sheet 'Monday' is damaged"),
        ('<row r="-1"><c><v>1</v></c></row>', "the sheet 'Monday' is damaged"),
        ('<row r="1"><c r="A1"><v>1</v>', "or it is damaged"),
        ("".join(f'<row r="{at}"><c r="XFD{at}"><v>1</v></c></row>' for at in range(1, 1100)), "at most 16,777,216 "),
    ],
)  # fmt: skip
def test_a_sheet_has_limits(tmp_path: Path, rows: str, fault: str) -> None:
    packed(tmp_path / "a.xlsx", **{SHEET: worksheet(rows)})
    with pytest.raises(InputError) as caught:
        read(tmp_path / "a.xlsx")
    assert fault in caught.value.message and str(caught.value).startswith(f"{tmp_path / 'a.xlsx'}:")


def test_sheets_within_the_limits_are_read(tmp_path: Path) -> None:
    far = f'<row r="{MAX_ROWS}"><c><v>1</v></c><c><v>2</v></c></row>'
    packed(tmp_path / "a.xlsx", **{SHEET: worksheet('<row><c t="str"><v>x</v></c><c t="str"><v>y</v></c></row>' + far)})
    assert read(tmp_path / "a.xlsx").points.tolist() == [[1, 2]]
    last = f'<row r="{MAX_CELLS // MAX_COLUMNS}"><c r="XFD{MAX_CELLS // MAX_COLUMNS}"/></row>'
    assert scan("a.xlsx", io.BytesIO(worksheet(last))).hidden == set()


def test_a_workbook_that_unpacks_to_much_more_is_refused(tmp_path: Path) -> None:
    packed(tmp_path / "a.xlsx", **{"xl/media/nothing.bin": b"\0" * (1 << 26)})
    assert (tmp_path / "a.xlsx").stat().st_size < 100_000
    with pytest.raises(InputError, match=r"unpacks to 67,\d\d\d,\d\d\d bytes, too many for a workbook"):
        read(tmp_path / "a.xlsx")


@pytest.mark.parametrize(
    ("name", "element"), [(SHEET, "<row/>"), (SHEET, "<x>"), ("xl/sharedStrings.xml", "<si><t/></si>")]
)
def test_a_workbook_of_more_elements_than_its_size_explains_is_refused(tmp_path: Path, name: str, element: str) -> None:
    many = MAX_TAGS
    content = worksheet(many * element + many * "</x>" * (element == "<x>"))
    packed(tmp_path / "a.xlsx", **{name: content})
    assert (tmp_path / "a.xlsx").stat().st_size < 2**15
    with pytest.raises(InputError, match=r"unpacks to too many cells for a workbook of its size; save .* as \.csv"):
        read(tmp_path / "a.xlsx")


def test_a_merged_range_of_a_whole_sheet_does_not_matter(tmp_path: Path) -> None:
    data = io.BytesIO()
    workbook().save(data)
    with zipfile.ZipFile(data) as source:
        content = source.read(SHEET).replace(
            b"</sheetData>", b'</sheetData><mergeCells count="1"><mergeCell ref="A6:XFD1048576"/></mergeCells>'
        )
    packed(tmp_path / "a.xlsx", **{SHEET: content})
    write_solution(tmp_path / "b.xlsx", read(tmp_path / "a.xlsx"), [0, 1, 2, 3])
    assert openpyxl.load_workbook(tmp_path / "b.xlsx").active.max_row == 6


def test_numbers_of_a_workbook_are_no_thousands(tmp_path: Path) -> None:
    workbook([["x", "y"], [587.142, "866,95"], [1.5, "3,5"]]).save(tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx").points.tolist() == [[587.142, 866.95], [1.5, 3.5]]
    workbook([["name", "demand"], ["A", None], ["B", 1], ["C", 1]]).save(tmp_path / "b.xlsx")
    workbook([[0, 1, 2], [587.142, 0, "1,5"], [3, 4, 0]]).save(tmp_path / "m.xlsx")
    roads = read(tmp_path / "b.xlsx", capacity=2, matrix=tmp_path / "m.xlsx")
    assert roads.points[1].tolist() == [587.142, 0, 1.5]
    workbook([["x", "y"], [587, "1,616"], [1, 3]]).save(tmp_path / "c.xlsx")
    with pytest.raises(InputError, match=r":2: y is '1,616': thousands or decimals\?"):
        read(tmp_path / "c.xlsx")


@pytest.mark.parametrize("what", ["matrix", "durations"])
def test_a_matrix_of_one_of_several_sheets_is_named(tmp_path: Path, what: str) -> None:
    workbook().save(tmp_path / "stops.xlsx")
    times = [[abs(i - j) for j in range(4)] for i in range(4)]
    book = workbook(times)
    book.create_sheet("Durations").append([1])
    book.save(tmp_path / "roads.xlsx")
    of = "distances" if what == "matrix" else what
    expected = f"roads.xlsx: {of} are read from the sheet 'Monday'; sheets not used: 'Durations'"
    with pytest.warns(InputWarning, match=f"{expected}$"):
        problem = read(tmp_path / "stops.xlsx", **{what: tmp_path / "roads.xlsx"})  # type: ignore[arg-type]
    assert len(problem.warnings) == 1
    table = problem.matrix if what == "matrix" else problem.clock.durations  # type: ignore[union-attr]
    assert table is not None and table.tolist() == times
