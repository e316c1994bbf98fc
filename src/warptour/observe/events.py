"""Events: what a search tells whoever listens.

A listener is any callable that takes an event. It runs on the thread of the
search, between two slices of work, so it should be quick; it may return
``False`` to end the search with the best solution so far.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias


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
    """A better solution was found; ``solution`` is a tour or a list of routes, not to be changed."""

    state: State
    solution: Any


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


Event: TypeAlias = Improved | Tick | Note
Listener: TypeAlias = Callable[[Event], object]
