"""Trials whose kicks are made on a device."""

from __future__ import annotations

from warptour.search.threads import Tend
from warptour.strategies.windows.individuals import SplitTrial
from warptour.strategies.windows.overlapping import CoreTeam

HOST_SHARE = 0.2
"""Of a trial's kicks, those that its thread makes in windows of the host, with the walks of a round."""

TIMES = 5.0
"""How many times as many kicks the device makes then; it takes less time for them."""


class DeviceTrial:
    """A tour that one thread repairs and walks in, and the device kicks, one trial after the other."""

    def __init__(self, trial: SplitTrial, team: CoreTeam) -> None:
        self._trial = trial
        self._team = team
        self.tour = trial.tour
        self.kicks = self.looks = 0

    def run(self, kicks: int, halted: Tend) -> None:
        """Repair what is dirty, then kick at least so many times in all."""
        trial = self._trial
        trial.run(max(1, int(HOST_SHARE * kicks)), halted)
        self.tour, self.kicks, self.looks = self._team.kick(trial.tour, int(TIMES * kicks), halted)
        self.kicks += trial.kicks
        self.looks += trial.looks
