"""Source of random thresholds: generator, table and chain, as ``thresholds.py`` describes them."""

from __future__ import annotations

from typing import Any

from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.unit import Unit
from warptour.papers.mavroidis.fpga.thresholds import WORD, xorshift


class ThresholdSource(Unit):
    """What the sum of each element starts at: a threshold less 1.

    ``restart`` starts the random numbers anew; ``stage`` is the level of temperature while it is above 0, ``hot``.
    """

    name = "threshold_source"

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.design = design
        self.restart, self.hot = self.input("restart"), self.input("hot")
        self.stage = self.input("stage", design.stage_bits)
        self.starts = self.output("starts", design.elements * design.sum_bits)

    def describe(self, m: Any) -> None:
        design = self.design
        assert design.annealing is not None
        seed, bits = design.annealing.seed % WORD, design.annealing.bits
        width = design.sum_bits
        cold = (1 << width) - 1
        rows = [(threshold - 1) & cold for threshold in design.thresholds]
        table = hdl.Memory(shape=width, depth=1 << (bits + design.stage_bits), init=rows)
        m.submodules.thresholds = table
        port = table.read_port()
        state, hot = hdl.Signal(32, name="state", init=seed), hdl.Signal(name="was_hot")
        m.d.comb += port.addr.eq(hdl.Cat(state[32 - bits :], self.stage))
        m.d.sync += [state.eq(_next(state)), hot.eq(self.hot)]
        chain = [hdl.Signal(width, name=f"start_{k}", init=cold) for k in range(design.elements)]
        m.d.sync += [signal.eq(chain[k - 1] if k else hdl.Mux(hot, port.data, cold)) for k, signal in enumerate(chain)]
        with m.If(self.restart):
            m.d.sync += [state.eq(seed), hot.eq(0), *(signal.eq(cold) for signal in chain)]
        m.d.comb += self.starts.eq(hdl.Cat(*chain))


def _next(state: Any) -> Any:
    """Return the next state: each bit of it is the parity of the bits of the old that the linear map xorshift names."""
    columns = [xorshift(1 << bit) for bit in range(32)]
    return hdl.Cat(*((state & sum(1 << i for i in range(32) if columns[i] >> bit & 1)).xor() for bit in range(32)))
