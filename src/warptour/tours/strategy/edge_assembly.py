"""A population of local optima under edge assembly crossover (Nagata and Kobayashi 2013).

    incumbent := improve(start)
    until over:
        individuals   every thread makes local optima from new tours (individuals.py), until there are twice as many
                      as before (population_plan.py)
        crossover     in a copy of them all, each tour is parent A of one offspring and B of another, and its own
                      offspring replaces it (generations.py), until the shortest no longer improves; then with the
                      best of before
        incumbent     all threads improve the shortest tour

Two local optima differ in many small exchanges, and mostly the better side of each can be taken: a hundred tours one
percent above the optimum, each elsewhere, give one a few thousandths of a percent above it. Offspring take over only
what gains most per loss of diversity, so that the population does not agree on a tour too soon. The local optima
themselves are kept, and the next, larger population begins with them.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from warptour.neighborhoods.tolerance import tolerance
from warptour.observe.progress import format_cost
from warptour.search.search import Search
from warptour.search.threads import Poll, ThreadPool
from warptour.search.worker import Budget, TimedWorker, shares
from warptour.tours.engine.edge_assembly import TourPopulation
from warptour.tours.engine.instance import Ints
from warptour.tours.engine.partition_crossover import partition_crossover
from warptour.tours.strategy.generations import cross_greedily, cross_selectively
from warptour.tours.strategy.incumbent import Incumbent
from warptour.tours.strategy.individuals import Individual, Individuals, improve
from warptour.tours.strategy.population_plan import PopulationPlan

INCUMBENT_EVALUATIONS: Final = 5, 4
"""Evaluations per city for the incumbent: before the first individuals, its repair included, and after crossover."""

MAX_TOURS: Final = 1000
"""Maximum size of a population; then another begins."""

MAX_CITIES: Final = 30_000_000
"""Maximum number of cities in all tours of a population together."""

SELECTIVE: Final = 30
"""Smallest population whose offspring select exchanges, quick individuals only if it is the last; the incumbent is a
member of others from the start."""

MAX_ELITE: Final = 8
"""Tours of earlier populations and other searches that join at the end of crossover."""


class Helper(Protocol):
    """Makes further individuals meanwhile, elsewhere."""

    def collect(self, wanted: int) -> list[Ints]:
        """Return those finished since the last call, and let others be made if any are ``wanted``."""


class EdgeAssembly(TimedWorker):
    """An incumbent, and a population whose individuals get ``effort`` kicks per city each.

    With a limit on kicks alone no clock decides anything. With a time limit, individuals that would not be finished in
    time are not started, and a ``helper`` may make some of those that are planned.
    """

    def __init__(
        self,
        incumbent: Incumbent,
        individuals: Individuals,
        pool: ThreadPool,
        *,
        seed: int,
        effort: float,
        optima: Sequence[Ints] = (),
        note: Callable[[str], object] | None = None,
        helper: Helper | None = None,
    ) -> None:
        self.instance = instance = incumbent.instance
        self.incumbent = incumbent
        self.individuals = individuals
        self.pool = pool
        most = min(MAX_TOURS, MAX_CITIES // instance.nodes)
        self.population = TourPopulation(instance, seed=seed, most=most, workspaces=pool.threads)
        self.plan = PopulationPlan(instance, effort=effort, most=most, threads=pool.threads)
        self.optima = list(optima[:most])
        """Individuals as local search left them."""
        self._note = note
        self._helper = helper
        self._spare: list[Ints] = []
        """What it made for later."""
        self._made, self._kicks, self._evaluations = len(optima), 0, 0
        self._first_length = instance.length(incumbent.best())
        self._tolerance = tolerance(instance.problem).of(self._first_length)
        self._incumbent_goal = INCUMBENT_EVALUATIONS[0] * instance.nodes
        self._crossed = 0.0
        """What tours of the population were shorter by than the incumbent, in all."""
        self._planned, self._quick = 0, False
        """Individuals to make before the next crossover, and whether they are quick."""
        self._elite: deque[Ints] = deque(maxlen=MAX_ELITE)
        self._told = 0
        self._populations = 1

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
        shortest = float(self.population.lengths.min(initial=math.inf))
        ahead = self._first_length - self.incumbent.gain - shortest
        return ahead if ahead > self._tolerance else 0.0

    def adopt(self, tour: Ints, gain: float) -> None:
        """Continue from a local optimum, shorter by ``gain`` than :meth:`best`."""
        self.incumbent.adopt(tour, self._ahead + gain)

    def welcome(self, tour: Ints, gain: float) -> None:
        """Cross the incumbent with a tour of another search, which also joins the next population at its end."""
        if not self.incumbent.locally_optimal:
            return
        mine = self.best()
        child, more = partition_crossover(self.instance, *((tour, mine) if gain > 0 else (mine, tour)))
        if gain > 0 or more > 0:
            self.adopt(child, max(gain, 0.0) + more)
        self._elite.append(tour.copy())

    def step(self, budget: Budget) -> None:
        """Improve the incumbent, or make a batch of individuals, with crossover after the last of a plan."""
        if not self._planned:
            planned = self._plan(budget)
            if self.incumbent.host_evaluations < self._incumbent_goal or planned is None:
                self._improve_incumbent(budget)
                return
            self._planned = planned
            self._collect(budget)
        if self._planned:
            first = not self.optima
            self._make_individuals(budget)
            if first and self._planned:  # now it is known how long they take
                self._planned = max(self._planned, (self._plan(budget) or 0) - len(self.optima))
        if not self._planned or self.plan.fitting(len(self.optima), budget, quick=self._quick) < 1:
            self._planned = 0
            self._collect(budget)
            self._crossover(budget)

    def best(self) -> Ints:
        """Return the shortest tour."""
        if self._ahead > 0:
            shortest: Ints = self.population.tours[self.population.best]
            return shortest
        return self.incumbent.best()

    def tell(self, search: Search[Any]) -> None:
        """Tell listeners what rounds of the incumbent and generations of the population have gained."""
        search.step("round", self.incumbent.advances, gain=self.incumbent.gain - self._crossed)
        if self.population.generations:
            lengths = self.population.lengths
            facts = {"tours": len(lengths), "shortest": float(lengths.min()), "mean": float(lengths.mean())}
            search.step("generation", self.population.generations, gain=self._crossed, **facts)
        if len(self.optima) != self._told:
            optima, leave = self.optima, self.instance.leave
            self._told = len(optima)
            search.tell_population(self._populations, lambda first: [leave(tour) for tour in optima[first:]])

    def _plan(self, budget: Budget) -> int | None:
        """Return how many individuals to make before the next crossover, or None if there is no time for one.

        A population that is full is given up, and another begins.
        """
        if len(self.optima) >= self.population.most:
            self.optima = []
            self._populations += 1
        size = len(self.optima)
        self._quick = self.plan.quick(size, budget)
        return self.plan.further(size, budget, quick=self._quick)

    def _improve_incumbent(self, budget: Budget) -> None:
        """Let all threads improve the incumbent; before there is a population, measure how long evaluations take."""
        incumbent, began = self.incumbent, time.perf_counter()
        kicks, evaluations = incumbent.iterations, incumbent.host_evaluations
        incumbent.advance(budget)
        evaluated = incumbent.host_evaluations - evaluations
        if evaluated and incumbent.iterations > kicks and not len(self.population):
            self.plan.predict((time.perf_counter() - began) * self.pool.threads * self.instance.nodes / evaluated)

    def _make_individuals(self, budget: Budget) -> None:
        """Make a batch of individuals on each thread and keep those that are finished."""
        began, count = time.perf_counter(), min(self._planned, self.pool.threads * self.individuals.batch)
        self._planned -= count
        goals = shares(budget.iterations, 0 if self._quick else self.plan.kicks, count)
        made: list[Individual | None] = [None] * count

        def search(which: int, halted: Poll) -> None:
            made[which] = individual = self.individuals.make(self._made + which, quick=self._quick)
            improve(individual, Budget(goals[which], halted, budget.seconds_left))

        self.pool.work(search, range(count), budget.over)
        took = (time.perf_counter() - began) / math.ceil(count / self.pool.threads)
        self._made += count
        finished = 0
        for individual, goal in zip(made, goals, strict=True):
            if individual is None:
                continue
            self._kicks += individual.iterations
            self._evaluations += individual.evaluations
            if not budget.over() if self._quick else individual.iterations >= goal > 0:
                finished += 1
                self.optima.append(individual.best())
        if finished:
            self.plan.seconds[self._quick] = took * finished / (finished + self._collect(budget))

    def _collect(self, budget: Budget) -> int:
        """Add what the helper has made, as far as it can be crossed in time, and return the number."""
        if self._helper is None:
            return 0
        self._spare += self._helper.collect(self._planned)
        room = max(0, self.plan.crossable(budget) - len(self.optima))
        tours, self._spare = self._spare[:room], self._spare[room:]
        self.optima += tours
        self._planned = max(0, self._planned - len(tours))
        if tours and self._planned < self.pool.threads // 2 <= len(self.optima):  # not worth the time of a batch
            self._planned = 0
        return len(tours)

    def _crossover(self, budget: Budget) -> None:
        """Cross the individuals, and with them the best of before; the incumbent adopts the shortest tour."""
        if not self.optima:
            return
        began, population, former = time.perf_counter(), self.population, [self.incumbent.best(), *self._elite]
        population.fill(self.optima)
        if len(population) < SELECTIVE or (self._quick and self.plan.doubles(len(population), budget)):
            finished = self._join(former[:1], budget)
        elif finished := cross_selectively(population, self.pool, budget, self._tolerance):
            self._elite.append(population.tours[population.best].copy())
            finished = self._join(former, budget)
        if finished:
            self.plan.crossed(len(self.optima), time.perf_counter() - began)
        self._adopt_best()

    def _join(self, tours: Sequence[Ints], budget: Budget) -> bool:
        """Replace the longest members by ``tours`` and make all exchanges that gain; return False if time ran out."""
        population = self.population
        longest = population.lengths.argsort(kind="stable")[::-1].tolist()
        for place, tour in zip(longest, tours, strict=False):
            population.put(place, tour)
        return cross_greedily(population, self.pool, budget)

    def _adopt_best(self) -> None:
        """Let the incumbent adopt the shortest tour.

        It adopts its own tour where that is the shortest: individuals may have used its device meanwhile.
        """
        gain = self._ahead
        self._crossed += gain
        self.incumbent.adopt(self.best(), gain)
        self._incumbent_goal = self.incumbent.host_evaluations + INCUMBENT_EVALUATIONS[1] * self.instance.nodes
        if self._note is not None:
            self._note(f"{len(self.population)} tours gained {format_cost(gain)}")
