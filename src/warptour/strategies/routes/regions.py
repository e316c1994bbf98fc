"""Regions: the routes around a place, searched while all others stay."""

from __future__ import annotations

import numpy as np

from warptour.engines.routes.fleet import Fleet
from warptour.engines.routes.instance import Ints, RouteInstance
from warptour.model.vehicles import Routes


def nearest_first(instance: RouteInstance, routes: Routes, rng: np.random.Generator) -> Routes:
    """Return the routes by the distance of their centroids from a random customer."""
    places = instance.places
    assert places is not None
    centres = np.array([places[route].mean(axis=0) for route in routes])
    away = ((centres - places[rng.integers(1, instance.problem.n)]) ** 2).sum(axis=1)
    return [routes[number] for number in np.argsort(away, kind="stable").tolist()]


def fleet_of(instance: RouteInstance, routes: Routes, slots: int, left_out: Ints | None = None) -> Fleet:
    """Return a fleet with some routes of a solution, and with customers who are in none of them."""
    giant = instance.giant_tour(routes)
    members = giant[giant != 0] if left_out is None else np.concatenate((giant[giant != 0], left_out))
    home, number = np.full((2, instance.problem.n), -1, np.int32)
    home[members], number[members] = 0, np.arange(1, len(members) + 1)
    return Fleet(instance, giant, slots, (0, home, number), left_out)
