"""Copies of one tour that were searched in several places are brought together to one tour."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.engines.copies import Copies
from warptour.engines.terrain import Terrain
from warptour.engines.window import Window
from warptour.model.problem import TSP
from window_problems import PROBLEMS, cities, feasible_tour


def optimum(terrain: Terrain) -> Window:
    window = Window.whole(terrain, terrain.enter(feasible_tour(terrain.problem)))
    while not window.settled:
        window.search(0, seed=1)
    return window


@pytest.mark.parametrize(
    "problem", PROBLEMS, ids=lambda p: f"{p.n} {p.metric.name}{' open' * p.open}{' fixed' * (len(p.fixed_edges) > 0)}"
)
@pytest.mark.parametrize("parts", [1, 5])
def test_one_tour_comes_of_it_whose_gain_is_real(problem: TSP, parts: int) -> None:
    terrain = Terrain.of(problem)
    tour = optimum(terrain).tour
    copies, nodes = Copies(terrain, 2), terrain.nodes
    copies.begin(tour)
    for part in reversed(range(parts)):
        window = copies.copy()
        region = part * nodes // parts, (part + 1) * nodes // parts - part * nodes // parts
        while not window.walk(100, ratio=1.0, region=region):
            pass
        while not window.settled or window.kicks < 30:
            window.search(30 - window.kicks, seed=3, stream=part, paces=20, region=region)
        copies.keep(part, window)
    united, gain = copies.united()
    before, after = (problem.check(terrain.leave(t)) for t in (tour, united))
    assert after.violations == ()
    assert before.cost - after.cost == pytest.approx(gain, abs=1e-6 * max(1.0, before.cost))
    assert gain >= 0
    if parts == 1:
        assert gain == pytest.approx(window.gain, abs=1e-6 * max(1.0, before.cost))


def test_copies_that_stay_as_they_are_change_nothing() -> None:
    terrain = Terrain.of(cities(200))
    tour = optimum(terrain).tour
    copies = Copies(terrain, 1)
    copies.begin(tour)
    copies.keep(0, copies.copy())
    united, gain = copies.united()
    assert (united == tour).all() and gain == 0


def test_walks_start_in_their_region() -> None:
    """Those from all regions, one after the other, are those from everywhere."""
    terrain = Terrain.of(cities(300))
    tours = []
    for parts in (1, 3):
        window = Window(terrain, terrain.nodes)
        window.restart(optimum(terrain).tour)
        for part in range(parts):
            while not window.walk(100, ratio=0.0, region=(part * 300 // parts, 300 // parts)):
                pass
        tours.append(np.append(window.tour, int(window.gain)))
    assert (tours[0] == tours[1]).all()
