"""Parity of decisions: which mirrored pairs of cities to swap, in three cycles whatever the number of elements.

Pair k is swapped if an odd number of the elements 0 .. k said yes. The first cycle adds up within blocks of about the
cube root of the number of elements, the second over the blocks of a group, the third over the groups.
"""

from __future__ import annotations

from functools import reduce
from operator import or_, xor
from typing import Any, Final

from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.unit import Unit

CYCLES: Final = 3
"""Cycles from decisions to swaps."""


class Parity(Unit):
    """Swaps from decisions.

    ``swaps`` is not zero in the cycle after ``gate`` only; ``odd`` (whether the number of moves is odd) and
    ``moved`` (whether there was one) keep their values until the next.
    """

    name = "parity"

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.yes = self.input("yes", design.elements)
        self.gate = self.input("gate")
        self.swaps = self.output("swaps", design.elements)
        self.moved = self.output("moved")
        self.odd = self.output("odd") if design.pairs > 1 else None

    def describe(self, m: Any) -> None:
        count = len(self.yes)
        block = next(size for size in range(1, count + 1) if size**CYCLES >= count)
        parity, some = list(self.yes), list(self.yes)
        for stage in range(CYCLES):
            parity = _prefixes(parity, block**stage, block)
            some = [reduce(or_, some[at : at + block]) for at in range(0, len(some), block)]
            if stage < CYCLES - 1:
                parity = _held(m, f"parity_{stage}", parity)
                some = _held(m, f"some_{stage}", some)
        m.d.sync += self.swaps.eq(hdl.Cat(*parity) & self.gate.replicate(count))
        with m.If(self.gate):
            m.d.sync += self.moved.eq(some[0])
            if self.odd is not None:
                m.d.sync += self.odd.eq(parity[-1])


def _held(m: Any, name: str, values: list[Any]) -> list[Any]:
    """Return registers of the values."""
    held = hdl.Signal(len(values), name=name, reset_less=True)
    m.d.sync += held.eq(hdl.Cat(*values))
    return list(held)


def _prefixes(values: list[Any], size: int, block: int) -> list[Any]:
    """Return the prefix parities of blocks of ``block`` runs, from those of runs of ``size`` values."""
    sums = []
    for at, value in enumerate(values):
        run = at // size
        totals = [values[(before + 1) * size - 1] for before in range(run - run % block, run)]
        sums.append(reduce(xor, totals, value))
    return sums
