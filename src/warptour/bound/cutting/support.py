"""The graph of the edges that a fractional tour uses, and what it shrinks to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from warptour.bound.instance import Floats, Ints, components

TINY = 1e-6
"""Values that count as 0; those above 1 less this count as 1."""


class Support:
    """Edges ``one``-``two`` with values ``x`` above 0."""

    def __init__(self, n: int, one: Ints, two: Ints, x: Floats) -> None:
        used = x > TINY
        self.n, self.one, self.two, self.x = n, one[used], two[used], x[used]

    def components(self, chosen: NDArray[np.bool_] | None = None) -> Ints:
        """Return a number for each node, that of its component by the chosen edges."""
        one, two = (self.one, self.two) if chosen is None else (self.one[chosen], self.two[chosen])
        return components(self.n, one, two)

    def matrix(self, label: Ints) -> Floats:
        """Return the values between the classes of nodes with the same label."""
        return between(int(label.max()) + 1, label[self.one], label[self.two], self.x)

    def is_tour(self) -> bool:
        """Return whether the values, which are connected and of degree 2, are those of a tour."""
        return len(self.x) == self.n and bool((self.x > 1 - TINY).all())

    def tour(self) -> Ints:
        """Return the order of the nodes."""
        near: list[list[int]] = [[] for _ in range(self.n)]
        for a, b in zip(self.one.tolist(), self.two.tolist(), strict=True):
            near[a].append(b)
            near[b].append(a)
        order, before = [0], -1
        while len(order) < self.n:
            here = order[-1]
            order.append(near[here][near[here][0] == before])
            before = here
        return np.array(order, np.int32)


def between(k: int, one: Ints, two: Ints, x: Floats) -> Floats:
    """Return the values between k classes as a symmetric matrix with 0 on the diagonal."""
    upper = np.bincount(one.astype(np.int64) * k + two, x, k * k).reshape(k, k).astype(np.float64)
    table = np.asarray(upper + upper.T)
    np.fill_diagonal(table, 0)
    return table


class Shrunk:
    """Groups of nodes, in place of which one will do for most cuts.

    ``label``: group of each node
    ``near``: value between groups
    """

    def __init__(self, support: Support) -> None:
        near: dict[int, dict[int, float]] = {node: {} for node in range(support.n)}
        for a, b, value in zip(support.one.tolist(), support.two.tolist(), support.x.tolist(), strict=True):
            near[a][b] = near[b][a] = value
        self.near = near
        self._members = {node: [node] for node in range(support.n)}
        self._shrink()
        self.label = np.empty(support.n, np.int32)
        for group, members in self._members.items():
            self.label[members] = group

    def _merge(self, a: int, b: int) -> None:
        """Merge group b into a."""
        self._members[a] += self._members.pop(b)
        for other, value in self.near.pop(b).items():
            del self.near[other][b]
            if other != a:
                total = self.near[a].get(other, 0.0) + value
                self.near[a][other] = self.near[other][a] = total

    def _shrink(self) -> None:
        """Merge what keeps most violated cuts: inner nodes of paths of value 1, and ends of an edge of value 1 that a
        third node is joined to by 1 in all (Padberg and Rinaldi 1990).
        """
        waiting = list(self.near)
        while waiting:
            group = waiting.pop()
            if group not in self.near or len(self.near) <= 4:
                continue
            for other in self._mergeable(group):
                touched = [*self.near[group], *self.near[other]]
                self._merge(group, other)
                waiting += [at for at in {*touched, group} if at in self.near]
                break

    def _mergeable(self, group: int) -> Iterator[int]:
        whole = [other for other, value in self.near[group].items() if value > 1 - TINY]
        for other in whole:
            beyond = [at for at, value in self.near[other].items() if value > 1 - TINY and at != group]
            if len(whole) > 1 and len(beyond) > 0:  # the inner edge of a path of three
                yield other
            for at, value in self.near[group].items():
                if at != other and value + self.near[other].get(at, 0.0) > 1 - TINY and at in self.near[other]:
                    yield other
