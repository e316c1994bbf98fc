"""The form in which a problem is searched: without negative or asymmetric distances."""

from __future__ import annotations

from typing import Generic, TypeVar, cast

import numpy as np

from warptour.model import doubled
from warptour.model.nonnegative import nonnegative
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes

Problem = TypeVar("Problem", bound="TSP | VRP")
Solution = TypeVar("Solution", bound="np.ndarray[tuple[int], np.dtype[np.int32]] | Routes")


class SearchedForm(Generic[Problem]):
    """A problem as strategies search it, and its solutions in both forms.

    Attributes
    ----------
    problem : TSP or VRP
        Costs of solutions may be higher than those of the problem given, all by the same amount.
    """

    def __init__(self, problem: Problem) -> None:
        self._doubled = isinstance(problem, TSP) and problem.asymmetric
        form: TSP | VRP = problem
        if isinstance(problem, TSP):
            form = nonnegative(problem)
            form = doubled.doubled(form) if self._doubled else form
        self.problem = cast(Problem, form)

    def enter(self, solution: Solution) -> Solution:
        """Return a solution of the problem given as one of the form."""
        return cast(Solution, doubled.enter(cast(np.ndarray, solution))) if self._doubled else solution

    def leave(self, solution: Solution) -> Solution | None:
        """Return a solution of the form as one of the problem given; None if it is none."""
        return cast(Solution, doubled.leave(cast(np.ndarray, solution))) if self._doubled else solution
