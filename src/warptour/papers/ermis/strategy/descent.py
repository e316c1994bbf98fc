"""Variable neighbourhood descent by full scans.

    s := start; N := a list of neighbourhoods; h := 1
    while h <= |N|:
        m := the best of all moves of s in N[h]
        if m improves s:  s := m(s); h := 1
        else:             h := h + 1

With 3-opt alone this is best-improvement 3-opt. A descent that ends on its own has proved its tour locally optimal in
every neighbourhood of the list, since the last scan of each is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.neighborhoods.move import Ints, Move
from warptour.observe.contributions import Contribution, report
from warptour.papers.scans.climbers import list_descent
from warptour.papers.scans.engines import CityMoves, ScansRows, three_opt_engine, two_opt_engine
from warptour.papers.scans.full import SCANNED
from warptour.papers.scans.neighborhood_names import spelled
from warptour.papers.scans.three_opt import LARGEST, ThreeOptEngine
from warptour.search.parameters import number
from warptour.search.search import Search
from warptour.tours.starts.start import first_tour


class MoveScans(Protocol):
    """The engine interface that the descent needs."""

    @property
    def move_count(self) -> int:
        """Number of moves evaluated by a scan."""

    def best_improvement(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the best improving move and its exact delta; None proves that there is none."""

    def improving_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return an improving move, approximately the best, and its exact delta; None if no move improves the tour."""

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour after ``move``."""


@dataclass(frozen=True)
class Descent(ScansRows):
    """Best improvement over whole neighbourhoods, through a list of them.

    Attributes
    ----------
    neighborhoods : tuple of str
        2-opt, or-opt, 3-opt, swap and relocate, in the order in which they are scanned; dashes may be omitted.
    parts : int
        Number of parts of a 3-opt scan; the best move of each part is applied immediately.
    quick : bool
        Descend by 2-opt and or-opt over neighbour lists first.
    exact : bool
        Always scan in the problem's own metric, with ties broken by rank, so that every engine makes the same moves.
        Several devices always share exact scans of 2-opt and 3-opt moves; of the others, the first scans all.
    longest : int
        Maximum number of cities in an or-opt segment.
    start : str
        Construction heuristic of the first tour, unless the search provides one.
    """

    name: ClassVar[str] = "descent"
    iteration: ClassVar[str] = "scans"

    neighborhoods: tuple[str, ...] = ("3-opt",)
    parts: int = number(1, 1)
    quick: bool = True
    exact: bool = False
    longest: int = number(3, 1, 1000)
    start: str = "greedy"

    def __post_init__(self) -> None:
        spelled(self.neighborhoods, SCANNED)

    def refuses(self, problem: TSP | VRP) -> str | None:
        if problem.n > LARGEST and "3-opt" in spelled(self.neighborhoods, SCANNED):
            return f"3-opt scans have a table of all distances, for up to {LARGEST} cities; vns needs none"
        return super().refuses(problem)

    def run(self, search: Search[TSP]) -> None:
        """Descend to a local optimum or until the search is over, and report the contribution of each neighbourhood."""
        search.note(report(self.contribute(search)), lasting=True)

    def contribute(self, search: Search[TSP]) -> list[Contribution]:
        """Do the work of :meth:`run` and return the contribution of each neighbourhood."""
        problem = search.problem
        names = spelled(self.neighborhoods, SCANNED)
        done = [Contribution(name) for name in names]
        tour = first_tour(search, self.start)
        search.offer(tour)
        engines = [self.engine(name, search) for name in names]
        if self.quick and problem.n >= 5 and not search.over():
            tour = list_descent(problem, tour, search.over)
            search.offer(tour)
        level = 0
        while level < len(names) and not search.over():
            engine, began = engines[level], search.seconds
            before = engine.evaluations if isinstance(engine, ThreeOptEngine) else 0
            try:
                found = self.step(engine, tour)
            except Unfinished:
                break
            if found is not None:
                tour = engine.apply(tour, found[0])
            evaluations = engine.evaluations - before if isinstance(engine, ThreeOptEngine) else engine.move_count
            done[level].add(found is not None, -found[1] if found else 0, evaluations, search.seconds - began)
            search.count(1, evaluations)
            search.offer(tour)
            search.tell_contributions(done)
            level = level + 1 if found is None else 0
        if level == len(names):
            proved = " and ".join(f"{name.replace('-opt', '')}-optimal" for name in names if name in ("2-opt", "3-opt"))
            what = proved or "locally optimal"
            search.note(f"{what}: exact scans of all moves ({', '.join(names)}) found none that improves", lasting=True)
        return done

    def engine(self, name: str, search: Search[TSP]) -> MoveScans:
        """Return the engine for a neighbourhood."""
        if name == "2-opt":
            return two_opt_engine(search)
        if name == "3-opt":
            return three_opt_engine(search)
        return CityMoves(search, name, self.longest)

    def step(self, engine: MoveScans, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the next move in one neighbourhood, or None if an exact scan found no improving one."""
        if self.exact:
            return engine.best_improvement(tour)
        if isinstance(engine, ThreeOptEngine) and self.parts > 1:
            return engine.next_part_move(tour, self.parts)
        return engine.improving_move(tour)
