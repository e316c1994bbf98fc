"""What an iteration of ruin and recreate removes, and where it looks for a place."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import RouteState, Ruin

ROUTES, EACH, SEEDS = 12, 10, 200
ALWAYS = (1e12, 1e12)


def removed(ruin: Ruin) -> list[list[np.ndarray]]:
    """Return the places, in each of ``ROUTES`` random routes, of the customers that an iteration removes, by seed.

    Nothing is seen where they could be inserted, so each comes to a route of its own.
    """
    rng = np.random.default_rng(1)
    points = rng.random((1 + ROUTES * EACH, 2)) * 1000
    problem = VRP("stops", METRICS["EUCLIDEAN"], points, demands=np.array([0, *[1] * (ROUTES * EACH)]), capacity=1000)
    instance = RouteInstance.of(problem, 40)
    routes = np.split(1 + np.arange(ROUTES * EACH, dtype=np.int32), ROUTES)
    giant = instance.giant_tour(routes)
    first, found = RouteState(instance, giant, problem.n), []
    for seed in range(SEEDS):
        fleet = first.copy()
        fleet.search(1, ALWAYS, seed=seed, stream=0, ruin=ruin)
        alone = {int(route[0]) for route in instance.routes(fleet.giant_tour()) if len(route) == 1}
        found.append([np.flatnonzero([customer in alone for customer in route.tolist()]) for route in routes])
    return found


@pytest.mark.parametrize("mean", [10.0, 20.0])
def test_about_so_many_customers_are_removed_sometimes_few_and_sometimes_many(mean: float) -> None:
    counts = np.array([sum(map(len, places)) for places in removed(Ruin(mean=mean, blink=1 - 1e-12, sought=0))])
    assert counts.mean() == pytest.approx(mean, rel=0.25)
    assert counts.min() <= 2
    assert counts.max() > 1.5 * mean


def test_half_of_the_ruins_remove_strings_and_half_walk() -> None:
    """A third removes seven in a row; of walks one in forty would, of strings more than half."""

    def longest(ruin: list[np.ndarray]) -> int:
        return max(len(places) for places in ruin if not len(places) or np.ptp(places) == len(places) - 1)

    ruins = removed(Ruin(split=0.0, blink=1 - 1e-12, sought=0))
    assert 0.15 < np.mean([longest(ruin) >= 7 for ruin in ruins]) < 0.5


def test_customers_are_inserted_beside_any_neighbour_of_their_list() -> None:
    """The last customer fits only beside one that 34 others, in full routes, are nearer than."""
    rng = np.random.default_rng(1)
    near = 1000 + rng.random((34, 2))
    points = np.vstack(([[0.0, 0.0]], near, [[1000.0, 1020.0], [1000.5, 1000.5]]))
    problem = VRP("full", METRICS["EUCLIDEAN"], points, demands=np.array([0, *[1] * 36]), capacity=2)
    instance = RouteInstance.of(problem, 40)
    fleet = RouteState(instance, instance.giant_tour(np.split(1 + np.arange(36, dtype=np.int32), 18)), problem.n)
    fleet.search(300, ALWAYS, seed=1, stream=0, ruin=Ruin(mean=1, longest=1, blink=0.0, sought=0))
    assert len(instance.routes(fleet.giant_tour())) == 18
