"""The view plans and draws along the streets that the command line names."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("osmium", reason="osmium is not installed")

import warptour as wt
from extracts import grid, write_osm
from warptour.io.reading import ReadOptions
from warptour.web.refusal import Refusal

STREET = {"highway": "residential"}
PLACES = {1: (50.0, 10.0), 2: (50.0, 10.002), 3: (50.002, 10.0)}


@pytest.fixture
def roads(tmp_path):
    """Streets around a block of nine places; its middle cannot be driven through."""
    path = write_osm(tmp_path / "map.osm", grid(3, 3), [([1, 2, 3, 6, 9, 8, 7, 4, 1], STREET)])
    return ReadOptions(roads=str(path), profile="car")


@pytest.fixture
def stops(tmp_path):
    path = tmp_path / "stops.csv"
    path.write_text("lat,lon\n" + "\n".join(f"{lat},{lon}" for lat, lon in PLACES.values()) + "\n")
    return path


def streets_of(body):
    """The lines behind a tour in an answer, as longitudes and latitudes."""
    routes, nodes = np.frombuffer(body, "<u4", 2, 16)
    after = 24 + 4 * (int(routes) + int(nodes))
    counts = np.frombuffer(body, "<u4", max(1, int(routes)), after)
    places = np.frombuffer(body, "<f4", -1, after + 4 * len(counts)).reshape(-1, 2)
    assert counts.sum() == len(places)
    return np.split(places, np.cumsum(counts)[:-1])


def test_runs_of_the_page_are_along_the_streets(serve, client_of, roads, stops):
    client = client_of(serve(stops, given=roads).address)
    (problem,) = client.get("api/session")["problems"]
    assert (problem["geographic"], problem["streets"], problem["metric"]) == (True, True, "EXPLICIT")
    spots = np.frombuffer(client("GET", f"api/problems/{problem['id']}/coordinates").body, "<f8").reshape(-1, 2)
    assert spots.tolist() == [[lon, lat] for lat, lon in PLACES.values()]
    assert client.get(f"api/problems/{problem['id']}/nodes/1")["x"] == 10.002
    run = client.post("api/runs", {"problem": problem["id"], "strategy": "windows", "options": {"iterations": 50}})
    ended = client.wait(run["id"])
    assert ended["state"] == "ended", ended
    body = client("GET", f"api/traces/{ended['trace']}/tours/0").body
    (line,) = streets_of(body)
    assert len(line) > 10
    corners = {tuple(np.round(place, 4)) for place in line.tolist()}
    assert {(10.001, 50.0), (10.002, 50.002), (10.0, 50.001)} <= corners and (10.001, 50.001) not in corners


def test_a_trace_from_elsewhere_is_drawn_along_the_streets(serve, client_of, roads, tmp_path):
    problem = wt.VRP.from_points(list(PLACES.values()), latlon=True, demands=[0, 1, 1], capacity=1)
    wt.solve(problem, iterations=10, trace=tmp_path / "run.jsonl", tours=True)
    client = client_of(serve(tmp_path / "run.jsonl", given=roads).address)
    (trace,) = client.get("api/session")["traces"]
    assert trace["geographic"] and trace["streets"]
    lines = streets_of(client("GET", f"api/traces/{trace['id']}/tours/0").body)
    assert [line[[0, -1]].round(4).tolist() for line in lines] == [[[10.0, 50.0]] * 2] * 2


def test_without_streets_nothing_follows_a_tour(serve, client_of, tmp_path):
    problem = wt.TSP.from_points(list(PLACES.values()), latlon=True)
    wt.solve(problem, iterations=10, trace=tmp_path / "run.jsonl", tours=True)
    client = client_of(serve(tmp_path / "run.jsonl").address)
    (trace,) = client.get("api/session")["traces"]
    assert trace["streets"] is False
    assert len(client("GET", f"api/traces/{trace['id']}/tours/0").body) == 24 + 4 * 3


def test_stops_elsewhere_are_named_before_the_page_opens(serve, roads, tmp_path):
    (tmp_path / "far.csv").write_text("lat,lon\n50,10\n51,10\n")
    with pytest.raises(Refusal, match=r"stop 2 \(row 3\) is 111.0 km outside the extract"):
        serve(tmp_path / "far.csv", given=roads)
