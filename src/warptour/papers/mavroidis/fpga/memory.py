"""Cycles of the machine whose tour lies in a memory behind the ring, loop by loop, with the moves of the emulator.

The thesis leaves external memory to the future (section 7.1). The machine keeps only what its elements see, P + 1
lower and P + 1 upper cities; ``rtl/memory_top.py`` is this machine in hardware, and says what each step does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from warptour.papers.mavroidis.fpga.cost import EVALUATION
from warptour.papers.mavroidis.fpga.groups import groups_of
from warptour.papers.mavroidis.fpga.machine import Machine

DECIDED = 4
"""Cycles of the parities and the swaps."""


@dataclass
class MemoryMachine(Machine):
    """The machine with its clock cycles."""

    latency: int = 1  # cycles from an address to its word; the memory reads and writes a word per cycle
    cycles: int = field(default=0, init=False)  # clock cycles so far

    def loop(self) -> bool:
        """Run one loop and count its cycles: read the lower cities, the groups, write the lower cities if any moved."""
        self.cycles += self._read()
        moved = super().loop()
        self.cycles += self.elements * moved + 1
        return moved

    def swap(self, shift: int, answers: Sequence[bool]) -> None:
        """Apply the moves of a group, and count its cycles."""
        super().swap(shift, answers)
        self.cycles += self._read() + EVALUATION + DECIDED + 1
        self.cycles += self.elements * any(answers)
        if sum(answers) % 2:
            self.cycles += shift // 2 * (2 + self.latency + 1)

    def _read(self) -> int:
        """Return the cycles in which P + 1 words are read."""
        return self.elements + 1 + self.latency


def quiet_loop(n: int, elements: int, latency: int) -> int:
    """Return the cycles of a loop without moves."""
    groups = len(groups_of(n, elements))
    return (groups + 1) * (elements + 1 + latency) + groups * (EVALUATION + DECIDED + 1) + 1
