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

from warptour.engines.instance import Instance, Ints
from warptour.engines.windows.edge_assembly import TourPopulation
from warptour.neighborhoods.tolerance import tolerance
from warptour.observe.progress import format_cost
from warptour.search.team import Team, shares
from warptour.search.threads import Poll, ThreadPool
from warptour.strategies.windows.operator_selection import Kind, OperatorSelection

POLISH: Final = 15, 4
"""Looks per city at the best tour: before the first trials, repair included, and after breeding."""

FIRST: Final = 4
"""Least new tours before the population breeds."""

GROWTH: Final = 0.5
"""Its share of new tours from then on."""

MOST: Final = 100
"""Tours at most; further ones take the places of the longest."""

MAX_CITIES: Final = 40_000_000
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


class TourIndividual(Protocol):
    """A tour that one thread searches."""

    @property
    def tour(self) -> Ints:
        """The tour."""

    @property
    def kicks(self) -> int:
        """Kicks so far."""

    @property
    def evaluations(self) -> int:
        """Cities looked at so far."""

    def run(self, kicks: int, halted: Poll) -> None:
        """Repair what is dirty, then kick so many times in all."""


class Incumbent(Team, Protocol):
    """Those who polish the best tour."""

    @property
    def tour(self) -> Ints:
        """The best tour, as the terrain numbers cities."""

    @property
    def host_evaluations(self) -> int:
        """Cities that the threads of the crew looked at and kicks that they made, without those of another device."""

    def follow(self, tour: Ints, gain: float) -> None:
        """Go on with another tour, shorter by ``gain``."""


class Job(NamedTuple):
    """A trial to be made: whether from a new tour, and whose place it takes; None if it is added."""

    new: bool
    place: int | None


class EdgeAssembly:
    """The leader polishes the start; then threads make trials of ``effort`` kicks per city, and their tours breed.

    With a limit on kicks alone the tour depends on no clock. With one on time, trials that would not end in it are left
    out.
    """

    def __init__(
        self,
        instance: Instance,
        incumbent: Incumbent,
        pool: ThreadPool,
        *,
        seed: int,
        effort: float,
        individual: Callable[[int, Ints | None], TourIndividual],
        seconds_left: Callable[[], float],
        note: Callable[[str], object] | None = None,
    ) -> None:
        self.instance = instance
        self.incumbent = incumbent
        self.pool = pool
        self.effort = effort
        most = min(MOST, MAX_CITIES // instance.nodes)
        self.population = TourPopulation(instance, seed=seed, most=most, workspaces=pool.threads)
        self.operators = OperatorSelection()
        self._individual = individual
        self._seconds_left = seconds_left
        self._note = note
        self._individuals = self._kicks = self._evaluations = self._evaluations_before = 0
        self._first_length = instance.length(incumbent.tour)
        self._polished = POLISH[0] * instance.nodes
        self._kind: Kind = "new"
        self._plan: list[Job] = []

    @property
    def kicks(self) -> int:
        """Kicks so far."""
        return self.incumbent.kicks + self._kicks

    @property
    def evaluations(self) -> int:
        """Cities looked at so far."""
        return self.incumbent.evaluations + self._evaluations

    @property
    def gain(self) -> float:
        """By how much the tour is shorter than the first one."""
        return self.incumbent.gain + self._ahead

    @property
    def _ahead(self) -> float:
        """By how much the population's best tour is shorter than the leader's."""
        shortest = min(self.population.lengths, default=math.inf)
        ahead = self._first_length - self.incumbent.gain - float(shortest)
        return ahead if ahead > tolerance(self.instance.problem).of(self._first_length) else 0.0

    def advance(self, kicks_left: float, poll: Poll) -> None:
        """Let the leader polish for a while, or every thread make a trial, after the last of them with breeding."""
        if not self._plan:
            self._kind = self.operators.next(len(self.population))
            in_time = self._individuals_in_time()
            least = 1 if len(self.population) else WORTHWHILE
            if self.incumbent.host_evaluations < self._polished or in_time < least:
                self._polish(kicks_left, poll)
                return
            self._prepare(in_time)
        self._search_individuals(kicks_left, poll)
        if not self._plan or self._individuals_in_time() < 1:
            self._plan = []
            self._crossover(poll)

    def _individuals_in_time(self) -> float:
        """Return how many trials of the kind that is next can be made in the time left."""
        seconds, left = self.operators.seconds(self._kind), self._seconds_left()
        if math.isinf(left) or not seconds:
            return math.inf
        return SPARED * left // seconds * self.pool.threads

    def _polish(self, kicks_left: float, poll: Poll) -> None:
        began, kicks, evaluations = time.perf_counter(), self.incumbent.kicks, self.incumbent.host_evaluations
        self.incumbent.advance(kicks_left, poll)
        evaluated = self.incumbent.host_evaluations - evaluations
        if evaluated and self.incumbent.kicks > kicks and not len(self.population):
            per_evaluation = (time.perf_counter() - began) * self.pool.threads / evaluated
            self.operators.took("new", per_evaluation * (REPAIR + KICK * self.effort) * self.instance.nodes)

    def _prepare(self, most: float) -> None:
        """Plan the next trials, no more than ``most``."""
        population, threads = self.population, self.pool.threads
        if len(population):
            population.put(population.best, self.incumbent.tour)
        else:
            population.add(self.incumbent.tour)
        self._evaluations_before = self._evaluations
        if self._kind == "old":
            plan = [Job(False, place) for place in range(len(population))]
        else:
            batches = math.ceil(max(FIRST, GROWTH * len(population)) / threads)
            more = population.most - len(population)
            longest = np.argsort(population.lengths, kind="stable")[::-1].tolist()
            plan = [Job(True, place) for place in [None] * more + longest][: batches * threads]
        self._plan = plan[: int(most)] if most < len(plan) else plan

    def _search_individuals(self, kicks_left: float, poll: Poll) -> None:
        """Make a trial on each thread; their tours join the population."""
        began, threads = time.perf_counter(), self.pool.threads
        jobs, self._plan = self._plan[:threads], self._plan[threads:]
        goals = shares(kicks_left, max(1, int(self.effort * self.instance.nodes)), len(jobs))
        individuals: list[TourIndividual | None] = [None] * len(jobs)

        def search(which: int, halted: Poll) -> None:
            job = jobs[which]
            old = None if job.new or job.place is None else self.population.tours[job.place]
            individuals[which] = individual = self._individual(self._individuals + which, old)
            individual.run(goals[which], halted)

        self.pool.work(search, range(len(jobs)), poll)
        took = time.perf_counter() - began
        self._individuals += len(jobs)
        for job, individual, goal in zip(jobs, individuals, goals, strict=True):
            if individual is None:
                continue
            self._kicks += individual.kicks
            self._evaluations += individual.evaluations
            if individual.kicks < goal or not goal:
                continue
            self.operators.took(self._kind, took)
            if job.place is None:
                self.population.add(individual.tour)
            else:
                self.population.put(job.place, individual.tour)

    def _crossover(self, poll: Poll) -> None:
        """Breed until that wins next to nothing; then the leader goes on with the best tour."""
        won, last = 0.0, math.inf
        while not poll():
            won_by_generation = self._generation(poll)
            if won_by_generation is None:
                break
            won += won_by_generation
            if max(won_by_generation, last) <= BARREN * won:
                break
            last = won_by_generation
        self._hand_over()

    def _generation(self, poll: Poll) -> float | None:
        """Breed one generation; return what it won, or None if it was not finished."""
        population = self.population
        done = []

        def cross(place: int, halted: Poll) -> None:
            population.cross(place)
            done.append(place)

        population.draw_parents()
        self.pool.work(cross, range(len(population)), poll)
        return population.replace_parents() if len(done) == len(population) else None

    def _hand_over(self) -> None:
        """Give the leader the best tour to polish, and note what it took to find it."""
        gained, population = self._ahead, self.population
        if gained > 0:
            self.incumbent.follow(population.tours[population.best].copy(), gained)
        self.operators.enter(self._kind, gained, self._evaluations - self._evaluations_before)
        self._polished = self.incumbent.host_evaluations + POLISH[1] * self.instance.nodes
        if self._note is not None:
            self._note(f"{len(population)} tours gained {format_cost(gained)}")

    def best(self) -> Ints:
        """Return the best tour so far, as the problem numbers cities."""
        if self._ahead > 0:
            return self.instance.leave(self.population.tours[self.population.best])
        return self.incumbent.best()
