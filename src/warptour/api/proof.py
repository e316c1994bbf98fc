"""A lower bound on the cost of every tour."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from warptour.api.arguments import DEFAULT_SECONDS, Flag, poll_of, stop_rule, thread_count
from warptour.api.choice import check_problem, choose_strategy
from warptour.model.errors import UnsupportedError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.events import State
from warptour.observe.interrupt import Interrupt
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds
from warptour.strategies.fallback import run_in_time
from warptour.strategies.running import signals_call

if TYPE_CHECKING:  # imported where it is used: few searches need it
    from warptour.bound.bound import Bound

KICKS_BEFORE_PROOF = 20
"""Kicks per city of the search for the tour that :func:`bound` tries to prove optimal, if there are few cities."""

NO_BOUND = "there are lower bounds for tours only, not for vehicles"


def bound(
    problem: TSP,
    *,
    seconds: float = DEFAULT_SECONDS,
    threads: int | None = None,
    cancel: Flag | None = None,
    interrupt: Interrupt | None = None,
    listener: Callable[[int | float], object] | None = None,
) -> Bound:
    """Return a proven lower bound on the cost of every tour of ``problem``: close to Held and Karp's.

    Parameters
    ----------
    problem : TSP
        Any metric, closed or open, with or without fixed edges.
    seconds : float
        Time limit; the work ends earlier once nothing can be gained.
    threads : int, optional
        By default all cores.
    cancel : threading.Event, optional
        Set from another thread, it ends the work with the bound so far.
    interrupt : Interrupt, optional
        Signals that end the work, with the bound so far; for programs with handlers of their own.
    listener : callable, optional
        Called with each higher bound.

    Raises
    ------
    UnsupportedError
        If ``problem`` is a VRP.
    """
    from warptour.bound.bound import prove_bound

    check_problem(problem)
    if isinstance(problem, VRP):
        raise UnsupportedError(NO_BOUND)
    rule = stop_rule(seconds, None, None, None)
    workers = thread_count(threads, rule)
    signalled, cancelled = threading.Event(), poll_of(cancel)
    limit = rule.seconds_left(State(0.0, None, 0, 0))

    def over() -> bool:
        return signalled.is_set() or (cancelled is not None and cancelled())

    @cache
    def tour_cost() -> int | float | None:
        rule = Iterations(KICKS_BEFORE_PROOF * problem.n) | Seconds(limit / 10)
        search = Search(problem, rule, threads=1, cancel=over)
        run_in_time(choose_strategy(problem, None), search)
        return search.cost

    with signals_call(signalled.set, interrupt):
        return prove_bound(problem, limit, workers, over, listener, tour_cost)
