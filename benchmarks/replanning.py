"""A day planned again at half past nine: the plan at once, and after so many iterations, beside planning from scratch.

    python benchmarks/replanning.py --seeds 3

Prints for each seed the cost and the CPU seconds of the plan that the search begins with, of the search from it, and of
searches of the same problem from nothing.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np

import warptour as wt
from warptour.cli.output import solution_facts
from warptour.cli.plan import plan_facts
from warptour.io.locked import with_plan
from warptour.model.vehicles import VRP

NOW = "09:30"


def orders(customers: int, vehicles: int, new: int) -> tuple[VRP, VRP]:
    """Return the problem of the morning, and that with the new orders."""
    rng = np.random.default_rng(1)
    n = 1 + customers + new
    points = np.concatenate(([[50.0, 50.0]], rng.uniform(0, 100, (n - 1, 2))))
    demands = np.concatenate(([0], rng.integers(1, 10, n - 1)))
    capacity = int(1.15 * demands[: 1 + customers].sum() / vehicles)
    names = ["Depot", *(f"order {at}" for at in range(1, n))]

    def first(count: int) -> VRP:
        return VRP.from_points(
            points[:count], demands=demands[:count], capacity=capacity, vehicles=vehicles, labels=names[:count],
            unit="km", speed=40, service_minutes=5, shift="07:00-17:00",
        )  # fmt: skip

    return first(1 + customers), first(n)


def main() -> None:
    """Measure, and print a line for each search."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("customers", 1000), ("vehicles", 40), ("orders", 20), ("seeds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--iterations", type=int, default=60_000)
    parser.add_argument("--reference", type=int, default=200_000)
    given = parser.parse_args()
    morning, today = orders(given.customers, given.vehicles, given.orders)
    solved = wt.solve(morning, iterations=100_000, threads=1)
    plan = solution_facts(morning, solved) | plan_facts(morning, solved)
    again = with_plan(today, plan, now=NOW)
    scratch = replace(again, locks=None)
    under_way = sum(again.type_of(vehicle).under_way for vehicle in range(given.vehicles))
    print(f"{len(again.customers)} stops left, {under_way} vehicles under way", flush=True)
    searches = (
        ("plan", again, 0), ("plan", again, given.iterations), ("scratch", scratch, given.iterations),
        ("scratch", scratch, given.reference),
    )  # fmt: skip
    for seed in range(given.seeds):
        for start, problem, iterations in searches:
            began = time.process_time()
            result = wt.solve(problem, iterations=iterations, threads=1, seed=seed)
            took = time.process_time() - began
            print(
                f"seed {seed}, from {start}, {iterations} iterations: {result.cost:.1f}, {took:.2f} CPU s", flush=True
            )


if __name__ == "__main__":
    main()
