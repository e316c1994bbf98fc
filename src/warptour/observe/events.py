"""Events: what a search tells whoever listens.

A listener is any callable that takes an event. It runs on the thread of the
search, between two slices of work, so it should be quick; it may return
``False`` to end the search with the best solution so far. What it raises ends
the search, too, and is raised by ``solve``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np


@dataclass(frozen=True)
class State:
    """Where a search stands: wall seconds on its own clock, the best cost, and what it has done."""

    seconds: float
    cost: int | float | None
    iterations: int
    moves: int
    improved_at: float = 0.0
    """Seconds at which the best cost last fell."""


@dataclass(frozen=True)
class Improved:
    """A better solution was found; :attr:`solution` says which."""

    state: State
    _found: Any

    @property
    def solution(self) -> Any:
        """The tour, or a list of the routes, as read-only arrays."""
        found = self._found
        return [_read_only(route) for route in found] if isinstance(found, list) else _read_only(found)


@dataclass(frozen=True)
class Tick:
    """The search is alive; sent a few times a second."""

    state: State


@dataclass(frozen=True)
class Note:
    """A sentence about what the search does next or what a round gained; or, ``lasting``, about the whole run."""

    state: State
    text: str
    lasting: bool = False


def _read_only(nodes: Any) -> Any:
    view = np.asarray(nodes).view()
    view.flags.writeable = False
    return view


Event: TypeAlias = Improved | Tick | Note
Listener: TypeAlias = Callable[[Event], object]
