"""A search follows a worker: it reports tours now and then, and the last one on time."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from warptour.search.exchange import Alone, Exchange
from warptour.search.worker import Budget, fitting, follow


@dataclass
class Clock:
    """A search whose time passes with the steps of the worker and its reports."""

    limit: float
    offer_takes: float
    seconds: float = 0.0
    best: Any = "a tour"
    offers: list[float] = field(default_factory=list)
    exchange: Exchange = field(default_factory=Alone)

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
    """A worker that gains a little every half second."""

    clock: Clock
    iterations: int = 0
    evaluations: int = 0
    gain: float = 0.0

    def advance(self, budget: Budget) -> None:
        self.clock.seconds += 0.5
        self.gain += 1.0

    def best(self) -> np.ndarray:
        return np.arange(3, dtype=np.int32)


@pytest.mark.parametrize("takes", [0.0, 0.25, 2.0])
def test_the_last_tour_is_reported_on_time_however_long_that_takes(takes: float) -> None:
    clock = Clock(limit=100.0, offer_takes=takes)
    follow(clock, Steady(clock), lambda tour: tour)  # type: ignore[arg-type]
    assert 100.0 - takes - 0.5 <= clock.seconds <= 100.5
    assert clock.offers[-1] == clock.seconds


def test_reports_take_a_small_share_of_the_time() -> None:
    clock = Clock(limit=100.0, offer_takes=1.0)
    follow(clock, Steady(clock), lambda tour: tour)  # type: ignore[arg-type]
    assert 3 <= len(clock.offers) <= 7


def within(iterations: float, seconds: float) -> Budget:
    return Budget(iterations, seconds_left=lambda: seconds)


def test_iterations_fit_the_time_left_unless_they_are_limited() -> None:
    assert fitting(1000, within(math.inf, 1.0), 100.0) == 90
    assert fitting(1000, within(math.inf, 1.0), 0.0) == 1000
    assert fitting(1000, within(300, 1.0), 100.0) == 300
    assert fitting(1000, within(math.inf, 0.0), 100.0) == 1
