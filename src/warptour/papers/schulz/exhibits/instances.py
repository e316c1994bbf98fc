"""Instances with the paper's numbers of nodes, and the giant tours that its searches begin with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from warptour.io.generate import generate
from warptour.model.vehicles import VRP
from warptour.papers.instances import public_routes
from warptour.papers.schulz.engine.instance import GiantInstance, Ints
from warptour.routes.starts.savings import savings

PUBLIC: Final = {201: "CMT3", 301: "CMT4", 399: "CMT5", 511: "Golden_9"}
"""Public instances by the nodes of their giant tours with as many vehicles as customers."""

INSTANCES: Final = (
    "The paper does not name its instances or the limits that it adds. With as many routes as customers, CMT3, CMT4, "
    "CMT5 and Golden_9 have 201, 301, 399 and 511 nodes; other sizes are generated, and so is a file that is not at "
    "hand. Where an instance has none, the route limit is the longest route of the savings algorithm, and its number "
    "of routes that of vehicles. Searches begin with one vehicle a customer."
)

AS_IN_TABLE_5: Final = "Instances are those of table-5."


@dataclass(frozen=True, eq=False)
class Case:
    """An instance and the giant tour that its searches begin with: one vehicle a customer."""

    instance: GiantInstance
    start: Ints

    @property
    def name(self) -> str:
        """Name of the file, or kind, size and seed of a generated instance."""
        return self.instance.problem.name

    @property
    def nodes(self) -> int:
        """Nodes of the giant tour."""
        return self.instance.nodes


@cache
def case_of(nodes: int) -> Case:
    """Return the case whose giant tours have ``nodes`` nodes, an odd number."""
    customers = (nodes - 1) // 2
    found = public_routes(PUBLIC[nodes]) if nodes in PUBLIC else generated(customers)
    if found is None:
        stand_in = generated(customers)
        found = replace(stand_in, name=f"{stand_in.name}, stand-in for {PUBLIC[nodes]}")
    problem = with_limits(found)
    instance = GiantInstance.of(problem, customers)
    return Case(instance, instance.enter([problem.customers[k : k + 1] for k in range(customers)]))


def generated(customers: int) -> VRP:
    """Return a generated problem of ``customers`` customers."""
    problem = generate("vrp", customers + 1, seed=1)
    assert isinstance(problem, VRP)
    return problem


def with_limits(problem: VRP) -> VRP:
    """Return ``problem`` in Euclidean distances, with limits of route length and vehicles if it lacks them.

    Savings give the limits: their longest route and their number of routes.
    """
    exact = problem.rounded("none")
    routes = savings(exact)
    longest = float(max(exact.route_cost(route) for route in routes))
    return replace(
        exact,
        max_distance=longest if exact.max_distance is None else exact.max_distance,
        vehicles=len(routes) if exact.vehicles is None else exact.vehicles,
    )
