"""Limits and clocks that do not depend on how busy the machine is."""

from __future__ import annotations

from collections.abc import Callable

from warptour.search.search import Search
from warptour.search.stop import Stop

LOOK_SECONDS = 0.01
"""What a :class:`SteppedSearch` takes each look at its clock to last."""


class Never(Stop):
    """For searches that end by themselves."""

    def reached(self, state: object) -> bool:
        return False


class Until(Stop):
    """Over once ``condition()`` holds."""

    def __init__(self, condition: Callable[[], bool]) -> None:
        self.condition = condition

    def reached(self, state: object) -> bool:
        return self.condition()


class Looks(Stop):
    """Over at the given look, whatever the clock says."""

    def __init__(self, evaluations: int) -> None:
        self.evaluations = evaluations

    def reached(self, state: object) -> bool:
        self.evaluations -= 1
        return self.evaluations <= 0


class SteppedSearch(Search):
    """A search whose clock goes on by ``LOOK_SECONDS`` whenever it is looked at, and not otherwise.

    A strategy that asks whether it is over ends a known number of looks after its time limit, on any machine.
    """

    now = 0.0

    @property
    def seconds(self) -> float:
        self.now += LOOK_SECONDS
        return self.now


class SetSearch(Search):
    """A search whose clock shows ``now``, which a test sets."""

    now = 0.0

    @property
    def seconds(self) -> float:
        return self.now
