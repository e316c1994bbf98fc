"""Kicks in a window: they are made everywhere, pay, and are kept where the length stays the same."""

from __future__ import annotations

import numpy as np

from random_cities import cities
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.engine.window import BETTER, Window
from warptour.tours.starts.start import start


def locally_optimal(problem: TSP) -> Window:
    instance = Instance.of(problem)
    window = Window.whole(instance, instance.enter(start(problem, "greedy", 0)))
    while not window.locally_optimal:
        window.search(0, seed=1)
    return window


def edges(tour: Ints) -> set[frozenset[int]]:
    return {frozenset(edge) for edge in zip(tour.tolist(), np.roll(tour, 1).tolist(), strict=True)}


def kicked(window: Window, kicks: int) -> None:
    goal = window.kicks + kicks
    while window.kicks < goal:
        window.search(goal - window.kicks, seed=1, walk_length=20)


def test_kicks_are_made_everywhere_and_gain() -> None:
    window = locally_optimal(cities(800, side=10_000))
    before, length, gain = edges(window.tour), window.instance.length(window.tour), window.gain
    kicked(window, 4000)
    assert window.state[BETTER] > 15
    assert window.gain - gain > 0.005 * length
    changed = {city for edge in edges(window.tour) - before for city in edge}
    by_region = np.bincount([city * 8 // 800 for city in changed], minlength=8)
    assert (by_region > 0).all(), by_region


def test_kicks_that_leave_the_length_as_it_is_are_kept() -> None:
    grid = np.stack(np.meshgrid(np.arange(16), np.arange(16)), -1).reshape(-1, 2) * 10.0
    window = locally_optimal(TSP("grid", METRICS["EUC_2D"], grid))
    kicked(window, 2000)
    same = 0
    for _ in range(200):
        before, gain = edges(window.tour), window.gain
        kicked(window, 1)
        same += window.gain == gain and edges(window.tour) != before
    assert same > 20
