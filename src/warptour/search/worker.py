"""Workers: anything that improves one solution step by step.

A worker is one thread's window, the threads of the host, a device, or several
of these under a rule that combines them; another process or machine would be one
too. Solutions are arrays in the numbering of the search's instance: a tour, or
the giant tour of all routes. :func:`follow` runs a worker for a search.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from warptour.model.vehicles import Routes
from warptour.search.search import Search, Tour
from warptour.search.threads import Poll

OFFER_SHARE = 20
"""Minimum ratio of the time between two reports to the time that a report takes."""


def unlimited() -> float:
    """Return the seconds left without a time limit."""
    return math.inf


def never() -> bool:
    """Return False: for work that nothing ends early."""
    return False


@dataclass(frozen=True)
class Budget:
    """What a worker may use in one step."""

    iterations: float = math.inf  # limit on the iterations of all its threads together; infinite for none
    # Polled between compiled calls, about every 50 ms; True ends the step early. Some steps are one such call.
    over: Poll = never
    seconds_left: Callable[[], float] = unlimited  # returns the seconds until the time limit; infinite without one


class Worker(Protocol):
    """Improves one solution."""

    @property
    def iterations(self) -> int:
        """Iterations so far, as the strategy counts them: kicks, shakes, ruin-and-recreate iterations."""

    @property
    def evaluations(self) -> int:
        """Moves or cities evaluated so far."""

    @property
    def gain(self) -> float:
        """Cost of the first solution less that of :meth:`best`, in search arithmetic; -inf while none is feasible."""

    @property
    def rate(self) -> float:
        """Iterations per second in the last step that had any; 0 before."""

    def adopt(self, solution: NDArray[np.int32], gain: float) -> None:
        """Continue from a local optimum whose cost is that of :meth:`best` less ``gain``."""

    def welcome(self, solution: NDArray[np.int32], gain: float) -> None:
        """Use the solution of another search; its cost is that of :meth:`best` less ``gain``, which may be negative."""

    def advance(self, budget: Budget) -> None:
        """Do one step: a round, an exchange period or a generation, within ``budget``."""

    def best(self) -> NDArray[np.int32]:
        """Return the best solution so far; the array may change in the next step."""

    def tell(self, search: Search[Any]) -> None:
        """Tell the listeners of ``search`` what the steps so far have contributed."""


class _Steps(Protocol):
    """What :class:`TimedWorker` needs of the class that it is mixed into."""

    rate: float
    advances: int

    @property
    def iterations(self) -> int:
        """Iterations so far."""

    @property
    def gain(self) -> float:
        """Gain so far."""

    def adopt(self, solution: NDArray[np.int32], gain: float) -> None:
        """Continue from another solution."""

    def step(self, budget: Budget) -> None:
        """Do one step within ``budget``."""


class TimedWorker:
    """Base of workers: ``advance`` does a ``step`` and measures its rate. ``advances`` counts them."""

    rate = 0.0
    advances = 0

    def welcome(self: _Steps, solution: NDArray[np.int32], gain: float) -> None:
        """Continue from a better solution of another search, once the first one has been made locally optimal."""
        if gain > 0 and self.iterations > 0:
            self.adopt(solution, gain)

    def advance(self: _Steps, budget: Budget) -> None:
        """Do one step within ``budget``."""
        began, before = time.perf_counter(), self.iterations
        self.step(budget)
        self.advances += 1
        done = self.iterations - before
        if done:
            self.rate = done / max(time.perf_counter() - began, 1e-9)

    def tell(self: _Steps, search: Search[Any]) -> None:
        """Tell listeners how many rounds there were, and their gain."""
        search.step("round", self.advances, gain=self.gain)


def follow(
    search: Search[Any],
    worker: Worker,
    leave: Callable[[NDArray[np.int32]], Tour | Routes],  # returns a solution in the problem's numbering
    enter: Callable[[Any], NDArray[np.int32]] | None = None,
    *,
    until: Poll = never,  # ends the work before the search is over
) -> None:
    """Run ``worker`` until the search is over or ``until()``, and report its solutions.

    Reports take at most 1 / ``OFFER_SHARE`` of the time, and the worker stops early enough to report its last solution
    in time: for a hundred million cities a report takes a second. Between steps the worker is given what other searches
    found.

    ``enter``: its inverse; without it, solutions of others are not taken
    """
    reports = _Reports(search, worker, leave)

    def over() -> bool:
        reports.count()
        reports.offer_in_time()
        return search.over() or search.lacks(reports.took) or until()

    try:
        while not over():
            if enter is not None and search.exchange.due():
                reports.exchange(enter)
            worker.advance(Budget(search.iterations_left(), over, search.seconds_left))
            reports.count()
            worker.tell(search)
    except Exception:
        if search.callers_error is None and worker.gain > reports.gain:
            with suppress(Exception):  # a failed device may not give its tour away
                reports.offer()
        raise
    if worker.gain > -math.inf:
        reports.offer()


class _Reports:
    """What a search knows of its worker: how much it has done, and the solution of its last report."""

    def __init__(
        self, search: Search[Any], worker: Worker, leave: Callable[[NDArray[np.int32]], Tour | Routes]
    ) -> None:
        self._search, self._worker, self._leave = search, worker, leave
        self.gain = -math.inf if search.best is None else 0.0
        self.took = 0.0
        self._at = search.seconds
        self._iterations = self._evaluations = 0

    def count(self) -> None:
        """Count what the worker has done since the last call."""
        iterations, evaluations = self._worker.iterations, self._worker.evaluations
        self._search.count(iterations - self._iterations, evaluations - self._evaluations)
        self._iterations, self._evaluations = iterations, evaluations

    def offer(self) -> None:
        """Report the worker's best solution."""
        self._search.offer(self._leave(self._worker.best()))

    def offer_in_time(self) -> None:
        """Report a better solution, unless reports would take too much of the time."""
        search = self._search
        due = search.seconds - self._at >= OFFER_SHARE * self.took and search.seconds_left() > 2 * self.took
        if self._worker.gain > self.gain and due:
            self.gain, self._at = self._worker.gain, search.seconds
            self.offer()
            self.took = search.seconds - self._at
        elif search.best is None:
            search.remember_infeasible(self._leave(self._worker.best()))

    def exchange(self, enter: Callable[[Any], NDArray[np.int32]]) -> None:
        """Report the worker's best solution, and give the worker those of other searches."""
        search, worker = self._search, self._worker
        if worker.gain > self.gain:
            self.gain = worker.gain
            self.offer()
        for solution in search.exchange.take():
            own = math.inf if worker.gain == -math.inf else search.searched_cost(self._leave(worker.best()))
            worker.welcome(enter(search.searched(solution)), own - search.exact_cost(solution))


def shares(iterations_left: float, each: int, workers: int) -> list[int]:
    """Return the iterations that each of ``workers`` does next: ``each``, or an even share of those left."""
    total = each * workers if math.isinf(iterations_left) else min(each * workers, int(iterations_left))
    return [total // workers + (number < total % workers) for number in range(workers)]


def fitting(wanted: float, budget: Budget, per_second: float) -> int:
    """Return how many of the ``wanted`` iterations to do: at least one, at most those left.

    Without a limit on iterations they must also fit into nine tenths of the time left, if the rate is known; with one,
    no clock decides.
    """
    wanted = min(wanted, budget.iterations)
    seconds = budget.seconds_left()
    if math.isinf(budget.iterations) and not math.isinf(seconds) and per_second:
        wanted = min(wanted, per_second * max(0.9 * seconds, 0.01))
    return max(1, int(wanted))
