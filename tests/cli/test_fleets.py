"""Fleets on the command line: who drives what, who stays, and who is not served for which reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

STOPS = "name,x,y,demand,prize,skills\nD,0,0,,,\nA,10,0,1,30,\nB,20,0,1,,\nC,30,0,12,,\nE,0,50,1,30,\nG,5,-5,1,,crane\n"
FLEET = 'name,count,capacity,skills,max_stops\nvan,2,3,,1\n"truck, old",1,9,crane,2\n'
QUICK = ("--iterations", "2000", "--threads", "1")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "stops.csv").write_text(STOPS)
    (tmp_path / "fleet.csv").write_text(FLEET)
    return tmp_path


def test_the_plan_names_vehicles_and_reasons(call, files):
    done = call("solve", "stops.csv", "--fleet", "fleet.csv", *QUICK)
    assert done.code == 0
    assert "customer 4 ('C', row 5) is left out: too large for any vehicle: 12, and the largest carries 9" in done.err
    assert "not served" in done.out and "truck, old" in done.out
    assert "costs more than its prize: 100.00 against 30.00" in done.out


def test_json_has_them_too(call, files):
    done = call("solve", "stops.csv", "--fleet", "fleet.csv", *QUICK, "--json")
    facts = json.loads(done.out)
    assert {each["name"]: each["reason"] for each in facts["unserved"]} == {"C": "impossible", "E": "price"}
    assert {trip["vehicle"] for trip in facts["trips"]} <= {"van", "truck, old"}
    driven = sum(len(route) > 0 for route in facts["solution"])
    assert facts["routes"] == driven == len(facts["trips"]) and driven + sum(facts["unused"].values()) == 3
    assert any("C" in note for note in facts["warnings"])


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx", ".geojson", ".sol"])
def test_a_written_plan_is_feasible(call, files, suffix):
    if suffix == ".xlsx":
        pytest.importorskip("openpyxl")
    assert call("solve", "stops.csv", "--fleet", "fleet.csv", *QUICK, "-o", f"plan{suffix}").code == 0
    done = call("check", "stops.csv", f"plan{suffix}", "--fleet", "fleet.csv")
    assert done.code == 0 and "yes" in done.out
    if suffix == ".csv":
        text = (files / "plan.csv").read_text()
        assert "costs more than its prize: 100.00 against 30.00" in text and '"truck, old"' in text


def test_all_stops_or_none(call, files):
    done = call("solve", "stops.csv", "--fleet", "fleet.csv", *QUICK, "--all")
    assert done.code == 2
    assert done.fault == "stops.csv: customer 4 ('C', row 5): too large for any vehicle: 12, and the largest carries 9"


def test_several_depots(call, files):
    words = ("stops.csv", "--depot", "D", "--depot", "B", "--capacity", "12", "--ignore", "prize,skills,demand")
    done = call("solve", *words[:5], "--vehicles", "2", "--ignore", "prize,skills,demand", *QUICK, "--json")
    facts = json.loads(done.out)
    assert facts["feasible"] and {trip["vehicle"] for trip in facts["trips"]} <= {"D", "B"}
    assert "is given twice" in call("solve", *words, "--capacity", "3").fault


def test_a_map_shows_who_is_not_served(call, files):
    assert call("solve", "stops.csv", "--fleet", "fleet.csv", *QUICK, "--map", "plan.html").code == 0
    assert "not served: 2 stops" in (files / "plan.html").read_text()


def test_stops_without_demands_are_shared_out(call, files):
    words = ("stops.csv", "--ignore", "demand,prize,skills", "--vehicles", "2", "--balance")
    done = call("solve", *words, "stops", *QUICK, "--json")
    facts = json.loads(done.out)
    assert sorted(map(len, facts["solution"])) == [2, 3]
    assert facts["balance"] == {"of": "stops", "largest": 3, "smallest": 2, "mean": 2.5}
    done = call("solve", *words, "km", *QUICK)
    assert done.code == 0 and "balance  " in done.out and "largest " in done.out
    done = call("solve", *words, "fuel")
    assert (done.code, done.fault) == (2, "--balance takes hours, stops, load or km, not 'fuel'")
    done = call("solve", "stops.csv", "--ignore", "demand,skills", "--vehicles", "2", "--balance", "stops")
    assert done.code == 2 and "routes are even where nobody is served" in done.fault
