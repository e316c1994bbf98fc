"""Adaptive operator selection between kicks and alternating-path exchanges of growing length.

A path from one long edge evaluates a limited number of ends (``kernels/tours/window_paths.c``). Short paths pay almost
everywhere; long ones cost a hundred times as much and pay where cities lie in rows. Each length earns credit for its
gain per evaluation: lengths that gain more than kicks are applied in every window, others now and then in a sample.
Effort is counted in evaluations, not in seconds, so no clock decides.
"""

from __future__ import annotations

from dataclasses import dataclass

LEVELS = (30, 90, 270, 810, 2430, 7290)
"""Path lengths: maximum number of ends that one path evaluates."""

PULLS = 0.1, 0.2, 0.4
"""Weights of the distance to the first city in the search for alternating paths, one per round in turn."""

PROMISING = 6.0
"""An untried level is tried everywhere if the level below gains this many times as much per evaluation as kicks."""

PRIOR_WINDOWS = 2.0
"""Prior for a level that has been tried: this many extra windows at half the gain of the level below. Long exchanges
pay rarely, but well."""

SAMPLE = 4
"""Levels that gain less than kicks are tried in one window of this many."""

SAMPLE_SHARE = 0.04
"""Maximum share of all evaluations that goes into trying such levels."""

DECAY = 0.5
"""Weight of earlier rounds in the credit after one more round."""

MIN_EFFORT = 0.1
"""Minimum kicks per city in a round, since splitting the tour and subtour repair take time too."""


@dataclass
class Credit:
    """Gain of an operator, its evaluations, and the windows in which it was applied."""

    gain: float = 0.0
    evaluations: float = 0.0
    windows: float = 0.0

    @property
    def rate(self) -> float:
        """Gain per evaluation."""
        return self.gain / self.evaluations if self.evaluations else 0.0

    def add(self, other: Credit, decay: float = 1.0) -> None:
        """Multiply this credit by ``decay`` and add another."""
        self.gain = decay * self.gain + other.gain
        self.evaluations = decay * self.evaluations + other.evaluations
        self.windows = decay * self.windows + other.windows


class ExchangeSelection:
    """Credit of kicks and of each path length, and the plan that follows from it."""

    def __init__(self) -> None:
        self._kicks = Credit()
        self._paths = Credit()
        self._levels = {level: Credit() for level in LEVELS}
        self._allowance = 0.0

    def plan(self, windows: int) -> dict[int, int]:
        """Return the path lengths of the next round, the shortest first, each with k: one window in k has it."""
        if not self._kicks.evaluations:
            return {} if self._paths.evaluations else {LEVELS[0]: 1}
        plan: dict[int, int] = {}
        cost = below = 0.0
        for level, credit in self._levels.items():
            cost = credit.evaluations / credit.windows if credit.windows else 3 * cost
            sampling = cost * windows / SAMPLE
            guess = Credit(PRIOR_WINDOWS * cost * below / 2, PRIOR_WINDOWS * cost if below else 0.0)
            guess.add(credit)
            if (guess.rate if credit.windows else below / PROMISING) > self._kicks.rate:
                plan[level] = 1
            elif 0 < sampling <= self._allowance:
                self._allowance -= sampling
                plan[level] = SAMPLE
            below = guess.rate
        return plan

    def effort(self, last: float, most: float) -> float:
        """Return the kicks per city of the next round: twice those of the ``last``, up to ``most``.

        Where exchanges gain more than kicks, half as many, since a round has only one pass of exchanges.
        """
        if self._paths.gain > self._kicks.gain:
            return min(last, max(MIN_EFFORT, last / 2))
        return min(most, 2 * last)

    def reward(self, kicks: Credit, levels: dict[int, Credit]) -> None:
        """Credit kicks and each path length with their part in a round."""
        paths = Credit()
        for level, credit in levels.items():
            self._levels[level].add(credit, DECAY)
            paths.add(credit)
        self._paths.add(paths, DECAY)
        self._kicks.add(kicks, DECAY)
        self._allowance += SAMPLE_SHARE * (kicks.evaluations + paths.evaluations)
