"""How often a small problem that ends by itself is not done: settled answers beside exact ones or those of longer runs.

    python benchmarks/settling.py [--problems 200] [--jobs 2] [--seed 1] [--of vehicles] [--longer 2]

Problems are drawn at random: vehicle routes of 10 to 40 customers, uniform or in clusters, over points or matrices with
and without the triangle inequality, with unit or varied demands, tight or loose capacity, limits on distance, duration
and vehicles, and fixed costs; tours (`--of tours`) of 10 to 200 cities over points and matrices. Each is solved on one
thread until it settles by the rule of `search/patience.py`, and again with another seed that may take `--longer` times
as long; the settled answer is worse if the other one is cheaper. There is nothing to settle where few customers are
solved exactly, where distances have so little geometry that a run has all of its time, and where a busy machine lacks
time: these are counted apart. `--of few` searches 10 to 12 customers all the same, and compares with the optimum.
Seconds are those of the processor.
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
from warptour.api.arguments import DEFAULT_SECONDS
from warptour.model.clock import HOUR
from warptour.routes.engine.subsets import MAX_LABELLED
from warptour.search.patience import Settled, settled

ROUNDING = 1e-9
"""Relative difference in cost that counts as none."""

Floats = NDArray[np.float64]


class Outcome(NamedTuple):
    """One problem: its kinds, how it was ended, the settled cost above the better one, relative, and seconds."""

    kinds: tuple[str, ...]
    ended: str
    above: float = 0.0
    seconds: float = 0.0
    checking: float = 0.0


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


def draw_vehicles(seed: int, number: int, most: int = 40) -> tuple[tuple[str, ...], wt.VRP]:
    """Return the kinds of a random problem of 10 to ``most`` customers and itself; some routes keep all its limits."""
    rng = np.random.default_rng([seed, number])
    n = 1 + int(rng.integers(10, most + 1))
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
    few = [MAX_LABELLED] if of == "few" else []
    kinds, problem = draw_tour(seed, number) if of == "tours" else draw_vehicles(seed, number, *few)
    rule = settled(problem)
    if rule is None:
        return Outcome(kinds, "all time")
    began = time.process_time()
    if few:
        result = wt.solve(problem, "routes", stop=rule | wt.Seconds(longer * DEFAULT_SECONDS), threads=1, seed=number)
    else:
        result = wt.solve(problem, threads=1, seed=number)
    took = time.process_time() - began
    if result.ended == "optimal":
        return Outcome(kinds, "exact", seconds=took)
    patient = Settled(longer * rule.seconds, int(longer * rule.iterations)) | wt.Seconds(longer * DEFAULT_SECONDS)
    again = wt.solve(problem, stop=None if few else patient, threads=1, seed=number + 1)
    above = result.cost / again.cost - 1 if result.cost > again.cost * (1 + ROUNDING) else 0.0
    return Outcome(kinds, result.ended, above, took, time.process_time() - began - took)


def main() -> None:
    """Print a line per kind of problem."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--problems", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--of", choices=["vehicles", "few", "tours"], default="vehicles")
    parser.add_argument("--longer", type=float, default=2.0)
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
    print(
        f"{'kind':<22} {'all time':>8} {'exact':>6} {'time':>6} {'settled':>8} {'worse':>6} {'rate':>7} {'mean':>7} "
        f"{'most':>7} {'seconds':>8} {'longest':>8}"
    )
    for kind in sorted(rows, key=lambda kind: (kind != "all", kind)):
        of = {word: [each for each in rows[kind] if each.ended == word] for word in ("all time", "exact", "time")}
        done = [each for each in rows[kind] if each.ended == "patience"]
        worse = [each.above for each in done if each.above] or [0.0]
        took = [each.seconds for each in done] or [0.0]
        count = sum(each.above > 0 for each in done)
        print(
            f"{kind:<22} {len(of['all time']):>8} {len(of['exact']):>6} {len(of['time']):>6} {len(done):>8} {count:>6} "
            f"{count / max(1, len(done)):>7.2%} {np.mean(worse):>7.2%} {max(worse):>7.2%} {np.mean(took):>8.2f} "
            f"{max(took):>8.2f}"
        )
    spent = sum(each.seconds + each.checking for each in outcomes)
    wall = time.perf_counter() - began
    print(f"{wall:.0f} s with {options.jobs} jobs; {spent / len(outcomes):.2f} s per problem, settling and checking")


if __name__ == "__main__":
    main()
