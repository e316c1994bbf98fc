"""The call that most programs make."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, fields, replace
from functools import partial
from inspect import Parameter, Signature
from threading import Event
from typing import Unpack

from warptour.api.arguments import Flag
from warptour.api.choice import check_problem
from warptour.api.options import SearchOptions, SolveOptions
from warptour.api.run import run_here
from warptour.io.locked import with_plan
from warptour.model.other_words import check_words
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.result import Result
from warptour.search.strategy import Strategy


def solve(problem: TSP | VRP, strategy: Strategy | str | None = None, **options: Unpack[SolveOptions]) -> Result:
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
        Seconds without an improvement after which the run ends. ``math.inf`` lets small problems have their 10 seconds.
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
    locked : path, dict or routes, optional
        A plan that vehicles are on: what is done, where each is, and what stays as it is (docs/user/replanning.md).
    now : str or float, optional
        The time at which ``locked``, a result, is taken over: ``"11:20"``, or seconds after midnight.
    change_cost : float, optional
        Cost of each stop that another vehicle serves than was planned.
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
    prove : bool
        Whether to prove the best tour optimal in the same way, by branch and cut: for up to 3,000 cities. Needs HiGHS.
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
    check_words("solve", options, SearchOptions)
    return run(problem, SearchOptions(strategy=strategy, **options))


async def solve_async(
    problem: TSP | VRP, strategy: Strategy | str | None = None, **options: Unpack[SolveOptions]
) -> Result:
    """Return what :func:`solve` does, which searches on a thread meanwhile.

    A task that is cancelled ends the search, and is cancelled once that has ended.
    """
    check_words("solve_async", options, SearchOptions)
    asked, ended = SearchOptions(strategy=strategy, **options), Event()
    flag = ended if asked.cancel is None else EitherFlag(asked.cancel, ended)
    search = asyncio.get_running_loop().run_in_executor(None, run, problem, replace(asked, cancel=flag))

    try:
        return await asyncio.shield(search)
    except asyncio.CancelledError:
        ended.set()
        await asyncio.wait([search])
        raise


@dataclass(frozen=True)
class EitherFlag:
    """A flag that is set when one of two is."""

    one: Flag
    other: Flag

    def is_set(self) -> bool:
        """Return whether to end the search."""
        return bool(self.one.is_set() or self.other.is_set())


def run(problem: TSP | VRP, options: SearchOptions) -> Result:
    """Return what :func:`solve` does; of an MPI job, on every rank."""
    if options.locked is not None:
        check_problem(problem)
        problem = with_plan(problem, options.locked, now=options.now, change_cost=options.change_cost)
    if options.cluster != "mpi":
        return run_here(problem, options)
    from warptour.cluster.links.mpi import everywhere

    return everywhere(partial(run_here, problem, options), options.interrupt)


def _signature() -> Signature:
    """Return the signature of :func:`solve` with a parameter for each option, for notebooks and ``help``."""
    own = [Parameter("problem", Parameter.POSITIONAL_OR_KEYWORD, annotation="TSP | VRP")]
    for field in fields(SearchOptions):
        strategy = field.name == "strategy"
        kind = Parameter.POSITIONAL_OR_KEYWORD if strategy else Parameter.KEYWORD_ONLY
        hint = "Strategy | str | None" if strategy else SolveOptions.__annotations__[field.name].__forward_arg__
        own.append(Parameter(field.name, kind, default=field.default, annotation=hint))
    return Signature(own, return_annotation="Result")


solve.__signature__ = _signature()  # type: ignore[attr-defined]
