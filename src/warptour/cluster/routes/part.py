"""A group of routes as a problem of its own, and what a member contributes by such groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from warptour.cluster.messages import Done, Task
from warptour.cluster.pool import Job
from warptour.model.vehicles import VRP, Routes
from warptour.observe.events import WorkerState
from warptour.search.search import Search
from warptour.search.strategy import Strategy


@dataclass(eq=False, kw_only=True)
class RouteGroup(Job):
    """A group of routes in one phase."""

    nodes: NDArray[np.int32]  # the given problem's nodes, the depot first
    task: Task

    def begin(self, search: Search[Any]) -> Task:
        """Return its task."""
        return self.task

    def best(self) -> Routes:
        """Return the cheapest routes, in the given problem's numbering."""
        found = self.task.start if self.done is None or self.done.solution is None else self.done.solution
        return self._leave(cast(Routes, found))

    def last(self) -> Routes:
        """Return the routes where annealing goes on."""
        if self.done is None or self.done.last is None:
            return self.best()
        return self._leave(cast(Routes, self.done.last))

    @property
    def gain(self) -> float:
        """What the best routes cost less than those it began with."""
        if self.done is None or self.done.cost is None:
            return 0.0
        return max(0.0, cast(VRP, self.task.problem).cost(cast(Routes, self.task.start)) - self.done.cost)

    def _leave(self, routes: Routes) -> Routes:
        return [self.nodes[route] for route in routes]


def group_of(
    problem: VRP,
    routes: Routes,
    spare: int | None,
    home: int,
    strategy: Strategy,
    seed: int,
    iterations: int,
    device: str,
) -> RouteGroup:
    """Return the group with these routes of ``problem`` and up to ``spare`` vehicles more; None for any number."""
    nodes = np.concatenate(([problem.depot], *routes)).astype(np.int32)
    ends = np.cumsum([len(route) for route in routes])
    vehicles = None if spare is None else len(routes) + spare
    own = problem.part(nodes, vehicles=vehicles, best_known=None, display=None)
    start: Routes = np.split(np.arange(1, len(nodes), dtype=np.int32), ends[:-1])
    task = Task(0, own, strategy, start, seed, 1, device, iterations=iterations)
    return RouteGroup(home=home, nodes=nodes, task=task)


@dataclass(eq=False)
class GroupWorker:
    """What a member has contributed so far."""

    name: str
    device: str = ""
    rate: float = 0.0  # iterations per second of its last complete phase
    # iterations, seconds: of all its phases
    iterations: int = 0
    seconds: float = 0.0
    gain: float = 0.0  # what it made its groups cheaper by, each compared with what the phase began with

    def count(self, group: RouteGroup | None, done: Done) -> None:
        """Take the counts of a task, and the gain if its group is still waited for."""
        self.device = done.device
        self.iterations += done.iterations
        self.seconds += done.seconds
        if group is not None:
            self.gain += group.gain
            if done.iterations >= group.task.iterations and done.seconds > 0:
                self.rate = done.iterations / done.seconds

    def state(self, status: str) -> WorkerState:
        """Return what listeners are told."""
        rate = self.iterations / self.seconds if self.seconds else 0.0
        return WorkerState(self.name, self.device, rate, self.gain, status)
