"""The strategies by name, each imported when it is first asked for."""

from __future__ import annotations

from collections import UserDict
from importlib import import_module
from typing import Any, Final, cast

from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.strategy import Strategy

PLACES: Final = {
    "annealing": ("papers.mavroidis.strategy.annealing", "Annealing"),
    "dcvrp": ("papers.schulz.strategy.dcvrp", "GiantTourDescent"),
    "descent": ("papers.ermis.strategy.descent", "Descent"),
    "hill": ("papers.oneil.strategy.hill", "HillClimbing"),
    "ils": ("papers.rocki.strategy.ils", "IteratedLocalSearch"),
    "partition": ("papers.mavroidis.strategy.partition.strategy", "Partition"),
    "restarts": ("papers.oneil.strategy.restarts", "RandomRestart"),
    "routes": ("routes.strategy.route_improvement", "RouteImprovement"),
    "symmetric": ("papers.mavroidis.strategy.symmetric", "SymmetricTwoOpt"),
    "vns": ("papers.ermis.strategy.vns.vns", "VariableNeighborhoodSearch"),
    "windows": ("tours.strategy.windows", "Windows"),
}
"""Module and class of each strategy."""


class _Strategies(UserDict[str, type[Strategy]]):
    """The places, each replaced by its class when that is first asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.data = cast(Any, dict(PLACES))

    def __getitem__(self, name: str) -> type[Strategy]:
        kind: Any = self.data[name]
        if isinstance(kind, tuple):
            module, word = kind
            self.data[name] = getattr(import_module(f"warptour.{module}"), word)
        return self.data[name]


STRATEGIES: Final = _Strategies()


def known_strategy(name: str) -> type[Strategy]:
    """Return the strategy called ``name``, or raise :class:`UsageError` with the known names."""
    if name not in STRATEGIES:
        raise UsageError(f"unknown strategy {name!r}; there are {', '.join(STRATEGIES)}")
    return STRATEGIES[name]


def default_strategy(problem: TSP | VRP) -> Strategy:
    """Return the strategy that is used by default for ``problem``."""
    return STRATEGIES["windows" if isinstance(problem, TSP) else "routes"]()
