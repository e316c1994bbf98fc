"""Solve a problem with another Python package: solve_with.py MODULE TABLES.npz CPU_SECONDS SEED ANSWER.

A program of its own, run by whichever interpreter has the package; it imports nothing of warptour. The tables are
integers, the depot is node 0. The answer is a .tour, or a .sol for vehicles. Lines ``best COST after SECONDS`` on
standard output tell its progress, where the package tells it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

Tables = dict[str, Any]


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


def by_pyvrp(tables: Tables, progress: CostPrinter, seed: int) -> list[list[int]]:
    import pyvrp

    distances, demands = tables["distances"], tables["demands"].tolist()
    durations = tables.get("durations", distances)
    services = tables["services"].tolist() if "services" in tables else [0] * len(demands)
    limit = {"shift_duration": int(tables["limit"])} if "limit" in tables else {}
    places = [pyvrp.Location(*map(int, place)) for place in tables["places"].tolist()]
    clients = [pyvrp.Client(node, [demands[node]], service_duration=services[node]) for node in range(1, len(demands))]
    number, capacity = int(tables["vehicles"]) or len(clients), int(tables["capacity"])
    fleet = pyvrp.VehicleType(number, [capacity], fixed_cost=int(tables["fixed_cost"]), **limit)
    data = pyvrp.ProblemData(places, clients, [pyvrp.Depot(0)], [fleet], [distances], [durations])
    found = pyvrp.solve(data, progress, seed=seed, collect_stats=False, display=False).best
    return [[1 + activity.idx for activity in route if activity.is_client()] for route in found.routes()]


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
    "pyvrp": by_pyvrp, "ortools": by_ortools, "fast_tsp": by_fast_tsp, "elkai": by_elkai, "hygese": by_hygese,
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
