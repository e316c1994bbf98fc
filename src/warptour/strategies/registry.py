"""The strategies by name."""

from __future__ import annotations

from typing import Final

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.strategy import Strategy
from warptour.strategies.annealing import Annealing
from warptour.strategies.dcvrp import GiantTourDescent
from warptour.strategies.descent import Descent
from warptour.strategies.hill import HillClimbing
from warptour.strategies.ils.strategy import IteratedLocalSearch
from warptour.strategies.partition.strategy import Partition
from warptour.strategies.restarts import RandomRestart
from warptour.strategies.routes.strategy import RouteImprovement
from warptour.strategies.symmetric import SymmetricTwoOpt
from warptour.strategies.vns import VariableNeighborhoodSearch
from warptour.strategies.windows.strategy import Windows

STRATEGIES: Final[dict[str, type[Strategy]]] = {
    "annealing": Annealing,
    "dcvrp": GiantTourDescent,
    "descent": Descent,
    "hill": HillClimbing,
    "ils": IteratedLocalSearch,
    "partition": Partition,
    "restarts": RandomRestart,
    "routes": RouteImprovement,
    "symmetric": SymmetricTwoOpt,
    "vns": VariableNeighborhoodSearch,
    "windows": Windows,
}


def default_strategy(problem: TSP | VRP) -> Strategy:
    """Return the strategy that is used by default for ``problem``."""
    return Windows() if isinstance(problem, TSP) else RouteImprovement()
