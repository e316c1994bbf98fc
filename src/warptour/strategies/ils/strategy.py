"""Iterated local search: kick, repair, keep what pays.

    s0 := start
    s* := local search(s0)
    until over:
        s'  := kick(s*)             a double bridge of short segments somewhere in the tour
        s*' := local search(s')     2-opt and or-opt, from the cities at the kick's cuts
        s*  := accept(s*, s*')

The repair looks only where the kick was, so a kick costs the same at a thousand
cities and at a million (kernels/descent.c). With ``repair="all"`` it makes the
best of all 2-opt moves until there is none, on any device (Rocki 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from warptour.candidates import neighbours
from warptour.construct import start
from warptour.engines.instance import Instance
from warptour.engines.scans.two_opt_climbers import TwoOptClimbers
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.acceptance import Acceptance, slack
from warptour.search.fallback import in_time
from warptour.search.refusals import closed_tours_only
from warptour.search.search import Search
from warptour.search.team import follow
from warptour.search.threads import ThreadPool
from warptour.strategies.ils.chains import KickChains
from warptour.strategies.ils.scans import ResidentChains, ScanChain
from warptour.strategies.ils.sections import Sections

SECTIONED = 20_000
"""From so many cities a thread on, threads work on sections of one tour instead of on tours of their own."""


@dataclass(frozen=True)
class IteratedLocalSearch:
    """Kicks, each repaired by 2-opt and or-opt over neighbour lists.

    Attributes
    ----------
    nearest : int
        Neighbours of each city.
    segment : int
        Longest segment of a kick's double bridge.
    accept : {"better", "equal", "threshold"}
        Which tours a chain goes on from: shorter ones, also equal ones, or those at most ``threshold`` mean edges
        longer than its best.
    threshold : float
    exchange : int
        Kicks of each thread, per city, after which threads exchange their tours.
    start : str
        How the first tour is built, unless the search brings one.
    repair : {"auto", "near", "all"}
        Look at neighbour lists, or at all 2-opt moves; by default at neighbour lists on the CPU and at all moves
        elsewhere. With ``all``, shorter tours are accepted, and ``nearest``, ``accept`` and ``threshold`` have no say.
    chains : int
        With ``all``, how many chains are kicked side by side, if they fit into fast memory; 0 for as many as keep the
        device busy.
    """

    name: ClassVar[str] = "ils"
    iteration: ClassVar[str] = "kicks"

    nearest: int = 8
    segment: int = 50
    accept: Acceptance = "threshold"
    threshold: float = 0.3
    exchange: int = 10
    start: str = "greedy"
    repair: Literal["auto", "near", "all"] = "auto"
    chains: int = 0

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None: any TSP will do."""
        if isinstance(problem, VRP):
            return "ils is for one tour; vehicle routing needs the strategy routes"
        return closed_tours_only("ils with repair=all", problem) if self.repair == "all" else None

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the kinds of device, the best first: neighbour lists on the CPU beat all moves on a GPU."""
        closed = closed_tours_only("ils", problem) is None
        return ("cpu", "cuda", "opencl") if closed and self.repair != "near" else ("cpu",)

    @in_time
    def run(self, search: Search) -> None:
        """Search until over, offering every better tour."""
        problem = search.problem
        assert isinstance(problem, TSP)
        if self.repair not in ("auto", "near", "all"):
            raise UsageError(f"unknown repair {self.repair!r}; there are auto, near, all")
        elsewhere = search.device.name != "cpu"
        if self.repair == "all" or (self.repair == "auto" and elsewhere):
            self._scan(search, problem)
            return
        if elsewhere:
            raise UnsupportedError("ils repairs by neighbour lists on the CPU only: --device cpu, or --set repair=all")
        lists = neighbours(problem, self.nearest, threads=search.threads, over=search.hurried)
        if search.over():
            return
        choice = self.start if search.start is None or isinstance(search.start, list) else search.start
        tour = start(problem, choice, search.seeds, lists, search.threads, search.hurried)
        search.offer(tour)
        if problem.n < 5 or search.over():
            return
        instance = Instance.of(problem, lists, threads=search.threads, over=search.hurried)
        seed = int(search.seeds.generate_state(1, np.uint64)[0])
        allowed = slack(self.accept, self.threshold, float(problem.cost(tour)), problem.n)
        with ThreadPool(search.threads) as pool:
            kind = Sections if pool.threads > 1 and problem.n >= SECTIONED * pool.threads else KickChains
            exchange = self.exchange * problem.n // (pool.threads if kind is Sections else 1)
            team = kind(instance, tour, pool, seed=seed, slack=allowed, segment=self.segment, exchange=exchange)
            follow(search, team)

    def _scan(self, search: Search, problem: TSP) -> None:
        """Search with repairs by all moves."""
        reason = closed_tours_only("ils with repair=all", problem)
        if reason is not None:
            raise UnsupportedError(reason)
        choice = self.start if search.start is None or isinstance(search.start, list) else search.start
        tour = start(problem, choice, search.seeds, None, search.threads, search.hurried)
        search.offer(tour)
        if problem.n < 5 or search.over():
            return
        device, chains = search.device, self.chains or TwoOptClimbers.crowd(search.device)
        if chains > 1 and chains <= search.iterations_left() and TwoOptClimbers.supports(problem, device):
            exchange = max(1, self.exchange * problem.n // 100)
            seed = int(search.seeds.generate_state(1, np.uint64)[0])
            follow(
                search,
                ResidentChains(
                    problem, device, tour, chains=chains, seed=seed, segment=self.segment, exchange=exchange
                ),
            )
        else:
            rng = np.random.default_rng(search.seeds)
            follow(search, ScanChain(problem, device, tour, over=search.over, rng=rng, segment=self.segment))
