"""How often a small problem that ends by itself is not done: settled answers beside exact ones or those of longer runs.

    python benchmarks/settling.py [--problems 200] [--jobs 2] [--seed 1] [--of vehicles] [--longer 5]

Problems are drawn at random: vehicle routes of 10 to 40 customers, uniform or in clusters, over points or matrices with
and without the triangle inequality, with unit or varied demands, tight or loose capacity, limits on distance, duration
and vehicles, and fixed costs; tours (`--of tours`) of 10 to 200 cities over points and matrices. Each is solved on one
thread until it settles by the rule of `search/patience.py`, and again: exactly where that is possible, else by a run of
another seed that waits `--longer` times as long, from the start and from the settled answer. Problems that are solved
exactly by default are counted apart: there is nothing to settle.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import warptour as wt
from warptour.model.clock import HOUR
from warptour.search.patience import settled
from warptour.strategies.exact import is_tiny

ROUNDING = 1e-9
"""Relative difference in cost that counts as none."""

Floats = NDArray[np.float64]


class Outcome(NamedTuple):
    """One problem: its kinds, the settled cost above the best known, relative; how it ended; seconds of both."""

    kinds: tuple[str, ...]
    above: float
    ended: str
    seconds: float
    checking: float


def places(rng: np.random.Generator, n: int) -> tuple[str, Floats]:
    """Return points in a square of side 1000, uniform or in a few clusters."""
    if rng.random() < 0.5:
        return "uniform", 1000 * rng.random((n, 2))
    centres = 1000 * rng.random((int(rng.integers(2, 6)), 2))
    return "clustered", centres[rng.integers(len(centres), size=n)] + rng.normal(0, 40, (n, 2))


def lengths(points: Floats) -> Floats:
    """Return all straight distances."""
    between = points[:, None] - points
    straight: Floats = np.hypot(between[..., 0], between[..., 1])
    return straight


def roads(rng: np.random.Generator, points: Floats, kind: str) -> Floats:
    """Return a matrix: straight lines, detours of up to 80% (`roads`, the same both ways or not), or no geometry."""
    n = len(points)
    table = lengths(points) if kind != "random" else 1000 * rng.random((n, n))
    if kind != "straight":
        factor = rng.uniform(1, 1.8, (n, n))
        table = table * (np.maximum(factor, factor.T) if rng.random() < 0.5 else factor)
    return table


def grouped(rng: np.random.Generator, points: Floats, routes: int) -> list[NDArray[np.int64]]:
    """Return the customers by angle around the depot, in as many groups of almost the same size."""
    angles = np.arctan2(*(points[1:] - points[0]).T) + rng.uniform(0, 7)
    return np.array_split(1 + np.argsort(angles % (2 * math.pi)), routes)


def draw_vehicles(seed: int, number: int) -> tuple[tuple[str, ...], wt.VRP]:
    """Return the kinds of a random vehicle routing problem and itself; some routes keep all of its limits."""
    rng = np.random.default_rng([seed, number])
    n = 1 + int(rng.integers(10, 41))
    cluster, points = places(rng, n)
    kind = str(rng.choice(["points", "straight", "roads", "random"]))
    table = roads(rng, points, "straight" if kind == "points" else kind)
    large = rng.random() < 0.2
    unit = rng.random() < 0.3
    demands = np.ones(n, np.int64) if unit else rng.integers(30, 101, n) if large else rng.integers(1, 101, n)
    demands[0] = 0
    routes = int(rng.integers(2, max(3, n // 4)))
    groups = grouped(rng, points, routes)
    tight = rng.random() < 0.5
    fullest = max(int(demands[group].sum()) for group in groups)
    capacity = fullest if tight else int(fullest * rng.uniform(1.1, 2))
    options: dict[str, Any] = {}
    fixed = rng.random() < 0.3
    if fixed:
        options["fixed_cost"] = float(rng.integers(1, 1000))
    few = rng.random() < 0.4
    if few:
        options["vehicles"] = routes
    services = rng.integers(0, 60, n).astype(float) if rng.random() < 0.5 else np.zeros(n)
    services[0] = 0
    slack = rng.uniform(1, 1.3)
    limit = str(rng.choice(["none", "none", "distance", "duration", "both"]))
    if limit in ("distance", "both"):
        options |= {"max_distance": slack * longest(table, groups, services), "service_times": services}
    if limit in ("duration", "both"):
        times = roads(rng, points, str(rng.choice(["roads", "random"])))
        options |= {"durations": times, "service_minutes": services / 60}
        options["max_hours"] = slack * longest(times, groups, services) / HOUR
    build: Callable[..., wt.VRP] = wt.VRP.from_points if kind == "points" else wt.VRP.from_matrix
    problem = build(points if kind == "points" else table, demands=demands, capacity=capacity, **options)
    kinds = (
        f"{n - 1 - (n - 1) % 10} to {n + 8 - (n - 1) % 10} customers", cluster, kind,
        "unit demands" if unit else "large demands" if large else "varied demands",
        "tight capacity" if tight else "loose capacity",
        "no limit on routes" if limit == "none" else f"limit on {limit}",
        "vehicles limited" if few else "vehicles free", "fixed cost" if fixed else "no fixed cost",
    )  # fmt: skip
    return kinds, problem


def longest(table: Floats, groups: Iterable[NDArray[np.int64]], services: Floats) -> float:
    """Return the travel and services of the longest of these routes."""
    stops = [np.concatenate(([0], group, [0])) for group in groups]
    return max(float(table[route[:-1], route[1:]].sum() + services[route].sum()) for route in stops)


def draw_tour(seed: int, number: int) -> tuple[tuple[str, ...], wt.TSP]:
    """Return the kinds of a random TSP and itself."""
    rng = np.random.default_rng([seed, number, 1])
    n = int(10 * 20 ** rng.random())
    cluster, points = places(rng, n)
    kind = str(rng.choice(["points", "roads", "random"]))
    problem = wt.TSP.from_points(points) if kind == "points" else wt.TSP.from_matrix(roads(rng, points, kind))
    size = next(f"up to {most} cities" for most in (20, 50, 100, 200) if n <= most)
    return (size, cluster, kind, "asymmetric" if problem.asymmetric else "symmetric"), problem


def measure(task: tuple[str, int, int, float]) -> Outcome:
    """Solve one problem until it settles, and better."""
    of, seed, number, longer = task
    kinds, problem = (draw_tour if of == "tours" else draw_vehicles)(seed, number)
    began = time.perf_counter()
    try:
        result = wt.solve(problem, threads=1, seed=number)
    except wt.NothingFound:
        return Outcome(kinds, math.inf, "nothing found", time.perf_counter() - began, 0.0)
    took = time.perf_counter() - began
    if is_tiny(problem):
        return Outcome(kinds, 0.0, result.ended, took, 0.0)
    rule = settled(problem)
    assert rule is not None
    patient = wt.NoImprovement(longer * rule.seconds, int(longer * rule.iterations)) | wt.Seconds(60)
    again = wt.solve(problem, stop=patient, threads=1, seed=number + 1)
    solution = result.tour if isinstance(problem, wt.TSP) else result.routes
    further = wt.solve(problem, stop=patient, threads=1, seed=number + 2, start=solution)
    best = min(result.cost, again.cost, further.cost)
    above = result.cost / best - 1 if result.cost > best * (1 + ROUNDING) else 0.0
    return Outcome(kinds, above, result.ended, took, time.perf_counter() - began - took)


def main() -> None:
    """Print a line per kind of problem."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--problems", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--of", choices=["vehicles", "tours"], default="vehicles")
    parser.add_argument("--longer", type=float, default=5.0)
    options = parser.parse_args()
    tasks = [(options.of, options.seed, number, options.longer) for number in range(options.problems)]
    began = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        outcomes = []
        for task, outcome in zip(tasks, pool.imap(measure, tasks), strict=True):
            outcomes.append(outcome)
            if outcome.above:
                print(f"problem {task[2]}: {outcome.above:.4%} above, {', '.join(outcome.kinds)}", flush=True)
    rows: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        for kind in ("all", *outcome.kinds):
            rows[kind].append(outcome)
    head = f"{'kind':<24} {'problems':>8} {'exact':>6} {'settled':>8} {'worse':>6} {'rate':>7} {'mean above':>11}"
    print(head + f" {'seconds':>8} {'longest':>8}")
    for kind in sorted(rows, key=lambda kind: (kind != "all", kind)):
        some = rows[kind]
        searched = [each for each in some if each.ended != "optimal"]
        worse = [each.above for each in searched if each.above]
        rate = len(worse) / max(1, len(searched))
        print(
            f"{kind:<24} {len(some):>8} {len(some) - len(searched):>6} {len(searched):>8} {len(worse):>6} {rate:>7.2%} "
            f"{np.mean(worse) if worse else 0:>11.3%} {np.mean([each.seconds for each in some]):>8.2f} "
            f"{max(each.seconds for each in some):>8.2f}"
        )
    spent = sum(each.seconds + each.checking for each in outcomes)
    wall = time.perf_counter() - began
    print(f"{wall:.0f} s with {options.jobs} jobs; {spent / len(outcomes):.2f} s per problem, settling and checking")


if __name__ == "__main__":
    main()
