"""Lower bounds within a time limit: ascents on a sparse graph, each evaluated exactly on the complete one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from warptour.bound.ascent import Ascent
from warptour.bound.branching import prove_optimal
from warptour.bound.complete import one_tree
from warptour.bound.highs import require_highs
from warptour.bound.instance import BoundInstance, Floats, Ints
from warptour.kernels.groups import Over, Unfinished
from warptour.model.problem import TSP
from warptour.model.searched import doubled, enter

DENSER, SPARSER = (8, 2), (6, 1)
"""Neighbours per node of the first sparse graph, in all and per quadrant: below ``LARGE`` cities, and from there on."""

LARGE = 100_000
"""Number of cities from which the sparser graph is used: there the bound depends on how many iterations fit into the
time."""

PASSES = ((300, 0.3, 3e-3), (1000, 3.0, 3e-3), (4000, 30.0, 1e-3), (8000, 100.0, 3e-4), (16000, 0.03, 1e-5))
"""Iterations of each pass, and its first and last step as shares of the mean edge of the spanning tree.

The first is enough for uniform cities; larger steps are for clusters, and the last pass refines.
"""

REFINING = 0.03, 1e-3
"""First and last step of a pass that has time for less than half of its iterations, as shares of the mean edge of the
spanning tree."""

FEWEST = 10
"""Minimum number of iterations for which a pass is begun."""

EVALUATIONS = 2.0
"""Time reserved for the last evaluation on the complete graph, in multiples of the time that the previous one took."""

RELATIVE_ERROR = 2.0**-44
"""Generous bound on the relative rounding error of a float cost, as in ``neighborhoods/tolerance.py``."""


@dataclass(frozen=True)
class Bound:
    """A proven lower bound on the cost of every tour or path.

    ``lower_bound`` is an int for integral metrics. ``seconds`` is wall-clock time, ``iterations`` the number of 1-trees
    of the ascent, ``valid`` whether the bound is proven, which is always so. ``tight``: a tour costs no more, but
    for 1e-10 of a float, so that no higher bound exists.
    """

    name: str
    n: int
    lower_bound: int | float
    seconds: float
    iterations: int
    tight: bool = False
    valid: bool = True


def prove_bound(
    problem: TSP,
    seconds: float = 10.0,
    threads: int | None = None,
    over: Over | None = None,
    listener: Callable[[int | float], object] | None = None,
    cost: Callable[[], int | float | None] | None = None,
    tour: Callable[[], Ints | None] | None = None,
) -> Bound:
    """Return the highest lower bound that the time allows: close to Held and Karp's, or the length of the best tour.

    ``seconds``: time limit; the ascent ends earlier once it gains nothing
    ``threads``: threads of the evaluation on the complete graph; the ascent has one
    ``over``: ends the work once it returns True
    ``listener``: called with each bound that is higher than those before
    ``cost``: returns the cost of the best tour known so far, or None: where there are few cities, it is proved optimal
    ``tour``: returns the best tour known so far, or None, to be proved optimal by branch and cut, which needs HiGHS
    """
    began = time.perf_counter()
    deadline = began + seconds

    def late() -> bool:
        return time.perf_counter() >= deadline or (over is not None and over())

    form = doubled(problem) if problem.asymmetric else problem
    work = _Work(form, deadline, listener, cost)
    if tour is not None:
        require_highs("proofs of optimality")
        work.tour = tour if form is problem else lambda: None if (found := tour()) is None else enter(found)
    if problem.n + problem.open <= 2:
        work.take(problem.cost(np.arange(problem.n)))
        work.tight = True
    else:
        with suppress(Unfinished):
            work.run(threads, late)
    iterations = 0 if work.ascent is None else work.ascent.iterations
    took = time.perf_counter() - began
    return Bound(problem.name, problem.n, work.bound, took, iterations, work.tight)


class _Work:
    """The bound so far, and what leads to higher ones."""

    def __init__(
        self,
        problem: TSP,
        deadline: float,
        listener: Callable[[int | float], object] | None,
        cost: Callable[[], int | float | None] | None,
    ) -> None:
        self.problem = problem
        self.cost = cost
        self.tour: Callable[[], Ints | None] | None = None
        self.deadline = deadline
        self.listener = listener
        self.bound = trivial_bound(problem)
        self.ascent: Ascent | None = None
        self.tight = False
        self.evaluation_seconds = 0.0

    def take(self, bound: int | float) -> None:
        """Keep a bound if it is higher."""
        if bound > self.bound:
            self.bound = bound
            if self.listener is not None:
                self.listener(bound)

    def take_scaled(self, cost: int, bits: int) -> None:
        """Keep the bound of a scaled cost if it is higher."""
        self.take(unscaled(self.problem, cost, bits))

    def run(self, threads: int | None, over: Over) -> None:
        """Raise the bound until time is up or there is nothing to gain."""
        instance = BoundInstance(self.problem, threads, over)
        penalty = self.climb(instance)
        if self.tour is not None and not self.tight:
            from warptour.bound.cutting.prove import branch_and_cut

            self.tight = branch_and_cut(instance, self.tour, self.take_scaled, self.deadline)
        if self.cost is not None and not self.tight:
            self.tight = prove_optimal(instance, penalty, self.cost, self.take_scaled)

    def climb(self, instance: BoundInstance) -> Floats:
        """Raise the bound by ascents; return the best penalties, in units of length."""
        self.ascent = ascent = Ascent(instance, *instance.candidates(*(DENSER if instance.count < LARGE else SPARSER)))
        unit = self.evaluate(instance, ascent)
        if self.tight or unit == 0:
            return ascent.best
        ascent.climb(3, unit * REFINING[0], unit * REFINING[0])  # measures the duration of an iteration
        champion = np.zeros(instance.count)
        for iterations, first, last in PASSES if self.tour is None else PASSES[:1]:
            until = self.deadline - EVALUATIONS * self.evaluation_seconds
            many = min(iterations, (until - time.perf_counter()) / ascent.seconds_each)
            if many < FEWEST:
                break
            if many < iterations / 2 and iterations > PASSES[0][0]:
                first, last = REFINING
            before = self.bound
            ascent.best[:] = champion
            ascent.climb(int(many), unit * first, unit * last, until)
            self.evaluate(instance, ascent)
            if self.bound > before:
                champion[:] = ascent.best
            if self.tight:
                break
        return champion

    def evaluate(self, instance: BoundInstance, ascent: Ascent) -> float:
        """Take the exact bound of the ascent's best penalties, and add the tree's edges to its graph.

        Returns the mean length of the tree's edges.
        """
        began = time.perf_counter()
        penalty = ascent.integers()
        cost, tree, ends = one_tree(instance, penalty, ascent.one, ascent.two, ascent.lengths, ascent.spokes)
        self.take_scaled(cost, instance.bits)
        self.tight = bool((np.bincount([*tree.ravel(), *ends], minlength=instance.count) == 2).all())
        ascent.add(tree)
        self.evaluation_seconds = time.perf_counter() - began
        return float(np.abs(instance.lengths(*_ends(tree))).mean()) / instance.scale


def _ends(tree: Ints) -> tuple[Ints, Ints]:
    return np.ascontiguousarray(tree[:, 0]), np.ascontiguousarray(tree[:, 1])


def unscaled(problem: TSP, cost: int, bits: int) -> int | float:
    """Return the bound of a scaled cost: rounded up for integral metrics, less any rounding error for others."""
    if problem.metric.integral:
        return -(-cost >> bits)
    exact = math.ldexp(cost, -bits)
    error = RELATIVE_ERROR * abs(exact)
    if problem.matrix is not None and float(problem.points.min()) < 0:
        error += RELATIVE_ERROR * problem.n * float(np.abs(problem.points).max())
    return math.nextafter(exact - error, -math.inf)


def trivial_bound(problem: TSP) -> int | float:
    """Return the number of edges times the shortest distance, or 0 where there are coordinates."""
    edges = problem.n - problem.open if problem.n > 1 else 0
    least = 0.0
    if problem.matrix is not None:
        least = min(0.0, float(problem.points.min()))
    bound = edges * least
    return math.floor(bound) if problem.metric.integral else bound * (1 + RELATIVE_ERROR)
