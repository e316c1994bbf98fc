"""The public names, which ``warptour`` takes from here when the first of them is used."""

from warptour._version import __version__
from warptour.api import check, generate, read, solve, solve_matrix, solve_points, write
from warptour.model.errors import (
    InfeasibleError,
    InputError,
    InputWarning,
    MissingLibrary,
    NothingFound,
    OutputError,
    SearchFailed,
    UnsupportedError,
    UsageError,
    WarptourError,
)
from warptour.model.metric import METRICS, Metric
from warptour.model.problem import TSP
from warptour.model.report import Report
from warptour.model.result import Result
from warptour.model.vehicles import VRP
from warptour.search.stop import Iterations, NoImprovement, Seconds, Stop, Target
from warptour.strategies.annealing import Annealing
from warptour.strategies.descent import Descent
from warptour.strategies.hill import HillClimbing
from warptour.strategies.ils.strategy import IteratedLocalSearch
from warptour.strategies.restarts import RandomRestart
from warptour.strategies.routes.strategy import RouteImprovement
from warptour.strategies.symmetric import SymmetricTwoOpt
from warptour.strategies.vns import VariableNeighborhoodSearch
from warptour.strategies.windows.strategy import Windows

__all__ = [
    "Annealing",
    "Descent",
    "HillClimbing",
    "InfeasibleError",
    "InputError",
    "InputWarning",
    "IteratedLocalSearch",
    "Iterations",
    "METRICS",
    "Metric",
    "MissingLibrary",
    "NoImprovement",
    "NothingFound",
    "OutputError",
    "RandomRestart",
    "Report",
    "Result",
    "RouteImprovement",
    "SearchFailed",
    "Seconds",
    "Stop",
    "SymmetricTwoOpt",
    "TSP",
    "Target",
    "UnsupportedError",
    "UsageError",
    "VRP",
    "VariableNeighborhoodSearch",
    "WarptourError",
    "Windows",
    "__version__",
    "check",
    "generate",
    "read",
    "solve",
    "solve_matrix",
    "solve_points",
    "write",
]
