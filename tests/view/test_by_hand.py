"""Plans changed by hand: stops on other vehicles, locks, and planning again from there."""

from __future__ import annotations

import json

import numpy as np
import pytest

import warptour as wt
from warptour.io.locked import with_plan
from warptour.view.by_hand import Locked, changed, moved, plan_under_way

STOPS = "name,x,y,demand\nd,0,0,\n" + "".join(f"S{k},{k % 5 + 1},{k // 5 + 1},1\n" for k in range(20))


@pytest.fixture
def planned(client):
    """A run of 20 stops that has ended: its trace, the number of its last tour and its routes."""
    file = client.upload("stops.csv", STOPS.encode())
    problem = client.post("api/problems", {"file": file, "options": {"capacity": 6, "vehicles": 5}})
    run = client.wait(client.post("api/runs", {"problem": problem["id"], "iterations": 500, "threads": 1})["id"])
    trace = next(row for row in client.get("api/session")["traces"] if row["id"] == run["trace"])
    return f"api/traces/{trace['id']}/tours/{trace['frames'] - 1}", trace, run


def stops(client, path):
    """Return the stops of each route of a tour."""
    rows = client.get(f"{path}/routes")["routes"]
    found = {row["number"] - 1: client.get(f"{path}/routes/{row['number'] - 1}")["stops"] for row in rows}
    return {vehicle: [stop["node"] for stop in listed] for vehicle, listed in found.items()}


def test_a_stop_goes_to_another_vehicle_and_stays_there_when_planned_again(client, planned):
    path, trace, run = planned
    before = stops(client, path)
    stop, vehicle = before[0][0], 4
    assert vehicle not in before and trace["base"] == run["problem"] and trace["steps"] is None
    hand = client.post(f"{path}/change", {"move": {"stop": stop, "vehicle": vehicle}})
    assert hand["frames"] == 2
    assert hand["steps"] == [
        {"before": None, "stops": [], "vehicles": []}, {"before": 0, "stops": [stop], "vehicles": []},
    ]  # fmt: skip
    after = stops(client, f"api/traces/{hand['id']}/tours/1")
    assert after == {**before, 0: before[0][1:], vehicle: [stop]}
    assert stops(client, f"api/traces/{hand['id']}/tours/0") == before
    wanted = {"plan": {"trace": hand["id"], "tour": 1}, "iterations": 500, "threads": 1}
    again = client.wait(client.post("api/runs", wanted)["id"])
    assert again["state"] == "ended", again
    options = "--capacity 6 --vehicles 5 --threads 1 --iterations 500 --locked plan.json"
    assert again["command"].startswith(f"warptour solve stops.csv {options} --change-cost 0.")
    final = next(row for row in client.get("api/session")["traces"] if row["id"] == again["trace"])
    assert final["locked"]["stops"] == [stop] and final["base"] == trace["base"]
    where = f"api/traces/{final['id']}/tours/{final['frames'] - 1}"
    assert stop in stops(client, where)[vehicle] and "changes" in client.get(f"{where}/routes")
    assert client("DELETE", f"api/traces/{hand['id']}").status == 200


def test_a_locked_vehicle_keeps_its_stops_in_order(client, planned):
    path, _, _ = planned
    before = stops(client, path)
    hand = client.post(f"{path}/change", {"locked": {"vehicles": [1]}})
    moves = client.post(f"api/traces/{hand['id']}/tours/0/change", {"move": {"stop": before[0][0], "vehicle": 2}})
    assert moves["id"] == hand["id"] and hand["steps"] == [{"before": None, "stops": [], "vehicles": [1]}]
    assert moves["steps"][1] == {"before": 0, "stops": [before[0][0]], "vehicles": [1]}
    plan = json.loads(client("GET", f"api/traces/{hand['id']}/tours/1/export?format=json").body)
    fixed = next(each for each in plan["vehicles"] if each["vehicle"] == 2)
    assert fixed == {"vehicle": 2, "stops": [node + 1 for node in before[1]], "order": True, "new": False}
    wanted = {"plan": {"trace": hand["id"], "tour": 1, "change_cost": 0.5}, "iterations": 500, "threads": 1}
    again = client.wait(client.post("api/runs", wanted)["id"])
    frames = next(row for row in client.get("api/session")["traces"] if row["id"] == again["trace"])["frames"]
    assert stops(client, f"api/traces/{again['trace']}/tours/{frames - 1}")[1] == before[1]
    assert "--change-cost 0.5" in again["command"]


@pytest.mark.parametrize("given", [None, 0])
def test_a_changed_stop_has_a_cost_unless_it_is_given_as_0(client, planned, given):
    path, _, _ = planned
    hand = client.post(f"{path}/change", {"locked": {"stops": [stops(client, path)[0][0]]}})
    plan = {"trace": hand["id"], "tour": 0, "change_cost": given}
    again = client.wait(client.post("api/runs", {"plan": plan, "iterations": 300, "threads": 1})["id"])
    assert ("--change-cost" in again["command"]) == (given is None)


def test_a_move_that_breaks_a_limit_is_made_and_told(client, planned):
    path, _, _ = planned
    before = stops(client, path)
    full = max(before, key=lambda vehicle: len(before[vehicle]))
    hand = None
    for stop in [node for vehicle, nodes in before.items() if vehicle != full for node in nodes][:3]:
        hand = client.post(f"{path}/change", {"move": {"stop": stop, "vehicle": full}})
        path = f"api/traces/{hand['id']}/tours/{hand['frames'] - 1}"
    facts = client.get(f"{path}/routes")
    assert any("over the capacity" in fault for fault in facts["faults"])
    assert next(row for row in facts["routes"] if row["number"] == full + 1)["load"] > 6


@pytest.mark.parametrize(
    "body",
    [
        {}, {"move": {"stop": 0, "vehicle": 0}}, {"move": {"stop": 21, "vehicle": 0}},
        {"move": {"stop": 1, "vehicle": 5}},
        {"move": {"stop": True, "vehicle": 0}}, {"move": []}, {"locked": {"stops": 3}}, {"locked": {"x": []}},
        {"locked": {"stops": [99]}}, {"locked": {"vehicles": ["1"]}},
    ],
)  # fmt: skip
def test_odd_changes_are_refused(client, planned, body):
    path, _, _ = planned
    count = len(client.get("api/session")["traces"])
    reply = client("POST", f"{path}/change", body)
    assert reply.status == 400 and reply.json["error"]
    assert len(client.get("api/session")["traces"]) == count


def test_tours_and_traces_from_elsewhere_are_not_changed(serve, client_of, tmp_path):
    wt.solve(wt.generate("vrp", 20, 1), iterations=100, threads=1, trace=tmp_path / "a.jsonl", tours=True)
    client = client_of(serve(tmp_path / "a.jsonl").address)
    trace = client.get("api/session")["trace"]
    reply = client("POST", f"api/traces/{trace}/tours/0/change", {"move": {"stop": 1, "vehicle": 0}})
    assert reply.status == 400 and "made here" in reply.json["error"]


def test_the_ends_of_a_shipment_and_stops_together_move_as_one():
    line = np.arange(7.0)
    problem = wt.VRP.from_points(
        np.column_stack((line, 0 * line)), demands=[0, 0, 0, 1, 1, 1, 1], capacity=9, vehicles=3,
        shipments=[(1, 2)], together=[(3, 4)],
    )  # fmt: skip
    routes = [np.array([3, 1, 4, 2], np.int32), np.array([5, 6], np.int32)]
    after = moved(problem, routes, 2, 1)
    assert after[0].tolist() == [3, 4] and sorted(after[1].tolist()) == [1, 2, 5, 6]
    assert after[1].tolist().index(1) < after[1].tolist().index(2) and not problem.check(after).violations
    after = moved(problem, routes, 4, 2)
    assert after[0].tolist() == [1, 2] and sorted(after[2].tolist()) == [3, 4]


def test_a_stop_goes_where_it_costs_least():
    problem = wt.VRP.from_points([[0, 0], [1, 0], [2, 0], [3, 0], [2, 1]], demands=[0, 1, 1, 1, 1], capacity=9)
    routes = [np.array([1, 2, 3], np.int32), np.array([4], np.int32)]
    after, locked = changed(problem, routes, Locked(), {"move": {"stop": 2, "vehicle": 1}})
    assert [route.tolist() for route in after] in ([[1, 3], [4, 2]], [[1, 3], [2, 4]])
    assert locked == Locked(frozenset({2}))
    plan = with_plan(problem, plan_under_way(after, locked))
    assert plan.locks is not None and plan.fleet is not None
    assert plan.fleet.allowed[2].sum() == 1
