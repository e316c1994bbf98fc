"""A child is a tour, as much shorter as it says, and has what is better in its second parent."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from random_cities import COORDINATE_NAMES, cities
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.tours.engine.edge_assembly import CENSUS_WIDTH, TourPopulation
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.engine.window import Window
from warptour.tours.starts.start import start

SIDE = 10_000


def locally_optimal(instance: Instance, tour: Ints) -> Ints:
    window = Window.whole(instance, tour)
    while not window.locally_optimal:
        window.search(0, seed=1)
    return window.tour


def population_of(problem: TSP, tours: int, workspaces: int = 1) -> TourPopulation:
    """Return local optima, each from a random tour."""
    instance = Instance.of(problem)
    population = TourPopulation(instance, seed=4, most=20, workspaces=workspaces)
    for number in range(tours):
        population.add(
            locally_optimal(instance, instance.enter(start(problem, "random", np.random.default_rng(number))))
        )
    return population


def generation(population: TourPopulation, threads: int = 1, share: float = 1.0) -> float:
    population.draw_parents(selective=share < 1)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(population.cross, range(len(population))))
    return population.replace_parents(share)


FIXED = np.array([[k, k + 1] for k in range(0, 40, 2)])
PROBLEMS = {name: cities(300, name, side=SIDE) for name in COORDINATE_NAMES}
PROBLEMS |= {
    "matrix": cities(300, "EXPLICIT"),
    "fixed edges": cities(300, side=SIDE, fixed_edges=FIXED),
    "path": cities(300, side=SIDE, open=True),
    "path from and to": cities(300, side=SIDE, open=True, first=3, last=5),
    "grid": TSP(
        "grid", METRICS["EUC_2D"], np.stack(np.meshgrid(np.arange(17), np.arange(18)), -1).reshape(-1, 2) * 10.0
    ),
    "equal points": TSP("equal", METRICS["EUC_2D"], np.zeros((50, 2))),
}


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
def test_children_are_tours_that_are_as_long_as_they_say(problem: TSP) -> None:
    population = population_of(problem, 6)
    instance = population.instance
    for _ in range(6):
        before = population.lengths.copy()
        won = generation(population)
        assert (population.lengths <= before).all()
        assert won == pytest.approx((before - population.lengths).sum())
        for tour, length in zip(population.tours, population.lengths, strict=True):
            report = problem.check(instance.leave(tour))
            assert report.violations == ()
            assert float(report.cost) == pytest.approx(float(length), rel=1e-12)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("n", range(5, 13))
def test_few_cities(n: int) -> None:
    problem = cities(n, side=SIDE)
    instance = Instance.of(problem)
    population = TourPopulation(instance, seed=1, most=8)
    for number in range(8):
        population.add(instance.enter(start(problem, "random", np.random.default_rng(number))))
    for _ in range(5):
        generation(population)
    assert all(problem.check(instance.leave(tour)).violations == () for tour in population.tours)


@pytest.mark.sanitize_quick
def test_what_is_better_in_the_other_is_taken_over() -> None:
    """Two tours, each spoilt in its own places, make the one that is not."""
    problem = cities(400, side=SIDE)
    instance = Instance.of(problem)
    good = locally_optimal(instance, instance.enter(start(problem, "greedy", 0)))
    population = TourPopulation(instance, seed=3, most=2)
    for first in (20, 220):
        spoilt = good.copy()
        for at in range(first, first + 160, 40):
            spoilt[at : at + 6] = spoilt[at : at + 6][::-1]
        population.add(spoilt)
    assert (population.lengths > instance.length(good)).all()
    generation(population)
    assert (population.lengths <= instance.length(good)).all()


def edges(tour: Ints) -> set[frozenset[int]]:
    return {frozenset(edge) for edge in zip(tour.tolist(), np.roll(tour, 1).tolist(), strict=True)}


def test_a_child_has_edges_of_both_parents_and_few_others() -> None:
    population = population_of(cities(400, side=SIDE), 8)
    population.draw_parents()
    parents = [edges(tour) for tour in population.tours]
    ring = population._ring.tolist()
    for place in range(8):
        population.cross(place)
    population.replace_parents()
    inherited = []
    for one, other in pairwise(ring):
        child, mine, theirs = edges(population.tours[one]), parents[one], parents[other]
        inherited.append((len(child & (mine - theirs)), len(child & (theirs - mine))))
        assert len(child - mine - theirs) < 10, "patches"
    assert (np.mean(inherited, axis=0) > 10).all()


def entropy(population: TourPopulation) -> float:
    """Return that of the population's edges."""
    counts = Counter(edge for tour in population.tours for edge in edges(tour))
    shares = np.array(list(counts.values())) / len(population)
    return float(-(shares * np.log(shares)).sum())


@pytest.mark.parametrize("seed", [0, 1])
def test_selective_offspring_gain_before_the_population_loses_its_diversity(seed: int) -> None:
    problem = cities(500, seed=seed, side=SIDE)
    selective, everything = population_of(problem, 16), population_of(problem, 16)
    first, mean = entropy(selective), selective.lengths.mean()
    generation(everything)
    assert entropy(everything) < 0.95 * first
    generation(selective, share=0.3)
    assert entropy(selective) >= first, "at first nothing is made that costs any"
    assert selective.lengths.mean() < mean
    while selective.lengths.mean() > everything.lengths.mean():
        generation(selective, share=0.3)
    assert entropy(selective) > entropy(everything)


def test_equal_tours_stay_as_they_are() -> None:
    population = population_of(cities(200, side=SIDE), 1)
    population.add(population.tours[0])
    tours = population.tours.copy()
    assert generation(population) == 0
    assert (population.tours == tours).all()


@pytest.mark.threads
def test_neither_rooms_nor_threads_decide_what_children_are() -> None:
    alone, together = population_of(cities(500, side=SIDE), 9), population_of(cities(500, side=SIDE), 9, workspaces=3)
    for _ in range(3):
        generation(alone)
        generation(together, threads=3)
    assert (alone.tours == together.tours).all()


def test_crossover_of_many_tours_gives_a_shorter_one_than_the_best_of_them() -> None:
    population = population_of(cities(1000, side=SIDE), 12)
    best, mean = population.lengths.min(), population.lengths.mean()
    while generation(population) > 0:
        pass
    assert population.lengths.min() < best - (mean - best) / 2


@pytest.mark.sanitize_quick
def test_the_census_counts_the_tours_that_have_an_edge() -> None:
    population = population_of(cities(60, side=SIDE), 5)
    population.draw_parents(selective=True)
    ends, counts = (rows.reshape(60, CENSUS_WIDTH) for rows in (population._ends, population._counts))
    edges = Counter(
        (a, b) for tour in population.tours.tolist() for a, b in zip(tour, [*tour[1:], tour[0]], strict=True)
    )
    for city in range(60):
        found = {int(d): int(count) for d, count in zip(ends[city], counts[city], strict=True) if d >= 0}
        assert sum(found.values()) == 2 * 5
        assert all(count == edges[city, d] + edges[d, city] for d, count in found.items())


@pytest.mark.threads
def test_selection_makes_fewer_exchanges_and_depends_on_no_thread() -> None:
    problem = cities(500, side=SIDE)
    alone, together = population_of(problem, 12), population_of(problem, 12, workspaces=3)
    everything = population_of(problem, 12)
    for _ in range(4):
        generation(alone, share=0.3)
        generation(together, threads=3, share=0.3)
        generation(everything)
    assert (alone.tours == together.tours).all()
    assert everything.lengths.mean() < alone.lengths.mean()
    for _ in range(60):
        generation(alone, share=0.3)
    assert all(problem.check(alone.instance.leave(tour)).violations == () for tour in alone.tours)
    assert alone.lengths.min() < everything.lengths.mean()


def test_an_exchange_that_cuts_off_cities_is_completed_by_another() -> None:
    """Blocks: the tours of a converged population still differ, and most that is better is not lost."""
    problem = cities(1000, side=SIDE)
    population = population_of(problem, 16)
    while generation(population) > 0:
        pass
    assert population.lengths.mean() < 1.0002 * population.lengths.min(), "0.0005 without blocks"
