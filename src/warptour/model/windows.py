"""Time windows: when service may begin at each node, several times a day if need be.

A node's windows are kept as the span from its first opening to its last closing and the gaps in it. Most nodes have one
window and no gap, so whoever computes starts of service compares with the span first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.audience import count
from warptour.model.clock import format_time
from warptour.model.errors import InputError
from warptour.model.frozen import immutable
from warptour.model.metric import Floats
from warptour.model.quantities import finite_number

Window: TypeAlias = tuple[float, float]
"""Opening and closing."""

LATEST: Final = 2.0**50
"""Largest opening or finite closing: beyond it, sums of times are no longer exact."""


@dataclass(frozen=True, eq=False)
class TimeWindows:
    """When service may begin.

    Attributes
    ----------
    opens, closes : array of float64, shape (n,)
        First opening and last closing of each node; 0 and infinity where service may begin at any time.
    gaps : array of float64, shape (g, 2)
        Closing of a window and opening of the next, of node 0 first; service may begin at either.
    ends : array of int64, shape (n,)
        Number of gaps of each node and those before it.
    """

    opens: Floats
    closes: Floats
    gaps: Floats
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, values: ArrayLike | Sequence[Any], n: int) -> TimeWindows:
        """Return windows of ``n`` nodes.

        Parameters
        ----------
        values : array-like of shape (n, 2), or sequence of length n
            Opening and closing of each node, a list of such pairs, or None where service may begin at any time.
        """
        if isinstance(values, np.ndarray) and values.dtype.kind in "iuf" and values.shape == (n, 2):
            nodes: Sequence[Any] = values.astype(np.float64).tolist()
        else:
            nodes = list(values) if hasattr(values, "__iter__") else []  # type: ignore[arg-type]
        if len(nodes) != n:
            raise InputError(f"windows of {len(nodes)} nodes for {n}: each has an opening and a closing, or None")
        lists = [_sorted_windows(given, node) for node, given in enumerate(nodes)]
        gaps = [(first[1], second[0]) for each in lists for first, second in pairwise(each)]
        return cls(
            immutable(np.array([each[0][0] for each in lists], np.float64)),
            immutable(np.array([each[-1][1] for each in lists], np.float64)),
            immutable(np.array(gaps, np.float64).reshape(-1, 2)),
            immutable(np.cumsum([len(each) - 1 for each in lists], dtype=np.int64)),
        )

    @classmethod
    def always(cls, n: int) -> TimeWindows:
        """Return windows of ``n`` nodes that are always open."""
        return cls(np.zeros(n), np.full(n, math.inf), np.zeros((0, 2)), np.zeros(n, np.int64))

    @cached_property
    def several(self) -> bool:
        """Whether a node has more than one window."""
        return len(self.gaps) > 0

    def gaps_of(self, node: int) -> list[Window]:
        """Return the gaps of a node in order."""
        begin = int(self.ends[node - 1]) if node else 0
        return [(float(shuts), float(opens)) for shuts, opens in self.gaps[begin : int(self.ends[node])]]

    def of_node(self, node: int) -> list[Window]:
        """Return the windows of a node in order."""
        edges = [
            float(self.opens[node]),
            *(edge for gap in self.gaps_of(node) for edge in gap),
            float(self.closes[node]),
        ]
        return list(zip(edges[::2], edges[1::2], strict=True))

    def __iter__(self) -> Iterator[list[Window]]:
        return map(self.of_node, range(len(self.opens)))

    def on(self, nodes: NDArray[Any]) -> TimeWindows:
        """Return the windows of a selection of nodes, renumbered in its order."""
        if not self.several:
            return TimeWindows(self.opens[nodes], self.closes[nodes], self.gaps, np.zeros(len(nodes), np.int64))
        return TimeWindows.of([self.of_node(int(node)) for node in nodes], len(nodes))

    def over(self, pace: float) -> TimeWindows:
        """Return the windows with times divided by ``pace``."""
        if pace == 1:
            return self
        return TimeWindows(self.opens / pace, self.closes / pace, self.gaps / pace, self.ends)

    def within(self, node: int, opens: float, closes: float, *, clock: bool = True) -> TimeWindows:
        """Return the windows with those of the depot, ``node``, cut to a shift."""
        every = list(self)
        every[node] = self.cut(node, opens, closes)
        if not every[node]:
            shift, hours = span_text(opens, closes, clock), self.text(node, clock)
            raise InputError(f"the shift {shift} is outside the depot's hours, {hours}")
        return TimeWindows.of(every, len(every))

    def followed_by(self, more: Sequence[list[Window]]) -> TimeWindows:
        """Return the windows of these nodes and of further ones behind them."""
        new = TimeWindows.of(more, len(more))
        return TimeWindows(
            np.concatenate((self.opens, new.opens)),
            np.concatenate((self.closes, new.closes)),
            np.concatenate((self.gaps, new.gaps)),
            np.concatenate((self.ends, new.ends + len(self.gaps))),
        )

    def cut(self, node: int | None, opens: float, closes: float) -> list[Window]:
        """Return the windows of a node, or of always, within a shift; empty if they are outside of it."""
        own = [(0.0, math.inf)] if node is None else self.of_node(node)
        within = [(max(a, opens), min(b, closes)) for a, b in own]
        return [(a, b) for a, b in within if a <= b]

    def next_start(self, node: int, arrival: float) -> float:
        """Return when service begins after an arrival, whether or not that is before the last closing."""
        start = max(arrival, float(self.opens[node]))
        for shuts, opens in self.gaps_of(node) if self.several else ():
            if shuts < start < opens:
                return opens
        return start

    def last_start(self, node: int, latest: float) -> float:
        """Return the last possible start of service up to a time, before the first opening if there is none."""
        start = min(latest, float(self.closes[node]))
        for shuts, opens in self.gaps_of(node) if self.several else ():
            if shuts < start < opens:
                return shuts
        return start

    def text(self, node: int, clock: bool, pace: float = 1.0) -> str:
        """Return the windows of a node for people: ``08:00-12:00, 14:00-18:00``; times are multiplied by ``pace``."""
        return ", ".join(span_text(opens * pace, closes * pace, clock) for opens, closes in self.of_node(node))


def span_text(opens: float, closes: float, clock: bool = True) -> str:
    """Return a window for people, in times of day or plain numbers."""
    if not clock:
        return f"{opens:g}-{closes:g}"
    return f"{format_time(opens)}-{'' if math.isinf(closes) else format_time(closes)}"


def _sorted_windows(given: Any, node: int) -> list[Window]:
    """Return the windows of a node in order, those that touch joined."""
    if given is None:
        return [(0.0, math.inf)]
    pairs = [given] if len(given) == 2 and not hasattr(given[0], "__len__") else list(given)
    windows: list[Window] = []
    for pair in sorted(_window(pair, node) for pair in pairs):
        if windows and pair[0] <= windows[-1][1]:
            windows[-1] = (windows[-1][0], max(windows[-1][1], pair[1]))
        else:
            windows.append(pair)
    if not windows:
        raise InputError(f"node {count(node)} has no window; None says that service may begin at any time")
    return windows


def _window(pair: Any, node: int) -> Window:
    """Return one window, or raise :class:`InputError`."""
    if not hasattr(pair, "__len__") or len(pair) != 2:
        raise InputError(f"node {count(node)} has the window {pair!r}; a window is an opening and a closing")
    opens = 0.0 if pair[0] is None else finite_number(pair[0])
    closes = math.inf if pair[1] is None or pair[1] == math.inf else finite_number(pair[1])
    if opens is None or closes is None or not 0 <= opens <= LATEST or (closes > LATEST and closes != math.inf):
        raise InputError(f"node {count(node)} has the window {pair!r}; its ends are numbers of at least 0")
    if closes < opens:
        raise InputError(f"node {count(node)} has a window that ends at {closes:g}, before it begins at {opens:g}")
    return opens, closes
