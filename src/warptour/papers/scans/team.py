"""A scan of one tour's moves that several scanners share.

The moves are in numbered rows: rows of 2-opt moves, edges for the pruned scan, blocks of 3-opt moves. Each scanner
holds the tour and returns the best move of the rows that it is given: the smallest delta and, among ties, the lowest
rank. So the best of a pass is the same however its rows are divided.

Rows are divided by the rates at which the scanners did theirs before. One that the others wait for longer than it would
take them to do its rows rests for a while: beside a GPU, a CPU's share of a pass is a fraction of a millisecond. What a
scanner that fails was given, the others do.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Final, Protocol, TypeAlias

import numpy as np

from warptour.kernels.groups import ASK_SECONDS, Over, Unfinished, go_on
from warptour.neighborhoods.move import Ints, Move
from warptour.papers.scans.runner import CANDIDATES, BestMove, Order
from warptour.search.scanning import Runner

TRIAL: Final = 0.01
"""Share of the first pass that is divided evenly among the scanners, to measure their rates."""

LEAST_SHARE: Final = 1 / 256
"""Minimum share of a scanner, so that its rate stays known."""

SLOWER, FASTER = 0.8, 0.2
"""Weights of the newest measurement in the mean rate of a scanner, if it is lower and if it is higher than the mean: a
pass waits for its last scanner, so that a slower one has to count at once."""

RESTED: Final = 50
"""Number of passes that a scanner sits out if waiting for it takes longer than its share saves. It doubles each time,
since a scanner that returns must first make the moves that it has missed."""

FIRST_ROWS: Final = 1 / 64
"""Share of the moves that is scanned first for a move of a known delta; the share scanned doubles until one is
found."""

MOST_MOVES: Final = 64
"""Maximum number of moves that a scanner without rows may be behind; beyond that it is sent the whole tour."""

RowRange: TypeAlias = tuple[int, int]
"""The first row and the last (exclusive)."""

Work: TypeAlias = Callable[[int], int]
"""Returns the number of moves before a row."""


@dataclass(eq=False)
class Account:
    """What a runner has contributed: passes (its shares of them), what its best moves gained, whether it has failed."""

    name: str
    passes: float = 0.0
    gain: float = 0.0
    failed: bool = False


@dataclass(eq=False)
class _Seat:
    """A runner, its rate, and the moves that it has to catch up on."""

    runner: Runner
    account: Account
    rate: float = 0.0  # moves per second
    # rest, next_rest: passes that it rests from now on, and once it is late again
    rest: int = 0
    next_rest: int = field(default_factory=lambda: RESTED)
    behind: list[Move] | None = None  # moves that it has yet to make; None if it needs the tour


class Applies(Protocol):
    """What a team needs of a neighbourhood."""

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour after ``move``."""


class Team:
    """Runners that share the scan of one tour.

    ``accounts``: where the runners, in this order, and the spare one after them enter what they contribute
    """

    def __init__(
        self,
        runners: Sequence[Runner],
        rows: int,
        work: Work,  # number of moves before a row: rates are in moves, or in rows where their moves are not known
        neighborhood: Applies,  # what a move does to a tour
        over: Over | None = None,  # polled every 50 ms; once true, a scan raises :class:`Unfinished`
        note: Callable[[str], None] | None = None,  # called with a sentence when a runner has failed
        spare: Callable[[], Runner] | None = None,  # makes a runner for when all have failed
        accounts: list[Account] | None = None,
        clock: Callable[[], float] = time.perf_counter,  # seconds, by which those that the others wait for are known
    ) -> None:
        self._accounts = [] if accounts is None else accounts
        self._accounts += [Account(runner.name) for runner in runners[len(self._accounts) :]]
        self._seats = [_Seat(runner, account) for runner, account in zip(runners, self._accounts, strict=False)]
        self._count = len(runners)
        self.rows = rows
        self._work = work
        self._neighborhood = neighborhood
        self._over = over
        self._note = note
        self._spare = spare
        self._clock = clock
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

    def scan(self, first: int = 0, last: int | None = None, over: Over | None = None) -> BestMove:
        """Return the best move of rows ``first`` to ``last`` (exclusive), by default of all.

        Raises :class:`Unfinished` once ``over()``, by default that of the team.
        """
        last = self.rows if last is None else last
        over = self._over if over is None else over
        go_on(over)
        undone = [(first, last)]
        if not self._tried and len(self._seats) > 1:
            self._tried, trial = True, self._row_at(first, last, TRIAL)
            undone = [(first, trial), (trial, last)]
        best, answers = BestMove(), list[tuple[BestMove, Account]]()
        while undone:
            found, failed = self._divide(*undone.pop(0), over)
            best = reduce(better, (one for one, _ in found), best)
            answers += found
            undone += failed
        for one, account in answers:
            if (one.delta, one.rank) == (best.delta, best.rank) and best.delta < 0:
                account.gain -= best.delta
                break
        return best

    def first_row(self, delta: float) -> BestMove:
        """Return what was found in the first rows that have a move of at most ``delta``."""
        first, share, found = 0, FIRST_ROWS, BestMove()
        while first < self.rows and not found.delta <= delta:
            last = self._row_at(0, self.rows, min(1.0, share))
            found = self.scan(first, last)
            first, share = last, 2 * share
        return found

    def _divide(
        self, first: int, last: int, over: Over | None
    ) -> tuple[list[tuple[BestMove, Account]], list[RowRange]]:
        """Return what the runners found in their shares of the rows, and the rows of those that failed."""
        busy: list[tuple[_Seat, RowRange]] = []
        found: list[tuple[BestMove, Account]] = []
        failed: list[RowRange] = []
        known = all(seat.rate for seat in self._seats)
        began = latest = self._clock()
        for seat, rows in list(self._shares(first, last)):
            try:
                seat.runner.start(self._order(seat, rows))
                busy.append((seat, rows))
            except Exception as error:  # drivers raise anything
                failed.append(rows)
                self._dismiss(seat, error)
        busy.sort(key=lambda one: -one[0].rate)
        while busy:
            seat, rows = busy[0]
            try:
                answer = seat.runner.take(ASK_SECONDS)
            except Exception as error:
                failed.append(rows)
                self._dismiss(seat, error)
            else:
                if answer is None:
                    if over is not None and over():
                        for other, _ in busy:
                            other.runner.halt()
                        raise Unfinished
                    continue
                work = self._work(rows[1]) - self._work(rows[0])
                rate = work / max(answer.seconds, 1e-9)
                newest = SLOWER if rate < seat.rate else FASTER
                seat.rate = newest * rate + (1 - newest) * seat.rate if seat.rate else rate
                seat.account.passes += work / self._work(self.rows)
                now = self._clock()
                saved = (latest - began) * seat.rate / sum(other.rate for other in self._seats)
                if found and known and now - latest > saved:
                    seat.rest, seat.next_rest = seat.next_rest, 2 * seat.next_rest
                latest = now
                found.append((answer, seat.account))
            del busy[0]
        return found, failed

    def _dismiss(self, seat: _Seat, error: Exception) -> None:
        """Go on without a runner that failed, if there are others or a spare one."""
        self._seats.remove(seat)
        seat.account.failed = True
        if not self._seats:
            if self._spare is None:
                raise error
            runner, self._spare = self._spare(), None
            self._accounts += [Account(runner.name)] if len(self._accounts) == self._count else []
            self._seats = [_Seat(runner, self._accounts[-1])]
        if self._note is not None:
            self._note(f"{seat.runner.name} has failed ({error}); {self._seats[0].runner.name} and others do its rows")

    def _order(self, seat: _Seat, rows: RowRange) -> Order:
        tour = self._tour if seat.behind is None else None
        moves, seat.behind = tuple(seat.behind or ()), []
        return Order(*rows, tour, moves, self._kept, self._known)

    def _shares(self, first: int, last: int) -> Iterator[tuple[_Seat, RowRange]]:
        """Yield each seat with its rows, if it has any."""
        seats = [seat for seat in self._seats if not seat.rest] or self._seats
        for seat in self._seats:
            seat.rest = max(0, seat.rest - 1)
        rates = [seat.rate for seat in seats if seat.rate]
        usual, most = (sum(rates) / len(rates), max(rates)) if rates else (1.0, 1.0)
        weights = [max(seat.rate or usual, LEAST_SHARE * most) for seat in seats]
        begin, taken = first, 0.0
        for seat, weight in zip(seats, weights, strict=True):
            taken += weight
            end = last if seat is seats[-1] else self._row_at(first, last, taken / sum(weights))
            if end > begin:
                yield seat, (begin, end)
            begin = max(begin, end)

    def _row_at(self, first: int, last: int, share: float) -> int:
        """Return the row before which a share of the moves of rows ``first`` to ``last`` lies."""
        start, end = self._work(first), self._work(last)
        return bisect_left(range(last), start + share * (end - start), first, key=self._work)


def better(one: BestMove, other: BestMove) -> BestMove:
    """Return the better of two results, with the candidates of both."""
    chosen = min(one, other, key=lambda found: (found.delta, found.rank))
    tied = any(found.tied for found in (one, other) if found.delta == chosen.delta)
    candidates = sorted((*one.candidates, *other.candidates), reverse=True)[:CANDIDATES]
    return BestMove(chosen.delta, chosen.rank, tied, tuple(candidates), max(one.seconds, other.seconds))
