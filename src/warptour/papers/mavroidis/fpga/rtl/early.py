"""Early stop: ends the run when n - 1 loops shortened the tour by less than a fraction 2^-early of its length.

The first evaluation of a loop computes the edge before position 0. A loop moves the tour on by one position, so the
sum of these edges over n - 1 loops is the length of the tour less an edge, as it was while it passed by.
"""

from __future__ import annotations

from typing import Any

from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.unit import Unit


class EarlyStop(Unit):
    """``stop`` is valid three cycles after ``sample``, and holds until the next."""

    name = "early_stop"

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.design = design
        self.restart, self.sample = self.input("restart"), self.input("sample")
        self.edge_length = self.input("edge_length", design.edge_bits)
        self.stop = self.output("stop")

    def describe(self, m: Any) -> None:
        loops, fraction = self.design.n - 1, self.design.early
        width = len(self.edge_length) + loops.bit_length()
        empty = loops if self.design.roots is None else 0  # squared edges come less 1
        length, previous = hdl.Signal(width, name="length"), hdl.Signal(width, name="previous")
        gain, least = (hdl.Signal(hdl.signed(width + 1), name=name, reset_less=True) for name in ("gain", "least"))
        count = hdl.Signal(range(loops), name="count")
        known, ended, compared = (hdl.Signal(name=name) for name in ("known", "ended", "compared"))
        m.d.sync += [ended.eq(0), compared.eq(ended)]
        with m.If(self.sample):
            m.d.sync += [length.eq(length + self.edge_length), count.eq(count + 1)]
            with m.If(count == loops - 1):
                m.d.sync += [count.eq(0), ended.eq(1)]
        with m.If(ended):
            m.d.sync += [gain.eq(previous - length), least.eq(length >> fraction)]
        with m.If(compared):
            m.d.sync += [self.stop.eq(known & (gain < least)), previous.eq(length)]
            m.d.sync += [known.eq(1), length.eq(empty)]
        with m.If(self.restart):
            m.d.sync += [length.eq(empty), count.eq(0), known.eq(0), self.stop.eq(0)]
