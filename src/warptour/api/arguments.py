"""The arguments of ``solve``, checked and converted."""

from __future__ import annotations

import math
import os
import secrets
import warnings
from collections.abc import Callable, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.io.names import SHEETS, Names
from warptour.io.solution import read_solution
from warptour.kernels.cores import MAX_THREADS, usable_cores
from warptour.model.errors import InputError, InputWarning, UsageError
from warptour.model.problem import TSP
from warptour.model.quantities import finite_number, whole_number
from warptour.model.vehicles import VRP, Routes
from warptour.observe.events import State
from warptour.observe.result import Result
from warptour.search.search import Tour
from warptour.search.stop import Iterations, NoImprovement, Seconds, Stop, Target
from warptour.tours.starts.start import STARTS, find_start

DEFAULT_SECONDS = 10.0
"""Time limit of a run that is given none."""

Solution: TypeAlias = ArrayLike | Sequence[ArrayLike] | Result
"""A tour or routes, in any form that NumPy understands, or the result that holds them."""


class Flag(Protocol):
    """What cancels a search: a ``threading.Event``, or another object with its ``is_set``."""

    def is_set(self) -> bool:
        """Return whether to end the search."""


def is_unlimited(
    seconds: float | None, iterations: int | None, stop: Stop | None = None, patience: float | None = None
) -> bool:
    """Return whether none of the arguments limits the search, which then has ``DEFAULT_SECONDS``."""
    return seconds is None and iterations is None and stop is None and patience in (None, math.inf)


def stop_rule(
    seconds: float | None,
    iterations: int | None,
    target: float | None,
    stop: Stop | None,
    patience: float | None = None,
) -> Stop:
    """Return the rule that combines all limits; without any, a time limit of ``DEFAULT_SECONDS``."""
    if is_unlimited(seconds, iterations, stop, patience):
        seconds = DEFAULT_SECONDS
    if seconds is not None and finite_number(seconds) is None and seconds != np.inf:
        raise UsageError(f"a time limit is 0 or more seconds, not {seconds!r}")
    if iterations is not None and whole_number(iterations) is None:
        raise UsageError(f"a limit on iterations is an integer, 0 or more, not {iterations!r}")
    if target is not None and finite_number(target) is None:
        raise UsageError(f"a target is a cost, a finite number, not {target!r}")
    if patience is not None and finite_number(patience) is None and patience != np.inf:
        raise UsageError(f"patience is 0 or more seconds, not {patience!r}")
    rules: list[Stop] = [] if target is None else [Target(target)]  # the first that is reached is the reason
    if stop is not None:
        rules.append(stop)
    if patience is not None:
        rules.append(NoImprovement(patience))
    if seconds is not None:
        rules.append(Seconds(seconds))
    if iterations is not None:
        rules.append(Iterations(iterations))
    rule = rules[0]
    for other in rules[1:]:
        rule = rule | other
    return rule


def thread_count(threads: int | None, rule: Stop) -> int:
    """Return the number of threads: as many as asked for, since the tour depends on it, or one per core.

    Threads without a core of their own make compiled calls take longer than planned. Where time is limited there are no
    more threads than cores: the tour may depend on the clock anyway.
    """
    if threads is None:
        return usable_cores()
    count = whole_number(threads)
    if count is None or not 1 <= count <= MAX_THREADS:
        raise UsageError(f"a search has 1 to {MAX_THREADS} threads, not {threads!r}")
    fresh = State(0.0, None, 0, 0, 0.0)
    return min(count, usable_cores()) if math.isfinite(rule.seconds_left(fresh)) else count


def poll_of(cancel: Flag | None) -> Callable[[], bool] | None:
    """Return what tells whether ``cancel`` is set."""
    if cancel is None:
        return None
    if not callable(getattr(cancel, "is_set", None)):
        raise UsageError(f"cancel is a threading.Event, or has its is_set(), unlike {cancel!r}")
    return cancel.is_set


def seed_of(seed: int | None) -> int:
    """Return the seed of a run; for None, a random one."""
    if seed is None:
        return secrets.randbits(32)
    whole = whole_number(seed)
    if whole is None or not 0 <= whole < 2**63:
        raise UsageError(f"a seed is an integer from 0 to 2**63 - 1, or None, not {seed!r}")
    return whole


def is_first_run(checkpoint: str | PathLike[str] | None, resume: str | PathLike[str]) -> bool:
    """Return whether a run continues from its own checkpoint, which does not exist yet: for services that restart."""
    same = checkpoint is not None and os.path.abspath(checkpoint) == os.path.abspath(resume)
    return same and not os.path.exists(resume)


def starting_point(problem: TSP | VRP, start: str | PathLike[str] | Solution) -> str | Tour | Routes:
    """Return the name of a construction, or a feasible solution from an array or a file."""
    names = ["savings"] if isinstance(problem, VRP) else list(STARTS)
    if isinstance(start, str) and (start in names or (isinstance(problem, TSP) and find_start(start))):
        return start
    path = start if isinstance(start, str | PathLike) else None
    if path is not None:
        if isinstance(start, str) and not Path(start).exists():
            raise UsageError(f"{start!r} is neither a solution file nor a start; there are {', '.join(names)}")
        solution: Any = _of_names(problem, path) if isinstance(problem, VRP) else None
        solution = read_solution(path, problem) if solution is None else solution
    else:
        solution = as_solution(problem, start)
    report = problem.check(solution)
    if not report.feasible:
        raise InputError(f"this is no solution of {problem.name} to start from: {report.violations[0]}", path)
    return solution  # type: ignore[no-any-return]


def _of_names(problem: VRP, path: str | PathLike[str]) -> Routes | None:
    """Return the routes in a table by the names of their stops, mended where stops have come or gone.

    None for a file without names, or one that is no table.
    """
    if problem.labels is None or Path(path).suffix.lower() not in SHEETS:
        return None
    names = Names(problem)
    listed = names.routes_of_table(fspath(path))
    if listed is None:
        return None
    routes = [np.array(route, np.int32) for route in listed]
    routes = [route for route in routes if len(route)] if problem.fleet is None else problem.fleet.seated(routes)
    served = np.concatenate([*routes, np.empty(0, np.int32)])
    stops = served[~problem.reloads[served]]
    if len(np.unique(stops)) < len(stops):
        return None
    missing = int(problem.required.sum()) - int(problem.required[served].sum())
    if not missing and not names.gone:
        return routes
    from warptour.routes.starts.resumed import mended

    warnings.warn(f"{fspath(path)}: {len(names.gone)} of its stops are gone, {missing} are new", InputWarning, 2)
    return mended(problem, routes, usable_cores())


def as_solution(problem: TSP | VRP, solution: Any) -> Tour | Routes:
    """Return a user's solution as arrays of node numbers."""
    if isinstance(solution, Result):
        solution = solution.solution
    if isinstance(problem, VRP):
        if not np.iterable(solution) or isinstance(solution, str):
            raise InputError(f"a solution of {problem.name} is a list of routes, not {type(solution).__name__}")
        return [_node_numbers(route) for route in solution]
    return _node_numbers(solution)


def _node_numbers(sequence: Any) -> Tour:
    try:
        numbers = np.asarray(sequence)
    except ValueError:
        raise InputError("a tour is a list of node numbers") from None
    if numbers.ndim != 1 or (numbers.size and not np.issubdtype(numbers.dtype, np.integer)):
        raise InputError(f"a tour is a list of node numbers, not {numbers.dtype} of shape {numbers.shape}")
    least, most = (int(numbers.min()), int(numbers.max())) if numbers.size else (0, 0)
    if max(-least, most) >= np.iinfo(np.int32).max:
        raise InputError(f"a tour holds {most if most > -least else least}, which is no node")
    return np.array(numbers, np.int32)


def numbers(values: ArrayLike, what: str) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{what} must be numbers in rows of the same length") from None
    if not (np.issubdtype(array.dtype, np.integer) or np.issubdtype(array.dtype, np.floating)):
        raise InputError(f"{what} must be numbers, not {array.dtype}")
    return array


def fixed_edge_array(edges: ArrayLike | None) -> NDArray[Any]:
    return np.empty((0, 2), np.int32) if edges is None else np.asarray(edges)
