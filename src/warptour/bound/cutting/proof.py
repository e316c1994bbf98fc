"""Branch and cut: subproblems, the best first, until none is left that could hold a shorter tour."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from warptour.bound.cutting.graph import CompleteGraph
from warptour.bound.cutting.program import Solved, TourProgram
from warptour.bound.cutting.safe import Decision, Edges, exact_bound
from warptour.bound.cutting.separation import Separation
from warptour.bound.cutting.support import Support
from warptour.bound.instance import Ints
from warptour.kernels.groups import Over, Unfinished, go_on

NEAREST = 6
"""Near neighbours of each node in the first linear program."""

ELIMINATE = 40
"""Edges per node that may be in a better tour, from which on all edges are priced instead of a list of them."""

STALLED_ROUNDS, STALLED_SHARE = 4, 0.01
"""Cuts are given up once so many rounds close less than this share of the gap."""

MOST_COLUMNS = 5000
"""Edges added at a time."""

PENALTIES = (1.0, 100.0, 10_000.0)
"""What breaking a decision costs where a linear program has no solution, in tours: until that proves it."""

CANDIDATES, PIVOTS = 8, 40
"""Edges that are tried before one is branched on, and simplex iterations of each trial."""

FRACTIONAL = 1e-5
"""Distance from 0 and 1 of a value that counts as neither."""


@dataclass(order=True)
class Subproblem:
    """Tours that keep to the decisions; none within the limit costs less than the bound."""

    bound: int
    number: int
    decisions: tuple[Decision, ...] = field(compare=False, default=())


class Proof:
    """Search for tours of at most ``limit``, a scaled length, by branch and cut.

    ``bound``: no tour costs less, unless it costs more than ``limit``
    ``subproblems``: number of those done
    ``incumbent``: returns the shortest tour of nodes known so far, and the limit below its length; called with a tour
        of the linear program, if that is shorter
    """

    def __init__(
        self,
        graph: CompleteGraph,
        incumbent: Callable[[Ints | None], tuple[Ints, int]],
        over: Over,  # ends the work with Unfinished
        deadline: float,  # so does this time, of ``time.perf_counter``
        take: Callable[[int], object],  # called with each higher bound
    ) -> None:
        self.graph = graph
        self.bound = -(2**62)
        self.subproblems = 0
        self._incumbent, self._over, self._deadline, self._take = incumbent, over, deadline, take
        self._tour, self._limit = incumbent(None)
        self._program = TourProgram(graph.n)
        self._separation = Separation(over)
        self._left: Edges | None = None  # edges of tours within the limit, once they are few
        self._forced = {(a, b) for a, b in graph.forced.tolist()}
        self._others: int | None = None  # lowest bound of the subproblems that wait
        self._add_first_edges()

    def run(self) -> None:
        """Work until the bound exceeds the limit; raise Unfinished if that takes too long."""
        waiting = [Subproblem(self.bound, 0)]
        number = 1
        while waiting:
            here = heapq.heappop(waiting)
            self._others = waiting[0].bound if waiting else None
            self._raise_bound(here.bound)
            if here.bound > self._limit:
                break
            solved = self._cut(here)
            self.subproblems += 1
            if solved is None:
                continue
            edge = self._branching_edge(solved)
            for value in (0, 1):
                heapq.heappush(waiting, Subproblem(here.bound, number, (*here.decisions, (*edge, value))))
                number += 1
        self._others = None
        self._raise_bound(self._limit + 1)

    def _raise_bound(self, bound: int) -> None:
        """Take the bound of the present subproblem, unless one that waits has a lower one."""
        lowest = min(bound, self._limit + 1, bound if self._others is None else self._others)
        if lowest > self.bound:
            self.bound = lowest
            self._take(lowest)

    def _cut(self, here: Subproblem) -> Solved | None:
        """Return the solution of a subproblem to branch on, or None once no tour within the limit is left in it."""
        root = not here.decisions
        self._decide(here.decisions)
        self._separation.begin(root)
        values: list[float] = []
        while True:
            go_on(self._over)
            self._tour, self._limit = self._incumbent(None)
            solved = self._program.solve(self._seconds())
            if solved is None:
                if self._prove_empty(here):
                    return None
                continue
            if self._bounded(here, solved, root):
                continue
            if here.bound > self._limit:
                return None
            support = Support(self.graph.n, self._program.one, self._program.two, solved.x)
            values.append(solved.value)
            if self._stalled(values):
                if not self._separation.harder() and len(fractional(solved)):
                    return solved
                del values[:-1]
            self._program.drop_idle()
            cuts = self._separation.cuts(support, self._tour)
            if not cuts and support.is_tour():
                self._tour, self._limit = self._incumbent(support.tour())
                if here.bound > self._limit:
                    return None
                raise Unfinished  # the duals are not exact enough
            if not self._program.add_cuts(cuts) and not self._separation.harder():
                return solved

    def _seconds(self) -> float:
        return self._deadline - time.perf_counter()

    def _stalled(self, values: list[float]) -> bool:
        gap = self._limit / self.graph.scale - values[-1]
        many = len(values) > STALLED_ROUNDS
        return many and values[-1] - values[-1 - STALLED_ROUNDS] < STALLED_SHARE * gap

    def _bounded(self, here: Subproblem, solved: Solved, root: bool) -> bool:
        """Raise the exact bound of a subproblem by a solution's duals; return whether edges were missing, and added."""
        found = exact_bound(
            self.graph, solved, self._program.cuts, self._left, self._forced, here.decisions, self._limit
        )
        if found is None:
            return False
        here.bound = max(here.bound, found.bound)
        self._raise_bound(here.bound)
        if root:
            self._eliminate(found.bound, found.edges, found.decided)
        if here.bound > self._limit:
            return False
        low = found.edges.of((found.edges.reduced < 0) & ~found.decided)
        return self._add_edges(low.one[:MOST_COLUMNS], low.two[:MOST_COLUMNS]) > 0

    def _prove_empty(self, here: Subproblem) -> bool:
        """Prove that a subproblem without a solution has no tour within the limit; return False if edges were added."""
        length = abs(float(self._limit)) / self.graph.scale + 1
        for penalty in PENALTIES:
            solved = self._program.solve_softly(penalty * length, self._seconds())
            if self._bounded(here, solved, root=False):
                return False
            if here.bound > self._limit:
                return True
        raise Unfinished

    def _eliminate(self, bound: int, edges: Edges, decided: np.ndarray) -> None:
        """Keep the edges that a tour within the limit may have, and force those that it must have."""
        gap = self._limit - bound
        must = edges.of((edges.reduced < -gap) & ~decided)
        if self._left is not None or len(edges.one) < ELIMINATE * self.graph.n:
            self._left = edges.of((edges.reduced <= gap) | decided)
        pairs = [pair for pair in must.pairs() if pair in self._program.column]
        self._forced.update(pairs)
        columns = np.array([self._program.column[pair] for pair in pairs], np.int32)
        self._program.bound_edges(columns, np.ones(len(columns)), np.ones(len(columns)))

    def _decide(self, decisions: tuple[Decision, ...]) -> None:
        """Bound the edges of the program as a subproblem has them."""
        column = self._program.column
        low, high = np.zeros(len(column)), np.ones(len(column))
        if self._left is not None:
            allowed = set(self._left.pairs())
            high[[at for pair, at in column.items() if pair not in allowed]] = 0
        for a, b, value in (*decisions, *((a, b, 1) for a, b in self._forced)):
            low[column[a, b]] = high[column[a, b]] = value
        self._program.bound_edges(np.arange(len(column), dtype=np.int32), low, high)

    def _branching_edge(self, solved: Solved) -> tuple[int, int]:
        """Return the edge whose decision raises the value most, as a few simplex iterations tell."""
        x, program = solved.x, self._program
        free = fractional(solved)
        if len(free) == 0:
            raise Unfinished  # a set that the linear program's tolerances hide
        gap = self._limit / self.graph.scale - solved.value
        scores = []
        order = free[np.argsort(np.abs(x[free] - 0.5))][:CANDIDATES].tolist()
        for column in order:
            go_on(self._over)
            rises = [min(program.probe(column, value, PIVOTS) - solved.value, gap) for value in (0.0, 1.0)]
            scores.append(10 * min(rises) + max(rises))
        best = order[int(np.argmax(scores))]
        return int(program.one[best]), int(program.two[best])

    def _add_first_edges(self) -> None:
        """Begin with the tour, forced edges, and those to near neighbours."""
        n, length = self.graph.n, self.graph.length
        many = min(NEAREST, n - 1)
        apart = length + np.diag(np.full(n, 2**61))
        near = np.argpartition(apart, many - 1, axis=1)[:, :many]
        one = np.concatenate((np.repeat(np.arange(n), many), self._tour, self.graph.forced[:, 0]))
        two = np.concatenate((near.ravel(), np.roll(self._tour, -1), self.graph.forced[:, 1]))
        keys = np.unique(np.minimum(one, two).astype(np.int64) * n + np.maximum(one, two))
        self._add_edges((keys // n).astype(np.int32), (keys % n).astype(np.int32))

    def _add_edges(self, one: Ints, two: Ints) -> int:
        return self._program.add_edges(one, two, self.graph.length[one, two] / self.graph.scale)


def fractional(solved: Solved) -> NDArray[np.intp]:
    """Return the edges whose values are neither 0 nor 1."""
    return np.flatnonzero((solved.x > FRACTIONAL) & (solved.x < 1 - FRACTIONAL))
