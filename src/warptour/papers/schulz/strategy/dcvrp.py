"""Descents in the complete 2-opt and 3-opt neighbourhoods of vehicle routes (Schulz 2011), with perturbations.

    s := cheapest insertion
    until over:
        while a move improves s:  s := the best feasible neighbour of s
        best := s, if it is at least as good
        s := best without customers near each other, who are inserted again in random order

Routes are a giant tour on the device (``engine``): a move may change one route or several, open one or close
one. Routes beyond the number of vehicles cost more than any move can gain in length, so descents close them where they
can.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Final, Literal, cast

import numpy as np

from warptour.devices import Device, everywhere
from warptour.kernels.groups import Over
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.papers.scans.engines import shares, telling
from warptour.papers.scans.neighborhood_names import spelled
from warptour.papers.scans.rows import share_cores
from warptour.papers.scans.runner import BestMove, Order, ThreadRunner, carry_out
from warptour.papers.scans.team import Account, Team
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.search import LARGEST, GiantSearch, move_count
from warptour.papers.schulz.engine.shared import GiantMoves, GiantRows, SharedGiantSearch, moves_before, rows_of
from warptour.routes.starts.insertion import inserted, insertion, singles
from warptour.routes.starts.savings import savings
from warptour.search.parameters import number
from warptour.search.refusals import vehicles_only
from warptour.search.scanning import Runner
from warptour.search.search import Search
from warptour.search.strategy import Portion, Strategy

NEIGHBORHOODS: Final = ("2-opt", "3-opt")

STARTS: Final = ("auto", "insertion", "savings", "singles")

INSERTED: Final = 3000
"""Maximum number of nodes for cheapest insertion by default, about a second; savings take less."""

SPARE: Final = 0.25
"""Empty routes of a giant tour in proportion to those of the start, at least two, so that moves can open routes."""

CALL_SECONDS: Final = 0.05
"""Seconds between reports, about: the scans per call are doubled until a call takes half as long."""


@dataclass(frozen=True)
class GiantTourDescent(Strategy):
    """Best- or first-improving descents over all 2-opt and 3-opt moves of the giant tour, from perturbed routes.

    Attributes
    ----------
    neighborhoods : tuple of str
        2-opt, 3-opt (moves that replace three edges), or both; dashes may be omitted.
    improvement : {"best", "first"}
        Whether to apply the best move of all, or the best of the first part of the neighbourhood that has any.
    parts : int
        Number of such parts.
    removed : int
        Maximum number of customers that a perturbation removes and inserts again; with 0, or without a limit on time
        or iterations, the first local optimum is the result.
    start : {"auto", "insertion", "savings", "singles"}
        Construction of the first routes, unless the search provides them: cheapest insertion, savings, or one vehicle
        for each customer. By default insertion, and savings for many customers.
    routes : int
        Routes of the giant tour, empty ones included; 0 for those of the start and some more.
    several : {"apart", "together"}
        What several devices or processes do: search apart, with exchanges, or share the scans of one giant tour.
    """

    name: ClassVar[str] = "dcvrp"
    iteration: ClassVar[str] = "scans"

    neighborhoods: tuple[str, ...] = NEIGHBORHOODS
    improvement: Literal["best", "first"] = "best"
    parts: int = number(8, 1, 1000)
    removed: int = number(20)
    start: Literal["auto", "insertion", "savings", "singles"] = "auto"
    routes: int = number(0)
    several: Literal["apart", "together"] = "apart"

    @property
    def portion(self) -> Portion:
        """What members do: scan rows of the moves of one giant tour, or search the whole."""
        return "rows" if self.several == "together" else "whole"

    def scanner(
        self, problem: VRP, kind: str, devices: Sequence[Device], threads: int
    ) -> Callable[[Order, Over], BestMove]:
        """Return what carries out an order on all of a member's devices; ``kind`` is the number of routes."""
        share_cores(devices, threads)
        instance = GiantInstance.of(problem, int(kind))
        return partial(carry_out, self.team(instance, [self._runner(instance, device) for device in devices]))

    def _runner(self, instance: GiantInstance, device: Device) -> Runner:
        return ThreadRunner(device.name, partial(GiantRows, instance, device, self.names))

    @property
    def names(self) -> tuple[str, ...]:
        """The neighbourhoods, as they are spelled."""
        return tuple(spelled(self.neighborhoods, NEIGHBORHOODS))

    def team(self, instance: GiantInstance, runners: Sequence[Runner], **options: Any) -> Team:
        """Return a team of those who scan the moves of giant tours of an instance."""
        rows = rows_of(instance)
        return Team(runners, rows, partial(moves_before, rows=rows), GiantMoves(), **options)

    def engine(self, search: Search[VRP], instance: GiantInstance) -> GiantSearch | SharedGiantSearch:
        """Return what scans: the device of the search or, together, all of its devices or members."""
        if self.several == "apart" or not shares(search):
            return GiantSearch(
                instance, search.device, self.names, first=self.improvement == "first", parts=self.parts,
                over=search.over,
            )  # fmt: skip
        if self.improvement == "first":
            raise UsageError("improvement=first is for one device, or several=apart; those together look at all moves")
        share_cores(search.devices, search.threads)
        accounts: list[Account] = []
        runners = [make(search.problem, str(instance.routes)) for make in search.scanners]  # type: ignore[arg-type]
        team = self.team(
            instance,
            runners or [self._runner(instance, device) for device in search.devices],
            over=telling(search, accounts),
            note=partial(search.note, lasting=True),
            spare=(lambda: self._runner(instance, search.device)) if runners else None,
            accounts=accounts,
        )
        return SharedGiantSearch(instance, team, move_count(rows_of(instance), self.names))

    def __post_init__(self) -> None:
        spelled(self.neighborhoods, NEIGHBORHOODS)
        if self.several not in ("apart", "together"):
            raise UsageError(f"several is apart or together, not {self.several!r}")
        if self.improvement not in ("best", "first"):
            raise UsageError(f"improvement is best or first, not {self.improvement!r}")
        if self.start not in STARTS:
            raise UsageError(f"unknown start {self.start!r}; there are {', '.join(STARTS)}")

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return the reason why ``problem`` is not supported, or None."""
        if problem.n >= LARGEST:
            return f"dcvrp is for giant tours of up to {LARGEST} nodes; routes takes more customers"
        if isinstance(problem, VRP) and problem.timed:
            return vehicles_only(self.name, problem)
        if isinstance(problem, VRP) and (problem.directed or any(limit.travel is not None for limit in problem.limits)):
            return "dcvrp needs the same distance there and back, and limits on these distances; routes does without"
        if isinstance(problem, VRP) and len(problem.limits) > 1:
            return "dcvrp takes one limit on routes besides the capacity; routes takes two"
        return vehicles_only(self.name, problem)

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends, the best first."""
        return everywhere()

    def run(self, search: Search[VRP]) -> None:
        """Descend to local optima until the search is over, and say which of them are proved."""
        problem = search.problem
        routes = self._first_routes(search)
        if not replace(problem, vehicles=None).check(routes).feasible:  # a direct trip may exceed the limit
            search.remember_infeasible(routes)
            return
        offer(search, routes)
        if problem.n == 1 or search.over():
            return
        descents = Descents(self, search, routes)
        while descents.descend() and descents.restarts:
            descents.perturb()
        descents.tell_proof()

    def _first_routes(self, search: Search[VRP]) -> Routes:
        """Return the routes that the search was given, or constructed ones, whatever the number of vehicles."""
        if isinstance(search.start, list):
            return search.start
        free, start = replace(search.problem, vehicles=None), search.start or self.start
        if start == "savings" or (start == "auto" and free.n > INSERTED):
            return savings(free, search.threads, search.hurried)
        return singles(free) if start == "singles" else insertion(free, search.hurried)


class Descents:
    """Descents of one search, and the best of their local optima."""

    def __init__(self, strategy: GiantTourDescent, search: Search[VRP], routes: Routes) -> None:
        self.search, self.problem = search, search.problem
        self.removed = min(strategy.removed, self.problem.n - 1)
        self.restarts = self.removed > 0 and min(search.seconds_left(), search.iterations_left()) < math.inf
        self.names = strategy.names
        self.random = np.random.default_rng(search.seeds)
        self.best, self.proved, self.scans = routes, 0, 1
        spare = max(2, int(SPARE * len(routes)))
        count = strategy.routes or min(len(routes) + spare, self.problem.n - 1, LARGEST - self.problem.n)
        if len(routes) > count:
            raise UsageError(f"dcvrp: the first {len(routes)} routes do not fit into a giant tour of {count}")
        self.instance = GiantInstance.of(self.problem, count)
        self.engine = strategy.engine(search, self.instance)
        self.engine.load(self.instance.enter(routes))

    def descend(self) -> bool:
        """Descend until the search is over or at a local optimum, proved by the last scan; return whether it is one.

        What moves there are depends on the places of empty routes, so a proof is of the giant tour that has them last,
        which anyone can make from the routes.
        """
        search, engine = self.search, self.engine
        while not search.over():
            began = search.seconds
            made = engine.steps(int(min(self.scans, search.iterations_left())), search.over)
            optimal = engine.locally_optimal
            search.count(made + optimal, (made + optimal) * engine.move_count)
            giant = engine.tour()
            routes = self.instance.leave(giant)
            offer(search, routes)
            ordered = self.instance.enter(routes)
            if optimal and (self.instance.places(giant) != self.instance.places(ordered)).any():
                engine.load(ordered)
            elif optimal:
                self.proved += 1
                if order(self.problem, routes) <= order(self.problem, self.best):
                    self.best = routes
                search.step("descent", self.proved, best=order(self.problem, self.best)[1])
                return True
            if search.seconds - began < CALL_SECONDS / 2:
                self.scans *= 2
        return False

    def perturb(self) -> None:
        """Go on from the best routes, perhaps another search's, with customers near a random one inserted again."""
        problem, customers = self.problem, self.problem.customers
        for routes in cast(list[Routes], self.search.exchange.take() if self.search.exchange.due() else []):
            if order(problem, routes) < order(problem, self.best) and len(routes) <= self.instance.routes:
                self.best = routes
        centre = np.full(len(customers), self.random.choice(customers))
        near = customers[np.argsort(problem.distances(centre, customers), kind="stable")]
        near = near[: self.random.integers(1, self.removed + 1)]
        kept = [route[~np.isin(route, near)] for route in self.best]
        routes = inserted(problem, kept, self.random.permutation(near))
        fits = len(routes) <= self.instance.routes
        self.engine.load(self.instance.enter(routes if fits else self.best))

    def tell_proof(self) -> None:
        """Report the best local optimum again, so that it is kept of equally good routes, and say what is proved."""
        if self.proved:
            offer(self.search, self.best)
        if self.proved and (self.search.best is None or self.search.best is self.best):
            proved = " and ".join(f"{name.replace('-opt', '')}-optimal" for name in self.names)
            self.search.note(
                f"{proved}: exact scans of all moves ({', '.join(self.names)}) of the giant tour of "
                f"{self.instance.routes} routes found no feasible one that improves; local optima: {self.proved}",
                lasting=True,
            )


def offer(search: Search[VRP], routes: Routes) -> None:
    """Report routes; if they are more than the vehicles, only while there are no others."""
    if order(search.problem, routes)[0] == 0:
        search.offer(routes)
    elif search.best is None:
        search.remember_infeasible(routes)


def order(problem: VRP, routes: Routes) -> tuple[int, float]:
    """Return the routes beyond the vehicles, and the cost."""
    return (0 if problem.vehicles is None else max(0, len(routes) - problem.vehicles)), problem.cost(routes)
