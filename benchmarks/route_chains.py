"""Single annealing chains of ruin and recreate by CPU time: what a parameter is worth before it becomes a default.

    python benchmarks/route_chains.py FILE ... [--seconds 20] [--seeds 2] [--processes 2]
                                      [--with hot=1.5,cold=0.06,slack=30] [--with ...]

Each ``--with`` is a setting: first and last temperature in mean edges (``hot``, ``cold``), the length of neighbour
lists (``nearest``), and the fields of ``Ruin`` (``routes/engine/route_state.py``). A chain starts from savings and
cools by its own CPU time, so that several may run side by side. Printed are gaps in percent above the best known cost,
costs where none is known, with the routes and thousands of iterations of each chain.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

import warptour as wt
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import RouteState, Ruin
from warptour.routes.strategy.cooling import typical_edge
from warptour.routes.strategy.first_routes import free_routes
from warptour.routes.strategy.ruin_recreate import CALL_ITERATIONS


@dataclass(frozen=True)
class Setting:
    """Parameters of a chain, temperatures in mean edges."""

    name: str = "defaults"
    hot: float = 1.5
    cold: float = 0.06
    nearest: int = 40
    ruin: Ruin = field(default_factory=Ruin)

    @classmethod
    def parse(cls, text: str) -> Setting:
        """Return the setting of ``name=value,...``."""
        kinds = {each.name: int if each.type == "int" else float for each in (*fields(cls)[1:-1], *fields(Ruin))}
        values: dict[str, Any] = {}
        for name, _, value in (word.partition("=") for word in text.split(",")):
            if name not in kinds:
                raise argparse.ArgumentTypeError(f"no parameter is called {name!r}; there are {', '.join(kinds)}")
            values[name] = kinds[name](value)
        own = {name: values.pop(name) for name in ("hot", "cold", "nearest") if name in values}
        return cls(text, **own, ruin=Ruin(**values))


@dataclass(frozen=True)
class Chain:
    """The end of a chain."""

    cost: float
    routes: int
    iterations: int


def annealed(problem: wt.VRP, setting: Setting, seed: int, seconds: float) -> Chain:
    """Return the end of a chain of so many CPU seconds."""
    instance = RouteInstance.of(problem, setting.nearest, threads=1)
    giant = instance.enter(free_routes(problem, threads=1))
    hot, cold = (heat * typical_edge(instance.problem, giant) for heat in (setting.hot, setting.cold))
    fleet = RouteState(instance, giant, instance.problem.vehicles or problem.n)
    began, used, calls = time.process_time(), 0.0, 0
    while used < 1:
        then = min(1.0, used + used / calls) if calls else 0.0
        temperatures = (hot * (cold / hot) ** used, hot * (cold / hot) ** then)
        fleet.search(CALL_ITERATIONS, temperatures, seed=seed, stream=0, ruin=setting.ruin)
        calls += 1
        used = (time.process_time() - began) / seconds
    return Chain(fleet.lowest, int(np.count_nonzero(fleet.best() == 0)), calls * CALL_ITERATIONS)


def lines(problems: list[wt.VRP], settings: list[Setting], options: argparse.Namespace) -> Iterator[str]:
    """Yield a line per setting and problem, and the mean gap of each setting."""
    seeds = range(1, options.seeds + 1)
    with ProcessPoolExecutor(options.processes) as pool:
        runs = [
            [[pool.submit(annealed, problem, setting, seed, options.seconds) for seed in seeds] for problem in problems]
            for setting in settings
        ]
        for setting, of_setting in zip(settings, runs, strict=True):
            yield setting.name
            gaps: list[float] = []
            for problem, of_problem in zip(problems, of_setting, strict=True):
                best, cells = problem.best_known, []
                for run in of_problem:
                    chain = run.result()
                    gaps += [100 * (chain.cost / best - 1)] if best else []
                    value = f"{gaps[-1]:.2f}" if best else f"{chain.cost:.2f}"
                    cells.append(f"{value} ({chain.routes} routes, {chain.iterations // 1000}k)")
                yield f"    {problem.name:<20} {'  '.join(cells)}"
            if gaps:
                yield f"    {'mean gap':<20} {np.mean(gaps):.3f}"


def main() -> None:
    """Print a table of all chains."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--with", dest="settings", action="append", type=Setting.parse, metavar="NAME=VALUE,...")
    options = parser.parse_args()
    problems = []
    for file in options.files:
        problem = wt.read(file)
        if not isinstance(problem, wt.VRP):
            parser.error(f"{file} has no vehicles")
        problems.append(problem)
    for line in lines(problems, options.settings or [Setting()], options):
        print(line, flush=True)


if __name__ == "__main__":
    main()
