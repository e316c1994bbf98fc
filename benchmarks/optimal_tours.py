"""CPU seconds until tours are proved optimal by branch and cut: ``python optimal_tours.py FILE... --seconds 60``.

The tour is that of three seconds of search; the limit is on the CPU time of the proof, on one thread.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from numpy.typing import NDArray

import warptour
from warptour.bound import Bound, prove_bound
from warptour.model.problem import TSP

SEARCH_SECONDS = 3


def main() -> None:
    """Print a line of a table for each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    for file in given.files:
        problem = warptour.read(file)
        assert isinstance(problem, TSP)
        result = warptour.solve(problem, seconds=SEARCH_SECONDS, threads=1, device="cpu", seed=1)
        began = time.process_time()
        found = _proved(problem, result.tour, began + given.seconds)
        gap = 100 * (result.cost - found.lower_bound) / result.cost
        proved = "yes" if found.tight else "no"
        took = time.process_time() - began
        print(
            f"| {problem.name} | {result.cost:,} | {found.lower_bound:,} | {gap:.3f} | {proved} | {took:.1f} |",
            flush=True,
        )


def _proved(problem: TSP, tour: NDArray[np.int32], end: float) -> Bound:
    return prove_bound(problem, 1e6, 1, over=lambda: time.process_time() > end, tour=lambda: tour)


if __name__ == "__main__":
    main()
