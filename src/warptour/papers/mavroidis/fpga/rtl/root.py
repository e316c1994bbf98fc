"""Root unit: integer square roots, a binary digit per cycle in each of its stages.

Digits are found from the top as in long division: two bits of the radicand are appended to the remainder, and the
digit is 1 if four times the root so far plus 1 can be subtracted. The unit is a chain of stages; each finds
``interval`` digits of one root and passes it on, so a root enters and another leaves every ``interval`` cycles.
"""

from __future__ import annotations

from typing import Any

from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.unit import Unit


class RootUnit(Unit):
    """Root of ``square``, rounded down to ``fraction`` binary places.

    In a cycle with ``advance`` every root moves to the next stage; ``square`` enters the first. ``root`` is the
    result of the last stage, valid in the cycle of the ``advance`` that takes it away.
    """

    name = "root_unit"
    resets = False

    def __init__(self, design: Design) -> None:
        super().__init__()
        assert design.roots is not None
        self.bits, self.interval = design.root_bits, design.roots.interval
        self.square = self.input("square", 2 * design.coordinate + 2)
        self.advance = self.input("advance")
        self.root = self.output("root", self.bits)

    def describe(self, m: Any) -> None:
        bits = self.bits
        entering = [self.square, hdl.Const(0, bits), hdl.Const(0, bits)]
        for stage in range(bits // self.interval):
            now, state = self._signals(f"now_{stage}"), self._signals(f"{stage}", reset_less=True)
            for signal, new, old in zip(now, entering, state, strict=True):
                m.d.comb += signal.eq(hdl.Mux(self.advance, new, old))
            m.d.sync += [signal.eq(value) for signal, value in zip(state, self._digit(m, stage, *now), strict=True)]
            entering = state
        m.d.comb += self.root.eq(entering[2])

    def _signals(self, suffix: str, **how: bool) -> list[Any]:
        """Return signals for the rest of a radicand, the remainder and the root so far."""
        widths = {"rest": len(self.square), "remainder": self.bits, "root": self.bits}
        return [hdl.Signal(width, name=f"{name}_{suffix}", **how) for name, width in widths.items()]

    def _digit(self, m: Any, stage: int, rest: Any, remainder: Any, root: Any) -> list[Any]:
        """Return rest, remainder and root after one more digit."""
        bits = self.bits
        longer, left = hdl.Signal(bits + 2, name=f"longer_{stage}"), hdl.Signal(bits + 3, name=f"left_{stage}")
        unused = hdl.Signal(2, name=f"unused_{stage}", attrs={"keep": 1})  # names its purpose to linters
        m.d.comb += [
            longer.eq(hdl.Cat(rest[-2:], remainder)),
            left.eq(longer - hdl.Cat(hdl.Const(1, 2), root)),
            unused.eq(left[bits : bits + 2]),
        ]
        digit = ~left[-1]
        return [
            hdl.Cat(hdl.Const(0, 2), rest[:-2]),
            hdl.Mux(digit, left[:bits], longer[:bits]),
            hdl.Cat(digit, root[:-1]),
        ]
