"""The answer to a request in VROOM's JSON: ``code``, ``summary``, ``unassigned`` and ``routes`` with their steps.

Times, costs and lengths are walked once more along each route from what the file says, and rounded where they are
written.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from warptour.io.json_fields import Fields
from warptour.io.source import load_json
from warptour.io.vroom.problem import KILOMETRE, Planned
from warptour.io.vroom.request import Kind, Place, Request, RequestedBreak, RequestedJob, Vehicle
from warptour.model.clock import HOUR
from warptour.model.errors import InputError
from warptour.model.itinerary import itinerary
from warptour.model.metric import Nodes
from warptour.model.problem import TSP
from warptour.model.unserved import unserved
from warptour.model.vehicles import VRP, Routes

AMOUNTS: Final = ("cost", "setup", "service", "duration", "waiting_time", "priority", "distance")
"""Numbers of a route that the summary adds up."""
LOADS: Final = ("delivery", "pickup", "amount")
Thing: TypeAlias = RequestedJob | RequestedBreak


def chunks(problem: TSP | VRP, routes: Routes, cost: float) -> Iterable[bytes]:
    """Return the answer that routes are, as the contents of a file."""
    assert isinstance(problem, VRP)
    return [(json.dumps(answer(problem, routes), ensure_ascii=False) + "\n").encode("utf-8", "replace")]


def answer(problem: VRP, routes: Sequence[Nodes], seconds: float | None = None) -> dict[str, Any]:
    """Return the answer that routes are to the request of their problem; ``seconds`` is the time of the search."""
    planned, fleet = problem.request, problem.fleet
    assert isinstance(planned, Planned)
    assert fleet is not None
    request, first, numbers = planned.request, len(planned.depots), planned.vehicles(fleet)
    walks = []
    for trip in itinerary(problem, routes):
        vehicle = request.vehicles[numbers[trip.number - 1]]
        jobs = [request.jobs[node - first] for node in trip.nodes[trip.stops].tolist()]
        leaves = 0.0 if trip.times is None else float((trip.times.departures if trip.leaves else trip.times.starts)[0])
        breaks = () if trip.times is None else trip.times.breaks
        taken = [(rest.after, own) for rest, own in zip(breaks, vehicle.breaks, strict=False)]
        walks.append(_route(request, vehicle, jobs, leaves, taken))
    walks.sort(key=lambda route: [each.id for each in request.vehicles].index(route["vehicle"]))
    reasons = {each.node: each.text for each in unserved(problem, routes)}
    reasons |= {each.delivery: reasons[each.pickup] for each in problem.shipments if each.pickup in reasons}
    lost = [(request.jobs[node - first], text) for node, text in reasons.items()]
    summary: dict[str, Any] = {"cost": 0, "routes": len(walks), "unassigned": len(lost)}
    for name in LOADS if request.loads else ():
        summary[name] = [sum(route[name][at] for route in walks) for at in range(request.loads)]
    for name in AMOUNTS:
        if name != "distance" or request.distances is not None:
            summary[name] = sum(route[name] for route in walks)
    summary["violations"] = []
    if seconds is not None:
        summary["computing_times"] = {"loading": 0, "solving": round(1000 * seconds), "routing": 0}
    unassigned = [
        {"id": job.id, "type": job.kind, **job.place.members(), **_described(job), "reason": text} for job, text in lost
    ]
    return {"code": 0, "summary": summary, "unassigned": unassigned, "routes": walks}


def _route(
    request: Request,
    vehicle: Vehicle,
    jobs: Sequence[RequestedJob],
    leaves: float,
    breaks: Sequence[tuple[int, RequestedBreak]],
) -> dict[str, Any]:
    """Return a route with its steps; ``leaves`` is when it begins.

    Each break follows so many jobs; one before the vehicle leaves or after it is back is no step.
    """
    load = sum(_load(job.delivery if job.kind == "job" else (), request) for job in jobs)
    start, end = vehicle.start or jobs[0].place, vehicle.end or jobs[-1].place
    route: dict[str, Any] = {"setup": 0, "service": 0, "duration": 0.0, "waiting_time": 0.0, "priority": 0}
    steps: list[dict[str, Any]] = []
    moment, here, cost, way = leaves, start, 0.0, 0

    def step(kind: str, place: Place | None, wait: float = 0.0, setup: int = 0, thing: Thing | None = None) -> None:
        said: dict[str, Any] = {"type": kind, **({} if place is None else place.members())}
        said |= {} if thing is None else {"id": thing.id, **_described(thing)}
        said |= {"setup": setup, "service": 0 if thing is None else thing.service, "waiting_time": round(wait)}
        said |= {"job": thing.id} if isinstance(thing, RequestedJob) else {}
        said |= {"load": load.tolist()} if request.loads else {}
        said |= {"arrival": round(moment), "duration": round(route["duration"]), "violations": []}
        steps.append(said | ({} if request.distances is None or place is None else {"distance": way}))

    step("start", start)
    for served, job in enumerate((*jobs, None)):
        place = end if job is None else job.place
        ends = here.row, place.row
        durations, distances, _ = request.travel_of(vehicle)
        travel = durations[ends].item() / vehicle.speed
        length = 0 if distances is None else distances[ends].item()
        cost += _cost(request, vehicle, ends, travel, length)
        for own in (own for after, own in breaks if after == served):
            driven = min(travel, max(own.window[0] - moment, 0.0))
            moment, travel = moment + driven, travel - driven
            route["duration"] += driven
            wait = max(own.window[0] - moment, 0.0)
            step("break", None, wait, thing=own)
            route["waiting_time"] += wait
            route["service"] += own.service
            moment += wait + own.service
        moment, way = moment + travel, way + length
        route["duration"] += travel
        if job is None:
            step("end", end)
            break
        opens = next((begin for begin, close in sorted(job.windows) if moment <= close), -math.inf)
        wait = max(0.0, opens - moment)
        apart = (here.row != job.place.row) or (vehicle.start is None and job is jobs[0])
        setup = job.setup if apart else 0
        load = load - _load(job.delivery, request) + _load(job.pickup, request)
        step(job.kind, job.place, wait, setup, job)
        moment, here = moment + wait + setup + job.service, job.place
        for name, amount in (("setup", setup), ("service", job.service), ("waiting_time", wait)):
            route[name] += amount
        route["priority"] += job.priority
    totals = {"duration": round(route["duration"]), "waiting_time": round(route["waiting_time"])}
    return {
        "vehicle": vehicle.id, "cost": round(cost + vehicle.fixed), **_described(vehicle),
        **_carried(jobs, request), **route, **totals,
        **({} if request.distances is None else {"distance": way}), "steps": steps, "violations": [],
    }  # fmt: skip


def _carried(jobs: Sequence[RequestedJob], request: Request) -> dict[str, list[int]]:
    """Return what a route delivers and picks up, where there are loads."""
    if not request.loads:
        return {}
    given = ([job.delivery for job in jobs], [job.pickup for job in jobs])
    sums = [sum(_load(each, request) for each in loads) for loads in given]
    return {name: list(map(int, amounts)) for name, amounts in zip(LOADS, (*sums, sums[0]), strict=True)}


def _load(given: tuple[int, ...], request: Request) -> Any:
    return np.array(given or (0,) * request.loads, np.int64)


def _cost(request: Request, vehicle: Vehicle, ends: tuple[int, int], travel: float, length: int) -> float:
    """Return what a leg costs."""
    if (costs := request.travel_of(vehicle)[2]) is not None:
        return float(costs[ends])
    return travel * vehicle.per_hour / HOUR + length * vehicle.per_km / KILOMETRE


def _described(thing: Thing | Vehicle) -> dict[str, str]:
    return {"description": thing.description} if thing.description else {}


def sequences(path: str, problem: TSP | VRP) -> tuple[list[NDArray[Any]], Callable[[int], int | None], bool]:
    """Return the routes of an answer, VROOM's own, too; of vehicles that are alike, any may have a route.

    Raises :class:`InputError` with the place of a vehicle or job that the request does not have.
    """
    planned, fleet = problem.request, problem.fleet if isinstance(problem, VRP) else None
    if not isinstance(planned, Planned) or fleet is None:
        raise InputError("is an answer in VROOM's JSON by its suffix, and the problem is not in VROOM's JSON", path)
    whole = Fields.of(load_json(path), path)
    if "routes" not in whole.content:
        raise InputError("has no routes; an answer in VROOM's JSON has", path)
    first, routes = len(planned.depots), [np.empty(0, np.int32)] * len(fleet.kinds)
    nodes = {(job.kind, job.id): first + at for at, job in enumerate(planned.request.jobs)}
    kinds = {number: kind for kind, group in enumerate(planned.groups) for number in group}
    ids = {each.id: number for number, each in enumerate(planned.request.vehicles)}
    for each in whole.objects("routes"):
        number = ids.get(each.whole("vehicle"))
        if number is None:
            each.fail("vehicle", f"the request has no vehicle {each.whole('vehicle')}")
        stops = [step for step in each.objects("steps") if step.text("type") not in ("start", "end", "break")]
        free = [] if number not in kinds else _free(fleet.kinds, kinds[number], routes)
        if stops and not free:
            each.fail("vehicle", "there are more routes than vehicles like it")
        if stops:
            routes[free[0]] = np.array([_node(step, nodes) for step in stops], np.int32)
    return routes, lambda at: None, False


def _free(kinds: Nodes, kind: int, routes: Sequence[Nodes]) -> list[int]:
    """Return the vehicles of a type that have no route."""
    return [vehicle for vehicle in np.flatnonzero(kinds == kind).tolist() if len(routes[vehicle]) == 0]


def _node(step: Fields, nodes: Mapping[tuple[Kind, int], int]) -> int:
    """Return the node of a step."""
    kind = next((kind for kind in get_args(Kind) if kind == step.text("type")), None)
    if kind is None:
        step.fail("type", f"it is {step.text('type')!r}; a step is start, job, pickup, delivery or end")
    id = step.whole("id" if step.has("id") else "job")
    if (kind, id) not in nodes:
        step.fail("id", f"the request has no {kind} {id}")
    return nodes[kind, id]
