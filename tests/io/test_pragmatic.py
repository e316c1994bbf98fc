"""vrp-cli's pragmatic JSON: what is planned, and what is refused by its place."""

from __future__ import annotations

import copy
import json
import math
import warnings
from pathlib import Path
from typing import Any

import pytest

import warptour as wt
from warptour.io import read
from warptour.model.errors import InputError, InputWarning
from warptour.model.vehicles import VRP

DAY = "2026-05-04T{}:00Z"
HOME = {"lat": 52.50, "lng": 13.40}


def job(name: str, lat: float, lng: float, kind: str = "deliveries", **more: Any) -> dict[str, Any]:
    place = {"location": {"lat": lat, "lng": lng}, "duration": 300}
    return {"id": name, kind: [{"places": [place], "demand": [1]}], **more}


REQUEST: dict[str, Any] = {
    "plan": {"jobs": [job("a", 52.52, 13.41), job("b", 52.53, 13.45, "pickups"), job("c", 52.47, 13.36, "services")]},
    "fleet": {
        "vehicles": [
            {
                "typeId": "van", "vehicleIds": ["van_1", "van_2"], "profile": {"matrix": "car"}, "capacity": [2],
                "costs": {"fixed": 20, "distance": 0.002, "time": 0.005},
                "shifts": [{
                    "start": {"earliest": DAY.format("08:00"), "location": HOME},
                    "end": {"latest": DAY.format("17:00"), "location": HOME},
                }],
            }
        ],
        "profiles": [{"name": "car", "speed": 10}],
    },
}  # fmt: skip
del REQUEST["plan"]["jobs"][2]["services"][0]["demand"]


def planned(folder: Path, request: dict[str, Any], **options: Any) -> VRP:
    (folder / "a.json").write_text(json.dumps(request))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        problem = read(folder / "a.json", **options)
    assert isinstance(problem, VRP)
    return problem


def changed(**places: Any) -> dict[str, Any]:
    """Return the request with other members at places such as ``plan__jobs__0__value``."""
    request = copy.deepcopy(REQUEST)
    for place, value in places.items():
        at: Any = request
        *path, last = [int(part) if part.isdecimal() else part for part in place.split("__")]
        for part in path:
            at = at[part]
        at[last] = value
    return request


def test_a_plan_costs_what_its_vehicles_cost(tmp_path: Path) -> None:
    problem = planned(tmp_path, REQUEST)
    assert problem.labels == ("place 1", "a", "b", "c") and problem.warnings[0].endswith("makes them fewer")
    assert problem.demands.tolist() == [0, 1, 0, 0] and problem.all_pickups[:, 0].tolist() == [0, 0, 1, 0]
    result = wt.solve(problem, iterations=300, seed=1)
    assert result.feasible and not result.unserved
    drives = [trip for trip in result.trips if len(trip.nodes) > 2]
    costs = [20 + 0.002 * trip.length + 0.005 * (trip.length / 10 + 300 * (len(trip.nodes) - 2)) for trip in drives]
    assert result.cost == pytest.approx(sum(costs)) and len(drives) == 1
    assert drives[0].times is not None and drives[0].times.arrivals[0] >= 8 * 3600


def test_windows_skills_breaks_and_limits(tmp_path: Path) -> None:
    request = changed(plan__jobs__0__skills={"noneOf": ["crane"]}, plan__jobs__1__skills={"oneOf": ["crane", "ramp"]})
    place = request["plan"]["jobs"][0]["deliveries"][0]["places"][0]
    place["times"] = [["2026-05-05T09:00:00+02:00", "2026-05-05T10:00:00+02:00"]]
    truck = copy.deepcopy(request["fleet"]["vehicles"][0]) | {"typeId": "truck", "skills": ["crane"]}
    truck["limits"] = {"maxDistance": 30000, "maxDuration": 7200, "tourSize": 2}
    truck["profile"] = {"matrix": "car", "scale": 2}
    rest = {"time": [DAY.format("11:00"), DAY.format("12:00")], "places": [{"duration": 1800}]}
    truck["shifts"][0] = {**truck["shifts"][0], "breaks": [rest]}
    del truck["shifts"][0]["end"]
    request["fleet"]["vehicles"].append(truck)
    problem = planned(tmp_path, request)
    assert problem.fleet is not None and problem.windows is not None
    _, kind = problem.fleet.types
    assert (kind.max_distance, kind.max_duration, kind.max_stops, kind.speed, kind.end) == (30000, 7200, 2, 0.5, None)
    assert [(each.opens, each.closes, each.length) for each in kind.breaks] == [(39600, 43200, 1800)]
    assert problem.fleet.allowed is not None and problem.fleet.allowed[1:].tolist() == [
        [True, False], [False, True], [True, True],
    ]  # fmt: skip
    assert problem.windows.of_node(1) == [(31 * 3600, 32 * 3600)]
    place["times"].insert(0, [DAY.format("09:00"), DAY.format("10:00")])
    with pytest.raises(
        InputError, match=r"a.json: customer 2 \('a'\) has several windows, which do not go with breaks of drivers yet"
    ):
        planned(tmp_path, request)
    del truck["shifts"][0]["breaks"]
    problem = planned(tmp_path, request)
    assert problem.windows is not None and problem.windows.of_node(1)[0] == (32400, 36000)


def test_a_pickup_and_a_delivery_are_a_shipment_and_places_are_alternatives(tmp_path: Path) -> None:
    both = job("d", 52.51, 13.42, "pickups") | {"deliveries": job("d", 52.49, 13.38)["deliveries"]}
    either = job("e", 52.48, 13.43)
    either["deliveries"][0]["places"].append({"location": {"lat": 52.46, "lng": 13.5}, "duration": 60})
    problem = planned(tmp_path, changed(plan__jobs=[both, either]))
    assert problem.labels == ("place 1", "d (pickup)", "d (delivery)", "e", "e")
    assert [(each.pickup, each.delivery) for each in problem.shipments] == [(1, 2)]
    assert [each.nodes for each in problem.alternatives] == [(3, 4)]
    result = wt.solve(problem, iterations=300, seed=1)
    served = [node for route in result.routes or [] for node in route.tolist()]
    assert result.feasible and served.index(1) < served.index(2) and len({3, 4} & {*served}) == 1


def test_jobs_that_nobody_can_reach_in_time_are_left_out(tmp_path: Path) -> None:
    request = changed(fleet__vehicles__0__vehicleIds=["van_1"], fleet__vehicles__0__capacity=[1])
    request["plan"]["jobs"] = [job(str(k), 52.5 + 0.01 * k, 13.4) for k in range(1, 4)]
    result = wt.solve(planned(tmp_path, request), iterations=500, seed=1)
    assert result.feasible and len(result.unserved) == 2


def test_speeds_of_the_user_replace_those_of_the_file(tmp_path: Path) -> None:
    own, other = planned(tmp_path, REQUEST), planned(tmp_path, REQUEST, speed=72)
    assert math.isclose(float(own.durations([0], [1])[0]), 2 * float(other.durations([0], [1])[0]), rel_tol=1e-9)


@pytest.mark.parametrize(
    ("places", "fault"),
    [
        ({"plan__relations": [{"type": "strict"}]}, "plan.relations: orders of jobs that are given"),
        ({"plan__jobs__0__value": 3}, r"plan.jobs\[0\].value: "),
        ({"plan__jobs__0__replacements": [{}]}, r"plan.jobs\[0\].replacements: "),
        ({"plan__jobs__0__deliveries": []}, r"plan.jobs\[0\].deliveries: only jobs of one task"),
        ({"plan__jobs__0__deliveries__0__order": 1}, r"plan.jobs\[0\].deliveries\[0\].order: "),
        ({"plan__jobs__0__deliveries__0__demand": [1.5]}, r"plan.jobs\[0\].deliveries\[0\].demand\[0\]: it is 1.5"),
        (
            {"plan__jobs__0__deliveries__0__places__0__location": {"index": 3}},
            r"places\[0\].location: it must have lat",
        ),
        ({"plan__jobs__0__deliveries__0__places__0__location": {"lat": 91, "lng": 0}}, "91, 0 is no latitude"),
        ({"plan__jobs__0__deliveries__0__places__0__times": [["noon", "one"]]}, "it is 'noon', not a time such as"),
        ({"plan__jobs__0__skills": {"allOf": ["crane"]}}, r"plan.jobs\[0\].skills: no vehicle has them"),
        ({"plan__jobs": []}, "plan.jobs: there are none"),
        ({"fleet__vehicles": []}, "fleet.vehicles: there are none"),
        ({"fleet__vehicles__0__shifts": []}, r"fleet.vehicles\[0\].shifts: there are 0"),
        ({"fleet__vehicles__0__shifts__0__reloads": [{}]}, r"shifts\[0\].reloads: several trips"),
        ({"fleet__vehicles__0__shifts__0__start__latest": DAY.format("09:00")}, "start.latest: a latest departure"),
        ({"fleet__vehicles__0__profile": {"matrix": "bike"}}, "profile.matrix: there is no profile 'bike'"),
        ({"fleet__vehicles__0__limits": {"areas": [1]}}, "limits.areas: areas"),
        ({"fleet__resources": [{}]}, "fleet.resources: "),
    ],
)
def test_what_cannot_be_planned_is_refused_by_its_place(tmp_path: Path, places: dict[str, Any], fault: str) -> None:
    (tmp_path / "a.json").write_text(json.dumps(changed(**places)))
    with pytest.raises(InputError, match=fault) as caught:
        read(tmp_path / "a.json")
    assert str(caught.value).startswith(str(tmp_path / "a.json"))


def test_members_that_are_not_known_are_named(tmp_path: Path) -> None:
    request = changed(plan__clustering={}, plan__jobs__0__colour="red")
    assert "plan.clustering, plan.jobs[0].colour are not used" in planned(tmp_path, request).warnings[0]
