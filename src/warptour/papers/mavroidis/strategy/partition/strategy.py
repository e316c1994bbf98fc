"""Partitions over any strategy: parts of a tour are solved side by side and joined.

karp:  cut the plane into rectangles of at most K cities that share single cities
       solve each; the union of their tours is an Euler graph; take shortcuts
tour:  s := start
       repeat until nothing improves
           cut s into segments of at most K cities, close each by a fixed edge, and solve them
           s := the segments in their order; shift the cuts by half a segment
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import ClassVar, Literal

import numpy as np

from warptour.devices import Device
from warptour.kernels.groups import go_on
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.papers.mavroidis.strategy.partition.karp import rectangles, united
from warptour.papers.mavroidis.strategy.partition.parts import (
    closing_edge,
    edge_by_distances,
    part_of,
    part_of_segment,
    segments,
    solve_part,
)
from warptour.search.parameters import number
from warptour.search.refusals import closed_tours_only
from warptour.search.search import Search, Tour
from warptour.search.strategy import Portion, Strategy
from warptour.search.threads import Poll, ThreadPool
from warptour.tours.engine.open_path import as_segment
from warptour.tours.starts.start import first_tour
from warptour.tours.starts.start import start as construct

EFFORT = 3.0
"""Inner iterations per city where neither ``effort`` nor a share of the time limits a part."""

JOIN_SECONDS = 3e-6
"""Seconds per city that are kept for joining the parts of a Karp partition, report included."""

MAX_TABLE = 4000
"""Maximum cities of a segment for a strategy that breaks fixed edges: its matrix takes 128 MB."""


@dataclass(frozen=True)
class Partition(Strategy):
    """A tour in parts, each solved by another strategy.

    Attributes
    ----------
    scheme : {"tour", "karp"}
        Segments of a tour, or rectangles of the plane.
    cities : int
        Maximum number of cities in a part.
    inner : str or Strategy
        What solves a part, by name or as an object with its parameters.
    effort : float
        Iterations of the inner strategy per city, in each part and round. With 0, the parts of a Karp partition share
        the time, and there are ``EFFORT`` iterations elsewhere.
    start : str
        Construction of the first tour of the scheme ``tour``, unless the search brings one.
    """

    name: ClassVar[str] = "partition"
    iteration: ClassVar[str] = "rounds"

    scheme: Literal["tour", "karp"] = "tour"
    cities: int = number(1000, 10)
    inner: str | Strategy = "ils"
    effort: float = number(0.0)
    start: str = "greedy"

    def __post_init__(self) -> None:
        if self.scheme not in ("tour", "karp"):
            raise UsageError(f"unknown scheme {self.scheme!r}; there are tour, karp")

    def solver(self) -> Strategy:
        """Return the inner strategy."""
        from warptour.strategies.registry import STRATEGIES  # which has this strategy too

        inner = self.inner
        if isinstance(inner, str):
            if inner not in STRATEGIES:
                raise UsageError(f"unknown strategy {inner!r} inside partition; there are {', '.join(STRATEGIES)}")
            inner = STRATEGIES[inner]()
        if isinstance(inner, Partition):
            raise UsageError("a partition has another strategy inside, not a partition")
        return inner

    @property
    def portion(self) -> Portion:
        """It gives its parts to the devices itself."""
        return "parts"

    @property
    def keeps_fixed_edges(self) -> bool:
        """Whether it solves tours with fixed edges."""
        return self.scheme == "tour" and self.solver().keeps_fixed_edges

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return the reason why ``problem`` is not supported, or None."""
        if isinstance(problem, VRP):
            return "partition is for one tour; vehicle routing needs the strategy routes"
        inner = self.solver()
        if self.scheme == "karp":
            if problem.map is None or problem.map.shape[1] != 2:
                return (
                    "partition with scheme=karp cuts the plane, and the cities are not in one; scheme=tour needs none"
                )
            reason = closed_tours_only("partition with scheme=karp", problem)
        elif inner.keeps_fixed_edges:
            reason = None
        elif self.cities > MAX_TABLE:
            reason = f"{inner.name} breaks fixed edges: with scheme=tour its parts have at most {MAX_TABLE:,} cities"
        else:
            reason = inner.refuses(problem) if problem.open or len(problem.fixed_edges) else None
        some = np.arange(min(problem.n, self.cities), dtype=np.int32)
        return reason or inner.refuses(part_of(problem, some))

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends of the inner strategy, after the CPU, where a part runs on each thread."""
        if isinstance(problem, VRP):
            return ("cpu",)
        inner, some = self.solver(), np.arange(min(problem.n, self.cities), dtype=np.int32)
        if self.scheme == "karp":
            part = part_of(problem, some)
        elif inner.keeps_fixed_edges:
            held = problem.open or len(problem.fixed_edges) or len(some) < problem.n
            part = part_of(problem, some, closing_edge(len(some)) if held else None)
        else:
            part = TSP.from_matrix(np.zeros((3, 3)))  # see edge_by_distances
        return ("cpu", *(name for name in inner.runs_on(part) if name != "cpu"))

    def run(self, search: Search[TSP]) -> None:
        """Search until over or nothing improves, offering every better tour."""
        go_on(search.hurried)
        with ThreadPool(search.threads if _on_threads(search) else len(search.devices)) as pool:
            (self._karp if self.scheme == "karp" else self._segments)(search, pool)

    def _karp(self, search: Search[TSP], pool: ThreadPool) -> None:
        problem = search.problem
        given = None if isinstance(search.start, list) else search.start
        assert problem.map is not None
        cuts = rectangles(problem.map, self.cities, search.hurried)
        if isinstance(given, np.ndarray):
            rank = np.argsort(given)
            cuts = [cities[np.argsort(rank[cities])] for cities in cuts]
        parts = [part_of(problem, cities) for cities in cuts]
        starts = [np.arange(part.n, dtype=np.int32) if isinstance(given, np.ndarray) else given for part in parts]
        found = self._solve(search, pool, parts, starts, 0)
        tours = []
        for cities, part, begin, tour in zip(cuts, parts, starts, found, strict=True):
            tours.append(cities[construct(part, "greedy" if begin is None else begin) if tour is None else tour])
        search.offer(united(problem, tours))

    def _segments(self, search: Search[TSP], pool: ThreadPool) -> None:
        problem = search.problem
        tour = first_tour(search, self.start)
        search.offer(tour)
        table = not self.solver().keeps_fixed_edges
        idle = 0
        for rounds in count():
            if search.over() or idle == 2:
                return
            cuts = segments(problem, tour, self.cities, shifted=rounds % 2 == 1)
            parts = [part_of_segment(problem, cities) for cities in cuts]
            starts = [np.arange(part.n, dtype=np.int32) for part in parts]
            held = [edge_by_distances(part) if table and len(part.fixed_edges) else part for part in parts]
            found = self._solve(search, pool, held, starts, rounds)
            whole = len(cuts) == 1 and not problem.open
            paths = found if whole else [as_segment(path) for path in found]
            better = [cities if path is None else cities[path] for cities, path in zip(cuts, paths, strict=True)]
            tour = np.concatenate(better)
            idle = 0 if search.offer(tour.copy()) else idle + 1

    def _solve(
        self, search: Search[TSP], pool: ThreadPool, parts: list[TSP], starts: Sequence[str | Tour | None], rounds: int
    ) -> list[Tour | None]:
        """Return the tour of each part; None for those that there was no time for."""
        inner = self.solver()
        tours: list[Tour | None] = [None] * len(parts)
        share_time = self.scheme == "karp" and self.effort == 0 and math.isfinite(search.seconds_left())
        effort = math.inf if share_time else self.effort or EFFORT
        threads = max(1, search.threads // min(pool.threads, len(parts)))
        kept = JOIN_SECONDS * search.problem.n if self.scheme == "karp" else 0.0
        waiting, moves, late = len(parts), 0, 0.0

        def solve(number: int, halted: Poll, device: Device | None = None) -> None:
            nonlocal waiting, moves, late
            began = time.perf_counter()
            seconds = (search.seconds_left() - kept) * min(1.0, pool.threads / waiting)
            seconds = max(seconds - late, seconds / 2)  # the last parts are to have as much as the first
            waiting -= 1
            if share_time and seconds <= 0:
                search.out_of_time = True
                return
            done = solve_part(
                inner,
                parts[number],
                starts[number],
                halted,
                iterations=effort * parts[number].n,
                seconds=seconds if share_time else math.inf,
                seed=int(np.random.SeedSequence([search.seed, rounds, number]).generate_state(1)[0]),
                threads=threads,
                device=device,
            )
            tours[number] = np.asarray(done.best, np.int32)
            moves += done.moves
            search.out_of_time |= share_time and done.timed_out
            late = (late + max(0.0, time.perf_counter() - began - seconds)) / 2 if share_time else 0.0

        def solve_on(lane: int, halted: Poll) -> None:
            """Solve the parts of one device: each has its turn, so that parts are where they were in every run."""
            for turn in range(lane, len(parts), pool.threads):
                if not halted():
                    solve(turn, halted, search.devices[lane])

        def poll() -> bool:
            return search.over() or search.lacks(kept)

        if _on_threads(search):
            pool.work(solve, range(len(parts)), poll)
        else:
            pool.work(solve_on, range(pool.threads), poll)
        search.count(iterations=int(all(tour is not None for tour in tours)), moves=moves)
        return tours


def _on_threads(search: Search[TSP]) -> bool:
    """Return whether parts are solved on the threads of the host, one on each, or else one on each device."""
    return len(search.devices) == 1 and search.device.is_host
