"""Iterated local search: kick, repair, keep what pays.

    s0 := start
    s* := local search(s0)
    until over:
        s'  := kick(s*)             a double bridge of short segments somewhere in the tour
        s*' := local search(s')     2-opt and or-opt, from the cities at the kick's cuts
        s*  := accept(s*, s*')

The repair starts from the cities of the kick, so a kick costs the same at a
thousand cities and at a million (kernels/papers/scans/descent.c). With ``repair="all"`` it makes
the best of all 2-opt moves until none improves, on any device (Rocki 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from warptour.candidates import neighbours
from warptour.devices import host_first
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.papers.rocki.strategy.chains import KickChains
from warptour.papers.rocki.strategy.scans import ResidentChains, ScanChain
from warptour.papers.rocki.strategy.sections import Sections
from warptour.papers.scans.acceptance import Acceptance, slack
from warptour.papers.scans.engines import ScansRows, shares, two_opt_engine
from warptour.papers.scans.two_opt_climbers import TwoOptClimbers
from warptour.search.parameters import number
from warptour.search.refusals import closed_tours_only
from warptour.search.search import Search
from warptour.search.strategy import Portion
from warptour.search.threads import ThreadPool
from warptour.search.worker import Worker, follow
from warptour.tours.engine.instance import Instance
from warptour.tours.starts.start import first_tour

MIN_SECTION_CITIES = 20_000
"""Smallest section of one tour per thread; below, each thread has a tour of its own."""


@dataclass(frozen=True)
class IteratedLocalSearch(ScansRows):
    """Kicks, each repaired by 2-opt and or-opt over neighbour lists, or by scans of all 2-opt moves.

    Attributes
    ----------
    nearest : int
        Length of a city's neighbour list.
    segment : int
        Maximum number of cities in a segment of a kick's double bridge.
    accept : {"better", "equal", "threshold"}
        Which tours a chain continues from: shorter ones, also equal ones, or those up to a
        ``threshold`` longer than its best.
    threshold : float
        With ``accept=threshold``, how much longer than a chain's best, in mean edge lengths.
    exchange : int
        Kicks per city and thread after which threads exchange their tours.
    start : str
        Construction of the first tour, unless the search brings one.
    repair : {"auto", "near", "all"}
        Evaluate neighbour lists, or all 2-opt moves; by default neighbour lists on the CPU, all moves elsewhere. With
        ``all``, shorter tours are accepted, and ``nearest``, ``accept`` and ``threshold`` have no effect. Several
        devices share exact scans of one chain.
    chains : int
        With ``all``, number of chains in parallel, if they fit into shared memory; 0 for as many as fill the device.
    """

    name: ClassVar[str] = "ils"
    iteration: ClassVar[str] = "kicks"

    nearest: int = number(8, 1, 1000)
    segment: int = number(50, 1)
    accept: Acceptance = "threshold"
    threshold: float = number(0.3)
    exchange: int = number(10, 1, 10**9)
    start: str = "greedy"
    repair: Literal["auto", "near", "all"] = "auto"
    chains: int = number(0, 0, 65_536)

    @property
    def portion(self) -> Portion:
        """Members scan rows of the moves of one tour, if it scans all moves."""
        return "rows" if self.repair == "all" else "whole"

    @property
    def keeps_fixed_edges(self) -> bool:
        """Whether it solves tours with fixed edges."""
        return self.repair != "all"

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None: any TSP will do."""
        if isinstance(problem, VRP):
            return "ils is for one tour; vehicle routing needs the strategy routes"
        return closed_tours_only("ils with repair=all", problem) if self.repair == "all" else None

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends, the best first: neighbour lists on the CPU beat all moves on a GPU."""
        closed = closed_tours_only("ils", problem) is None
        return host_first() if closed and self.repair != "near" else ("cpu",)

    def run(self, search: Search[TSP]) -> None:
        """Search until over, offering every better tour."""
        if self.repair not in ("auto", "near", "all"):
            raise UsageError(f"unknown repair {self.repair!r}; there are auto, near, all")
        on_host = search.device.is_host
        if self.repair == "all" or (self.repair == "auto" and not on_host):
            self._scan(search)
        elif on_host:
            self._descend(search)
        else:
            raise UnsupportedError("ils repairs by neighbour lists on the CPU only: --device cpu, or --set repair=all")

    def _descend(self, search: Search[TSP]) -> None:
        """Search with repairs over neighbour lists."""
        problem = search.problem
        lists = neighbours(problem, self.nearest, threads=search.threads, over=search.hurried)
        if search.over():
            return
        tour = first_tour(search, self.start, lists)
        search.offer(tour)
        if problem.n < 5 or search.over():
            return
        instance = Instance.of(problem, lists, threads=search.threads, over=search.hurried)
        allowed = slack(self.accept, self.threshold, float(problem.cost(tour)), problem.n)
        with ThreadPool(search.threads) as pool:
            kind = Sections if pool.threads > 1 and problem.n >= MIN_SECTION_CITIES * pool.threads else KickChains
            exchange = self.exchange * problem.n // (pool.threads if kind is Sections else 1)
            worker = kind(
                instance, instance.enter(tour), pool,
                seed=search.key(), slack=allowed, segment=self.segment, exchange=exchange,
            )  # fmt: skip
            follow(search, worker, instance.leave, instance.enter)

    def _scan(self, search: Search[TSP]) -> None:
        """Search with repairs by scans of all moves."""
        problem, device = search.problem, search.device
        reason = closed_tours_only("ils with repair=all", problem)
        if reason is not None:
            raise UnsupportedError(reason)
        tour = first_tour(search, self.start)
        search.offer(tour)
        if problem.n < 5 or search.over():
            return
        if shares(search) and self.chains > 1:
            raise UsageError("chains are for one device; several devices share the exact scans of one chain")
        chains = 1 if shares(search) else self.chains or TwoOptClimbers.crowd(problem, device)
        worker: Worker
        if chains > 1 and chains <= search.iterations_left() and TwoOptClimbers.supports(problem, device):
            exchange = max(1, self.exchange * problem.n // 100)
            worker = ResidentChains(
                problem, device, tour, chains=chains, seed=search.key(), segment=self.segment, exchange=exchange
            )
        else:
            rng = np.random.default_rng(search.seeds)
            worker = ScanChain(two_opt_engine(search), tour, rng=rng, segment=self.segment)
        follow(search, worker, lambda found: found, lambda found: found)
