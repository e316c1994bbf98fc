"""Whether small problems that end by themselves are done: their costs beside those of longer runs.

    python benchmarks/patience.py [FILE or SPEC ...] [--seconds 10] [--seeds 3] [--threads 2]

The longest wait is that for any improvement of the longer runs: in kicks per city for tours, in iterations per square
of the nodes for vehicles, the units of `search/patience.py`.
"""

from __future__ import annotations

import argparse
from itertools import pairwise

import warptour as wt

DEFAULT_CASES = ("uniform:30:1", "uniform:150:2", "clustered:100:1", "vrp:31:1", "vrp:51:2")


def longest_wait(problem: wt.TSP | wt.VRP, seconds: float, seed: int, threads: int | None) -> tuple[float, float]:
    """Return the cost of a run of ``seconds``, and its longest wait for an improvement."""
    counts = [0]

    def listen(event: wt.Event) -> None:
        if isinstance(event, wt.Improved):
            counts.append(event.state.iterations)

    cost = wt.solve(problem, seconds=seconds, seed=seed, threads=threads, listeners=[listen]).cost
    unit = problem.n if isinstance(problem, wt.TSP) else problem.n**2
    return cost, max(after - before for before, after in pairwise(counts)) / unit


def main() -> None:
    """Print a line per instance, and what all have in common."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("instances", nargs="*", default=DEFAULT_CASES)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    print(f"{'instance':<16} {'n':>4} {'runs':>5} {'worse':>6} {'seconds':>8} {'longest':>8} {'wait':>6}")
    runs = worse = 0
    times: list[float] = []
    waits: list[float] = []
    for name in options.instances:
        problem = wt.read(name)
        seeds = range(options.seeds)
        early = [wt.solve(problem, seed=seed, threads=options.threads) for seed in seeds]
        late = [longest_wait(problem, options.seconds, seed, options.threads) for seed in seeds]
        best = min(cost for cost, _ in late)
        took, above = [result.seconds for result in early], sum(result.cost > best for result in early)
        wait = max(wait for _, wait in late)
        runs, worse, times, waits = runs + len(early), worse + above, times + took, [*waits, wait]
        mean = sum(took) / len(took)
        print(
            f"{problem.name:<16} {problem.n:>4} {len(early):>5} {above:>6} {mean:>8.2f} {max(took):>8.2f} {wait:>6.1f}"
        )
    mean = sum(times) / len(times)
    print(f"{'all':<16} {'':>4} {runs:>5} {worse:>6} {mean:>8.2f} {max(times):>8.2f} {max(waits):>6.1f}")


if __name__ == "__main__":
    main()
