"""Symmetric 2-opt (Mavroidis 2011): nested moves, all decided and all applied at once.

    s := start, in a row of odd length m
    repeat
        for all q at once: decide whether reversing the places q+1 .. m-2-q improves s
        for all q at once: swap the mirrored cities around which an odd number of moves was accepted
        the first city of the row becomes its last
    until m rounds in a row changed nothing

The end is 2-optimal, and an exact scan of all moves confirms it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from warptour.construct import start
from warptour.engines.native import NativeEngine, Unfinished
from warptour.engines.symmetric import Rows, exact_rows
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.strategies.refusal import closed_tours_only
from warptour.strategies.search import Search, Tour


@dataclass(frozen=True)
class SymmetricTwoOpt:
    """Rounds of nested 2-opt moves until no move is left.

    Attributes
    ----------
    tours : int
        How many are worked on side by side: the first from ``start``, the others from random orders.
    start : str
        How the first tour is built, unless the search brings one.
    """

    name: ClassVar[str] = "symmetric"
    iteration: ClassVar[str] = "rounds"
    devices: ClassVar[tuple[str, ...]] = ("cpu", "cuda", "opencl")

    tours: int = 1
    start: str = "file"

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None."""
        return closed_tours_only(self.name, problem)

    def run(self, search: Search) -> None:
        """Work until over or until all tours are 2-optimal."""
        problem = search.problem
        assert isinstance(problem, TSP)
        first, others = first_tours(search, self.start, self.tours)
        search.offer(first.copy())
        rows = exact_rows(search.device, problem, np.array([first, *others]))
        while not search.over() and not rows.settled:
            advance(search, rows, rows.budget)
            offer_best(search, rows)
        if search.best is None or not rows.settled:
            return
        engine = NativeEngine(problem, threads=search.threads, over=search.over)
        try:
            if engine.certify(np.asarray(search.best, np.int32)) is None:
                search.note("2-optimal: an exact scan of all moves found none that improves")
        except Unfinished:
            return


def first_tours(search: Search, choice: str, tours: int) -> tuple[Tour, list[Tour]]:
    """Return the tour that the search brings or that ``choice`` builds, and random ones to make ``tours`` of them."""
    problem = search.problem
    assert isinstance(problem, TSP)
    wanted = choice if search.start is None or isinstance(search.start, list) else search.start
    own, *seeds = search.seeds.spawn(max(1, tours))
    return start(problem, wanted, own, None, search.threads), [start(problem, "random", seed) for seed in seeds]


def advance(search: Search, rows: Rows, rounds: int) -> None:
    """Do at most so many rounds and count them."""
    before = rows.state()[:, 0]
    rows.run(int(max(1, min(rounds, search.iterations_left()))))
    done = rows.state()[:, 0] - before
    search.count(int(done.max()), int(done.sum()) * max(0, rows.moves - 1))


def offer_best(search: Search, rows: Rows) -> None:
    """Hand in the shortest of the tours."""
    tours = rows.tours()
    costs = [search.problem.cost(tour) for tour in tours]
    search.offer(tours[int(np.argmin(costs))].copy())
