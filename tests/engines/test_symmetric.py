"""Symmetric 2-opt gives the reference's tours on every device, and ends in 2-optimal ones."""

from __future__ import annotations

import numpy as np
import pytest
from metrics import NAMES, problem_of

from warptour.devices import Device, present
from warptour.engines.native import NativeEngine
from warptour.engines.symmetric import Symmetric, SymmetricBatch, SymmetricBlock
from warptour.engines.tolerance import least_gain
from warptour.model.problem import TSP
from warptour.neighborhoods.symmetric import anneal, descend, with_double

DEVICES = present()[0]


@pytest.fixture(params=DEVICES, ids=[device.name for device in DEVICES])
def device(request: pytest.FixtureRequest) -> Device:
    return request.param


def tours_of(n: int, batch: int = 1) -> np.ndarray:
    return np.array([np.random.default_rng(seed).permutation(n) for seed in range(batch)], np.int32)


def same_cycle(problem: TSP, one: np.ndarray, other: np.ndarray) -> bool:
    return bool((problem.as_written(one) == problem.as_written(other)).all())


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("GREAT_CIRCLE", "GEO", "MAN_3D", "MAX_3D")])
@pytest.mark.parametrize(("n", "grid"), [(5, 50), (6, 50), (7, 3), (8, 3), (19, 500)])
def test_descents_follow_the_reference_move_for_move(device: Device, name: str, n: int, grid: int) -> None:
    problem = problem_of(name, n, grid=grid)
    tours = tours_of(n, 2)
    engine = Symmetric(device, problem, tours)
    ends = engine.finish()
    for tour, end, state in zip(tours, ends, engine.state(), strict=True):
        expected, rounds = descend(problem, tour, least_gain(problem))
        assert state[0] == rounds
        assert (end == expected).all()
        assert NativeEngine(problem).certify(end) is None


@pytest.mark.parametrize("n", [5, 8, 20, 25])
def test_annealing_follows_the_reference_random_number_for_random_number(device: Device, n: int) -> None:
    problem = problem_of("EUC_2D", n, grid=100)
    tours = tours_of(n, 3)
    heats = (40.0, 20.0, 5.0)
    engine = Symmetric(device, problem, tours, temperatures=heats, level=17, seed=2**63 + 5, first=4)
    ends = engine.finish()
    for number, (tour, end) in enumerate(zip(tours, ends, strict=True), 4):
        expected, _ = anneal(problem, tour, least_gain(problem), heats, 17, 2**63 + 5, number)
        assert (end == expected).all()


@pytest.mark.parametrize("n", [5, 6, 7, 8, 50])
@pytest.mark.parametrize("points", ["equal", "line", "two"])
def test_degenerate_cities_end(device: Device, n: int, points: str) -> None:
    places = {"equal": np.zeros(n), "line": np.arange(n) % 7, "two": np.arange(n) % 2}[points]
    problem = TSP("odd", problem_of("EUC_2D", 5).metric, np.stack((places, np.zeros(n)), axis=1).astype(float))
    ends = Symmetric(device, problem, tours_of(n, 2), temperatures=[1.0], level=30).finish()
    for end in ends:
        assert problem.check(end).feasible
        assert NativeEngine(problem).certify(end) is None


@pytest.mark.parametrize("n", [100, 101])
def test_rounds_done_in_parts_are_the_same_rounds(device: Device, n: int) -> None:
    problem = problem_of("EUCLIDEAN", n)
    whole, parts = (Symmetric(device, problem, tours_of(n, 2), temperatures=[30.0], level=50, seed=1) for _ in range(2))
    whole.run(111)
    for rounds in (1, 10, 100):
        parts.run(rounds)
    assert (whole.tours() == parts.tours()).all()
    assert (whole.state() == parts.state()).all()


def test_a_double_stays_beside_its_city() -> None:
    assert with_double(np.array([2, 3, 0, 1], np.int32)).tolist() == [2, 3, 4, 0, 1]
    assert with_double(np.array([2, 0, 1], np.int32)).tolist() == [2, 0, 1]


@pytest.mark.sanitize_quick
@pytest.mark.parametrize(
    ("device", "name", "n"),
    [
        pytest.param(device, name, n, id=f"{device.name}-{name}-{n}")
        for device in DEVICES
        for name in ("EUC_2D", "EUCLIDEAN", "CEIL_2D")
        for n in (5, 6, 9, 16, 17)
        if not device.name.startswith("opencl") or (n < 10 and name == "EUC_2D")  # which take long to compile
    ],
)
def test_tours_in_registers_follow_those_in_memory(device: Device, name: str, n: int) -> None:
    problem = problem_of(name, n, grid=200)
    tours = tours_of(n, 3)
    registers = SymmetricBatch(device, problem, tours)
    padded = registers.length
    memory = Symmetric(device, problem, tours, length=padded)
    for end, expected in zip(registers.finish(), memory.finish(), strict=True):
        assert same_cycle(problem, end, expected)
    if n == padded:
        heated = {"temperatures": [30.0, 10.0], "level": 24, "seed": 3}
        ends = [kind(device, problem, tours, **heated).finish() for kind in (SymmetricBatch, Symmetric)]
        for end, expected in zip(*ends, strict=True):
            assert same_cycle(problem, end, expected)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("n", [5, 6, 7, 16, 17])
@pytest.mark.parametrize("grid", [3, 200])
def test_rounds_evaluated_ahead_are_the_same_rounds(device: Device, n: int, grid: int) -> None:
    problem = problem_of("EUC_2D", n, grid=grid)
    tours = tours_of(n, 4)
    for schedule in ({}, {"temperatures": [50.0, 20.0, 5.0], "level": 25, "seed": 9}):
        options = {"share": 8, "ahead": 3} if device.lanes == 1 else {}
        block, plain = (
            kind(device, problem, tours, **schedule, **extra)
            for kind, extra in ((SymmetricBlock, options), (Symmetric, {}))
        )
        for rounds in (1, 2, 10, 100):
            block.run(rounds)
            plain.run(rounds)
            assert (block.tours() == plain.tours()).all()
        assert (block.finish() == plain.finish()).all()
        assert (block.state() == plain.state()).all()


@pytest.mark.parametrize("grid", [10, 50_000])
def test_broken_coordinates_round_as_they_should(device: Device, grid: int) -> None:
    if device.name == "cpu":
        pytest.skip("the native build is for whole coordinates")
    points = np.random.default_rng(1).integers(0, grid, (17, 2)) / 4 + 0.1
    problem = TSP("broken", problem_of("EUC_2D", 5).metric, points)
    tours = tours_of(17, 20)
    options = {"share": 8, "ahead": 3} if device.lanes == 1 else {}
    schedule = {"temperatures": [grid / 20, grid / 50], "level": 40, "seed": 1}
    block = SymmetricBlock(device, problem, tours, **options, **schedule)
    assert (block.finish() == Symmetric(device, problem, tours, **schedule).finish()).all()
