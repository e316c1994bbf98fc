"""The machine: ring, elements, parity and control, and the optional units, wired together."""

from __future__ import annotations

from typing import Any

from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.annealing import ThresholdSource
from warptour.papers.mavroidis.fpga.rtl.control import Control
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.early import EarlyStop
from warptour.papers.mavroidis.fpga.rtl.element import Element
from warptour.papers.mavroidis.fpga.rtl.parity import Parity
from warptour.papers.mavroidis.fpga.rtl.ring import Ring
from warptour.papers.mavroidis.fpga.rtl.root import RootUnit
from warptour.papers.mavroidis.fpga.rtl.unit import Unit


class Top(Unit):
    """A machine with a word-wide port to a host.

    Load the cities last to first, one per cycle with ``load``; pulse ``start``; wait until ``busy`` is low. The tour
    then leaves at ``city_out``, last to first: the cycle after the next has the next city for each cycle of
    ``unload``. A city is its two coordinates, x in the lower half.
    """

    name = "symmetric_two_opt"

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.design = design
        bits = 2 * design.coordinate
        self.city_in, self.city_out = self.input("city_in", bits), self.output("city_out", bits)
        for name in ("start", "load", "unload"):
            self.input(name)
        for name, width in (("busy", 1), ("boundary", 1), ("loops", 32)):
            self.output(name, width)
        self.ring, self.control, self.parity = Ring(design), Control(design), Parity(design)
        self.elements = [Element(design, tapped=k == 0 and design.early is not None) for k in range(design.elements)]
        self.source = ThresholdSource(design) if design.annealing is not None else None
        self.early = EarlyStop(design) if design.early is not None else None

    @property
    def units(self) -> list[Unit]:
        """Units below the top, one of each kind."""
        units = [self.control, self.ring, self.parity, self.source, self.early, *self.elements]
        kinds = {unit.name: unit for unit in units if unit is not None}
        roots = [RootUnit(self.design)] if self.design.roots is not None else []
        return [*roots, *kinds.values()]

    def describe(self, m: Any) -> None:
        ring, control, parity = self.ring, self.control, self.parity
        _connect(m, self.inputs, control.inputs)
        _connect(m, control.outputs, self.outputs)
        _connect(m, control.outputs, ring.inputs)
        _connect(m, control.outputs, parity.inputs)
        _connect(m, parity.outputs, ring.inputs)
        _connect(m, parity.outputs, control.inputs)
        m.d.sync += ring.entering.eq(self.city_in)
        m.d.comb += self.city_out.eq(ring.last)
        m.d.comb += parity.yes.eq(hdl.Cat(*(element.yes for element in self.elements)))
        for unit in (ring, control, parity):
            unit.place(m, unit.name, instance=self.design.instances)
        for k, element in enumerate(self.elements):
            self._wire(m, k, element)
        if self.source is not None:
            _connect(m, control.outputs, self.source.inputs)
            self.source.place(m, self.source.name, instance=self.design.instances)
        if self.early is not None:
            _connect(m, control.outputs, self.early.inputs)
            _connect(m, self.elements[0].outputs, self.early.inputs)
            _connect(m, self.early.outputs, control.inputs)
            self.early.place(m, self.early.name, instance=self.design.instances)

    def _wire(self, m: Any, k: int, element: Element) -> None:
        """Place element k, with the control and its four cities in the window of the ring."""
        design, count = self.design, self.design.elements
        bits, width = 2 * design.coordinate, design.sum_bits
        for name, position in zip("abcd", (k, k + 1, 2 * count - k, 2 * count + 1 - k), strict=True):
            m.d.comb += element.cities[name].eq(self.ring.window[position * bits : (position + 1) * bits])
        _connect(m, self.control.outputs, element.inputs)
        if self.control.outside:
            barred = [signal for signal, first in zip(self.control.outside, design.outside, strict=True) if k < first]
            m.d.comb += element.barred.eq(hdl.Cat(*barred).any() if barred else 0)
        if self.source is not None:
            m.d.comb += element.start.eq(self.source.starts[k * width : (k + 1) * width])
        element.place(m, f"element_{k}", instance=design.instances)


def _connect(m: Any, drivers: dict[str, Any], driven: dict[str, Any]) -> None:
    """Connect ports of the same name."""
    m.d.comb += [driven[name].eq(drivers[name]) for name in driven if name in drivers]
