"""Who survives in a subpopulation: the cheap and the diverse, clones never."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import warptour as wt
from warptour.routes.engine.instance import Floats, Ints, RouteInstance
from warptour.routes.engine.local_search import LocalSearch, PenalizedRoutes, Penalties
from warptour.routes.engine.subpopulation import CLOSEST, ELITE, GENERATION, MIN_SIZE, ROOM, Subpopulation

NODES = 41
FIRST, LAST = 1, NODES - 1
IN_ORDER = np.arange(FIRST, NODES, dtype=np.int32)


def one_route(order: Ints) -> Ints:
    return np.append(order, 0).astype(np.int32)


def shuffled(seed: int) -> Ints:
    return one_route(np.random.default_rng(seed).permutation(IN_ORDER))


def nearly(order: Ints, number: int) -> Ints:
    """Return a route that differs from ``order`` by one exchange."""
    other = order.copy()
    other[[number, number + 2]] = other[[number + 2, number]]
    return one_route(other)


def filled(giants: list[Ints], costs: list[float] | Floats, *, directed: bool = False) -> Subpopulation:
    """Return a subpopulation to which individuals were added in three calls."""
    population = Subpopulation(PenalizedRoutes.room(ROOM, NODES), directed=directed)
    found = PenalizedRoutes.room(len(giants), NODES)
    for k, giant in enumerate(giants):
        found.giants[k, : len(giant)], found.sizes[k] = giant, len(giant)
    for rows in np.array_split(np.arange(len(giants), dtype=np.int32), 3):
        population.add(found, rows, np.asarray(costs, np.float64))
    return population


def plain_difference(one: Ints, other: Ints, *, directed: bool) -> int:
    """Count the customers of ``one`` who have other neighbours in ``other``, slowly."""

    def links(giant: Ints) -> tuple[dict[int, int], dict[int, int]]:
        stops = [0, *giant.tolist()]
        pairs = list(pairwise(stops))
        return {a: b for a, b in pairs if a}, {b: a for a, b in pairs if b}

    (after, before), (then, prior) = links(one), links(other)
    broken = 0
    for c in IN_ORDER.tolist():
        successors = {then[c]} if directed else {then[c], prior[c]}
        firsts = {prior[c]} if directed else {then[c], prior[c]}
        broken += after[c] not in successors or (before[c] == 0 and 0 not in firsts)
    return broken


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4, 30, ROOM - 1])
def test_fitness_is_that_of_plain_python(count: int, directed: bool) -> None:
    rng = np.random.default_rng(count)
    giants = [nearly(rng.permutation(IN_ORDER), k % 30) if k % 3 else one_route(IN_ORDER) for k in range(count)]
    for giant in giants[::2]:
        giant[:-1] = np.roll(giant[:-1], 1)
    costs = rng.integers(5, size=count).astype(float)
    population = filled(giants, costs, directed=directed)
    broken = np.zeros((count, count))
    for later in range(count):
        for earlier in range(later):
            by = plain_difference(giants[later], giants[earlier], directed=directed)
            broken[later, earlier] = broken[earlier, later] = by
    known = population.broken[:count, :count] * ~np.eye(count, dtype=bool)
    assert (known == broken).all()
    close = min(CLOSEST, count - 1)
    diversity = [sum(sorted(np.delete(broken[k], k))[:close]) for k in range(count)]
    for k in range(count):
        cheaper = sum((costs[j], j) < (costs[k], k) for j in range(count))
        more_diverse = sum((-diversity[j], j) < (-diversity[k], k) for j in range(count))
        wanted = cheaper + max(0.0, 1 - ELITE / count) * more_diverse
        assert population.fitness[k] == pytest.approx(wanted)


def test_diverse_individuals_survive_similar_ones_that_cost_as_much() -> None:
    similar = [nearly(IN_ORDER, number) for number in range(33)]
    diverse = [shuffled(seed) for seed in range(33)]
    population = filled([one for pair in zip(similar, diverse, strict=True) for one in pair], np.full(66, 100.0))
    assert len(population) == MIN_SIZE
    kept = {population.individuals.giant(k).tobytes() for k in range(MIN_SIZE)}
    assert sum(one.tobytes() in kept for one in diverse) > 2 * MIN_SIZE // 3


def test_cheap_individuals_survive_expensive_ones_that_are_as_diverse() -> None:
    costs = np.random.default_rng(1).permutation(ROOM).astype(float)
    population = filled([shuffled(seed) for seed in range(ROOM)], costs)
    kept = sorted(population.costs)
    assert kept[:ELITE] == list(range(ELITE))
    assert np.mean(kept) < 0.6 * costs.mean()


def test_clones_go_first_however_cheap() -> None:
    others = [shuffled(1 + seed) for seed in range(MIN_SIZE + 1)]
    costs = [1.0] * GENERATION + [100.0 + seed for seed in range(MIN_SIZE + 1)]
    population = filled([shuffled(0)] * GENERATION + others, costs)
    assert population.costs[0] == 1.0
    assert (population.costs[1:] >= 100.0).all()


def test_who_survives_keeps_what_is_known_of_it() -> None:
    giants = [shuffled(seed) if seed % 2 else nearly(IN_ORDER, seed % 30) for seed in range(ROOM)]
    population = filled(giants, np.arange(ROOM, dtype=float))
    for k in range(MIN_SIZE):
        mine = population.individuals.giant(k)
        assert (giants[int(population.costs[k])] == mine).all()
        for j in range(k):
            other = population.individuals.giant(j)
            assert population.broken[k, j] == plain_difference(mine, other, directed=False)


def test_a_distance_counts_broken_pairs_and_routes_may_be_reversed() -> None:
    two = np.concatenate((IN_ORDER[:20], [0], IN_ORDER[20:], [0])).astype(np.int32)
    for directed, reversal in (False, 0), (True, LAST):
        giants = [one_route(IN_ORDER), one_route(IN_ORDER[::-1]), two]
        population = filled(giants, [0.0, 0.0, 0.0], directed=directed)
        assert population.broken[0, 1] == reversal
        assert population.broken[0, 2] == 2, "customer 20 lost its successor, 21 its predecessor"


def test_infeasible_individuals_are_repriced() -> None:
    population = filled([shuffled(1), shuffled(2)], [7.0, 8.0])
    population.individuals.costs[:, 1] = 2.0, 1.0
    assert population.fitness[0] < population.fitness[1]
    population.reprice(Penalties(10.0, 1.0))
    assert population.costs.tolist() == [20.0, 10.0]
    assert population.fitness[1] < population.fitness[0]


def test_routes_of_individuals_are_in_the_order_of_their_angles() -> None:
    problem = wt.generate("vrp", 60, 1)
    assert isinstance(problem, wt.VRP)
    instance = RouteInstance.of(problem, 20)
    search = LocalSearch(instance, 20, 59)
    found = search.descend(
        instance.giant_tour([np.array([c], np.int32) for c in range(1, 60)]), Penalties(1e4, 1.0), seed=1, born=1
    )
    places = instance.places
    assert places is not None
    giant = found.giant(0)
    routes = np.split(giant, np.flatnonzero(giant == 0))
    sums = [(places[route[route > 0]] - places[0]).sum(axis=0) for route in routes if (route > 0).any()]
    angles = [math.atan2(y, x) for x, y in sums]
    assert len(angles) > 3
    assert angles == sorted(angles)
