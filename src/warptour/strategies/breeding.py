"""Many tours, each a local optimum of its own, that take over from each other what is better.

    best := polish(start)
    until over:
        trial   every thread searches a while from a tour of its own: a new one, or one of the population
        breed   every tour takes over what is better in another, until none becomes shorter by that
        polish  all threads kick the best one

Two local optima differ in many small exchanges, and of most the better side can be had (engines/breed.py): twenty tours
half a percent above the shortest, each in other places, make one that is a few hundredths above it. New tours and kicks
at those of the population are tried in turns, and what wins more for its effort goes on.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final, Protocol

from warptour.engines.breed import Population
from warptour.engines.terrain import Ints, Terrain
from warptour.observe.progress import money
from warptour.strategies.team import Team, shares
from warptour.strategies.threads import Crew, Tend

POLISH: Final = 15, 4
"""Looks per city at the best tour: before the first trials, repair included, and after breeding."""

FIRST: Final = 4
"""Least new tours before the population breeds."""

GROWTH: Final = 0.5
"""Its share of new tours from then on."""

MATURE: Final = 15
"""Tours of a population that is worth kicking at."""

MOST: Final = 100
"""Tours at most; further ones take the place of the longest."""

MOST_CITIES: Final = 40_000_000
"""Cities of all tours at most."""

WORTHWHILE: Final = 6
"""Unless there is time for so many new tours, the best one is polished instead."""

SPARED: Final = 0.8
"""The share of the time left in which trials must fit, since their tours have to breed, too."""

BARREN: Final = 0.002
"""A generation that wins less than this share of what all before it won is the last but one."""

REPAIR: Final = 4
"""Looks per city to repair a new tour, about,"""

KICK: Final = 45
"""and looks to repair a kick: to guess how long a trial takes before one was made."""


class Trial(Protocol):
    """A tour that one thread searches."""

    @property
    def tour(self) -> Ints:
        """The tour."""

    @property
    def kicks(self) -> int:
        """Kicks so far."""

    @property
    def looks(self) -> int:
        """Cities looked at so far."""

    def search(self, kicks: int, halted: Tend) -> None:
        """Repair what is dirty, then kick so many times in all."""


class Leader(Team, Protocol):
    """Those who polish the best tour."""

    @property
    def tour(self) -> Ints:
        """The best tour, as the terrain numbers cities."""

    @property
    def crew_looks(self) -> int:
        """Cities that the threads of the crew looked at, without those that another device did."""

    def follow(self, tour: Ints, gain: float) -> None:
        """Go on with another tour, shorter by ``gain``."""


class Breeding:
    """The leader polishes the start; then threads make trials of ``effort`` kicks per city, and their tours breed.

    With a limit on kicks the tour depends on no clock. With one on time, trials that would not end in it are left out.
    """

    def __init__(
        self,
        terrain: Terrain,
        leader: Leader,
        crew: Crew,
        *,
        seed: int,
        effort: float,
        trial: Callable[[int, Ints | None], Trial],
        seconds_left: Callable[[], float],
        note: Callable[[str], object] | None = None,
    ) -> None:
        self.terrain = terrain
        self.leader = leader
        self.crew = crew
        self.effort = effort
        self.population = Population(terrain, seed=seed, rooms=crew.threads)
        self._trial = trial
        self._seconds_left = seconds_left
        self._note = note
        self._trials = self._kicks = self._looks = 0
        self._first_length = math.inf
        self._polished = POLISH[0] * terrain.nodes
        self._plan: list[int | None] = []
        self._ahead = 0.0
        self._kind = "new"
        self._spent = 0
        self._rates = {"new": math.inf, "old": math.inf}
        self._seconds = {"new": 0.0, "old": 0.0}

    @property
    def kicks(self) -> int:
        """Kicks so far."""
        return self.leader.kicks + self._kicks

    @property
    def looks(self) -> int:
        """Cities looked at so far."""
        return self.leader.looks + self._looks

    @property
    def gain(self) -> float:
        """By how much the tour is shorter than the first one."""
        return self.leader.gain + self._ahead

    def advance(self, kicks_left: float, tend: Tend) -> None:
        """Let the leader polish for a while, or every thread make a trial, after the last of them with breeding."""
        if not self._plan and self._polishing():
            self._polish(kicks_left, tend)
            return
        if not self._plan:
            self._prepare()
        self._try(kicks_left, tend)
        if not self._plan:
            self._breed(tend)

    def _polishing(self) -> bool:
        """Whether it is the leader's turn, or no time for anything else."""
        least = 1 if len(self.population) else WORTHWHILE
        return self.leader.crew_looks < self._polished or self._trials_in_time() < least

    def _trials_in_time(self) -> float:
        """Return how many trials of the kind that is next can be made in the time left."""
        seconds = self._seconds[self._next_kind()] or max(self._seconds.values())
        left = self._seconds_left()
        if math.isinf(left) or not seconds:
            return math.inf
        return SPARED * left // seconds * self.crew.threads

    def _next_kind(self) -> str:
        mature = len(self.population) >= MATURE
        return "old" if mature and self._rates["old"] >= self._rates["new"] else "new"

    def _polish(self, kicks_left: float, tend: Tend) -> None:
        began, before, kicks = time.perf_counter(), self.leader.crew_looks, self.leader.kicks
        self.leader.advance(kicks_left, tend)
        looks = self.leader.crew_looks - before
        if looks and self.leader.kicks > kicks and not len(self.population):
            a_look = (time.perf_counter() - began) * self.crew.threads / looks
            self._seconds["new"] = a_look * (REPAIR + KICK * self.effort) * self.terrain.nodes

    def _prepare(self) -> None:
        """Plan the next trials: from new tours, None in the plan, or from those of the population."""
        population, threads = self.population, self.crew.threads
        if len(population):
            population.put(population.best, self.leader.tour)
        else:
            population.add(self.leader.tour)
            self._first_length = float(population.lengths[0]) + self.leader.gain
        self._kind, self._spent = self._next_kind(), self._looks
        if self._kind == "old":
            self._plan = list(range(len(population)))
        else:
            batches = math.ceil(max(FIRST, GROWTH * len(population)) / threads)
            self._plan = [None] * (batches * threads)
        in_time = self._trials_in_time()
        if in_time < len(self._plan):
            self._plan = self._plan[: int(in_time)]

    def _try(self, kicks_left: float, tend: Tend) -> None:
        """Make a trial on each thread; their tours join the population."""
        began, threads = time.perf_counter(), self.crew.threads
        numbers, self._plan = self._plan[:threads], self._plan[threads:]
        goals = shares(kicks_left, max(1, int(self.effort * self.terrain.nodes)), len(numbers))
        trials: list[Trial | None] = [None] * len(numbers)

        def search(which: int, halted: Tend) -> None:
            number = numbers[which]
            old = None if number is None else self.population.tours[number]
            trials[which] = trial = self._trial(self._trials + which, old)
            trial.search(goals[which], halted)

        self.crew.work(search, range(len(numbers)), tend)
        self._trials += len(numbers)
        for number, trial, goal in zip(numbers, trials, goals, strict=True):
            if trial is not None:
                self._kicks += trial.kicks
                self._looks += trial.looks
                if trial.kicks >= goal:
                    self._join(number, trial.tour)
        self._look_ahead()
        self._seconds[self._kind] = time.perf_counter() - began

    def _join(self, number: int | None, tour: Ints) -> None:
        population = self.population
        if number is None and len(population) < min(MOST, MOST_CITIES // self.terrain.nodes):
            population.add(tour)
        else:
            population.put(int(population.lengths.argmax()) if number is None else number, tour)

    def _breed(self, tend: Tend) -> None:
        """Breed until that wins next to nothing; then the leader goes on with the best tour."""
        won, last = 0.0, math.inf
        while not tend():
            children = self._children(tend)
            if children is None:
                break
            won += children
            self._look_ahead()
            if max(children, last) <= BARREN * won:
                break
            last = children
        gained, population = self._ahead, self.population
        if gained > 0:
            self.leader.follow(population.tours[population.best].copy(), gained)
            self._ahead = 0.0
        rate, before = gained / max(1, self._looks - self._spent), self._rates[self._kind]
        self._rates[self._kind] = rate if math.isinf(before) else (rate + before) / 2
        self._polished = self.leader.crew_looks + POLISH[1] * self.terrain.nodes
        if self._note is not None:
            self._note(f"{len(population)} tours gained {money(gained)}")

    def _children(self, tend: Tend) -> float | None:
        """Breed one generation; return what it won, or None if it was not finished."""
        population = self.population
        done = []

        def breed(place: int, halted: Tend) -> None:
            population.breed(place)
            done.append(place)

        population.mate()
        self.crew.work(breed, range(len(population)), tend)
        return population.succeed() if len(done) == len(population) else None

    def _look_ahead(self) -> None:
        """See by how much the population is ahead of the leader."""
        ahead = self._first_length - self.leader.gain - float(self.population.lengths.min())
        self._ahead = ahead if ahead > self.terrain.least else 0.0

    def best(self) -> Ints:
        """Return the best tour so far, as the problem numbers cities."""
        if self._ahead > 0:
            return self.terrain.leave(self.population.tours[self.population.best])
        return self.leader.best()
