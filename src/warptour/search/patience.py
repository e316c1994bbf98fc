"""When a small problem is surely done: after many times the work that any improvement has taken.

The longest wait for an improvement was 10 kicks per city over the public tours of up to 200 cities, and 34 iterations
per square of the nodes over vehicle routes of up to 50 customers (``docs/results.md``). Counts, unlike seconds, give a
busy machine more time.
"""

from __future__ import annotations

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.stop import NoImprovement

MAX_CITIES, KICKS_PER_CITY, CITIES_SECONDS = 200, 50, 0.5
"""Largest tour that ends by itself, and the kicks and seconds without an improvement after which it does."""

MAX_CUSTOMERS, ITERATIONS_PER_SQUARE, CUSTOMERS_SECONDS = 50, 60, 1.0
"""The same for vehicle routes, with iterations per square of the nodes."""

SCARCE_SECONDS = 4.0
"""Seconds without an improvement where vehicles are limited: a quarter of the time may be ruin and recreate, whose
improvements come as it cools, and what follows must have its turn."""


def settled(problem: TSP | VRP) -> NoImprovement | None:
    """Return the rule that ends a search of ``problem`` by the default strategy, or None for larger problems."""
    if isinstance(problem, VRP):
        seconds = CUSTOMERS_SECONDS if problem.vehicles is None else SCARCE_SECONDS
        small = problem.n - 1 <= MAX_CUSTOMERS
        return NoImprovement(seconds, ITERATIONS_PER_SQUARE * problem.n**2) if small else None
    return NoImprovement(CITIES_SECONDS, KICKS_PER_CITY * problem.n) if problem.n <= MAX_CITIES else None
