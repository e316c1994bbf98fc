"""Breaks of drivers: where a route has them.

A break is taken at a stop before or behind its service, on the way, before the vehicle leaves or after it is back,
wherever that makes the route shortest. On a leg of length t it begins at its opening at the earliest:

    arrival = max(departure + t, opening) + length

which is what a stop without a place before the leg does that opens t earlier. So pieces of routes are joined around it
(Vidal, Crainic, Gendreau and Prins 2013). Of the pieces with all breaks but the last, the one that ends first is kept
at each stop; the last break is tried everywhere. With one break, the route is thus the shortest there is; with several,
it is feasible if it can be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from warptour.model.errors import InputError
from warptour.model.quantities import finite_number

MOST: Final = 4
"""Maximum number of breaks of a vehicle, as ``MAX_RESTS`` in ``kernels/routes/rests.h``."""


@dataclass(frozen=True)
class Break:
    """A break of a driver, which begins between two times; in seconds by the clock, or without one in its unit."""

    opens: float
    closes: float
    length: float

    def checked(self, who: str) -> Break:
        """Return the break with numbers; raise :class:`InputError` if it is none."""
        opens, length = finite_number(self.opens), finite_number(self.length)
        closes = math.inf if self.closes == math.inf else finite_number(self.closes)
        if opens is None or closes is None or length is None or opens < 0 or length <= 0:
            raise InputError(f"{who}: {self} is no break; it has hours of at least 0 and a length above 0")
        if closes < opens:
            raise InputError(f"{who}: a break cannot begin by {closes:g}, before it may, at {opens:g}")
        return Break(opens, closes, length)

    def over(self, pace: float) -> Break:
        """Return the break with times divided by ``pace``."""
        return self if pace == 1 else Break(self.opens / pace, self.closes / pace, self.length / pace)


@dataclass(frozen=True)
class DrivingRule:
    """A break after so much driving at most, wherever it is; in seconds by the clock.

    By default that of Regulation (EC) 561/2006, article 7: after at most 4.5 hours at the wheel at least 45 minutes.
    """

    most: float = 4.5 * 3600
    length: float = 45 * 60

    def checked(self, who: str) -> DrivingRule:
        """Return the rule with numbers; raise :class:`InputError` if it is none."""
        most, length = finite_number(self.most), finite_number(self.length)
        if most is None or length is None or most <= 0 or length <= 0:
            raise InputError(f"{who}: {self} is no rule; both its times are above 0")
        return DrivingRule(most, length)

    def over(self, pace: float) -> DrivingRule:
        """Return the rule with times divided by ``pace``."""
        return self if pace == 1 else DrivingRule(self.most / pace, self.length / pace)


def checked_breaks(breaks: Sequence[Break], who: str) -> tuple[Break, ...]:
    """Return the breaks of a vehicle in order; raise :class:`InputError` for what cannot be."""
    if len(breaks) > MOST:
        raise InputError(f"{who}: it has {len(breaks)} breaks; there may be {MOST}")
    return tuple(sorted((each.checked(who) for each in breaks), key=lambda each: (each.opens, each.closes)))


class Segment(NamedTuple):
    """A piece of a route, as in ``kernels/common/segments.h``."""

    duration: float
    earliest: float
    latest: float
    warp: float = 0.0

    def joined(self, travel: float, other: Segment) -> Segment:
        """Return the piece followed, ``travel`` later, by another."""
        shift = self.duration - self.warp + travel
        wait = max(other.earliest - shift - self.latest, 0.0)
        warp = max(self.earliest + shift - other.latest, 0.0)
        return Segment(
            self.duration + other.duration + travel + wait,
            max(other.earliest - shift, self.earliest) - wait,
            min(other.latest - shift, self.latest) + warp,
            self.warp + other.warp + warp,
        )


class RestedPiece(NamedTuple):
    """A piece of a route, and the leg of each break in it: -1 before the start, ``legs`` after the end."""

    piece: Segment
    at: tuple[int, ...] = ()

    def with_break(self, leg: int, travel: float, rest: Break) -> RestedPiece:
        """Return the piece followed by a break at the beginning of a leg."""
        stop = Segment(rest.length, rest.opens - travel, rest.closes)
        return RestedPiece(self.piece.joined(0.0, stop), (*self.at, leg))


def placed(stops: Sequence[Segment], legs: Sequence[float], breaks: Sequence[Break], rounding: float) -> RestedPiece:
    """Return a whole route, from its start to its end, with its breaks; the one that is late least if none is not."""
    number, count = len(breaks), len(legs)
    behind = list(stops)
    for at in range(count - 1, -1, -1):
        behind[at] = stops[at].joined(legs[at], behind[at + 1])
    due = [math.inf] * (number + 1)  # when to be back for the breaks from each on
    for k in range(number - 1, -1, -1):
        due[k] = min(breaks[k].closes, due[k + 1] - breaks[k].length)
    before, ready = [RestedPiece(stops[0])], 0.0
    for k, rest in enumerate(breaks):
        ready = max(ready, rest.opens) + rest.length
        begin = stops[0]._replace(earliest=min(max(ready, stops[0].earliest), stops[0].latest))
        before.append(RestedPiece(begin._replace(warp=max(ready - stops[0].latest, 0.0)), (-1,) * (k + 1)))
    best = RestedPiece(before[number].piece.joined(legs[0], behind[1]), before[number].at)
    for at, way in enumerate(legs):
        for k, rest in enumerate(breaks):
            rested = before[k].with_break(at, way, rest)
            if k + 1 == number:
                best = _shorter(best, RestedPiece(rested.piece.joined(way, behind[at + 1]), rested.at), rounding)
            else:
                before[k + 1] = _sooner(before[k + 1], rested, rounding)
        for k in range(number):
            if at + 1 < count:
                before[k] = before[k]._replace(piece=before[k].piece.joined(way, stops[at + 1]))
            elif due[k] >= stops[count].earliest:
                end = stops[count]._replace(latest=min(stops[count].latest, due[k]))
                after = RestedPiece(before[k].piece.joined(way, end), before[k].at + (count,) * (number - k))
                best = _shorter(best, after, rounding)
    return best


class RuledPiece(NamedTuple):
    """A piece of a route under a driving rule: driving since its last break, and the leg and way on it of each."""

    piece: Segment
    driven: float
    at: tuple[tuple[int, float], ...] = ()


def ruled(
    stops: Sequence[Segment], legs: Sequence[float], rule: DrivingRule, rounding: float
) -> tuple[Segment, tuple[tuple[int, float], ...]]:
    """Return a whole route and the leg of each break with the way to it, as late on the leg as it may be.

    Of pieces with the same number of breaks the one that ends first is kept, or that with less driving since its last.
    The breaks of a route that cannot keep its hours are where driving asks for them.
    """
    before: list[RuledPiece | None] = [RuledPiece(stops[0], 0.0), *[None] * MOST]
    rest = Segment(rule.length, -math.inf, math.inf)
    for at, way in enumerate(legs):
        for k in range(MOST, -1, -1):
            own, less = before[k], before[k - 1] if k else None
            kept = None if own is None or own.driven + way > rule.most else own._replace(driven=own.driven + way)
            left = math.inf if less is None else max(less.driven + way - rule.most, 0.0)
            if less is not None and left <= rule.most:
                rested = RuledPiece(less.piece.joined(0.0, rest), left, (*less.at, (at, way - left)))
                kept = rested if kept is None else _fresher(kept, rested, rounding)
            before[k] = kept
        for k, own in enumerate(before):
            if own is not None:
                piece = own.piece.joined(way, stops[at + 1])
                before[k] = own._replace(piece=piece) if piece.warp <= rounding else None
    whole = [own for own in before if own is not None]
    if whole:
        best = min(whole, key=lambda own: own.piece.duration)
        return best.piece, best.at
    driven, taken = 0.0, list[tuple[int, float]]()
    for at, way in enumerate(legs):
        driven += way
        while driven > rule.most:
            driven -= rule.most
            taken.append((at, way - driven))
    return stops[0], tuple(taken)


def _fresher(a: RuledPiece, b: RuledPiece, rounding: float) -> RuledPiece:
    """Return the one of two pieces that ends first, or whose driver has driven less since the last break."""
    behind = b.piece.earliest + b.piece.duration - a.piece.earliest - a.piece.duration
    return b if behind < -rounding or (behind <= rounding and b.driven < a.driven) else a


def _sooner(a: RestedPiece, b: RestedPiece, rounding: float) -> RestedPiece:
    """Return the one of two pieces that ends first, or is shorter if both end together."""
    if max(a.piece.warp, b.piece.warp) > rounding:
        return a if a.piece.warp <= b.piece.warp else b
    behind = b.piece.earliest + b.piece.duration - a.piece.earliest - a.piece.duration
    if behind > rounding or (behind >= -rounding and b.piece.duration >= a.piece.duration):
        return a
    return b


def _shorter(a: RestedPiece, b: RestedPiece, rounding: float) -> RestedPiece:
    """Return the shorter one of two routes that keep their hours, else the one that misses them least."""
    if max(a.piece.warp, b.piece.warp) > rounding:
        return a if a.piece.warp <= b.piece.warp else b
    return b if b.piece.duration < a.piece.duration else a


@dataclass(frozen=True)
class Taken:
    """A break as a day has it: behind which visit, when, and how late it begins."""

    after: int  # number of the visit that it follows, from 0 at the start; -1 before the vehicle leaves
    start: float
    end: float
    late: float = 0.0
    pause: float = 0.0  # how much later the vehicle comes to its next stop for it

    def over(self, pace: float) -> Taken:
        """Return it with times multiplied by ``pace``."""
        times = {name: getattr(self, name) * pace for name in ("start", "end", "late", "pause")}
        return replace(self, **times)
