"""Element of symmetric 3-opt: chooses one of 23 arrangements of three pieces with one multiplier, in squared distances.

    a [s1..s2] [i1..i2] [r1..r2] d        ``papers/mavroidis/engine/three_opt.py`` has the arrangements

It first computes the 24 squared distances between ends of different pieces, a coordinate per cycle, through the
pipeline of the 2-opt element (operands, difference, square, sum), and holds them; then it adds up the four edges of
each arrangement, one per cycle, and keeps the first of the least sums. There is no ring for it: its segments move by
up to k positions, for which that of 2-opt has no wires.
"""

from __future__ import annotations

from typing import Any, Final

from warptour.papers.mavroidis.engine.three_opt import ARRANGEMENTS
from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.unit import Unit

ENDS: Final = ("a", "s1", "s2", "i1", "i2", "r1", "r2", "d")
EDGES: Final = [edge for each in ARRANGEMENTS for edge in each.edges]
"""The edges in the order in which they are added up."""
PAIRS: Final = sorted(set(EDGES))
"""Pairs of ends whose distances are held."""
STAGES: Final = 4
"""Cycles from the choice of operands to a sum of two squares that is held."""
CYCLES: Final = 2 * len(PAIRS) + STAGES + len(EDGES) + 1
"""Cycles from ``start`` to ``done``."""


class ThreeOptElement(Unit):
    """One element.

    The ends enter as two coordinates each, x in the lower half, and stay until ``done``, which is high for the cycle
    in which ``choice`` becomes valid: the number of an arrangement, 0 for the present one.
    """

    name = "three_opt_element"

    def __init__(self, coordinate: int = 15) -> None:
        super().__init__()
        self.coordinate = coordinate
        self.ends = {name: self.input(name, 2 * coordinate) for name in ENDS}
        self.start = self.input("start")
        self.done = self.output("done")
        self.choice = self.output("choice", (len(ARRANGEMENTS) - 1).bit_length())

    def describe(self, m: Any) -> None:
        self._step = hdl.Signal(range(CYCLES + 1), name="step", init=CYCLES)
        with m.If(self.start):
            m.d.sync += self._step.eq(0)
        with m.Elif(self._step != CYCLES):
            m.d.sync += self._step.eq(self._step + 1)
        m.d.sync += self.done.eq((self._step == CYCLES - 1) & ~self.start)
        self._choose(m, self._distances(m))

    def _distances(self, m: Any) -> list[Any]:
        """Return the held distances: pair p is complete ``STAGES`` cycles after its first operands were chosen."""
        bits, width = self.coordinate, 2 * self.coordinate + 1
        first, second = (hdl.Signal(bits, name=name, reset_less=True) for name in ("first_operand", "second_operand"))
        difference = hdl.Signal(hdl.signed(bits + 1), name="difference", reset_less=True)
        square, total = (hdl.Signal(width, name=name, reset_less=True) for name in ("square", "total"))
        held = [hdl.Signal(width, name=f"held_{p}", reset_less=True) for p in range(len(PAIRS))]
        ends = list(self.ends.values())
        with m.Switch(self._step):
            for p, pair in enumerate(PAIRS):
                for axis in (0, 1):
                    with m.Case(2 * p + axis):
                        chosen = [ends[end][axis * bits : (axis + 1) * bits] for end in pair]
                        m.d.sync += [first.eq(chosen[0]), second.eq(chosen[1])]
        m.d.sync += [difference.eq(first - second), square.eq((difference * difference)[:width])]
        with m.If(self._step[0]):
            m.d.sync += total.eq(square)
        for p, signal in enumerate(held):
            with m.If(self._step == 2 * p + STAGES):
                m.d.sync += signal.eq(total + square)
        return held

    def _choose(self, m: Any, held: list[Any]) -> None:
        """Add up the edges of one arrangement after the other, and keep the first of the least sums."""
        width = len(held[0]) + 2
        added, total, least = (hdl.Signal(width, name=name, reset_less=True) for name in ("added", "sum", "least"))
        begins = 2 * len(PAIRS) + STAGES
        with m.Switch(self._step):
            for number, edge in enumerate(EDGES):
                with m.Case(begins + number):
                    term = held[PAIRS.index(edge)]
                    m.d.comb += added.eq(term if number % 4 == 0 else total + term)
        m.d.sync += total.eq(added)
        for number in range(len(ARRANGEMENTS)):
            with m.If(self._step == begins + 4 * number + 3):
                if number == 0:
                    m.d.sync += [least.eq(added), self.choice.eq(0)]
                else:
                    with m.If(added < least):
                        m.d.sync += [least.eq(added), self.choice.eq(number)]
