"""Launches are ranked by resident lanes, and their iterations cover all jobs."""

from __future__ import annotations

import pytest

from cupy_stub import GPUS, StubCuda
from warptour.devices.cpu import Cpu
from warptour.devices.launch import Launch, ranked_launches, resident_launch
from warptour.devices.occupancy import QUADRO_K600, REFERENCE, Needs


@pytest.mark.parametrize(("n", "grids"), [(500, (2, 4, 8, 9)), (1500, (2, 3, 3, 3)), (2000, (2, 2, 2, 2))])
def test_the_launches_that_ermis_observed_best(n: int, grids: tuple[int, ...]) -> None:
    launches = ranked_launches(QUADRO_K600, lambda block: 10 * n + 12, 20)
    assert launches == [Launch(block, grid) for block, grid in zip((1024, 512, 256, 128), grids, strict=True)]


def test_iterations_are_rounded_up() -> None:
    assert Launch(1024, 2).iterations(500 * 499 // 2) == 61
    assert Launch(1024, 2).iterations(1000 * 999 // 2) == 244  # Ermis prints 242
    assert Launch(1024, 1).iterations(6000 * 6001 // 2) == 17582  # with n(n+1)/2, from 6,000 cities on
    assert Launch(1, 1).iterations(7) == 7 and Launch(8, 1).iterations(7) == 1 and Launch(8, 1).iterations(0) == 0


def test_a_wave_fills_all_multiprocessors() -> None:
    assert resident_launch(REFERENCE, Needs(512, 32, 40_000)) == Launch(512, 4 * 132)


def test_blocks_that_do_not_fit_are_left_out() -> None:
    assert ranked_launches(QUADRO_K600, lambda block: 10 * 4915 + 12) == []
    assert {launch.block for launch in ranked_launches(QUADRO_K600, lambda block: 49 * block)} == {512, 256, 128}
    assert ranked_launches(QUADRO_K600, lambda block: 10, registers=200)[0].block == 256


def test_without_known_limits_a_core_has_one_group() -> None:
    assert ranked_launches(Cpu(3).about(), lambda block: 10, blocks=(1,)) == [Launch(1, 3)]


def test_a_small_launch_does_not_lower_the_memory_granted_to_a_large_one() -> None:
    device = StubCuda(GPUS[2])
    large, small = (device.build("lanes", lanes=64) for _ in range(2))
    large.launch("lanes", 1, local=200_000)
    small.launch("lanes", 1, local=60_000)
    assert small.function("lanes").max_dynamic_shared_size_bytes == 200_000
