"""Symmetric 2-opt gives the reference's tours on every device, and ends in 2-optimal ones."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from random_cities import NAMES, cities
from symmetric_reference import anneal, descend, with_double
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.papers.mavroidis.engine.rows import Symmetric, SymmetricAhead, SymmetricBatch, with_doubles
from warptour.papers.mavroidis.engine.shapes import shape_for
from warptour.papers.scans.two_opt import TwoOptEngine


def tours_of(n: int, batch: int = 1) -> np.ndarray:
    return np.array([np.random.default_rng(seed).permutation(n) for seed in range(batch)], np.int32)


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("GREAT_CIRCLE", "GEO", "MAN_3D", "MAX_3D")])
@pytest.mark.parametrize(("n", "grid"), [(5, 50), (6, 50), (7, 3), (8, 3), (19, 500)])
def test_descents_follow_the_reference_move_for_move(device: Device, name: str, n: int, grid: int) -> None:
    problem = cities(n, name, seed=0, side=grid)
    tours = tours_of(n, 2)
    engine = Symmetric(device, problem, tours)
    ends = engine.finish()
    for tour, end, state in zip(tours, ends, engine.state(), strict=True):
        expected, rounds = descend(problem, tour)
        assert state[0] == rounds
        assert (end == expected).all()
        assert TwoOptEngine(problem).certify(end) is None


@pytest.mark.parametrize("n", [5, 8, 20, 25])
def test_annealing_follows_the_reference_random_number_for_random_number(device: Device, n: int) -> None:
    problem = cities(n, "EUC_2D", seed=0, side=100)
    tours = tours_of(n, 3)
    heats = (40.0, 20.0, 5.0)
    engine = Symmetric(device, problem, tours, temperatures=heats, level=17, seed=2**63 + 5, first=4)
    ends = engine.finish()
    for number, (tour, end) in enumerate(zip(tours, ends, strict=True), 4):
        expected, _ = anneal(problem, tour, heats, 17, 2**63 + 5, number)
        assert (end == expected).all()


@pytest.mark.parametrize("n", [5, 6, 7, 8, 50])
@pytest.mark.parametrize("points", ["equal", "line", "two"])
def test_degenerate_cities_end(device: Device, n: int, points: str) -> None:
    places = {"equal": np.zeros(n), "line": np.arange(n) % 7, "two": np.arange(n) % 2}[points]
    problem = TSP("odd", METRICS["EUC_2D"], np.stack((places, np.zeros(n)), axis=1).astype(float))
    ends = Symmetric(device, problem, tours_of(n, 2), temperatures=[1.0], level=30).finish()
    for end in ends:
        assert problem.check(end).feasible
        assert TwoOptEngine(problem).certify(end) is None


@pytest.mark.parametrize("n", [100, 101])
def test_rounds_done_in_parts_are_the_same_rounds(device: Device, n: int) -> None:
    problem = cities(n, "EUCLIDEAN", seed=0, side=500)
    whole, parts = (Symmetric(device, problem, tours_of(n, 2), temperatures=[30.0], level=50, seed=1) for _ in range(2))
    whole.run(111)
    for rounds in (1, 10, 100):
        parts.run(rounds)
    assert (whole.tours() == parts.tours()).all()
    assert (whole.state() == parts.state()).all()


def test_a_double_stays_beside_its_city() -> None:
    assert with_double(np.array([2, 3, 0, 1], np.int32)).tolist() == [2, 3, 4, 0, 1]
    assert with_double(np.array([2, 0, 1], np.int32)).tolist() == [2, 0, 1]
    for n in (5, 6, 8):
        assert (with_doubles(tours_of(n, 9)) == [with_double(tour) for tour in tours_of(n, 9)]).all()


ONE_LANE = {"lanes": 1, "keep": 5}


def forms(device: Device) -> list[dict[str, int]]:
    """Return groups of a lane and of two warps; PoCL takes seconds to compile the latter, which does not pay there."""
    if device.name == "cpu":
        return [{}]
    block = {"lanes": 64, "keep": 3, "ahead": 4, "busy": True}
    if device.lanes == 1:
        return [ONE_LANE, block]
    return [block, {"lanes": 64, "keep": 5}]


@pytest.mark.long_on_opencl
@pytest.mark.sanitize_quick
@pytest.mark.parametrize("n", [5, 8, 12, 17, 50])
@pytest.mark.parametrize("grid", [3, 200])
def test_rounds_looked_at_ahead_are_the_same_rounds(device: Device, n: int, grid: int) -> None:
    tours = tours_of(n, 4)
    metrics = ("EUC_2D",) if device.name == "cpu" else ("EUC_2D", "CEIL_2D")
    schedules = {}, {"temperatures": [50.0, 20.0, 5.0], "level": 25, "seed": 9}
    for name, schedule in itertools.product(metrics, schedules):
        problem = cities(n, name, seed=0, side=grid)
        for form in forms(device) if name == "EUC_2D" or device.lanes > 1 else [ONE_LANE]:
            ahead, plain = (
                SymmetricAhead(device, problem, tours, **schedule, **form),
                Symmetric(device, problem, tours, **schedule),
            )
            for rounds in (1, 2, 10, 100):
                ahead.run(rounds)
                plain.run(rounds)
                assert (ahead.tours() == plain.tours()).all()
            assert (ahead.finish() == plain.finish()).all()
            assert (ahead.state() == plain.state()).all()


def shapes(device: Device, moves: int) -> list[tuple[int, int]]:
    """Return lanes of a tour and moves of a lane that have room for so many moves: on a GPU one to three warps."""
    one_lane = [(1, 5)] if device.name == "cpu" else [(1, 5), (1, 9)]
    chosen = [(32, 3), (32, 9), (64, 3), (96, 5)] if device.lanes > 1 else one_lane
    return [(lanes, keep) for lanes, keep in chosen if keep <= moves <= lanes * keep + 1]


@pytest.mark.long_on_opencl
@pytest.mark.sanitize_quick
@pytest.mark.parametrize("grid", [3, 200])
def test_rounds_of_many_tours_are_the_same_rounds(device: Device, grid: int) -> None:
    hot = {"temperatures": [50.0, 20.0, 5.0], "level": 25, "seed": 9}
    cases = [("EUC_2D", {}), ("EUC_2D", hot), ("CEIL_2D", {})][: 1 if device.name == "cpu" else None]
    sizes = [n for n in (7, 8, 11, 12, 13, 21, 50, 200) if shapes(device, n // 2)]
    assert len(sizes) >= 3
    for (name, schedule), n in itertools.product(cases, sizes):
        problem, tours = cities(n, name, seed=0, side=grid), tours_of(n, 7)
        for shape in shapes(device, n // 2):
            many = SymmetricBatch(device, problem, tours, shape=shape, **schedule)
            plain = Symmetric(device, problem, tours, **schedule)
            for rounds in (1, 2, 10, 100):
                many.run(rounds)
                plain.run(rounds)
                assert (many.tours() == plain.tours()).all()
            assert (many.finish() == plain.finish()).all()
            assert (many.state() == plain.state()).all()


def test_every_size_up_to_thousands_has_a_shape() -> None:
    for moves in range(3, 2500):
        shape = shape_for(moves)
        assert shape is not None
        assert shape[1] <= moves <= shape[0] * shape[1] + 1
    assert shape_for(2) is None
    assert shape_for(100_000) is None


@pytest.mark.long_on_opencl
@pytest.mark.parametrize("grid", [10, 50_000, 4_000_000])
def test_coordinates_that_are_broken_or_large_round_as_they_should(accelerator: Device, grid: int) -> None:
    device = accelerator  # the native build is for small whole coordinates
    points = np.random.default_rng(1).integers(0, grid, (19, 2)) / 4
    points = np.floor(points) if grid > 100_000 else points + 0.1
    problem = TSP("broken", METRICS["EUC_2D"], points)
    tours = tours_of(19, 20)
    schedule = {"temperatures": [grid / 20, grid / 50], "level": 40, "seed": 1}
    plain = Symmetric(device, problem, tours, **schedule).finish()
    for form in forms(device)[: 1 if device.lanes == 1 else None]:
        assert (SymmetricAhead(device, problem, tours, **form, **schedule).finish() == plain).all()
    assert (SymmetricBatch(device, problem, tours, shape=shapes(device, 9)[0], **schedule).finish() == plain).all()


def test_what_looks_ahead_in_vain_is_refused() -> None:
    for name in ("CEIL_2D", "EUCLIDEAN"):
        with pytest.raises(ValueError, match=name):
            SymmetricAhead(Cpu(1), cities(9, name, seed=0, side=500), tours_of(9))
