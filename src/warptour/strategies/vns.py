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
                                           s := s' all the same if it is little longer than the best tour

Moves are looked for over neighbour lists, from the cities at the ends of what
was changed last, so that a shake costs the same in a long tour and in a short
one (kernels/vns_search.c).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from warptour.candidates import neighbours
from warptour.construct import start
from warptour.engines.instance import Instance, Ints
from warptour.engines.variable import EVALUATIONS, KINDS, MOVES, VariableSearch
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.acceptance import slack
from warptour.search.contributions import Contribution, report
from warptour.search.fallback import in_time
from warptour.search.neighborhood_names import spelled
from warptour.search.search import Search
from warptour.search.team import follow, shares
from warptour.search.threads import Poll, ThreadPool


@dataclass(frozen=True)
class VariableNeighborhoodSearch:
    """Descents through a list of neighbourhoods, shaken with growing strength.

    Attributes
    ----------
    neighborhoods : tuple of str
        2-opt, or-opt, 3-opt, swap and relocate, in the order in which they are tried; dashes may be left out.
    nearest : int
        Neighbours of each city.
    longest : int
        Cities of a segment, for or-opt.
    segment : int
        Longest segment of a shake's double bridges.
    strongest : int
        Double bridges of the strongest shake.
    threshold : float
        A tour is kept after a shake if it is at most so many mean edges longer than the best one.
    exchange : int
        Shakes of each thread, per city, after which threads exchange their tours.
    start : str
        How the first tour is built, unless the search brings one.
    """

    name: ClassVar[str] = "vns"
    iteration: ClassVar[str] = "shakes"

    neighborhoods: tuple[str, ...] = ("2-opt", "or-opt", "3-opt")
    nearest: int = 8
    longest: int = 3
    segment: int = 50
    strongest: int = 3
    threshold: float = 0.3
    exchange: int = 10
    start: str = "greedy"

    def __post_init__(self) -> None:
        spelled(self.neighborhoods, KINDS)

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None: any TSP will do."""
        return None if isinstance(problem, TSP) else "vns is for one tour; vehicle routing needs the strategy routes"

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the kinds of device."""
        return ("cpu",)

    @in_time
    def run(self, search: Search) -> None:
        """Search until over, offering every better tour, and say what each neighbourhood contributed."""
        contributions = self.contribute(search)
        if contributions:
            search.note(report(contributions), lasting=True)

    def contribute(self, search: Search) -> list[Contribution]:
        """Do what :meth:`run` does and return what each neighbourhood contributed.

        Moves and gains of repairs that were undone are counted too. The time is shared out by the moves evaluated and
        cities moved.
        """
        problem = search.problem
        assert isinstance(problem, TSP)
        lists = neighbours(problem, self.nearest, threads=search.threads, over=search.hurried)
        if search.over():
            return []
        choice = self.start if search.start is None or isinstance(search.start, list) else search.start
        tour = start(problem, choice, search.seeds, lists, search.threads, search.hurried)
        search.offer(tour)
        if problem.n < 8 or search.over():
            return []
        instance = Instance.of(problem, lists, threads=search.threads, over=search.hurried)
        with ThreadPool(search.threads) as pool:
            team = Shakers(self, instance, tour, pool, int(search.seeds.generate_state(1, np.uint64)[0]))
            follow(search, team)
        return team.contributions()


class Shakers:
    """One search per thread on the whole tour; all go on from the best one's at fixed counts of shakes."""

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

    def advance(self, kicks_left: float, poll: Poll) -> None:
        """Let every search work for one slice; ``kicks_left`` limits the shakes of all together."""
        if all(
            one.locally_optimal and one.shakes >= goal for one, goal in zip(self.searches, self._goals, strict=True)
        ):
            best = self._best()
            for one in self.searches:
                if one.gain < best.gain:
                    one.restart(best.best(), best.gain)
            share = shares(kicks_left, self.exchange, len(self.searches))
            self._goals = [one.shakes + more for one, more in zip(self.searches, share, strict=True)]
        for seconds in self.pool.map(self._work, range(len(self.searches))):
            self._seconds += seconds

    def _work(self, number: int) -> np.ndarray:
        """Return the seconds that a slice of one search took, shared out by the neighbourhoods' efforts."""
        one = self.searches[number]
        before, began = one.efforts, time.perf_counter()
        one.work(self._goals[number], oversubscription=self.pool.oversubscription)
        more = one.efforts - before
        return more * ((time.perf_counter() - began) / max(1, int(more.sum())))

    def _best(self) -> VariableSearch:
        return max(self.searches, key=lambda one: one.gain)

    @property
    def kicks(self) -> int:
        """Shakes of all searches."""
        return sum(one.shakes for one in self.searches)

    @property
    def evaluations(self) -> int:
        """Moves evaluated by all searches."""
        return sum(one.evaluations for one in self.searches)

    @property
    def gain(self) -> float:
        """By how much the best tour is shorter than the first one."""
        return self._best().gain

    def best(self) -> Ints:
        """Return the best tour, as the problem numbers cities."""
        return self.instance.leave(self._best().best())

    def contributions(self) -> list[Contribution]:
        """Return what each neighbourhood did, in all searches."""
        moves, evaluations = (
            np.sum([one.by_level[:, what] for one in self.searches], axis=0) for what in (MOVES, EVALUATIONS)
        )
        gains = np.sum([one.gains for one in self.searches], axis=0)
        names = self.searches[0].neighborhoods
        return [
            Contribution(name, int(moves[at]), float(gains[at]), int(evaluations[at]), float(self._seconds[at]))
            for at, name in enumerate(names)
        ]
