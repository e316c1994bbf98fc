"""Run time of the machine in hardware, in clock cycles and seconds."""

from __future__ import annotations

from dataclasses import dataclass

from warptour.fpga.machine import groups_of


@dataclass(frozen=True)
class CostModel:
    """Clock cycles per loop, and clock frequency.

    The machine that Mavroidis (2011) synthesised takes 35 cycles for the seven steps of its loop, 12 of them for each
    of the two evaluations. With P < n / 4 elements the loop has several pairs of evaluations; each further pair g
    shifts the upper part 2Pg positions to the left and back around both of its evaluations, one cycle per position,
    and writes the reversed middle back in one cycle per evaluation.

    Attributes
    ----------
    pair : int
        Cycles of one evaluation of even and one of odd segment lengths, including their overhead.
    megahertz : float
        Clock frequency.
    """

    pair: int = 35
    megahertz: float = 150.0

    def cycles(self, loops: int, n: int, elements: int) -> int:
        """Return the clock cycles of ``loops`` loops with ``n`` cities and ``elements`` processing elements."""
        pairs = len(groups_of(n, elements)) // 2
        shifts = sum(4 * 2 * elements * g + 2 for g in range(1, pairs))
        return loops * (self.pair * max(1, pairs) + shifts)

    def seconds(self, cycles: int) -> float:
        """Return the duration of ``cycles`` clock cycles in seconds."""
        return cycles / (self.megahertz * 1e6)
