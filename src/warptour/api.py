"""What a user imports: read a problem, solve it, check and write the solution."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import cache, partial
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.devices import find_several
from warptour.io.degrees import ADVICE, look_like_degrees
from warptour.io.generate import generate
from warptour.io.read import read
from warptour.io.solution import check_solution, write_solution
from warptour.model.errors import (
    InputWarning,
    SearchFailed,
    UnsupportedError,
    UsageError,
)
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.report import Report
from warptour.model.vehicles import VRP, Routes
from warptour.observe.checkpoint import Checkpoint, load_checkpoint
from warptour.observe.events import Event, Improved, Listener, State
from warptour.observe.interrupt import Interrupt
from warptour.observe.log import Log
from warptour.observe.notebook import live_progress
from warptour.observe.result import Result
from warptour.observe.tours import Tours, tours_path
from warptour.observe.trace import Trace
from warptour.search.arguments import (
    DEFAULT_SECONDS,
    Flag,
    Solution,
    as_solution,
    fixed_edge_array,
    is_first_run,
    is_unlimited,
    numbers,
    poll_of,
    seed_of,
    starting_point,
    stop_rule,
    thread_count,
)
from warptour.search.bounding import Bounding
from warptour.search.parameters import check_parameters
from warptour.search.patience import settled
from warptour.search.places import choose_devices
from warptour.search.refusals import symmetric_only
from warptour.search.running import begin_facts, result_of, run_search, shortage_of, signals_call
from warptour.search.search import Search, Tour
from warptour.search.stop import Iterations, Seconds, Stop
from warptour.search.strategy import Strategy
from warptour.strategies.exact import HeldKarp, is_tiny
from warptour.strategies.registry import STRATEGIES, default_strategy

if TYPE_CHECKING:  # what few searches need is imported by those
    from warptour.bound.bound import Bound
    from warptour.cluster.crew import Crew

__all__ = ["bound", "check", "generate", "read", "solve", "solve_matrix", "solve_points", "write"]

STRATEGY_PARTS = "name", "iteration", "refuses", "runs_on", "run"
"""What a strategy has, as :class:`~warptour.search.strategy.Strategy` declares it."""

KICKS_BEFORE_PROOF = 20
"""Kicks per city of the search for the tour that :func:`bound` tries to prove optimal, if there are few cities."""

NO_BOUND = "there are lower bounds for tours only, not for vehicles"


def solve(
    problem: TSP | VRP,
    strategy: Strategy | str | None = None,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    target: float | None = None,
    stop: Stop | None = None,
    patience: float | None = None,
    cancel: Flag | None = None,
    seed: int | None = 0,
    threads: int | None = None,
    device: str | Sequence[str] = "auto",
    cluster: str | None = None,
    start: str | PathLike[str] | Solution | None = None,
    trace: str | PathLike[str] | None = None,
    tours: bool = False,
    listeners: Iterable[Listener] = (),
    on_improvement: Callable[[float, Any], object] | None = None,
    checkpoint: str | PathLike[str] | None = None,
    resume: str | PathLike[str] | None = None,
    lower_bound: float | None = None,
    bound: bool = False,
    progress: bool = False,
    interrupt: Interrupt | None = None,
) -> Result:
    """Return the best solution of ``problem`` that the budget allows.

    Ctrl-C ends the search, not the program: the result so far is returned with ``interrupted`` set. So it is where the
    machine runs out of memory, threads or a device: then ``shortage`` says of what, and there is a RuntimeWarning.
    ``ended`` says in a word why the search ended. It may be called from several threads at once.

    Parameters
    ----------
    problem : TSP or VRP
    strategy : Strategy or str, optional
        An object such as ``IteratedLocalSearch()`` or its name; by default the best there is for the problem.
    seconds : float, optional
        Time limit in wall seconds. 10 if neither ``seconds``, ``iterations``, ``stop`` nor ``patience`` is given; then
        a small problem ends earlier, once long without an improvement.
    iterations : int, optional
        Limit on iterations as the strategy counts them. With this limit alone a run is reproducible.
    target : float, optional
        End as soon as the cost is at or below this.
    stop : Stop, optional
        Any rule, ``Seconds(60) | NoImprovement(5)``; it is combined with the limits above.
    patience : float, optional
        End after so many seconds without an improvement. ``math.inf`` lets small problems have their 10 seconds.
    cancel : threading.Event, optional
        Set from another thread, it ends the search within a fraction of a second, with the best solution so far. Of an
        MPI job, that of rank 0 counts.
    seed : int or None
        The one source of randomness; None draws one, and ``Result.seed`` tells which.
    threads : int, optional
        Worker threads, up to 1024; by default as many as this process may use cores, by its affinity and the CPU quota
        of its container. With a time limit there are never more.
    device : str or list of str
        ``"cpu"``, ``"cuda:0"``, ``"opencl:0"`` and so on, or several: ``"cuda:0,cuda:1,cpu"``. ``"auto"`` is a CUDA
        device if there is one and the strategy can use it, else the CPU; ``"all"`` is every device.
    cluster : str, optional
        Search with several processes, each with these threads and devices: ``"local:4"`` on this machine, ``"mpi"``
        with the ranks of a job, all of which call this and get the same result, ``"ray"`` or ``"ray:ADDRESS"``.
    start : str, path, tour or routes, optional
        Where to start: the name of a construction, a solution file, or the solution itself.
    trace : path, optional
        File for JSON lines about the run, one per improvement.
    tours : bool
        Whether to keep the tours beside the trace, in a file of the same name and ``.tours``, for ``warptour view``.
    listeners : iterable of callables
        Each is called with every event of the search, on its thread; one that returns False ends the search, and what
        it raises is raised here.
    on_improvement : callable, optional
        Called with the cost and the solution of each improvement, in read-only arrays; returning False ends the search.
    checkpoint, resume : path, optional
        Keep the best solution in a file; go on from such a file. If both are the same file, it need not exist yet.
    lower_bound : float, optional
        A proven bound on the cost, for ``Result.bound_gap``; a solution that attains it ends the search.
    bound : bool
        Whether to prove such a bound for a tour, on one of the threads: the search has the others, or shares it if
        there is only one.
    progress : bool
        Whether to show the progress: in a notebook below the cell, otherwise on standard error.
    interrupt : Interrupt, optional
        The signals that end the search, for programs with handlers of their own.

    Raises
    ------
    InfeasibleError
        If no solution can exist.
    NothingFound
        If none was found in time; its ``result`` is the closest miss, if there is one.
    SearchFailed
        If a fault of warptour ended the search; the error holds the result so far.
    UnsupportedError
        If the strategy or device cannot do what the problem asks.
    """
    options = cast(SolveOptions, {name: value for name, value in locals().items() if name != "problem"})
    run = partial(_solve, problem, **options)
    if cluster != "mpi":
        return run()
    from warptour.cluster.links.mpi import everywhere

    return everywhere(run, interrupt)


def _solve(problem: TSP | VRP, **options: Unpack[SolveOptions]) -> Result:
    """Solve in this process, which coordinates the others if there are any."""
    _check_problem(problem)
    chosen = choose_strategy(problem, options["strategy"])
    threads, device, cluster, bound = options["threads"], options["device"], options["cluster"], options["bound"]
    rule = _stop_rule(problem, chosen, options)
    cancelled = poll_of(options["cancel"])
    workers = thread_count(threads, rule)
    seed = seed_of(options["seed"])
    compile_seconds = _compile()
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
    trace, tours = options["trace"], options["tours"]
    if tours and trace is None:
        raise UsageError("tours are kept beside a trace; say where with trace (--trace)")
    begin: str | Tour | Routes | None = None if start is None else starting_point(problem, start)
    saved = None if resume is None or is_first_run(checkpoint, resume) else load_checkpoint(resume, problem)
    if saved is not None:
        begin = saved.solution
    heard: list[Listener] = list(options["listeners"])
    if options["on_improvement"] is not None:
        heard.append(_improvement_listener(options["on_improvement"]))
    with ExitStack() as stack:
        crew = None if cluster is None else stack.enter_context(_opened(cluster, threads))
        if options["progress"]:
            limit = rule.seconds_left(State(0.0, None, 0, 0))
            heard.append(stack.enter_context(live_progress(problem, limit, chosen.iteration)))
        keepers: dict[str, Trace | Tours | Checkpoint] = {}
        if trace is not None:
            keepers[fspath(trace)] = stack.enter_context(Trace(trace, tours=tours))
        if trace is not None and tours:
            keepers[str(tours_path(trace))] = stack.enter_context(Tours(tours_path(trace), problem))
        if checkpoint is not None:
            spent = (0.0, 0) if saved is None else (saved.seconds, saved.iterations)
            keeper = Checkpoint(checkpoint, problem, seed=seed, seconds=spent[0], iterations=spent[1])
            keepers[fspath(checkpoint)] = keeper
        where = ",".join(place.name for place in places) if cluster is None else f"cluster {cluster}"
        log = Log(problem.name, f"{chosen.name} on {where}, threads={workers}, seed={seed}")
        heard = [log, *keepers.values(), *heard]  # what a callback is told is kept, whatever the callback does
        search: Search[Any] = Search(
            problem,
            rule,
            seed=seed,
            threads=workers,
            start=begin,
            device=places,
            listeners=heard,
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
                problem.prove_infeasible(search.hurried)
            interrupt, fall_back = options["interrupt"], device == "auto" and crew is None
            with (
                Bounding(search) if bound else nullcontext(),
                _divided(chosen, search, crew, device, interrupt) as whole,
            ):
                run_search(whole, search, interrupt, fall_back=fall_back)
            if isinstance(chosen, HeldKarp) and search.cost is not None and search.failure is None:
                search.raise_bound(search.cost)
        finally:
            for place in search.devices:
                place.close()
            search.end()
    lack = None if search.failure is None else shortage_of(search.failure)
    if lack is not None:
        warnings.warn(f"the search ended early: {lack}", RuntimeWarning, stacklevel=3)
    unwritten = tuple(path for path, listener in keepers.items() if not listener.complete)
    result = result_of(search, chosen, compile_seconds + search.compile_seconds, unwritten)
    if search.failure is not None and lack is None:
        raise SearchFailed(result) from search.failure
    return result


def _stop_rule(problem: TSP | VRP, strategy: Strategy, options: SolveOptions) -> Stop:
    """Return when to end: by the limits given, or without any after the default time, small problems earlier.

    Small problems have their time where a proof is asked for, and under a strategy, parameters or a cluster of the
    user's choice.
    """
    limits = options["seconds"], options["iterations"], options["target"], options["stop"], options["patience"]
    rule = stop_rule(*limits)
    free = options["patience"] is None and is_unlimited(options["seconds"], options["iterations"], options["stop"])
    usual = strategy == default_strategy(problem) and not options["bound"] and options["cluster"] is None
    done = settled(problem) if free and usual else None
    return rule if done is None else rule | done


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


class SolveOptions(TypedDict, total=False):
    """The keyword arguments of :func:`solve`."""

    strategy: Strategy | str | None
    seconds: float | None
    iterations: int | None
    target: float | None
    stop: Stop | None
    patience: float | None
    cancel: Flag | None
    seed: int | None
    threads: int | None
    device: str | Sequence[str]
    cluster: str | None
    start: str | PathLike[str] | Solution | None
    trace: str | PathLike[str] | None
    tours: bool
    listeners: Iterable[Listener]
    on_improvement: Callable[[float, Any], object] | None
    checkpoint: str | PathLike[str] | None
    resume: str | PathLike[str] | None
    lower_bound: float | None
    bound: bool
    progress: bool
    interrupt: Interrupt | None


def solve_points(
    xy: ArrayLike,
    *,
    latlon: bool | None = None,
    metric: str | None = None,
    name: str = "points",
    open: bool = False,
    first: int | None = None,
    last: int | None = None,
    fixed_edges: ArrayLike | None = None,
    **options: Unpack[SolveOptions],
) -> NDArray[np.int32]:
    """Return a short tour through points, as a permutation of 0..n-1.

    Parameters
    ----------
    xy : array-like, shape (n, 2) or (n, 3)
        Coordinates; with ``latlon`` latitude and longitude in degrees.
    latlon : bool, optional
        Whether to measure great-circle metres. If neither this nor ``metric`` is given, points that look like degrees
        get a warning.
    metric : str, optional
        A name in ``METRICS``; by default Euclidean, unrounded.
    open, first, last, fixed_edges
        As for :class:`TSP`.
    **options
        As for :func:`solve`.
    """
    points = numbers(xy, "points")
    if latlon and metric is not None:
        raise UsageError("latlon is a metric of its own; give one of latlon and metric")
    if latlon is None and metric is None and look_like_degrees(points):
        warnings.warn(f"points {ADVICE}", InputWarning, stacklevel=2)
    spatial = points.ndim == 2 and points.shape[1] == 3
    word = metric or ("GREAT_CIRCLE" if latlon else "EUCLIDEAN_3D" if spatial else "EUCLIDEAN")
    if word not in METRICS or METRICS[word].norm == "matrix":
        names = [key for key, value in METRICS.items() if value.norm != "matrix"]
        raise UsageError(f"unknown metric {word!r} for points; there are {', '.join(names)}")
    edges = fixed_edge_array(fixed_edges)
    problem = TSP(name, METRICS[word], points, open=open, first=first, last=last, fixed_edges=edges)
    return solve(problem, **options).tour


def solve_matrix(
    matrix: ArrayLike,
    *,
    name: str = "matrix",
    open: bool = False,
    first: int | None = None,
    last: int | None = None,
    fixed_edges: ArrayLike | None = None,
    **options: Unpack[SolveOptions],
) -> NDArray[np.int32]:
    """Return a short tour for an (n, n) matrix of distances from row to column, as a permutation of 0..n-1.

    ``open``, ``first``, ``last`` and ``fixed_edges`` are as for :class:`TSP`, ``options`` as for :func:`solve`.
    """
    table = numbers(matrix, "a matrix")
    edges = fixed_edge_array(fixed_edges)
    problem = TSP.from_matrix(table, name=name, open=open, first=first, last=last, fixed_edges=edges)
    return solve(problem, **options).tour


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

    _check_problem(problem)
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
        choose_strategy(problem, None).run(search)
        return search.cost

    with signals_call(signalled.set, interrupt):
        return prove_bound(problem, limit, workers, over, listener, tour_cost)


def check(problem: TSP | VRP, solution: str | PathLike[str] | Solution) -> Report:
    """Return the exact cost of a solution, given as such or as a file, and everything that is wrong with it."""
    _check_problem(problem)
    if isinstance(solution, str | PathLike):
        return check_solution(solution, problem)
    return problem.check(as_solution(problem, solution))  # type: ignore[arg-type]


def write(path: str | PathLike[str], problem: TSP | VRP, solution: Solution) -> None:
    """Write a tour or routes to ``path`` in the format of its suffix: ``.tour``, ``.sol``, ``.csv`` or ``.geojson``.

    Every node must be visited exactly once; what breaks a limit on routes can be written.
    """
    _check_problem(problem)
    cost = solution.cost if isinstance(solution, Result) else None
    write_solution(path, problem, as_solution(problem, solution), cost)


def choose_strategy(problem: TSP | VRP, strategy: Strategy | str | None) -> Strategy:
    """Return the strategy that a run of ``problem`` will use, or say why the one asked for cannot."""
    if isinstance(strategy, str):
        if strategy not in STRATEGIES:
            raise UsageError(f"unknown strategy {strategy!r}; there are {', '.join(STRATEGIES)}")
        strategy = STRATEGIES[strategy]()
    if strategy is not None:
        lacks = [name for name in STRATEGY_PARTS if not hasattr(strategy, name)]
        if len(lacks) == len(STRATEGY_PARTS):
            raise UsageError(f"a strategy is a name or an object such as IteratedLocalSearch(), not {strategy!r}")
        if lacks:
            raise UsageError(f"the strategy {type(strategy).__name__} lacks {', '.join(lacks)}; see warptour.Strategy")
        check_parameters(strategy)
        _check_supported(strategy, problem)
    if is_tiny(problem):
        return HeldKarp()
    if strategy is None:
        strategy = default_strategy(problem)
        _check_supported(strategy, problem)
    return strategy


def _check_supported(strategy: Strategy, problem: TSP | VRP) -> None:
    reason = strategy.refuses(problem)
    if reason is None and not isinstance(strategy, HeldKarp):
        reason = symmetric_only(strategy, problem)
    if reason is not None:
        raise UnsupportedError(reason)


def _check_problem(problem: object) -> None:
    if not isinstance(problem, TSP | VRP):
        raise UsageError(
            f"a problem is a TSP or VRP, such as read() returns, not {type(problem).__name__}; "
            "solve_points and solve_matrix take arrays"
        )


def _improvement_listener(callback: Callable[[float, Any], object]) -> Listener:
    def listen(event: Event) -> object:
        if isinstance(event, Improved) and event.state.cost is not None:
            return callback(event.state.cost, event.solution)
        return None

    return listen


def _compile() -> float:
    """Load the native library before the clock starts; return the seconds it took."""
    began = time.perf_counter()
    from warptour.kernels.library import library

    library()
    return time.perf_counter() - began
