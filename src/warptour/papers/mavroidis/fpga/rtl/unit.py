"""A unit of the design: named ports and what is inside."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from warptour.papers.mavroidis.fpga.rtl import hdl


class Unit:
    """A hardware module: a subclass declares ports when it is made, and describes the inside when asked to.

    ``resets``: whether any of its registers has a reset
    ``inputs``, ``outputs``: signals by port name
    """

    name: str  # name of the Verilog module
    resets = True

    def __init__(self) -> None:
        self.inputs: dict[str, Any] = {}
        self.outputs: dict[str, Any] = {}

    def describe(self, m: Any) -> None:
        """Add the logic to the Amaranth module ``m``."""
        raise NotImplementedError

    @cached_property
    def body(self) -> Any:
        """The Amaranth module."""
        m = hdl.Module()
        self.describe(m)
        return m

    def input(self, name: str, width: int = 1) -> Any:
        """Return a new input port."""
        self.inputs[name] = hdl.Signal(width, name=name)
        return self.inputs[name]

    def output(self, name: str, width: int = 1) -> Any:
        """Return a new output port."""
        self.outputs[name] = hdl.Signal(width, name=name)
        return self.outputs[name]

    def place(self, parent: Any, label: str, *, instance: bool) -> None:
        """Put the unit into module ``parent``: its body, or an instance of the Verilog module of its name."""
        if instance:
            ports = {f"i_{name}": signal for name, signal in self.inputs.items()}
            ports |= {f"o_{name}": signal for name, signal in self.outputs.items()}
            ports |= {"i_clk": hdl.ClockSignal()} | ({"i_rst": hdl.ResetSignal()} if self.resets else {})
            parent.submodules[label] = hdl.Instance(self.name, **ports)
        else:
            parent.submodules[label] = self.body
