"""The public names, which ``warptour`` takes from here when the first of them is used; a paper's when it is."""

from typing import TYPE_CHECKING, Any

from warptour import roads
from warptour._version import __version__
from warptour.api import bound, check, generate, read, solve, solve_async, solve_matrix, solve_points, stop, write
from warptour.api.model import Model
from warptour.api.model_result import ModelResult
from warptour.bound.bound import Bound
from warptour.devices import DeviceError
from warptour.model.clock import Clock
from warptour.model.customers import Customer, Depot, fleet_problem
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
from warptour.model.fleet import Alternatives, Fleet, VehicleType
from warptour.model.itinerary import Times, Trip
from warptour.model.metric import METRICS, Metric
from warptour.model.problem import TSP
from warptour.model.report import Report
from warptour.model.rests import Break, DrivingRule
from warptour.model.shipments import Shipment
from warptour.model.unserved import Unserved, servable
from warptour.model.vehicles import VRP
from warptour.observe.events import (
    Began,
    Contributions,
    Ended,
    Event,
    Improved,
    Listener,
    Note,
    State,
    Step,
    Tick,
    Workers,
    WorkerState,
)
from warptour.observe.result import Result
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.search.search import Search
from warptour.search.stop import Iterations, NoImprovement, Seconds, Stop, Target
from warptour.search.strategy import Strategy
from warptour.strategies.registry import PLACES, STRATEGIES
from warptour.tours.strategy.device_worker import DeviceWindows
from warptour.tours.strategy.windows import Windows

if TYPE_CHECKING:
    from warptour.papers.ermis.strategy.descent import Descent
    from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
    from warptour.papers.mavroidis.strategy.annealing import Annealing
    from warptour.papers.mavroidis.strategy.partition.strategy import Partition
    from warptour.papers.mavroidis.strategy.symmetric import SymmetricTwoOpt
    from warptour.papers.oneil.strategy.hill import HillClimbing
    from warptour.papers.oneil.strategy.restarts import RandomRestart
    from warptour.papers.rocki.strategy.ils import IteratedLocalSearch
    from warptour.papers.schulz.strategy.dcvrp import GiantTourDescent
else:

    def __getattr__(name: str) -> Any:
        """Import a paper's strategy."""
        for strategy, (_, word) in PLACES.items():
            if word == name:
                return STRATEGIES[strategy]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Alternatives",
    "Annealing",
    "Began",
    "Bound",
    "Break",
    "Clock",
    "Contributions",
    "Customer",
    "Depot",
    "Descent",
    "DeviceError",
    "DeviceWindows",
    "DrivingRule",
    "Ended",
    "Event",
    "Fleet",
    "GiantTourDescent",
    "HillClimbing",
    "Improved",
    "InfeasibleError",
    "InputError",
    "InputWarning",
    "IteratedLocalSearch",
    "Iterations",
    "Listener",
    "METRICS",
    "Metric",
    "MissingLibrary",
    "Model",
    "ModelResult",
    "NoImprovement",
    "Note",
    "NothingFound",
    "OutputError",
    "Partition",
    "RandomRestart",
    "Report",
    "Result",
    "RouteImprovement",
    "Search",
    "SearchFailed",
    "Seconds",
    "Shipment",
    "State",
    "Step",
    "Stop",
    "Strategy",
    "SymmetricTwoOpt",
    "TSP",
    "Target",
    "Tick",
    "Times",
    "Trip",
    "Unserved",
    "UnsupportedError",
    "UsageError",
    "VRP",
    "VariableNeighborhoodSearch",
    "VehicleType",
    "WarptourError",
    "Windows",
    "WorkerState",
    "Workers",
    "__version__",
    "bound",
    "check",
    "fleet_problem",
    "generate",
    "read",
    "roads",
    "servable",
    "solve",
    "solve_async",
    "solve_matrix",
    "solve_points",
    "stop",
    "write",
]
