"""Vehicles over the asymmetric matrices of synthetic road networks, compared with PyVRP in the same run.

    python benchmarks/road_vehicles.py [--customers 100 200 400 700 1000] [--seconds 10] [--seeds 1] [--threads 2]
                                       [--hours 8]

Streets join each crossing with its nearest ones; each direction has its own detour
and its own speed, and one street in five is one-way. Stops are crossings, distances
(metres) and durations (seconds) are those of shortest ways. With `--hours`, routes
have that limit on driving and 5 minutes per stop. Times are CPU seconds: warptour
has `--seconds` on each of its threads, and PyVRP, which has one, as many in all.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import warptour as wt
from warptour.compare.ours import CpuSeconds
from warptour.model.clock import Clock
from warptour.model.metric import METRICS

STREETS = 5
"""Nearest crossings that a crossing has streets to."""

SERVICE = 300
"""Seconds at each stop, if durations are limited."""


def road_network(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return integral shortest distances and durations between ``n`` crossings in a square of 40 km."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 40_000, (n, 2))
    lines = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    streets = np.zeros((n, n), bool)
    nearest = np.argsort(lines, axis=1)[:, 1 : STREETS + 1]
    streets[np.repeat(np.arange(n), STREETS), nearest.ravel()] = True
    streets |= streets.T
    for axis in (0, 1):  # so that all crossings are connected
        order = np.argsort(points[:, axis])
        streets[order[:-1], order[1:]] = streets[order[1:], order[:-1]] = True
    one_way = np.triu(rng.random((n, n)) < 0.2) & streets
    flipped = rng.random((n, n)) < 0.5
    lengths = lines * rng.uniform(1.0, 1.4, (n, n))
    closed = (one_way & flipped) | (one_way & ~flipped).T
    lengths[closed] *= 4  # round the block
    speeds = rng.choice([8.0, 14.0, 25.0], (n, n)) * rng.uniform(0.8, 1.2, (n, n))
    distances, durations = (
        np.rint(shortest(np.where(streets, table, np.inf))).astype(np.int64) for table in (lengths, lengths / speeds)
    )
    return distances, durations


def shortest(table: np.ndarray) -> np.ndarray:
    """Return all shortest paths (Floyd-Warshall)."""
    paths = table.copy()
    np.fill_diagonal(paths, 0.0)
    for k in range(len(paths)):
        np.minimum(paths, paths[:, k, None] + paths[k], out=paths)
    return paths


def road_problem(customers: int, seed: int, hours: float | None) -> wt.VRP:
    distances, durations = road_network(customers + 1, seed)
    rng = np.random.default_rng([seed, 1])
    demands = rng.integers(1, 101, customers + 1)
    demands[0] = 0
    options: dict[str, Any] = {}
    if hours is not None:
        options = {"clock": Clock(np.array([SERVICE]), durations=durations), "max_duration": 3600 * hours}
    capacity = int(demands.sum() * rng.uniform(10, 20) / customers)
    return wt.VRP(
        f"road-{customers}-{seed}", METRICS["EXPLICIT"], distances, demands=demands, capacity=capacity, **options
    )


def pyvrp_cost(problem: wt.VRP, seconds: float, seed: int) -> float:
    """Return PyVRP's best cost after ``seconds`` of CPU time; it is given the problem's own integers."""
    import pyvrp

    durations = np.zeros(problem.points.shape, np.int64)
    service, shift = 0, {}
    if problem.clock is not None and problem.clock.durations is not None and problem.max_duration is not None:
        durations, service = problem.clock.durations.astype(np.int64), SERVICE
        shift = {"shift_duration": int(problem.max_duration)}
    data = pyvrp.ProblemData(
        locations=[pyvrp.Location(0, 0) for _ in range(problem.n)],
        clients=[
            pyvrp.Client(node, [int(problem.demands[node])], service_duration=service) for node in problem.customers
        ],
        depots=[pyvrp.Depot(0)],
        vehicle_types=[pyvrp.VehicleType(problem.n - 1, [int(problem.capacity)], **shift)],
        distance_matrices=[problem.points.copy()],
        duration_matrices=[durations],
    )
    began = time.process_time()

    def stop(cost: float) -> bool:
        return time.process_time() - began >= seconds

    result = pyvrp.solve(data, stop=stop, seed=seed, collect_stats=False, display=False)
    routes = [
        np.array([stop.idx + 1 for stop in route if stop.is_client()], np.int32) for route in result.best.routes()
    ]
    report = problem.check(routes)
    assert report.feasible, report
    assert report.cost == result.cost()
    return float(report.cost)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--customers", type=int, nargs="+", default=[100, 200, 400, 700, 1000])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--alone", action="store_true", help="warptour only")
    arguments = parser.parse_args()
    seconds, threads = arguments.seconds, arguments.threads
    print("| instance | warptour | PyVRP |\n|---|---|---|")
    for customers in arguments.customers:
        problem = road_problem(customers, customers, arguments.hours)
        for seed in range(1, arguments.seeds + 1):
            result = wt.solve(problem, stop=CpuSeconds(seconds * threads, threads), seed=seed, threads=threads)
            report = problem.check(result.routes or [])
            assert report.feasible, report
            row = [float(report.cost)]
            if not arguments.alone:
                row.append(pyvrp_cost(problem, seconds * threads, seed))
            gaps = [
                f"{cost:.0f}" + (f" ({100 * (cost / row[0] - 1):+.2f}%)" if k else "") for k, cost in enumerate(row)
            ]
            print(f"| {problem.name} | " + " | ".join(gaps) + " |", flush=True)


if __name__ == "__main__":
    main()
