"""Complete neighbourhoods of one giant tour that several devices share, here or elsewhere.

Schulz (2011) proposes it: CPU and GPU evaluate the same neighbourhood, each the share that it can. The rows are the
first edges of the moves; they are divided by the rates at which the devices did theirs before (``scans/team.py``). The
move is the one that a single device would find, so the tours do not depend on who scans.
"""

from __future__ import annotations

import numpy as np

from warptour.devices import Device
from warptour.kernels.groups import Over, Unfinished
from warptour.neighborhoods.move import Ints, Move
from warptour.papers.scans.runner import BestMove
from warptour.papers.scans.team import Team
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.laid_tour import STATES
from warptour.papers.schulz.engine.moves import apply
from warptour.papers.schulz.engine.search import GiantSearch

TWO_OPT = -1
"""What the kernels have for p of a 2-opt move."""


class GiantMoves:
    """What a team is told about moves: how they change a giant tour."""

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the giant tour after ``move``."""
        return apply(tour, move)


def rows_of(instance: GiantInstance) -> int:
    """Return the number of rows: edges of the giant tour."""
    return instance.nodes - 1


def moves_before(row: int, rows: int) -> int:
    """Return the number of pairs of edges whose first is before a row, to which the work of a scan is proportional."""
    return row * (rows - 1) - row * (row - 1) // 2


def rank_of(move: Move, edges: int) -> int:
    """Return the rank of a move, as in ``giant_cuts.h``."""
    if len(move) == 2:
        return move[0] * edges + move[1]
    x, y, z, way = move
    return edges * edges + 4 * ((x * edges + y) * edges + z) + way


def move_of(rank: int, edges: int) -> Move:
    """Return the move of a rank."""
    if rank < edges * edges:
        return divmod(rank, edges)
    rest, way = divmod(rank - edges * edges, 4)
    return rest // edges**2, rest // edges % edges, rest % edges, way


class GiantRows:
    """Scans rows of the moves of the giant tour that it holds, on one device."""

    def __init__(self, instance: GiantInstance, device: Device, neighborhoods: tuple[str, ...]) -> None:
        self._search = GiantSearch(instance, device, neighborhoods)
        self._edges = rows_of(instance)
        self._state = np.zeros(STATES, np.int32)

    def load(self, tour: Ints, kept: float) -> None:
        """Hold a giant tour; ``kept`` is 1, since gains are exact."""
        self._search.load(tour)
        self._remember()

    def make(self, move: Move, known: float) -> None:
        """Make a move."""
        laid, device = self._search.laid, self._search.device
        device.fill(laid.move, np.array(move if len(move) == 4 else (*move, 0, TWO_OPT), np.int32))
        laid.make()
        self._remember()

    def _remember(self) -> None:
        """Keep the state in which scans begin: no move is found, and no gain known."""
        self._state = self._search.device.fetch(self._search.laid.state)

    def scan(self, first: int, last: int, over: Over) -> BestMove:
        """Return the best feasible move of some rows; raises :class:`Unfinished` once ``over()``."""
        self._search.device.fill(self._search.laid.state, self._state)
        found = self._search.scan_rows(first, last, over)
        return BestMove() if found is None else BestMove(-found[1], rank_of(found[0], self._edges))


class SharedGiantSearch:
    """A giant tour whose neighbourhoods a team scans; as :class:`GiantSearch`, but for first improvement.

    ``move_count``: number of moves in the neighbourhoods
    """

    def __init__(self, instance: GiantInstance, team: Team, move_count: int) -> None:
        self.move_count = move_count
        self.locally_optimal = False
        self._edges = rows_of(instance)
        self._team = team
        self._giant = np.zeros(0, np.int32)
        self._move: Move | None = None

    def load(self, giant: Ints) -> None:
        """Go on from a giant tour; every resource must be feasible along it."""
        self._giant, self._move, self.locally_optimal = np.array(giant, np.int32), None, False

    def tour(self) -> Ints:
        """Return the current giant tour."""
        return self._giant

    def steps(self, count: int, over: Over | None = None) -> int:
        """Find and apply up to ``count`` moves, or until ``over()`` or a local optimum; return the moves applied."""
        for made in range(count):
            self._team.follow(self._giant, 1.0, self._move)
            try:
                found = self._team.scan(over=over)
            except Unfinished:
                return made
            if not found.delta < 0:
                self.locally_optimal = True
                return made
            self._move = move_of(found.rank, self._edges)
            self._giant = apply(self._giant, self._move)
        return count
