"""Single annealing chains of ruin and recreate by CPU time: what a parameter is worth before it becomes a default.

    python benchmarks/route_chains.py FILE ... [--seconds 20] [--seeds 2] [--processes 2]
                                      [--with hot=1.5,cold=0.06,slack=30] [--with ...]

Each ``--with`` is a setting: first and last temperature in mean edges (``hot``, ``cold``), the length of neighbour
lists (``nearest``), and the fields of ``Ruin`` (``engines/routes/fleet.py``). A chain starts from savings and cools by
its own CPU time, so that several may run side by side. Printed are gaps in percent above the best known cost, costs
where none is known, with the routes and thousands of iterations of each chain.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from itertools import product
from typing import Any

import numpy as np

import warptour as wt
from warptour.engines.routes.fleet import Fleet, Ruin
from warptour.engines.routes.instance import RouteInstance
from warptour.strategies.routes.cooling import typical_edge
from warptour.strategies.routes.ruin_recreate import CALL_ITERATIONS
from warptour.strategies.routes.start import free_routes


@dataclass(frozen=True)
class Setting:
    """Parameters of a chain, temperatures in mean edges."""

    name: str
    hot: float = 1.5
    cold: float = 0.06
    nearest: int = 40
    ruin: Ruin = field(default_factory=Ruin)

    @classmethod
    def parse(cls, text: str) -> Setting:
        """Return the setting of ``name=value,...``."""
        given = dict(word.split("=") for word in text.split(",") if word)
        kinds = {each.name: int if each.type == "int" else float for each in (*fields(cls), *fields(Ruin))}
        values: dict[str, Any] = {name: kinds[name](value) for name, value in given.items()}
        own = {name: values.pop(name) for name in ("hot", "cold", "nearest") if name in values}
        return cls(text or "defaults", **own, ruin=Ruin(**values))


@dataclass(frozen=True)
class Chain:
    """The end of a chain."""

    cost: float
    routes: int
    iterations: int


def annealed(file: str, setting: Setting, seed: int, seconds: float) -> Chain:
    """Return the end of a chain of so many CPU seconds."""
    problem = wt.read(file)
    assert isinstance(problem, wt.VRP)
    instance = RouteInstance.of(problem, setting.nearest, threads=1)
    giant = instance.enter(free_routes(problem, threads=1))
    hot, cold = (heat * typical_edge(instance.problem, giant) for heat in (setting.hot, setting.cold))
    fleet = Fleet(instance, giant, instance.problem.vehicles or problem.n)
    began, used, calls = time.process_time(), 0.0, 0
    while used < 1:
        then = min(1.0, used + used / calls) if calls else 0.0
        temperatures = (hot * (cold / hot) ** used, hot * (cold / hot) ** then)
        fleet.search(CALL_ITERATIONS, temperatures, seed=seed, stream=0, ruin=setting.ruin)
        calls += 1
        used = (time.process_time() - began) / seconds
    return Chain(fleet.lowest, int(np.count_nonzero(fleet.best() == 0)), calls * CALL_ITERATIONS)


def lines(options: argparse.Namespace, settings: list[Setting]) -> Iterator[str]:
    """Yield a line per setting and instance, and the mean gap of each setting."""
    known = {file: wt.read(file).best_known for file in options.files}
    seeds = range(1, options.seeds + 1)
    with ProcessPoolExecutor(options.processes) as pool:
        runs = {
            (setting, file): [pool.submit(annealed, file, setting, seed, options.seconds) for seed in seeds]
            for setting, file in product(settings, options.files)
        }
        for setting in settings:
            values = []
            yield setting.name
            for file in options.files:
                chains, best = [run.result() for run in runs[setting, file]], known[file]
                found = [100 * (chain.cost / best - 1) if best else chain.cost for chain in chains]
                values += found
                cells = (
                    f"{value:.2f} ({chain.routes} routes, {chain.iterations // 1000}k)"
                    for value, chain in zip(found, chains, strict=True)
                )
                yield f"    {file:<40} {'  '.join(cells)}"
            if all(known.values()):
                yield f"    {'mean':<40} {np.mean(values):.3f}"


def main() -> None:
    """Print a table of all chains."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--with", dest="settings", action="append", metavar="NAME=VALUE,...")
    options = parser.parse_args()
    for line in lines(options, [Setting.parse(text) for text in options.settings or [""]]):
        print(line, flush=True)


if __name__ == "__main__":
    main()
