"""The element of symmetric 3-opt at register-transfer level chooses what plain Python does, in its stated cycles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symmetric_three_reference import BORDERS
from warptour.papers.mavroidis.fpga.rtl import hdl
from warptour.papers.mavroidis.fpga.rtl.three_element import CYCLES, ENDS, PAIRS, ThreeOptElement
from warptour.papers.mavroidis.fpga.rtl.verilog import rtlil

pytest.importorskip("amaranth")


def plain_choice(ends: list[tuple[int, int]]) -> int:
    """Return the first of the arrangements with the least sum of squared distances."""
    lengths = [
        sum((ends[u][0] - ends[v][0]) ** 2 + (ends[u][1] - ends[v][1]) ** 2 for u, v in edges) for edges in BORDERS
    ]
    return lengths.index(min(lengths))


def choices(bits: int, cases: list[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Return the element's choice for each case, and the cycles that it took."""
    element, found = ThreeOptElement(bits), []
    simulator = hdl.Simulator(element.body)
    simulator.add_clock(1e-8)

    async def bench(context: Any) -> None:
        for case in cases:
            for name, (x, y) in zip(ENDS, case, strict=True):
                context.set(element.ends[name], x | y << bits)
            context.set(element.start, 1)
            await context.tick()
            context.set(element.start, 0)
            cycles = 0
            while not context.get(element.done):
                await context.tick()
                cycles += 1
                assert cycles <= 2 * CYCLES
            found.append((context.get(element.choice), cycles))

    simulator.add_testbench(bench)
    simulator.run()
    return found


@pytest.mark.parametrize("bits", [3, 15])
def test_it_chooses_what_plain_python_does(bits: int) -> None:
    rng = np.random.default_rng(bits)
    cases = [[(int(x), int(y)) for x, y in rng.integers(0, 2**bits, (8, 2))] for _ in range(60)]
    corners = [[(int(x), int(y)) for x, y in rng.choice([0, 2**bits - 1], (8, 2))] for _ in range(20)]
    in_place = [[(2, 3)] * 8]
    short = [[case[0], case[1], case[1], *case[3:6], case[5], case[7]] for case in cases[:20]]  # segments of one city
    found = choices(bits, cases + corners + in_place + short)
    assert [choice for choice, _ in found] == [plain_choice(case) for case in cases + corners + in_place + short]
    assert len({choice for choice, _ in found}) > 12
    assert {cycles for _, cycles in found} == {CYCLES}


def test_it_has_one_multiplier_and_24_distances() -> None:
    assert len(PAIRS) == 24 and CYCLES == 2 * 24 + 4 + 92 + 1
    assert rtlil(ThreeOptElement()).count("cell $mul ") == 1
