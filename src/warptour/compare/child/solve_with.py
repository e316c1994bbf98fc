"""Solve a problem with another Python package: solve_with.py MODULE TABLES.npz CPU_SECONDS SEED ANSWER.

A program of its own, run by whichever interpreter has the package; it imports nothing of warptour. The tables are
integers, depots are the first nodes. The answer is a .tour, or a .sol with the routes of each type of vehicles in turn.
Lines ``best COST after SECONDS`` on standard output tell its progress, where the package tells it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

Tables = dict[str, Any]

FORBIDDEN = 1 << 44
"""Length of a leg that no route may have, as in PyVRP's own reader."""
NONE = -1
"""In place of a limit or prize that there is none of."""
PRECISION = 1000
"""Largest denominator of a price."""
VROOM_COSTS = 1e9
"""Sum of costs that VROOM takes: it computes bounds in 32 bits."""
LEVELS = 6
"""Levels of exploration that VROOM has; a high one that its limit cuts short may be worse than a low one."""


class CostPrinter:
    """Prints each better cost with the CPU time, and says when the limit is reached."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.best = float("inf")

    def __call__(self, cost: float) -> bool:
        if 0 <= cost < min(self.best, 2**62):
            self.best = cost
            print(f"best {cost} after {time.process_time():.3f}", flush=True)
        return self.over()

    def over(self) -> bool:
        return time.process_time() >= self.seconds


def spans_of(tables: Tables) -> list[list[list[int]]]:
    """Return the windows of each node, one without end where there are none."""
    spans: list[list[list[int]]] = [[] for _ in tables["demands"]]
    if "windows" not in tables:
        return [[[0, 2**31]] for _ in spans]
    for node, span in zip(tables["window_nodes"].tolist(), tables["windows"].tolist(), strict=True):
        spans[node].append(span)
    return spans


def times_of(tables: Tables) -> tuple[Any, list[int], int]:
    """Return durations by pace, services, and a time by which all ends."""
    if "durations" not in tables:
        return tables["distances"][None], [0] * len(tables["demands"]), 2**31
    return tables["durations"], tables["services"].tolist(), int(tables["horizon"])


def forbid(distances: Any, tables: Tables, kind: int) -> None:
    """Make legs longer than any route that a type may not drive: to whom it may not serve, and in a wrong order."""
    if "allowed" in tables:
        distances[:, np.flatnonzero(~tables["allowed"][:, kind])] = FORBIDDEN
    if rule := str(tables.get("backhauls", "")):
        delivers, picks_up = (tables[word].any(axis=1) for word in ("demands", "pickups"))
        distances[np.ix_(*map(np.flatnonzero, (picks_up, delivers)))] = FORBIDDEN
        if rule == "after-deliveries":
            distances[: int(tables["depots"]), np.flatnonzero(picks_up & ~delivers)] = FORBIDDEN
    np.fill_diagonal(distances, 0)


def with_nowhere(matrix: Any, tables: Tables) -> Any:
    """Return a matrix with a node behind the others, at no distance, if routes begin or end nowhere."""
    types = tables["types"]
    nowhere = max(types["start"].max(), types["end"].max()) == len(tables["demands"])
    return np.pad(matrix, (0, 1)) if nowhere else matrix


def priced_distances(tables: Tables, vehicles: Any) -> Any:
    """Return what legs cost vehicles of a type; their distances if those cost nothing."""
    return with_nowhere(np.rint((vehicles["per_distance"] or 1.0) * tables["distances"]).astype(np.int64), tables)


def profiles_of(tables: Tables) -> tuple[list[int], list[int]]:
    """Return the profile of each type, and of each profile a type that has it.

    Types of a profile have the same travel times and prices of distances, and may serve the same customers.
    """
    numbers: dict[Any, int] = {}
    allowed = tables.get("allowed", np.ones((1, len(tables["types"])), bool))
    keys = [(row["pace"], row["per_distance"], allowed[:, at].tobytes()) for at, row in enumerate(tables["types"])]
    profiles = [numbers.setdefault(key, len(numbers)) for key in keys]
    return profiles, [profiles.index(each) for each in range(len(numbers))]


def pyvrp_clients(tables: Tables, unit: int) -> tuple[list[Any], list[Any]]:
    """Return clients, one for each of several windows of a node, and groups of those of which one is visited."""
    import pyvrp

    demands, services, first = tables["demands"].tolist(), times_of(tables)[1], int(tables["depots"])
    none = [0] * len(demands)
    pickups = tables["pickups"].tolist() if "pickups" in tables else [[] for _ in none]
    releases = tables["releases"].tolist() if "releases" in tables else none
    prizes = tables["prizes"].tolist() if "prizes" in tables else [NONE for _ in none]
    alternatives = tables["groups"].tolist() if "groups" in tables else [NONE for _ in none]
    needed = tables["needed"].tolist() if "needed" in tables else []
    clients: list[Any] = []
    members: list[list[int]] = [[] for _ in needed]
    for node, spans in list(enumerate(spans_of(tables)))[first:]:
        group = alternatives[node]
        if group < 0 and len(spans) > 1:
            group = len(members)
            members.append([])
            needed.append(prizes[node] < 0)
        if group >= 0:
            members[group] += range(len(clients), len(clients) + len(spans))
        clients += [
            pyvrp.Client(
                node, demands[node], pickups[node], service_duration=services[node], tw_early=opens, tw_late=closes,
                release_time=releases[node], prize=unit * max(0, prizes[node]),
                required=group < 0 and prizes[node] < 0, group=None if group < 0 else group,
            )
            for opens, closes in spans
        ]  # fmt: skip
    return clients, [pyvrp.ClientGroup(each, must) for each, must in zip(members, needed, strict=True)]


def pyvrp_types(tables: Tables, unit: int, profiles: Sequence[int]) -> list[Any]:
    """Return the types of vehicles; those who may not serve everybody have limited distances, too."""
    import pyvrp

    types = []
    for at, (row, capacity) in enumerate(zip(tables["types"], tables["capacities"].tolist(), strict=True)):
        own = {name: row[name].item() for name in row.dtype.names}
        limits = {"tw_late": own["closes"], "shift_duration": own["longest"], "max_distance": own["max_distance"]}
        if own["max_distance"] != NONE:
            limits["max_distance"] = int(own["max_distance"] * (own["per_distance"] or 1.0))
        elif "allowed" in tables and not tables["allowed"][:, at].all():
            limits["max_distance"] = FORBIDDEN - 1
        per_time, per_overtime = (round(unit * own[f"per_{each}"]) for each in ("time", "overtime"))
        types.append(
            pyvrp.VehicleType(
                len(tables["demands"]) if own["count"] == NONE else own["count"], capacity, own["start"], own["end"],
                fixed_cost=unit * own["fixed"], tw_early=own["opens"], profile=profiles[at],
                unit_distance_cost=unit * (own["per_distance"] > 0), unit_duration_cost=per_time,
                max_overtime=own["overtime"], unit_overtime_cost=per_overtime,
                **{name: most for name, most in limits.items() if most != NONE},
            )
        )  # fmt: skip
    return types


def unit_of(types: Any) -> int:
    """Return by what costs are multiplied to have integers as prices of times, whose ratios are those of small ones."""
    prices = [price for name in ("per_time", "per_overtime") for price in types[name].tolist()]
    return min(lcm(*(Fraction(price).limit_denominator(PRECISION).denominator for price in prices)), PRECISION)


def by_pyvrp(tables: Tables, progress: CostPrinter, seed: int) -> list[list[list[int]]]:
    import pyvrp

    unit, first, types = unit_of(tables["types"]), int(tables["depots"]), tables["types"]
    paces = times_of(tables)[0]
    profiles, owners = profiles_of(tables)
    distances = [priced_distances(tables, types[at]) for at in owners]
    for at, own in zip(owners, distances, strict=True):
        forbid(own, tables, at)
    durations = [with_nowhere(paces[types[at]["pace"]], tables) for at in owners]
    clients, groups = pyvrp_clients(tables, unit)
    places = [pyvrp.Location(*map(int, place)) for place in tables["places"].tolist()]
    hours = [spans[0] for spans in spans_of(tables)[:first]]
    depots = [pyvrp.Depot(at, *span) for at, span in enumerate(hours)]
    if len(distances[0]) > len(places):
        places.append(places[0])
        depots.append(pyvrp.Depot(len(places) - 1))
        types["start"][types["start"] == len(places) - 1] = len(depots) - 1
        types["end"][types["end"] == len(places) - 1] = len(depots) - 1
    vehicles = pyvrp_types(tables, unit, profiles)
    data = pyvrp.ProblemData(places, clients, depots, vehicles, distances, durations, groups)

    def told(cost: int) -> bool:
        return progress(cost / unit if cost < 2**62 else cost)

    found = pyvrp.solve(data, told, seed=seed, collect_stats=False, display=False).best
    routes: list[list[list[int]]] = [[] for _ in types]
    for route in found.routes():
        visits = [clients[activity.idx].location for activity in route if activity.is_client()]
        routes[route.vehicle_type()].append(visits)
    return routes


def vroom_scale(tables: Tables, costs: Sequence[Any]) -> float:
    """Return by what costs are multiplied: so that vehicles for all, and ways through all nodes, are in its range."""
    counts = np.where(tables["types"]["count"] == NONE, len(tables["demands"]), tables["types"]["count"])
    most = float((counts * tables["types"]["fixed"]).sum()) + max(float(each.max(axis=1).sum()) for each in costs)
    return min(1.0, VROOM_COSTS / max(most, 1.0))


def vroom_task(tables: Tables) -> tuple[Any, list[int]]:
    """Return the problem, and the type of each vehicle; a price of distances is part of a profile's costs."""
    import vroom

    demands, (paces, services, horizon) = tables["demands"].tolist(), times_of(tables)
    pickups = tables["pickups"].tolist() if "pickups" in tables else [[] for _ in demands]
    types, n = tables["types"], len(demands)
    allowed = tables.get("allowed", np.ones((n, len(types)), bool))
    skills = {row.tobytes(): number for number, row in enumerate(np.unique(allowed, axis=0)) if not row.all()}
    profiles, owners = profiles_of(tables)
    task = vroom.Input()
    distances = with_nowhere(tables["distances"], tables)
    costs = [priced_distances(tables, types[at]) for at in owners]
    scale = vroom_scale(tables, costs)
    for profile, (at, priced) in enumerate(zip(owners, costs, strict=True)):
        task.set_durations_matrix(f"{profile}", with_nowhere(paces[types[at]["pace"]], tables))
        task.set_distances_matrix(f"{profile}", distances)
        task.set_costs_matrix(f"{profile}", np.rint(scale * priced).astype(np.int64) * (types[at]["per_distance"] > 0))
    for node, spans in list(enumerate(spans_of(tables)))[int(tables["depots"]) :]:
        windows = [vroom.TimeWindow(*span) for span in spans]
        needs = {skills[row] for row in [allowed[node].tobytes()] if row in skills}
        task.add_job(
            vroom.Job(node, node, 0, services[node], demands[node], pickups[node], skills=needs, time_windows=windows)
        )
    kinds: list[int] = []
    for at, own in enumerate(types):
        begins, ends = own["opens"].item(), horizon if own["closes"] == NONE else own["closes"].item()
        if own["longest"] != NONE:  # without windows nobody waits
            ends = min(ends, begins + own["longest"].item())
        has = {number for row, number in skills.items() if np.frombuffer(row, bool)[at]}
        limits = {} if own["max_distance"] == NONE else {"max_distance": own["max_distance"].item()}
        start, end = own["start"].item(), own["end"].item()
        for _ in range(n if own["count"] == NONE else min(own["count"].item(), n)):
            task.add_vehicle(
                vroom.Vehicle(
                    len(kinds), start, end, f"{profiles[at]}", tables["capacities"][at].tolist(), has,
                    vroom.TimeWindow(begins, ends), costs=vroom.VehicleCosts(round(scale * own["fixed"])), **limits,
                )
            )  # fmt: skip
            kinds.append(at)
    return task, kinds


def by_vroom(tables: Tables, progress: CostPrinter, seed: int) -> list[list[list[int]]]:
    """Solve with VROOM on one thread, at one level of exploration after the other while time is left."""
    task, kinds = vroom_task(tables)
    found: Any = None
    best = sys.maxsize, 0
    ends_at = time.monotonic() + progress.seconds - time.process_time()
    for level in range(LEVELS):
        left = ends_at - time.monotonic()
        if left <= 0 and found is not None:
            break
        answer = task.solve(exploration_level=level, nb_threads=1, timeout=timedelta(seconds=max(0.1, left)))
        rank = answer.summary.unassigned, answer.summary.cost
        if rank < best:
            best, found = rank, answer
            progress(rank[1])
    steps = found.routes
    routes: list[list[list[int]]] = [[] for _ in tables["types"]]
    for vehicle, jobs in steps[steps["type"] == "job"].groupby("vehicle_id")["id"]:
        routes[kinds[vehicle]].append([int(node) for node in jobs])
    return routes


def by_ortools(tables: Tables, progress: CostPrinter, seed: int) -> list[list[list[int]]]:
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    vehicles = "demands" in tables
    distances = tables["distances"]
    fleet = ortools_fleet(tables) if vehicles else 1
    manager = pywrapcp.RoutingIndexManager(len(distances), fleet, 0)
    routing = pywrapcp.RoutingModel(manager)
    routing.SetArcCostEvaluatorOfAllVehicles(routing.RegisterTransitMatrix(distances.tolist()))
    if vehicles:
        vehicle = tables["types"][0]
        routing.SetFixedCostOfAllVehicles(vehicle["fixed"].item())
        loads = routing.RegisterUnaryTransitVector(tables["demands"][:, 0].tolist())
        routing.AddDimension(loads, 0, int(tables["capacities"][0, 0]), True, "load")
        if vehicle["longest"] != NONE:
            spent = routing.RegisterTransitMatrix((tables["durations"][0] + tables["services"][:, None]).tolist())
            routing.AddDimension(spent, 0, vehicle["longest"].item(), True, "time")
    routing.AddAtSolutionCallback(lambda: progress(routing.CostVar().Max()))
    routing.AddSearchMonitor(routing.solver().CustomLimit(progress.over))
    options = pywrapcp.DefaultRoutingSearchParameters()
    first = routing_enums_pb2.FirstSolutionStrategy
    options.first_solution_strategy = first.SAVINGS if vehicles else first.PATH_CHEAPEST_ARC
    options.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    options.time_limit.FromMilliseconds(int(10_000 * progress.seconds))
    found = routing.SolveWithParameters(options)
    if found is None:
        raise SystemExit("found no solution")
    routes = []
    for vehicle in range(fleet):
        at, route = routing.Start(vehicle), []
        while not routing.IsEnd(at):
            route.append(manager.IndexToNode(at))
            at = found.Value(routing.NextVar(at))
        routes.append(route[1:] if vehicles else route)
    return [routes]


def ortools_fleet(tables: Tables) -> int:
    """Return the number of vehicles, by default a third more than the demands need: each costs OR-Tools time."""
    customers, vehicle = len(tables["demands"]) - 1, tables["types"][0]
    if vehicle["count"] != NONE:
        return int(vehicle["count"])
    enough = 2 + int(1.33 * tables["demands"].sum() / tables["capacities"][0, 0])
    return min(customers, enough * (1 if vehicle["longest"] == NONE else 2))


def by_fast_tsp(tables: Tables, progress: CostPrinter, seed: int) -> list[list[list[int]]]:
    import fast_tsp

    left = max(0.1, progress.seconds - time.process_time())
    return [[list(fast_tsp.find_tour(tables["distances"], duration_seconds=left))]]


def by_elkai(tables: Tables, progress: CostPrinter, seed: int) -> list[list[list[int]]]:
    import elkai

    return [[list(elkai.DistanceMatrix(tables["distances"].tolist()).solve_tsp()[:-1])]]


def by_hygese(tables: Tables, progress: CostPrinter, seed: int) -> list[list[list[int]]]:
    import hygese

    scale = float(tables["scale"])
    x, y = (tables["places"] - tables["places"].min(axis=0)).T
    data = {
        "x_coordinates": x, "y_coordinates": y, "distance_matrix": tables["distances"] / scale,
        "demands": tables["demands"][:, 0], "vehicle_capacity": int(tables["capacities"][0, 0]),
    }  # fmt: skip
    vehicle = tables["types"][0]
    if vehicle["count"] != NONE:
        data["num_vehicles"] = int(vehicle["count"])
    if vehicle["longest"] != NONE:
        data |= {
            "distance_matrix": tables["durations"][0] / scale, "service_times": tables["services"] / scale,
            "duration_limit": float(vehicle["longest"]) / scale,
        }  # fmt: skip
    left = max(0.1, progress.seconds - time.process_time())
    parameters = hygese.AlgorithmParameters(timeLimit=left, seed=seed)
    return [list(hygese.Solver(parameters=parameters, verbose=False).solve_cvrp(data).routes)]


SOLVERS = {
    "pyvrp": by_pyvrp, "vroom": by_vroom, "ortools": by_ortools, "fast_tsp": by_fast_tsp, "elkai": by_elkai,
    "hygese": by_hygese,
}  # fmt: skip


def by_vehicles(tables: Tables, routes: list[list[list[int]]]) -> list[list[int]]:
    """Return the routes of all vehicles in turn, empty ones included but for the last, by the names of customers."""
    depots, first = int(tables["depots"]), int(tables["first"])
    turn: list[list[int]] = []
    for own, count in zip(routes, tables["types"]["count"].tolist(), strict=True):
        used = [[node - depots + first for node in route] for route in own if len(route)]
        vehicles = len(tables["demands"]) - depots if count == NONE else count
        turn += used + [[]] * (vehicles - len(used))
    while turn and not turn[-1]:
        turn.pop()
    return turn


def answer_lines(tables: Tables, routes: list[list[list[int]]]) -> list[str]:
    """Return the lines of the answer."""
    if "demands" in tables:
        turn = enumerate(by_vehicles(tables, routes), 1)
        return [f"Route #{number}: {' '.join(map(str, route))}\n" for number, route in turn]
    return ["TYPE : TOUR\n", "TOUR_SECTION\n", *(f"{city + 1}\n" for city in routes[0][0]), "-1\n"]


def main(words: Sequence[str]) -> None:
    module, source, seconds, seed, answer = words
    with np.load(source) as file:
        tables = {name: file[name] for name in file.files}
    routes = SOLVERS[module](tables, CostPrinter(float(seconds)), int(seed))
    with open(answer, "w", encoding="utf-8") as output:
        output.writelines(answer_lines(tables, routes))


if __name__ == "__main__":
    main(sys.argv[1:])
