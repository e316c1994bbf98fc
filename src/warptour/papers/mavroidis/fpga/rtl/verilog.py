"""Verilog of a design: one file per unit."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Final

from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.tools import YOSYS, Watch, nobody
from warptour.papers.mavroidis.fpga.rtl.top import Top
from warptour.papers.mavroidis.fpga.rtl.unit import Unit

TIDY: Final = (
    "proc", "memory_collect", "pmuxtree", "opt_expr -keepdc", "wreduce", "opt_clean",
    "techmap -autoproc -map even_widths.v", "splitnets -driver", "opt_clean -purge", "check -assert",
)  # fmt: skip
"""Passes of Yosys between Amaranth's output and Verilog that linters do not warn about."""


def write_verilog(design: Design, folder: Path, watch: Watch = nobody) -> list[Path]:
    """Write ``UNIT.v`` for each unit of a design into a folder, the top last, and return the files."""
    top = Top(replace(design, instances=True))
    units = [*top.units, top]
    widths = (files(__package__) / "even_widths.v").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "even_widths.v").write_text(widths, encoding="utf-8")
        for unit in units:
            Path(scratch, f"{unit.name}.il").write_text(rtlil(unit), encoding="utf-8")
        script = [f"read_rtlil {unit.name}.il" for unit in units]
        script += TIDY
        for unit in units:
            script += [f"select {unit.name}", f"write_verilog -noattr -selected {unit.name}.v", "select -clear"]
        YOSYS.run(["-q", "-p", "; ".join(script)], Path(scratch), watch)
        texts = {f"{unit.name}.v": Path(scratch, f"{unit.name}.v").read_text(encoding="utf-8") for unit in units}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def rtlil(unit: Unit) -> str:
    """Return a unit in the language of Yosys."""
    clock = hdl.ClockDomain("sync", reset_less=not unit.resets)
    unit.body.domains.sync = clock
    reset = [clock.rst] if unit.resets else []
    ports = [clock.clk, *reset, *unit.inputs.values(), *unit.outputs.values()]
    return str(hdl.convert(unit.body, name=unit.name, ports=ports, emit_src=False))
