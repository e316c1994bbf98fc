"""Many tours, each a local optimum of its own, that take over from each other what is better.

    best := polish(start)
    until over:
        trial   every thread searches a while from a tour of its own: a new one, or one of the population
        breed   every tour takes over what is better in another, until none becomes shorter by that
        polish  all threads kick the best one

Two local optima differ in many small exchanges, and of most the better side can be had: twenty tours
half a percent above the shortest, each in other places, make one that is a few hundredths above it. New tours and kicks
at those of the population are tried in turns, and what wins more for its effort goes on.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

import numpy as np

from warptour.engines.instance import Ints, Terrain
from warptour.engines.windows.edge_assembly import TourPopulation
from warptour.neighborhoods.tolerance import tolerance
from warptour.observe.progress import money
from warptour.search.team import Team, shares
from warptour.search.threads import Crew, Tend
from warptour.strategies.windows.operator_selection import Kind, Turns

POLISH: Final = 15, 4
"""Looks per city at the best tour: before the first trials, repair included, and after breeding."""

FIRST: Final = 4
"""Least new tours before the population breeds."""

GROWTH: Final = 0.5
"""Its share of new tours from then on."""

MOST: Final = 100
"""Tours at most; further ones take the places of the longest."""

MOST_CITIES: Final = 40_000_000
"""Cities of all tours at most."""

WORTHWHILE: Final = 6
"""Unless there is time for so many new tours, the best one is polished instead."""

SPARED: Final = 0.8
"""The share of the time left in which trials must fit, since their tours have to breed, too."""

BARREN: Final = 0.002
"""Breeding ends after two generations that won no more than this share of what all of them did."""

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

    def run(self, kicks: int, halted: Tend) -> None:
        """Repair what is dirty, then kick so many times in all."""


class Leader(Team, Protocol):
    """Those who polish the best tour."""

    @property
    def tour(self) -> Ints:
        """The best tour, as the terrain numbers cities."""

    @property
    def crew_looks(self) -> int:
        """Cities that the threads of the crew looked at and kicks that they made, without those of another device."""

    def follow(self, tour: Ints, gain: float) -> None:
        """Go on with another tour, shorter by ``gain``."""


class Job(NamedTuple):
    """A trial to be made: whether from a new tour, and whose place it takes; None if it is added."""

    new: bool
    place: int | None


class Breeding:
    """The leader polishes the start; then threads make trials of ``effort`` kicks per city, and their tours breed.

    With a limit on kicks alone the tour depends on no clock. With one on time, trials that would not end in it are left
    out.
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
        most = min(MOST, MOST_CITIES // terrain.nodes)
        self.population = TourPopulation(terrain, seed=seed, most=most, rooms=crew.threads)
        self.turns = Turns()
        self._trial = trial
        self._seconds_left = seconds_left
        self._note = note
        self._trials = self._kicks = self._looks = self._looks_before = 0
        self._first_length = terrain.length(leader.tour)
        self._polished = POLISH[0] * terrain.nodes
        self._kind: Kind = "new"
        self._plan: list[Job] = []

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

    @property
    def _ahead(self) -> float:
        """By how much the population's best tour is shorter than the leader's."""
        shortest = min(self.population.lengths, default=math.inf)
        ahead = self._first_length - self.leader.gain - float(shortest)
        return ahead if ahead > tolerance(self.terrain.problem).of(self._first_length) else 0.0

    def advance(self, kicks_left: float, tend: Tend) -> None:
        """Let the leader polish for a while, or every thread make a trial, after the last of them with breeding."""
        if not self._plan:
            self._kind = self.turns.next(len(self.population))
            in_time = self._trials_in_time()
            least = 1 if len(self.population) else WORTHWHILE
            if self.leader.crew_looks < self._polished or in_time < least:
                self._polish(kicks_left, tend)
                return
            self._prepare(in_time)
        self._try(kicks_left, tend)
        if not self._plan or self._trials_in_time() < 1:
            self._plan = []
            self._breed(tend)

    def _trials_in_time(self) -> float:
        """Return how many trials of the kind that is next can be made in the time left."""
        seconds, left = self.turns.seconds(self._kind), self._seconds_left()
        if math.isinf(left) or not seconds:
            return math.inf
        return SPARED * left // seconds * self.crew.threads

    def _polish(self, kicks_left: float, tend: Tend) -> None:
        began, kicks, looks = time.perf_counter(), self.leader.kicks, self.leader.crew_looks
        self.leader.advance(kicks_left, tend)
        looked = self.leader.crew_looks - looks
        if looked and self.leader.kicks > kicks and not len(self.population):
            a_look = (time.perf_counter() - began) * self.crew.threads / looked
            self.turns.took("new", a_look * (REPAIR + KICK * self.effort) * self.terrain.nodes)

    def _prepare(self, most: float) -> None:
        """Plan the next trials, no more than ``most``."""
        population, threads = self.population, self.crew.threads
        if len(population):
            population.put(population.best, self.leader.tour)
        else:
            population.add(self.leader.tour)
        self._looks_before = self._looks
        if self._kind == "old":
            plan = [Job(False, place) for place in range(len(population))]
        else:
            batches = math.ceil(max(FIRST, GROWTH * len(population)) / threads)
            more = population.most - len(population)
            longest = np.argsort(population.lengths, kind="stable")[::-1].tolist()
            plan = [Job(True, place) for place in [None] * more + longest][: batches * threads]
        self._plan = plan[: int(most)] if most < len(plan) else plan

    def _try(self, kicks_left: float, tend: Tend) -> None:
        """Make a trial on each thread; their tours join the population."""
        began, threads = time.perf_counter(), self.crew.threads
        jobs, self._plan = self._plan[:threads], self._plan[threads:]
        goals = shares(kicks_left, max(1, int(self.effort * self.terrain.nodes)), len(jobs))
        trials: list[Trial | None] = [None] * len(jobs)

        def search(which: int, halted: Tend) -> None:
            job = jobs[which]
            old = None if job.new or job.place is None else self.population.tours[job.place]
            trials[which] = trial = self._trial(self._trials + which, old)
            trial.run(goals[which], halted)

        self.crew.work(search, range(len(jobs)), tend)
        took = time.perf_counter() - began
        self._trials += len(jobs)
        for job, trial, goal in zip(jobs, trials, goals, strict=True):
            if trial is None:
                continue
            self._kicks += trial.kicks
            self._looks += trial.looks
            if trial.kicks < goal or not goal:
                continue
            self.turns.took(self._kind, took)
            if job.place is None:
                self.population.add(trial.tour)
            else:
                self.population.put(job.place, trial.tour)

    def _breed(self, tend: Tend) -> None:
        """Breed until that wins next to nothing; then the leader goes on with the best tour."""
        won, last = 0.0, math.inf
        while not tend():
            children = self._children(tend)
            if children is None:
                break
            won += children
            if max(children, last) <= BARREN * won:
                break
            last = children
        self._hand_over()

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

    def _hand_over(self) -> None:
        """Give the leader the best tour to polish, and note what it took to find it."""
        gained, population = self._ahead, self.population
        if gained > 0:
            self.leader.follow(population.tours[population.best].copy(), gained)
        self.turns.enter(self._kind, gained, self._looks - self._looks_before)
        self._polished = self.leader.crew_looks + POLISH[1] * self.terrain.nodes
        if self._note is not None:
            self._note(f"{len(population)} tours gained {money(gained)}")

    def best(self) -> Ints:
        """Return the best tour so far, as the problem numbers cities."""
        if self._ahead > 0:
            return self.terrain.leave(self.population.tours[self.population.best])
        return self.leader.best()
