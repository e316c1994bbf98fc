"""How far walks go in the windows of a round, and how many kicks come after them.

A walk from one long edge looks at a number of ends, at most (``kernels/window_walk.c``). Short ones pay almost
everywhere; long ones cost a hundred times as much and pay where cities lie in rows. What pays is found by trying:
levels that win more than kicks do for the effort are walked in every window, others in a few of them from time to
time. Effort is counted in cities looked at, not in seconds, so that no clock decides.

Short walks start only where the tour has changed since the last ones; long ones reach too far for that.
"""

from __future__ import annotations

from dataclasses import dataclass

LEVELS = (30, 90, 270, 810, 2430, 7290)
"""Ends that a walk looks at, at most."""

LONG = 270
"""Walks from this level on have windows of their own, several times as large."""

PULLS = 0.1, 0.2, 0.4
"""How much short walks are pulled to where they must close, in turns."""

PROMISING = 5.0, 10.0
"""A level that was never tried is, in a few windows or in all, if the one below wins so many times what kicks do."""

PAYS = 1.5
"""One that was tried pays if it wins so many times what kicks do, for some of that kicks would find later."""

GUESSED = 0.15
"""To what it won half of what the one below wins is added, for so many tours: what long walks win is rare, and much."""

SAMPLE = 4
"""A few windows: one of so many."""

TRIED = 0.05
"""Levels that do not pay are tried again in a few windows when their effort is no more than this share of all since."""

KEPT = 0.5
"""What the figures of a level still count when it is walked again."""

KICKS_KEPT = 0.25
"""What those of kicks count in the next round: they win less and less, and that must show."""

KICKS_SHARE = 0.25
"""Least effort of the kicks of a round, as a share of that of its walks."""

LEAST_EFFORT = 0.1
"""Least kicks per city in a round: cutting and uniting the tour takes time too."""


def pull(level: int, number: int) -> float:
    """Return how much the walks of a round are pulled to where they must close: long ones less, to go farther."""
    return PULLS[number % len(PULLS)] * float((LEVELS[0] / level) ** (1 / 3))


@dataclass
class Account:
    """What something won, by how many looks, in windows that are how many tours together."""

    gain: float = 0.0
    looks: float = 0.0
    tours: float = 0.0

    @property
    def rate(self) -> float:
        """What a look won."""
        return self.gain / self.looks if self.looks else 0.0

    def add(self, other: Account, kept: float = 1.0) -> None:
        """Add what another account has to so much of this one."""
        self.gain = kept * self.gain + other.gain
        self.looks = kept * self.looks + other.looks
        self.tours = kept * self.tours + other.tours


class Ledger:
    """What kicks and the levels of walks have won lately, and for how much effort."""

    def __init__(self) -> None:
        self._kicks = Account()
        self._walks = Account()
        self._last = Account()
        self._levels = {level: Account() for level in LEVELS}
        self._since = dict.fromkeys(LEVELS, 0.0)

    def plan(self) -> dict[int, int]:
        """Return the levels of the next round, the lowest first, each with of how many windows one has it."""
        if not self._kicks.looks:
            return {LEVELS[0]: 1}
        plan: dict[int, int] = {}
        cost = below = 0.0
        for level, account in self._levels.items():
            cost = account.looks / account.tours if account.tours else 3 * cost
            guess = Account(GUESSED * cost * below / 2, GUESSED * cost if below else 0.0)
            guess.add(account)
            few, all_of_them = (PAYS, PAYS) if account.tours else PROMISING
            rate = guess.rate if account.tours else below
            if rate > all_of_them:
                plan[level] = 1
            elif rate > few or 0 < cost / SAMPLE <= TRIED * self._since[level]:
                plan[level] = SAMPLE
            below = guess.rate
            if not account.tours:
                break
        return plan

    def effort(self, last: float, most: float) -> float:
        """Return the kicks per city of the next round after one of ``last``: twice as many up to ``most``.

        Where walks win more than kicks, half as many, since walks are made but once a round; yet not too few, for walks
        find nothing where nothing has changed.
        """
        if self._walks.gain > self._last.gain:
            least = KICKS_SHARE * last * self._walks.looks / max(1.0, self._last.looks)
            return min(most, max(LEAST_EFFORT, last / 2, least))
        return min(most, 2 * last)

    def enter(self, kicks: Account, levels: dict[int, Account]) -> None:
        """Note what a round won by kicks and, kept as a multiple of what kicks won then, by each level of walks."""
        self._last = kicks
        self._kicks.add(kicks, KICKS_KEPT)
        rate = self._kicks.rate
        walks = Account()
        for level, account in levels.items():
            worth = account.gain / rate if rate > 0 else 2 * PAYS * account.looks * (account.gain > 0)
            self._levels[level].add(Account(worth, account.looks, account.tours), KEPT)
            walks.add(account)
        self._walks = walks
        for level in LEVELS:
            self._since[level] = 0.0 if level in levels else self._since[level] + kicks.looks + walks.looks
