"""Stopping rules in PyVRP's words, for programs that were written for it.

An iteration of PyVRP searches much longer than one of ours, so its counts are multiplied.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from warptour.search import stop as rules
from warptour.search.stop import AnyOf, Iterations, Seconds, Stop, Target

ITERATIONS: Final = 20
"""Our iterations that take about as long as one of PyVRP's, of a few hundred clients."""


class MaxRuntime(Seconds):
    """Over after a number of wall seconds."""


def MaxIterations(max_iterations: int) -> Stop:
    """Return the rule that a search is over after about the work of so many of PyVRP's iterations."""
    return Iterations(ITERATIONS * max_iterations)


def NoImprovement(max_iterations: int) -> Stop:
    """Return the rule that a search is over when the work of so many of PyVRP's iterations has brought nothing."""
    return rules.NoImprovement(0.0, ITERATIONS * max_iterations)


def FirstFeasible() -> Stop:
    """Return the rule that a search is over once it has a feasible solution."""
    return Target(math.inf)


def MultipleCriteria(criteria: Iterable[Stop]) -> Stop:
    """Return the rule that a search is over as soon as one of several says so."""
    return AnyOf(tuple(criteria))
