"""Rounds divide a tour into windows with their share of the kicks, and repair a large one in windows first."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from random_cities import cities
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget
from warptour.tours.engine.instance import Instance
from warptour.tours.engine.split import SMALLEST
from warptour.tours.strategy import round_plan, rounds
from warptour.tours.strategy.individuals import new_tour
from warptour.tours.strategy.round_plan import RoundPlan, even_size, plan_round
from warptour.tours.strategy.rounds import Rounds

INSTANCE = Instance.of(cities(1000))


def planned(effort: float, kicks_left: float = math.inf) -> RoundPlan:
    rng = np.random.default_rng(1)
    return plan_round(INSTANCE, 100, rng, effort=effort, kicks_left=kicks_left, threads=2)


@pytest.mark.parametrize(
    ("effort", "kicks_left", "kicks"),
    [(0.5, math.inf, 500), (0.5, 120, 120), (0.0, math.inf, 0), (1e-6, math.inf, 1), (1e-6, 0, 0)],
)
def test_windows_share_the_kicks_of_a_round(effort: float, kicks_left: float, kicks: int) -> None:
    plan = planned(effort, kicks_left)
    sizes = np.bincount(plan.label)
    assert sorted(window for batch in plan.batches for window, _ in batch) == list(range(len(sizes)))
    assert plan.windows == len(sizes) and sizes.min() >= SMALLEST
    assert sum(count for batch in plan.batches for _, count in batch) == kicks


def test_batches_have_the_kicks_between_two_subtour_repairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_plan, "BATCH", 200)
    monkeypatch.setattr(round_plan, "BATCH_SHARE", 0.0)
    batches = planned(1.0).batches
    assert len(batches) == 5
    assert all(abs(sum(count for _, count in batch) - 200) <= 110 for batch in batches)


@pytest.mark.parametrize(("nodes", "size", "threads"), [(1000, 100, 3), (100_000, 12_000, 16), (9, 4, 8)])
def test_every_thread_gets_the_same_number_of_windows(nodes: int, size: int, threads: int) -> None:
    even = even_size(nodes, size, threads)
    assert even == 2 * SMALLEST or round(nodes / even) % threads == 0
    assert even <= max(size, 2 * SMALLEST)


def test_windows_are_redrawn_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = []

    def noted(*arguments: Any, **options: Any) -> RoundPlan:
        plan = plan_round(*arguments, **options)
        labels.append(plan.label)
        return plan

    monkeypatch.setattr(rounds, "plan_round", noted)
    worker = Rounds(
        INSTANCE, new_tour(INSTANCE, 1, 0, quick=True), ThreadPool(1), seed=1, walk_length=30, size=200, effort=0.1
    )
    for _ in range(5):
        worker.advance(Budget())
    together = [label[:, None] == label[None, :] for label in labels]
    assert len(together) == 4
    assert all((one != other).mean() > 0.05 for one, other in pairwise(together))


def test_a_large_tour_is_repaired_in_windows_before_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PREPARED", 1000)
    tour = new_tour(INSTANCE, 1, 0, quick=True)
    worker = Rounds(INSTANCE, tour, ThreadPool(1), seed=1, walk_length=30, size=200, effort=1.0)
    worker.advance(Budget())
    assert worker.locally_optimal and worker.iterations == 0 and worker.evaluations > 0
    assert sorted(worker.best().tolist()) == list(range(1000))
    assert INSTANCE.length(tour) - INSTANCE.length(worker.best()) == worker.gain > 0


@pytest.mark.parametrize("most", [0, 10**9], ids=["huge", "large"])
def test_a_huge_tour_is_never_repaired_as_a_whole(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(rounds, "MAX_WHOLE_CITIES", most)
    wholes = []
    monkeypatch.setattr(Rounds, "_repair_whole", lambda *arguments: wholes.append(arguments))
    tour = new_tour(INSTANCE, 1, 0, quick=True)
    with ThreadPool(2) as pool:
        worker = Rounds(INSTANCE, tour, pool, seed=1, walk_length=30, size=200, effort=1.0, parallel_start=True)
        worker.advance(Budget())
        worker.advance(Budget())
    assert len(wholes) == (1 if most else 0)
    assert sorted(worker.best().tolist()) == list(range(1000))
    assert INSTANCE.length(tour) - INSTANCE.length(worker.best()) == worker.gain > 0
