"""Walks: tours stay tours, gains are real, bonds hold, and they find what repairs do not."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import cities
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.strategies.exact import shortest
from warptour.tours.engine.instance import Instance
from warptour.tours.engine.window import Window
from window_problems import ODD, PROBLEMS, feasible_tour


def locally_optimal(problem: TSP) -> Window:
    """A local optimum, its gain counted from here on."""
    instance = Instance.of(problem)
    window = Window.whole(instance, instance.enter(feasible_tour(problem)))
    while not window.locally_optimal:
        window.search(0, seed=1)
    window.gains[0] = 0
    return window


def walked(window: Window, most: int, *, passes: int = 2, ratio: float = 1.0, budget: int = 5000) -> int:
    """Walk and repair; check after each call that the cycle and its inverse belong together. Returns the calls."""
    places = np.arange(window.m)
    calls = 0
    for number in range(passes):
        done = False
        while not done:
            done = window.exchange_paths(most, ratio=ratio, pull=0.1 * number, budget=budget)
            calls += 1
            assert (np.sort(window.tour) == places).all()
            assert (window.place[window.tour] == places).all()
        while not window.locally_optimal:
            window.search(0, seed=1)
    return calls


def blocks() -> TSP:
    """Rows of cities in blocks with gaps between them and a few cities missing, as on a circuit board."""
    rows = np.stack(np.meshgrid(np.arange(13.0), np.arange(13.0)), -1).reshape(-1, 2) * 10
    corners = np.stack(np.meshgrid(np.arange(3.0), np.arange(3.0)), -1).reshape(-1, 2) * 200
    at = (corners[:, None] + rows).reshape(-1, 2)
    return TSP("blocks", METRICS["CEIL_2D"], at[np.random.default_rng(4).random(len(at)) < 0.95])


@pytest.mark.sanitize_quick
@pytest.mark.parametrize(
    "problem", PROBLEMS, ids=lambda p: f"{p.n} {p.metric.name}{' open' * p.open}{' fixed' * (len(p.fixed_edges) > 0)}"
)
def test_tours_stay_tours_and_gains_are_real(problem: TSP) -> None:
    """From a bad tour, so that there is much to find."""
    instance = Instance.of(problem)
    window = Window(instance, instance.nodes)
    window.restart(instance.enter(feasible_tour(problem)))
    walked(window, 100)
    report = problem.check(instance.leave(window.tour))
    assert report.violations == ()
    won = problem.cost(feasible_tour(problem)) - report.cost
    assert won >= 0
    assert won == pytest.approx(window.gain, rel=1e-9, abs=1e-6)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "CEIL_2D"])
@pytest.mark.parametrize("points", ODD.values(), ids=ODD)
def test_ties_and_cities_in_one_place_end(points: np.ndarray, metric: str) -> None:
    problem = TSP("odd", METRICS[metric], points.astype(float))
    window = locally_optimal(problem)
    before = window.instance.length(window.tour)
    walked(window, 300, ratio=0.0)
    assert before - window.instance.length(window.tour) == pytest.approx(window.gain, rel=1e-9, abs=1e-5)


def test_few_cities_become_shorter_and_never_shorter_than_the_optimum() -> None:
    better = 0
    for n in range(40):
        points = np.random.default_rng(n).integers(0, 100, (9, 2)).astype(float)
        problem = TSP("few", METRICS["EUC_2D"], points)
        instance = Instance.of(problem)
        window = Window(instance, instance.nodes)
        window.restart(instance.enter(feasible_tour(problem)))
        while not window.exchange_paths(200, ratio=0.0):
            pass
        better += window.gain > 0
        assert instance.length(window.tour) >= problem.cost(shortest(problem))
    assert better > 30


def test_long_edges_far_apart_go_together_where_cities_lie_in_rows() -> None:
    """Short paths find less than long ones."""
    window = locally_optimal(blocks())
    walked(window, 30)
    short = window.gain
    walked(window, 2000)
    assert 0 < short < window.gain


def test_a_call_ends_near_its_budget_and_the_next_goes_on() -> None:
    """However often it ends, the outcome is that of one call."""
    tours = []
    for budget in (1, 10**6):
        window = locally_optimal(cities(200))
        calls = walked(window, 50, passes=1, budget=budget)
        assert (calls > 1) == (budget == 1)
        tours.append(window.tour.copy())
    assert (tours[0] == tours[1]).all()


def test_paths_count_as_work_too() -> None:
    window = locally_optimal(cities(200))
    before = window.evaluations
    while not window.exchange_paths(50, ratio=0.0):
        pass
    assert window.evaluations > before
