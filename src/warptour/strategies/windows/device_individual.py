"""Trials whose kicks are made on a device."""

from __future__ import annotations

from warptour.search.threads import Poll
from warptour.strategies.windows.individuals import SplitIndividual
from warptour.strategies.windows.overlapping import OverlappingTeam

HOST_SHARE = 0.2
"""Of a trial's kicks, those that its thread makes in windows of the host, with the walks of a round."""

TIMES = 5.0
"""How many times as many kicks the device makes then; it takes less time for them."""


class DeviceIndividual:
    """A tour that one thread repairs and walks in, and the device kicks, one trial after the other."""

    def __init__(self, individual: SplitIndividual, team: OverlappingTeam) -> None:
        self._individual = individual
        self._team = team
        self.tour = individual.tour
        self.kicks = self.evaluations = 0

    def run(self, kicks: int, halted: Poll) -> None:
        """Repair what is dirty, then kick at least so many times in all."""
        individual = self._individual
        individual.run(max(1, int(HOST_SHARE * kicks)), halted)
        self.tour, self.kicks, self.evaluations = self._team.kick(individual.tour, int(TIMES * kicks), halted)
        self.kicks += individual.kicks
        self.evaluations += individual.evaluations
