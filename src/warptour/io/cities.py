"""``--open``, ``--from`` and ``--to``: options for an open path."""

from __future__ import annotations

from dataclasses import replace

from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


def as_path(problem: TSP | VRP, is_open: bool, start: str | None, end: str | None) -> TSP | VRP:
    """Return ``problem`` as an open path if any of the options is given; a fixed end implies an open path."""
    if not is_open and start is None and end is None:
        return problem
    if not isinstance(problem, TSP):
        raise UsageError("--open, --from and --to are for one tour; vehicles return to their depot")
    first = None if start is None else city(problem, start, "--from")
    last = None if end is None else city(problem, end, "--to")
    known = problem.best_known if problem.open and first is None and last is None else None
    return replace(problem, open=True, first=first, last=last, best_known=known)


def city(problem: TSP, text: str, option: str) -> int:
    """Return the index of a city given by its name in the file or by its number from 1."""
    if problem.labels is not None and text in problem.labels:
        if problem.labels.count(text) > 1:
            raise UsageError(
                f"{option}: {problem.labels.count(text)} cities are named {text!r}; give the number instead"
            )
        return problem.labels.index(text)
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= problem.n:
        names = " or one of its names" if problem.labels is not None else ""
        raise UsageError(
            f"{option} takes a city of {problem.name}, a number from 1 to {problem.n}{names}, not {text!r}"
        )
    return number - 1
