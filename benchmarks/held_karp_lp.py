"""How close `warptour bound` comes to Held and Karp's bound, whose exact value a linear program gives.

    python benchmarks/held_karp_lp.py [FILE or SPEC ...] [--seconds 10] [--threads N]

Closed tours without fixed edges, up to a few thousand cities: 1,000 take seconds, 3,000 minutes. Needs SciPy, whose
HiGHS solves the program (`tests/subtour_lp.py`).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import warptour as wt
from warptour.bound import prove_bound

DEFAULT_CASES = ("uniform:1000:1", "clustered:1000:1")


def main() -> None:
    """Print, for each instance, the exact value, the bound of the ascent, and their ratio."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from subtour_lp import held_karp

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("instances", nargs="*", default=DEFAULT_CASES)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    print(f"{'instance':<16} {'LP':>16} {'s':>6} {'ascent':>14} {'s':>6} {'ascent / LP':>12} {'LP / best':>10}")
    for name in options.instances:
        problem = wt.read(name)
        assert isinstance(problem, wt.TSP)
        began = time.perf_counter()
        exact = held_karp(problem)
        seconds = time.perf_counter() - began
        bound = prove_bound(problem, options.seconds, options.threads)
        best = f"{exact / problem.best_known:.4%}" if problem.best_known else "-"
        print(
            f"{problem.name:<16} {exact:>16,.2f} {seconds:>6.1f} {bound.lower_bound:>14,} {bound.seconds:>6.1f}"
            f" {bound.lower_bound / exact:>12.5%} {best:>10}",
            flush=True,
        )


if __name__ == "__main__":
    main()
