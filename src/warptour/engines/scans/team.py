"""A scan of one tour's moves that several scanners share.

The moves are in numbered rows: rows of 2-opt moves, edges for the pruned scan, blocks of 3-opt moves. Each scanner
holds the tour and returns the best move of the rows that it is given: the smallest delta and, among ties, the lowest
rank. So the best of a pass is the same however its rows are divided.

Rows are divided by the rates at which the scanners did theirs before. What a scanner that fails was given, the others
do.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import reduce
from threading import Event
from typing import Final, NamedTuple, Protocol, TypeAlias

import numpy as np

from warptour.kernels.groups import ASK_SECONDS, Over, Unfinished, start_pool
from warptour.neighborhoods.move import Ints, Move, Neighborhood

NO_RANK: Final = 0x7FFFFFFFFFFFFFFF

TRIAL: Final = 0.01
"""Share of the first pass that is divided evenly, to measure the rates."""

LEAST_SHARE: Final = 1 / 256
"""Minimum share of a scanner, so that its rate stays known."""

NEWEST: Final = 0.5
"""Weight of the newest measurement in a rate."""

FIRST_ROWS: Final = 1 / 64
"""Share of the moves that are scanned first for a move of a known delta; then as many again, and so on."""

CANDIDATES: Final = 16
"""Further moves that a scanner returns; some still gain after the best one has been made."""

MOST_MOVES: Final = 64
"""Moves that a scanner without rows may be behind; beyond, it is sent the tour."""

Candidates: TypeAlias = tuple[tuple[float, int], ...]
"""Gains and ranks of moves, best first."""

Rows: TypeAlias = tuple[int, int]
"""The first row and the last (exclusive)."""

Work: TypeAlias = Callable[[int], int]
"""Returns the number of moves before a row."""


class Found(NamedTuple):
    """What a scanner found in its rows.

    Attributes
    ----------
    delta : float
        The smallest, infinite if there is no move.
    rank : int
        Of the first move with that delta; :data:`NO_RANK` if there is none.
    tied : bool
        Whether a move of a lower rank with that delta may have been missed.
    candidates : tuple
    seconds : float
        What it took, by the scanner's own clock.
    """

    delta: float = math.inf
    rank: int = NO_RANK
    tied: bool = False
    candidates: Candidates = ()
    seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class Order:
    """What a scanner is to do: take a tour or make moves, then scan rows.

    Attributes
    ----------
    first, last : int
        Rows, the last exclusive.
    tour : array of int32 or None
        None to go on with the tour there is.
    moves : tuple of moves
        To be made in this order.
    kept : float
        Factor of the lengths of tour edges, for a new ``tour``.
    known : float
        A gain that some move has, or 0.
    """

    first: int
    last: int
    tour: Ints | None
    moves: tuple[Move, ...]
    kept: float
    known: float


class Scanner(Protocol):
    """Scans rows of moves of the tour that it holds."""

    def load(self, tour: Ints, kept: float) -> None:
        """Hold a tour; the lengths of its edges are multiplied by ``kept``."""

    def make(self, move: Move, known: float) -> None:
        """Make a move; ``known`` is a gain that some move has after it, or 0."""

    def scan(self, first: int, last: int, over: Over) -> Found:
        """Return the best move of rows ``first`` to ``last`` (exclusive); raises Unfinished once ``over()``."""


class Runner(Protocol):
    """Carries out orders beside others: a scanner on a thread, or one elsewhere."""

    name: str
    """For people."""

    def start(self, order: Order) -> None:
        """Begin to carry out an order."""

    def take(self, seconds: float) -> Found | None:
        """Return what was found, or None if that takes more than ``seconds``; raises whatever went wrong."""

    def halt(self) -> None:
        """Give up the order that was started last."""


def carry_out(scanner: Scanner, order: Order, over: Over) -> Found:
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
        self._future: Future[Found] = Future()

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

    def take(self, seconds: float) -> Found | None:
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


@dataclass(eq=False)
class _Seat:
    """A runner, its rate in moves per second, and the moves that it has yet to make; None if it needs the tour."""

    runner: Runner
    rate: float = 0.0
    behind: list[Move] | None = None


class Team:
    """Runners that share the scan of one tour.

    Parameters
    ----------
    runners : sequence of Runner
    rows : int
    work : callable
        Number of moves before a row: rates are in moves, or in rows where their moves are not known.
    neighborhood : Neighborhood
        What a move does to a tour.
    over : callable, optional
        Polled every 50 ms; once true, a scan raises :class:`Unfinished`.
    note : callable, optional
        Called with a sentence when a runner has failed.
    spare : callable, optional
        Makes a runner for when all have failed.
    """

    def __init__(
        self,
        runners: Sequence[Runner],
        rows: int,
        work: Work,
        neighborhood: Neighborhood,
        over: Over | None = None,
        note: Callable[[str], None] | None = None,
        spare: Callable[[], Runner] | None = None,
    ) -> None:
        self._seats = [_Seat(runner) for runner in runners]
        self.rows = rows
        self._work = work
        self._neighborhood = neighborhood
        self._over = over
        self._note = note
        self._spare = spare
        self._tour: Ints | None = None
        self._kept = 1.0
        self._known = 0.0
        self._tried = False

    @property
    def rates(self) -> dict[str, float]:
        """Moves per second of those that have not failed."""
        return {seat.runner.name: seat.rate for seat in self._seats}

    def load(self, tour: Ints, kept: float = 1.0) -> None:
        """Hold a tour; the lengths of its edges are multiplied by ``kept``."""
        self._tour, self._kept, self._known = tour.copy(), kept, 0.0
        for seat in self._seats:
            seat.behind = None

    def make(self, move: Move, known: float = 0.0) -> None:
        """Make a move; ``known`` is a gain that some move has after it, or 0."""
        assert self._tour is not None
        self._tour, self._known = self._neighborhood.apply(self._tour, move), known
        for seat in self._seats:
            if seat.behind is not None:
                seat.behind = [*seat.behind, move] if len(seat.behind) < MOST_MOVES else None

    def follow(self, tour: Ints, kept: float, move: Move | None, known: float = 0.0) -> None:
        """Hold ``tour``: by ``move`` if that leads there from the tour it holds, so that the tour need not be sent."""
        held = self._tour
        if held is None or kept != self._kept:
            self.load(tour, kept)
        elif not np.array_equal(held, tour):
            if move is not None and np.array_equal(self._neighborhood.apply(held, move), tour):
                self.make(move, known)
            else:
                self.load(tour, kept)

    def scan(self, first: int = 0, last: int | None = None) -> Found:
        """Return the best move of rows ``first`` to ``last`` (exclusive), by default of all."""
        last = self.rows if last is None else last
        undone = [(first, last)]
        if not self._tried and len(self._seats) > 1:
            self._tried, trial = True, self._row_at(first, last, TRIAL)
            undone = [(first, trial), (trial, last)]
        best = Found()
        while undone:
            found, failed = self._divide(*undone.pop(0))
            best = reduce(better, found, best)
            undone += failed
        return best

    def first_row(self, delta: float) -> Found:
        """Return what was found in the first rows that have a move of at most ``delta``."""
        first, share, found = 0, FIRST_ROWS, Found()
        while first < self.rows and not found.delta <= delta:
            last = self._row_at(0, self.rows, min(1.0, share))
            found = self.scan(first, last)
            first, share = last, 2 * share
        return found

    def _divide(self, first: int, last: int) -> tuple[list[Found], list[Rows]]:
        """Return what the runners found in their shares of the rows, and the rows of those that failed."""
        busy: list[tuple[_Seat, Rows]] = []
        found: list[Found] = []
        failed: list[Rows] = []
        for seat, rows in list(self._shares(first, last)):
            try:
                seat.runner.start(self._order(seat, rows))
                busy.append((seat, rows))
            except Exception as error:  # drivers raise anything
                failed.append(rows)
                self._dismiss(seat, error)
        while busy:
            seat, rows = busy[0]
            try:
                answer = seat.runner.take(ASK_SECONDS)
            except Exception as error:
                failed.append(rows)
                self._dismiss(seat, error)
            else:
                if answer is None:
                    self._go_on(busy)
                    continue
                rate = (self._work(rows[1]) - self._work(rows[0])) / max(answer.seconds, 1e-9)
                seat.rate = NEWEST * rate + (1 - NEWEST) * seat.rate if seat.rate else rate
                found.append(answer)
            del busy[0]
        return found, failed

    def _go_on(self, busy: list[tuple[_Seat, Rows]]) -> None:
        if self._over is not None and self._over():
            for seat, _ in busy:
                seat.runner.halt()
            raise Unfinished

    def _dismiss(self, seat: _Seat, error: Exception) -> None:
        """Go on without a runner that failed, if there are others or a spare one."""
        self._seats.remove(seat)
        if not self._seats:
            if self._spare is None:
                raise error
            self._seats, self._spare = [_Seat(self._spare())], None
        if self._note is not None:
            self._note(f"{seat.runner.name} has failed ({error}); {self._seats[0].runner.name} and others do its rows")

    def _order(self, seat: _Seat, rows: Rows) -> Order:
        tour = self._tour if seat.behind is None else None
        moves, seat.behind = tuple(seat.behind or ()), []
        return Order(*rows, tour, moves, self._kept, self._known)

    def _shares(self, first: int, last: int) -> Iterator[tuple[_Seat, Rows]]:
        """Yield each seat with its rows, if it has any."""
        rates = [seat.rate for seat in self._seats if seat.rate]
        usual, most = (sum(rates) / len(rates), max(rates)) if rates else (1.0, 1.0)
        weights = [max(seat.rate or usual, LEAST_SHARE * most) for seat in self._seats]
        begin, taken = first, 0.0
        for seat, weight in zip(self._seats, weights, strict=True):
            taken += weight
            end = last if seat is self._seats[-1] else self._row_at(first, last, taken / sum(weights))
            if end > begin:
                yield seat, (begin, end)
            begin = max(begin, end)

    def _row_at(self, first: int, last: int, share: float) -> int:
        """Return the row before which a share of the moves of rows ``first`` to ``last`` lies."""
        start, end = self._work(first), self._work(last)
        return bisect_left(range(last), start + share * (end - start), first, key=self._work)


def better(one: Found, other: Found) -> Found:
    """Return the better of two results, with the candidates of both."""
    chosen = min(one, other, key=lambda found: (found.delta, found.rank))
    tied = any(found.tied for found in (one, other) if found.delta == chosen.delta)
    candidates = sorted((*one.candidates, *other.candidates), reverse=True)[:CANDIDATES]
    return Found(chosen.delta, chosen.rank, tied, tuple(candidates), max(one.seconds, other.seconds))
