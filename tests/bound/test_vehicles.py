"""The lower bound of vehicles is never above the optimum, whatever limits the problem has."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise, permutations
from types import SimpleNamespace

import numpy as np
import pytest

import warptour
from small_problems import cheapest_routes, described, small_road_vrp, small_vrp
from timed_problems import cheapest, timed_problem
from warptour.bound.vehicles import prove_vehicles, refusal
from warptour.bound.vehicles.cuts import Cuts, Prices, separate
from warptour.bound.vehicles.edges import bound_of
from warptour.bound.vehicles.enumeration import RouteSets, enumerated
from warptour.bound.vehicles.network import NONE, RouteNetwork
from warptour.bound.vehicles.partition import PartitionProof
from warptour.bound.vehicles.pricing import Memory, Pricer
from warptour.io.read import read
from warptour.model.errors import UnsupportedError
from warptour.model.vehicles import VRP

CLOSE = 1e-9
"""Relative distance from the optimum at which an unrounded bound counts as equal to it."""


def proved(problem: VRP, optimum: float) -> bool:
    """Check the bounds with and without a plan; return whether that without is the optimum."""
    found = prove_vehicles(problem, 5.0).lower_bound
    assert found <= optimum + CLOSE * abs(optimum), described(problem)
    plan = cheapest_routes(problem) if problem.schedule is None else None
    if plan is not None:
        helped = prove_vehicles(problem, 5.0, plan=lambda: (optimum, plan)).lower_bound
        assert helped <= optimum + CLOSE * abs(optimum), described(problem)
    return math.isclose(found, optimum, rel_tol=CLOSE)


@pytest.mark.parametrize("part", range(4))
def test_no_bound_of_small_routes_is_above_their_optimum(part: int) -> None:
    tight = count = 0
    for seed in range(part, 120, 4):
        problem = (small_road_vrp if seed % 3 == 0 else small_vrp)(seed, 2, 7)
        routes = cheapest_routes(problem)
        if refusal(problem) is None and routes is not None:
            tight += proved(problem, problem.cost(routes))
            count += 1
    assert tight > count * 2 / 3


@pytest.mark.parametrize("part", range(2))
def test_no_bound_of_routes_with_windows_is_above_their_optimum(part: int) -> None:
    tight = count = 0
    for seed in range(part, 240, 2):
        problem = timed_problem(seed, 5)
        if refusal(problem) is None:
            optimum = cheapest(problem)
            if optimum < math.inf:
                tight += proved(problem, optimum)
                count += 1
    assert count > 10 and tight > count / 3


def small_network(seed: int) -> RouteNetwork:
    """Return the network of some small problem that has a bound."""
    problem = next(
        each for at in range(seed, seed + 1000) for each in (timed_problem(at, 5) if at % 2 else small_vrp(at, 3, 7),)
        if refusal(each) is None
    )  # fmt: skip
    return RouteNetwork(problem)


def reduced(network: RouteNetwork, seed: int) -> tuple[Prices, np.ndarray]:
    rng = np.random.default_rng(seed)
    nodes = rng.uniform(0, 2, network.n) * float(np.abs(network.costs[0]).mean()) * 2.0 ** -(network.bits + 1)
    prices = Prices.rounded(network, nodes, np.zeros(0))
    return prices, prices.reduced(network.costs, Cuts(network))


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_with_a_perfect_memory_the_cheapest_ng_route_is_the_cheapest_route(seed: int) -> None:
    network = small_network(seed)
    _, costs = reduced(network, seed)
    least = 0
    for size in range(1, network.n):
        for order in permutations(range(1, network.n), size):
            path = (0, *order, 0)
            if allowed(network, order):
                least = min(least, sum(int(costs[arc]) for arc in pairwise(path)))
    everyone = np.ones((network.n, network.n), np.bool_)
    everyone[0] = everyone[:, 0] = False
    found, routes = Pricer(network, Memory(everyone), None).cheapest(costs)
    assert found == least
    assert all(len(set(route[1:-1].tolist())) == len(route) - 2 for route in routes)
    forgetful, _ = Pricer(network, Memory.of_nearest(network, 1), None).cheapest(costs)
    assert forgetful <= least


def allowed(network: RouteNetwork, order: tuple[int, ...]) -> bool:
    """Return whether a route keeps the limits of its network, walked forwards."""
    resource, first = network.resource, int(network.resource.opens[0])
    for one, two in pairwise((0, *order)):
        first = max(first + int(resource.step[one, two]), int(resource.opens[two]))
        if first > resource.closes[two]:
            return False
    back = first + int(resource.gap[order[-1], 0])
    return back <= resource.closes[0] and sum(network.loads[list(order)].tolist()) <= network.limit


@pytest.mark.parametrize("seed", range(20))
def test_any_prices_bound_the_cost(seed: int) -> None:
    problem = small_vrp(seed, 3, 7)
    routes = cheapest_routes(problem)
    if refusal(problem) is not None or routes is None:
        return
    network = RouteNetwork(problem)
    rng = np.random.default_rng(seed)
    cuts = Cuts(network)
    sets = rng.random((5, network.n)) < 0.5
    sets[:, 0] = False
    cuts.add(sets[sets.any(axis=1)])
    mean = float(np.abs(network.costs).mean()) * 2.0 ** -(network.bits + 1)
    prices = Prices.rounded(network, rng.normal(0, mean, network.n), rng.uniform(0, mean, len(cuts)))
    assert network.unscaled(bound_of(network, cuts, prices)) <= problem.cost(routes)


def test_sets_that_need_more_vehicles_than_enter_are_found() -> None:
    problem = warptour.generate("vrp", 30, seed=4)
    network = RouteNetwork(problem)
    flow = np.zeros((network.n, network.n))
    ring = np.arange(1, network.n)
    flow[ring, np.roll(ring, 1)] = flow[np.roll(ring, 1), ring] = 1.0
    sets = separate(network, flow, 10, 0)
    assert len(sets) > 0
    for inside in sets:
        border = flow[inside][:, ~inside].sum()
        assert 2 * math.ceil(network.demands[inside].sum() / network.capacity) > border
        assert not inside[0]


def test_memories_of_a_customer_have_different_colours() -> None:
    network = RouteNetwork(warptour.generate("vrp", 200, seed=1))
    memory = Memory.of_nearest(network, 20)
    for node in range(1, network.n):
        colours = memory.colour[memory.near[node]].tolist()
        assert len(set(colours)) == len(colours) and memory.near[node, node]


def grown(seed: int, customers: int) -> VRP:
    """Return a random problem of short routes in a square."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 100, (customers + 1, 2)).astype(float)
    demands = np.append(0, rng.integers(1, 30, customers))
    return VRP.from_points(points, demands=demands, capacity=70, metric="EUC_2D")


@pytest.mark.parametrize("seed", range(4))
def test_a_proof_holds_whatever_plan_it_begins_with(seed: int) -> None:
    problem = grown(seed, 14)
    optimum = warptour.solve(problem, iterations=20_000, threads=1)
    alone = [np.array([node]) for node in problem.customers]
    for routes in (optimum.routes, alone):
        cost = problem.cost(routes)
        found = prove_vehicles(problem, 30.0, plan=lambda cost=cost, routes=routes: (cost, routes))
        assert found.lower_bound == optimum.cost
        assert found.tight == (cost == optimum.cost)


def test_the_optimum_of_forty_customers_is_proved_from_a_worse_plan() -> None:
    problem = grown(7, 40)
    best = warptour.solve(problem, iterations=3000, threads=1)
    found = prove_vehicles(problem, 300.0, plan=lambda: (best.cost, best.routes))
    assert found.lower_bound == 1269 <= best.cost


@pytest.mark.parametrize("seed", range(0, 60, 6))
def test_enumerated_routes_are_all_up_to_a_reduced_cost(seed: int) -> None:
    network = small_network(seed)
    _, costs = reduced(network, seed)
    below = int(np.median(costs[costs < NONE])) + 1
    cheapest_of: dict[frozenset[int], int] = {}
    for size in range(1, network.n):
        for order in permutations(range(1, network.n), size):
            path = (0, *order, 0)
            if allowed(network, order) and sum(int(costs[arc]) for arc in pairwise(path)) < below:
                length = sum(int(network.costs[arc]) for arc in pairwise(path))
                key = frozenset(order)
                cheapest_of[key] = min(length, cheapest_of.get(key, length))
    sets = enumerated(Pricer(network, Memory.of_nearest(network, 3), None), costs, below)
    assert sets is not None
    members = [frozenset(np.flatnonzero(row).tolist()) for row in sets.members]
    assert dict(zip(members, sets.costs.tolist(), strict=True)) == cheapest_of


@pytest.mark.parametrize("seed", range(20))
def test_the_best_partition_is_found_by_proof(seed: int) -> None:
    network = RouteNetwork(grown(seed, 9))
    rng = np.random.default_rng(seed)
    members = rng.random((150, network.n)) < 0.3
    members[:9] = np.eye(network.n, dtype=bool)[1:]
    members[:, 0] = False
    members = np.unique(members[members.any(axis=1)], axis=0)
    network.fewest = 1
    costs = rng.integers(10, 40, len(members)) << (network.bits + 1)
    best = {0: 0}
    masks = (members @ (1 << np.arange(network.n))).tolist()
    for whole in range(2, 1 << network.n, 2):
        low = whole & -whole
        ways = [int(c) + best[whole ^ m] for m, c in zip(masks, costs, strict=True) if m & low and m & ~whole == 0]
        best[whole] = min(ways)
    proof = PartitionProof(network, RouteSets(members, costs), 400 << (network.bits + 1), lambda: False)
    taken: list[int] = []
    proof.run(taken.append)
    assert (
        network.unscaled(taken[-1]) == network.unscaled(best[(1 << network.n) - 2]) == max(map(network.unscaled, taken))
    )


def test_public_instances_have_bounds_close_to_their_optima(data) -> None:
    for name, optimum, least in (("vrp/CMT1.vrp", 521, 517), ("rich/solomon/C101.txt", 828.94, 828.9)):
        found = prove_vehicles(read(data / name), 30.0).lower_bound
        assert least <= found <= optimum


def test_what_has_no_bound_is_refused() -> None:
    problem = warptour.generate("vrp", 9, seed=1)
    for changed in ({"prizes": np.ones(problem.n)}, {"fewest": True}):
        with pytest.raises(UnsupportedError, match="no lower bounds for"):
            warptour.bound(replace(problem, **changed), seconds=1)
    with pytest.raises(UnsupportedError, match="as few vehicles"):
        warptour.solve(replace(problem, fewest=True), seconds=1, bound=True)


def test_the_bound_so_far_is_given_where_the_work_is_ended() -> None:
    problem = warptour.generate("vrp", 150, seed=1)
    calls = SimpleNamespace(count=0)

    def over() -> bool:
        calls.count += 1
        return calls.count > 15

    seen: list[float] = []
    found = prove_vehicles(problem, 1000.0, over, seen.append)
    assert seen == sorted(seen) and seen[-1] == found.lower_bound and found.valid
    assert not prove_vehicles(problem, 0.0).tight
