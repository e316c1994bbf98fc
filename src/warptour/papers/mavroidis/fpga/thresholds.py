"""Annealing in hardware: random thresholds from a table, as a chain of registers hands them to the elements.

A rise is accepted with probability exp(-rise / T) if it is below the threshold -T ln(u) for u uniform in (0, 1). The
table holds the thresholds of 2^bits values of u for each temperature. A xorshift generator picks one of them in every
clock cycle; it enters a chain of registers, one per element, along which all move one element further. An element thus
sees a new threshold in each evaluation, the one that an element before it saw a few evaluations ago.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

WORD = 2**32


@dataclass(frozen=True)
class AnnealingSchedule:
    """A schedule."""

    # in the unit of the coordinates (or of their squares, if the machine compares those), one per level; then 0
    temperatures: tuple[float, ...]
    level: int  # number of loops per temperature
    seed: int = 1  # any but a multiple of 2^32
    bits: int = 8  # the table has 2^bits thresholds per temperature

    def table(self, unit: float, limit: int) -> list[int]:
        """Return the thresholds of all temperatures in ``unit`` of length, below ``limit``."""
        size = 1 << self.bits
        return [
            min(limit - 1, int(-heat * math.log((pick + 0.5) / size) / unit))
            for heat in self.temperatures
            for pick in range(size)
        ]


def xorshift(state: int) -> int:
    """Return the next state of Marsaglia's 32-bit generator."""
    state ^= state << 13 & (WORD - 1)
    state ^= state >> 17
    return state ^ (state << 5 & (WORD - 1))


class ThresholdChain:
    """The chain of thresholds, cycle by cycle."""

    def __init__(self, annealing: AnnealingSchedule, elements: int, table: list[int]) -> None:
        self.annealing = annealing
        self.table = table
        self.state = annealing.seed % WORD
        self.thresholds = deque([0] * elements, elements)

    def advance(self, cycles: int, stage: int) -> None:
        """Let ``cycles`` cycles pass at the temperature of level ``stage``."""
        bits = self.annealing.bits
        for _ in range(cycles):
            pick = self.state >> (32 - bits)
            at = (stage << bits) + pick
            self.thresholds.appendleft(self.table[at] if at < len(self.table) else 0)
            self.state = xorshift(self.state)
