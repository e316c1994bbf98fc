"""Synthesis, placement and routing of a design on a Lattice ECP5, by Yosys and nextpnr."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.tools import NEXTPNR, YOSYS
from warptour.papers.mavroidis.fpga.rtl.top import Top
from warptour.papers.mavroidis.fpga.rtl.verilog import write_verilog

DEVICE: Final = ("--85k", "--package", "CABGA756", "--speed", "8")
"""LFE5U-85F, fastest grade: 83,640 logic cells (a 4-input table and a flip-flop), 156 multipliers of 18 bits."""

TARGET: Final = "180.0"
"""Clock frequency in MHz that nextpnr works towards; it reports what it reaches."""


@dataclass(frozen=True)
class Placed:
    """A design after placement and routing."""

    # tables, registers, multipliers, memories: number of 4-input lookup tables, flip-flops, 18-bit multipliers and
    # 18-kbit memories
    tables: int
    registers: int
    multipliers: int
    memories: int
    megahertz: float  # highest clock frequency, by static timing analysis after routing
    # synthesis_seconds, routing_seconds: processor time of Yosys and of nextpnr
    synthesis_seconds: float
    routing_seconds: float


def place(design: Design) -> Placed:
    """Synthesise, place and route a design."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = " ".join(path.name for path in write_verilog(design, folder))
        began = _processor_time()
        YOSYS.run(["-q", "-p", f"read_verilog {sources}; synth_ecp5 -top {Top.name} -json netlist.json"], folder)
        synthesised = _processor_time()
        wanted = ["--freq", TARGET, "--seed", "1", "--timing-allow-fail"]
        NEXTPNR.run([*DEVICE, *wanted, "--json", "netlist.json", "--report", "report.json", "--quiet"], folder)
        routed = _processor_time()
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    used = {cell: entry["used"] for cell, entry in report["utilization"].items()}
    return Placed(
        used["TRELLIS_COMB"],
        used["TRELLIS_FF"],
        used["MULT18X18D"],
        used["DP16KD"],
        min(clock["achieved"] for clock in report["fmax"].values()),
        synthesised - began,
        routed - synthesised,
    )


def _processor_time() -> float:
    """Return the processor time of all child processes that have ended, in seconds."""
    spent = os.times()
    return spent.children_user + spent.children_system
