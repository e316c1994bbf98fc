"""The machine with its tour in a memory: registers for what the elements see, and the control between the two.

    read lower    P + 1 words    positions -1 .. P-1
    for each group, shift s:
        read upper    P + 1 words    positions P+s .. 2P+s
        evaluate      12 cycles
        decide        4 cycles       parities and swaps
        judge         1 cycle
        write upper   P words        if there was a move
        reverse       s // 2 pairs   positions P .. P+s-1, if the number of moves is odd
    write lower   P words        if there was a move in any group
    rotate        1 cycle        the address of position 0 falls by one

A read takes ``latency`` cycles more, once per run of words; reversing reads two words, waits, and writes them. The
memory has a port to read and one to write, a word per cycle each. It stands for external memory without what that
adds: rows to open, refresh, bursts.
"""

from __future__ import annotations

from typing import Any

from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.element import Element
from warptour.papers.mavroidis.fpga.rtl.parity import CYCLES, Parity
from warptour.papers.mavroidis.fpga.rtl.schedule import steps
from warptour.papers.mavroidis.fpga.rtl.unit import Unit


class MemoryTop(Unit):
    """The machine, with squared distances and without annealing or early stop.

    A host writes the cities, ``city_in`` to address ``place`` in each cycle of ``load``, pulses ``start`` and waits
    until ``busy`` is low; the tour then begins at address ``base``, and ``city_out`` is what is at the ``place`` of the
    cycle before.
    """

    name = "memory_two_opt"

    def __init__(self, design: Design, latency: int = 1) -> None:
        super().__init__()
        assert (design.roots, design.annealing, design.early) == (None, None, None)
        assert latency >= 1
        self.design, self.latency = design, latency
        self.start, self.load = self.input("start"), self.input("load")
        self.city_in = self.input("city_in", 2 * design.coordinate)
        self.city_out = self.output("city_out", 2 * design.coordinate)
        self.place_in_memory = self.input("place", (design.n - 1).bit_length())
        self.busy, self.boundary = self.output("busy"), self.output("boundary")
        self.loops, self.base = self.output("loops", 32), self.output("base", (design.n - 1).bit_length())
        self.elements = [Element(design) for _ in range(design.elements)]
        self.parity = Parity(design)
        self._odd = self.parity.odd if self.parity.odd is not None else hdl.Const(0)
        self.memory = hdl.Memory(shape=2 * design.coordinate, depth=design.n, init=[])

    def describe(self, m: Any) -> None:
        n, count = self.design.n, self.design.elements
        bits = 2 * self.design.coordinate
        m.submodules.memory = self.memory
        reader, self._writer = self.memory.read_port(), self.memory.write_port()
        self._at = hdl.Signal(range(-n, 3 * n), name="at")  # position read
        m.d.comb += reader.addr.eq(self._address(m, self._at, "read"))
        self._reader, self._word = reader, reader.data
        m.d.comb += self.city_out.eq(reader.data)
        for k in range(self.latency - 1):
            later = hdl.Signal(bits, name=f"word_{k}", reset_less=True)
            m.d.sync += later.eq(self._word)
            self._word = later
        self._lower = [hdl.Signal(bits, name=f"lower_{k}", reset_less=True) for k in range(count + 1)]
        self._upper = [hdl.Signal(bits, name=f"upper_{k}", reset_less=True) for k in range(count + 1)]
        self._count = hdl.Signal(range(4 * n + 64), name="count")
        self._shift = hdl.Signal(range(2 * count * self.design.pairs + 1), name="shift")
        self._any, self._left = hdl.Signal(name="any"), hdl.Signal(range(n + 1), name="left")
        self._quiet = hdl.Signal(range(n), name="quiet")
        self._to = hdl.Signal(range(-n, 3 * n), name="to")  # position written
        m.d.comb += self._writer.addr.eq(self._address(m, self._to, "write"))
        m.d.sync += [self._count.eq(self._count + 1), self.boundary.eq(0)]
        with m.FSM(name="state") as states:
            self._states(m)
        self._evaluation(m, states)

    def _address(self, m: Any, position: Any, name: str) -> Any:
        """Return the address of a position from -1 to 2n - 1."""
        n = self.design.n
        total, address = hdl.Signal(hdl.signed(32), name=f"{name}_total"), hdl.Signal(range(n), name=f"{name}_address")
        m.d.comb += total.eq(position + self.base)
        with m.If(total >= 2 * n):
            m.d.comb += address.eq(total - 2 * n)
        with m.Elif(total >= n):
            m.d.comb += address.eq(total - n)
        with m.Elif(total < 0):
            m.d.comb += address.eq(total + n)
        with m.Else():
            m.d.comb += address.eq(total)
        return address

    def _go(self, m: Any, state: str) -> None:
        m.next = state
        m.d.sync += self._count.eq(0)

    def _states(self, m: Any) -> None:
        count, last = self.design.elements, 2 * self.design.elements * (self.design.pairs - 1) + 1
        with m.State("idle"):
            place = self.place_in_memory
            m.d.comb += [self._reader.addr.eq(place), self._writer.addr.eq(place)]
            m.d.comb += [self._writer.data.eq(self.city_in), self._writer.en.eq(self.load)]
            with m.If(self.start):
                m.d.sync += [self.busy.eq(1), self.loops.eq(0), self.base.eq(0), self._quiet.eq(0)]
                self._begin_loop(m)
        with m.State("lower"):
            self._read(m, -1, self._lower)
            with m.If(self._count == count + self.latency):
                self._go(m, "upper")
        with m.State("upper"):
            self._read(m, count + self._shift, self._upper)
            with m.If(self._count == count + self.latency):
                self._go(m, "evaluate")
        with m.State("evaluate"), m.If(self._count == self.design.evaluation - 1):
            self._go(m, "decide")
        with m.State("decide"), m.If(self._count == CYCLES):
            self._go(m, "judge")
        with m.State("judge"):
            with m.If(self.parity.moved):
                m.d.sync += self._any.eq(1)
                self._go(m, "store")
            with m.Else():
                self._next_group(m, last)
        with m.State("store"):
            self._write(m, count + self._shift, self._upper)
            with m.If(self._count == count - 1):
                with m.If(self._odd & (self._shift > 1)):
                    m.d.sync += self._left.eq(self._shift >> 1)
                    self._go(m, "reverse")
                with m.Else():
                    self._next_group(m, last)
        with m.State("reverse"):
            self._reverse(m, last)
        with m.State("keep"):
            self._write(m, hdl.Const(0, 1), self._lower[1:])
            with m.If(self._count == count - 1):
                self._go(m, "rotate")
        with m.State("rotate"):
            self._end_of_loop(m)

    def _begin_loop(self, m: Any) -> None:
        m.d.sync += [self._shift.eq(0), self._any.eq(0)]
        self._go(m, "lower")

    def _read(self, m: Any, first: Any, row: list[Any]) -> None:
        """Read P + 1 words from position ``first`` on; they enter at the end of a row of registers."""
        m.d.comb += self._at.eq(first + hdl.Mux(self._count > self.design.elements, 0, self._count))
        with m.If(self._count >= self.latency):
            m.d.sync += [signal.eq(after) for signal, after in zip(row, [*row[1:], self._word], strict=True)]

    def _write(self, m: Any, first: Any, row: list[Any]) -> None:
        """Write P words to position ``first`` on, from the beginning of a row of registers, which turns."""
        m.d.comb += [self._to.eq(first + self._count), self._writer.data.eq(row[0]), self._writer.en.eq(1)]
        m.d.sync += [signal.eq(after) for signal, after in zip(row, [*row[1:], row[0]], strict=True)]

    def _next_group(self, m: Any, last: int) -> None:
        with m.If(self._shift != last):
            m.d.sync += self._shift.eq(self._shift + hdl.Mux(self._shift[0], 2 * self.design.elements - 1, 1))
            self._go(m, "upper")
        with m.Elif(self._any | self.parity.moved):
            self._go(m, "keep")
        with m.Else():
            self._go(m, "rotate")

    def _reverse(self, m: Any, last: int) -> None:
        """Swap the outermost pair of the middle that is left: read both words, and write each where the other was."""
        count, done = self.design.elements, self._count == self.latency + 2
        inner = (self._shift >> 1) - self._left
        near, far = count + inner, count + self._shift - 1 - inner
        held = hdl.Signal(len(self._word), name="held", reset_less=True)
        m.d.comb += [self._at.eq(hdl.Mux(self._count == 0, near, far)), self._writer.data.eq(self._word)]
        with m.If(self._count == self.latency):
            m.d.sync += held.eq(self._word)
        with m.If(self._count == self.latency + 1):
            m.d.comb += [self._to.eq(near), self._writer.en.eq(1)]
        with m.If(done):
            m.d.comb += [self._to.eq(far), self._writer.en.eq(1), self._writer.data.eq(held)]
            m.d.sync += [self._left.eq(self._left - 1), self._count.eq(0)]
            with m.If(self._left == 1):
                self._next_group(m, last)

    def _end_of_loop(self, m: Any) -> None:
        n = self.design.n
        m.d.sync += [self.loops.eq(self.loops + 1), self.boundary.eq(1)]
        m.d.sync += self.base.eq(hdl.Mux(self.base == 0, n - 1, self.base - 1))
        m.d.sync += self._quiet.eq(hdl.Mux(self._any, 0, self._quiet + 1))
        with m.If((self._quiet == n - 2) & ~self._any):
            m.d.sync += self.busy.eq(0)
            m.next = "idle"
        with m.Else():
            self._begin_loop(m)

    def _evaluation(self, m: Any, states: Any) -> None:
        """Wire elements and parities to the registers, and swap those in the cycle that the parities say."""
        design, count = self.design, self.design.elements
        evaluating = states.ongoing("evaluate")
        signals = {}
        for name, at in steps(design).items():
            signals[name] = hdl.Signal(name=name)
            early = hdl.Cat(*(self._count == step for step in sorted(at))).any()
            m.d.comb += signals[name].eq(evaluating & early)
        window = [*self._lower, *self._upper]
        last = 2 * count * (design.pairs - 1)
        for k, element in enumerate(self.elements):
            for name, place in zip("abcd", (k, k + 1, 2 * count - k, 2 * count + 1 - k), strict=True):
                m.d.comb += element.cities[name].eq(window[place])
            m.d.comb += [signal.eq(signals[name]) for name, signal in element.steps.items()]
            if any(design.outside):
                barred = [self._shift == last + odd for odd, first in enumerate(design.outside) if k < first]
                m.d.comb += element.barred.eq(hdl.Cat(*barred).any() if barred else 0)
            m.submodules[f"element_{k}"] = element.body
        m.submodules.parity = self.parity.body
        m.d.comb += self.parity.yes.eq(hdl.Cat(*(element.yes for element in self.elements)))
        m.d.comb += self.parity.gate.eq(states.ongoing("decide") & (self._count == CYCLES - 1))

        for k in range(count):
            with m.If(self.parity.swaps[k]):
                low, high = self._lower[k + 1], self._upper[count - 1 - k]
                m.d.sync += [low.eq(high), high.eq(low)]
