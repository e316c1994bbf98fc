"""Run time of the machine in hardware, in clock cycles and seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from warptour.papers.mavroidis.fpga.groups import groups_of

LOOP: Final = 35
"""Cycles of a loop of one even and one odd group in the machine that Mavroidis (2011) synthesised."""
EVALUATION: Final = 12
"""Cycles of an evaluation in it."""


@dataclass(frozen=True)
class CostModel:
    """Clock cycles per loop, and clock frequency.

    The machine that Mavroidis (2011) synthesised takes 35 cycles for the seven steps of its loop, 12 of them for each
    of the two evaluations and 1 to rotate the cities. With P < n / 4 elements the loop has several pairs of
    evaluations; each further pair g shifts the upper part 2Pg positions to the left and back around both of its
    evaluations, one cycle per position, and writes the reversed middle back in one cycle per evaluation.
    """

    # cycles of a loop with one evaluation of even and one of odd segment lengths, including their overhead
    loop: int = LOOP
    megahertz: float = 150.0  # clock frequency

    def cycles(self, loops: int, n: int, elements: int) -> int:
        """Return the clock cycles of ``loops`` loops with ``n`` cities and ``elements`` processing elements."""
        pairs = max(1, len(groups_of(n, elements)) // 2)
        shifts = sum(4 * 2 * elements * g + 2 for g in range(1, pairs))
        return loops * ((self.loop - 1) * pairs + 1 + shifts)

    def seconds(self, cycles: int) -> float:
        """Return the duration of ``cycles`` clock cycles in seconds."""
        return cycles / (self.megahertz * 1e6)
