"""One run of a strategy: its problem, its budget, and the best solution so far.

A strategy is given a :class:`Search` and works until ``search.over()``. It reports
solutions with ``search.offer``, which computes the exact cost from the problem,
so that no strategy can report a wrong one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.model.balance import largest
from warptour.model.gaps import is_optimal
from warptour.model.problem import TSP
from warptour.model.searched import SearchedForm
from warptour.model.vehicles import VRP, Routes
from warptour.observe.contributions import Contribution
from warptour.observe.events import (
    Began,
    Contributions,
    Ended,
    Event,
    Improved,
    Listener,
    Note,
    Population,
    State,
    Step,
    Tick,
    Workers,
    WorkerState,
    read_only,
)
from warptour.search.exchange import Alone, Exchange
from warptour.search.scanning import MakeRunner
from warptour.search.stop import Stop
from warptour.search.tour_cost import TourCost

Problem = TypeVar("Problem", bound="TSP | VRP")
Tour: TypeAlias = NDArray[np.int32]
TICK_SECONDS = 0.1
"""Minimum seconds between two ticks, which flush traces and update the progress."""

SIMPLE_SECONDS = 2e-7
"""Seconds per city for a tour along a space-filling curve, report included: twice what a core of 2023 takes."""

SIMPLE_ROUTE_SECONDS = 2e-6
"""Seconds per customer for routes along a space-filling curve, report included: twice what a core of 2023 takes."""

GRACE_SECONDS = 0.1
"""How long a construction may overrun the time limit: half the overrun that a run is allowed."""

SPARE_SECONDS = 1.0
"""Maximum seconds for a tour along a curve after a signal or the time limit: it is far better than the file's order,
the only one that takes no time."""

SLOW_COMPILATION = 1.0
"""Seconds from which on users are told that kernels were compiled, which the next run need not do."""


class Search(Generic[Problem]):
    """The state of one run, shared by the strategy and its listeners; generic over the kind of problem.

    Parameters
    ----------
    problem : TSP or VRP
        Strategies use ``search.problem``, which has no negative or asymmetric distances; costs and the best solution
        are those of ``search.given``, the problem as it was given.
    stop : Stop
        When to end. A run also ends when a listener returns False or :meth:`interrupt` was called.
    seed : int
        The one integer from which all randomness comes.
    threads : int
        Number of threads that the strategy may use.
    start : str or array or routes, optional
        Name of a construction, or a solution to start from; None leaves the choice to the strategy.
    device : Device or sequence of them, optional
        Where the strategy's kernels run; by default the CPU. The time to compile them is not counted.
    listeners : iterable of callables
        Called with each :class:`~warptour.observe.events.Event`.

    lower_bound : int or float, optional
        Proven bound on the cost; a run ends once a solution attains it.
    cancel : callable, optional
        Ends the run once it returns True; polled with the stop rule.
    population : sequence of tours or routes
        Population of an earlier run, which a strategy may go on from.

    Attributes
    ----------
    best, cost
        The best solution so far and its exact cost.
    miss
        An infeasible solution, for a run that finds no feasible one.
    last
        Where the strategy was when it ended, if that is not the best solution, for a search that is part of another.
    out_of_time
        Whether the strategy ended before the time limit for want of time: what it would do next takes longer.
    failure
        The error that ended the search, unless it was the caller's.
    callers_error
        The error that a listener raised.
    reason
        Why the search is over, a word of ``Result.ended``; None until then.
    searched_on
        Names of the devices that search, its own or those of its members.
    workers
        Members of a crew that search, each with ``threads``; 1 without one.
    start, given_start
        What it starts from, as strategies take it, and as it was given.
    population
        That of an earlier run, as strategies take it.
    exchange
        Solutions of other searches of the same problem, which a strategy may take and go on from.
    scanners
        What makes runners that share exact scans, here and elsewhere; if empty, the devices do.
    """

    def __init__(
        self,
        problem: Problem,
        stop: Stop,
        *,
        seed: int = 0,
        threads: int = 1,
        start: str | Tour | Routes | None = None,
        device: Device | Sequence[Device] | None = None,
        listeners: Iterable[Listener] = (),
        lower_bound: int | float | None = None,
        cancel: Callable[[], bool] | None = None,
        population: Sequence[Tour | Routes] = (),
    ) -> None:
        self.given: Problem = problem
        self._form = SearchedForm(problem)
        self.problem: Problem = self._form.problem
        self.stop = stop
        self.seed = seed
        self.seeds = np.random.SeedSequence(seed)
        self.threads = threads
        self.given_start = start
        self.start = start if start is None or isinstance(start, str) else self._form.enter(start)
        self.population = [self._form.enter(solution) for solution in population]
        self.devices: tuple[Device, ...] = tuple(device) if isinstance(device, Sequence) else (device or Cpu(threads),)
        self.best: Tour | Routes | None = None
        self.cost: int | float | None = None
        self.miss: Tour | Routes | None = None
        self.last: Tour | Routes | None = None
        self.out_of_time = False
        self.failure: Exception | None = None
        self.callers_error: Exception | None = None
        self.lower_bound = lower_bound
        self.exchange: Exchange = Alone()
        self.scanners: Sequence[MakeRunner] = ()
        self.workers = 1
        self.searched_on = tuple(device.name for device in self.devices)
        self.iterations = 0
        self.moves = 0
        self._rank: tuple[float, int | float] | None = None
        self._cost: Any = TourCost(problem, threads) if isinstance(problem, TSP) else problem.cost
        self.interrupted = False
        self.reason: str | None = None
        self._listeners = tuple(listeners)
        self._stopped = False
        self._cancelled = cancel or (lambda: False)
        self._began = time.perf_counter() - self.compile_seconds
        self._ended: float | None = None
        self._improved_at = 0.0, 0  # seconds and iterations
        self._unsettled_at = 0  # iterations
        self._ticked_at = 0.0
        self._told_compilation = False
        self._limit = stop.seconds_left(State(0.0, None, 0, 0, 0.0))

    @property
    def seconds(self) -> float:
        """Wall seconds since the search began until its end, less those that kernels took to compile."""
        return time.perf_counter() - self._began - self.compile_seconds if self._ended is None else self._ended

    @property
    def device(self) -> Device:
        """The first of its devices, for strategies that use one."""
        return self.devices[0]

    @property
    def compile_seconds(self) -> float:
        """Seconds that kernels took to compile, on all devices one after another."""
        return sum(device.compile_seconds for device in self.devices)

    @property
    def state(self) -> State:
        """A snapshot for stop rules and listeners."""
        when, count = self._improved_at
        moves, unsettled = self.moves, self._unsettled_at
        return State(self.seconds, self.cost, self.iterations, moves, when, self.lower_bound, count, unsettled)

    def raise_bound(self, bound: int | float) -> None:
        """Keep a higher lower bound; safe to call from another thread."""
        if self.lower_bound is None or bound > self.lower_bound:
            self.lower_bound = bound

    def unsettle(self) -> None:
        """Say that it is too early to judge by the iterations without improvement: few feasible solutions compete."""
        self._unsettled_at = self.iterations

    def interrupt(self) -> None:
        """End the search at its next poll; safe to call from a signal handler or another thread."""
        self.interrupted = True

    def use_cpu(self, reason: str) -> None:
        """Continue on the CPU from the best tour so far; listeners get the ``reason``."""
        spent = self.compile_seconds
        self.devices = (Cpu(self.threads),)
        self.searched_on = ("cpu",)
        self._began += spent
        if isinstance(self.best, np.ndarray):
            self.start = self._form.enter(self.best).copy()
        self.note(f"{reason}; going on with the CPU")

    def over(self) -> bool:
        """Return whether the strategy must return now; to be polled at least every 50 ms. Once True, it stays so."""
        state = self.state
        if state.seconds - self._ticked_at >= TICK_SECONDS:
            self._ticked_at = state.seconds
            self._tell(Tick(state))
        if not self._told_compilation and self.compile_seconds >= SLOW_COMPILATION:
            self._told_compilation = True
            names = ", ".join(device.name for device in self.devices if device.compile_seconds > 0)
            self.note(
                f"compiled kernels for {names} in {self.compile_seconds:.0f} s; later runs find them in the cache",
                lasting=True,
            )
        if self.reason is None:
            self.reason = self._ending(state)
        return self.reason is not None

    def _ending(self, state: State) -> str | None:
        """Return why the search must end now; None if it may go on."""
        if self.interrupted:
            return "interrupted"
        if self._cancelled():
            return "cancelled"
        if self._stopped:
            return "callback"
        return "optimal" if is_optimal(state.cost, state.lower_bound) else self.stop.ending(state)

    def hurried(self) -> bool:
        """Return whether to abandon a construction, because the time left is needed for a simpler one.

        Limits on iterations do not count: iterations begin after the construction.
        """
        simple = SIMPLE_SECONDS if isinstance(self.problem, TSP) else SIMPLE_ROUTE_SECONDS
        reserve = 2 * simple * self.problem.n if self.best is None else 0.0
        if self.interrupted or self._stopped or self._cancelled():
            return True
        short = self._limit - self.seconds < reserve - GRACE_SECONDS
        self.out_of_time |= short
        return short

    def expired(self) -> bool:
        """Return whether the time is up or the search was told to end; safe to call from any thread."""
        return self.interrupted or self._stopped or self._cancelled() or self.seconds >= self._limit

    def spare_seconds(self) -> float:
        """Return the seconds that a simple solution may take now."""
        told = self.interrupted or self._cancelled()
        return SPARE_SECONDS if told else max(SPARE_SECONDS, self._limit - self.seconds)

    def seconds_left(self) -> float:
        """Seconds until the time limit; infinite without one."""
        return self.stop.seconds_left(self.state)

    def lacks(self, seconds: float) -> bool:
        """Return whether fewer than ``seconds`` are left; a strategy that returns then has been ended by the limit."""
        short = self.seconds_left() < seconds
        self.out_of_time |= short
        return short

    @property
    def timed_out(self) -> bool:
        """Whether the time limit has ended the strategy."""
        return self._final_reason(self.state) == "time"

    def iterations_left(self) -> float:
        """Iterations until the limit on them; infinite without one."""
        return self.stop.iterations_left(self.state)

    def key(self) -> int:
        """Return 64 random bits of the run's seed, the key of kernels' counter-based generators."""
        return int(self.seeds.generate_state(1, np.uint64)[0])

    def count(self, iterations: int = 0, moves: int = 0) -> None:
        """Count iterations and evaluated moves."""
        self.iterations += iterations
        self.moves += moves

    def searched(self, solution: Tour | Routes) -> Tour | Routes:
        """Return a solution of the given problem as one of the problem that strategies search."""
        return self._form.enter(solution)

    def searched_cost(self, solution: Tour | Routes) -> float:
        """Return the exact cost of a solution of the problem that strategies search; infinite if it is none."""
        found = self._form.leave(solution)
        return math.inf if found is None else self.exact_cost(found)

    def exact_cost(self, solution: Tour | Routes) -> int | float:
        """Return the cost of ``solution`` for the given problem, computed on all threads where that pays."""
        cost: int | float = self._cost(solution)
        return cost

    def offer(self, solution: Tour | Routes) -> bool:
        """Keep ``solution`` if it is the best so far, of the lowest exact cost; return whether it is.

        Where fewer vehicles or even routes are better whatever they cost, these count first.

        Of equally good solutions the last is kept: strategies report their final solution at the end and earlier ones
        when there is time, and the result of a run must not depend on the clock. The solution must be feasible; the
        search owns the array from here on.
        """
        found = self._form.leave(solution)
        return found is not None and self.offer_given(found)

    def offer_given(self, found: Tour | Routes) -> bool:
        """Do as :meth:`offer` with a solution of the given problem, such as another search of it reports."""
        cost = self.exact_cost(found)
        rank = self._first(found), cost
        if self._rank is not None and rank >= self._rank:
            if rank == self._rank:
                self.best = found
            return False
        self.best, self.cost, self._rank = found, cost, rank
        self._improved_at = self.seconds, self.iterations
        self._tell(Improved(self.state, found))
        return True

    def _first(self, found: Tour | Routes) -> float:
        """Return what of a solution comes before its cost."""
        problem = self.given
        if not isinstance(problem, VRP) or not isinstance(found, list):
            return 0
        if problem.fewest:
            return sum(len(route) > 0 for route in found)
        return 0 if problem.balance is None else largest(problem, found)

    def remember_infeasible(self, solution: Tour | Routes) -> None:
        """Keep an infeasible solution, for a run that finds no feasible one: its report says what is violated."""
        self.miss = self._form.leave(solution)

    def note(self, text: str, *, lasting: bool = False) -> None:
        """Tell listeners a sentence about the current step, or with ``lasting`` about the whole run."""
        self._tell(Note(self.state, text, lasting))

    def begin(self, facts: Mapping[str, Any]) -> None:
        """Tell listeners that the run begins, and what it is; ``facts`` is serialisable as JSON."""
        self._tell(Began(self.state, facts))

    def step(self, of: str, number: int, **facts: float) -> None:
        """Tell listeners that a round, generation or other step is done; numbers are totals of all so far."""
        self._tell(Step(self.state, of, number, facts))

    def tell_population(self, number: int, solutions: Callable[[int], Iterable[Tour | Routes]]) -> None:
        """Tell listeners that population ``number`` has grown; ``solutions(k)`` returns those from index ``k`` on."""

        def given(first: int) -> list[Any]:
            found = map(self._form.leave, solutions(first))
            return [None if solution is None else read_only(solution) for solution in found]

        self._tell(Population(self.state, number, given))

    def tell_contributions(self, contributions: Iterable[Contribution]) -> None:
        """Tell listeners what each neighbourhood has contributed so far."""
        self._tell(Contributions(self.state, tuple(contributions)))

    def tell_workers(self, workers: Iterable[WorkerState]) -> None:
        """Tell listeners what each of several workers has done so far."""
        rows = tuple(workers)
        if self.workers > 1:
            self.searched_on = tuple(dict.fromkeys(row.device for row in rows if row.device)) or self.searched_on
        self._tell(Workers(self.state, rows))

    def end(self) -> None:
        """Stop the clock, and tell listeners that the run is over."""
        self._ended = self.seconds
        state = self.state
        self.reason = self._final_reason(state)
        event, errors = Ended(state, self.reason, self.interrupted, ",".join(self.searched_on), self.workers), []
        for listener in self._listeners:
            try:
                listener(event)
            except Exception as error:  # the others must still hear of it
                errors.append(error)
        if errors and self.callers_error is None:
            self.callers_error = errors[0]
            raise errors[0]

    def _final_reason(self, state: State) -> str:
        """Return why the search has ended, also where its strategy returned by itself."""
        if self.failure is not None or self.callers_error is not None:
            return "failure"
        if self.interrupted:
            return "interrupted"
        return self.reason or self._ending(state) or ("time" if self.out_of_time else "finished")

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            try:
                answer = listener(event)
            except Exception as error:
                self.callers_error = error
                raise
            if isinstance(answer, bool | np.bool_) and not answer:
                self._stopped = True
