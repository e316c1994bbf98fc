"""Shipments and two-way loads as kernels see them (``kernels/routes/loads.h`` and ``pairs.h``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from warptour.model.pickups import AFTER_DELIVERIES
from warptour.model.shipments import ends_of
from warptour.model.vehicles import VRP
from warptour.routes.engine.kinds import UNREACHED, Ints

BRINGS, TAKES = 1, 2
"""What is done at a customer, as in ``loads.h``."""


def load_arguments(problem: VRP, nodes: Ints) -> tuple[Any, ...]:
    """Return dimensions of loads, rules of order, other ends of shipments, what is done where, changes, and rides.

    The other end of a pickup is its delivery, that of a delivery minus its pickup, and that of others 0. Changes of
    loads are dimension by dimension; rides are the longest of each pickup.
    """
    number = np.zeros(problem.n, np.int32)
    number[nodes] = np.arange(len(nodes), dtype=np.int32)
    pickups, deliveries = number[ends_of(problem.shipments)].T
    mates = np.zeros(len(nodes), np.int32)
    mates[pickups], mates[deliveries] = deliveries, -pickups
    done = None
    if problem.backhauls is not None:
        done = (BRINGS * problem.brings[nodes] + TAKES * problem.takes[nodes]).astype(np.int32)
    changes = np.ascontiguousarray(problem.load_changes[nodes].T).reshape(-1)
    strict = problem.backhauls == AFTER_DELIVERIES
    rides = None
    if problem.longest_rides:
        assert problem.schedule is not None
        rides = np.full(len(nodes), UNREACHED)
        for pickup, longest in problem.schedule.rides.values():
            rides[number[pickup]] = longest
    return problem.dimensions, int(strict), int(problem.lifo), mates, done, changes, rides


def without_deliveries(problem: VRP) -> Ints:
    """Return the customers whom searches insert: of each shipment the pickup, which its delivery follows."""
    customers = np.setdiff1d(problem.customers, problem.copies).astype(np.int32)
    return customers[~np.isin(customers, ends_of(problem.shipments)[:, 1])]
