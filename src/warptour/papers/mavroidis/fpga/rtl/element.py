"""Processing element: evaluates one 2-opt move with one multiplier, and says whether to make it.

    a-b ... c-d  ->  a-c ... b-d

The distances a-b, d-c, a-c and d-b are summed one after the other, the first two negative, through a pipeline that
takes one coordinate per cycle: operands, difference, square, sum. The sum begins at -1 and is complemented after
the first two, since -1 + r becomes -r; so the adder only adds. The element of the thesis compares squared distances
and decides in its twelfth cycle:

    cycle       0   1   2   3   4   5   6   7   8   9  10  11
    distance   a-b a-b d-c d-c a-c a-c d-b d-b
    operands    x   y   x   y   x   y   x   y
    difference      x   y   x   y   x   y   x   y
    square              x   y   x   y   x   y   x   y
    sum                -1  +x  +y  +x  +y ~+x  +y  +x  +y
    decision                                                .

With a root unit, the two squares of a distance are added first, and the roots are summed as they leave the unit.
"""

from __future__ import annotations

from typing import Any

from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.root import RootUnit
from warptour.papers.mavroidis.fpga.rtl.schedule import steps
from warptour.papers.mavroidis.fpga.rtl.unit import Unit


class Element(Unit):
    """One processing element.

    Cities a, b, c and d enter as two coordinates each, x in the lower half; the control says when to do what
    (``schedule.py``). ``start`` is what the sum begins at, -1 plus a threshold. ``yes`` is the last decision. A tapped
    element puts out the length of a-b, less 1 without root units, in the cycle that the control marks with ``sample``.
    """

    def __init__(self, design: Design, *, tapped: bool = False) -> None:
        super().__init__()
        self.design = design
        self.name = "tapped_element" if tapped else "processing_element"
        self.cities = {name: self.input(name, 2 * design.coordinate) for name in "abcd"}
        self.steps = {name: self.input(name) for name in steps(design) if name != "sample"}
        self.barred = self.input("barred") if any(design.outside) else hdl.Const(0)
        self.start = self.input("start", design.sum_bits) if design.annealing else hdl.Const(-1, design.sum_bits)
        self.yes = self.output("yes")
        self.edge_length = self.output("edge_length", design.edge_bits) if tapped else None

    def describe(self, m: Any) -> None:
        when = self.steps
        total = hdl.Signal(self.design.sum_bits, name="total", reset_less=True)
        square = self._square(m)
        term = square if self.design.roots is None else self._root(m, square)
        with m.If(when.get("collect", 1)):
            m.d.sync += total.eq((total ^ when["flip"].replicate(len(total))) + term)
        with m.If(when["clear"]):
            m.d.sync += total.eq(self.start)
        with m.If(when["decide"]):
            m.d.sync += self.yes.eq(total[-1] & ~self.barred)
        if self.edge_length is not None:
            m.d.comb += self.edge_length.eq(total if self.design.roots is None else term)

    def _square(self, m: Any) -> Any:
        """Return the square of a difference of coordinates, three cycles after its operands were chosen."""
        bits, when = self.design.coordinate, self.steps
        first, second = (hdl.Signal(bits, name=name, reset_less=True) for name in ("first_operand", "second_operand"))
        a, b, c, d = (hdl.Mux(when["take_y"], city[bits:], city[:bits]) for city in self.cities.values())
        difference = hdl.Signal(hdl.signed(bits + 1), name="difference", reset_less=True)
        square = hdl.Signal(2 * bits + 2, name="square", reset_less=True)
        m.d.sync += [
            first.eq(hdl.Mux(when["take_d"], d, a)),
            second.eq(hdl.Mux(when["take_c"], c, b)),
            difference.eq(first - second),
            square.eq(difference * difference),
        ]
        return square

    def _root(self, m: Any, square: Any) -> Any:
        """Return the distance: the root of the sum of two squares."""
        both = hdl.Signal(len(square), name="both", reset_less=True)
        m.d.sync += both.eq(hdl.Mux(self.steps["first"], 0, both) + square)
        root = RootUnit(self.design)
        m.d.comb += [root.square.eq(both), root.advance.eq(self.steps["advance"])]
        root.place(m, "root_unit", instance=self.design.instances)
        return root.root
