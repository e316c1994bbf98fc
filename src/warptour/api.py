"""What a user imports: read a problem, solve it, check and write the solution."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.construct.start import STARTS
from warptour.devices import Device, DeviceError, find
from warptour.devices.cpu import Cpu
from warptour.io.generate import generate
from warptour.io.read import read
from warptour.io.solution import read_solution, write_solution
from warptour.kernels.cores import MOST_THREADS, usable_cores
from warptour.model.errors import InputError, NothingFound, UnsupportedError, UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.report import Report
from warptour.model.result import Result
from warptour.model.vehicles import VRP, Routes
from warptour.observe.checkpoint import Checkpoint, load_checkpoint
from warptour.observe.events import Event, Improved, Listener, State
from warptour.observe.interrupt import Interrupt
from warptour.observe.trace import Trace
from warptour.strategies.fallback import offer_something
from warptour.strategies.ranges import check_ranges
from warptour.strategies.registry import STRATEGIES, default_strategy
from warptour.strategies.search import Search, Strategy, Tour
from warptour.strategies.stop import Iterations, Seconds, Stop, Target
from warptour.strategies.tiny import Tiny, is_tiny

__all__ = ["check", "generate", "read", "solve", "solve_matrix", "solve_points", "write"]

DEFAULT_SECONDS = 10.0
"""The time limit of a run that was given none."""

Solution: TypeAlias = ArrayLike | Sequence[ArrayLike] | Result
"""A tour or routes, in any form that NumPy understands, or the result that holds them."""


def solve(
    problem: TSP | VRP,
    strategy: Strategy | str | None = None,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    target: float | None = None,
    stop: Stop | None = None,
    seed: int = 0,
    threads: int | None = None,
    device: str = "auto",
    start: str | PathLike[str] | Solution | None = None,
    trace: str | PathLike[str] | None = None,
    listeners: Iterable[Listener] = (),
    on_improvement: Callable[[float, Any], object] | None = None,
    checkpoint: str | PathLike[str] | None = None,
    resume: str | PathLike[str] | None = None,
    lower_bound: float | None = None,
    interrupt: Interrupt | None = None,
) -> Result:
    """Return the best solution of ``problem`` that the budget allows.

    Ctrl-C ends the search, not the program: the result so far is returned with ``interrupted`` set.

    Parameters
    ----------
    problem : TSP or VRP
    strategy : Strategy or str, optional
        An object such as ``IteratedLocalSearch()`` or its name; by default the best there is for the problem.
    seconds : float, optional
        Time limit in wall seconds. 10 if neither ``seconds``, ``iterations`` nor ``stop`` is given.
    iterations : int, optional
        Limit on iterations as the strategy counts them. With this limit alone a run is reproducible.
    target : float, optional
        End as soon as the cost is at or below this.
    stop : Stop, optional
        Any rule, ``Seconds(60) | NoImprovement(5)``; it is combined with the limits above.
    seed : int
        The one source of randomness.
    threads : int, optional
        Worker threads, up to 1024; by default as many as this process may use cores, by its affinity and the CPU quota
        of its container. With a time limit and none on iterations there are never more.
    device : str
        ``"cpu"``, ``"cuda:0"``, ``"opencl:0"`` and so on; ``"auto"`` is a CUDA device if there is one and the strategy
        can use it, else the CPU.
    start : str, path, tour or routes, optional
        Where to start: the name of a construction, a solution file, or the solution itself.
    trace : path, optional
        File for one JSON line ``{"t", "cost", "iterations"}`` per improvement.
    listeners : iterable of callables
        Each is called with every event of the search, on its thread; one that returns False ends the search.
    on_improvement : callable, optional
        Called with the cost and the solution of each improvement; returning False ends the search.
    checkpoint, resume : path, optional
        Keep the best solution in a file; go on from such a file.
    lower_bound : float, optional
        A proven bound on the cost, for ``Result.bound_gap``.
    interrupt : Interrupt, optional
        The signals that end the search, for programs with handlers of their own.

    Raises
    ------
    InfeasibleError
        If no solution can exist.
    NothingFound
        If none was found in time.
    UnsupportedError
        If the strategy or device cannot do what the problem asks.
    """
    chosen = choose_strategy(problem, strategy)
    rule = _stop_rule(seconds, iterations, target, stop)
    crew = _thread_count(threads, rule)
    _check_seed(seed)
    place = _choose_device(device, chosen, problem, crew)
    if start is not None and resume is not None:
        raise UsageError("a run starts from `start` or goes on from `resume`, not both")
    begin: str | Tour | Routes | None = None if start is None else _starting_point(problem, start)
    saved = None if resume is None else load_checkpoint(resume, problem)
    if saved is not None:
        begin = saved.solution
    compile_seconds = _compile()
    heard: list[Listener] = list(listeners)
    if on_improvement is not None:
        heard.append(_improvement_listener(on_improvement))
    with ExitStack() as stack:
        if trace is not None:
            tracer = stack.enter_context(Trace(trace))
            heard.append(tracer)
        if checkpoint is not None:
            spent = (0.0, 0) if saved is None else (saved.seconds, saved.iterations)
            keeper = Checkpoint(checkpoint, problem, seed=seed, seconds=spent[0], iterations=spent[1])
            heard.append(keeper)
        search = Search(problem, rule, seed=seed, threads=crew, start=begin, device=place, listeners=heard)
        if threads is not None and crew < threads:
            search.note(
                f"{threads} threads on {crew} cores would miss the time limit: going on with {crew}", lasting=True
            )
        if isinstance(problem, VRP):
            problem.prove_infeasible(search.hurried)
        _run(chosen, search, interrupt, fall_back=device == "auto")
        if trace is not None:
            tracer.finish(search.state)
        if checkpoint is not None:
            keeper.save(search.state)
    return _result(search, chosen, lower_bound, compile_seconds + search.device.compile_seconds)


def solve_points(
    xy: ArrayLike, *, latlon: bool = False, metric: str | None = None, name: str = "points", **options: Any
) -> NDArray[np.int32]:
    """Return a short tour through points, as a permutation of 0..n-1.

    Parameters
    ----------
    xy : array-like, shape (n, 2) or (n, 3)
        Coordinates; with ``latlon`` latitude and longitude in degrees.
    latlon : bool
        Measure great-circle metres.
    metric : str, optional
        A name in ``METRICS``; by default Euclidean, unrounded.
    **options
        As for :func:`solve`, and ``open``, ``first``, ``last``, ``fixed_edges`` as for :class:`TSP`.
    """
    points = _numbers(xy, "points")
    if latlon and metric is not None:
        raise UsageError("latlon is a metric of its own; give one of latlon and metric")
    spatial = points.ndim == 2 and points.shape[1] == 3
    word = metric or ("GREAT_CIRCLE" if latlon else "EUCLIDEAN_3D" if spatial else "EUCLIDEAN")
    if word not in METRICS or METRICS[word].norm == "matrix":
        names = [key for key, value in METRICS.items() if value.norm != "matrix"]
        raise UsageError(f"unknown metric {word!r} for points; there are {', '.join(names)}")
    shape = _split_options(options)
    return solve(TSP(name, METRICS[word], points, **shape), **options).tour


def solve_matrix(matrix: ArrayLike, *, name: str = "matrix", **options: Any) -> NDArray[np.int32]:
    """Return a short tour for a symmetric (n, n) matrix of distances, as a permutation of 0..n-1.

    ``options`` are those of :func:`solve`, and ``open``, ``first``, ``last``, ``fixed_edges`` as for :class:`TSP`.
    """
    shape = _split_options(options)
    return solve(TSP.from_matrix(_numbers(matrix, "a matrix"), name=name, **shape), **options).tour


def check(problem: TSP | VRP, solution: str | PathLike[str] | Solution) -> Report:
    """Return the exact cost of a solution, given as such or as a file, and everything that is wrong with it."""
    if isinstance(solution, str | PathLike):
        return problem.check(read_solution(solution, problem, strict=False))  # type: ignore[arg-type]
    return problem.check(_as_solution(problem, solution))  # type: ignore[arg-type]


def write(path: str | PathLike[str], problem: TSP | VRP, solution: Solution) -> None:
    """Write a tour or routes to ``path`` in the format of its suffix: ``.tour``, ``.sol``, ``.csv`` or ``.geojson``."""
    cost = solution.cost if isinstance(solution, Result) else None
    write_solution(path, problem, _as_solution(problem, solution), cost)


def choose_strategy(problem: TSP | VRP, strategy: Strategy | str | None) -> Strategy:
    """Return the strategy that a run of ``problem`` will use, or say why the one asked for cannot."""
    if isinstance(strategy, str):
        if strategy not in STRATEGIES:
            raise UsageError(f"unknown strategy {strategy!r}; there are {', '.join(STRATEGIES)}")
        strategy = STRATEGIES[strategy]()
    if strategy is not None:
        check_ranges(strategy)
        _check_supported(strategy, problem)
    if is_tiny(problem):
        return Tiny()
    if strategy is None:
        strategy = default_strategy(problem)
        _check_supported(strategy, problem)
    return strategy


def _check_supported(strategy: Strategy, problem: TSP | VRP) -> None:
    reason = strategy.refuses(problem)
    if reason is not None:
        raise UnsupportedError(reason)


def _run(strategy: Strategy, search: Search, interrupt: Interrupt | None, *, fall_back: bool) -> None:
    """Run ``strategy`` so that a signal ends it with the best solution, and a run without one still gets a simple one.

    A signal only sets the search's flag: an exception from its handler might come out inside a compiled call.
    """

    def work() -> None:
        try:
            strategy.run(search)
        except DeviceError as error:
            if not fall_back:
                raise
            search.use_cpu(str(error))
            strategy.run(search)

    if isinstance(search.start, np.ndarray | list):
        search.offer(search.start)
    if interrupt is None:
        with Interrupt(*_default_signals(), action=search.interrupt):
            work()
    else:
        interrupt.redirect(search.interrupt)
        work()
    offer_something(search)


def _default_signals() -> list[int]:
    """Ctrl-C, unless the program handles it in a way of its own."""
    return [signal.SIGINT] if signal.getsignal(signal.SIGINT) is signal.default_int_handler else []


def _result(search: Search, strategy: Strategy, lower_bound: float | None, compile_seconds: float) -> Result:
    problem, best = search.given, search.best
    if best is None or search.cost is None:
        raise NothingFound(f"no feasible solution of {problem.name} was found in {search.seconds:.1f} s")
    seconds = search.seconds
    routes = [route for route in best if len(route)] if isinstance(problem, VRP) else None
    if isinstance(problem, VRP):
        tour = problem.giant_tour(routes or [])
        feasible = problem.check(routes or []).feasible
    else:
        tour = problem.as_written(np.asarray(best))
        feasible = not problem.violations(tour)
    return Result(
        name=problem.name,
        kind=problem.kind,
        n=problem.n,
        cost=search.cost,
        feasible=feasible,
        tour=tour,
        routes=routes,
        lower_bound=lower_bound,
        best_known=problem.best_known,
        seconds=seconds,
        compile_seconds=compile_seconds,
        iterations=search.iterations,
        moves=search.moves or None,
        device=search.device.name,
        strategy=strategy.name,
        seed=search.seed,
        threads=search.threads,
        interrupted=search.interrupted,
    )


def _stop_rule(seconds: float | None, iterations: int | None, target: float | None, stop: Stop | None) -> Stop:
    if seconds is None and iterations is None and stop is None:
        seconds = DEFAULT_SECONDS
    rules = [] if stop is None else [stop]
    if seconds is not None:
        rules.append(Seconds(seconds))
    if iterations is not None:
        rules.append(Iterations(iterations))
    if target is not None:
        rules.append(Target(target))
    rule = rules[0]
    for other in rules[1:]:
        rule = rule | other
    return rule


def _thread_count(threads: int | None, rule: Stop) -> int:
    """Return how many threads to use: as many as asked for, since the tour depends on it, or as there are cores.

    Threads without a core of their own have compiled calls that take longer than planned. Where time is limited and
    iterations are not, there are no more threads than cores: the tour depends on the clock anyway.
    """
    if threads is None:
        return usable_cores()
    if not 1 <= threads <= MOST_THREADS:
        raise UsageError(f"a search has 1 to {MOST_THREADS} threads, not {threads}")
    fresh = State(0.0, None, 0, 0, 0.0)
    timed = math.isfinite(rule.seconds_left(fresh)) and math.isinf(rule.iterations_left(fresh))
    return min(threads, usable_cores()) if timed else threads


def _choose_device(name: str, strategy: Strategy, problem: TSP | VRP, threads: int) -> Device:
    """Return the device that ``name`` means for ``strategy`` and ``problem``."""
    kinds = strategy.runs_on(problem)
    if name == "auto":
        return find("auto", threads) if kinds[0] == "cuda" else Cpu(threads)
    device = find(name, threads)
    if isinstance(strategy, Tiny):
        return Cpu(threads)
    if name.partition(":")[0] not in kinds:
        raise UnsupportedError(f"{strategy.name} runs {problem.name} on {' or '.join(kinds)} only, not on {name}")
    return device


def _check_seed(seed: int) -> None:
    if not 0 <= seed < 2**63:
        raise UsageError(f"a seed is an integer from 0 to 2**63 - 1, not {seed}")


def _starting_point(problem: TSP | VRP, start: str | PathLike[str] | Solution) -> str | Tour | Routes:
    """Return the name of a construction, or a feasible solution from an array or a file."""
    names = ["savings"] if isinstance(problem, VRP) else list(STARTS)
    if isinstance(start, str) and start in names:
        return start
    path = start if isinstance(start, str | PathLike) else None
    if path is not None:
        if isinstance(start, str) and not Path(start).exists():
            raise UsageError(f"{start!r} is neither a solution file nor a start; there are {', '.join(names)}")
        solution: Any = read_solution(path, problem)
    else:
        solution = _as_solution(problem, start)
    report = problem.check(solution)
    if not report.feasible:
        raise InputError(f"this is no solution of {problem.name} to start from: {report.violations[0]}", path)
    return solution  # type: ignore[no-any-return]


def _as_solution(problem: TSP | VRP, solution: Any) -> Tour | Routes:
    """Return arrays of node numbers from whatever a user hands in as a solution."""
    if isinstance(solution, Result):
        solution = solution.tour if solution.routes is None else solution.routes
    if isinstance(problem, VRP):
        return [_node_numbers(route) for route in solution]
    return _node_numbers(solution)


def _node_numbers(walk: Any) -> Tour:
    try:
        numbers = np.asarray(walk)
    except ValueError:
        raise InputError("a tour is a list of node numbers") from None
    if numbers.ndim != 1 or (numbers.size and not np.issubdtype(numbers.dtype, np.integer)):
        raise InputError(f"a tour is a list of node numbers, not {numbers.dtype} of shape {numbers.shape}")
    if numbers.size and np.abs(numbers).max() > np.iinfo(np.int32).max - 1:
        raise InputError("a tour holds a node number that is none")
    return np.array(numbers, np.int32)


def _numbers(values: ArrayLike, what: str) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{what} must be numbers in rows of the same length") from None
    if not (np.issubdtype(array.dtype, np.integer) or np.issubdtype(array.dtype, np.floating)):
        raise InputError(f"{what} must be numbers, not {array.dtype}")
    return array


def _split_options(options: dict[str, Any]) -> dict[str, Any]:
    """Take out of ``options`` what describes the tour rather than the search."""
    names = ("open", "first", "last", "fixed_edges")
    return {name: options.pop(name) for name in names if name in options}


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
