"""Which trials a population is given next: from new tours, or from its own."""

from __future__ import annotations

import math
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["new", "old"]
OTHER: Final[dict[Kind, Kind]] = {"new": "old", "old": "new"}

MATURE: Final = 15
"""Tours of a population that is worth kicking at."""

FORGOTTEN: Final = 4
"""Turns after which the kind that won less is tried again."""


class OperatorSelection:
    """What each kind of trial has won for its effort, and how long it takes.

    Effort is counted in cities looked at, so that no clock decides what is next.
    """

    def __init__(self) -> None:
        self._rates: dict[Kind, float] = {"new": math.inf, "old": math.inf}
        self._seconds: dict[Kind, float] = {}
        self._idle: dict[Kind, int] = {"new": 0, "old": 0}
        self._barren: Kind | None = None

    def next(self, tours: int) -> Kind:
        """Return the kind that is next in a population of so many tours.

        It is the one that won more, but never one that won nothing in the last turn, and after some turns the other.
        """
        if tours < MATURE:
            return "new"
        kind: Kind = "old" if self._rates["old"] >= self._rates["new"] else "new"
        return OTHER[kind] if kind == self._barren or self._idle[OTHER[kind]] >= FORGOTTEN else kind

    def enter(self, kind: Kind, gain: float, evaluations: int) -> None:
        """Note what a turn won; what it won in turns before counts half each time."""
        rate, before = gain / max(1, evaluations), self._rates[kind]
        self._rates[kind] = rate if math.isinf(before) else (rate + before) / 2
        self._idle[kind] = 0
        self._idle[OTHER[kind]] += 1
        self._barren = None if gain > 0 else kind

    def took(self, kind: Kind, seconds: float) -> None:
        """Note how long a trial took."""
        self._seconds[kind] = seconds

    def seconds(self, kind: Kind) -> float:
        """Return how long a trial takes, or one of the other kind; 0 if that is not known."""
        return self._seconds.get(kind, self._seconds.get(OTHER[kind], 0.0))
