"""Spreadsheets on the command line: choices of columns, pipes, and solutions in JSON."""

import subprocess
import sys

import pytest

STOPS = "Kunde,GPS Nord,GPS Ost,Menge\nLager,52.5,13.25,\nMüller,52.5,13.5,2\nWeiß,52.25,13.5,3\n"
CHOICE = ["--columns", "lat=GPS Nord,lon=GPS Ost"]


@pytest.fixture
def stops(tmp_path):
    (tmp_path / "a.csv").write_text(STOPS, encoding="utf-8")
    return tmp_path / "a.csv"


def test_columns_are_chosen_and_ignored(call, stops):
    options = [*CHOICE, "--ignore", "demand", "-q"]
    done = call("solve", "a.csv", *options, "--json", "-o", "b.csv")
    assert done.code == 0, done.err
    assert sorted(done.json["solution"]) == [1, 2, 3] and sorted(done.json["names"]) == ["Lager", "Müller", "Weiß"]
    assert call("check", "a.csv", "b.csv", *CHOICE, "--ignore", "demand").code == 0
    info = call("info", "a.csv", *CHOICE, "--ignore", "demand", "--json").json
    assert info["kind"] == "tsp" and info["columns"] == {"lat": "GPS Nord", "lon": "GPS Ost", "name": "Kunde"}
    assert "lat is 'GPS Nord'" in call("info", "a.csv", *CHOICE, "--ignore", "demand").out
    assert call("bound", "a.csv", *CHOICE, "--ignore", "demand", "--json").code == 0
    assert "lat='GPS Lat'" in call("solve", "a.csv", "--columns", "lat").fault
    assert "'Kunde', 'GPS Nord', 'GPS Ost', 'Menge'" in call("solve", "a.csv").fault


def test_routes_in_json(call, stops):
    found = call("solve", "a.csv", *CHOICE, "--capacity", "3", "--seconds", "0.2", "-q", "--json").json
    assert found["routes"] == 2 and sorted(found["solution"]) == [[2], [3]]
    assert sorted(found["names"]) == [["Müller"], ["Weiß"]]


def test_an_infeasible_stop_is_named(call, stops):
    words = ("solve", "a.csv", *CHOICE, "--capacity", "2", "-q", "--seconds", "0.1")
    assert call(*words, "--all").fault == "a.csv: customer 3 ('Weiß', row 4) has the demand 3, above the capacity 2"
    done = call(*words)
    reason = "too large for any vehicle: 3, and the largest carries 2"
    assert done.code == 0 and done.fault == f"a.csv: customer 3 ('Weiß', row 4) is left out: {reason}"


def test_a_pipe(tmp_path, stops):
    command = [sys.executable, "-m", "warptour", "solve", "-", *CHOICE, "--ignore", "demand", "--iterations", "1"]
    done = subprocess.run([*command, "-o", "-"], input=STOPS.encode(), capture_output=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "Kunde,GPS Nord,GPS Ost,Menge,order,node,leg (m),distance (m)"
    assert len(lines) == 5 and b"cost" in done.stderr
    bad = STOPS.replace("52.25", "?")
    done = subprocess.run(command, input=bad.encode(), capture_output=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 2 and b"standard input:4: lat of 'Wei" in done.stderr


def test_a_tsplib_file_in_a_pipe(tmp_path, call):
    call("generate", "uniform", "9", "-o", "a.tsp")
    command = [sys.executable, "-m", "warptour", "solve", "-", "-q", "-o", "-", "-o", "b.csv"]
    data = (tmp_path / "a.tsp").read_bytes()
    done = subprocess.run(command, input=data, capture_output=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith(b"NAME : uniform-9-0\n") and done.stderr == b""
    (tmp_path / "c.tour").write_bytes(done.stdout)
    assert call("check", "a.tsp", "c.tour").out == call("check", "a.tsp", "b.csv").out


def test_json_and_a_solution_do_not_share_standard_output(call, stops):
    assert "both write to standard output" in call("solve", "uniform:9:1", "--json", "-o", "-").fault


HOURS = "Kunde;lat;lon;Öffnungszeiten;tel\nLager;52,5;13,4;;1\nA;52,51;13,41;13:00-18:00;2\nB;52,5;13,42;;3\n"
NOT_USED = "a.csv: columns not used: 'tel'"


@pytest.mark.parametrize(
    "command",
    [
        ["solve", "a.csv", "--speed", "30", "--depart", "08:00", "--iterations", "1"],
        ["info", "a.csv"],
        ["check", "a.csv", "a.tour"],
        ["bound", "a.csv", "--seconds", "0.1"],
        ["compare", "a.csv", "--seconds", "0.1", "--seeds", "1", "-q"],
    ],
)
@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_hours_beside_arrivals_are_an_error(call, tmp_path, command, suffix):
    (tmp_path / "a.tour").write_text("TOUR_SECTION\n1\n2\n3\n-1\n")
    if suffix == "csv":
        (tmp_path / "a.csv").write_text(HOURS, encoding="utf-8")
    else:
        openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
        book = openpyxl.Workbook()
        for row in HOURS.splitlines():
            book.active.append(row.split(";"))
        book.save(tmp_path / "a.xlsx")
        command = [word.replace("a.csv", "a.xlsx") for word in command]
    done = call(*command)
    assert done.code == 2
    needs = "needs vehicles: a column demand, and --capacity; --ignore 'Öffnungszeiten' plans without it"
    what = f"the column 'Öffnungszeiten' (time windows) {needs}"
    assert done.fault == f"a.{suffix}:1: {what}"
    assert "did you mean 'Öffnungszeiten'" in call(*command, "--ignore", "Öffnungszeit").fault
    done = call(*command, "--ignore", "öffnungszeiten", "--json")
    assert done.code == 0 and done.err.splitlines()[0] == f"warptour: {NOT_USED}".replace("csv", suffix)
    assert call(*command, "--ignore", "öffnungszeiten", "--ignore", "Tel", "--json").err == ""
    assert call(*command, "--ignore", "öffnungszeiten,TEL", "--json").err == ""


def test_warnings_are_in_json_and_printed_though_quiet(call, tmp_path):
    rows = "name,lat,lon,tel\nA,52.5,13.4,1\nB,52.51,13.41,1\nC,0,0,1\nD,52.5,13.42,1\nE,52.5,13.41,1\nF,-37,144,1\n"
    (tmp_path / "a.csv").write_text(rows)
    done = call("solve", "a.csv", "--iterations", "1", "--json", "--quiet")
    assert done.json["warnings"] == done.err.replace("warptour: ", "").splitlines()
    columns, zero, far = done.json["warnings"]
    assert columns == NOT_USED and zero.startswith("a.csv:4: 'C' is at 0,0, far from the other stops")
    assert far.startswith("a.csv:7: 'F' is ") and far.endswith("; are its coordinates right?")


def test_the_decimal_sign_is_an_option(call, tmp_path):
    (tmp_path / "a.csv").write_text("x;y;demand\n587,142;866,957;\n612,100;800,500;1.616\n")
    assert "a.csv:2: x is '587,142': thousands or decimals? --decimal , or" in call("info", "a.csv").fault
    info = call("info", "a.csv", "--capacity", "2000", "--decimal", ",", "--json").json
    assert info["total_demand"] == 1616 and info["extent"][0] == [587.142, 800.5]
    assert call("info", "a.csv", "--capacity", "2", "--decimal", ".", "--json").json["total_demand"] == 1.616
    assert call("compare", "a.csv", "--decimal", ";").fault == "--decimal takes , or ., not ';'"


def test_a_template_is_written_and_planned(tmp_path, call):
    pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    with (tmp_path / "plan.xlsx").open("wb") as file:
        command = [sys.executable, "-m", "warptour", "template"]
        done = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, timeout=300)
    assert done.returncode == 0 and done.stderr == b""
    assert call("template", "-o", "other.xlsx").code == 0
    options = ["--speed", "30", "--iterations", "100", "--json", "--strict", "-o", "day.xlsx"]
    found = call("solve", "plan.xlsx", *options)
    assert found.code == 0 and found.json["warnings"] == [] and found.json["unserved"] == [], found.err
    assert call("check", "plan.xlsx", "day.xlsx", "--speed", "30").code == 0
    assert call("info", "other.xlsx", "--speed", "30", "--json").json["kind"] == "vrp"


TWICE = "name,lat,lon\nA,52.5,13.4\nB,52.6,13.5\nB,52.6,13.5\nC,52.55,13.45\n"
ONE_STOP = "a.csv:4: 'B' is in row 3, too, at the same place; is it one stop?"


@pytest.mark.parametrize("command", ["solve", "info", "bound"])
def test_strict_makes_errors_of_warnings(tmp_path, call, command):
    (tmp_path / "a.csv").write_text(TWICE)
    options = ["--iterations", "1", "--quiet"] if command == "solve" else []
    done = call(command, "a.csv", *options, "--json")
    assert done.code == 0 and done.json["warnings"] == [ONE_STOP] and done.err == f"warptour: {ONE_STOP}\n"
    done = call(command, "a.csv", *options, "--json", "--strict")
    assert done.code == 2 and done.out == ""
    assert done.err == f"warptour: {ONE_STOP}\nwarptour: a.csv: the warning is an error (--strict)\n"
    (tmp_path / "a.csv").write_text(TWICE.replace("B,52.6,13.5\nC", "D,52.6,13.5\nC"))
    assert call(command, "a.csv", *options, "--json", "--strict").code == 0
