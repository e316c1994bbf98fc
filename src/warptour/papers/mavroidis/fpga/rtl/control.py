"""Control: the seven steps of figure 4, and with fewer elements the shifts of figure 5.

    for each pair g of groups, shift s = 2 P g for its even group and 2 P g + 1 for its odd one:
        back      s cycles           bring the group's cities before the elements
        evaluate  12 cycles          more with roots
        parity    3 cycles
        swap      1 cycle
        forward   s cycles
        overwrite 1 cycle, if g > 0  reverse the middle, if the number of moves is odd
    rotate        1 cycle

With one pair these are 12 + 3 + 1, then 1 + 12 + 3 + 1 + 1, and 1: the 35 cycles of the thesis, which names 12 for an
evaluation and 1 for the swaps and leaves the other six unsaid. The signals to other units are registers, so those
work a cycle behind the state.
"""

from __future__ import annotations

from typing import Any

from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.parity import CYCLES
from warptour.papers.mavroidis.fpga.rtl.schedule import steps
from warptour.papers.mavroidis.fpga.rtl.unit import Unit
from warptour.papers.mavroidis.fpga.thresholds import AnnealingSchedule


class Control(Unit):
    """State machine of a run: from ``start`` until n - 1 loops in a row made no move, or ``stop``.

    ``busy`` is high for the cycles of the run, ``loops`` counts its loops, and ``boundary`` is high in a cycle in
    which the ring holds the tour between two loops. ``load`` and ``unload`` rotate the ring while not busy.
    """

    name = "control"

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.design = design
        self.start, self.load, self.unload = (self.input(name) for name in ("start", "load", "unload"))
        self.moved = self.input("moved")
        self.busy, self.boundary = self.output("busy"), self.output("boundary")
        self.loops = self.output("loops", 32)
        self.rotate, self.insert = self.output("rotate"), self.output("insert")
        self.forward, self.back = self.output("forward"), self.output("back")
        self.gate = self.output("gate")
        self.stop = hdl.Const(0)
        self.steps = {name: self.output(name) for name in steps(design) if name != "sample"}
        if design.pairs > 1:
            self.odd = self.input("odd")
            self.afresh, self.overwrite = self.output("afresh"), self.output("overwrite")
        self.outside = [self.output(name) for name in ("outside_even", "outside_odd")] if any(design.outside) else []
        if design.early is not None:
            self.stop = self.input("stop")
            self.steps["sample"] = self.output("sample")
        if design.annealing is not None:
            self.hot, self.stage = self.output("hot"), self.output("stage", design.stage_bits)
        if design.early is not None or design.annealing is not None:
            self.restart = self.output("restart")

    def describe(self, m: Any) -> None:
        design = self.design
        self._count = hdl.Signal(range(max(design.evaluation, design.reversals)), name="count")
        self._over = hdl.Signal(name="over")
        self._shift = hdl.Signal(range(2 * design.elements * design.pairs), name="shift")
        self._next_shift = hdl.Signal.like(self._shift, name="next_shift")
        self._any = hdl.Signal(name="any")
        self._quiet = hdl.Signal(range(design.n), name="quiet")
        if design.annealing is not None:
            self._level_loop = hdl.Signal(range(design.annealing.level), name="level_loop")
        m.d.comb += self._over.eq(self._count == 0)
        m.d.comb += self._next_shift.eq(self._shift + hdl.Mux(self._shift[0], 2 * design.elements - 1, 1))
        m.d.sync += self._count.eq(self._count - 1)
        if "restart" in self.outputs:
            m.d.comb += self.restart.eq(self.start & ~self.busy)
        with m.FSM(name="state") as states:
            self._states(m)
        self._to_ring(m, states)
        self._to_elements(m, states)

    def _states(self, m: Any) -> None:
        with m.State("idle"), m.If(self.start):
            m.d.sync += [self.busy.eq(1), self.loops.eq(0), self._quiet.eq(0)]
            if self.design.annealing is not None:
                m.d.sync += [self.hot.eq(1), self.stage.eq(0), self._level_loop.eq(0)]
            self._enter(m, "evaluate", self.design.evaluation)
        with m.State("evaluate"), m.If(self._over):
            self._enter(m, "parity", CYCLES)
        with m.State("parity"), m.If(self._over):
            m.next = "swap"
        with m.State("swap"):
            with m.If(self._shift == 0):
                self._next_group(m)
            with m.Else():
                self._enter(m, "forward", self._shift)
        with m.State("back"):
            m.d.sync += self._any.eq(self._any | self.moved)
            with m.If(self._over):
                self._enter(m, "evaluate", self.design.evaluation)
        with m.State("forward"):
            m.d.sync += self._any.eq(self._any | self.moved)
            with m.If(self._over):
                self._restored(m)
        if self.design.pairs > 1:
            with m.State("overwrite"):
                self._next_group(m)
        with m.State("rotate"):
            self._end_of_loop(m)

    def _enter(self, m: Any, state: str, cycles: Any) -> None:
        """Go to a state for a number of cycles."""
        m.next = state
        m.d.sync += self._count.eq(cycles - 1)

    def _restored(self, m: Any) -> None:
        """Go on when the upper part is back in place: overwrite the middle, if there is more of it than one city."""
        if self.design.pairs == 1:
            m.next = "rotate"
            return
        with m.If(self._shift == 1):
            self._next_group(m)
        with m.Else():
            m.next = "overwrite"

    def _next_group(self, m: Any) -> None:
        """Go to the odd group after an even one, to the next pair after an odd one, to ``rotate`` after the last."""
        elements, pairs = self.design.elements, self.design.pairs
        with m.If(self._shift == 2 * elements * (pairs - 1) + 1):
            m.next = "rotate"
        with m.Else():
            m.d.sync += self._shift.eq(self._next_shift)
            self._enter(m, "back", self._next_shift)

    def _end_of_loop(self, m: Any) -> None:
        n, annealing = self.design.n, self.design.annealing
        moved = self._any | self.moved
        if annealing is not None:
            moved |= self.hot
            self._cool(m, annealing)
        m.d.sync += [self.loops.eq(self.loops + 1), self._any.eq(0), self._shift.eq(0)]
        m.d.sync += self._quiet.eq(hdl.Mux(moved, 0, self._quiet + 1))
        with m.If(((self._quiet == n - 2) & ~moved) | self.stop):
            m.d.sync += self.busy.eq(0)
            m.next = "idle"
        with m.Else():
            self._enter(m, "evaluate", self.design.evaluation)

    def _cool(self, m: Any, annealing: AnnealingSchedule) -> None:
        """Count a loop of the level of temperature, and go to the next level after its last."""
        m.d.sync += self._level_loop.eq(self._level_loop + 1)
        with m.If(self._level_loop == annealing.level - 1):
            m.d.sync += [self._level_loop.eq(0), self.stage.eq(self.stage + 1)]
            with m.If(self.stage == len(annealing.temperatures) - 1):
                m.d.sync += self.hot.eq(0)

    def _to_ring(self, m: Any, states: Any) -> None:
        rotating, ended = hdl.Signal(name="rotating"), hdl.Signal(name="ended")
        m.d.comb += rotating.eq(states.ongoing("rotate") | ((self.load | self.unload) & ~self.busy))
        m.d.sync += [
            self.rotate.eq(rotating),
            self.insert.eq(self.load),
            self.forward.eq(rotating | states.ongoing("forward")),
            self.back.eq(states.ongoing("back")),
            ended.eq(states.ongoing("rotate")),
            self.boundary.eq(ended),
        ]
        if self.design.pairs > 1:
            m.d.sync += self.afresh.eq(self._count + 1 == self._shift)
            m.d.sync += self.overwrite.eq(states.ongoing("overwrite") & self.odd)

    def _to_elements(self, m: Any, states: Any) -> None:
        design = self.design
        m.d.sync += self.gate.eq(states.ongoing("parity") & self._over)
        for name, signal in self.steps.items():
            high = hdl.Cat(*(self._count == design.evaluation - 1 - step for step in sorted(steps(design)[name]))).any()
            if name == "sample":
                high &= self._shift == 0
                if design.annealing is not None:
                    high &= ~self.hot
            m.d.sync += signal.eq(high & states.ongoing("evaluate"))
        for odd, signal in enumerate(self.outside):
            m.d.sync += signal.eq(self._shift == 2 * design.elements * (design.pairs - 1) + odd)
