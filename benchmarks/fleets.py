"""Fleets, optional customers, trips and backhauls beside PyVRP: `python benchmarks/fleets.py --data FOLDER --peer`.

The folder has a folder for each kind of problem, with instances in PyVRP's dialect of VRPLIB and `best.csv`. Each
instance runs with two threads for `--seconds`; with `--peer`, PyVRP has one core for twice as many. Prints each gap as
it comes, then a table of mean gaps in percent above the best known costs.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROUNDINGS = {
    "hfvrp": "exact", "mdvrptw": "exact", "sdvrptw": "exact", "pcvrptw": "dimacs", "mtvrptwr": "dimacs",
    "gvrp": "nearest", "vrpb": "nearest",
}  # fmt: skip
"""How distances and other quantities of each kind are rounded; PyVRP calls the last `round`."""

OURS = """
import sys, warptour
path, rounding, seconds, seed = sys.argv[1:]
problem = warptour.read(path, rounding=rounding)
result = warptour.solve(problem, seconds=float(seconds), seed=int(seed), threads=2)
assert problem.check(result.routes).feasible
print(result.cost)
"""

THEIRS = """
import sys, pyvrp
from pyvrp.stop import MaxRuntime
path, rounding, seconds, seed = sys.argv[1:]
data = pyvrp.read(path, round_func={"nearest": "round"}.get(rounding, rounding))
result = pyvrp.solve(data, stop=MaxRuntime(2 * float(seconds)), seed=int(seed), display=False)
print(result.cost() if result.is_feasible() else "inf")
"""


def cost(program: str, path: Path, rounding: str, seconds: float, seed: int) -> float:
    """Return the cost that a program finds, infinite if it finds none."""
    arguments = [sys.executable, "-c", program, str(path), rounding, str(seconds), str(seed)]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60 + 4 * seconds)
    if done.returncode:
        print(f"{path.name}: {(done.stderr.splitlines() or ['failed'])[-1]}", file=sys.stderr)
        return float("inf")
    return float(done.stdout.split()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--kinds", nargs="*", default=list(ROUNDINGS))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--at-once", type=int, default=1, help="runs of two threads side by side")
    parser.add_argument("--peer", action="store_true", help="run PyVRP, too")
    options = parser.parse_args()
    best: dict[tuple[str, str], float] = {}
    runs: list[tuple[str, Path, int]] = []
    for kind in options.kinds:
        with (options.data / kind / "best.csv").open() as rows:
            best |= {(kind, row["name"]): float(row["cost"]) for row in csv.DictReader(rows)}
        for path in sorted((options.data / kind).glob("*.vrp")):
            runs += [(kind, path, seed) for seed in range(1, options.seeds + 1)]
    gaps: dict[tuple[str, str, int], list[float]] = defaultdict(list)
    for which, program in enumerate([OURS, THEIRS][: 1 + options.peer]):
        with ThreadPoolExecutor(options.at_once * (1 + which)) as pool:
            made = [
                pool.submit(cost, program, path, ROUNDINGS[kind], options.seconds, seed) for kind, path, seed in runs
            ]
            for (kind, path, seed), run in zip(runs, made, strict=True):
                gap = 100 * (run.result() / best[kind, path.stem] - 1)
                gaps[kind, path.stem, which].append(gap)
                print(kind, path.stem, ["warptour", "PyVRP"][which], seed, f"{gap:.3f}", file=sys.stderr, flush=True)
    print("| kind | instance | " + " | ".join(["warptour", "PyVRP"][: 1 + options.peer]) + " |")
    for kind in options.kinds:
        names = sorted({name for k, name, _ in gaps if k == kind})
        means = [[sum(gaps[kind, name, w]) / options.seeds for name in names] for w in range(1 + options.peer)]
        for at, name in enumerate(names):
            print(f"| {kind} | {name} | " + " | ".join(f"{mean[at]:.2f}" for mean in means) + " |")
        print(f"| {kind} | mean of {len(names)} | " + " | ".join(f"{sum(m) / len(m):.2f}" for m in means) + " |")


if __name__ == "__main__":
    main()
