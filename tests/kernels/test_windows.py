"""The window kernel: cycles stay cycles, gains are real, bonds hold, and it ends whatever the cities are."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import cities
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.tours.engine.instance import Instance
from warptour.tours.engine.window import Window
from window_problems import ODD, PROBLEMS, feasible_tour


def refined(problem: TSP, kicks: int, *, budget: int = 5000) -> tuple[Window, np.ndarray]:
    """Search in short calls; check after each that the cycle and its inverse belong together."""
    instance = Instance.of(problem)
    window = Window.whole(instance, instance.enter(feasible_tour(problem)))
    calls = 0
    while not window.locally_optimal or window.kicks < kicks:
        window.search(kicks - window.kicks, seed=3, budget=budget)
        assert (np.sort(window.tour) == np.arange(instance.nodes)).all()
        assert (window.place[window.tour] == np.arange(instance.nodes)).all()
        calls += 1
        assert calls < 100_000, "it goes round in circles"
    return window, instance.leave(window.tour)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize(
    "problem", PROBLEMS, ids=lambda p: f"{p.n} {p.metric.name}{' open' * p.open}{' fixed' * (len(p.fixed_edges) > 0)}"
)
def test_tours_stay_tours_and_gains_are_real(problem: TSP) -> None:
    window, after = refined(problem, 300)
    report = problem.check(after)
    assert report.violations == ()
    won = problem.cost(feasible_tour(problem)) - report.cost
    assert won >= 0
    assert won == pytest.approx(window.gain, rel=1e-9, abs=1e-6)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "MAN_2D", "CEIL_2D"])
@pytest.mark.parametrize("points", ODD.values(), ids=ODD)
def test_ties_and_cities_in_one_place_end(points: np.ndarray, metric: str) -> None:
    problem = TSP("odd", METRICS[metric], points.astype(float))
    window, after = refined(problem, 500)
    assert problem.check(after).feasible
    won = problem.cost(feasible_tour(problem)) - problem.cost(after)
    assert won == pytest.approx(window.gain, rel=1e-9, abs=1e-5)


@pytest.mark.sanitize_quick
def test_a_call_ends_near_its_budget_and_the_next_goes_on() -> None:
    problem = cities(200)
    window, after = refined(problem, 50, budget=1)
    assert window.kicks == 50
    assert problem.check(after).feasible


def test_no_kicks_give_a_local_optimum_that_another_pass_keeps() -> None:
    problem = cities(300)
    window, after = refined(problem, 0)
    instance = Instance.of(problem)
    again = Window.whole(instance, instance.enter(after))
    while not again.locally_optimal:
        again.search(0, seed=8)
    assert window.kicks == again.kicks == 0
    assert again.gain <= 0.01 * window.gain


def test_the_same_seed_and_stream_make_the_same_search_and_another_stream_another() -> None:
    problem = cities(200)
    instance = Instance.of(problem)
    tours = []
    for stream in (1, 1, 2):
        window = Window.whole(instance, instance.enter(feasible_tour(problem)))
        window.search(200, seed=5, stream=stream, budget=10**9)
        tours.append(window.tour.copy())
    assert (tours[0] == tours[1]).all()
    assert (tours[0] != tours[2]).any()


def test_kicks_fall_in_their_region() -> None:
    problem = cities(400, side=10_000)
    instance = Instance.of(problem)
    locally_optimal, _ = refined(problem, 0)
    before = locally_optimal.tour.copy()
    locally_optimal.search(100, seed=1, region=(0, 20), budget=10**9)
    links = [
        {frozenset((int(a), int(b))) for a, b in zip(tour, np.roll(tour, -1), strict=True)}
        for tour in (before, locally_optimal.tour)
    ]
    changed = {city for edge in links[0] ^ links[1] for city in edge}
    assert len(changed) < instance.nodes / 2, "what was kicked in one corner is repaired near it"


def test_a_restart_takes_another_tour() -> None:
    problem = cities(100)
    window, _ = refined(problem, 100)
    tour = np.random.default_rng(9).permutation(100).astype(np.int32)
    window.restart(tour)
    assert (window.tour == tour).all()
    assert (window.place[tour] == np.arange(100)).all()
