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
    fault = call("solve", "a.csv", *CHOICE, "--capacity", "2", "-q").fault
    assert fault == "a.csv: customer 3 ('Weiß', row 4) has the demand 3, above the capacity 2"


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
