"""A plan as a workbook: the visits, a summary, and a sheet that each driver prints."""

from __future__ import annotations

import re

import numpy as np
import pytest

from warptour.io import read, read_solution, write_solution

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")

STOPS = (
    "name,lat,lon,demand,phone,hours\nDepot,52.5,13.4,0,,\nAnna [a],52.51,13.41,2,030 12,08:00-10:00\n"
    "=Bob,52.52,13.42,1,030 13,09:00-12:00\nCleo,52.53,13.43,3,030 14,\n"
)
NOT_USED = pytest.mark.filterwarnings("ignore:.*columns not used")
FLEET = "name,count,capacity,max_stops\nvan: big/red,1,5,\nbike,1,3,\n"


def written(folder, routes, **options):
    (folder / "stops.csv").write_text(STOPS)
    (folder / "fleet.csv").write_text(FLEET)
    problem = read(folder / "stops.csv", **options)
    write_solution(folder / "plan.xlsx", problem, [np.array(route, np.int32) for route in routes])
    return problem, openpyxl.load_workbook(folder / "plan.xlsx")


def rows(sheet):
    return [[cell for cell in row if cell is not None] for row in sheet.iter_rows(values_only=True)]


@NOT_USED
def test_each_driver_has_a_sheet(tmp_path):
    problem, book = written(tmp_path, [[1, 3], [2]], fleet=tmp_path / "fleet.csv", speed=30)
    assert book.sheetnames[1:] == ["Summary", "Route 1 van bigred", "Route 2 bike"]
    driver = rows(book["Route 2 bike"])
    assert driver[0][0].startswith("Route 2 bike, 1 stop, ") and "leaves 08:" in driver[0][0]
    assert driver[2] == ["stop", "arrival", "start", "name", "demand", "phone", "hours", "load", "km", "done"]
    assert driver[4][:7] == [1, "09:00", "09:00", "=Bob", 1, "030 13", "09:00-12:00"] and driver[4][-1] == "☐"
    assert len(driver) == 6 and driver[5][3] == "Depot" and driver[5][-1] != "☐"
    assert all(cell.data_type != "f" for row in book["Route 2 bike"] for cell in row)
    assert (
        book["Route 2 bike"].print_title_rows == "$3:$3" and book["Route 2 bike"].page_setup.orientation == "landscape"
    )
    summary = rows(book["Summary"])
    assert summary[0] == ["route", "vehicle", "stops", "load", "km", "leaves", "back", "time"]
    assert [row[:4] for row in summary[1:3]] == [[1, "van: big/red", 2, 5], [2, "bike", 1, 1]]
    assert summary[3][0] == "total" and summary[3][1] == 3
    assert [each.tolist() for each in read_solution(tmp_path / "plan.xlsx", problem)] == [[1, 3], [2]]


@NOT_USED
def test_stops_that_are_not_served_are_in_the_summary(tmp_path):
    (tmp_path / "fleet.csv").write_text(FLEET)
    _, book = written(tmp_path, [[], [1]], fleet=tmp_path / "fleet.csv", ignore=["hours"])
    summary = rows(book["Summary"])
    assert ["not served", "reason"] in summary and [row[0] for row in summary[-2:]] == ["=Bob", "Cleo"]
    assert book.sheetnames[2:] == ["Route 2 bike"]


def test_sheets_of_the_same_name_are_numbered(tmp_path):
    (tmp_path / "Summary.csv").write_text("x,y,demand\n0,0,0\n1,1,1\n2,2,1\n")
    problem = read(tmp_path / "Summary.csv", capacity=1)
    write_solution(tmp_path / "plan.xlsx", problem, [[1], [2]])
    book = openpyxl.load_workbook(tmp_path / "plan.xlsx")
    assert book.sheetnames == ["Summary", "Summary (2)", "Route 1", "Route 2"]
    assert rows(book["Route 1"])[2] == ["stop", "demand", "load", "distance", "done"]


def test_a_tour_has_its_one_sheet(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n0,0\n1,1\n2,2\n")
    write_solution(tmp_path / "plan.xlsx", read(tmp_path / "a.csv"), [0, 1, 2])
    assert len(openpyxl.load_workbook(tmp_path / "plan.xlsx").sheetnames) == 1


@NOT_USED
def test_a_driver_sees_when_to_wait_and_rest(tmp_path):
    (tmp_path / "rested.csv").write_text("name,shift,breaks\nvan,06:00-15:00,30 min 08:30-09:15\n")
    _, book = written(tmp_path, [[1, 2, 3]], fleet=tmp_path / "rested.csv", speed=30)
    heading, _, _, _, anna, bob, *_ = rows(book[book.sheetnames[-1]])
    assert re.search(r", break 0[89]:\d\d-09:\d\d$", heading[0])
    assert anna[1] <= anna[2] <= bob[1] <= bob[2] and bob[2] >= "09:00"
