"""How far walks go in the windows of a round, and how many kicks come after them.

A walk from one long edge looks at a number of ends, at most (``kernels/window_paths.c``). Short ones pay almost
everywhere; long ones cost a hundred times as much and pay where cities lie in rows. What pays is found by trying:
levels that win more than kicks do for the effort are walked in every window, others in a few of them from time to
time. Effort is counted in cities looked at, not in seconds, so that no clock decides.
"""

from __future__ import annotations

from dataclasses import dataclass

LEVELS = (30, 90, 270, 810, 2430, 7290)
"""Ends that a walk looks at, at most."""

PROMISING = 6.0
"""A level that was never tried is, everywhere, if the one below wins so many times what kicks do."""

GUESSED = 2.0
"""One that was is taken to have won, in so many windows more, half of what the one below wins: what long walks win is
rare, and much."""

SAMPLE = 4
"""Other levels are tried in one of so many windows,"""

TRIED = 0.04
"""as long as this share of all effort goes into it."""

KEPT = 0.5
"""What the figures of a round still count in the next one."""

MIN_EFFORT = 0.1
"""Least kicks per city in a round: cutting and uniting the tour takes time too."""


@dataclass
class Credit:
    """What something won, by how many looks, in how many windows."""

    gain: float = 0.0
    evaluations: float = 0.0
    windows: float = 0.0

    @property
    def rate(self) -> float:
        """What a look won."""
        return self.gain / self.evaluations if self.evaluations else 0.0

    def add(self, other: Credit, kept: float = 1.0) -> None:
        """Add what another account has to so much of this one."""
        self.gain = kept * self.gain + other.gain
        self.evaluations = kept * self.evaluations + other.evaluations
        self.windows = kept * self.windows + other.windows


class ExchangeSelection:
    """What kicks and the levels of walks have won lately, and for how much effort."""

    def __init__(self) -> None:
        self._kicks = Credit()
        self._walks = Credit()
        self._levels = {level: Credit() for level in LEVELS}
        self._allowance = 0.0

    def plan(self, windows: int) -> dict[int, int]:
        """Return the levels of the next round, the lowest first, each with of how many windows one has it."""
        if not self._kicks.evaluations:
            return {LEVELS[0]: 1}
        plan: dict[int, int] = {}
        cost = below = 0.0
        for level, account in self._levels.items():
            cost = account.evaluations / account.windows if account.windows else 3 * cost
            individual = cost * windows / SAMPLE
            guess = Credit(GUESSED * cost * below / 2, GUESSED * cost if below else 0.0)
            guess.add(account)
            if (guess.rate if account.windows else below / PROMISING) > self._kicks.rate:
                plan[level] = 1
            elif 0 < individual <= self._allowance:
                self._allowance -= individual
                plan[level] = SAMPLE
            below = guess.rate
        return plan

    def effort(self, last: float, most: float) -> float:
        """Return the kicks per city of the next round after one of ``last``: twice as many up to ``most``.

        Where walks win more than kicks, half as many, since walks can be made but once a round.
        """
        if self._walks.gain > self._kicks.gain:
            return min(last, max(MIN_EFFORT, last / 2))
        return min(most, 2 * last)

    def enter(self, kicks: Credit, levels: dict[int, Credit]) -> None:
        """Note what a round won by kicks and by each level of walks."""
        walks = Credit()
        for level, account in levels.items():
            self._levels[level].add(account, KEPT)
            walks.add(account)
        self._walks.add(walks, KEPT)
        self._kicks.add(kicks, KEPT)
        self._allowance += TRIED * (kicks.evaluations + walks.evaluations)
