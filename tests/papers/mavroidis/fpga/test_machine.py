"""The emulated machine: loop counts of Mavroidis (2011), the same loops in Python and natively, how good the end is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from random_cities import cities
from reference_engine import ReferenceEngine
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods.tolerance import RELATIVE
from warptour.papers.mavroidis.engine.fpga import emulate, gain_left, random_search
from warptour.papers.mavroidis.fpga import CostModel, Machine, groups_of, most_elements

LOOPS = {"eil51": 234, "tsp225": 1129, "pr1002": 5576, "rl1304": 18607, "u2319": 8585}
"""Table 2 of Mavroidis (2011), as far as it comes out: vm1748 does with a threshold, fnl4461 does not."""


def machine_of(problem: TSP, elements: int, squared: bool = False, **schedule: object) -> Machine:
    places = problem.points - np.floor(problem.points.min(axis=0))
    x, y = places.T.tolist()
    return Machine(x, y, elements, squared, 1.0 - RELATIVE, **schedule)


@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_those_of_the_thesis(data: Path, name: str) -> None:
    file = data / "tsp" / f"{name}.tsp"
    if not file.exists():
        pytest.skip(f"no {file}")
    run = emulate(wt.read(file))
    assert run.loops == LOOPS[name]
    assert run.cycles == 35 * LOOPS[name]
    assert run.seconds == pytest.approx(run.cycles / 150e6)


@pytest.mark.parametrize(("name", "loops"), [("eil51", 234), ("vm1748", 31747)])
def test_loops_are_those_of_the_thesis_without_gains_below_a_millionth(data: Path, name: str, loops: int) -> None:
    file = data / "tsp" / f"{name}.tsp"
    if not file.exists():
        pytest.skip(f"no {file}")
    assert emulate(wt.read(file), least=1e-6).loops == loops


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize(
    ("n", "elements"), [(4, 1), (5, 1), (6, 1), (7, 1), (8, 2), (17, 4), (30, 7), (30, 2), (31, 3)]
)
def test_python_and_native_machines_do_the_same_loops(n: int, elements: int, squared: bool) -> None:
    problem = cities(n, "EUCLIDEAN", side=20)
    machine = machine_of(problem, elements, squared)
    run = emulate(problem, elements=elements, squared=squared)
    assert machine.run() == run.tour.tolist()
    assert machine.loops == run.loops


def test_annealing_in_the_machine_is_the_same_too() -> None:
    problem = cities(30, "EUCLIDEAN", side=300)
    schedule = {"temperatures": (60.0, 30.0, 10.0), "level": 9, "seed": 5}
    machine = machine_of(problem, 7, **schedule)
    run = emulate(problem, elements=7, **schedule)
    assert machine.run() == run.tour.tolist()
    assert machine.loops == run.loops


@pytest.mark.parametrize(("n", "elements"), [(5, 1), (8, 2), (50, 12), (51, 12), (52, 13), (53, 5), (90, 1), (201, 17)])
def test_the_end_is_a_tour_with_any_number_of_elements(n: int, elements: int) -> None:
    problem = cities(n, "EUCLIDEAN", side=300)
    run = emulate(problem, elements=elements)
    assert run.finished
    assert problem.check(run.tour).feasible
    assert gain_left(problem, run.tour) == 0


def test_the_rule_of_the_thesis_may_end_before_the_tour_is_two_optimal() -> None:
    problem = wt.read("uniform:8:4", rounding="none")
    run = emulate(problem)
    assert run.finished and run.loops == 8
    assert gain_left(problem, run.tour) == pytest.approx(142_176.910, abs=1e-3)


@pytest.mark.parametrize("squared", [False, True])
def test_what_is_left_to_gain_is_what_the_reference_finds(squared: bool) -> None:
    ends = set()
    for n in range(4, 30):
        for seed in range(5):
            problem = wt.read(f"uniform:{n}:{seed}", rounding="none")
            tour = emulate(problem, squared=squared).tour
            reference = ReferenceEngine(problem)
            move = reference.certify(tour)
            left = gain_left(problem, tour)
            assert left == (0 if move is None else -reference.neighborhood.delta(problem, tour, move))
            ends.add(left > 0)
    assert ends == {False, True}


def test_rounded_files_are_scanned_unrounded_as_the_machine_measures_them() -> None:
    rounded, flat = wt.read("uniform:8:4"), wt.read("uniform:8:4", rounding="none")
    tour = emulate(rounded).tour
    assert gain_left(rounded, tour) == gain_left(flat, tour) > 0


@pytest.mark.parametrize("elements", [1, 2, None])
def test_n_quiet_loops_are_two_optimal(elements: int | None) -> None:
    for n in range(8, 30):
        for seed in range(3):
            problem = wt.read(f"uniform:{n}:{seed}", rounding="none")
            machine = machine_of(problem, elements or most_elements(n))
            while machine.idle < n:
                machine.loop()
            assert gain_left(problem, np.array(machine.register, np.int32)) == 0


@pytest.mark.parametrize("n", [1, 2, 3])
def test_too_few_cities_have_no_moves(n: int) -> None:
    run = emulate(cities(n, "EUCLIDEAN", side=300))
    assert run.moves == 0
    assert sorted(run.tour.tolist()) == list(range(n))


def test_an_early_stop_saves_loops_and_loses_little() -> None:
    problem = cities(300, "EUCLIDEAN", side=10_000)
    whole, early = emulate(problem), emulate(problem, early=0.01)
    assert early.loops < whole.loops
    assert not early.finished
    assert early.cost < 1.05 * whole.cost


def test_fewer_elements_take_more_cycles_for_a_loop() -> None:
    model = CostModel()
    assert groups_of(1000, 50) == [s + odd for s in (0, 100, 200, 300, 400) for odd in (0, 1)]
    assert model.cycles(1, 1000, most_elements(1000)) == 35
    assert model.cycles(1, 1000, 125) == 2 * 34 + 1 + 4 * 250 + 2


def test_random_moves_end_after_n_squared_failures() -> None:
    problem = cities(60, "EUCLIDEAN", side=300)
    tour, evaluated = random_search(problem, seed=1)
    assert evaluated > 60 * 60
    assert problem.check(tour).feasible
    assert problem.cost(tour) < problem.cost(np.arange(60))


def test_what_the_machine_cannot_do_is_refused() -> None:
    with pytest.raises(UsageError, match="1 to 5 processing elements"):
        emulate(cities(20, "EUCLIDEAN", side=300), elements=6)
    with pytest.raises(UnsupportedError, match="plane"):
        emulate(TSP("globe", METRICS["GEO"], np.zeros((5, 2))))
