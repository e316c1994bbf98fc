"""Threads of one search exchange what they find: all continue from the best, or all gains are joined."""

from __future__ import annotations

from typing import Any

import numpy as np

from random_cities import cities
from warptour.devices.cpu import Cpu
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.papers.rocki.strategy.chains import KickChains
from warptour.papers.rocki.strategy.scans import ResidentChains
from warptour.papers.scans.ladder.climber_batch import LOCALLY_OPTIMAL
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.starts.start import start
from warptour.tours.strategy.regions import Regions

CITIES = cities(400, side=10_000)
INSTANCE = Instance.of(CITIES, nearest=7)
GREEDY = start(CITIES, "greedy", 0)
TOUR = INSTANCE.enter(GREEDY)


def edges(tour: Ints) -> set[frozenset[int]]:
    return {frozenset(edge) for edge in zip(tour.tolist(), np.roll(tour, 1).tolist(), strict=True)}


def gains_of(worker: Any) -> list[float]:
    if isinstance(worker, KickChains):
        return [float(chain.gains[0]) for chain in worker.chains]
    return [float(gain) for gain in worker.searches.gains]


def test_threads_continue_from_the_best_of_them() -> None:
    with ThreadPool(3) as pool:
        for worker in (
            KickChains(INSTANCE, TOUR, pool, seed=1, slack=-1.0, segment=30, exchange=100),
            VariableNeighborhoodSearch(exchange=1).shakers(INSTANCE, GREEDY, Cpu(3), 1, 3),
        ):
            behind = 0
            for _ in range(4):
                goal = worker.iterations + 3 * (100 if isinstance(worker, KickChains) else CITIES.n)
                while worker.iterations < goal:
                    worker.advance(Budget(goal - worker.iterations))
                before = gains_of(worker)
                behind += min(before) < max(before)
                worker.advance(Budget(3))
                assert min(gains_of(worker)) >= max(before)
            assert behind > 0


def test_chains_on_a_device_continue_from_the_best_of_them() -> None:
    worker = ResidentChains(CITIES, Cpu(2), GREEDY, chains=4, seed=1, segment=30, exchange=20)
    shortest, meetings = np.inf, 0
    for _ in range(60):
        if worker.climbers.counters()[:, LOCALLY_OPTIMAL].all():
            lengths = worker.climbers.lengths()
            assert lengths.max() <= shortest
            meetings += lengths.min() < lengths.max()
            shortest = lengths.min()
        worker.advance(Budget())
    assert meetings > 2


def test_the_gains_of_all_regions_are_joined() -> None:
    """Four threads kick in a quarter of the cities each, and after a step the tour has changed everywhere."""
    problem = cities(2000, side=10_000)
    instance = Instance.of(problem, nearest=7)
    with ThreadPool(4) as pool:
        worker = Regions(instance, instance.enter(start(problem, "greedy", 0)), pool, seed=1, walk_length=10)
        worker.advance(Budget())
        before = worker.best().copy()
        worker.advance(Budget())
        assert worker.iterations == 2000
        changed = [city for edge in edges(worker.best()) - edges(before) for city in edge]
    quarters = np.bincount(np.array(changed) * 4 // problem.n, minlength=4)
    assert np.count_nonzero(quarters > len(changed) / 8) > 2, "one region lies in two quarters at most"
