"""Random tiny problems with goods for the depot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fleet_problems import fleet_problem
from shipment_problems import shipment_problem
from warptour.model.fleet import Fleet, VehicleType
from warptour.model.vehicles import VRP

RULES = (None, "last", "after-deliveries")


def pickup_problem(seed: int, customers: int = 5) -> VRP:
    """Return a problem of a fleet with deliveries, pickups, both at once or neither; a third have shipments, too."""
    rng = np.random.default_rng([seed, 47])
    given = shipment_problem(seed, pairs=1, others=customers - 2) if seed % 3 == 0 else fleet_problem(seed, customers)
    carried = [node for each in given.shipments for node in (each.pickup, each.delivery)]
    others = np.setdiff1d(given.customers, carried)
    kind = rng.integers(0, 8, given.n)
    demands = given.demands.copy()
    demands[others] = np.where(kind[others] < 5, demands[others], 0)
    pickups = np.zeros((given.n, given.dimensions), np.int64)
    pickups[others] = np.where(kind[others, None] > 2, rng.integers(1, 6, (len(others), given.dimensions)), 0)
    fleet = given.fleet
    assert fleet is not None
    types = tuple(replace(each, distance_cost=1 + each.distance_cost) for each in fleet.types)
    fleet = replace(fleet, types=types)
    if seed % 4 == 1:  # vehicles that are alike, without times
        alike = tuple(VehicleType(start=0, end=0, capacities=each.capacities) for each in types[:1])
        fleet = Fleet(alike, allowed=None)
        given = replace(given, windows=None)
    return replace(
        given, demands=demands, pickups=pickups, backhauls=RULES[seed % 5 % 3], fleet=fleet, alternatives=(),
        together=(), apart=(),
    )  # fmt: skip
