"""Vehicle routes: gap to the best known cost at given time limits, compared with PyVRP and OR-Tools in the same run.

    python benchmarks/quality_vrp.py FILE.vrp ... [--seconds 10 60] [--seeds 3] [--threads 2] [--best best.csv]
                                     [--peers pyvrp ortools] [--cpu] [--json]

Every solver gets the same instance, the same limits (a route limit with service
times included) and the same seconds, one run after the other, so that a loaded
machine affects all of them. Each cost is computed from the solution by warptour's
checker, and an infeasible solution is marked. `--best` is a table with the
columns name, best and rounding (`none` for instances with unrounded distances).
The peers use one thread; with `--cpu`, warptour's own time limit is in CPU
seconds divided by its threads, for shared machines. A peer that is not installed
is skipped with a message.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import warptour as wt
from warptour.observe.events import State

Routes = list[list[int]]

LARGEST_TABLE = 5000
"""Maximum nodes for which the peers' full distance matrices are built."""


class CpuSeconds(wt.Stop):
    """Stop after a number of CPU seconds per thread; for shared machines."""

    def __init__(self, seconds: float, threads: int) -> None:
        self.seconds, self.threads = seconds * threads, threads
        self.began = time.process_time()

    def reached(self, state: State) -> bool:
        return time.process_time() - self.began >= self.seconds

    def seconds_left(self, state: State) -> float:
        used = (time.process_time() - self.began) / self.seconds
        idle = (1 - used) * self.seconds / self.threads  # what is left if no other process runs
        return max(idle, state.seconds * (1 / max(used, 1e-6) - 1)) if used < 1 else 0.0


def ours(problem: wt.VRP, seconds: float, seed: int, threads: int, cpu: bool) -> Routes:
    stop = CpuSeconds(seconds, threads) if cpu else wt.Seconds(seconds)
    routes = wt.solve(problem, stop=stop, seed=seed, threads=threads).routes or []
    return [route.tolist() for route in routes]


def whole_numbers(problem: wt.VRP) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Return distances, demands, capacity and the distance scale, for solvers that accept integers only."""
    everywhere = np.arange(problem.n)
    scale = 1 if problem.metric.integral else 1000
    table = np.rint(scale * problem.distances(everywhere[:, None], everywhere[None, :])).astype(np.int64)
    weight = 1 if np.issubdtype(problem.demands.dtype, np.integer) else 1000
    demands = np.ceil(weight * problem.demands).astype(np.int64)
    return table, demands, int(weight * problem.capacity), scale


def by_pyvrp(problem: wt.VRP, seconds: float, seed: int) -> Routes:
    import pyvrp
    from pyvrp.stop import MaxRuntime

    table, demands, capacity, scale = whole_numbers(problem)
    services = np.rint(scale * problem.service_times).astype(np.int64)
    limit = {} if problem.max_distance is None else {"shift_duration": int(scale * problem.max_distance)}
    order = np.concatenate(([problem.depot], problem.customers))
    places = [pyvrp.Location(*map(int, problem.map[node])) if problem.map is not None else pyvrp.Location(0, 0)
              for node in order]  # fmt: skip
    table = table[np.ix_(order, order)]
    data = pyvrp.ProblemData(
        places,
        [pyvrp.Client(k, [int(demands[node])], service_duration=int(services[node]))
         for k, node in enumerate(order[1:].tolist(), 1)],
        [pyvrp.Depot(0)],
        [pyvrp.VehicleType(
            problem.vehicles or problem.n - 1, [capacity], fixed_cost=int(scale * problem.fixed_cost), **limit
        )],
        [table],
        [table],
    )  # fmt: skip
    found = pyvrp.solve(data, MaxRuntime(seconds), seed=seed, collect_stats=False, display=False).best
    return [[int(order[1 + activity.idx]) for activity in route if activity.is_client()] for route in found.routes()]


def by_ortools(problem: wt.VRP, seconds: float, seed: int) -> Routes:
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    table, demands, capacity, scale = whole_numbers(problem)
    services = np.rint(scale * problem.service_times).astype(np.int64)
    # A third more vehicles than the demands need; every vehicle costs OR-Tools time.
    fleet = problem.vehicles or min(problem.n - 1, 2 + int(1.33 * demands.sum() / capacity))
    if problem.vehicles is None and problem.max_distance is not None:
        fleet = min(problem.n - 1, 2 * fleet)
    manager = pywrapcp.RoutingIndexManager(problem.n, fleet, problem.depot)
    routing = pywrapcp.RoutingModel(manager)
    travel = routing.RegisterTransitMatrix(table.tolist())
    routing.SetArcCostEvaluatorOfAllVehicles(travel)
    routing.SetFixedCostOfAllVehicles(int(scale * problem.fixed_cost))
    routing.AddDimension(routing.RegisterUnaryTransitVector(demands.tolist()), 0, capacity, True, "load")
    if problem.max_distance is not None:
        timed = routing.RegisterTransitMatrix((table + services[:, None]).tolist())
        routing.AddDimension(timed, 0, int(scale * problem.max_distance), True, "time")
    options = pywrapcp.DefaultRoutingSearchParameters()
    options.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.SAVINGS
    options.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    options.time_limit.FromMilliseconds(int(1000 * seconds))
    found = routing.SolveWithParameters(options)
    routes: Routes = []
    for vehicle in range(fleet if found is not None else 0):
        at, route = found.Value(routing.NextVar(routing.Start(vehicle))), []
        while not routing.IsEnd(at):
            route.append(manager.IndexToNode(at))
            at = found.Value(routing.NextVar(at))
        if route:
            routes.append(route)
    return routes


PEERS: dict[str, Callable[[wt.VRP, float, int], Routes]] = {"pyvrp": by_pyvrp, "ortools": by_ortools}


def read_best(path: str | None) -> dict[str, tuple[float, str]]:
    if path is None:
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {row["name"]: (float(row["best"]), row.get("rounding", "")) for row in csv.DictReader(file)}


def load(path: str, best: dict[str, tuple[float, str]]) -> wt.VRP:
    problem = wt.read(path)
    if not isinstance(problem, wt.VRP):
        raise SystemExit(f"{path} has no vehicles")
    value, rounding = best.get(Path(path).stem, (problem.best_known, ""))
    if rounding == "none":
        problem = problem.rounded("none")
    return replace(problem, best_known=value)


def measure(problem: wt.VRP, solve: Callable[[float, int], Routes], seconds: float, seed: int) -> dict[str, Any]:
    """Return the cost, the gap in percent, the violations of the routes, and the run time in seconds."""
    began, cpu = time.perf_counter(), time.process_time()
    routes = solve(seconds, seed)
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    report = problem.check([np.asarray(route, np.int32) for route in routes])
    gap = 100 * (report.cost / problem.best_known - 1) if problem.best_known and report.feasible else None
    fault = None if report.feasible else report.violations[0]
    return {"cost": report.cost, "gap": gap, "routes": len(routes), "wall": wall, "cpu": cpu, "fault": fault}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--seconds", type=float, nargs="+", default=[10.0, 60.0])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--best", help="table of best known costs")
    parser.add_argument("--peers", nargs="*", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--cpu", action="store_true", help="warptour's limit in CPU seconds a thread")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    best = read_best(options.best)
    peers = []
    for name in options.peers:
        try:
            __import__(name)
            peers.append(name)
        except ImportError:
            print(f"{name} is not installed and is left out: pip install {name}", file=sys.stderr)
    rows = []
    for path in options.files:
        problem = load(path, best)
        solvers = {"warptour": lambda s, k, p=problem: ours(p, s, k, options.threads, options.cpu)}
        if problem.n <= LARGEST_TABLE:
            solvers |= {name: lambda s, k, f=PEERS[name], p=problem: f(p, s, k) for name in peers}
        elif peers:
            print(f"{problem.name}: the peers need a table of {problem.n:,} squared; left out", file=sys.stderr)
        for seconds in options.seconds:
            for name, solve in solvers.items():
                runs = [measure(problem, solve, seconds, seed) for seed in range(1, options.seeds + 1)]
                row = {
                    "case": problem.name, "customers": problem.n - 1, "solver": name, "seconds": seconds,
                    "threads": options.threads if name == "warptour" else 1,
                    "cost": median(run["cost"] for run in runs), "routes": runs[-1]["routes"],
                    "gap": None if any(run["gap"] is None for run in runs) else median(run["gap"] for run in runs),
                    "wall": median(run["wall"] for run in runs), "cpu": median(run["cpu"] for run in runs),
                    "fault": next((run["fault"] for run in runs if run["fault"]), None),
                }  # fmt: skip
                rows.append(row)
                if not options.json:
                    gap = f"{row['cost']:10.2f}" if row["gap"] is None else f"{row['gap']:9.3f}%"
                    gap = "         -" if row["fault"] else gap
                    spent = f"{row['wall']:6.1f} s wall {row['cpu']:6.1f} s CPU"
                    found = f"{gap}  {row['routes']:5d} routes  {spent}  {row['fault'] or ''}"
                    print(f"{row['case']:14} {name:9} {seconds:5g} s  {found}", flush=True)
    if options.json:
        print(json.dumps({"machine": platform.machine(), "cores": os.cpu_count(), "rows": rows}))


if __name__ == "__main__":
    main()
