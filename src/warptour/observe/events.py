"""Events that a search sends to its listeners.

A listener is a callable that takes an event. It runs on the search thread
between two slices of work, so it should be quick. Returning ``False`` ends the
search with the best solution so far; an exception ends it, too, and propagates
from ``solve``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from warptour.model.frozen import immutable
from warptour.model.gaps import percent_above
from warptour.observe.contributions import Contribution


@dataclass(frozen=True)
class State:
    """State of a search: elapsed wall-clock seconds, best cost, iterations done, moves evaluated."""

    seconds: float
    cost: int | float | None
    iterations: int
    moves: int
    improved_at: float = 0.0
    """Elapsed seconds at the last improvement of the best cost."""
    lower_bound: int | float | None = None
    """Proven bound on the cost, if one is known."""
    improved_iterations: int = 0
    """Iterations done at the last improvement of the best cost."""
    unsettled_iterations: int = 0
    """Iterations done when there last were too few feasible solutions to tell whether the best will improve."""

    @property
    def bound_gap(self) -> float | None:
        """Cost in percent above the lower bound, or None."""
        return None if self.cost is None else percent_above(self.cost, self.lower_bound)


@dataclass(frozen=True)
class Began:
    """The search begins; the first event.

    ``facts`` describes the run, serialisable as JSON: problem, strategy and parameters, devices, seed, limits.
    """

    state: State
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class Improved:
    """A better solution was found."""

    state: State
    _found: Any

    @property
    def solution(self) -> Any:
        """The tour, or a list of the routes, as arrays that cannot be made writable: the search goes on from them."""
        return read_only(self._found)

    @property
    def routes(self) -> int | None:
        """Number of routes; None for a tour."""
        return sum(len(route) > 0 for route in self._found) if isinstance(self._found, list) else None


@dataclass(frozen=True)
class Tick:
    """Heartbeat, sent a few times per second."""

    state: State


@dataclass(frozen=True)
class Note:
    """A sentence about the next phase or the gain of a round; if ``lasting``, about the whole run."""

    state: State
    text: str
    lasting: bool = False


@dataclass(frozen=True)
class Step:
    """A round, generation or other unit of a search is done.

    Attributes
    ----------
    of : str
        What it is, in the singular: ``round``, ``generation``.
    number : int
        How many there have been.
    facts : mapping of str to number
        Of these steps so far, such as ``gain``, what they have lowered the cost by in all.
    """

    state: State
    of: str
    number: int
    facts: Mapping[str, int | float]


@dataclass(frozen=True)
class Contributions:
    """What each neighbourhood has contributed so far."""

    state: State
    rows: tuple[Contribution, ...]


@dataclass(frozen=True)
class WorkerState:
    """What one of several workers on a search has done so far.

    Attributes
    ----------
    name : str
        As in ``process 3``, ``rank 1 on host``, ``cuda:0``.
    device : str
        Where it searches; empty until that is known.
    rate : float
        Iterations per second, as the strategy counts them, or what ``unit`` says, since the worker began.
    gain : float
        What its solutions made the best cost of the whole search lower by, in all.
    status : str
        ``working``, ``done``, ``failed`` or ``lost``.
    unit : str
        What ``rate`` counts, in the plural; empty for iterations.
    """

    name: str
    device: str
    rate: float
    gain: float
    status: str = "working"
    unit: str = ""


@dataclass(frozen=True)
class Workers:
    """The workers of a search on several devices, processes or machines; sent about once a second and at the end."""

    state: State
    rows: tuple[WorkerState, ...]


@dataclass(frozen=True)
class Population:
    """A population of solutions has changed: what a checkpoint keeps besides the best."""

    state: State
    # Number of the population, from 1. Solutions may be added to it; if any is replaced, it has another number.
    number: int
    # returns its solutions from index ``k`` on, each a tour or a list of routes in the problem's numbering, read-only,
    # or None for one that is no solution of the problem as it was given
    solutions: Callable[[int], list[Any]]


@dataclass(frozen=True)
class Ended:
    """The run is over; the last event. ``device`` lists those that searched; ``reason`` is as in ``Result.ended``."""

    state: State
    reason: str = "finished"
    interrupted: bool = False
    device: str = ""
    workers: int = 1


def read_only(solution: Any) -> Any:
    """Return a tour or a list of routes for listeners, who must not change what the search goes on from."""
    return [read_only(route) for route in solution] if isinstance(solution, list) else immutable(np.asarray(solution))


Event: TypeAlias = Began | Improved | Tick | Note | Step | Contributions | Workers | Population | Ended
Listener: TypeAlias = Callable[[Event], object]
