"""A search follows a team: it hands tours in now and then, and the last one on time."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from warptour.search.team import fitting, follow
from warptour.search.threads import Poll


@dataclass
class Clock:
    """A search whose time passes as the team and the handing in say."""

    limit: float
    offer_takes: float
    seconds: float = 0.0
    offers: list[float] = field(default_factory=list)

    def seconds_left(self) -> float:
        return max(0.0, self.limit - self.seconds)

    def over(self) -> bool:
        return self.seconds >= self.limit

    def iterations_left(self) -> float:
        return math.inf

    def count(self, iterations: int, moves: int) -> None:
        pass

    def offer(self, tour: Any) -> None:
        self.seconds += self.offer_takes
        self.offers.append(self.seconds)


@dataclass
class Steady:
    """A team that wins a little every half second."""

    clock: Clock
    kicks: int = 0
    evaluations: int = 0
    gain: float = 0.0

    def advance(self, kicks_left: float, poll: Poll) -> None:
        self.clock.seconds += 0.5
        self.gain += 1.0

    def best(self) -> np.ndarray:
        return np.arange(3, dtype=np.int32)


@pytest.mark.parametrize("takes", [0.0, 0.25, 2.0])
def test_the_last_tour_is_handed_in_on_time_however_long_that_takes(takes: float) -> None:
    clock = Clock(limit=100.0, offer_takes=takes)
    follow(clock, Steady(clock))  # type: ignore[arg-type]
    assert 100.0 - takes - 0.5 <= clock.seconds <= 100.5
    assert clock.offers[-1] == clock.seconds


def test_handing_in_takes_a_small_share_of_the_time() -> None:
    clock = Clock(limit=100.0, offer_takes=1.0)
    follow(clock, Steady(clock))  # type: ignore[arg-type]
    assert 3 <= len(clock.offers) <= 7


def test_kicks_fit_the_time_left_unless_kicks_are_limited() -> None:
    assert fitting(1000, math.inf, 100.0, 1.0) == 90
    assert fitting(1000, math.inf, 0.0, 1.0) == 1000
    assert fitting(1000, 300, 100.0, 1.0) == 300
    assert fitting(1000, math.inf, 100.0, 0.0) == 1
