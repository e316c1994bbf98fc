"""A population of local optima under edge assembly crossover (Nagata and Kobayashi 2013).

    incumbent := improve(start)
    until over:
        individuals   every thread improves a tour of its own: a new one, or one of the population
        crossover     each tour is parent A of one offspring and B of another, and its own offspring replaces it,
                      until generations gain next to nothing
        incumbent     all threads improve the shortest tour

Two local optima differ in many small exchanges, and mostly the better side of each can be taken: twenty tours half a
percent above the optimum, each elsewhere, give one a few hundredths of a percent above it. Whether the next individuals
are new tours or kicked members of the population is chosen by adaptive operator selection.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from warptour.engines.instance import Instance, Ints
from warptour.engines.windows.edge_assembly import TourPopulation
from warptour.engines.windows.partition_crossover import partition_crossover
from warptour.neighborhoods.tolerance import tolerance
from warptour.observe.progress import format_cost
from warptour.search.search import Search
from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget, TimedWorker, Worker, shares
from warptour.strategies.windows.individuals import Individual, Individuals, improve
from warptour.strategies.windows.operator_selection import Operator, OperatorSelection

INCUMBENT_EVALUATIONS: Final = 15, 4
"""Evaluations per city for the incumbent: before the first individuals, its repair included, and after crossover."""

MIN_BATCH: Final = 4
"""Minimum number of new tours between two crossovers."""

GROWTH: Final = 0.5
"""New tours per member of the population between two crossovers."""

MAX_TOURS: Final = 100
"""Maximum size of the population; further individuals replace the longest tours."""

MAX_CITIES: Final = 40_000_000
"""Maximum number of cities in all tours of the population together."""

WORTHWHILE: Final = 6
"""Minimum number of new tours that must fit into the time left to start a population."""

TIME_SHARE: Final = 0.8
"""Share of the time left that individuals may take, since crossover needs time too."""

MIN_YIELD: Final = 0.002
"""Crossover ends after two generations that gained at most this share of what all generations gained."""

REPAIR_EVALUATIONS: Final = 4
"""Evaluations per city to repair a new tour, about,"""

KICK_EVALUATIONS: Final = 45
"""and per kick: to predict how long an individual takes before there was one."""


class Incumbent(Worker, Protocol):
    """The worker that improves the shortest tour."""

    advances: int
    """Steps so far."""

    @property
    def host_evaluations(self) -> int:
        """Evaluations and kicks of the host's threads, without those of a device."""

    @property
    def locally_optimal(self) -> bool:
        """Whether the first tour has been repaired."""


class Job(NamedTuple):
    """An individual to be made: whether from a new tour, and the member it replaces; None adds it."""

    new: bool
    place: int | None


class EdgeAssembly(TimedWorker):
    """An incumbent, and a population whose individuals get ``effort`` kicks per city each.

    With a limit on kicks alone no clock decides anything. With a time limit, individuals that would not be finished in
    time are not started.
    """

    def __init__(
        self,
        instance: Instance,
        incumbent: Incumbent,
        individuals: Individuals,
        pool: ThreadPool,
        *,
        seed: int,
        effort: float,
        note: Callable[[str], object] | None = None,
    ) -> None:
        self.instance = instance
        self.incumbent = incumbent
        self.individuals = individuals
        self.pool = pool
        self.effort = effort
        most = min(MAX_TOURS, MAX_CITIES // instance.nodes)
        self.population = TourPopulation(instance, seed=seed, most=most, workspaces=pool.threads)
        self.operators = OperatorSelection()
        self._note = note
        self._made = self._kicks = self._evaluations = self._evaluations_before = 0
        self._first_length = instance.length(incumbent.best())
        self._tolerance = tolerance(instance.problem).of(self._first_length)
        self._incumbent_goal = INCUMBENT_EVALUATIONS[0] * instance.nodes
        self._generations, self._crossed = 0, 0.0
        """Generations so far, and what their tours were shorter by than the incumbent."""
        self._operator: Operator = "new"
        self._plan: list[Job] = []

    @property
    def iterations(self) -> int:
        """Kicks so far."""
        return self.incumbent.iterations + self._kicks

    @property
    def evaluations(self) -> int:
        """Cities evaluated so far."""
        return self.incumbent.evaluations + self._evaluations

    @property
    def gain(self) -> float:
        """Length of the first tour less that of :meth:`best`."""
        return self.incumbent.gain + self._ahead

    @property
    def _ahead(self) -> float:
        """Length of the incumbent less that of the shortest tour of the population; 0 if that is not shorter."""
        shortest = min(self.population.lengths, default=math.inf)
        ahead = self._first_length - self.incumbent.gain - float(shortest)
        return ahead if ahead > self._tolerance else 0.0

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain`` than :meth:`best`."""
        self.incumbent.adopt(tour, self._ahead + gain)

    def welcome(self, tour: Ints, gain: float) -> None:
        """Cross the incumbent with a tour of another search, which joins the population if there is one."""
        if not self.incumbent.locally_optimal:
            return
        mine = self.best()
        child, more = partition_crossover(self.instance, *((tour, mine) if gain > 0 else (mine, tour)))
        if gain > 0 or more > 0:
            self.adopt(child, max(gain, 0.0) + more)
        population = self.population
        length = self.instance.length(tour)
        if not len(population) or (abs(population.lengths - length) <= self._tolerance).any():
            return
        if len(population) < population.most:
            population.add(tour)
        elif length < population.lengths.max():
            population.put(int(population.lengths.argmax()), tour)

    def step(self, budget: Budget) -> None:
        """Improve the incumbent, or make an individual on each thread, with crossover after the last of a plan."""
        if not self._plan:
            self._operator = self.operators.next(len(self.population))
            in_time = self._individuals_in_time(budget)
            wanted = 1 if len(self.population) else WORTHWHILE
            if self.incumbent.host_evaluations < self._incumbent_goal or in_time < wanted:
                self._improve_incumbent(budget)
                return
            self._prepare(in_time)
        self._make_individuals(budget)
        if not self._plan or self._individuals_in_time(budget) < 1:
            self._plan = []
            self._crossover(budget.over)

    def best(self) -> Ints:
        """Return the shortest tour."""
        if self._ahead > 0:
            shortest: Ints = self.population.tours[self.population.best]
            return shortest
        return self.incumbent.best()

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what rounds of the incumbent and generations of the population have gained."""
        search.step("round", self.incumbent.advances, gain=self.incumbent.gain - self._crossed)
        if self._generations:
            lengths = self.population.lengths
            facts = {"tours": len(lengths), "shortest": float(lengths.min()), "mean": float(lengths.mean())}
            search.step("generation", self._generations, gain=self._crossed, **facts)

    def _individuals_in_time(self, budget: Budget) -> float:
        """Return how many individuals of the selected operator can be made in the time left."""
        seconds, left = self.operators.seconds(self._operator), budget.seconds_left()
        if math.isinf(left) or not seconds:
            return math.inf
        return TIME_SHARE * left // seconds * self.pool.threads

    def _improve_incumbent(self, budget: Budget) -> None:
        incumbent, began = self.incumbent, time.perf_counter()
        kicks, evaluations = incumbent.iterations, incumbent.host_evaluations
        incumbent.advance(budget)
        evaluated = incumbent.host_evaluations - evaluations
        if evaluated and incumbent.iterations > kicks and not len(self.population):
            seconds = (time.perf_counter() - began) * self.pool.threads / evaluated
            expected = (REPAIR_EVALUATIONS + KICK_EVALUATIONS * self.effort) * self.instance.nodes
            self.operators.took("new", seconds * expected)

    def _prepare(self, most: float) -> None:
        """Plan the next individuals, at most ``most``."""
        population, threads = self.population, self.pool.threads
        if len(population):
            population.put(population.best, self.incumbent.best())
        else:
            population.add(self.incumbent.best())
        self._evaluations_before = self._evaluations
        if self._operator == "kick":
            plan = [Job(False, place) for place in range(len(population))]
        else:
            batches = math.ceil(max(MIN_BATCH, GROWTH * len(population)) / threads)
            more = population.most - len(population)
            longest = np.argsort(population.lengths, kind="stable")[:0:-1].tolist()  # all but the shortest
            plan = [Job(True, place) for place in [None] * more + longest][: batches * threads]
        self._plan = plan[: int(most)] if most < len(plan) else plan

    def _make_individuals(self, budget: Budget) -> None:
        """Improve an individual on each thread; those that are finished join the population."""
        began, threads = time.perf_counter(), self.pool.threads
        jobs, self._plan = self._plan[:threads], self._plan[threads:]
        goals = shares(budget.iterations, max(1, int(self.effort * self.instance.nodes)), len(jobs))
        made: list[Individual | None] = [None] * len(jobs)

        def search(which: int, halted: Poll) -> None:
            job = jobs[which]
            parent = None if job.new or job.place is None else self.population.tours[job.place]
            made[which] = individual = self.individuals.make(self._made + which, parent)
            improve(individual, Budget(goals[which], halted, budget.seconds_left))

        self.pool.work(search, range(len(jobs)), budget.over)
        took = time.perf_counter() - began
        self._made += len(jobs)
        for job, individual, goal in zip(jobs, made, goals, strict=True):
            if individual is None:
                continue
            self._kicks += individual.iterations
            self._evaluations += individual.evaluations
            if individual.iterations < goal or not goal:
                continue
            self.operators.took(self._operator, took)
            if job.place is None:
                self.population.add(individual.best())
            else:
                self.population.put(job.place, individual.best())

    def _crossover(self, poll: Poll) -> None:
        """Cross generations until they gain next to nothing; then the incumbent adopts the shortest tour."""
        total, last = 0.0, math.inf
        while not poll():
            gain = self._generation(poll)
            if gain is None:
                break
            total += gain
            if max(gain, last) <= MIN_YIELD * total:
                break
            last = gain
        self._adopt_best()

    def _generation(self, poll: Poll) -> float | None:
        """Replace all tours by their offspring; return the gain, or None if time ran out."""
        population = self.population
        done = []

        def cross(place: int, halted: Poll) -> None:
            population.cross(place)
            done.append(place)

        population.draw_parents()
        self.pool.work(cross, range(len(population)), poll)
        self._generations += 1
        return population.replace_parents() if len(done) == len(population) else None

    def _adopt_best(self) -> None:
        """Let the incumbent adopt the shortest tour, and credit the operator that found it.

        It adopts its own tour where that is the shortest: individuals may have used its device meanwhile.
        """
        gain = self._ahead
        self._crossed += gain
        self.incumbent.adopt(self.best(), gain)
        self.operators.reward(self._operator, gain, self._evaluations - self._evaluations_before)
        self._incumbent_goal = self.incumbent.host_evaluations + INCUMBENT_EVALUATIONS[1] * self.instance.nodes
        if self._note is not None:
            self._note(f"{len(self.population)} tours gained {format_cost(gain)}")
