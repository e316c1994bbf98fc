"""Variable neighbourhood search over neighbour lists: its rate, and an ablation at equal time.

The rate on a device stands beside that of all threads of its host, by the same kernel in the same run. In the ablation
costs are in percent above the best tour of the suite on the same instance, so the best row has 0. The contribution of
each neighbourhood follows for the default list.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.devices import Device, find
from warptour.io.generate import generate
from warptour.model.problem import TSP
from warptour.observe.contributions import Contribution
from warptour.papers.ermis.engine.variable import crowd
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.search.search import Search
from warptour.search.stop import Seconds
from warptour.tours.engine.instance import Instance
from warptour.tours.starts.start import start

LISTS: Final = (
    "2-opt", "or-opt", "3-opt", "swap", "relocate",
    "2-opt,or-opt", "2-opt,3-opt", "or-opt,3-opt", "2-opt,swap", "2-opt,relocate",
    "2-opt,or-opt,3-opt", "or-opt,2-opt,3-opt", "3-opt,or-opt,2-opt",
    "2-opt,or-opt,swap,3-opt", "2-opt,or-opt,3-opt,swap", "swap,relocate,2-opt,or-opt,3-opt",
)  # fmt: skip

SEEDS: Final = 3

SIZES: Final = (200, 1000, 5000)
"""Cities of the tours whose shakes are counted."""

UNLIMITED: Final = 2**62
"""More shakes than any search makes."""

LAUNCHES: Final = 10
"""Launches of which the rate is the mean, once the tours are local optima."""


def run(options: Options) -> Iterator[Row]:
    """Yield shakes per second, the median cost of each list, and contributions in the default list."""
    device = find("cpu" if options.device == "auto" else options.device, options.threads)
    yield from rates(device, options)
    seconds, seeds = (0.3, 1) if options.quick else (2.0, SEEDS)
    kinds = [("uniform", 300)] if options.quick else [("uniform", 1000), ("clustered", 1000), ("uniform", 5000)]
    for kind, n in kinds:
        problem = generated(kind, n)
        costs = {names: [solved(problem, names, seconds, seed, device)[0] for seed in range(seeds)] for names in LISTS}
        best = min(min(found) for found in costs.values())
        for names, found in costs.items():
            above = 100 * (float(np.median(found)) / best - 1)
            yield Row("vns", f"{kind} {names}", n, device.name, above, f"% in {seconds:g} s")
        shares = solved(problem, ",".join(VariableNeighborhoodSearch().neighborhoods), seconds, 0, device)[1]
        for share in shares:
            label = f"{kind}, {share.neighborhood}"
            yield Row("vns", f"{label} moves", n, device.name, share.moves, "moves")
            yield Row("vns", f"{label} gain", n, device.name, share.gain, "gain")
            yield Row("vns", f"{label} time", n, device.name, share.seconds, "s")


def rates(device: Device, options: Options) -> Iterator[Row]:
    """Yield shakes per second by number of cities; those of a GPU beside those of its host."""
    for n in SIZES[:1] if options.quick else SIZES:
        problem = generated("uniform", n)
        host = None if device.is_host else rate(problem, find("cpu", options.threads))
        yield Row("vns", "rate", n, device.name, rate(problem, device), "shakes/s", peer=host)


def rate(problem: TSP, device: Device) -> float:
    """Return the shakes per second of as many searches as keep a device busy."""
    strategy, instance = VariableNeighborhoodSearch(), Instance.of(problem)
    levels = len(strategy.neighborhoods)
    count = crowd(device, instance.nodes, levels)
    searches = strategy.shakers(instance, start(problem, "greedy", 0), device, 1, count).searches
    while not searches.locally_optimal:
        searches.work()
    searches.work(UNLIMITED)
    began, before = time.perf_counter(), int(searches.shakes.sum())
    for _ in range(LAUNCHES):
        searches.work(UNLIMITED)
    return (int(searches.shakes.sum()) - before) / (time.perf_counter() - began)


def generated(kind: str, n: int) -> TSP:
    """Return cities of a kind."""
    problem = generate(kind, n, seed=1)
    assert isinstance(problem, TSP)
    return problem


def solved(problem: TSP, names: str, seconds: float, seed: int, device: Device) -> tuple[float, list[Contribution]]:
    """Return the cost after ``seconds`` of search, and the contribution of each neighbourhood."""
    search = Search(problem, Seconds(seconds), seed=seed, device=device)
    strategy = replace(VariableNeighborhoodSearch(), neighborhoods=tuple(names.split(",")))
    shares = strategy.contribute(search)
    assert search.cost is not None
    return float(search.cost), shares
