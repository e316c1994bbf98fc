"""One search in this process, from the options to the result."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from warptour.api.arguments import is_first_run, is_unlimited, poll_of, seed_of, starting_point, stop_rule, thread_count
from warptour.api.choice import check_problem, choose_strategy
from warptour.api.listening import callers_listeners, open_keepers
from warptour.api.options import SearchOptions
from warptour.api.proof import check_boundable
from warptour.devices import Device, find_several
from warptour.model.errors import SearchFailed, UsageError
from warptour.model.infeasibility import prove_infeasible
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.observe.checkpoint import Saved, load_checkpoint
from warptour.observe.events import Listener, State
from warptour.observe.interrupt import Interrupt
from warptour.observe.log import Log
from warptour.observe.notebook import live_progress
from warptour.observe.result import Result
from warptour.search.bounding import Bounding
from warptour.search.patience import settled
from warptour.search.search import Search, Tour
from warptour.search.stop import Stop
from warptour.search.strategy import Strategy
from warptour.strategies.exact import HeldKarp
from warptour.strategies.places import choose_devices
from warptour.strategies.registry import default_strategy
from warptour.strategies.running import begin_facts, result_of, run_search, shortage_of

if TYPE_CHECKING:  # imported where it is used: few searches need it
    from warptour.cluster.crew import Crew


class Prepared(NamedTuple):
    """A run before it begins: what the options come to for the problem.

    Attributes
    ----------
    strategy : Strategy
    rule : Stop
        All limits.
    seed, threads : int
    device : str or sequence of str
        As asked for; the CPU where a problem is solved exactly.
    cluster : str or None
    places : list of Device
    passed_over : list of str
        Why devices are left out.
    start : str, tour, routes or None
    saved : Saved or None
        The checkpoint that it goes on from.
    cancelled : callable
        Polled by the search, which ends once it returns True.
    compile_seconds : float
        Time to load the library.
    """

    problem: TSP | VRP
    options: SearchOptions
    strategy: Strategy
    rule: Stop
    seed: int
    threads: int
    device: str | Sequence[str]
    cluster: str | None
    places: Sequence[Device]
    passed_over: Sequence[str]
    start: str | Tour | Routes | None
    saved: Saved | None
    cancelled: Callable[[], bool] | None
    compile_seconds: float

    def search(self, listeners: Sequence[Listener]) -> Search[Any]:
        """Return the search, which has not begun."""
        where = ",".join(place.name for place in self.places) if self.cluster is None else f"cluster {self.cluster}"
        log = Log(self.problem.name, f"{self.strategy.name} on {where}, threads={self.threads}, seed={self.seed}")
        return Search(
            self.problem,
            self.rule,
            seed=self.seed,
            threads=self.threads,
            start=self.start,
            device=self.places,
            listeners=[log, *listeners],
            lower_bound=self.options.lower_bound,
            cancel=self.cancelled,
            population=() if self.saved is None else self.saved.population,
        )


def prepared(problem: TSP | VRP, options: SearchOptions) -> Prepared:
    """Check the options, and return what they come to."""
    check_problem(problem)
    strategy = choose_strategy(problem, options.strategy)
    rule = limits_of(problem, strategy, options)
    cancelled = poll_of(options.cancel)
    threads = thread_count(options.threads, rule)
    seed = seed_of(options.seed)
    compile_seconds = _load_library()
    if options.bounding:
        check_boundable(problem, options.prove)
    device, cluster = options.device, options.cluster
    if isinstance(strategy, HeldKarp):
        find_several(device)
        device, cluster = "cpu", None
    if options.bounding and threads > 1:
        threads -= 1
    places, passed_over = choose_devices(device if cluster is None else "cpu", strategy, problem, threads)
    start, saved = _beginning(problem, options)
    return Prepared(
        problem, options, strategy, rule, seed, threads, device, cluster, places, passed_over, start, saved,
        cancelled, compile_seconds,
    )  # fmt: skip


def _beginning(problem: TSP | VRP, options: SearchOptions) -> tuple[str | Tour | Routes | None, Saved | None]:
    """Return what a run starts from, and the checkpoint that it goes on from."""
    start, resume = options.start, options.resume
    if start is not None and resume is not None:
        raise UsageError("a run starts from `start` or continues from `resume`, not both")
    if options.tours and options.trace is None:
        raise UsageError("tours are kept beside a trace; say where with trace (--trace)")
    begin = None if start is None else starting_point(problem, start)
    if resume is None or is_first_run(options.checkpoint, resume):
        return begin, None
    saved = load_checkpoint(resume, problem)
    return saved.solution, saved


def run_here(problem: TSP | VRP, options: SearchOptions) -> Result:
    """Solve in this process, which coordinates the others if there are any."""
    ready = prepared(problem, options)
    heard = callers_listeners(options)
    with ExitStack() as stack:
        crew = None if ready.cluster is None else stack.enter_context(_opened(ready.cluster, options.threads))
        if options.progress:
            limit = ready.rule.seconds_left(State(0.0, None, 0, 0))
            heard.append(stack.enter_context(live_progress(problem, limit, ready.strategy.iteration)))
        keepers = open_keepers(stack, problem, options, ready.seed, ready.saved)
        search = ready.search([*keepers.values(), *heard])  # what a callback is told is kept, whatever it does
        _run(ready, search, crew)
    lack = None if search.failure is None else shortage_of(search.failure)
    if lack is not None:
        warnings.warn(f"the search ended early: {lack}", RuntimeWarning, stacklevel=4)
    unwritten = tuple(path for path, keeper in keepers.items() if not keeper.complete)
    result = result_of(search, ready.strategy, ready.compile_seconds + search.compile_seconds, unwritten)
    if search.failure is not None and lack is None:
        raise SearchFailed(result) from search.failure
    return result


def _run(ready: Prepared, search: Search[Any], crew: Crew | None) -> None:
    """Begin a search, run it and end it."""
    options, problem = ready.options, ready.problem
    team = (search.threads, len(ready.places)) if crew is None else (crew.threads, len(crew.members))
    search.begin(begin_facts(search, ready.strategy, *team))
    for failure in ready.passed_over:
        search.note(f"{failure}; going on with {search.device.name}", lasting=True)
    asked, given = options.threads, ready.threads
    if crew is None and asked is not None and given + options.bounding < asked:
        search.note(f"{asked} threads on {given} cores would miss the time limit: going on with {given}", lasting=True)
    try:
        if isinstance(problem, VRP):
            prove_infeasible(problem, search.hurried)
        with (
            Bounding(search, options.prove) if options.bounding else nullcontext(),
            _divided(ready.strategy, search, crew, ready.device, options.interrupt) as whole,
        ):
            run_search(whole, search, options.interrupt, fall_back=ready.device == "auto" and crew is None)
    finally:
        for place in search.devices:
            place.close()
        search.end()


def limits_of(problem: TSP | VRP, strategy: Strategy, options: SearchOptions) -> Stop:
    """Return when to end: by the limits given, or without any after the default time, small problems earlier.

    Small problems have their time where a proof is asked for, and under a strategy, parameters or a cluster of the
    user's choice.
    """
    rule = stop_rule(options.seconds, options.iterations, options.target, options.stop, options.patience)
    free = options.patience is None and is_unlimited(options.seconds, options.iterations, options.stop)
    usual = strategy in (default_strategy(problem), HeldKarp()) and not options.bounding and options.cluster is None
    done = settled(problem) if free and usual else None
    return rule if done is None else rule | done


def _load_library() -> float:
    """Load the native library before the clock starts; return the seconds it took."""
    began = time.perf_counter()
    from warptour.kernels.library import library

    library()
    return time.perf_counter() - began


def _opened(cluster: str, threads: int | None) -> Crew:
    from warptour.cluster.links.open import open_cluster

    return open_cluster(cluster, threads)


def _divided(
    strategy: Strategy, search: Search[Any], crew: Crew | None, device: Any, interrupt: Interrupt | None
) -> AbstractContextManager[Strategy]:
    """Return what runs ``strategy`` on all members of a crew and all devices; itself on one device."""
    if crew is None and len(search.devices) == 1:
        return nullcontext(strategy)
    from warptour.cluster.plan import divided

    return divided(strategy, search, crew, device, interrupt)
