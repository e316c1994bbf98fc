"""One search in this process, from the options to the result."""

from __future__ import annotations

import time
import warnings
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import TYPE_CHECKING, Any, Unpack

from warptour.api.arguments import (
    is_first_run,
    is_unlimited,
    poll_of,
    seed_of,
    starting_point,
    stop_rule,
    thread_count,
)
from warptour.api.choice import check_problem, choose_strategy
from warptour.api.listening import listener_of, open_keepers
from warptour.api.options import SolveOptions
from warptour.api.proof import NO_BOUND
from warptour.devices import find_several
from warptour.model.errors import SearchFailed, UnsupportedError, UsageError
from warptour.model.infeasibility import prove_infeasible
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.observe.checkpoint import load_checkpoint
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


def run_here(problem: TSP | VRP, **options: Unpack[SolveOptions]) -> Result:
    """Solve in this process, which coordinates the others if there are any."""
    check_problem(problem)
    chosen = choose_strategy(problem, options["strategy"])
    threads, device, cluster, bound = options["threads"], options["device"], options["cluster"], options["bound"]
    rule = limits_of(problem, chosen, options)
    cancelled = poll_of(options["cancel"])
    workers = thread_count(threads, rule)
    seed = seed_of(options["seed"])
    compile_seconds = _load_library()
    if bound and isinstance(problem, VRP):
        raise UnsupportedError(NO_BOUND)
    if isinstance(chosen, HeldKarp):
        find_several(device)
        device, cluster = "cpu", None
    if bound and workers > 1:
        workers -= 1
    places, passed_over = choose_devices(device if cluster is None else "cpu", chosen, problem, workers)
    start, checkpoint, resume = options["start"], options["checkpoint"], options["resume"]
    if start is not None and resume is not None:
        raise UsageError("a run starts from `start` or continues from `resume`, not both")
    if options["tours"] and options["trace"] is None:
        raise UsageError("tours are kept beside a trace; say where with trace (--trace)")
    begin: str | Tour | Routes | None = None if start is None else starting_point(problem, start)
    saved = None if resume is None or is_first_run(checkpoint, resume) else load_checkpoint(resume, problem)
    if saved is not None:
        begin = saved.solution
    heard: list[Listener] = list(options["listeners"])
    if options["on_improvement"] is not None:
        heard.append(listener_of(options["on_improvement"]))
    with ExitStack() as stack:
        crew = None if cluster is None else stack.enter_context(_opened(cluster, threads))
        if options["progress"]:
            limit = rule.seconds_left(State(0.0, None, 0, 0))
            heard.append(stack.enter_context(live_progress(problem, limit, chosen.iteration)))
        keepers = open_keepers(stack, problem, options, seed, saved)
        where = ",".join(place.name for place in places) if cluster is None else f"cluster {cluster}"
        log = Log(problem.name, f"{chosen.name} on {where}, threads={workers}, seed={seed}")
        search: Search[Any] = Search(
            problem,
            rule,
            seed=seed,
            threads=workers,
            start=begin,
            device=places,
            listeners=[log, *keepers.values(), *heard],  # what a callback is told is kept, whatever it does
            lower_bound=options["lower_bound"],
            cancel=cancelled,
            population=() if saved is None else saved.population,
        )
        team = (search.threads, len(places)) if crew is None else (crew.threads, len(crew.members))
        search.begin(begin_facts(search, chosen, *team))
        for failure in passed_over:
            search.note(f"{failure}; going on with {search.device.name}", lasting=True)
        if crew is None and threads is not None and workers + bound < threads:
            search.note(
                f"{threads} threads on {workers} cores would miss the time limit: going on with {workers}", lasting=True
            )
        try:
            if isinstance(problem, VRP):
                prove_infeasible(problem, search.hurried)
            interrupt, fall_back = options["interrupt"], device == "auto" and crew is None
            with (
                Bounding(search) if bound else nullcontext(),
                _divided(chosen, search, crew, device, interrupt) as whole,
            ):
                run_search(whole, search, interrupt, fall_back=fall_back)
        finally:
            for place in search.devices:
                place.close()
            search.end()
    lack = None if search.failure is None else shortage_of(search.failure)
    if lack is not None:
        warnings.warn(f"the search ended early: {lack}", RuntimeWarning, stacklevel=3)
    unwritten = tuple(path for path, keeper in keepers.items() if not keeper.complete)
    result = result_of(search, chosen, compile_seconds + search.compile_seconds, unwritten)
    if search.failure is not None and lack is None:
        raise SearchFailed(result) from search.failure
    return result


def limits_of(problem: TSP | VRP, strategy: Strategy, options: SolveOptions) -> Stop:
    """Return when to end: by the limits given, or without any after the default time, small problems earlier.

    Small problems have their time where a proof is asked for, and under a strategy, parameters or a cluster of the
    user's choice.
    """
    limits = options["seconds"], options["iterations"], options["target"], options["stop"], options["patience"]
    rule = stop_rule(*limits)
    free = options["patience"] is None and is_unlimited(options["seconds"], options["iterations"], options["stop"])
    usual = strategy in (default_strategy(problem), HeldKarp()) and not options["bound"] and options["cluster"] is None
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
