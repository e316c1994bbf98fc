"""Shipments as kernels see them (``kernels/routes/pairs.h``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from warptour.model.shipments import ends_of
from warptour.model.vehicles import VRP
from warptour.routes.engine.kinds import Ints


def shipment_arguments(problem: VRP, nodes: Ints) -> tuple[Any, ...]:
    """Return the number of dimensions of loads, the other end of each shipment, and what stops change the load by.

    The other end of a pickup is its delivery, that of a delivery minus its pickup, and that of others 0. Changes are
    dimension by dimension.
    """
    number = np.zeros(problem.n, np.int32)
    number[nodes] = np.arange(len(nodes), dtype=np.int32)
    pickups, deliveries = number[ends_of(problem.shipments)].T
    mates = np.zeros(len(nodes), np.int32)
    mates[pickups], mates[deliveries] = deliveries, -pickups
    loads = problem.all_loads[0]
    changes = np.where(problem.carried[:, None], loads, -loads)[nodes]
    return problem.dimensions, mates, np.ascontiguousarray(changes.T).reshape(-1)


def without_deliveries(problem: VRP) -> Ints:
    """Return the customers whom searches insert: of each shipment the pickup, which its delivery follows."""
    customers = problem.customers
    return customers[~np.isin(customers, ends_of(problem.shipments)[:, 1])]
