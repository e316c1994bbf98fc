"""Vehicle routes by ruin and recreate: slack induction by string removals.

    s := savings
    until over:
        s' := s without strings of customers from routes that lie side by side
        s' := s' with each of them where it adds least, in a random kind of order
        s  := s' if it is not much dearer; how much is allowed falls over the budget

Christiaens and Vanden Berghe, "Slack induction by string removals for vehicle
routing problems", 2020. An attempt costs the same at a hundred customers and at
a hundred thousand (kernels/routes_search.c): customers go beside one of their
neighbours, and what does not pay is undone from a journal. Threads share the
routes, each changing a group of neighbouring ones, and divide them anew each
round; few routes are searched whole, in a chain for each thread. Few customers
are crossed in a population (strategies/routes/hybrid_genetic.py), whose descents
pass through what the limits forbid; in between, one follows the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from warptour.engines.routes.fleet import RouteInstance, Ruin
from warptour.model.nonnegative import lowest_distance
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.search.fallback import in_time
from warptour.search.search import Search
from warptour.search.threads import ThreadPool
from warptour.strategies.routes.cooling import Cooling, typical_edge
from warptour.strategies.routes.hybrid_genetic import RoutePopulation
from warptour.strategies.routes.ruin_recreate import AnnealingChains, Groups, Plan, RouteTeam
from warptour.strategies.routes.start import fitting_routes, free_routes

OFFER_SHARE = 20
"""Routes are handed in at most once in so many times what that costs."""

SPEED = 1e5
"""Attempts of a thread in a second, about."""

SCARCE = 0.25
"""Part of the budget that ruin and recreate has at least where savings need more routes than there are vehicles."""


@dataclass(frozen=True)
class RouteImprovement:
    """Ruin and recreate under a temperature that falls over the budget.

    Attributes
    ----------
    hot, cold : float
        Temperature at the start and the end, in mean edges between customers.
    nearest : int
        Neighbours of each customer, beside which it may be inserted.
    removed : float
        Customers removed in an attempt, on average.
    longest : int
        Customers of a string at most.
    effort : float
        Attempts per customer after which the groups are divided anew.
    size : int
        Customers of a group, about.
    whole : int
        Up to so many customers each thread changes all routes, in a chain of its own.
    crossed, ruined : int
        Up to ``crossed`` customers there is a population alone, from ``ruined`` on ruin and recreate alone; between
        them, the population has the end of the budget, the less the more customers there are.
    least : int
        Attempts per customer before a population goes on from ruin and recreate; a shorter run has none.
    exchange : int
        Calls after which the dearest chain goes on from the cheapest.
    """

    name: ClassVar[str] = "routes"
    iteration: ClassVar[str] = "attempts"

    hot: float = 3.0
    cold: float = 0.1
    nearest: int = 70
    removed: float = 10.0
    longest: int = 10
    effort: float = 10.0
    size: int = 1000
    whole: int = 100
    crossed: int = 150
    ruined: int = 650
    least: int = 1500
    exchange: int = 50

    def __post_init__(self) -> None:
        if not 0 < self.cold <= self.hot:
            raise ValueError("temperatures fall from hot to cold, and both are above 0")

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None."""
        if not isinstance(problem, VRP):
            return "routes is for vehicles; one tour needs ils, hill or restarts"
        lowest = 0.0 if problem.matrix is None else lowest_distance(problem.matrix)
        return None if lowest >= 0 else f"vehicles need distances of 0 or more, and the matrix has one of {lowest:g}"

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the kinds of device."""
        return ("cpu",)

    @in_time
    def run(self, search: Search) -> None:
        """Search until over, offering all better routes."""
        problem = search.problem
        assert isinstance(problem, VRP)
        given = isinstance(search.start, list)
        routes: Routes = (
            list(search.start) if given else free_routes(problem, search.threads, search.hurried)  # type: ignore[arg-type]
        )
        before = search.seconds
        enough = problem.vehicles is None or len(routes) <= problem.vehicles
        if enough:
            search.offer(routes)
        took = search.seconds - before
        if not enough:
            search.remember_infeasible(routes)
        if problem.n > 2 and not search.over():
            self._search(search, problem, routes, enough, took)

    def _search(self, search: Search, problem: VRP, routes: Routes, enough: bool, took: float) -> None:
        instance = RouteInstance.of(problem, self.nearest, search.threads, search.hurried)
        edge = typical_edge(problem, instance.giant_tour(routes))
        attempts = min(search.iterations_left(), SPEED * search.threads * search.seconds_left())
        share = self.share_of_ruin(problem.n - 1, attempts, limited=problem.max_distance is not None)
        if not enough:
            share = max(share, SCARCE)
        cooling = Cooling(search, self.hot * edge, self.cold * edge, share or 1.0)
        seed = int(search.seeds.generate_state(1, np.uint64)[0])
        with ThreadPool(search.threads) as pool:
            ruin = Ruin(self.removed, self.longest)
            plan = Plan(instance, pool, cooling, ruin, seed, self.effort, self.size, self.exchange)
            if not enough:
                found = fitting_routes(search, plan, routes)
                enough, routes = found is not None, found or routes
            if enough:
                search.offer(routes)
            if enough and share > 0:
                team: RouteTeam
                if problem.map is None or problem.n - 1 <= self.whole or len(routes) < 4 * pool.threads:
                    team = AnnealingChains(plan, instance.giant_tour(routes))
                else:
                    team = Groups(plan, instance.giant_tour(routes))
                _work(search, instance, team, took, cooling)
                routes = instance.routes(team.best())
            if share < 1 and not search.over():
                _work(search, instance, RoutePopulation(instance, pool, seed, routes), took)

    def share_of_ruin(self, customers: int, attempts: float, *, limited: bool) -> float:
        """Return the part of a budget of so many ``attempts`` that ruin and recreate has.

        It is half as large where routes are ``limited``: limits are what descents pass through.
        """
        if customers <= self.crossed:
            return 0.0
        share = (customers - self.crossed) / max(1, self.ruined - self.crossed) / (2 if limited else 1)
        return min(1.0, max(share, self.least * customers / max(attempts, 1.0)))


def _work(
    search: Search, instance: RouteInstance, team: RouteTeam, took: float, cooling: Cooling | None = None
) -> None:
    """Let ``team`` work until over or cold, handing in its routes not so often that it shows, the last ones in time.

    ``took`` is what it takes to hand in routes, in seconds.
    """
    lowest, at = team.lowest, search.seconds
    while not search.over() and search.seconds_left() > 1.5 * took and not (cooling and cooling.finished):
        attempts = team.attempts
        team.advance(search.iterations_left())
        search.count(team.attempts - attempts)
        if team.lowest < lowest and search.seconds - at >= OFFER_SHARE * took:
            lowest, at = team.lowest, search.seconds
            search.offer(instance.routes(team.best()))
            took = search.seconds - at
        elif isinstance(team, RoutePopulation) and search.best is None:
            search.remember_infeasible(instance.routes(team.closest()))
    if team.lowest < np.inf:
        search.offer(instance.routes(team.best()))
