"""2-opt and 3-opt engines whose exact scans several devices share, here or elsewhere.

The best move is the one with the smallest delta and, among ties, the lowest rank, whoever finds it: so the moves are
those of the exact scans of one device, for any set of devices.

2-opt moves are shared by their longer edge where the pruned scan applies, else by rows. A pass that evaluates all moves
in float32 first and confirms the best exactly would be 7 times as quick as one by rows on a CPU, but it measures the
same metrics as the pruned scan (apart from ATT), which is a thousand times as quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from warptour.devices import Device
from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.papers.scans.rows import Sharing, three_opt_move
from warptour.papers.scans.runner import BestMove, Candidates
from warptour.papers.scans.team import Team
from warptour.papers.scans.three_opt import ThreeOptEngine
from warptour.papers.scans.two_opt import Climbed, TwoOptEngine


class SharedTwoOpt(TwoOptEngine):
    """2-opt by exact scans that several devices share.

    ``device``: the first of them
    """

    def __init__(self, problem: TSP, device: Device, sharing: Sharing) -> None:
        super().__init__(problem, device, sharing.over)
        self.fast = True
        self._sharing = sharing
        self._teams: dict[str, Team] = {}
        self._move: Move | None = None
        self._known = 0.0

    def best_row(self, tour: Ints, kept: float = 1.0) -> Iterator[tuple[Move, int | float]]:
        if len(tour) < 4:
            return
        if not self._proves():
            yield from self._row(tour, self._exact_row(tour, kept))
            return
        found = self._pruned(tour, kept)
        if found is None:
            return
        move, delta = divmod(found.rank, len(tour)), found.delta
        if kept != 1.0 or found.tied:
            yield from self._row(tour, move[0])
            return
        self._move, self._known = move, self._surviving(tour, found.candidates, move)
        yield move, int(delta) if self.problem.metric.integral else delta
        yield from islice(self._row(tour, move[0]), 1, None)

    def best_improvement(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the best improving move and its exact delta; None proves the tour 2-optimal."""
        best = next(self.best_row(tour), None)
        if best is None or not best[1] < -self.tolerance.absolute:
            return None
        if -best[1] > self.tolerance.of(self._removed(tour, best[0])):
            self._move = best[0]
            return best
        return super().best_improvement(tour)

    def improving_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the best improving move and its exact delta; None proves the tour 2-optimal."""
        return self.best_improvement(tour)

    def climb(self, tour: Ints, scans: int, *, many: bool = False) -> Climbed:
        """Apply the best move of up to ``scans`` exact scans, until none improves the tour, which is then proved."""
        assert not many, "one move of a scan is the best"
        for done in range(scans):
            try:
                found = self.best_improvement(tour)
            except Unfinished:
                return Climbed(tour, done, False)
            if found is None:
                return Climbed(tour, done + 1, True, proved=True)
            tour = self.apply(tour, found[0])
        return Climbed(tour, scans, False)

    def _exact_row(self, tour: Ints, kept: float) -> int:
        team = self._team("rows", tour, kept)
        return team.scan().rank // len(tour)

    def _pruned(self, tour: Ints, kept: float) -> BestMove | None:
        """Return the best move; if ties with it may have been missed, only its row counts."""
        found = self._team("edges", tour, kept).scan()
        if found.delta >= 0:
            return None
        if found.tied:
            return found._replace(rank=self._team("rows", tour, kept).first_row(found.delta).rank)
        return found

    def _team(self, kind: str, tour: Ints, kept: float) -> Team:
        """Return the team that scans rows of ``kind``, holding the tour."""
        if kind not in self._teams:
            self._teams[kind] = self._sharing.team(self.problem, kind)
        self._teams[kind].follow(tour, kept, self._move, self._known)
        self._move, self._known = None, 0.0
        return self._teams[kind]

    def _removed(self, tour: Ints, move: Move) -> float:
        """Return the length of the edges that a move removes."""
        i, j = move
        n = len(tour)
        return float(self.problem.distances(tour[[i, j]], tour[[i + 1, (j + 1) % n]]).sum())

    def _surviving(self, tour: Ints, candidates: Candidates, move: Move) -> float:
        """Return the gain of the best candidate that the move leaves alone, less its rounding error; 0 for none.

        A move keeps its gain if both of its edges are reversed or neither.
        """
        i, j = move
        for gain, rank in candidates:
            p, q = divmod(rank, len(tour))
            if {p, q} & {i, j} or (i < p < j) != (i < q < j):
                continue
            sure = gain - self.tolerance.relative * self._removed(tour, (p, q))
            if sure > 0:
                return sure
        return 0.0


class SharedThreeOpt(ThreeOptEngine):
    """3-opt by exact scans that several devices share.

    ``device``: the first of them
    """

    def __init__(self, problem: TSP, device: Device, sharing: Sharing) -> None:
        super().__init__(problem, device, sharing.over)
        self._two_opt = SharedTwoOpt(problem, device, sharing)
        self._sharing = sharing
        self._team: Team | None = None
        self._move: Move | None = None

    def best_row(self, tour: Ints, kept: float = 1.0) -> Iterator[tuple[Move, int | float]]:
        if len(tour) < 4:
            return
        if self._team is None:
            self._team = self._sharing.team(self.problem, "blocks")
        self._team.follow(tour, kept, self._move)
        found = self._team.scan()
        self.evaluations += self.move_count
        self._move = three_opt_move(found.rank, len(tour))
        exact = int(found.delta) if self.problem.metric.integral else found.delta
        yield self._move, exact if kept == 1.0 else self.neighborhood.delta(self.problem, tour, self._move)

    def improving_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the best improving move and its exact delta; None proves that there is none."""
        return self.best_improvement(tour)

    def next_part_move(self, tour: Ints, parts: int) -> tuple[Move, int | float] | None:
        """Return the best improving move and its exact delta; None proves that there is none."""
        return self.best_improvement(tour)
