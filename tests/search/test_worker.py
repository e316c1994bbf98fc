"""A search follows a worker: it reports tours now and then, and the last one on time."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from warptour.search.exchange import Alone, Exchange
from warptour.search.worker import Budget, TimedWorker, fitting, follow


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

    def lacks(self, seconds: float) -> bool:
        return self.seconds_left() < seconds

    def over(self) -> bool:
        return self.seconds >= self.limit

    def iterations_left(self) -> float:
        return math.inf

    def count(self, iterations: int, moves: int) -> None:
        pass

    def searched(self, tour: Any) -> Any:
        return tour

    def searched_cost(self, tour: Any) -> float:
        return 20.0

    def exact_cost(self, tour: Any) -> float:
        return float(tour[0])

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

    def tell(self, search: Any) -> None:
        pass


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


@dataclass
class Post:
    """Solutions that come after some steps."""

    after: int
    solutions: list[Any]
    asked: int = 0

    def due(self) -> bool:
        self.asked += 1
        return self.asked > self.after and bool(self.solutions)

    def take(self) -> list[Any]:
        taken, self.solutions = self.solutions, []
        return taken


@dataclass
class Host(Steady):
    """A worker that keeps what it is given."""

    guests: list[tuple[Any, float]] = field(default_factory=list)

    def welcome(self, tour: Any, gain: float) -> None:
        self.guests.append((tour, gain))


def test_solutions_of_other_searches_are_handed_over_with_their_gain() -> None:
    clock = Clock(limit=10.0, offer_takes=0.0, exchange=Post(3, [np.array([5]), np.array([50])]))
    worker = Host(clock)
    follow(clock, worker, lambda tour: tour, lambda tour: -tour)  # type: ignore[arg-type]
    assert [(int(tour[0]), gain) for tour, gain in worker.guests] == [(-5, 15), (-50, -30)]


def test_without_a_way_in_solutions_of_other_searches_are_left_alone() -> None:
    post = Post(0, [np.array([5])])
    clock = Clock(limit=3.0, offer_takes=0.0, exchange=post)
    follow(clock, Host(clock), lambda tour: tour)  # type: ignore[arg-type]
    assert len(post.solutions) == 1


class Chain(TimedWorker):
    """A worker that only adopts."""

    iterations = 0
    adopted = 0.0

    def adopt(self, tour: Any, gain: float) -> None:
        self.adopted += gain

    def step(self, budget: Budget) -> None:
        self.iterations += 1


def test_a_chain_goes_on_from_a_better_solution_once_its_own_is_locally_optimal() -> None:
    chain, tour = Chain(), np.arange(3, dtype=np.int32)
    chain.welcome(tour, 5.0)
    assert chain.adopted == 0
    chain.advance(Budget())
    chain.welcome(tour, -1.0)
    chain.welcome(tour, 5.0)
    assert chain.adopted == 5.0


def within(iterations: float, seconds: float) -> Budget:
    return Budget(iterations, seconds_left=lambda: seconds)


def test_iterations_fit_the_time_left_unless_they_are_limited() -> None:
    assert fitting(1000, within(math.inf, 1.0), 100.0) == 90
    assert fitting(1000, within(math.inf, 1.0), 0.0) == 1000
    assert fitting(1000, within(300, 1.0), 100.0) == 300
    assert fitting(1000, within(math.inf, 0.0), 100.0) == 1
