"""Solve a problem with another Python package: solve_with.py MODULE TABLES.npz CPU_SECONDS SEED ANSWER.

A program of its own, run by whichever interpreter has the package; it imports nothing of warptour. The tables are
integers, the depot is node 0. The answer is a .tour, or a .sol for vehicles. Lines ``best COST after SECONDS`` on
standard output tell its progress, where the package tells it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Any

import numpy as np

Tables = dict[str, Any]

FORBIDDEN = 1 << 44
"""Length of a leg that no route may have, as in PyVRP's own reader."""
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


def times_of(tables: Tables) -> tuple[Any, list[int], list[int]]:
    """Return durations, services and the hours of vehicles: those of open routes have no end."""
    if "durations" not in tables:
        return tables["distances"], [0] * len(tables["demands"]), [0, 2**31]
    begins, ends = tables["shift"].tolist()
    ends = int(tables["horizon"]) if tables["open"] else ends
    return tables["durations"], tables["services"].tolist(), [begins, ends]


def in_order(tables: Tables) -> Any:
    """Return the distances, where legs that break the order of deliveries and pickups are longer than any route."""
    rule = str(tables.get("backhauls", ""))
    if not rule:
        return tables["distances"]
    delivers, picks_up = tables["demands"] > 0, tables["pickups"] > 0
    distances = tables["distances"].copy()
    distances[np.ix_(picks_up, delivers)] = FORBIDDEN
    if rule == "after-deliveries":
        distances[0, picks_up & ~delivers] = FORBIDDEN
    np.fill_diagonal(distances, 0)
    return distances


def by_pyvrp(tables: Tables, progress: CostPrinter, seed: int) -> list[list[int]]:
    """Solve with PyVRP; a client of a group for each of several windows or alternatives, of which one is visited."""
    import pyvrp

    demands, (durations, services, hours) = tables["demands"].tolist(), times_of(tables)
    # Prices are integers: their ratio is that of small ones.
    price = Fraction(float(tables.get("per_time", 0))).limit_denominator(1000)
    none = [0] * len(demands)
    pickups = tables["pickups"].tolist() if "pickups" in tables else none
    releases = tables["releases"].tolist() if "releases" in tables else none
    prizes = tables["prizes"].tolist() if "prizes" in tables else [-1 for _ in none]
    alternatives = tables["groups"].tolist() if "groups" in tables else [-1 for _ in none]
    needed = tables["needed"].tolist() if "needed" in tables else []
    clients: list[Any] = []
    members: list[list[int]] = [[] for _ in needed]
    for node, spans in enumerate(spans_of(tables)[1:], 1):
        group = alternatives[node]
        if group < 0 and len(spans) > 1:
            group = len(members)
            members.append([])
            needed.append(prizes[node] < 0)
        if group >= 0:
            members[group] += range(len(clients), len(clients) + len(spans))
        clients += [
            pyvrp.Client(
                node, [demands[node]], [pickups[node]], service_duration=services[node], tw_early=opens, tw_late=closes,
                release_time=releases[node], prize=price.denominator * max(0, prizes[node]),
                required=group < 0 and prizes[node] < 0, group=None if group < 0 else group,
            )
            for opens, closes in spans
        ]  # fmt: skip
    groups = [pyvrp.ClientGroup(each, must) for each, must in zip(members, needed, strict=True)]
    limits = {"shift_duration": int(tables["limit"])} if "limit" in tables else {}
    if "shift" in tables:
        limits |= {"tw_early": hours[0], "tw_late": hours[1], "start_late": int(tables["shift"][1])}
    unit = price.denominator
    fleet = pyvrp.VehicleType(
        int(tables["vehicles"]) or len(demands) - 1, [int(tables["capacity"])],
        fixed_cost=unit * int(tables["fixed_cost"]), unit_distance_cost=unit,
        unit_duration_cost=price.numerator, **limits,
    )  # fmt: skip
    places = [pyvrp.Location(*map(int, place)) for place in tables["places"].tolist()]
    data = pyvrp.ProblemData(places, clients, [pyvrp.Depot(0)], [fleet], [in_order(tables)], [durations], groups)

    def told(cost: int) -> bool:
        return progress(cost / unit if cost < 2**62 else cost)

    found = pyvrp.solve(data, told, seed=seed, collect_stats=False, display=False).best
    return [[clients[activity.idx].location for activity in route if activity.is_client()] for route in found.routes()]


def by_vroom(tables: Tables, progress: CostPrinter, seed: int) -> list[list[int]]:
    """Solve with VROOM on one thread, at one level of exploration after the other while time is left."""
    import vroom

    demands, (durations, services, hours) = tables["demands"].tolist(), times_of(tables)
    pickups = tables["pickups"].tolist() if "pickups" in tables else []
    found: Any = None
    best = sys.maxsize, 0
    task = vroom.Input()
    task.set_durations_matrix("car", durations)
    task.set_costs_matrix("car", tables["distances"])
    for node, spans in enumerate(spans_of(tables)[1:], 1):
        windows = [vroom.TimeWindow(*span) for span in spans]
        pickup = [pickups[node]] if pickups else []
        task.add_job(vroom.Job(node, node, 0, services[node], [demands[node]], pickup, time_windows=windows))
    begins, ends = hours
    if "limit" in tables:  # without windows nobody waits
        ends = min(ends, begins + int(tables["limit"]))
    for vehicle in range(int(tables["vehicles"]) or len(demands) - 1):
        task.add_vehicle(
            vroom.Vehicle(
                vehicle, start=0, end=0, capacity=[int(tables["capacity"])],
                time_window=vroom.TimeWindow(begins, ends), costs=vroom.VehicleCosts(fixed=int(tables["fixed_cost"])),
            )
        )  # fmt: skip
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
    jobs = steps[steps["type"] == "job"]
    return [[int(node) for node in route] for _, route in jobs.groupby("vehicle_id")["id"]]


def by_ortools(tables: Tables, progress: CostPrinter, seed: int) -> list[list[int]]:
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    vehicles = "demands" in tables
    distances = tables["distances"]
    fleet = ortools_fleet(tables) if vehicles else 1
    manager = pywrapcp.RoutingIndexManager(len(distances), fleet, 0)
    routing = pywrapcp.RoutingModel(manager)
    routing.SetArcCostEvaluatorOfAllVehicles(routing.RegisterTransitMatrix(distances.tolist()))
    if vehicles:
        routing.SetFixedCostOfAllVehicles(int(tables["fixed_cost"]))
        loads = routing.RegisterUnaryTransitVector(tables["demands"].tolist())
        routing.AddDimension(loads, 0, int(tables["capacity"]), True, "load")
    if "limit" in tables:
        spent = routing.RegisterTransitMatrix((tables["durations"] + tables["services"][:, None]).tolist())
        routing.AddDimension(spent, 0, int(tables["limit"]), True, "time")
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
    return routes


def ortools_fleet(tables: Tables) -> int:
    """Return the number of vehicles, by default a third more than the demands need: each costs OR-Tools time."""
    customers = len(tables["demands"]) - 1
    enough = 2 + int(1.33 * tables["demands"].sum() / tables["capacity"])
    return int(tables["vehicles"]) or min(customers, enough * (2 if "limit" in tables else 1))


def by_fast_tsp(tables: Tables, progress: CostPrinter, seed: int) -> list[list[int]]:
    import fast_tsp

    left = max(0.1, progress.seconds - time.process_time())
    return [list(fast_tsp.find_tour(tables["distances"], duration_seconds=left))]


def by_elkai(tables: Tables, progress: CostPrinter, seed: int) -> list[list[int]]:
    import elkai

    return [list(elkai.DistanceMatrix(tables["distances"].tolist()).solve_tsp()[:-1])]


def by_hygese(tables: Tables, progress: CostPrinter, seed: int) -> list[list[int]]:
    import hygese

    scale = float(tables["scale"])
    x, y = (tables["places"] - tables["places"].min(axis=0)).T
    data = {
        "x_coordinates": x, "y_coordinates": y, "distance_matrix": tables["distances"] / scale,
        "demands": tables["demands"], "vehicle_capacity": int(tables["capacity"]),
    }  # fmt: skip
    if tables["vehicles"]:
        data["num_vehicles"] = int(tables["vehicles"])
    if "limit" in tables:
        data |= {
            "distance_matrix": tables["durations"] / scale, "service_times": tables["services"] / scale,
            "duration_limit": float(tables["limit"]) / scale,
        }  # fmt: skip
    left = max(0.1, progress.seconds - time.process_time())
    parameters = hygese.AlgorithmParameters(timeLimit=left, seed=seed)
    return list(hygese.Solver(parameters=parameters, verbose=False).solve_cvrp(data).routes)


SOLVERS = {
    "pyvrp": by_pyvrp, "vroom": by_vroom, "ortools": by_ortools, "fast_tsp": by_fast_tsp, "elkai": by_elkai,
    "hygese": by_hygese,
}  # fmt: skip


def main(words: Sequence[str]) -> None:
    module, source, seconds, seed, answer = words
    with np.load(source) as file:
        tables = {name: file[name] for name in file.files}
    routes = SOLVERS[module](tables, CostPrinter(float(seconds)), int(seed))
    with open(answer, "w", encoding="utf-8") as output:
        if "demands" in tables:
            used = [route for route in routes if len(route)]
            output.writelines(f"Route #{k}: {' '.join(map(str, route))}\n" for k, route in enumerate(used, 1))
        else:
            cities = "\n".join(str(city + 1) for city in routes[0])
            output.write(f"TYPE : TOUR\nTOUR_SECTION\n{cities}\n-1\n")


if __name__ == "__main__":
    main(sys.argv[1:])
