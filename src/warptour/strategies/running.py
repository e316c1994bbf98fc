"""Running a strategy: signals, failures, the fallback to the CPU, and the result."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from warptour.devices import BACKENDS, DeviceError
from warptour.model.errors import NothingFound, WarptourError, shortage
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.observe.events import State
from warptour.observe.interrupt import Interrupt
from warptour.observe.result import Result
from warptour.search.parameters import parameters
from warptour.search.search import Search
from warptour.search.strategy import Strategy
from warptour.strategies.fallback import run_in_time


def run_search(strategy: Strategy, search: Search[Any], interrupt: Interrupt | None, *, fall_back: bool) -> None:
    """Run ``strategy``; a signal ends it with the best solution so far, and a run without any gets a simple one.

    A signal handler only sets a flag: an exception from it might surface inside a compiled call.
    """

    def work() -> None:
        try:
            failure = ""
            try:
                run_in_time(strategy, search)
            except Exception as error:
                if not fall_back or not is_of_device(error):
                    raise
                failure = str(error)
            if failure:  # outside the handler, whose traceback holds the arrays of the first run
                search.use_cpu(failure)
                run_in_time(strategy, search)
        except Exception as error:
            if not _leaves_a_result(search, error):
                raise
            # frames hold arrays, and those are let go where memory is short
            search.failure = error if shortage_of(error) is None else error.with_traceback(None)

    if isinstance(search.start, np.ndarray | list):
        search.offer(search.start)
    with signals_call(search.interrupt, interrupt):
        work()


@contextmanager
def signals_call(action: Callable[[], None], interrupt: Interrupt | None) -> Iterator[None]:
    """Call ``action`` on a signal of ``interrupt``, or by default on SIGINT inside this block."""
    if interrupt is None:
        with Interrupt(*_default_signals(), action=action):
            yield
    else:
        interrupt.redirect(action)
        yield


def _leaves_a_result(search: Search[Any], error: Exception) -> bool:
    """Return whether the result so far is kept despite ``error``: not without one, nor if the caller is at fault."""
    if search.best is None and search.miss is None:
        return False
    if error is search.callers_error:
        return shortage(error) is not None
    if isinstance(error, DeviceError):
        return search.iterations > 0  # who asks for a device that does not work from the start is told
    return not isinstance(error, WarptourError)


def shortage_of(error: Exception) -> str | None:
    """Return the resource that ran out, if ``error`` says so."""
    refused = isinstance(error, OSError) or is_of_device(error)
    return getattr(error, "strerror", None) or str(error) if refused else shortage(error)


def is_of_device(error: Exception) -> bool:
    """Return whether a device or its driver raised ``error``."""
    drivers = tuple(backend.library for backend in BACKENDS.values())
    return isinstance(error, DeviceError) or type(error).__module__.startswith(drivers)


def _default_signals() -> list[int]:
    """Return SIGINT, unless the program has a handler of its own."""
    return [signal.SIGINT] if signal.getsignal(signal.SIGINT) is signal.default_int_handler else []


def begin_facts(search: Search[Any], strategy: Strategy, threads: int, workers: int) -> dict[str, Any]:
    """Return what the first event says of a run by ``workers`` with ``threads`` each."""
    problem = search.given
    fresh = State(0.0, None, 0, 0)
    limits = search.stop.seconds_left(fresh), search.stop.iterations_left(fresh)
    return {
        "name": problem.name,
        "kind": problem.kind,
        "n": problem.n,
        "metric": problem.metric.name,
        "open": isinstance(problem, TSP) and problem.open,
        "strategy": strategy.name,
        "parameters": parameters(strategy),
        "iteration": strategy.iteration,
        "device": ",".join(search.searched_on),
        "threads": threads,
        "seed": search.seed,
        "workers": workers,
        "best_known": problem.best_known,
        "seconds": limits[0] if math.isfinite(limits[0]) else None,
        "iterations": limits[1] if math.isfinite(limits[1]) else None,
    }


def result_of(
    search: Search[Any],
    strategy: Strategy,
    compile_seconds: float,
    unwritten: tuple[str, ...],
) -> Result:
    """Return the best solution, or raise :class:`NothingFound` with the closest miss."""
    problem, seconds = search.given, search.seconds
    best = search.miss if search.best is None else search.best
    failure = f"no feasible solution of {problem.name} was found in {seconds:.1f} s"
    if best is None:
        raise NothingFound(failure)
    routes: Routes | None = None
    if isinstance(problem, VRP):
        routes = [route for route in best if len(route) or problem.fleet is not None]
        tour = problem.giant_tour(routes)
        violations = list(problem.check(routes).violations)
    else:
        tour = problem.as_written(np.asarray(best))
        violations = problem.violations(tour)
    result = Result(
        name=problem.name,
        kind=problem.kind,
        n=problem.n,
        cost=search.exact_cost(tour if routes is None else routes),  # of what is returned, to the last digit
        feasible=not violations,
        tour=tour,
        routes=routes,
        lower_bound=search.lower_bound,
        best_known=problem.best_known,
        seconds=seconds,
        compile_seconds=compile_seconds,
        iterations=search.iterations,
        moves=search.moves or None,
        device=",".join(search.searched_on),
        strategy=strategy.name,
        seed=search.seed,
        threads=search.threads,
        workers=search.workers,
        interrupted=search.interrupted,
        ended=search.reason or "",
        improved_at=search.state.improved_at,
        shortage=None if search.failure is None else shortage_of(search.failure),
        unwritten=unwritten,
        problem=problem,
    )
    if violations:
        raise NothingFound(f"{failure}; the closest miss: {violations[0]}", result)
    return result
