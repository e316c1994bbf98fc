"""Ablation of variable neighbourhood search: subsets and orders of neighbourhoods at equal time.

Costs are in percent above the best tour of the suite on the same instance, so
the best row has 0. The contribution of each neighbourhood follows for the
default list.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.io.generate import generate
from warptour.model.errors import UnsupportedError
from warptour.model.problem import TSP
from warptour.observe.contributions import Contribution
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.search.search import Search
from warptour.search.stop import Seconds

LISTS: Final = (
    "2-opt", "or-opt", "3-opt", "swap", "relocate",
    "2-opt,or-opt", "2-opt,3-opt", "or-opt,3-opt", "2-opt,swap", "2-opt,relocate",
    "2-opt,or-opt,3-opt", "or-opt,2-opt,3-opt", "3-opt,or-opt,2-opt",
    "2-opt,or-opt,swap,3-opt", "2-opt,or-opt,3-opt,swap", "swap,relocate,2-opt,or-opt,3-opt",
)  # fmt: skip

SEEDS: Final = 3


def run(options: Options) -> Iterator[Row]:
    """Yield the median cost over the seeds for each instance and list, then the contributions in the default list."""
    if options.device not in ("auto", "cpu"):
        raise UnsupportedError(f"vns runs on the CPU only, so there is nothing to measure on {options.device}")
    seconds, seeds = (0.3, 1) if options.quick else (2.0, SEEDS)
    kinds = [("uniform", 300)] if options.quick else [("uniform", 1000), ("clustered", 1000), ("uniform", 5000)]
    for kind, n in kinds:
        problem = generate(kind, n, seed=1)
        assert isinstance(problem, TSP)
        costs = {
            names: [solved(problem, names, seconds, seed, options.threads or 1)[0] for seed in range(seeds)]
            for names in LISTS
        }
        best = min(min(found) for found in costs.values())
        for names, found in costs.items():
            above = 100 * (float(np.median(found)) / best - 1)
            yield Row("vns", f"{kind} {names}", n, "cpu", above, f"% in {seconds:g} s")
        shares = solved(problem, ",".join(VariableNeighborhoodSearch().neighborhoods), seconds, 0, 1)[1]
        for share in shares:
            label = f"{kind}, {share.neighborhood}"
            yield Row("vns", f"{label} moves", n, "cpu", share.moves, "moves")
            yield Row("vns", f"{label} gain", n, "cpu", share.gain, "gain")
            yield Row("vns", f"{label} time", n, "cpu", share.seconds, "s")


def solved(problem: TSP, names: str, seconds: float, seed: int, threads: int) -> tuple[float, list[Contribution]]:
    """Return the cost after ``seconds`` of search, and the contribution of each neighbourhood."""
    search = Search(problem, Seconds(seconds), seed=seed, threads=threads)
    strategy = replace(VariableNeighborhoodSearch(), neighborhoods=tuple(names.split(",")))
    shares = strategy.contribute(search)
    assert search.cost is not None
    return float(search.cost), shares
