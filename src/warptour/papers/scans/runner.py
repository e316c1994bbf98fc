"""Who scans rows of moves, in this process or elsewhere, and what is said to them (``team.py``)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Event
from typing import Final, NamedTuple, Protocol, TypeAlias

from warptour.kernels.groups import Over, start_pool
from warptour.neighborhoods.move import Ints, Move

NO_RANK: Final = 0x7FFFFFFFFFFFFFFF
"""Rank of no move, as in ``kernels/papers/scans/pruned_boxes.h``."""

CANDIDATES: Final = 16
"""Further moves that a scanner returns; some still gain after the best one has been made."""

Candidates: TypeAlias = tuple[tuple[float, int], ...]
"""Gains and ranks of moves, best first."""


class BestMove(NamedTuple):
    """What a scanner found in its rows."""

    delta: float = math.inf  # the smallest, infinite if there is no move
    rank: int = NO_RANK  # of the first move with that delta; :data:`NO_RANK` if there is none
    tied: bool = False  # whether a move of a lower rank with that delta may have been missed
    candidates: Candidates = ()
    seconds: float = 0.0  # what it took, by the scanner's own clock


@dataclass(frozen=True, eq=False)
class Order:
    """What a scanner is to do: take a tour or make moves, then scan rows."""

    # first, last: rows, the last exclusive
    first: int
    last: int
    tour: Ints | None  # None to go on with the tour there is
    moves: tuple[Move, ...]  # to be made in this order
    kept: float  # factor of the lengths of tour edges, for a new ``tour``
    known: float  # a gain that some move has, or 0


class Scanner(Protocol):
    """Scans rows of moves of the tour that it holds."""

    def load(self, tour: Ints, kept: float) -> None:
        """Hold a tour; the lengths of its edges are multiplied by ``kept``."""

    def make(self, move: Move, known: float) -> None:
        """Make a move; ``known`` is a gain that some move has after it, or 0."""

    def scan(self, first: int, last: int, over: Over) -> BestMove:
        """Return the best move of rows ``first`` to ``last`` (exclusive); raises Unfinished once ``over()``."""


def carry_out(scanner: Scanner, order: Order, over: Over) -> BestMove:
    """Return what ``scanner`` finds, with the seconds that the scan took."""
    if order.tour is not None:
        scanner.load(order.tour, order.kept)
    for left, move in enumerate(order.moves, 1 - len(order.moves)):
        scanner.make(move, 0.0 if left else order.known)
    began = time.perf_counter()
    found = scanner.scan(order.first, order.last, over)
    return found._replace(seconds=time.perf_counter() - began)


class ThreadRunner:
    """A scanner of this process, on a thread of its own that lives as long as the runner.

    The scanner is made here and now: kernels of several devices are compiled one after another. If that fails, so does
    the first order.
    """

    def __init__(self, name: str, make: Callable[[], Scanner]) -> None:
        self.name = name
        self._scanner: Scanner | Exception
        try:
            self._scanner = make()
        except Exception as error:  # drivers raise anything
            self._scanner = error
        self._pool = start_pool(1)
        self._halted = Event()
        self._future: Future[BestMove] = Future()

    def start(self, order: Order) -> None:
        """Hand the order to the thread; where there is none, carry it out."""
        if isinstance(self._scanner, Exception):
            raise self._scanner
        self._halted.clear()
        if self._pool is not None:
            self._future = self._pool.submit(carry_out, self._scanner, order, self._halted.is_set)
            return
        self._future = Future()
        self._future.set_result(carry_out(self._scanner, order, self._halted.is_set))

    def take(self, seconds: float) -> BestMove | None:
        """Return what was found, or None."""
        try:
            return self._future.result(seconds)
        except TimeoutError:
            if self._future.done():
                raise
            return None

    def halt(self) -> None:
        """Let the thread stop at its next poll, and wait for it."""
        self._halted.set()
        self._future.exception()
