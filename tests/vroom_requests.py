"""Requests in VROOM's JSON: a small one to change, random ones, and a plain walk that judges answers."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

Json = dict[str, Any]


def small() -> Json:
    """Return a request of two vans and four jobs, one of which nobody can serve."""
    return {
        "vehicles": [
            {
                "id": 1, "start_index": 0, "end_index": 0, "capacity": [4], "skills": [1], "description": "van",
                "time_window": [100, 4000],
            },
            {"id": 7, "start_index": 0, "capacity": [4], "costs": {"fixed": 100, "per_hour": 7200}, "max_tasks": 2},
        ],
        "jobs": [
            {"id": 11, "location_index": 1, "service": 30, "delivery": [1], "description": "Müller"},
            {"id": 12, "location_index": 2, "delivery": [2], "time_windows": [[500, 900], [1500, 1600]]},
            {"id": 13, "location_index": 3, "delivery": [2], "skills": [1], "priority": 10},
            {"id": 14, "location_index": 3, "delivery": [9]},
        ],
        "matrices": {
            "car": {
                "durations": [[0, 100, 200, 305], [100, 0, 150, 250], [210, 150, 0, 130], [300, 250, 140, 0]],
                "distances": [[0, 1000, 2000, 3050], [1000, 0, 1500, 2500], [2100, 1500, 0, 1300], [3000, 25, 14, 0]],
            }
        },
    }  # fmt: skip


def random_request(seed: int) -> Json:
    """Return a request of few jobs with a mixture of what VROOM plans; some of them cannot be planned here."""
    rng = random.Random(seed)
    jobs, vehicles = rng.randint(2, 7), rng.randint(1, 3)
    places = [(rng.randint(0, 600), rng.randint(0, 600)) for _ in range(jobs + rng.randint(1, 3))]
    durations = [[abs(a[0] - b[0]) + abs(a[1] - b[1]) + rng.randint(0, 30) * (a != b) for b in places] for a in places]
    matrices: Json = {
        "durations": durations,
        "distances": [[rng.randint(5, 15) * each for each in row] for row in durations],
    }
    if rng.random() < 0.15:
        matrices["costs"] = [[rng.randint(0, 500) * (a != b) for b in places] for a in places]
    costs = {} if "costs" in matrices else rng.choice(
        [{}, {}, {"fixed": rng.randint(0, 800)}, {"per_km": 100, "per_hour": 0}, {"per_hour": 1000, "per_km": 60}]
    )  # fmt: skip
    wide, timed, setups = rng.choice([0, 1, 1, 2]), rng.random() < 0.6, rng.random() < 0.15
    loads = rng.choice([["delivery"], ["delivery"], ["delivery"], ["pickup"], ["delivery", "pickup"]])
    plain = "per_km" not in costs and "costs" not in matrices
    shipments = {
        "shipments": [_shipment(rng, 1 + at, len(places), wide, timed=timed) for at in range(rng.choice([0, 0, 1, 2]))]
    }
    return shipments | {
        "vehicles": [
            _vehicle(rng, 10 + at, len(places), wide, costs, timed=timed, plain=plain) for at in range(vehicles)
        ],
        "jobs": [
            _job(rng, 1 + at, len(places), wide, setup=60 * setups, timed=timed, loads=loads) for at in range(jobs)
        ],
        "matrices": {"car": matrices},
    }


def with_trucks(request: Json) -> Json:
    """Return a request where every second vehicle has matrices of its own."""
    rng = random.Random(7)
    tables = request["matrices"]["car"].items()
    request["matrices"]["truck"] = {
        name: [[each and each + rng.randint(0, 90) for each in row] for row in table] for name, table in tables
    }
    for vehicle in request["vehicles"][::2]:
        vehicle["profile"] = "truck"
    return request


def _vehicle(rng: random.Random, id: int, places: int, wide: int, costs: Json, *, timed: bool, plain: bool) -> Json:
    said: Json = {"id": id, "costs": dict(costs)}
    ends = rng.random()
    if ends < 0.85:
        said["start_index"] = rng.randrange(places)
    if ends > 0.15:
        said["end_index"] = said.get("start_index", 0) if rng.random() < 0.7 else rng.randrange(places)
    if wide:
        said["capacity"] = [rng.randint(4, 14) for _ in range(wide)]
    if plain and rng.random() < 0.3:
        said["costs"]["per_hour"] = rng.choice([1800, 3600, 7200])
    if plain and rng.random() < 0.2:
        said["speed_factor"] = rng.choice([0.5, 2])
    if plain and rng.random() < 0.15:
        said["max_travel_time"] = rng.randint(500, 3000)
    elif "speed_factor" not in said and rng.random() < 0.15:
        said["max_distance"] = rng.randint(5000, 30_000)
    if rng.random() < 0.3:
        said["max_tasks"] = rng.randint(1, 5)
    if timed and rng.random() < 0.5:
        begins = rng.randint(0, 1000)
        said["time_window"] = [begins, begins + rng.randint(500, 4000)]
    return said | ({"skills": [1]} if rng.random() < 0.4 else {})


def _job(rng: random.Random, id: int, places: int, wide: int, *, setup: int, timed: bool, loads: list[str]) -> Json:
    said: Json = {"id": id, "location_index": rng.randrange(places), "setup": setup}
    if rng.random() < 0.5:
        said["service"] = rng.randint(0, 300)
    if wide:
        said[rng.choice(loads)] = [rng.randint(0, 4) for _ in range(wide)]
        if len(loads) > 1 and rng.random() < 0.3:
            said |= {name: [rng.randint(0, 4) for _ in range(wide)] for name in loads}
    if rng.random() < 0.2:
        said["skills"] = [1]
    if rng.random() < 0.2:
        said["priority"] = rng.randint(1, 100)
    if timed and rng.random() < 0.5:
        said["time_windows"], moment = [], rng.randint(0, 1500)
        for _ in range(rng.choice([1, 1, 2])):
            said["time_windows"].append([moment, moment + rng.randint(50, 700)])
            moment = said["time_windows"][-1][1] + rng.randint(50, 700)
    return said


def _shipment(rng: random.Random, id: int, places: int, wide: int, *, timed: bool) -> Json:
    """Return a shipment: its ends are jobs without loads."""
    ends = [_job(rng, id, places, 0, setup=0, timed=timed, loads=[]) for _ in range(2)]
    said: Json = {"amount": [rng.randint(0, 4) for _ in range(wide)]} if wide else {}
    for name in ("skills", "priority"):
        values = [end.pop(name) for end in ends if name in end]
        said |= {name: values[0]} if values else {}
    return said | {"pickup": ends[0], "delivery": ends[1]}


def tasks_of(request: Json) -> dict[tuple[str, int], Json]:
    """Return jobs and ends of shipments by what an answer calls them; ends have the goods and skills of the whole."""
    tasks = {("job", job["id"]): job for job in request["jobs"]}
    for each in request.get("shipments", []):
        shared = {"skills": each.get("skills", []), "goods": each.get("amount", [0, 0])}
        tasks |= {(end, each[end]["id"]): {**each[end], **shared} for end in ("pickup", "delivery")}
    return tasks


def faults(request: Json, answer: Json) -> list[str]:
    """Return what is wrong with an answer, by a walk along its steps; times may differ by rounding."""
    tasks = tasks_of(request)
    vehicles = {vehicle["id"]: vehicle for vehicle in request["vehicles"]}
    steps = [step for route in answer["routes"] for step in route["steps"] if "id" in step]
    named = [(each["type"], each["id"]) for each in (*steps, *answer["unassigned"])]
    wrong = [] if Counter(named) == Counter([*tasks]) else ["not every job is once in the answer"]
    wrong += (
        [] if len({route["vehicle"] for route in answer["routes"]}) == len(answer["routes"]) else ["a vehicle twice"]
    )
    for route in answer["routes"]:
        wrong += [
            f"vehicle {route['vehicle']}: {each}"
            for each in _route_faults(request, vehicles[route["vehicle"]], route, tasks)
        ]
    for name in ("cost", "duration", "waiting_time", "service", "setup", "priority"):
        if answer["summary"][name] != sum(route[name] for route in answer["routes"]):
            wrong.append(f"the routes' {name} is not that of the summary")
    return wrong


def _route_faults(request: Json, vehicle: Json, route: Json, tasks: dict[tuple[str, int], Json]) -> list[str]:
    table, speed = request["matrices"][vehicle.get("profile", "car")], vehicle.get("speed_factor", 1)
    first, *steps = route["steps"]
    done = [tasks[step["type"], step["id"]] for step in steps if "id" in step]
    places = {(step["type"], step["id"]): at for at, step in enumerate(steps) if "id" in step}
    wrong, opens, closes = [], *vehicle.get("time_window", [0, 1e9])
    here, moment, travel, way, cost = first["location_index"], first["arrival"], 0.0, 0, 0.0
    load = [sum(job.get("delivery", [0, 0])[at] for job in done) for at in range(len(vehicle.get("capacity", [])))]
    if first["location_index"] != vehicle.get("start_index", first["location_index"]) or moment < opens:
        wrong.append("begins elsewhere or too early")
    if len(done) > vehicle.get("max_tasks", len(done)):
        wrong.append("has too many tasks")
    for at, step in enumerate(steps):
        to = step["location_index"]
        job = tasks.get((step["type"], step.get("id")), {})
        if step["type"] == "delivery" and places.get(("pickup", step["id"]), at) >= at:
            wrong.append(f"delivers {step['id']} before its pickup")
        leg = table["durations"][here][to] / speed
        rates = {"per_hour": 3600, "per_km": 0} | vehicle.get("costs", {})
        length = table["distances"][here][to]
        cost += (
            table["costs"][here][to]
            if "costs" in table
            else leg * rates["per_hour"] / 3600 + length * rates["per_km"] / 1000
        )
        travel, way, moment = travel + leg, way + length, moment + leg
        if any(
            abs(a - b) > 2 for a, b in ((moment, step["arrival"]), (travel, step["duration"]), (way, step["distance"]))
        ):
            wrong.append(f"step {at}: {moment, travel, way} is not {step}")
        begins = step["arrival"] + step["waiting_time"]
        windows = job.get("time_windows", [[0, 1e9]])
        if not any(a - 1 <= begins <= b + 1 for a, b in windows):
            wrong.append(f"job {job['id']} begins at {begins}, outside {windows}")
        setup = job.get("setup", 0) if to != here or (at == 0 and "start_index" not in vehicle) else 0
        if job and (step["setup"], step["service"]) != (setup, job.get("service", 0)):
            wrong.append(f"job {job['id']} takes something else")
        if not {*job.get("skills", [])} <= {*vehicle.get("skills", [])}:
            wrong.append(f"has not the skills of {job['id']}")
        for dimension, most in enumerate(vehicle.get("capacity", [])):
            load[dimension] += job.get("pickup", [0, 0])[dimension] - job.get("delivery", [0, 0])[dimension]
            load[dimension] += {"pickup": 1, "delivery": -1}.get(step["type"], 0) * job.get("goods", [0, 0])[dimension]
            if max(load[dimension], first["load"][dimension]) > most or step["load"][dimension] != load[dimension]:
                wrong.append(f"carries {load} after step {at}")
        moment, here = begins + step["setup"] + step["service"], to
    if moment > closes + 1 or here != vehicle.get("end_index", here):
        wrong.append("ends elsewhere or too late")
    if travel > vehicle.get("max_travel_time", 1e9) + 1e-6 or way > vehicle.get("max_distance", 1e9):
        wrong.append("is too long")
    if abs(cost + vehicle.get("costs", {}).get("fixed", 0) - route["cost"]) > 1:
        wrong.append(f"costs {cost}, not {route['cost']}")
    return wrong
