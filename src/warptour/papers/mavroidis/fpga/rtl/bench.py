"""A self-checking test bench in Verilog: what the emulator did, loop by loop, for any simulator to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from warptour.papers.mavroidis.fpga.machine import Machine
from warptour.papers.mavroidis.fpga.rtl.cities import City
from warptour.papers.mavroidis.fpga.rtl.design import Design
from warptour.papers.mavroidis.fpga.rtl.tools import Watch, nobody
from warptour.papers.mavroidis.fpga.thresholds import ThresholdChain


def emulator(design: Design, cities: Sequence[City]) -> Machine:
    """Return the emulator in Python of a design."""
    x, y = zip(*cities, strict=True)
    annealing = design.annealing
    return Machine(
        x,
        y,
        design.elements,
        squared=design.roots is None,
        level=annealing.level if annealing else 1,
        fraction=None if design.roots is None else design.fraction,
        chain=ThresholdChain(annealing, design.elements, design.thresholds) if annealing else None,
        evaluation=design.evaluation,
        early=design.early,
    )


def write_bench(design: Design, cities: Sequence[City], folder: Path, watch: Watch = nobody) -> Machine:
    """Write ``bench.v``, ``cities.hex`` and ``tours.hex`` into a folder, and return the emulator at its end."""
    machine, tours = emulator(design, cities), []
    while not machine.done:
        machine.loop()
        watch(f"the emulator has made {machine.loops:,} loops for the test bench")
        tours.append(signature([cities[city] for city in machine.register], design.coordinate))
    digits = -(-2 * design.coordinate // 4)
    (folder / "cities.hex").write_text(
        "".join(f"{word(city, design.coordinate):0{digits}x}\n" for city in cities), encoding="ascii"
    )
    (folder / "tours.hex").write_text("".join(f"{tour:08x}\n" for tour in tours), encoding="ascii")
    text = (files(__package__) / "bench.v").read_text(encoding="utf-8")
    cycles = design.model().cycles(machine.loops, design.n, design.elements)
    names = ["last", *(f"city_{i}" for i in reversed(range(design.n - 1)))]
    ring = ", ".join(f"machine.register_ring.{name}" for name in names)
    values = {"N": design.n, "BITS": design.coordinate, "LOOPS": machine.loops, "CYCLES": cycles, "RING": ring}
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    (folder / "bench.v").write_text(text, encoding="utf-8")
    return machine


def word(city: City, bits: int) -> int:
    """Return the word of a city's register."""
    return city[0] | city[1] << bits


def signature(tour: Sequence[City], bits: int) -> int:
    """Return 32 bits that depend on the cities and their order: each city rotates the bits before it by one."""
    mixed = 0
    for city in tour:
        mixed = ((mixed << 1 | mixed >> 31) ^ word(city, bits)) & 0xFFFFFFFF
    return mixed
