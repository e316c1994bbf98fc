"""The rungs of Rocki (2013) find the move that the reference finds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from random_cities import NAMES, cities
from reference_engine import ReferenceEngine
from warptour.devices import Device
from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.neighborhoods import TwoOpt
from warptour.neighborhoods.move import Ints
from warptour.papers.rocki.engine import sliced_scan, table
from warptour.papers.rocki.engine.pairs import PairsScan
from warptour.papers.rocki.engine.rungs import ROCKI
from warptour.papers.rocki.engine.sliced_scan import SlicedScan, row_slices
from warptour.papers.rocki.engine.table import TableScan, table_refuses
from warptour.papers.rocki.engine.vector import ROOTS, WIDTHS, VectorScan, best_width
from warptour.papers.scans.ladder.registry import RUNGS
from warptour.papers.scans.tour_scan import fast_error, move_count

Make = Callable[..., SlicedScan]
SCANS: list[Make] = [TableScan, PairsScan, VectorScan]


def shuffled(n: int, seed: int = 0) -> Ints:
    return np.random.default_rng(seed).permutation(n).astype(np.int32)


def best(scan: SlicedScan, tour: Ints) -> tuple[tuple[int, int], float] | None:
    scan.load(tour)
    scan.scan()
    scan.pick()
    return scan.picked()


def expected(problem: TSP, tour: Ints) -> tuple[tuple[int, int], float] | None:
    found = ReferenceEngine(problem).best_move(tour)
    return found if found is not None and found[1] < 0 else None


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("make", SCANS)
@pytest.mark.parametrize(("n", "side"), [(4, 50), (5, 50), (6, 2), (12, 3), (41, 300), (97, 9)])
def test_rounded_moves_agree_with_ties(device: Device, make: Make, n: int, side: int) -> None:
    problem = cities(n, "EUC_2D", side=side)
    scan = make(problem, device)
    for seed in range(3):
        tour = shuffled(n, seed)
        assert best(scan, tour) == expected(problem, tour)


@pytest.mark.long_on_opencl
@pytest.mark.parametrize("make", SCANS)
@pytest.mark.parametrize("name", ["EUCLIDEAN", "CEIL_2D", "ATT"])
def test_other_moves_are_within_the_error_of_float32(device: Device, make: Make, name: str) -> None:
    problem, tour = cities(90, name, side=5000), shuffled(90)
    found, right = best(make(problem, device), tour), expected(problem, tour)
    assert found is not None and right is not None
    assert found[1] == pytest.approx(TwoOpt().delta(problem, tour, found[0]))
    omitted = 0 if name == "EUCLIDEAN" or make is TableScan else 4
    assert found[1] <= right[1] + fast_error(problem) + omitted


@pytest.mark.parametrize("name", NAMES)
def test_the_table_takes_every_metric(device: Device, name: str) -> None:
    problem, tour = cities(30, name, side=300), shuffled(30)
    found, right = best(TableScan(problem, device), tour), expected(problem, tour)
    assert found is not None and right is not None
    if problem.metric.integral:
        assert found == right
    else:
        assert found[1] == pytest.approx(right[1], rel=1e-5)


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_width_and_root(device: Device, width: int, root: str) -> None:
    for n in (5, 19, 131):
        problem, tour = cities(n, "EUC_2D" if root == "exact" else "EUCLIDEAN", side=300), shuffled(n)
        found, right = best(VectorScan(problem, device, width, root), tour), expected(problem, tour)
        assert found is not None and right is not None
        assert found[0] == right[0]
        assert found[1] == pytest.approx(right[1])


@pytest.mark.threads
@pytest.mark.parametrize("make", SCANS)
def test_groups_and_slices_do_not_matter(device: Device, make: Make) -> None:
    problem, tour = cities(150, "EUC_2D", side=40), shuffled(150)
    right = expected(problem, tour)
    for groups, call in ((1, 10**9), (2, 10**9), (3, 1000), (7, 77)):
        scan = make(problem, device, groups=groups)
        scan.call = call
        assert best(scan, tour) == right


@pytest.mark.parametrize("make", SCANS)
def test_a_descent_takes_the_steps_of_the_reference(device: Device, make: Make) -> None:
    problem, tour = cities(24, "EUC_2D", side=300), shuffled(24)
    scan = make(problem, device)
    scan.load(tour)
    assert scan.steps(100) < 100 and scan.steps(100) == 1
    assert (scan.tour() == ReferenceEngine(problem).descend(tour)).all()


@pytest.mark.parametrize("make", SCANS)
def test_a_scan_ends_when_told_to(device: Device, make: Make) -> None:
    scan = make(cities(60, "EUC_2D"), device)
    scan.load(shuffled(60))
    with pytest.raises(Unfinished):
        scan.scan(lambda: True)


def test_slices_of_rows_cover_all_moves_once() -> None:
    for n in (4, 5, 50, 1001):
        for call, groups in ((1, 1), (100, 3), (10**9, 2)):
            slices = list(row_slices(n, call, groups))
            assert slices[0][0] == 0 and slices[-1][1] == n - 2
            assert all(one[1] == other[0] for one, other in pairwise(slices))
            assert sum(moves for _, _, moves in slices) == move_count(n) + 1  # (0, n - 1) is masked


def test_each_rung_says_what_it_refuses(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "largest_table", lambda device: 99)
    planar, matrix = cities(100, "EUC_2D"), cities(100, "EXPLICIT")
    assert table_refuses(cities(99, "EUC_2D"), device) is None
    assert "at most 99 cities; pairs" in str(table_refuses(planar, device))
    assert "pairs" not in str(table_refuses(matrix, device))
    for name in ("pairs", "vector"):
        assert RUNGS[name].refuses(planar, device) is None
        assert "table takes any metric" in str(RUNGS[name].refuses(matrix, device))


def test_the_rungs_are_registered() -> None:
    assert [rung.name for rung in ROCKI] == ["table", "pairs", "vector"]
    assert all(RUNGS[rung.name] is rung and rung.scan is not None for rung in ROCKI)


def test_widths_and_groups_follow_the_device(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    assert best_width(device) in WIDTHS
    monkeypatch.setattr(sliced_scan, "PARALLEL", 0)
    assert sliced_scan.scan_groups(device, 100_000) >= device.about().units
