"""Vehicle routes: ruin and recreate, and hybrid genetic search for few customers.

    s := savings
    until over:
        s' := s without some customers of adjacent routes, in strings or along a walk
        s' := s' with each of them inserted where it adds least, in random order
        s' := local optimum of s' around them, if it may become good enough
        s  := s' if it is not much more expensive; the threshold falls over the budget

Christiaens and Vanden Berghe, "Slack induction by string removals for vehicle
routing problems", 2020; walks: Accorsi and Vigo, 2021. An iteration costs the same at a hundred customers and at
a hundred thousand (kernels/routes/routes_search.c): customers are inserted beside one of
their neighbours, and a rejected change is undone from a journal. All threads anneal one
solution (common_annealing.py). The order of their changes is a matter of chance. So where a
limit on iterations alone promises equal routes for equal seeds, one thread anneals few routes,
and of many each thread changes a group of adjacent ones, and they regroup every round
(route_groups.py), as they do for very many customers.
Few customers are searched by a population (hybrid_genetic.py), whose local search passes
through infeasible solutions; in between, ruin and recreate comes first and the population
has the rest of the budget.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from warptour.kernels.cores import usable_cores
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.routes.engine.device_groups import DeviceGroups
from warptour.routes.engine.instance import Ints, RouteInstance
from warptour.routes.engine.route_state import Ruin
from warptour.routes.engine.sums import limits_of
from warptour.routes.starts.curve_routes import simple_routes
from warptour.routes.starts.route_limits import are_within_limits
from warptour.routes.strategy.balanced_routes import search_balanced
from warptour.routes.strategy.common_annealing import CommonAnnealing
from warptour.routes.strategy.cooling import WARM, Cooling, typical_edge, warmth
from warptour.routes.strategy.device_share import WORTHWHILE, WORTHWHILE_TOGETHER, expected_speedup
from warptour.routes.strategy.first_routes import fewer_routes, fewest_routes, fitting_routes, free_routes
from warptour.routes.strategy.fixed_fleet import anneal_fewest
from warptour.routes.strategy.groups_and_device import GroupsAndDevice, device_groups
from warptour.routes.strategy.hybrid_genetic import RoutePopulation
from warptour.routes.strategy.mixed_vehicles import search_mixed
from warptour.routes.strategy.pooled_annealing import PooledAnnealing, may_combine
from warptour.routes.strategy.route_groups import RouteGroups
from warptour.routes.strategy.ruin_recreate import Plan, RouteWorker
from warptour.search.parameters import number
from warptour.search.refusals import vehicles_only
from warptour.search.search import Search
from warptour.search.strategy import Portion, Strategy
from warptour.search.threads import ThreadPool
from warptour.search.worker import follow

SPEED = 9e4
"""Iterations of a thread per second, about."""

TINY = 8
"""Largest number of customers for which both searches share the budget, since populations may miss the optimum."""

MIN_CURVE_NODES = 20_000
"""Smallest instance where routes along a curve are reported before savings, which take seconds on a busy machine."""

SCARCE = 0.25
"""Minimum share of ruin and recreate where savings need more routes than there are vehicles."""

MIN_TIMED_SHARE = 0.25
"""Minimum share of ruin and recreate where routes have a schedule: a population is better from routes that keep it."""

SCARCE_NEAREST = 70
"""Minimum length of neighbour lists where vehicles are scarce: a customer may fit only far from where it belongs."""


@dataclass(frozen=True)
class RouteImprovement(Strategy):
    """Ruin and recreate under a temperature that falls over the budget, and a population for few customers.

    Attributes
    ----------
    hot, cold : float
        First and last temperature, in mean edges between customers. Fewer than 3,000 customers begin at less,
        more in long routes at more (``warmth``).
    nearest : int
        Length of a customer's neighbour list, beside whose members it may be inserted.
    removed : float
        Mean number of customers removed per iteration.
    local : int
        Nearest customers of each moved one that local search considers after an iteration; 0 leaves it out.
    longest : int
        Maximum number of customers in a string.
    group_iterations : float
        Iterations per customer after which the routes are regrouped, at most.
    group_size, device_group_size : int
        Customers per group, about, on a thread and on a device.
    group_routes : int
        Minimum routes per group on threads, about: those of different groups exchange no customers.
    max_common_customers : int
        Largest instance that all threads anneal as a whole; with a limit on iterations alone, one thread does so, or
        all anneal groups of routes.
    max_genetic_customers, min_ruin_customers : int
        Up to the first number of customers there is a population alone, from the second on ruin and recreate alone;
        between them, the population's share of the budget falls with the customers. Of fleets: see
        ``share_with_kinds``.
    min_ruin_iterations : int
        Minimum iterations of ruin and recreate per customer before a population; a shorter run has none.
    """

    name: ClassVar[str] = "routes"
    iteration: ClassVar[str] = "iterations"

    hot: float = number(10.0)
    cold: float = number(0.06)
    nearest: int = number(40, 1, 1000)
    removed: float = number(10.0, 0, 1000)
    longest: int = number(10, 1, 1000)
    local: int = number(10, 0, 1000)
    group_iterations: float = number(10.0, 0, 1000)
    group_size: int = number(1000, 8)
    group_routes: int = number(20, 2)
    device_group_size: int = number(128, 8, 32_000)
    max_common_customers: int = number(250_000)
    max_genetic_customers: int = number(150)
    min_ruin_customers: int = number(400)
    min_ruin_iterations: int = number(1500)

    def __post_init__(self) -> None:
        if not 0 < self.cold <= self.hot:
            raise ValueError("temperatures fall from hot to cold, and both are above 0")

    @property
    def ruin(self) -> Ruin:
        """Parameters of an iteration."""
        return Ruin(self.removed, self.longest, sought=self.local)

    @property
    def portion(self) -> Portion:
        """Members search groups of routes."""
        return "groups"

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None."""
        return vehicles_only(self.name, problem, keeps_times=True)

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends that can search ``problem``, the best first."""
        if not isinstance(problem, VRP) or not DeviceGroups.supports(problem):
            return ("cpu",)
        least = WORTHWHILE_TOGETHER if problem.n - 1 <= self.max_common_customers else WORTHWHILE
        if expected_speedup(problem, self.device_group_size, usable_cores()) >= least:
            return (*DeviceGroups.backends(), "cpu")
        faster = expected_speedup(problem, self.device_group_size, 1) > 1
        return ("cpu", *DeviceGroups.backends()) if faster else ("cpu",)

    def run(self, search: Search[VRP]) -> None:
        """Search until over, offering all better routes."""
        problem = search.problem
        if problem.mixed:
            heats = (self.hot, self.cold)
            if problem.balance is None:
                search_mixed(search, self.ruin, self.nearest, heats, share_of=self.share_with_kinds)
            else:
                search_balanced(search, self.ruin, self.nearest, heats)
            return
        if search.start is None and problem.n >= MIN_CURVE_NODES and not problem.timed:
            simple = simple_routes(problem)
            if simple is not None:
                search.offer(simple)
        routes: Routes = (
            list(search.start)
            if isinstance(search.start, list)
            else free_routes(problem, search.threads, search.hurried)
        )
        enough = problem.vehicles is None or len(routes) <= problem.vehicles
        enough = enough and bool(are_within_limits(problem, routes).all())
        if enough:
            search.offer(routes)
        else:
            search.remember_infeasible(routes)
        if problem.n > 2 and not search.over():
            self._search(search, routes, enough)

    def _search(self, search: Search[VRP], routes: Routes, enough: bool) -> None:
        width = self.nearest if enough else max(self.nearest, SCARCE_NEAREST)
        instance = RouteInstance.of(search.problem, width, search.threads, search.hurried)
        problem, giant = instance.problem, instance.enter(routes)
        edge = typical_edge(problem, giant)
        iterations = expected_iterations(search)
        share = self.share_of_ruin(problem, iterations)
        if not enough:
            share = max(share, SCARCE)
        heat = warmth(problem.n - 1, len(routes), iterations) if enough else WARM
        hot = max(self.cold, self.hot * heat)
        cooling = Cooling(search, hot * edge, self.cold * edge, share or 1.0)
        key, ruin = search.key(), self.ruin
        with ThreadPool(search.threads) as pool:
            plan = Plan(
                instance, pool, cooling, ruin, key, iterations,
                self.group_iterations, self.group_size, self.group_routes,
            )  # fmt: skip
            if not enough:
                found = fitting_routes(search, plan, giant)
                enough, giant = found is not None, giant if found is None else found
            if enough:
                search.offer(instance.leave(giant))
            if enough and search.problem.fewest:
                plan, giant = anneal_fewest(search, plan, giant, fewest_routes, self._dear, breeds=share < 1)
            elif enough and share > 0 and isinstance(search.start, str | None):
                giant, most = fewer_routes(search, plan, giant)
                plan = replace(plan, most_routes=most)
            if enough and share > 0 and not search.problem.fewest:
                ruins = self.ruin_worker(plan, giant, search)
                follow(search, ruins, instance.leave, instance.enter, until=plan.cooling.is_finished)
                giant = ruins.best()
            if share < 1 and not search.over():
                others = [instance.enter(routes) for routes in search.population if isinstance(routes, list)]
                population = RoutePopulation(plan.instance, pool, key, giant, others)
                follow(search, population, instance.leave, None if search.problem.fewest else instance.enter)

    def _dear(self, plan: Plan, giant: Ints) -> RouteWorker:
        """Return the worker that ruins and recreates where fewer routes are always cheaper."""
        instance = plan.instance
        dear = with_dear_routes(instance.problem, instance.cost(giant))
        return self.ruin_worker(replace(plan, instance=replace(instance, problem=dear)), giant, plan.cooling.search)

    def ruin_worker(
        self, plan: Plan, giant: Ints, search: Search[VRP]
    ) -> CommonAnnealing | RouteGroups | GroupsAndDevice:
        """Return the worker that ruins and recreates: on all routes, or in groups of them."""
        customers, routes = plan.instance.problem.n - 1, int(np.count_nonzero(giant == 0))
        placed = plan.instance.places is not None
        device = device_groups(search, plan, self.device_group_size, routes) if placed else None
        if device is not None:
            return GroupsAndDevice(plan, giant, device, self.device_group_size)
        free = math.isinf(search.iterations_left()) or not math.isinf(search.seconds_left())
        whole = customers <= self.max_common_customers and (free or plan.pool.threads == 1)
        if whole or not placed or routes < 2 * self.group_routes:
            kind = PooledAnnealing if may_combine(plan) else CommonAnnealing
            return kind(plan, giant, plan.pool.at_once if free else 1)
        return RouteGroups(plan, giant)

    def share_of_ruin(self, problem: VRP, iterations: float) -> float:
        """Return the share of ruin and recreate in a budget of ``iterations``.

        Where routes have limits it is a quarter: the population passes through violated limits. With times it is at
        least ``MIN_TIMED_SHARE``.
        """
        customers = problem.n - 1
        if problem.timed and breeds(problem):
            return max(MIN_TIMED_SHARE, self.share_by_size(customers, iterations, limited=False))
        if problem.timed:
            return 1.0
        return self.share_by_size(customers, iterations, limited=bool(problem.limits))

    def share_with_kinds(self, instance: RouteInstance, iterations: float) -> float:
        """Return that share where vehicles differ or customers may stay out.

        Short annealing leads the population to its own mixture of vehicles, so up to ``min_ruin_customers`` there is
        none. Where vehicles begin in several places it is the better search above ``max_genetic_customers``.
        """
        problem, customers = instance.problem, len(instance.problem.customers)
        if instance.kinds is None or not instance.kinds.bred or problem.fewest:
            return 1.0
        if customers <= TINY:
            return self.share_by_size(customers, iterations, limited=False)
        if customers > (self.max_genetic_customers if len(problem.depots) > 1 else self.min_ruin_customers):
            return 1.0
        if problem.schedule is not None:
            return max(MIN_TIMED_SHARE, self.share_by_size(customers, iterations, limited=True))
        return 0.0

    def share_by_size(self, customers: int, iterations: float, *, limited: bool) -> float:
        """Return that share for a number of customers; ``limited``: whether routes have limits."""
        if customers <= TINY:
            return 0.5
        if customers <= self.max_genetic_customers:
            return 0.0
        between = max(1, self.min_ruin_customers - self.max_genetic_customers)
        share = (customers - self.max_genetic_customers) / between / (4 if limited else 1)
        return min(1.0, max(share, self.min_ruin_iterations * customers / max(iterations, 1.0)))


def breeds(problem: VRP) -> bool:
    """Return whether a population can search with times: it knows one window for each stop, and no prices of time."""
    schedule = problem.schedule
    if limits_of(problem)[1] is not None:
        return False
    return schedule is None or not (schedule.priced or schedule.walks or schedule.windows.several)


def with_dear_routes(problem: VRP, cost: float) -> VRP:
    """Return the problem with a fixed cost of each route above the cost of all, so that fewer are always cheaper."""
    return replace(problem, fixed_cost=problem.fixed_cost + math.ceil(cost))


def expected_iterations(search: Search[VRP]) -> float:
    """Return about how many iterations of ruin and recreate the budget allows."""
    return min(search.iterations_left(), SPEED * search.threads * search.seconds_left())
