"""What a loop of the machine takes in hardware."""

from __future__ import annotations

from dataclasses import dataclass

from warptour.fpga.machine import groups_of


@dataclass(frozen=True)
class CostModel:
    """Clock cycles of a loop, and the clock.

    The machine that Mavroidis (2011) synthesised takes 35 cycles for the seven steps of its loop, 12 of them for each
    of the two evaluations. With fewer elements than a quarter of the cities the loop has several pairs of evaluations;
    further pair g shifts the upper part by 2Pg places to the left and back, a cycle a place, around both of its
    evaluations, and writes the reversed middle back in one cycle each.

    Attributes
    ----------
    pair : int
        Cycles of an evaluation of even and one of odd lengths with all that goes with them.
    megahertz : float
    """

    pair: int = 35
    megahertz: float = 150.0

    def cycles(self, loops: int, n: int, elements: int) -> int:
        """Return the clock cycles of so many loops with ``n`` cities and so many processing elements."""
        pairs = len(groups_of(n, elements)) // 2
        shifts = sum(4 * 2 * elements * g + 2 for g in range(1, pairs))
        return loops * (self.pair * max(1, pairs) + shifts)

    def seconds(self, cycles: int) -> float:
        """Return how long so many cycles are."""
        return cycles / (self.megahertz * 1e6)
