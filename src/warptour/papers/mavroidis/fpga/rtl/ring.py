"""Register ring: one register per city in tour order, and the fixed wires on which cities move.

Positions 0 .. P-1 are the lower part, P .. n-1 the upper part; element k of P sees positions k - 1, k, 2P-1-k and
2P-k. The moves are those of the thesis:

    rotate   all cities one position up, the last to position 0 (also how cities are loaded and read)
    back     the upper part one position down, position P to n-1
    forward  the upper part one position up, n-1 to position P
    swap     cities k and 2P-1-k

With fewer than n // 4 elements (figure 5) a chain of reversal registers takes up the cities that leave position P by
``back``, so that it holds them in reverse order; ``overwrite`` puts them in place of those cities.
"""

from __future__ import annotations

from typing import Any

from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.unit import Unit


class Ring(Unit):
    """The cities.

    ``forward`` must accompany ``rotate``. ``window`` is the cities that elements see: position n-1 before the
    upper part was moved, then positions 0 .. 2P; ``last`` is what is at position n-1.
    """

    name = "register_ring"
    resets = False

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.design = design
        bits = 2 * design.coordinate
        self.rotate, self.insert = self.input("rotate"), self.input("insert")
        self.forward, self.back = self.input("forward"), self.input("back")
        self.swaps = self.input("swaps", design.elements)
        self.entering = self.input("entering", bits)
        if design.reversals:
            self.afresh, self.overwrite = self.input("afresh"), self.input("overwrite")
        self.window = self.output("window", (2 * design.elements + 2) * bits)
        self.last = self.output("last", bits)
        self.cities = [hdl.Signal(bits, name=f"city_{i}", reset_less=True) for i in range(design.n)]

    def describe(self, m: Any) -> None:
        city, elements = self.cities, self.design.elements
        top = len(city) - 1
        for i in range(elements):
            with m.If(self.rotate):
                m.d.sync += city[i].eq(city[i - 1] if i else hdl.Mux(self.insert, self.entering, city[top]))
            with m.Elif(self.swaps[i]):
                m.d.sync += city[i].eq(city[2 * elements - 1 - i])
        for i in range(elements, len(city)):
            with m.If(self.forward):
                below = city[i - 1] if i > elements else hdl.Mux(self.rotate, city[i - 1], city[top])
                m.d.sync += city[i].eq(below)
            with m.Elif(self.back):
                m.d.sync += city[i].eq(city[i + 1] if i < top else city[elements])
            if i < 2 * elements:
                mirrored = 2 * elements - 1 - i
                with m.Elif(self.swaps[mirrored]):
                    m.d.sync += city[i].eq(city[mirrored])
        before = hdl.Signal(len(city[top]), name="before", reset_less=True)
        with m.If(self.rotate):
            m.d.sync += before.eq(city[top - 1])
        m.d.comb += [self.window.eq(hdl.Cat(before, *city[: 2 * elements + 1])), self.last.eq(city[top])]
        if self.design.reversals:
            self._reverse(m)

    def _reverse(self, m: Any) -> None:
        """Add the reversal registers; ``afresh`` comes with the first ``back`` of a group."""
        count, city = self.design.reversals, self.cities[self.design.elements :]
        held = [hdl.Signal(len(city[0]), name=f"reverse_{i}", reset_less=True) for i in range(count)]
        filled = hdl.Signal(count, name="filled", reset_less=True)
        with m.If(self.back):
            m.d.sync += filled.eq(hdl.Cat(1, filled[:-1] & ~self.afresh.replicate(count - 1)))
            m.d.sync += [signal.eq(held[i - 1] if i else city[0]) for i, signal in enumerate(held)]
        with m.If(self.overwrite):
            for i, signal in enumerate(held):
                with m.If(filled[i]):
                    m.d.sync += city[i].eq(signal)
