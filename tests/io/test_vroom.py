"""VROOM's JSON: what it asks for is planned as VROOM would, and refused by name where it cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warptour as wt
from vroom_requests import faults, random_request, small, with_trucks
from warptour.io.vroom.answer import answer

Json = dict[str, Any]
NOT_YET = "not planned yet"
QUICK: Json = {"iterations": 3000, "threads": 1, "device": "cpu"}


def written(folder: Path, request: Any) -> Path:
    path = folder / "input.json"
    path.write_text(json.dumps(request))
    return path


def planned(folder: Path, request: Json, **options: Any) -> tuple[wt.VRP, Json]:
    """Return the problem of a request, and the answer that a short search gives."""
    problem = wt.read(written(folder, request))
    assert isinstance(problem, wt.VRP)
    return problem, answer(problem, wt.solve(problem, **QUICK | options).routes or [])


def plannable(folder: Path, request: Json) -> bool:
    """Return whether a request is planned, or else refused as one that cannot be yet."""
    try:
        wt.read(written(folder, request))
    except wt.InputError as error:
        if NOT_YET not in str(error):
            raise
        return False
    return True


def rank(answer: Json) -> tuple[int, int, int]:
    """Return how good an answer is: priorities first, then jobs, then cost; lower is better."""
    summary = answer["summary"]
    return -summary["priority"], summary["unassigned"], summary["cost"]


def test_the_answer_has_vrooms_shape(tmp_path):
    _, found = planned(tmp_path, small())
    assert rank(found) == (-10, 1, 630 + 300) and faults(small(), found) == []
    assert [each["id"] for each in found["unassigned"]] == [14]
    assert found["unassigned"][0]["reason"].startswith("too large for any vehicle: 9")
    van, other = found["routes"]
    assert (van["vehicle"], van["description"], other["vehicle"]) == (1, "van", 7)
    assert [step["type"] for step in van["steps"]] == ["start", "job", "job", "end"]
    assert van["steps"][1] == {
        "type": "job", "location_index": 2, "id": 12, "setup": 0, "service": 0, "waiting_time": 0, "job": 12,
        "load": [2], "arrival": 500, "duration": 200, "violations": [], "distance": 2000,
    }  # fmt: skip
    assert [step["location_index"] for step in other["steps"]] == [0, 1, 1]  # it ends at its last job


def test_vroom_itself_answers_alike(tmp_path):
    vroom = pytest.importorskip("vroom", reason="pyvroom is not installed")
    refused = 0
    for seed in range(60):
        request = with_trucks(random_request(seed)) if seed % 3 == 1 else random_request(seed)
        if not plannable(tmp_path, request):
            refused += 1
            continue
        problem, ours = planned(tmp_path, request)
        theirs = vroom.Input.from_json(str(tmp_path / "input.json")).solve(exploration_level=5, nb_threads=1).to_dict()
        assert faults(request, ours) == [], seed
        (tmp_path / "theirs.json").write_text(json.dumps(theirs))
        assert wt.check(problem, tmp_path / "theirs.json").feasible, seed
        again = answer(problem, wt.io.solution.read_solution(tmp_path / "theirs.json", problem, strict=False))
        routes = len(theirs["routes"])
        assert rank(again)[:2] == rank(theirs)[:2] and abs(rank(again)[2] - rank(theirs)[2]) <= routes, seed
        assert rank(ours) <= (*rank(again)[:2], rank(again)[2] + routes), seed
        assert {*theirs} <= {*ours} and {*theirs["summary"]} - {"computing_times"} <= {*ours["summary"]}
        for mine, other in (
            (ours["routes"], theirs["routes"]),
            *((a["steps"], b["steps"]) for a, b in zip(ours["routes"], theirs["routes"], strict=False)),
        ):
            assert {key for each in other for key in each} <= {key for each in mine for key in each} | {"description"}
    assert refused <= 30


def test_breaks_and_shipments_cost_what_they_cost_vroom(tmp_path):
    """A morning of two vans, each with a break: goods for the depot's customers, and from one to another."""
    vroom = pytest.importorskip("vroom", reason="pyvroom is not installed")
    rng = np.random.default_rng(1)
    places = rng.integers(0, 3000, (9, 2))
    durations = np.abs(places[:, None] - places[None]).sum(axis=2)
    rest = {"service": 300, "time_windows": [[36000, 37800]], "description": "coffee"}
    van: Json = {"start_index": 0, "end_index": 0, "capacity": [4], "time_window": [28800, 43200]}
    request = {
        "vehicles": [van | {"id": k, "skills": [k, 14], "breaks": [rest | {"id": k}]} for k in (1, 2)],
        "jobs": [
            {"id": k, "location_index": k, "service": 300, "delivery": [1], "skills": [14 if k > 2 else 1]}
            for k in range(1, 7)
        ],
        "shipments": [
            {
                "amount": [1], "skills": [2], "pickup": {"id": 9, "location_index": 7, "service": 300},
                "delivery": {"id": 8, "location_index": 8, "service": 300, "time_windows": [[37000, 41000]]},
            }
        ],
        "matrices": {"car": {"durations": durations.tolist()}},
    }  # fmt: skip
    request["jobs"][0]["time_windows"] = [[32400, 36000]]
    problem, ours = planned(tmp_path, request)
    theirs = vroom.Input.from_json(str(tmp_path / "input.json")).solve(exploration_level=5, nb_threads=1).to_dict()
    assert rank(ours) == rank(theirs)
    (tmp_path / "theirs.json").write_text(json.dumps(theirs))
    report = wt.check(problem, tmp_path / "theirs.json")
    assert report.feasible and report.cost == ours["summary"]["cost"]
    served = [step for route in ours["routes"] for step in route["steps"] if step["type"] in ("break", "delivery")]
    assert {"delivery", "break"} == {step["type"] for step in served}


@pytest.mark.parametrize("seed", range(100, 130))
def test_answers_hold_by_a_plain_walk(tmp_path, seed):
    request = with_trucks(random_request(seed)) if seed % 2 else random_request(seed)
    if plannable(tmp_path, request):
        assert faults(request, planned(tmp_path, request, iterations=500)[1]) == []


def test_jobs_of_low_priority_are_left_out(tmp_path):
    request = small()
    request["vehicles"][0]["max_tasks"] = 1
    del request["vehicles"][1]
    for job, priority in zip(request["jobs"], (3, 0, 4, 100), strict=True):
        job["priority"] = priority
    _, found = planned(tmp_path, request)
    assert [step.get("id") for step in found["routes"][0]["steps"]] == [None, 13, None]
    del request["vehicles"][0]["max_tasks"]
    request["jobs"][2]["priority"] = 2  # now two of the loads 1, 2 and 2 fit, by count or by priority
    request["vehicles"][0]["capacity"] = [2]
    _, found = planned(tmp_path, request)
    assert rank(found)[:2] == (-3, 3)


def test_places_have_coordinates(tmp_path):
    request = small()
    spots = [[15.44, 47.07], [15.46, 47.07], [15.44, 47.09], [15.40, 47.05]]
    del request["matrices"]
    for each in (*request["jobs"], *request["vehicles"]):
        for name in ("location", "start", "end"):
            if f"{name}_index" in each:
                each[name] = spots[each.pop(f"{name}_index")]
    path = written(tmp_path, request)
    with pytest.raises(wt.InputError, match=r"has coordinates and no matrices; --osrm URL, --roads FILE or --speed"):
        wt.read(path)
    problem = wt.read(path, speed=36)
    assert isinstance(problem, wt.VRP) and problem.on_earth
    metres = wt.VRP.from_points(
        [[47.07, 15.44], [47.07, 15.46]], latlon=True, demands=[0, 1], capacity=1
    ).distance(0, 1)  # fmt: skip
    assert problem.distance(0, 1) == round(metres / 10) and problem.road_lengths(np.array([0]), np.array([1])) == round(
        metres
    )
    found = answer(problem, wt.solve(problem, **QUICK).routes or [])
    assert found["routes"][0]["steps"][0]["location"] == spots[0]
    assert "location_index" not in found["routes"][0]["steps"][0]


def test_the_matrix_of_earlier_versions_is_read(tmp_path):
    request = small()
    table = request["matrices"].pop("car")["durations"]
    del request["matrices"]
    problem, found = planned(tmp_path, request | {"matrix": table})
    assert found["summary"]["cost"] == planned(tmp_path, small())[1]["summary"]["cost"] and not problem.warnings


def test_vehicles_that_are_alike_are_one_type(tmp_path):
    request = small()
    first = request["vehicles"][0]
    request["vehicles"] = [first, {**first, "id": 5}, request["vehicles"][1], {**first, "id": 6, "max_tasks": 0}]
    problem, found = planned(tmp_path, request)
    assert problem.fleet is not None
    assert [each.count for each in problem.fleet.types] == [2, 1]
    assert {route["vehicle"] for route in found["routes"]} <= {1, 5, 7}


def test_setups_are_for_who_comes_from_elsewhere(tmp_path):
    request = small()
    del request["vehicles"][1], request["jobs"][1]
    request["jobs"][2]["delivery"] = [1]
    for job in request["jobs"]:
        job["setup"] = 60
    _, found = planned(tmp_path, request)
    assert faults(request, found) == [] and found["summary"]["setup"] == 120  # two of the three are at one place


def test_a_written_answer_is_read_back(tmp_path):
    problem, found = planned(tmp_path, small())
    wt.write(tmp_path / "plan.json", problem, wt.solve(problem, **QUICK))
    assert json.loads((tmp_path / "plan.json").read_text()) == found
    assert wt.check(problem, tmp_path / "plan.json").feasible
    late = json.loads((tmp_path / "plan.json").read_text())
    late["routes"][0]["vehicle"], late["routes"][1]["vehicle"] = 7, 1
    (tmp_path / "plan.json").write_text(json.dumps(late))
    assert any("may not serve" in each for each in wt.check(problem, tmp_path / "plan.json").violations)


def test_what_is_not_used_is_named(tmp_path):
    request = small()
    request["jobs"][1]["colour"] = "red"
    request["vehicles"][0]["steps"] = [{"type": "start"}]
    with pytest.warns(wt.InputWarning, match=r"jobs\[1\].colour, vehicles\[0\].steps are not used"):
        problem = wt.read(written(tmp_path, request))
    assert len(problem.warnings) == 1


def changed(place: str, value: Any) -> Json:
    """Return the small request with a member changed: ``jobs.0.id``."""
    request: Any = small()
    at = request
    *path, last = (int(part) if part.isdigit() else part for part in place.split("."))
    for part in path:
        at = at[part]
    at[last] = value
    return request  # type: ignore[no-any-return]


WRONG = [
    ("shipments", [{}], "shipments[0].pickup: it is missing; a shipment has a pickup and a delivery"),
    ("shipments", [{"pickup": {"id": 1}, "delivery": {"id": 1}}], "shipments[0].pickup.location: it is missing"),
    ("vehicles.1.breaks", [{"service": 5}], "vehicles[1].breaks[0].id: it is missing; it must be a number"),
    ("vehicles.1.profile", "bike", "matrices.bike.durations: there are none"),
    (
        "vehicles.1.costs",
        {"per_km": 5},
        "vehicles[1].costs: costs of hours (at its speed) and of km in another proportion",
    ),
    ("vehicles.0.max_travel_time", -1, "vehicles[0].max_travel_time: it is -1; it must be at least 0"),
    ("vehicles.0.id", 7, "vehicles[1].id: 7 is vehicles[0].id, too"),
    ("vehicles.0.id", "a", "vehicles[0].id: it is a text, 'a', not a number"),
    ("vehicles.0.id", None, "vehicles[0].id: it is missing; it must be a number"),
    ("vehicles.0.capacity", [1, 2], "vehicles[1].capacity has 1 numbers, and elsewhere there are 2"),
    ("vehicles.0.capacity", 4, "vehicles[0].capacity: it is 4, not a list"),
    ("vehicles.0.time_window", [9, 1], "vehicles[0].time_window: it must be the seconds of a begin and an end"),
    ("vehicles.0.speed_factor", 0, "vehicles[0].speed_factor: it is 0; it must be above 0 and at most 5"),
    ("vehicles.0.max_tasks", 1.5, "vehicles[0].max_tasks: it is 1.5; it must be a whole number"),
    ("vehicles.0", 3, "vehicles[0]: it is 3, not an object"),
    ("vehicles.0", {"id": 3}, "vehicles[0].start: it is missing; a vehicle has a start, an end or both"),
    ("vehicles", [], "vehicles: there are none"),
    ("vehicles", {}, "vehicles: it is an object, not a list"),
    ("jobs", [], "jobs: there are none"),
    ("jobs.0.location_index", 4, "jobs[0].location_index: it is 4; the matrices have rows 0 to 3"),
    ("jobs.0.location_index", None, "jobs[0].location: it is missing: [longitude, latitude], or with matrices"),
    ("jobs.0.priority", 101, "jobs[0].priority: it is 101; it must be a whole number from 0 to 100"),
    ("jobs.0.skills", [-1], "jobs[0].skills[0]: it is -1; it must be a whole number of at least 0"),
    ("jobs.0.service", True, "jobs[0].service: it is true or false, not a number"),
    ("jobs.0.service", -5, "jobs[0].service: it is -5; it must be at least 0"),
    ("jobs.0.description", 5, "jobs[0].description: it is 5, not a text"),
    ("jobs.0.time_windows", [[1, 2, 3]], "jobs[0].time_windows[0]: it must be the seconds of a begin"),
    ("jobs.0.service_per_type", {"van": 3}, f"jobs[0].service_per_type: services that differ by vehicle are {NOT_YET}"),
    ("matrices.car.durations", None, "matrices.car.durations: there are none"),
    ("matrices.car.durations", [[0, 1], [1]], "matrices.car.durations[1]: it has 1 numbers; a matrix of 2 rows has 2"),
    ("matrices.car.durations", [[0]], "matrices.car.distances: it has 4 rows; the durations have 1"),
    ("matrices.car.durations.0.1", -3, "matrices.car.durations[0][1]: it is -3; it must be a whole number"),
    ("matrices", None, "jobs[0].location_index: the file has no matrices; add them, or the coordinates of all places"),
]


@pytest.mark.parametrize(("place", "value", "fault"), WRONG, ids=[f"{place}={value}" for place, value, _ in WRONG])
def test_faults_name_their_place(tmp_path, place, value, fault):
    with pytest.raises(wt.InputError) as error:
        wt.read(written(tmp_path, changed(place, value)))
    assert str(error.value).startswith(f"{tmp_path / 'input.json'}: {fault}")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[1, 2]", "is no problem: VROOM's JSON has vehicles and jobs"),
        ('{"durations": [[0]]}', "is a matrix; give it with --durations"),
        ('{"vehicles": [', "is not JSON"),
        ("[" * 10**5, "is JSON that is nested too deeply"),
    ],
)
def test_other_json_is_no_problem(tmp_path, text, fault):
    (tmp_path / "input.json").write_text(text)
    with pytest.raises(wt.InputError, match=fault):
        wt.read(tmp_path / "input.json")


@pytest.mark.parametrize(
    "option", [{"capacity": 3}, {"max_hours": 3, "speed": 5}, {"depot": 1}, {"rounding": "nearest"}]
)
def test_options_of_what_the_file_says_are_refused(tmp_path, option):
    with pytest.raises(wt.UsageError, match=r"input\.json"):
        wt.read(written(tmp_path, small()), **option)


ANSWERS = [
    ({"routes": [{"vehicle": 3, "steps": []}]}, r"routes\[0\].vehicle: the request has no vehicle 3"),
    ({"routes": [{"vehicle": 1, "steps": [{"type": "job", "id": 9}]}]}, r"steps\[0\].id: the request has no job 9"),
    ({"routes": [{"vehicle": 1, "steps": [{"type": "rest", "id": 9}]}]}, r"steps\[0\].type: it is 'rest'"),
    ({"routes": 2 * [{"vehicle": 1, "steps": [{"type": "job", "id": 11}]}]}, r"\[1\].vehicle: there are more routes"),
    ({"code": 2, "error": "x"}, "has no routes; an answer in VROOM's JSON has"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "fault"), ANSWERS)
def test_other_answers_are_refused(tmp_path, content, fault):
    problem = wt.read(written(tmp_path, small()))
    (tmp_path / "plan.json").write_text(json.dumps(content))
    with pytest.raises(wt.InputError, match=fault):
        wt.check(problem, tmp_path / "plan.json")
