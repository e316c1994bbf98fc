"""Tour quality: gap at given time limits, compared with solvers installable by pip, in the same run.

    python benchmarks/quality.py [FILE or SPEC ...] [--seconds 1 10] [--seeds 3] [--threads N] [--devices auto]
                                 [--solvers windows ils fast-tsp elkai ortools] [--json]

A SPEC is a generated instance such as `uniform:100000:1`; without any file three
are measured. Every figure is the median over the seeds of separate runs with that
time limit. Solvers run one after the other, so that a loaded machine affects all
of them; the time in brackets is the actual run time. warptour uses `--threads`
threads, the peers one. Each cost is computed from the tour, by warptour's exact metric.

The gap is in percent to the best known cost (a `best.csv` beside the file), for
`uniform` instances to the estimate 0.7124 sqrt(n A) (1 + 0.33 / n), which lies
a little below the optimum of large ones, and else to the best tour of this run
(marked with a star). A peer that is not installed, or cannot handle the instance,
is skipped with a message; for fast-tsp, distances above its maximum of 65,535 are
scaled down. elkai has no time limit: it runs once and is shown with its run time.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

import warptour as wt
from warptour.io.generate import SIDE
from warptour.kernels.library import variant
from warptour.strategies.registry import STRATEGIES

DEFAULT_CASES = ("uniform:1000:1", "clustered:5000:1", "uniform:20000:1")
Tour = Sequence[int] | NDArray[np.int32]
Solver = Callable[[wt.TSP, float, int], Tour]


class Unable(Exception):
    """The reason why a solver cannot handle an instance."""


def table_of(problem: wt.TSP, largest: int, most: int = 2**30) -> np.ndarray:
    """Return all distances as integers of at most ``most``; others are scaled so that the maximum is ``most``."""
    if problem.n > largest:
        raise Unable(f"it needs a table of all distances, here for at most {largest:,} cities")
    if problem.open or len(problem.fixed_edges):
        raise Unable("it is given closed tours without fixed edges only")
    cities = np.arange(problem.n)
    rows = [problem.distances(cities[city : city + 1], cities).astype(np.float32) for city in range(problem.n)]
    greatest = max(float(row.max()) for row in rows)
    scale = 1.0 if problem.metric.integral and greatest <= most else most / max(greatest, 1e-9)
    return np.array([np.rint(scale * row).astype(np.int32) for row in rows])


def by_fast_tsp(problem: wt.TSP, seconds: float, seed: int) -> Sequence[int]:
    import fast_tsp

    return list(fast_tsp.find_tour(table_of(problem, 20_000, 65_535), duration_seconds=seconds))


def by_elkai(problem: wt.TSP, seconds: float, seed: int) -> Sequence[int]:
    import elkai

    return list(elkai.DistanceMatrix(table_of(problem, 2_000).tolist()).solve_tsp()[:-1])


def by_ortools(problem: wt.TSP, seconds: float, seed: int) -> Sequence[int]:
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    table = table_of(problem, 6_000)
    manager = pywrapcp.RoutingIndexManager(problem.n, 1, 0)
    routing = pywrapcp.RoutingModel(manager)
    routing.SetArcCostEvaluatorOfAllVehicles(routing.RegisterTransitMatrix(table.tolist()))
    options = pywrapcp.DefaultRoutingSearchParameters()
    options.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.PATH_CHEAPEST_ARC
    options.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    options.time_limit.FromMilliseconds(int(1000 * seconds))
    found = routing.SolveWithParameters(options)
    if found is None:
        raise Unable(f"it found no tour in {seconds:g} s")
    tour, at = [], routing.Start(0)
    while not routing.IsEnd(at):
        tour.append(manager.IndexToNode(at))
        at = found.Value(routing.NextVar(at))
    return tour


PEERS: dict[str, tuple[str, Solver]] = {
    "fast-tsp": ("fast_tsp", by_fast_tsp),
    "elkai": ("elkai", by_elkai),
    "ortools": ("ortools", by_ortools),
}


def ours(strategy: str, device: str, threads: int) -> Solver:
    def solve(problem: wt.TSP, seconds: float, seed: int) -> Tour:
        return wt.solve(problem, strategy, seconds=seconds, seed=seed, threads=threads, device=device).tour

    return solve


def solvers(names: Sequence[str], devices: Sequence[str], threads: int) -> dict[str, Solver]:
    """Return the requested solvers that are installed, by display name."""
    found: dict[str, Solver] = {}
    for name in names:
        if name in STRATEGIES:
            for device in devices:
                label = name if len(devices) == 1 else f"{name}@{device}"
                found[label] = ours(name, device, threads)
            continue
        module, solve = PEERS[name]
        try:
            __import__(module)
            found[name] = solve
        except ImportError:
            print(f"{name} is not installed and is left out: pip install {name}", file=sys.stderr)
    return found


def goal(case: str, problem: wt.TSP) -> tuple[float | None, str]:
    """Return the reference cost of gaps, and its description."""
    if problem.best_known:
        return problem.best_known, "best known"
    if case.startswith("uniform:") and not problem.open:
        return 0.7124 * SIDE * math.sqrt(problem.n) * (1 + 0.33 / problem.n), "estimate"
    return None, "best of this run"


def measure(problem: wt.TSP, solve: Solver, seconds: float, seed: int) -> dict[str, float]:
    """Return the exact cost of one run, and its wall-clock and CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    tour = np.asarray(solve(problem, seconds, seed), np.int32)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    report = problem.check(tour)
    if not report.feasible:
        raise Unable(f"what it gives is no tour: {report.violations[0]}")
    return {"cost": report.cost, "wall": wall, "cpu": cpu}


def measured(case: str, problem: wt.TSP, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return one row per solver and time limit."""
    rows: list[dict[str, Any]] = []
    for name, solve in options.found.items():
        for seconds in options.seconds[:1] if name == "elkai" else options.seconds:
            try:
                runs = [measure(problem, solve, seconds, seed) for seed in range(1, options.seeds + 1)]
            except Exception as reason:  # includes errors of the peers
                print(f"{problem.name}: {name} is left out: {reason}", file=sys.stderr)
                break
            row: dict[str, Any] = {"case": problem.name, "n": problem.n, "solver": name, "seconds": seconds}
            row |= {key: median(run[key] for run in runs) for key in ("cost", "wall", "cpu")}
            rows.append(row | {"threads": options.threads if name not in PEERS else 1})
    base, what = goal(case, problem)
    base = min((row["cost"] for row in rows), default=None) if base is None else base
    for row in rows:
        row |= {"gap": 100 * (row["cost"] / base - 1) if base else None, "gap_to": what}
    return rows


def show(rows: list[dict[str, Any]], times: Sequence[float]) -> None:
    """Print the rows of one instance: one line per solver, one column per time limit."""
    for name in dict.fromkeys(row["solver"] for row in rows):
        mine = {row["seconds"]: row for row in rows if row["solver"] == name}
        shown = []
        for seconds in times:
            row = mine.get(seconds)
            star = "*" if row and row["gap_to"] == "best of this run" else " "
            shown.append(f"{row['gap']:8.3f}{star}({row['wall']:5.1f} s)" if row else f"{'-':>18}")
        first = next(iter(mine.values()))
        print(f"{first['case']:20} {first['n']:>9,} {name:16} {first['threads']:>3} {' '.join(shown)}", flush=True)


def machine() -> dict[str, object]:
    """Return a description of the machine and the date."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), "version": wt.__version__, "library": variant(),
        "machine": f"{platform.system()} {platform.machine()}, {model}", "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None, "python": platform.python_version(),
    }  # fmt: skip


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", default=list(DEFAULT_CASES), metavar="FILE|SPEC")
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 10.0])
    parser.add_argument("--seeds", type=int, default=3, help="runs of each, of which the median is shown")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of warptour; peers use one")
    parser.add_argument("--devices", nargs="+", default=["auto"])
    parser.add_argument(
        "--solvers", nargs="+", default=["windows", *PEERS], choices=[*STRATEGIES, *PEERS], metavar="NAME"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.found = solvers(options.solvers, options.devices, options.threads)
    return options


def main() -> None:
    options = parse()
    about = machine()
    rows = []
    if not options.json:
        print(", ".join(f"{key} {value}" for key, value in about.items()))
        heads = " ".join(f"{f'gap % at {seconds:g} s':>18}" for seconds in options.seconds)
        print(f"{'case':20} {'n':>9} {'solver':16} thr {heads}   median of {options.seeds}; peers use one thread")
    for case in options.cases:
        try:
            problem = wt.read(case)
        except wt.WarptourError as error:
            print(f"{case} is left out: {error}", file=sys.stderr)
            continue
        if not isinstance(problem, wt.TSP):
            print(f"{case} is left out: it has vehicles; see quality_vrp.py", file=sys.stderr)
            continue
        found = measured(case, problem, options)
        rows += found
        if not options.json:
            show(found, options.seconds)
    if options.json:
        print(json.dumps(about | {"rows": rows}))


if __name__ == "__main__":
    main()
