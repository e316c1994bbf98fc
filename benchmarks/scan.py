"""2-opt moves a second on one core: the fast scan beside the exact one, which has two roots a move.

    python benchmarks/scan.py [--threads N] [--json]

Both are measured in the same run, on the same tours, in CPU seconds of this
process, so that the ratio holds on a busy machine. The last column is the fast
scan against 1.24e9 moves a second, a plain vectorised C loop with two float32
roots a move on one AVX-512 core at 2.5 GHz; it means something on such a core.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from warptour.engines.scan import exact_rows, fast_rows, move_count
from warptour.kernels.library import variant
from warptour.model.metric import METRICS
from warptour.model.problem import TSP

SIZES = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
PLAIN_LOOP = 1.24e9
LARGEST_EXACT = 20_000


def rate(scan, problem: TSP, tour: np.ndarray, threads: int, moves: float) -> float:
    """Return moves a CPU second over at least ``moves`` moves."""
    scan(problem, tour, threads)
    repeats = max(1, round(moves / move_count(problem.n)))
    began = time.process_time()
    for _ in range(repeats):
        scan(problem, tour, threads)
    return repeats * move_count(problem.n) / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    for metric in ("EUC_2D", "EUCLIDEAN"):
        for n in SIZES:
            rng = np.random.default_rng(n)
            problem = TSP("uniform", METRICS[metric], np.floor(rng.random((n, 2)) * 1e6))
            tour = rng.permutation(n).astype(np.int32)
            fast = rate(fast_rows, problem, tour, options.threads, 1e9)
            exact = rate(exact_rows, problem, tour, options.threads, 1e8) if n <= LARGEST_EXACT else None
            rows.append({"metric": metric, "n": n, "fast": fast, "exact": exact, "plain_loop": fast / PLAIN_LOOP})
    if options.json:
        print(json.dumps({"library": variant(), "threads": options.threads, "rows": rows}))
        return
    print(f"library {variant()}, {options.threads} threads, moves a CPU second")
    print(f"{'metric':10} {'n':>7} {'fast':>9} {'exact':>9} {'ratio':>6} {'to 1.24e9':>9}")
    for row in rows:
        exact = f"{row['exact']:9.2e} {row['fast'] / row['exact']:6.1f}" if row["exact"] else f"{'-':>9} {'-':>6}"
        print(f"{row['metric']:10} {row['n']:7} {row['fast']:9.2e} {exact} {row['plain_loop']:9.2f}")


if __name__ == "__main__":
    main()
