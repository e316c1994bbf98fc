"""The occupancy model gives the figures of NVIDIA's occupancy calculator."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cupy_stub import GPUS, Gpu, StubCuda
from warptour.devices import About
from warptour.devices.cpu import Cpu
from warptour.devices.occupancy import QUADRO_K600, REFERENCE, Needs, occupancy, resident, shared_memory_only

KIB = 1024
A100 = Gpu("A100", 80, 108, 163 * KIB, 1410, shared_memory=164 * KIB, warps=64, blocks=32)
ABOUT = {gpu.title: StubCuda(gpu).about() for gpu in (*GPUS, A100)}
UNKNOWN = About("opencl:0", "some GPU", "gpu", 2**30, 10, 1000.0, 64 * KIB)


@pytest.mark.parametrize(
    ("title", "needs", "groups", "limited_by"),
    [
        ("H200", Needs(1024), 2, ("warps",)),
        ("H200", Needs(33), 32, ("warps", "groups")),  # 33 lanes take two warps
        ("H200", Needs(96), 21, ("warps",)),
        ("H200", Needs(32), 32, ("groups",)),
        ("H200", Needs(256, 32), 8, ("warps", "registers")),
        ("H200", Needs(256, 33), 6, ("registers",)),  # allocated as 40
        ("H200", Needs(1024, 64), 1, ("registers",)),
        ("H200", Needs(1024, 65), 0, ("registers",)),
        ("H200", Needs(128, 255), 2, ("registers",)),
        ("H200", Needs(32, 96), 20, ("registers",)),
        ("H200", Needs(32, 97), 16, ("registers",)),  # four warps per partition
        ("H200", Needs(128, shared=227 * KIB), 1, ("shared memory",)),
        ("H200", Needs(128, shared=227 * KIB + 1), 0, ("shared memory",)),
        ("H200", Needs(128, shared=113 * KIB), 2, ("shared memory",)),
        ("H200", Needs(128, shared=113 * KIB + 1), 1, ("shared memory",)),
        ("H200", Needs(64, 128, 24 * KIB), 8, ("registers",)),
        ("H200", Needs(64, 128, 32 * KIB), 6, ("shared memory",)),
        ("A100", Needs(256, 32), 8, ("warps", "registers")),
        ("A100", Needs(128, shared=163 * KIB), 1, ("shared memory",)),
        ("A100", Needs(128, shared=40 * KIB), 4, ("shared memory",)),
        ("A100", Needs(128, shared=40 * KIB + 1), 3, ("shared memory",)),
        ("RTX 4090", Needs(1024), 1, ("warps",)),
        ("RTX 4090", Needs(256), 6, ("warps",)),
        ("RTX 4090", Needs(64), 24, ("warps", "groups")),
        ("RTX 4090", Needs(32), 24, ("groups",)),
        ("RTX 4090", Needs(256, 64), 4, ("registers",)),
        ("RTX 4090", Needs(128, shared=49 * KIB), 2, ("shared memory",)),
        ("T4", Needs(1024), 1, ("warps",)),
        ("T4", Needs(32), 16, ("groups",)),
        ("T4", Needs(128, shared=32 * KIB), 2, ("shared memory",)),  # nothing is reserved before 8.0
        ("T4", Needs(128, shared=32 * KIB - 255), 2, ("shared memory",)),
    ],
)
def test_published_cases(title: str, needs: Needs, groups: int, limited_by: tuple[str, ...]) -> None:
    about = ABOUT[title]
    found = occupancy(about, needs)
    assert (found.groups, found.limited_by) == (groups, limited_by)
    assert found.lanes == groups * needs.lanes and found.on_device == groups * about.units


def test_the_reference_is_an_h200() -> None:
    h200 = replace(ABOUT["H200"], name=REFERENCE.name, title=REFERENCE.title, memory=REFERENCE.memory, peak=0, roots=0)
    assert h200 == REFERENCE


@pytest.mark.parametrize("needs", [Needs(1), Needs(64, 255), Needs(2048, 255, 64 * KIB)])
def test_without_known_limits_there_is_one_group(needs: Needs) -> None:
    for about in (UNKNOWN, Cpu(3).about()):
        found = occupancy(about, needs)
        assert (found.groups, found.on_device, found.limited_by) == (1, about.units, ())
    assert occupancy(UNKNOWN, Needs(64, shared=64 * KIB + 1)).groups == 0


@pytest.mark.parametrize(
    ("known", "groups", "limited_by"),
    [
        ({"max_lanes": 1024}, 8, "warps"),
        ({"registers": 65536}, 5, "registers"),  # without warps there is no rounding to whole ones
        ({"shared_memory": 64 * KIB}, 3, "shared memory"),
        ({"max_groups": 7}, 7, "groups"),
    ],
)
def test_one_limit_is_known(known: dict[str, int], groups: int, limited_by: str) -> None:
    found = occupancy(replace(UNKNOWN, **known), Needs(128, 100, 20 * KIB))
    assert (found.groups, found.limited_by) == (groups, (limited_by,))


def test_an_unknown_need_is_no_limit() -> None:
    assert occupancy(replace(UNKNOWN, registers=65536, shared_memory=64 * KIB), Needs(128)).limited_by == ()


def test_missing_attributes_have_defaults() -> None:
    for gpu, reserved, cluster in zip((*GPUS, A100), (0, 1024, 1024, 1024), (1, 1, 8, 1), strict=True):
        device = StubCuda(gpu)
        device._device.attributes = {"ClockRate": 1_000_000, "MaxSharedMemoryPerBlockOptin": gpu.local_memory}
        about = device.about()
        assert (about.warp, about.registers, about.reserved_memory, about.cluster) == (32, 65536, reserved, cluster)
        assert (about.max_lanes, about.max_groups, about.shared_memory) == (0, 0, 0)
        assert occupancy(about, Needs(64, 128)) == replace(occupancy(ABOUT[gpu.title], Needs(64, 128)), share=0)


@pytest.mark.parametrize(
    ("lanes", "registers", "groups"), [(32, 128, 16), (512, 128, 1), (1024, 128, 1), (64, 168, 6), (96, 96, 6)]
)
def test_register_budgets(lanes: int, registers: int, groups: int) -> None:
    assert resident(lanes, registers) == groups


def test_shared_memory_alone_is_counted_on_the_safe_side() -> None:
    for about in (*ABOUT.values(), UNKNOWN):
        for shared in (0, 1000, 22 * KIB, about.local_memory - KIB, about.local_memory):
            groups = occupancy(shared_memory_only(about), Needs(64, shared=shared)).groups
            assert groups == about.local_memory // (shared + KIB)
            if about.shared_memory:
                assert groups <= about.shared_memory // max(1, shared)
    assert occupancy(shared_memory_only(Cpu(1).about()), Needs(64, shared=KIB)).groups == 1


ERMIS = {
    500: [(2, 100), (4, 100), (8, 100), (9, 56)],
    1000: [(2, 100), (4, 100), (4, 50), (4, 25)],
    1500: [(2, 100), (3, 75), (3, 38), (3, 19)],
    2000: [(2, 100), (2, 50), (2, 25), (2, 13)],
}
"""Groups and percent for blocks of 1024, 512, 256 and 128 lanes: tables 4.8, 4.10, 4.11 and 4.13 of Ermis (2015)."""


@pytest.mark.parametrize(("n", "expected"), ERMIS.items())
def test_occupancy_as_ermis_prints_it(n: int, expected: list[tuple[int, int]]) -> None:
    found = [occupancy(QUADRO_K600, Needs(block, 20, 10 * n + 12)) for block in (1024, 512, 256, 128)]
    assert [(one.groups, one.percent) for one in found] == expected


def test_the_share_is_unknown_without_a_maximum() -> None:
    assert occupancy(UNKNOWN, Needs(64)).share == 0 == occupancy(Cpu(3).about(), Needs(1)).percent
