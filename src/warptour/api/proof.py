"""A lower bound on the cost of every tour, and of all vehicle routes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warptour.api.arguments import DEFAULT_SECONDS, Flag, poll_of, stop_rule, thread_count
from warptour.api.choice import check_problem, choose_strategy
from warptour.model.errors import UnsupportedError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.events import State
from warptour.observe.interrupt import Interrupt
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds, Stop
from warptour.strategies.fallback import run_in_time
from warptour.strategies.running import signals_call

if TYPE_CHECKING:  # imported where it is used: few searches need it
    from warptour.bound.bound import Bound

KICKS_BEFORE_PROOF = 20
"""Kicks per city of the search for the tour that :func:`bound` tries to prove optimal, if there are few cities."""

ROUTES_SHARE, ROUTES_SECONDS = 0.1, 10.0
"""Share of the time, and the most seconds, of the search for the routes that :func:`bound` tries to prove optimal."""


TOUR_SECONDS = 0.004
"""Seconds per city of the search for the tour that branch and cut is to prove optimal; at least those of 500 cities."""


def check_boundable(problem: TSP | VRP, prove: bool = False) -> None:
    """Raise :class:`UnsupportedError` if there is no bound for a problem, and MissingLibrary without what it needs."""
    if isinstance(problem, VRP):
        from warptour.bound.vehicles import refusal, require_solver

        reason = refusal(problem)
        if reason is not None:
            raise UnsupportedError(reason)
        require_solver()
    elif prove:
        from warptour.bound.highs import require_highs

        require_highs("proofs of optimality")


def bound(
    problem: TSP | VRP,
    *,
    seconds: float = DEFAULT_SECONDS,
    threads: int | None = None,
    prove: bool = False,
    cancel: Flag | None = None,
    interrupt: Interrupt | None = None,
    listener: Callable[[int | float], object] | None = None,
) -> Bound:
    """Return a proven lower bound on the cost of every solution of ``problem``.

    Of tours it is close to Held and Karp's; of vehicles it comes from linear programs over edges and routes.

    Parameters
    ----------
    problem : TSP or VRP
        Tours of any metric, closed or open, with or without fixed edges; vehicles that are all alike.
    seconds : float
        Time limit; the work ends earlier once nothing can be gained.
    threads : int, optional
        By default all cores; the bound of vehicles takes one.
    prove : bool
        Whether to search for a tour for up to a fifth of the time, and to prove it optimal by branch and cut, for up to
        3,000 cities; vehicles need not be asked.
    cancel : threading.Event, optional
        Set from another thread, it ends the work with the bound so far.
    interrupt : Interrupt, optional
        Signals that end the work, with the bound so far; for programs with handlers of their own.
    listener : callable, optional
        Called with each higher bound.

    Raises
    ------
    UnsupportedError
        If there is no bound for such a problem.
    MissingLibrary
        If there are vehicles or ``prove``, and HiGHS is not installed.
    """
    from warptour.bound import prove_bound
    from warptour.bound.vehicles import prove_vehicles

    check_problem(problem)
    check_boundable(problem, prove)
    rule = stop_rule(seconds, None, None, None)
    workers = thread_count(threads, rule)
    signalled, cancelled = threading.Event(), poll_of(cancel)
    limit = rule.seconds_left(State(0.0, None, 0, 0))

    def over() -> bool:
        return signalled.is_set() or (cancelled is not None and cancelled())

    @cache
    def found() -> Search[Any]:
        until: Stop = Seconds(min(limit * ROUTES_SHARE, ROUTES_SECONDS))
        if prove and isinstance(problem, TSP):
            until = Seconds(min(limit / 5, TOUR_SECONDS * max(500, problem.n)))
        elif isinstance(problem, TSP):
            until |= Iterations(KICKS_BEFORE_PROOF * problem.n)
        search = Search[Any](problem, until, threads=workers if prove else 1, cancel=over)
        run_in_time(choose_strategy(problem, None), search)
        return search

    def plan() -> tuple[int | float, Any] | None:
        cost = found().cost
        return None if cost is None else (cost, found().best)

    def tour() -> NDArray[np.int32] | None:
        best = found().best
        return best if isinstance(best, np.ndarray) else None

    with signals_call(signalled.set, interrupt):
        if isinstance(problem, VRP):
            return prove_vehicles(problem, limit, over, listener, plan)
        return prove_bound(problem, limit, workers, over, listener, lambda: found().cost, tour if prove else None)
