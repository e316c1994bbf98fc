"""The design at register-transfer level makes the loops of the emulator, in the cycles of the cost model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warptour as wt
from warptour.model.errors import MissingLibrary, UsageError
from warptour.papers.mavroidis.fpga import CostModel
from warptour.papers.mavroidis.fpga.rtl import Design, Roots, emulator, exceeds, integer_cities, simulate
from warptour.papers.mavroidis.fpga.rtl import hdl as language
from warptour.papers.mavroidis.fpga.thresholds import AnnealingSchedule

amaranth = pytest.importorskip("amaranth")

TABLE_1 = {52: 13, 76: 19, 100: 25, 150: 37, 225: 56, 299: 74}
"""Cities and multipliers of table 1 of Mavroidis (2011)."""


def random_cities(n: int, side: int = 2**15) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for x, y in np.random.default_rng(n).integers(0, side, (n, 2))]


def compare(design: Design, cities: list[tuple[int, int]], loops: int | None = None) -> int:
    """Simulate a design beside its emulator and return the number of loops."""
    seen, machine, tours = simulate(design, cities, loops), emulator(design, cities), []
    while not machine.done and len(tours) != loops:
        machine.loop()
        tours.append([cities[city] for city in machine.register])
    assert seen.boundaries == tours
    if loops is None:
        assert seen.tour == tours[-1]
        assert seen.loops == machine.loops
        assert seen.cycles == design.model().cycles(machine.loops, design.n, design.elements)
    return len(tours)


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8, 11, 14])
def test_squared_distances(n: int) -> None:
    cities = random_cities(n)
    assert compare(Design(n, wide=exceeds(cities, 15)), cities) >= n - 1


@pytest.mark.parametrize(("n", "elements"), [(8, 1), (12, 2), (13, 2)])
def test_fewer_elements_and_reversal_registers(n: int, elements: int) -> None:
    design = Design(n, elements, wide=True)
    assert design.pairs > 1
    assert compare(design, random_cities(n)) >= n - 1


def test_cities_in_one_place_and_on_a_line() -> None:
    assert compare(Design(9), [(7, 7)] * 9) == 8
    compare(Design(9), [(x * x % 9, 0) for x in range(9)])


@pytest.mark.parametrize(
    ("n", "options"), [(19, {}), (17, {"elements": 2}), (10, {"roots": Roots(), "early": 4}), (14, {"coordinate": 24})]
)
def test_cities_at_the_corners_of_the_largest_square(n: int, options: dict[str, Any]) -> None:
    """The largest coordinates and changes, and many cities in one place."""
    bits = options.get("coordinate", 15)
    corners = np.random.default_rng(n).choice([0, 2**bits - 1], (n, 2))
    cities = [(int(x), int(y)) for x, y in corners]
    assert exceeds(cities, bits)
    assert compare(Design(n, wide="roots" not in options, **options), cities) >= 1


@pytest.mark.parametrize(("bits", "roots"), [(15, Roots()), (9, Roots(3, 13)), (6, Roots(0, 7))])
def test_roots(bits: int, roots: Roots) -> None:
    design = Design(11, 0, bits, roots=roots)
    assert compare(design, random_cities(11, 2**bits), 12) == 12


def test_annealing_by_thresholds() -> None:
    compare(Design(9, wide=True, annealing=AnnealingSchedule((1e8, 1e6), 4, seed=3)), random_cities(9))
    compare(Design(9, 1, 10, roots=Roots(), annealing=AnnealingSchedule((200.0,), 3)), random_cities(9, 2**10), 5)


def test_a_hot_machine_lengthens_the_tour_and_a_cold_one_shortens_it() -> None:
    design = Design(40, roots=Roots(), annealing=AnnealingSchedule((1e6,), 50))
    machine = emulator(design, random_cities(40))
    while machine.heated:
        machine.loop()
    hot = machine.gain
    machine.run()
    assert hot < 0 < machine.gain - hot


@pytest.mark.parametrize(("n", "roots"), [(10, None), (10, Roots())])
def test_early_stop(n: int, roots: Roots | None) -> None:
    cities = random_cities(n)
    early, whole = (Design(n, 0, 15, wide=True, roots=roots, early=stop) for stop in (1, None))
    ends = emulator(whole, cities)
    ends.run()
    assert compare(early, cities) < ends.loops


@pytest.mark.parametrize("name", ["eil51", "berlin52"])
def test_first_loops_of_public_instances(data: Path, name: str) -> None:
    file = data / "tsp" / f"{name}.tsp"
    if not file.exists():
        pytest.skip(f"no {file}")
    cities, scale = integer_cities(wt.read(file).points, 15)
    assert scale == 1
    assert compare(Design(len(cities)), cities, 10) == 10


@pytest.mark.parametrize(("n", "multipliers"), TABLE_1.items())
def test_elements_and_cycles_of_the_thesis(n: int, multipliers: int) -> None:
    design = Design(n)
    assert design.elements == multipliers
    assert design.evaluation == 12
    assert design.model().cycles(1, n, design.elements) == 35


def test_roots_and_fewer_elements_take_their_own_cycles() -> None:
    rooted = Design(52, roots=Roots())
    assert rooted.evaluation == 3 * 4 + 20 + 7
    assert rooted.model() == CostModel(35 + 2 * 27)
    assert Design(1000, 125).model().cycles(1, 1000, 125) == 2 * 34 + 1 + 4 * 250 + 2


def test_cities_become_integers_that_fit() -> None:
    whole, scale = integer_cities(np.array([[565.0, 1740.0], [25.0, 1175.0]]), 15)
    assert (whole, scale) == ([(540, 565), (0, 0)], 1.0)
    parts, scale = integer_cities(np.array([[0.25, 0.0], [100.0, 7.0]]), 15)
    assert (parts, scale) == ([(64, 0), (25600, 1792)], 256.0)
    large, scale = integer_cities(np.array([[0.0, 0.0], [1e6, 5e5]]), 15)
    assert (large, scale) == ([(0, 0), (31250, 15625)], 2.0**-5)


def test_a_sum_of_thirty_two_bits_holds_most_instances() -> None:
    assert not exceeds([(0, 0), (20_000, 20_000)], 15)
    assert exceeds([(0, 0), (30_000, 30_000)], 15)


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 4 cities"):
        Design(3)
    with pytest.raises(UsageError, match="1 to 5 processing elements, not 6"):
        Design(20, 6)
    with pytest.raises(UsageError, match="2 to 24 bits"):
        Design(20, coordinate=30)
    with pytest.raises(UsageError, match="interval"):
        Design(20, roots=Roots(4, 1))


def test_without_amaranth_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "amaranth.hdl", None)
    with pytest.raises(MissingLibrary, match=r"pip install 'warptour\[fpga\]'"):
        language.Signal(1)
