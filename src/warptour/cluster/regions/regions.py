"""Regions: one large tour, searched by all members at once, each in its own part of it.

    tour := the tour to start from, or the cities along a space-filling curve
    until over:
        cut the tour into regions, one per member, elsewhere each time
        each member: search the region's problem, from the tour or, after the curve, from a construction of its own
        join the regions

A member holds its region alone: coordinates, a fixed edge per fragment of the tour, and
what its strategy adds. The coordinator holds the problem and the tour.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, Final

import numpy as np

from warptour.candidates.hilbert import loop_order
from warptour.cluster.crew import Crew, Member
from warptour.cluster.division import DividedStrategy
from warptour.cluster.messages import Done, Task
from warptour.cluster.pool import TaskPool
from warptour.cluster.regions.cutting import Course, CutTour
from warptour.cluster.regions.joining import Joining
from warptour.cluster.regions.region import MAX_ATTEMPTS, RegionJob, search_regions
from warptour.cluster.regions.schedule import Phase, PhaseSchedule, Share, contributions
from warptour.kernels.cores import usable_cores
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.parameters import parameters
from warptour.search.search import Search
from warptour.search.strategy import Strategy
from warptour.search.threads import ThreadPool
from warptour.search.tour_cost import TourCost
from warptour.tours.engine.instance import Ints
from warptour.tours.starts.chains import arrange
from warptour.tours.starts.start import first_tour, start

MIN_REGION_CITIES: Final = 200
"""Smallest region on average; where there are more members, some stay idle."""

PHASE_EFFORT: Final = 1.0
"""Maximum iterations per city in a phase of a run that is limited by iterations."""

COUNTED_PHASES: Final = 3
"""Minimum number of phases of a run that is limited by iterations."""

WHOLE_STARTS: Final = ("curve", "file", "random")
"""Constructions that order all cities at once; others are done region by region."""

TURN: Final = 0.381966
"""Share of the tour by which its first city moves from phase to phase, so that another edge is held each time;
multiples of the golden section are spread evenly."""

MOST_GROWTH: Final = 2.0
"""Maximum factor by which the share of a member grows or shrinks from phase to phase."""


class TourRegions(DividedStrategy):
    """A strategy for one large tour on all members of a crew; the strategy must keep fixed edges.

    Attributes
    ----------
    phases : list of Phase
        What each phase took and gained.
    """

    name: ClassVar[str] = "regions"
    iteration: ClassVar[str] = "iterations"

    def __init__(
        self, strategy: Strategy, crew: Crew, *, threads: int | Sequence[int] = 1, device: str | None = None
    ) -> None:
        super().__init__(strategy, crew, threads=threads, device=device)
        self.phases: list[Phase] = []
        self._weights: dict[int, float] = {}
        self._cores = usable_cores()  # the members wait while the coordinator cuts and joins

    def refuses(self, problem: TSP | VRP) -> str | None:
        if isinstance(problem, VRP):
            return "regions are for one tour, not for vehicle routing"
        if not self.strategy.keeps_fixed_edges:
            return f"{self.strategy.name} breaks fixed edges, which the regions of a tour have"
        return super().refuses(problem)

    def run(self, search: Search[TSP]) -> None:
        """Search in phases until over, or until two phases find nothing to do."""
        course, begin = self._first(search)
        pool: TaskPool[RegionJob] = TaskPool(self, search, MAX_ATTEMPTS)
        n = search.problem.n
        schedule = PhaseSchedule(n, -(-n // max(1, self._regions(n, pool))), min(self.threads, default=1))
        quota = PHASE_EFFORT * n
        if math.isfinite(search.iterations_left()):
            quota = min(quota, math.ceil(search.iterations_left() / COUNTED_PHASES))
        idle = barren = 0
        while not search.over() and idle < 2 and not search.lacks(schedule.least_seconds):
            if not pool.free or barren == 2:
                search.note("no member can search a region: going on in this process", lasting=True)
                search.start = course.tour.copy()
                self.strategy.run(search)
                return
            left = search.iterations_left()
            iterations = min(quota, left) if math.isfinite(left) else math.inf
            course, phase = self._phase(search, pool, schedule, course, begin, iterations)
            begin = "file"
            idle = idle + 1 if phase.gain <= 0 and phase.early else 0
            barren = 0 if phase.shares else barren + 1
            schedule.count(phase)
            self.phases.append(phase)
            search.note(phase.described())
            search.step("phase", len(self.phases), gain=sum(phase.gain for phase in self.phases))
            search.tell_workers(contributions(self.phases, "working"))
        search.tell_workers(contributions(self.phases, "done"))

    def _first(self, search: Search[TSP]) -> tuple[Course, str | None]:
        """Return the first tour, offered, and the construction by which members begin; None for their own."""
        problem, given = search.problem, search.start
        if given is None:
            given = parameters(self.strategy).get("start")
        if isinstance(given, str | None) and given not in WHOLE_STARTS and problem.matrix is None:
            begin = given
            tour = curve(problem, self._cores)
        else:
            begin = "file"
            tour = first_tour(search, given if isinstance(given, str) else "greedy")
        search.offer(tour)
        return Course(problem, tour, threads=self._cores), begin

    def _regions(self, cities: int, pool: TaskPool[RegionJob]) -> int:
        return min(len(pool.free), max(1, cities // MIN_REGION_CITIES))

    def _phase(
        self,
        search: Search[TSP],
        pool: TaskPool[RegionJob],
        schedule: PhaseSchedule,
        course: Course,
        begin: str | None,
        iterations: float,
    ) -> tuple[Course, Phase]:
        """Return the tour after a phase in which members start from the construction ``begin``, None for their own."""
        began, number = time.perf_counter(), len(self.phases)
        timed = math.isinf(iterations) or math.isfinite(search.seconds_left())
        deadline = began + schedule.seconds(search.seconds_left()) if timed else math.inf
        members = pool.free[: self._regions(search.problem.n, pool)]
        cut = self._cut(search, course, members, timed, along=begin != "file")
        goals = shared_out(iterations, cut.sizes)
        parts: dict[int, tuple[TSP, int | float]] = {}
        cut_at = time.perf_counter()

        def task(region: int) -> Task:
            if region not in parts:
                problem = cut.problem(region)
                parts[region] = problem, TourCost(problem, self._cores)(np.arange(problem.n, dtype=np.int32))
            seeds = np.random.SeedSequence(search.seed, spawn_key=(region, number))
            return Task(
                0, parts[region][0], self.strategy, begin, int(seeds.generate_state(1)[0]), 1,
                self.device or "auto", iterations=goals[region],
            )  # fmt: skip

        jobs = [RegionJob(home=members[k].rank, make=partial(task, k)) for k in range(len(cut))]
        send_seconds = search_regions(pool, search, jobs, deadline)
        ended, joining = time.perf_counter(), Joining(cut, self._cores)
        answers = [(k, job.worker, job.done) for k, job in enumerate(jobs) if job.worker and job.done]
        with ThreadPool(self._cores) as threads:
            shares = threads.map(lambda answer: self._take(joining, answer[0], *parts[answer[0]], *answer[1:]), answers)
        self._learn([worker for _, worker, _ in answers], shares)
        parts.clear()
        order = joining.joined()
        if not course.problem.open:  # the edge from the last city to the first is held: another one each time
            order = np.roll(order, int(TURN * len(order)))
        before, better = search.cost, course.reordered(order, self._cores)
        joined_at = time.perf_counter()
        search.offer(better.tour)
        assert before is not None
        assert search.cost is not None
        now = time.perf_counter()
        early = ended < deadline and sum(share.iterations for share in shares) < iterations and len(shares) == len(cut)
        phase = Phase(
            number=number, cut="curve" if begin != "file" else cut.kind, cities=course.problem.n,
            gain=before - search.cost, patch_cost=joining.patch_cost, seconds=now - began, cut_seconds=cut_at - began,
            send_seconds=send_seconds, late_seconds=max(0.0, ended - deadline), join_seconds=joined_at - ended,
            offer_seconds=now - joined_at, early=early, shares=tuple(shares),
        )  # fmt: skip
        return better if search.best is better.tour else course, phase

    def _cut(self, search: Search[TSP], course: Course, members: list[Member], timed: bool, *, along: bool) -> CutTour:
        """Return regions for ``members``: of space, or ``along`` the tour."""
        number = len(self.phases)
        weights = self._weights_of(members) if timed else [1.0] * len(members)
        if not along:
            rng = np.random.default_rng([search.seed, number])
            label = course.in_space(weights, rng, self._cores)
            if label is not None:
                return CutTour(course, label, "space")
        return CutTour(course, course.along(weights, 0.5 * (number % 2)), "tour")

    def _weights_of(self, members: list[Member]) -> list[float]:
        """Return how many cities each member should have in proportion to others; new ones have the average."""
        known = [self._weights[member.rank] for member in members if member.rank in self._weights]
        average = sum(known) / len(known) if known else 1.0
        return [self._weights.get(member.rank, average) for member in members]

    def _learn(self, members: list[Member], shares: list[Share]) -> None:
        """Give more cities to members whose cities gained more than the average, and fewer to the others.

        Iterations tell little: one of a GPU and one of a CPU are not the same work.
        """
        mean = sum(share.gain for share in shares) / max(1, sum(share.cities for share in shares))
        for member, share in zip(members, shares, strict=True):
            if mean > 0:
                ratio = math.sqrt(max(0.0, share.gain) / share.cities / mean)
                self._weights[member.rank] = share.cities * min(MOST_GROWTH, max(1 / MOST_GROWTH, ratio))

    def _take(
        self, joining: Joining, region: int, problem: TSP, before: int | float, member: Member, done: Done
    ) -> Share:
        """Put the answer of a member into the tour, if it is a better tour of its region."""
        gain, received = 0.0, 0
        if isinstance(done.solution, np.ndarray) and done.cost is not None and done.cost <= before:
            tour = np.ascontiguousarray(done.solution, np.int32)
            if not problem.violations(tour):
                gain, received = float(before - done.cost), tour.nbytes
                joining.take(region, tour, gain)
        return Share(
            member=member.name, device=done.device, cities=problem.n, fragments=int(joining.cut.fragments[region]),
            gain=gain, iterations=done.iterations, seconds=done.seconds,
            sent=problem.points.nbytes + problem.fixed_edges.nbytes, received=received,
        )  # fmt: skip


def curve(problem: TSP, threads: int) -> Ints:
    """Return the cities along a space-filling curve, in the plane one whose ends meet.

    Regions would never lose a long edge from the end of the curve to its beginning.
    """
    if problem.open or problem.points.shape[1] != 2:
        return start(problem, "curve", threads=threads)
    return arrange(problem, loop_order(problem.points, threads=threads))


def shared_out(iterations: float, sizes: Any) -> list[float]:
    """Return the iterations of each region, in proportion to its size."""
    if math.isinf(iterations):
        return [math.inf] * len(sizes)
    ends = np.floor(np.cumsum(sizes) * (iterations / sizes.sum()) + 1e-6)
    return [float(share) for share in np.diff(ends, prepend=0)]
