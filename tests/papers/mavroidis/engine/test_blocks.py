"""A tour spread over blocks makes the moves of a tour in one group, on every device, and never waits for ever."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cupy_stub import GPUS, StubCuda
from random_cities import cities
from symmetric_reference import anneal
from warptour.devices import Device, DeviceError
from warptour.devices.cpu import Cpu
from warptour.papers.mavroidis.engine.blocks import SymmetricBlocks, lanes_of
from warptour.papers.mavroidis.engine.rows import Symmetric, TourRows

HOT = {"temperatures": [50.0, 20.0, 5.0], "level": 25, "seed": 9}


def tours_of(n: int, batch: int = 2) -> np.ndarray:
    return np.array([np.random.default_rng(seed).permutation(n) for seed in range(batch)], np.int32)


def assert_same_rounds(one: TourRows, other: TourRows) -> None:
    for rounds in (1, 2, 10, 100):
        one.run(rounds)
        other.run(rounds)
        assert (one.tours() == other.tours()).all()
    assert (one.finish() == other.finish()).all()
    assert (one.state() == other.state()).all()


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("n", [5, 6, 7, 8, 9, 12, 17, 30, 64, 101])
@pytest.mark.parametrize("schedule", [{}, HOT], ids=["descent", "annealing"])
def test_blocks_make_the_moves_of_one_group(device: Device, n: int, schedule: dict[str, object]) -> None:
    metrics = ("EUC_2D", "EUCLIDEAN", "ATT") if device.is_host else ("EUC_2D",)
    for name in metrics:
        problem = cities(n, name, seed=n, side=200)
        for block in (2, 3, 7, 15, 200) if device.is_host or n in (17, 64) else (4,):
            assert_same_rounds(
                SymmetricBlocks(device, problem, tours_of(n), block=block, **schedule),  # type: ignore[arg-type]
                Symmetric(device, problem, tours_of(n), **schedule),
            )


@pytest.mark.parametrize(("n", "grid"), [(9, 3), (10, 3), (25, 100)])
def test_blocks_follow_the_reference(device: Device, n: int, grid: int) -> None:
    problem = cities(n, "CEIL_2D", seed=1, side=grid)
    ends = SymmetricBlocks(device, problem, tours_of(n), block=3, temperatures=[9.0, 2.0], level=11, seed=5, first=2)
    for number, (tour, end) in enumerate(zip(tours_of(n), ends.finish(), strict=True), 2):
        assert (end == anneal(problem, tour, (9.0, 2.0), 11, 5, number)[0]).all()


@pytest.mark.threads
@pytest.mark.parametrize("groups", [2, 3])
def test_groups_side_by_side_pass_on_their_cities(groups: int) -> None:
    device = Cpu(groups)
    with ThreadPoolExecutor(groups) as pool:
        vars(device)["pool"] = pool
        problem = cities(40, "EUC_2D", seed=1, side=500)
        blocks = SymmetricBlocks(device, problem, tours_of(40, 1), block=4, groups=groups, patience=1 << 30)
        blocks.run(4)
    alone = Symmetric(Cpu(1), problem, tours_of(40, 1))
    alone.run(4)
    assert (blocks.tours() == alone.tours()).all()
    assert (blocks.state() == alone.state()).all()


@pytest.mark.compiles
@pytest.mark.parametrize(("block", "groups"), [(35, None), (8, None), (8, 7), (300, None), (2000, None)])
def test_a_gpu_runs_many_blocks_side_by_side(
    find_or_skip: Callable[[str], Device], block: int, groups: int | None
) -> None:
    device, problem = find_or_skip("cuda"), cities(2103, seed=1, side=10_000)
    schedule = {"temperatures": [90.0, 30.0], "level": 200, "seed": 3}
    blocks = SymmetricBlocks(device, problem, tours_of(2103, 1), block=block, groups=groups, **schedule)  # type: ignore[arg-type]
    alone = Symmetric(device, problem, tours_of(2103, 1), **schedule)
    for rounds in (1, 500, 1000):
        blocks.run(rounds)
        alone.run(rounds)
        assert (blocks.tours() == alone.tours()).all()
    assert (blocks.state() == alone.state()).all()


def test_groups_that_do_not_run_side_by_side_say_so_instead_of_waiting_for_ever() -> None:
    problem = cities(40, "EUC_2D", seed=1, side=500)
    blocks = SymmetricBlocks(Cpu(1), problem, tours_of(40, 1), block=4, groups=3, patience=100)
    blocks.run(5)
    with pytest.raises(DeviceError, match="side by side"):
        blocks.state()


def test_201_cities_are_seven_blocks_of_15_that_talk_in_log_plus_two_steps() -> None:
    blocks = SymmetricBlocks(Cpu(1), cities(201), tours_of(201, 1), block=15)
    assert blocks.blocks == 7
    assert blocks.steps == 3 + 2
    for block, count in ((35, 31), (1051, 1), (2, 526)):
        assert SymmetricBlocks(Cpu(1), cities(2103), tours_of(2103, 1), block=block).blocks == count


@pytest.mark.parametrize("gpu", GPUS, ids=lambda gpu: gpu.title)
@pytest.mark.parametrize("block", [2, 35, 1024, 5000])
def test_no_more_groups_than_are_resident(gpu, block: int) -> None:
    device = StubCuda(gpu)
    about = device.about()
    for n in (10, 2103, 40_001, 400_001):
        blocks = SymmetricBlocks(device, cities(n, side=10**6), np.arange(n, dtype=np.int32), block=block)
        assert blocks.lanes % 32 == 0
        assert 1 <= blocks.groups <= blocks.blocks
        assert blocks.groups * blocks.lanes <= about.units * about.max_lanes
        assert blocks.groups <= about.units * about.max_groups
        wide = blocks._memory[0] is not None
        assert wide or blocks.groups * blocks._scratch <= about.units * about.shared_memory
        assert blocks.budget >= 1


def test_lanes_are_whole_warps() -> None:
    assert [lanes_of(block, power=False) for block in (2, 32, 35, 70, 2000)] == [32, 32, 64, 96, 1024]
    assert [lanes_of(block, power=True) for block in (2, 35, 70)] == [32, 64, 128]


def test_a_block_of_one_element_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        SymmetricBlocks(Cpu(1), cities(9), tours_of(9), block=1)
