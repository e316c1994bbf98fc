"""``warptour view FILE`` with options of how the file is read: those of ``solve``."""

from __future__ import annotations

import shlex

import pytest

from warptour.io.reading import ReadOptions

STOPS = "name,lat,lon,demand,driver\ndepot,50.9,6.9,0,\nA,51.0,7.0,3,x\nB,51.1,6.8,4,y\nC,50.8,7.1,5,z\n"


@pytest.fixture
def stops(tmp_path):
    (tmp_path / "stops.csv").write_text(STOPS)
    (tmp_path / "fleet.csv").write_text("name,count,capacity\nvan,2,8\n")
    return tmp_path / "stops.csv"


def test_runs_are_of_the_problem_that_the_options_make(serve, client_of, stops):
    given = ReadOptions(capacity=8, speed=30.0, depot=["depot"], ignore=["driver"], max_hours=9.0)
    client = client_of(serve(stops, given=given).address)
    (problem,) = client.get("api/session")["problems"]
    assert (problem["kind"], problem["capacity"], problem["notes"]) == ("vrp", 8, [])
    run = client.post("api/runs", {"problem": problem["id"], "iterations": 10, "seconds": 1})
    ended = client.wait(run["id"])
    assert ended["state"] == "ended", ended
    words = shlex.split(ended["command"])
    assert {"--capacity", "--speed", "--depot", "--ignore", "--max-hours"} <= set(words)
    assert words[words.index("--speed") + 1] == "30.0"


def test_a_fleet_goes_with_the_file(serve, client_of, stops):
    client = client_of(
        serve(stops, given=ReadOptions(fleet=str(stops.with_name("fleet.csv")), ignore=["driver"])).address
    )
    (problem,) = client.get("api/session")["problems"]
    run = client.wait(client.post("api/runs", {"problem": problem["id"], "seconds": 0.5})["id"])
    assert run["state"] == "ended" and "--fleet" in run["command"], run
