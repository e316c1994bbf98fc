"""The reference for giant tours: everything recomputed node by node, and the best move by looking at all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from giant_moves import deltas, lengths, removed_lengths, three_opt_moves, two_opt_moves
from warptour.neighborhoods.move import Ints, Move
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.moves import apply
from warptour.papers.schulz.engine.resources import Resource
from warptour.routes.engine.instance import cost_tolerance

Floats = NDArray[np.float64]

MOVES = {"2-opt": two_opt_moves, "3-opt": three_opt_moves}
"""The complete neighbourhoods of a giant tour with so many edges; together they are complete 3-opt."""


class ReferenceGiant:
    """Complete neighbourhoods of giant tours, not optimised for speed.

    Parameters
    ----------
    instance : GiantInstance
    neighborhoods : sequence of {"2-opt", "3-opt"}
    """

    def __init__(self, instance: GiantInstance, neighborhoods: Sequence[str] = ("2-opt", "3-opt")) -> None:
        self.instance = instance
        self.neighborhoods = [name for name in MOVES if name in neighborhoods]
        self.tolerance = cost_tolerance(instance.problem)

    def length(self, giant: Ints) -> float:
        """Return the total length of the edges."""
        places = self.instance.places(giant)
        return float(lengths(self.instance, places[:-1], places[1:]).sum())

    def routes(self, giant: Ints) -> int:
        """Return the number of routes that are not empty."""
        return len(self.instance.leave(giant))

    def objective(self, giant: Ints) -> float:
        """Return length, fixed costs, and the penalty of routes beyond the vehicles."""
        instance, routes = self.instance, self.routes(giant)
        excess = max(0, routes - instance.vehicles)
        return self.length(giant) + instance.problem.fixed_cost * routes + instance.weight * excess

    def values(self, giant: Ints, resource: Resource) -> Floats:
        """Return the value of a resource at each position; at a copy of the depot, the value that a route ends with."""
        places = self.instance.places(giant)
        apart = lengths(self.instance, places[:-1], places[1:])
        value = float(resource.low[0])
        values = [value]
        for tail, head, distance in zip(places[:-1], places[1:], apart, strict=True):
            if tail == 0:
                value = float(resource.low[0])
            consumed = resource.travel * float(distance) + resource.leave[tail] + resource.enter[head]
            value = max(float(resource.low[head]), value + float(consumed))
            values.append(value)
        return np.array(values)

    def feasible(self, giant: Ints) -> bool:
        """Return whether every resource stays within the interval of every node."""
        places = self.instance.places(giant)
        return all(bool((self.values(giant, each) <= each.high[places]).all()) for each in self.instance.resources)

    def best_move(self, giant: Ints) -> tuple[Move, float] | None:
        """Return the feasible move with the smallest delta, and that delta; None if no move improves the giant tour."""
        return self.first_move(giant, 1)

    def first_move(self, giant: Ints, parts: int) -> tuple[Move, float] | None:
        """Return the best move of the first part of the neighbourhood that has an improving one.

        The parts are as many consecutive ranks each, but for the last, which may be fewer.
        """
        moves: list[Ints] = [MOVES[name](len(giant) - 1) for name in self.neighborhoods]
        delta = np.concatenate([deltas(self.instance, giant, some) for some in moves])
        removed = np.concatenate([removed_lengths(self.instance, giant, some) for some in moves])
        improving = np.flatnonzero(-delta > self.tolerance.absolute + self.tolerance.relative * removed)
        ranked = [tuple(move) for some in moves for move in some.tolist()]
        size = max(1, -(-len(delta) // parts))
        for rank in improving[np.lexsort((improving, delta[improving], improving // size))]:
            if self.feasible(apply(giant, ranked[rank])):
                return ranked[rank], float(delta[rank])
        return None

    def descend(self, giant: Ints) -> Ints:
        """Return the local optimum that best improvement reaches."""
        while (found := self.best_move(giant)) is not None:
            giant = apply(giant, found[0])
        return giant


def feasible_giant(seed: int, instance: GiantInstance) -> Ints | None:
    """Return a giant tour of random feasible routes with empty ones between them; None if a customer alone fits not."""
    rng = np.random.default_rng(seed)
    reference = ReferenceGiant(instance)
    routes = [[int(customer)] for customer in rng.permutation(np.arange(1, instance.customers + 1))]
    if not reference.feasible(giant_of(instance, routes)):
        return None
    for _ in range(3 * len(routes)):
        a, b = rng.permutation(len(routes))[:2] if len(routes) > 1 else (0, 0)
        merged = [route for number, route in enumerate(routes) if number not in (a, b)] + [routes[a] + routes[b]]
        if a != b and reference.feasible(giant_of(instance, merged)):
            routes = merged
    routes += [[] for _ in range(instance.routes - len(routes))]
    return giant_of(instance, [routes[number] for number in rng.permutation(len(routes))])


def giant_of(instance: GiantInstance, routes: list[list[int]]) -> Ints:
    """Return routes of the instance's own nodes as a giant tour, followed by empty routes."""
    copies = iter(range(instance.customers + 1, instance.customers + instance.routes + 2))
    giant = [next(copies)]
    for route in routes:
        giant += [*route, next(copies)]
    return np.array([*giant, *copies], np.int32)
