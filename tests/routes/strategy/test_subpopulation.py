"""Who survives in a subpopulation: the cheap and the diverse, clones never, on every machine the same."""

from __future__ import annotations

import math

import numpy as np
import pytest

from warptour.routes.engine.instance import Ints
from warptour.routes.engine.local_search import PenalizedRoutes, Penalties
from warptour.routes.strategy.subpopulation import (
    ELITE,
    GENERATION,
    MIN_SIZE,
    RouteIndividual,
    Subpopulation,
    _turns,
)

CUSTOMERS = 40


def individual(giant: Ints, over_load: float = 0.0) -> RouteIndividual:
    return RouteIndividual.of(PenalizedRoutes(giant, 0.0, over_load, 0.0, 0.0), None)


def one_route(order: Ints) -> Ints:
    return np.append(order, 0).astype(np.int32)


def shuffled(seed: int) -> RouteIndividual:
    return individual(one_route(1 + np.random.default_rng(seed).permutation(CUSTOMERS)))


def nearly(order: Ints, number: int) -> RouteIndividual:
    """Return a route that differs from ``order`` by one exchange."""
    other = order.copy()
    other[[number, number + 2]] = other[[number + 2, number]]
    return individual(one_route(other))


def filled(individuals: list[tuple[RouteIndividual, float]]) -> Subpopulation:
    population = Subpopulation(CUSTOMERS)
    for one, cost in individuals:
        population.add(one, cost)
    return population


def test_diverse_individuals_survive_similar_ones_that_cost_as_much() -> None:
    order = 1 + np.arange(CUSTOMERS, dtype=np.int32)
    similar = [nearly(order, number) for number in range(33)]
    diverse = [shuffled(seed) for seed in range(33)]
    mixed = [one for pair in zip(similar, diverse, strict=True) for one in pair]
    population = filled([(one, 100.0) for one in mixed])
    assert len(population.individuals) == MIN_SIZE
    assert sum(one in diverse for one in population.individuals) > 2 * MIN_SIZE // 3


def test_cheap_individuals_survive_expensive_ones_that_are_as_diverse() -> None:
    costs = np.random.default_rng(1).permutation(MIN_SIZE + GENERATION + 1).astype(float)
    population = filled([(shuffled(seed), cost) for seed, cost in enumerate(costs)])
    kept = sorted(population._costs[:MIN_SIZE])
    assert kept[:ELITE] == list(range(ELITE))
    assert np.mean(kept) < 0.6 * costs.mean()


def test_clones_go_first_however_cheap() -> None:
    clones = [(shuffled(0), 1.0) for _ in range(GENERATION)]
    others = [(shuffled(1 + seed), 100.0 + seed) for seed in range(MIN_SIZE + 1)]
    population = filled(clones + others)
    assert population._costs[0] == 1.0
    assert (population._costs[1:MIN_SIZE] >= 100.0).all()


def test_the_fitter_is_the_more_diverse_of_equally_cheap_ones() -> None:
    order = 1 + np.arange(CUSTOMERS, dtype=np.int32)
    similar = [nearly(order, number) for number in range(10)]
    population = filled([(one, 1.0) for one in [*similar[:5], shuffled(1), *similar[5:]]])
    assert population.fitness()[5] < population.fitness()[4]


def test_a_distance_counts_broken_pairs_and_routes_may_be_reversed() -> None:
    order = 1 + np.arange(CUSTOMERS, dtype=np.int32)
    two = np.concatenate((order[:20], [0], order[20:], [0])).astype(np.int32)
    for directed, reversal in (False, 0), (True, CUSTOMERS):
        population = Subpopulation(CUSTOMERS, directed=directed)
        for giant in (one_route(order), one_route(order[::-1]), two):
            population.add(individual(giant), 0.0)
        assert population._distance[0, 1] == reversal
        assert population._distance[0, 2] == 2, "customer 20 lost its successor, 21 its predecessor"


def test_infeasible_individuals_are_repriced() -> None:
    population = Subpopulation(CUSTOMERS)
    for over in (2.0, 1.0):
        population.add(individual(shuffled(int(over)).penalized.giant, over), 7.0)
    population.reprice(Penalties(10.0, 1.0))
    assert population._costs[:2].tolist() == [20.0, 10.0]


def test_in_which_order_distances_are_summed_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A partition leaves the order of each side open, and processors differ in it; sums of fractions would, too."""
    rng = np.random.default_rng(1)

    def partition(rows: np.ndarray, last: int, axis: int) -> np.ndarray:
        ranked = np.sort(rows, axis=axis)
        return np.hstack((rng.permuted(ranked[:, : last + 1], axis=1), ranked[:, last + 1 :]))

    similar = [nearly(1 + rng.permutation(CUSTOMERS), number) for number in range(35)]
    population = filled([(one, 1.0) for one in similar])
    usual = population.fitness()
    monkeypatch.setattr(np, "partition", partition)
    for _ in range(20):
        assert (population.fitness() == usual).all()


def test_turns_are_in_the_order_of_angles() -> None:
    angles = np.linspace(-math.pi + 0.01, math.pi - 0.01, 400)
    vectors = np.column_stack((np.cos(angles), np.sin(angles))) * np.geomspace(1e-6, 1e6, 400)[:, None]
    assert (np.diff(_turns(vectors)) > 0).all()
    assert _turns(np.zeros((1, 2))).tolist() == [0]
