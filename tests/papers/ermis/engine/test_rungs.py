"""The rungs of Ermis (2015) find the reference's move, with any launch."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from cupy_stub import GPUS, StubCuda
from random_cities import cities
from reference_engine import ReferenceEngine
from warptour.devices import Device
from warptour.devices.launch import Launch
from warptour.devices.occupancy import QUADRO_K600
from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.papers.ermis.engine import job_scans
from warptour.papers.ermis.engine.job_scans import (
    JobScan,
    OrderedScan,
    PartitionScan,
    SharedScan,
    ordered_cities,
    shared_bytes,
    shared_cities,
)
from warptour.papers.ermis.engine.job_tuning import balanced, tried_launches, tuned_launch
from warptour.papers.ermis.engine.rungs import ERMIS
from warptour.papers.scans.scan import FastScan
from warptour.papers.scans.tour_scan import fast_error

RUNGS = {rung.name: rung for rung in ERMIS}
SCANS = [SharedScan, OrderedScan, PartitionScan]


def shuffled(n: int, seed: int = 0) -> Ints:
    return np.random.default_rng(seed).permutation(n).astype(np.int32)


def found(scan: JobScan | FastScan, tour: Ints) -> tuple[tuple[int, ...], float] | None:
    scan.load(tour)
    scan.scan()
    scan.pick()
    return scan.picked()


def launches(device: Device) -> list[Launch]:
    """Return launches with few and many lanes, groups and iterations."""
    if device.lanes == 1:
        return [Launch(1, 1), Launch(1, 3), Launch(1, 64)]
    return [Launch(block, grid) for block in (1024, 128, 32) for grid in (1, 7, 300)]


@cache
def reference_move(n: int, side: int, seed: int) -> tuple[tuple[int, ...], float] | None:
    return ReferenceEngine(cities(n, "EUC_2D", side=side)).best_move(shuffled(n, seed))


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("kind", SCANS)
@pytest.mark.parametrize(("n", "side"), [(4, 50), (5, 50), (12, 3), (41, 500), (90, 20)])
def test_the_move_of_the_reference(device: Device, kind: type[JobScan], n: int, side: int) -> None:
    problem = cities(n, "EUC_2D", side=side)
    for seed in range(2):
        move = reference_move(n, side, seed)
        assert move is not None
        assert found(kind(problem, device), shuffled(n, seed)) == (move if move[1] < 0 else None)


@pytest.mark.parametrize("kind", SCANS)
@pytest.mark.parametrize("name", ["EUCLIDEAN", "CEIL_2D", "ATT"])
def test_other_metrics_within_the_error_of_float32(device: Device, kind: type[JobScan], name: str) -> None:
    problem, tour = cities(100, name, side=800), shuffled(100)
    move = ReferenceEngine(problem).best_move(tour)
    best = found(kind(problem, device), tour)
    assert move is not None and best is not None
    assert best[1] == pytest.approx(move[1], abs=fast_error(problem) + (4 if problem.metric.integral else 0))


@pytest.mark.parametrize("kind", SCANS)
def test_every_launch_finds_the_same_move(device: Device, kind: type[JobScan], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_scans, "RANGE", 90)
    problem, tour = cities(401, "EUC_2D", side=60), shuffled(401)
    expected = found(FastScan(problem, device), tour)
    moves = {found(kind(problem, device, launch), tour) for launch in launches(device)}
    assert len(moves) == 1
    (move,) = moves
    assert move is not None and expected is not None and move[1] == expected[1]
    if kind is PartitionScan:
        assert move == found(OrderedScan(problem, device), tour)


@pytest.mark.parametrize("kind", SCANS)
def test_a_scan_in_many_launches_finds_the_same_move(device: Device, kind: type[JobScan]) -> None:
    problem, tour = cities(150, "EUC_2D", side=40), shuffled(150)
    whole, sliced = kind(problem, device), kind(problem, device, launches(device)[0])
    sliced.call = 1000
    assert found(whole, tour) == found(sliced, tour)
    found(sliced, np.arange(150, dtype=np.int32))
    assert found(whole, tour) == found(sliced, tour)


@pytest.mark.parametrize("kind", SCANS)
def test_distances_cut_to_integers_are_cut_in_the_kernel(device: Device, kind: type[JobScan]) -> None:
    """Many distances are whole or nearly so, where a root that is a little wrong would be cut to another."""
    plane = cities(40, "EUC_2D", side=12)
    problem = TSP("cut", plane.metric.rounded("floor"), np.concatenate((plane.points, 300 + 4 * plane.points)))
    scan, reference, tour = kind(problem, device), ReferenceEngine(problem), shuffled(80)
    for _ in range(8):
        best = reference.best_move(tour)
        assert found(scan, tour) == best
        assert device.fetch(scan.gains).max() == -best[1]
        tour = reference.neighborhood.apply(tour, best[0])


@pytest.mark.parametrize("kind", SCANS)
def test_steps_lead_to_a_local_minimum(device: Device, kind: type[JobScan]) -> None:
    problem = cities(60, "EUC_2D", side=900)
    scan = kind(problem, device)
    scan.load(shuffled(60))
    scan.steps(120)
    assert ReferenceEngine(problem).certify(scan.tour()) is None


def test_a_city_index_beyond_the_sign_bit(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = cities(33_000, "EUC_2D", side=900)
    if RUNGS["shared"].refuses(problem, device):
        pytest.skip("33,000 cities do not fit into the shared memory of this device")
    few = classmethod(lambda cls, n: 100_000)  # pairs of the first positions, where the last cities are
    monkeypatch.setattr(JobScan, "jobs", few)
    tour = np.arange(33_000, dtype=np.int32)[::-1].copy()
    best, expected = found(SharedScan(problem, device), tour), found(OrderedScan(problem, device), tour)
    assert best is not None and best == expected


def test_a_scan_ends_when_told_to(device: Device) -> None:
    problem = cities(100)
    for kind in SCANS:
        scan = kind(problem, device)
        scan.load(shuffled(100))
        with pytest.raises(Unfinished):
            scan.scan(over=lambda: True)


def test_limits_at_48_kilobytes() -> None:
    memory = QUADRO_K600.local_memory
    assert (shared_cities(memory), ordered_cities(memory)) == (4914, 6144)
    assert shared_bytes(500) == 5012 and shared_bytes(4914) == memory
    assert PartitionScan.local(60_000) <= memory


def test_partitions_as_in_table_4_19() -> None:
    for n, parts in ((2999, 1), (3001, 3), (9000, 6), (15_000, 15), (30_000, 55), (60_000, 210)):
        ranges = PartitionScan.ranges(n)
        assert len(ranges) * (len(ranges) + 1) // 2 == parts and sum(map(len, ranges)) == n


def test_all_pairs_are_in_one_partition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_scans, "RANGE", 7)
    scan = PartitionScan(cities(31), StubCuda(GPUS[0]))
    assert sum(jobs for jobs, _ in scan.parts()) == 31 * 30 // 2


class Small(StubCuda):
    """A GPU of 48 KB."""

    def about(self) -> object:  # type: ignore[override]
        return replace(super().about(), local_memory=48 * 1024)


def test_refusals_say_the_limit_and_which_rung_goes_on() -> None:
    small, h200 = Small(GPUS[0]), StubCuda(GPUS[2])
    assert RUNGS["shared"].refuses(cities(4000), small) is None
    assert RUNGS["shared"].refuses(cities(5000), small) == (
        "shared takes at most 4,862 cities on cuda:0, and there are 5,000; ordered goes on"
    )
    assert RUNGS["ordered"].refuses(cities(6200), small) == (
        "ordered takes at most 6,080 cities on cuda:0, and there are 6,200; partitions goes on"
    )
    assert RUNGS["partitions"].refuses(cities(6200), small) is None
    assert RUNGS["shared"].refuses(cities(23_000), h200) is None
    assert "diagonal goes on" in str(RUNGS["partitions"].refuses(cities(9000), replaced_memory(small, 32 * 1024)))
    for rung in ERMIS:
        assert "GEO" in str(rung.refuses(cities(10, "GEO"), h200))


def replaced_memory(device: StubCuda, memory: int) -> StubCuda:
    device.about = lambda: replace(QUADRO_K600, local_memory=memory)  # type: ignore[method-assign]
    return device


def test_a_16_bit_index_ends_at_65536_cities(device: Device) -> None:
    if device.lanes == 1 and not device.about().local_memory:
        assert "65,536" in str(RUNGS["shared"].refuses(cities(65_537), device))
        assert RUNGS["ordered"].refuses(cities(65_537), device) is None


@pytest.mark.parametrize("gpu", GPUS, ids=lambda gpu: gpu.title)
@pytest.mark.parametrize("kind", SCANS)
def test_launches_fit_and_are_ranked_by_occupancy(gpu: object, kind: type[JobScan]) -> None:
    device = StubCuda(gpu)  # type: ignore[arg-type]
    for n in (100, 1000, 5000):
        ranked = kind.launches(device, n)
        assert ranked and all(launch.block * (launch.grid - 1) < kind.jobs(n) for launch in ranked)
        tried = tried_launches(kind, device, n)
        assert len(tried) == len(set(tried)) >= 2
        assert tuned_launch(kind, cities(n), device) in tried


def test_the_model_fills_an_h200() -> None:
    assert OrderedScan.launches(StubCuda(GPUS[2]), 5000)[0] == Launch(1024, 264)
    assert OrderedScan.launches(StubCuda(GPUS[2]), 20_000)[0] == Launch(1024, 132)


def test_balanced_launches_have_as_many_iterations() -> None:
    assert balanced(Launch(128, 100), 13_000) == Launch(128, 51)
    assert balanced(Launch(128, 1000), 128) == Launch(128, 1)


def test_rungs_scan(device: Device) -> None:
    problem, tour = cities(80, "EUC_2D", side=300), shuffled(80)
    moves = set()
    for rung in ERMIS:
        assert rung.scan is not None and rung.refuses(problem, device) is None
        scan = rung.scan(problem, device)
        assert isinstance(scan, JobScan)
        moves.add(found(scan, tour))
    assert moves == {ReferenceEngine(problem).best_move(tour)}


def test_the_tuned_launch_of_a_long_tour_is_that_of_two_ranges() -> None:
    device = StubCuda(GPUS[2])
    long = TSP("long", cities(4).metric, np.random.default_rng(0).integers(0, 900, (20_000, 2)).astype(float))
    assert tuned_launch(PartitionScan, long, device) in tried_launches(PartitionScan, device, 6000)
