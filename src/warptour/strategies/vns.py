"""Variable neighbourhood search (Mladenović and Hansen 1997).

    s := start; N := a list of neighbourhoods; k := 1
    until over:
        s' := shake(s, k)                  k double bridges of short segments, near each other
        h := 1                             variable neighbourhood descent:
        while h <= |N|:
            if N[h] has a move that improves s':  make it; h := 1
            else:                                 h := h + 1
        if s' is shorter than s:           s := s'; k := 1
        else:                              k := k + 1, or 1 after the strongest
                                           s := s' nevertheless if it is little longer than the best tour

Moves are searched over neighbour lists, starting from the cities at the ends of the latest changes, so that the cost of
a shake does not depend on the length of the tour (kernels/vns_search.c).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from warptour.candidates import neighbours
from warptour.engines.instance import Instance, Ints
from warptour.engines.variable import EVALUATIONS, KINDS, MOVES, VariableSearch
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.contributions import Contribution, report
from warptour.search.acceptance import slack
from warptour.search.fallback import in_time
from warptour.search.neighborhood_names import spelled
from warptour.search.parameters import number
from warptour.search.search import Search
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget, TimedWorker, follow, shares


@dataclass(frozen=True)
class VariableNeighborhoodSearch:
    """Variable neighbourhood descents, shaken with growing strength.

    Attributes
    ----------
    neighborhoods : tuple of str
        2-opt, or-opt, 3-opt, swap and relocate, in the order in which they are tried; dashes may be omitted.
    nearest : int
        Neighbours per city.
    longest : int
        Maximum number of cities in an or-opt segment.
    segment : int
        Maximum segment length of a shake's double bridges, in cities.
    strongest : int
        Number of double bridges in the strongest shake.
    threshold : float
        A shaken and repaired tour is kept if it is longer than the best one by at most this, in mean edge lengths.
    exchange : int
        Shakes per thread and city after which threads exchange their tours.
    start : str
        Construction heuristic of the first tour, unless the search provides one.
    """

    name: ClassVar[str] = "vns"
    iteration: ClassVar[str] = "shakes"

    neighborhoods: tuple[str, ...] = ("2-opt", "or-opt", "3-opt")
    nearest: int = number(8, 1, 1000)
    longest: int = number(3, 1, 1000)
    segment: int = number(50, 1)
    strongest: int = number(3, 1, 1000)
    threshold: float = number(0.3)
    exchange: int = number(10, 1, 10**9)
    start: str = "greedy"

    def __post_init__(self) -> None:
        spelled(self.neighborhoods, KINDS)

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return the reason why ``problem`` is not supported, or None; any TSP is."""
        return None if isinstance(problem, TSP) else "vns is for one tour; vehicle routing needs the strategy routes"

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends."""
        return ("cpu",)

    @in_time
    def run(self, search: Search[TSP]) -> None:
        """Search until over, offering every better tour, and report the contribution of each neighbourhood."""
        contributions = self.contribute(search)
        if contributions:
            search.note(report(contributions), lasting=True)

    def contribute(self, search: Search[TSP]) -> list[Contribution]:
        """Do the work of :meth:`run` and return the contribution of each neighbourhood.

        Moves and gains of repairs that were undone count too. Time is attributed in proportion to moves evaluated plus
        cities moved.
        """
        problem = search.problem
        lists = neighbours(problem, self.nearest, threads=search.threads, over=search.hurried)
        if search.over():
            return []
        tour = search.first_tour(self.start, lists)
        search.offer(tour)
        if problem.n < 8 or search.over():
            return []
        instance = Instance.of(problem, lists, threads=search.threads, over=search.hurried)
        with ThreadPool(search.threads) as pool:
            worker = Shakers(self, instance, tour, pool, search.key())
            follow(search, worker, instance.leave, instance.enter)
        return worker.contributions()


class Shakers(TimedWorker):
    """One search per thread on the whole tour; all continue from the best one's tour after fixed numbers of shakes."""

    def __init__(
        self, strategy: VariableNeighborhoodSearch, instance: Instance, tour: Ints, pool: ThreadPool, seed: int
    ) -> None:
        self.instance = instance
        self.pool = pool
        self.exchange = max(1, strategy.exchange * instance.nodes)
        names, inner = spelled(strategy.neighborhoods, KINDS), instance.enter(tour)
        self.searches = [
            VariableSearch(
                instance, inner, names, seed=seed, number=number,
                longest=strategy.longest, segment=strategy.segment, strongest=strategy.strongest,
                slack=slack("threshold", strategy.threshold, float(instance.problem.cost(tour)), instance.nodes),
            )
            for number in range(pool.threads)
        ]  # fmt: skip
        self._goals = [0] * pool.threads
        self._seconds = np.zeros(len(names))

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain``."""
        total = self.gain + gain
        for one in self.searches:
            one.restart(tour, total)

    def step(self, budget: Budget) -> None:
        """Let every search work for one slice; the budget limits the shakes of all together."""
        finished = zip(self.searches, self._goals, strict=True)
        if all(one.locally_optimal and one.shakes >= goal for one, goal in finished):
            best = self._best()
            for one in self.searches:
                if one.gain < best.gain:
                    one.restart(best.best(), best.gain)
            share = shares(budget.iterations, self.exchange, len(self.searches))
            self._goals = [one.shakes + more for one, more in zip(self.searches, share, strict=True)]
        for seconds in self.pool.map(self._work, range(len(self.searches))):
            self._seconds += seconds

    def _work(self, number: int) -> np.ndarray:
        """Run a time slice of one search and return its seconds, attributed to the neighbourhoods by effort."""
        one = self.searches[number]
        before, began = one.efforts, time.perf_counter()
        one.work(self._goals[number], oversubscription=self.pool.oversubscription)
        more = one.efforts - before
        return more * ((time.perf_counter() - began) / max(1, int(more.sum())))

    def _best(self) -> VariableSearch:
        return max(self.searches, key=lambda one: one.gain)

    @property
    def iterations(self) -> int:
        """Number of shakes of all searches."""
        return sum(one.shakes for one in self.searches)

    @property
    def evaluations(self) -> int:
        """Moves evaluated by all searches."""
        return sum(one.evaluations for one in self.searches)

    @property
    def gain(self) -> float:
        """Difference between the first and the best tour length."""
        return self._best().gain

    def best(self) -> Ints:
        """Return the best tour."""
        return self._best().best()

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what each neighbourhood has contributed."""
        super().tell(search)
        search.tell_contributions(self.contributions())

    def contributions(self) -> list[Contribution]:
        """Return the contribution of each neighbourhood over all searches."""
        moves, evaluations = (
            np.sum([one.by_level[:, what] for one in self.searches], axis=0) for what in (MOVES, EVALUATIONS)
        )
        gains = np.sum([one.gains for one in self.searches], axis=0)
        names = self.searches[0].neighborhoods
        return [
            Contribution(name, int(moves[at]), float(gains[at]), int(evaluations[at]), float(self._seconds[at]))
            for at, name in enumerate(names)
        ]
