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
a shake does not depend on the length of the tour; many such searches are resident on a device (vns_search.c). With
``scans="full"`` every move is the best of all moves of its neighbourhood, found by exact scans (papers/scans/full.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from warptour.candidates import neighbours
from warptour.devices import Device, everywhere, host_first
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.contributions import Contribution, report
from warptour.papers.ermis.engine.variable import KINDS, VariableSearches, crowd
from warptour.papers.ermis.strategy.vns.lists import Shakers
from warptour.papers.ermis.strategy.vns.scans import ScanShaker
from warptour.papers.scans.acceptance import slack
from warptour.papers.scans.full import full_scans, refusal
from warptour.papers.scans.neighborhood_names import spelled
from warptour.search.parameters import number
from warptour.search.refusals import closed_tours_only
from warptour.search.search import Search
from warptour.search.strategy import Strategy
from warptour.search.worker import follow
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.starts.start import first_tour


@dataclass(frozen=True)
class VariableNeighborhoodSearch(Strategy):
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
        Shakes per search and city after which searches exchange their tours.
    searches : int
        Searches over neighbour lists that run at once; 0 for one per thread, or as many as keep a GPU busy. The same
        number makes the same moves on every device.
    start : str
        Construction heuristic of the first tour, unless the search provides one.
    scans : {"near", "full"}
        Evaluate neighbour lists, or all moves of a neighbourhood; ``nearest``, ``exchange``, ``searches`` then have no
        effect, and all threads share each scan.
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
    searches: int = number(0, 0, 65_536)
    start: str = "greedy"
    scans: Literal["near", "full"] = "near"

    def __post_init__(self) -> None:
        spelled(self.neighborhoods, KINDS)
        if self.scans not in ("near", "full"):
            raise UsageError(f"unknown scans {self.scans!r}; there are near, full")

    @property
    def keeps_fixed_edges(self) -> bool:
        """Whether it solves tours with fixed edges."""
        return self.scans == "near"

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return the reason why ``problem`` is not supported, or None; any TSP is by neighbour lists."""
        if not isinstance(problem, TSP):
            return "vns is for one tour; vehicle routing needs the strategy routes"
        if self.scans == "near":
            return None
        why = refusal(problem.n, spelled(self.neighborhoods, KINDS))
        return f"{why}; leave it out, or scans=near" if why else closed_tours_only("vns with scans=full", problem)

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends, the best first."""
        return host_first() if self.scans == "near" else everywhere()

    def run(self, search: Search[TSP]) -> None:
        """Search until over, offering every better tour, and report the contribution of each neighbourhood."""
        contributions = self.contribute(search)
        if contributions:
            search.note(report(contributions), lasting=True)

    def contribute(self, search: Search[TSP]) -> list[Contribution]:
        """Do the work of :meth:`run` and return the contribution of each neighbourhood.

        Moves and gains of repairs that were undone count too. Over neighbour lists, time is attributed in proportion to
        moves evaluated plus cities moved.
        """
        return self._scan(search) if self.scans == "full" else self._descend(search)

    def _descend(self, search: Search[TSP]) -> list[Contribution]:
        """Search over neighbour lists."""
        problem = search.problem
        lists = neighbours(problem, self.nearest, threads=search.threads, over=search.hurried)
        if search.over():
            return []
        tour = first_tour(search, self.start, lists)
        search.offer(tour)
        if problem.n < 8 or search.over():
            return []
        instance = Instance.of(problem, lists, threads=search.threads, over=search.hurried)
        device, levels = search.device, len(self.neighborhoods)
        count = self.searches or (search.threads if device.is_host else crowd(device, instance.nodes, levels))
        worker = self.shakers(instance, tour, device, search.key(), count)
        follow(search, worker, instance.leave, instance.enter)
        return worker.contributions()

    def shakers(self, instance: Instance, tour: Ints, device: Device, seed: int, count: int) -> Shakers:
        """Return ``count`` searches over neighbour lists from ``tour``."""
        searches = VariableSearches(
            instance,
            device,
            instance.enter(tour),
            spelled(self.neighborhoods, KINDS),
            count=count,
            seed=seed,
            longest=self.longest,
            segment=self.segment,
            strongest=self.strongest,
            slack=slack("threshold", self.threshold, float(instance.problem.cost(tour)), instance.nodes),
        )
        return Shakers(searches, max(1, self.exchange * instance.nodes))

    def _scan(self, search: Search[TSP]) -> list[Contribution]:
        """Search by scans of all moves."""
        problem = search.problem
        tour = first_tour(search, self.start)
        search.offer(tour)
        if problem.n < 8 or search.over():
            return []
        worker = ScanShaker(
            problem,
            tour,
            full_scans(problem, search.device, spelled(self.neighborhoods, KINDS), longest=self.longest),
            rng=np.random.default_rng(search.seeds),
            segment=self.segment,
            strongest=self.strongest,
            slack=slack("threshold", self.threshold, float(problem.cost(tour)), problem.n),
        )
        follow(search, worker, lambda found: found, lambda found: found)
        return worker.contributions
