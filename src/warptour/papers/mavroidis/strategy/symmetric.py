"""Symmetric 2-opt (Mavroidis 2011): nested moves, decided and applied simultaneously.

    s := start, in a row of odd length m
    repeat
        for all q at once: decide whether reversing the positions q+1 .. m-2-q improves s
        for all q at once: swap the mirrored cities around which an odd number of moves was accepted
        the first city of the row becomes its last
    until m consecutive rounds changed nothing

The result is 2-optimal, and an exact scan of all moves confirms it. With ``form="blocks"`` the tour is spread over
blocks of elements, as in the thesis (6.3), instead of one group of lanes; the moves are the same. With ``segment`` they
are those of symmetric 3-opt (``papers/mavroidis/engine/three_opt.py``).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices.cpu import Cpu
from warptour.kernels.groups import Unfinished
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.papers.mavroidis.engine.blocks import BLOCK, MIN_BLOCK
from warptour.papers.mavroidis.engine.forms import Form, check_form, rows_in
from warptour.papers.mavroidis.engine.rows import TourRows
from warptour.papers.mavroidis.engine.three_opt import LONGEST, SymmetricThree
from warptour.papers.scans.closed_tours import ClosedTours
from warptour.papers.scans.two_opt import TwoOptEngine
from warptour.search.parameters import number
from warptour.search.search import Search
from warptour.tours.starts.start import first_tour

MAX_TOURS: Final = 4096
MAX_CITIES: Final = 2_000_000
"""Maximum total number of cities of the tours processed concurrently."""

OFFERING: Final = 0.1
"""Maximum fraction of the time spent on finding the shortest of the tours while they change."""


@dataclass(frozen=True)
class SymmetricTwoOpt(ClosedTours):
    """Rounds of nested 2-opt moves until no improving move is left.

    Attributes
    ----------
    tours : int
        Number of tours: the first from ``start``, the others from random orders; up to thousands run concurrently.
    start : str
        Construction heuristic of the first tour, unless the search provides one.
    form : {"group", "blocks"}
        Where a tour lies: in one group of lanes, or spread over blocks.
    block : int
        Elements per block, with ``form="blocks"``: each decides one move of a round.
    segment : int
        Longest segment of symmetric 3-opt, in cities, with ``form="group"``; 0 for 2-opt.
    """

    name: ClassVar[str] = "symmetric"
    iteration: ClassVar[str] = "rounds"

    tours: int = number(1)
    start: str = "file"
    form: Form = "group"
    block: int = number(BLOCK, MIN_BLOCK)
    segment: int = number(0, 0, LONGEST)

    def __post_init__(self) -> None:
        check_form(self.form)
        if self.segment and self.form != "group":
            raise UsageError("3-opt (segment above 0) is for form=group")

    @property
    def counts_together(self) -> bool:
        """Tours of all members make the same rounds."""
        return True

    def share(self, rank: int, members: int) -> SymmetricTwoOpt:
        """Return what one of several members does: its part of the tours, at least one."""
        tours = self.tours // members + (rank < self.tours % members)
        return replace(self, tours=max(1, tours), start=self.start if rank == 0 else "random")

    def run(self, search: Search[TSP]) -> None:
        """Run until the search is over or all tours are 2-optimal."""
        problem = search.problem
        first = first_tour(search, self.start, seeds=search.seeds.spawn(1)[0])
        search.offer(first.copy())
        rng = np.random.default_rng(search.seeds.spawn(1)[0])
        for begin, count in batches(self.tours, problem.n):
            if search.over():
                return
            tours = np.array([rng.permutation(problem.n) for _ in range(count)], np.int32)
            if begin == 0:
                tours[0] = first
            if not self._descend(search, self._rows(search, tours)):
                return
        assert search.best is not None
        engine = TwoOptEngine(problem, Cpu(search.threads), search.over)
        try:
            if engine.certify(np.asarray(search.best, np.int32)) is None:
                search.note("2-optimal: an exact scan of all moves found none that improves")
        except Unfinished:
            return

    def _rows(self, search: Search[TSP], tours: NDArray[np.int32]) -> TourRows:
        if self.segment:
            return SymmetricThree(search.device, search.problem, tours, longest=self.segment)
        return rows_in(self.form, search.device, search.problem, tours, block=self.block)

    @staticmethod
    def _descend(search: Search[TSP], rows: TourRows) -> bool:
        """Run a batch until all its tours are 2-optimal or the search is over; return whether all are 2-optimal.

        The best tour is offered from time to time and at the end.
        """
        looking, began = 0.0, time.perf_counter()
        while not search.over() and not rows.locally_optimal:
            advance(search, rows, rows.budget)
            now = time.perf_counter()
            if looking < OFFERING * (now - began):
                search.offer(rows.shortest())
                looking += time.perf_counter() - now
        search.offer(rows.shortest())
        return rows.locally_optimal


def batches(tours: int, n: int) -> Iterator[tuple[int, int]]:
    """Yield (first tour, number of tours) of each batch, small enough to be set up quickly on any device."""
    most = min(MAX_TOURS, max(1, MAX_CITIES // n))
    for begin in range(0, max(1, tours), most):
        yield begin, min(most, max(1, tours) - begin)


def advance(search: Search[TSP], rows: TourRows, rounds: int) -> None:
    """Run at most ``rounds`` rounds and count them."""
    before = rows.state()[:, 0]
    rows.run(int(max(1, min(rounds, search.iterations_left()))))
    done = rows.state()[:, 0] - before
    search.count(int(done.max()), int(done.sum()) * rows.evaluated)
