"""Segments of giant tours, which join in constant time (Irnich 2008, Schulz 2011).

A segment is a sequence of consecutive nodes; it may span several routes and begin and end within one. For each resource
it has a function from the value at its first node to the value at its last one, and the inverse of that function:

    f(T)  = max(least, T + sum)     the value at the end
    f'(T) = min(most, T - sum)      the greatest value at the start that is T or less at the end

``least`` is the value at the end after a start as low as the first node allows. ``most`` is the highest value at the
start that keeps every node of the segment within its interval. The function of two joined segments is the composition
of theirs. The whole is feasible if and only if both parts are, and ``least`` of the first, extended along the edge
between them, does not exceed ``most`` of the second: no node within them is visited again.

Consumption may depend on direction (time windows, service on departure), so a segment has all of this a second time for
its reverse. The recombinations of a move take segments in either direction.

In Schulz (2011) joined segments share a node. Here an edge lies between them (``joined`` in ``giant.h``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import Final, NamedTuple

from warptour.neighborhoods.move import Ints, Move
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.resources import Resource

NEVER: Final = -1e300
"""``most`` of an infeasible segment."""


class Extension(NamedTuple):
    """One resource along a segment, in one direction."""

    sum: float
    least: float
    most: float


@dataclass(frozen=True)
class Segment:
    """What a move must know of consecutive nodes.

    Attributes
    ----------
    first, last : int
        The places of its ends; 0 for copies of the depot.
    length : float
        Total length of its edges.
    holds_depot : bool
    routes : int
        Complete routes in it that are not empty.
    forward, backward : tuple of Extension
        The resources along it, and along its reverse.
    """

    first: int
    last: int
    length: float
    holds_depot: bool
    routes: int
    forward: tuple[Extension, ...]
    backward: tuple[Extension, ...]

    @property
    def reverse(self) -> Segment:
        """The same nodes in reverse order."""
        return replace(self, first=self.last, last=self.first, forward=self.backward, backward=self.forward)

    @property
    def feasible(self) -> bool:
        """Whether every resource stays within the interval of every node, if the first node is reached in time."""
        return all(extension.most > NEVER for extension in self.forward)


def single(instance: GiantInstance, place: int) -> Segment:
    """Return the segment of one place."""
    extensions = tuple(_at(resource, place) for resource in instance.resources)
    return Segment(place, place, 0.0, place == 0, 0, extensions, extensions)


def join(instance: GiantInstance, first: Segment, second: Segment) -> Segment:
    """Return two segments and the edge between them as one.

    A route is completed where both parts hold a depot, unless they meet at copies of it: an edge between two copies is
    an empty route.
    """
    tail, head = first.last, second.first
    apart = 0.0 if tail == head else instance.problem.distance(tail, head)
    meet_at_depots = tail == head == 0
    return Segment(
        first.first,
        second.last,
        first.length + apart + second.length,
        first.holds_depot or second.holds_depot,
        first.routes + second.routes + (first.holds_depot and second.holds_depot and not meet_at_depots),
        tuple(
            joined(one, consumed(resource, tail, head, apart), other)
            for resource, one, other in zip(instance.resources, first.forward, second.forward, strict=True)
        ),
        tuple(
            joined(other, consumed(resource, head, tail, apart), one)
            for resource, one, other in zip(instance.resources, first.backward, second.backward, strict=True)
        ),
    )


def joined(first: Extension, edge: float, second: Extension) -> Extension:
    """Return one resource along two segments and the edge between them, which consumes ``edge``."""
    across, arrival = first.sum + edge, first.least + edge
    most = min(first.most, second.most - across) if arrival <= second.most else NEVER
    return Extension(across + second.sum, max(second.least, arrival + second.sum), most)


def consumed(resource: Resource, tail: int, head: int, apart: float) -> float:
    """Return the consumption of ``resource`` along the edge between two places at distance ``apart``."""
    return float(resource.travel * apart + resource.leave[tail] + resource.enter[head])


def segment_of(instance: GiantInstance, nodes: Ints) -> Segment:
    """Return the segment of consecutive nodes of a giant tour."""
    return combined(instance, [single(instance, int(place)) for place in instance.places(nodes)])


def combined(instance: GiantInstance, segments: Sequence[Segment]) -> Segment:
    """Return the segments joined in order."""
    return reduce(lambda first, second: join(instance, first, second), segments)


def recombined(instance: GiantInstance, giant: Ints, move: Move) -> Segment:
    """Return the whole giant tour after ``move``, from the three or four segments that it recombines."""
    cuts = (*(cut + 1 for cut in move[: 2 if len(move) == 2 else 3]), len(giant))
    parts = [segment_of(instance, giant[begin:end]) for begin, end in pairwise((0, *cuts))]
    if len(move) == 2:
        a, b, c = parts
        return combined(instance, (a, b.reverse, c))
    a, b, c, d = parts
    middle = ((c, b), (c, b.reverse), (c.reverse, b), (b.reverse, c.reverse))[move[3]]
    return combined(instance, (a, *middle, d))


def objective(instance: GiantInstance, whole: Segment) -> float:
    """Return the objective of a whole giant tour."""
    excess = max(0, whole.routes - instance.vehicles)
    return whole.length + instance.problem.fixed_cost * whole.routes + instance.weight * excess


def _at(resource: Resource, place: int) -> Extension:
    """Return a resource at one place; from the depot a vehicle starts anew, with its ``low``."""
    low, high = float(resource.low[place]), float(resource.high[place])
    return Extension(0.0 if place else low - high, low, high)
