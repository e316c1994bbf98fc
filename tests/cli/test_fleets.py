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


@pytest.fixture
def large(tmp_path: Path) -> tuple[str, ...]:
    """Sixty stops, of which no vehicle can carry one, and a fleet."""
    rows = [
        f"s{at},{at * 37 % 101},{at * 53 % 97},{0 if at == 0 else 99 if at == 7 else 1 + at % 5}" for at in range(60)
    ]
    (tmp_path / "large.csv").write_text("\n".join(["name,x,y,demand", *rows]) + "\n")
    (tmp_path / "vans.csv").write_text("name,count,capacity,cost_km\nvan,any,20,1\ntruck,3,40,2\n")
    return ("large.csv",)


@pytest.mark.parametrize("vehicles", [("--capacity", "20"), ("--fleet", "vans.csv")])
def test_what_goes_on_goes_on_with_fleets_and_impossible_stops(call, large, tmp_path, vehicles):
    words = (*large, *vehicles)
    run = ("--seconds", "0.5", "--threads", "2")
    assert call("solve", *words, *run, "--checkpoint", "a.ckpt", "--trace", "a.jsonl", "-o", "a.csv").code == 0
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert any("cost" in line for line in lines)
    found = json.loads(call("check", large[0], "a.csv", *vehicles, "--json").out)
    assert found["feasible"]
    for more in (("--resume", "a.ckpt"), ("--start", "a.csv")):
        done = call("solve", *words, *run, *more, "--json")
        assert done.code == 0 and json.loads(done.out)["cost"] <= found["cost"] + 1e-6


@pytest.mark.parametrize("vehicles", [("--capacity", "20"), ("--fleet", "vans.csv")])
def test_a_cluster_plans_fleets_and_leaves_out_impossible_stops(call, large, vehicles):
    done = call("solve", *large, *vehicles, "--seconds", "2", "--cluster", "local:2", "--json")
    facts = json.loads(done.out)
    assert done.code == 0 and facts["feasible"] and facts["workers"] == 2
    assert [each["name"] for each in facts["unserved"]] == ["s7"]
    alone = json.loads(call("solve", *large, *vehicles, "--seconds", "1", "--json").out)
    assert facts["cost"] <= 1.1 * alone["cost"]
