"""Devices that share a scan make the moves that one of them would make, whatever the set of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from failing_device import Failing
from random_cities import NAMES, cities
from reference_engine import ReferenceEngine
from small_problems import described, small_tsp
from warptour.devices import Device, DeviceError
from warptour.devices.cpu import Cpu
from warptour.kernels.groups import Unfinished
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.two_opt import TwoOpt
from warptour.papers.scans import team, two_opt
from warptour.papers.scans.rows import KINDS, Sharing, moves_before, on, share_cores, three_opt_move, three_opt_rank
from warptour.papers.scans.runner import BestMove, Order
from warptour.papers.scans.shared import SharedThreeOpt, SharedTwoOpt
from warptour.papers.scans.team import LEAST_SHARE, MOST_MOVES, RESTED, Team
from warptour.papers.scans.three_opt import ThreeOptEngine
from warptour.papers.scans.two_opt import TwoOptEngine


@pytest.fixture(autouse=True)
def nobody_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has every scanner share every pass, however late it is: what fails must have its turn."""
    monkeypatch.setattr(team, "RESTED", 0)


Engine = TwoOptEngine | ThreeOptEngine
Made = list[tuple[Move, int | float]]
SHARED: dict[str, tuple[type[SharedTwoOpt] | type[SharedThreeOpt], type[Engine]]] = {
    "2-opt": (SharedTwoOpt, TwoOptEngine),
    "3-opt": (SharedThreeOpt, ThreeOptEngine),
}


PRUNABLE = ["EUC_2D", "EUCLIDEAN", "CEIL_2D"]


def shuffled(n: int, seed: int = 0) -> Ints:
    return np.random.default_rng(seed).permutation(n).astype(np.int32)


def moves(engine: Engine, tour: Ints, most: int = 10_000) -> Made:
    """Return the moves of a climb, at most so many."""
    made: Made = []
    while len(made) < most and (found := engine.best_improvement(tour)) is not None:
        made.append(found)
        tour = engine.apply(tour, found[0])
    return made


def shared(problem: TSP, name: str, devices: Sequence[Device], **options: Any) -> Engine:
    return SHARED[name][0](problem, devices[0], Sharing([on(device) for device in devices], **options))


@pytest.fixture(scope="module", params=[1, 3])
def cpus(request: pytest.FixtureRequest) -> list[Device]:
    return [Cpu(1) for _ in range(request.param)]


@pytest.fixture(scope="module", params=[pytest.param(kind, marks=pytest.mark.compiles) for kind in ("opencl", "cuda")])
def mixture(request: pytest.FixtureRequest, find_or_skip: Callable[[str], Device]) -> list[Device]:
    """Two devices of a kind, or one twice, and the CPU."""
    return [find_or_skip(request.param), Cpu(2), find_or_skip(request.param)]


@pytest.mark.parametrize("name", SHARED)
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), threads=st.integers(1, 3), pruned=st.booleans())
def test_moves_are_those_of_the_reference(name: str, seed: int, threads: int, pruned: bool) -> None:
    problem = small_tsp(seed, 5, 12 if name == "2-opt" else 6, closed=True)
    if problem.metric.norm == "great_circle":  # NumPy has another arcsine than the kernels
        return
    tour, reference = shuffled(problem.n, seed), ReferenceEngine(problem, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(two_opt, "PROVED_FROM", 5 if pruned else 200)
        engine = shared(problem, name, [Cpu(1)] * threads)
        while (expected := reference.certify(tour)) is not None:
            found = engine.best_improvement(tour)
            assert found is not None, described(problem)
            assert found[0] == expected, described(problem)
            assert found[1] == reference.neighborhood.delta(problem, tour, expected)
            tour = engine.apply(tour, expected)
        assert engine.certify(tour) is None, described(problem)


@pytest.mark.threads
@pytest.mark.parametrize(
    ("metric", "n", "side"),
    [*((name, 64, 4) for name in NAMES), *((name, 260, side) for name in PRUNABLE for side in (9, 1000))],
)
def test_any_number_of_devices_makes_the_same_2_opt_moves(cpus: list[Device], metric: str, n: int, side: int) -> None:
    problem, tour = cities(n, metric, side=side), shuffled(n)
    expected = moves(TwoOptEngine(problem, Cpu(1)), tour, 60)
    assert len(expected) >= 20
    assert moves(shared(problem, "2-opt", cpus), tour, 60) == expected


@pytest.mark.threads
@pytest.mark.parametrize(("n", "side"), [(70, 5), (140, 1000)])
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "GREAT_CIRCLE", "EXPLICIT"])
def test_any_number_of_devices_makes_the_same_3_opt_moves(cpus: list[Device], metric: str, n: int, side: int) -> None:
    problem, tour = cities(n, metric, side=side), shuffled(n)
    expected = moves(ThreeOptEngine(problem, Cpu(1)), tour, 8)
    assert len(expected) == 8
    assert moves(shared(problem, "3-opt", cpus), tour, 8) == expected


@pytest.mark.parametrize(
    ("name", "metric"),
    [("2-opt", "EUC_2D"), ("2-opt", "EUCLIDEAN"), ("2-opt", "GREAT_CIRCLE"), ("3-opt", "EUC_2D"), ("3-opt", "GEO")],
)
def test_devices_of_different_kinds_make_the_same_moves(mixture: list[Device], name: str, metric: str) -> None:
    for n, side in ((9, 3), (70, 5), (230, 12)):
        problem, tour, most = cities(n, metric, side=side), shuffled(n), 40 if name == "2-opt" else 5
        expected = moves(SHARED[name][1](problem, Cpu(2)), tour, most)
        for devices in (mixture, [mixture[0], mixture[2]]):
            assert moves(shared(problem, name, devices), tour, most) == expected


@pytest.mark.parametrize("places", [1, 2, 3])
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN"])
def test_ties_that_a_pruned_scan_misses_are_found(metric: str, places: int) -> None:
    """Many cities in few places: many moves gain both of their edges."""
    at = np.array([[0.0, 0.0], [30.0, 0.0], [0.0, 41.0]])[np.random.default_rng(places).integers(0, places, 700)]
    problem, tour = TSP("places", cities(5, metric).metric, at), shuffled(700)
    expected = moves(TwoOptEngine(problem, Cpu(1)), tour, 25)
    assert len(expected) == (0 if places == 1 else 25)
    assert moves(shared(problem, "2-opt", [Cpu(1), Cpu(1)]), tour, 25) == expected


def test_a_climb_is_proved_and_counts_its_scans() -> None:
    problem, tour = cities(90, "EUC_2D"), shuffled(90)
    engine = shared(problem, "2-opt", [Cpu(1), Cpu(1)])
    assert isinstance(engine, SharedTwoOpt)
    expected = moves(TwoOptEngine(problem, Cpu(1)), tour)
    few, top = engine.climb(tour, 5), engine.climb(tour, 10_000)
    assert (few.scans, few.locally_optimal, few.proved) == (5, False, False)
    assert (top.scans, top.locally_optimal, top.proved) == (len(expected) + 1, True, True)
    assert engine.certify(top.tour) is None
    for move, _ in expected:
        tour = engine.apply(tour, move)
    assert (top.tour == tour).all()


def test_the_best_move_is_found_even_if_it_improves_nothing() -> None:
    problem = cities(40, "EUC_2D")
    engine, alone = shared(problem, "2-opt", [Cpu(1), Cpu(1)]), TwoOptEngine(problem, Cpu(1))
    tour = engine.climb(shuffled(40), 1000).tour
    assert engine.best_move(tour) == alone.best_move(tour)
    assert engine.improving_move(tour) is None


@pytest.mark.parametrize("launches", [0, 1, 7])
@pytest.mark.parametrize(("name", "n"), [("2-opt", 60), ("2-opt", 300), ("3-opt", 80)])
def test_what_a_failing_device_was_to_do_is_done_by_others(name: str, n: int, launches: int) -> None:
    problem, tour = cities(n, "EUC_2D", side=40), shuffled(n)
    expected = moves(SHARED[name][1](problem, Cpu(1)), tour, 20)
    notes: list[str] = []
    first, last = Failing(launches), Failing(2 * launches)
    assert moves(shared(problem, name, [first, Cpu(1), last], note=notes.append), tour, 20) == expected
    assert len(notes) == sum(device.left < 0 for device in (first, last))  # slow ones may not get so far
    assert launches > 0 or len(notes) == 2
    assert all(note.startswith("failing has failed (driver lost)") for note in notes)


def test_a_device_without_memory_is_done_without() -> None:
    problem, tour = cities(60, "EUC_2D"), shuffled(60)
    notes: list[str] = []
    engine = shared(problem, "2-opt", [Failing(99, memory=False), Cpu(1)], note=notes.append)
    assert moves(engine, tour, 5) == moves(TwoOptEngine(problem, Cpu(1)), tour, 5)
    assert notes == ["failing has failed (no room); cpu and others do its rows"]


def test_if_all_devices_fail_so_does_the_scan_unless_there_is_a_spare_one() -> None:
    problem, tour = cities(60, "EUC_2D"), shuffled(60)
    with pytest.raises(DeviceError, match="driver lost"):
        moves(shared(problem, "2-opt", [Failing(3), Failing(5)]), tour)
    engine = shared(problem, "2-opt", [Failing(3), Failing(5)], spare=on(Cpu(1)))
    assert moves(engine, tour, 20) == moves(TwoOptEngine(problem, Cpu(1)), tour, 20)


@pytest.mark.parametrize("name", SHARED)
def test_a_scan_that_is_told_to_ends_and_the_next_one_is_right(name: str) -> None:
    problem, tour = cities(300, "MAN_2D"), shuffled(300)
    asked = iter([False, False, True])
    slow = Slow(1)
    engine = shared(problem, name, [slow, Cpu(1)], over=lambda: next(asked, False))
    with pytest.raises(Unfinished):
        engine.best_improvement(tour)
    slow.seconds = 0.0
    assert engine.best_improvement(tour) == SHARED[name][1](problem, Cpu(1)).best_improvement(tour)


class Slow(Cpu):
    """A CPU that waits before each launch."""

    seconds = 0.2

    def synchronise(self) -> None:
        time.sleep(self.seconds)


@dataclass
class Stub:
    """A runner of a given rate; it keeps its orders."""

    name: str
    rate: float
    orders: list[Order] = field(default_factory=list)

    def start(self, order: Order) -> None:
        self.orders.append(order)

    def take(self, seconds: float) -> BestMove:
        order = self.orders[-1]
        return BestMove(0.0, order.first, seconds=(order.last - order.first) / self.rate)

    def halt(self) -> None:
        """Have nothing to give up."""


def test_rows_are_divided_by_rates_and_follow_them() -> None:
    one, two, idle = Stub("one", 3000.0), Stub("two", 1000.0), Stub("idle", 0.001)
    team = Team([one, two, idle], 100_000, lambda row: row, TwoOpt(), clock=lambda: 0.0)
    team.load(np.arange(5, dtype=np.int32))
    assert team.scan().rank == 0
    shares = [runner.orders[-1].last - runner.orders[-1].first for runner in (one, two, idle)]
    assert shares[0] == pytest.approx(3 * shares[1], rel=0.01)
    assert shares[2] == pytest.approx(LEAST_SHARE * shares[0], rel=0.01)
    one.rate = 500.0
    for _ in range(12):
        team.scan()
    shares = [runner.orders[-1].last - runner.orders[-1].first for runner in (one, two)]
    assert shares[1] == pytest.approx(2 * shares[0], rel=0.01)
    assert team.rates["two"] == pytest.approx(1000.0)


def test_a_scanner_that_others_wait_for_rests_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team, "RESTED", RESTED)
    now = [0.0]

    @dataclass
    class Late(Stub):
        def take(self, seconds: float) -> BestMove:
            found = super().take(seconds)
            now[0] += found.seconds + (1.0 if self.name == "late" else 0.0)
            return found

    quick, late = Late("quick", 1e6), Late("late", 1e5)
    both = Team([quick, late], 100_000, lambda row: row, TwoOpt(), clock=lambda: now[0])
    both.load(np.arange(5, dtype=np.int32))
    both.scan()
    tried = len(late.orders)
    for _ in range(RESTED):
        both.scan()
        assert (quick.orders[-1].first, quick.orders[-1].last) == (0, 100_000)
    assert len(late.orders) == tried
    both.scan()
    assert len(late.orders) == tried + 1


def test_every_row_is_given_out_once() -> None:
    for rows, runners in ((1, 3), (7, 2), (1000, 4)):
        stubs = [Stub(str(k), 10.0**k) for k in range(runners)]
        team = Team(stubs, rows, lambda row: row * row, TwoOpt(), clock=lambda: 0.0)
        team.load(np.arange(5, dtype=np.int32))
        for _ in range(3):
            team.scan()
            given = sorted((order.first, order.last) for stub in stubs for order in stub.orders)
            assert given[0][0] == 0
            assert given[-1][1] == rows
            assert all(one[1] == other[0] for one, other in pairwise(given))
            for stub in stubs:
                stub.orders.clear()


def test_a_scanner_is_sent_moves_and_only_after_many_of_them_the_tour() -> None:
    stub = Stub("stub", 1.0)
    team = Team([stub], 10, lambda row: row, TwoOpt())
    tour = np.arange(10, dtype=np.int32)
    team.load(tour)
    team.scan()
    assert stub.orders[-1].tour is not None
    after = TwoOpt().apply(TwoOpt().apply(tour, (1, 4)), (2, 7))
    team.make((1, 4))
    team.follow(after, 1.0, (2, 7), known=3.0)
    team.scan()
    assert stub.orders[-1].tour is None
    assert (stub.orders[-1].moves, stub.orders[-1].known) == (((1, 4), (2, 7)), 3.0)
    team.follow(after, 1.0, None)
    team.scan()
    assert stub.orders[-1].moves == ()
    for _ in range(MOST_MOVES + 1):
        team.make((1, 4))
    team.scan()
    assert stub.orders[-1].tour is not None


@pytest.mark.parametrize("n", [4, 5, 12, 40])
def test_work_and_ranks_count_moves(n: int) -> None:
    ranks = [row for row, _ in TwoOpt().moves(n)]
    assert [moves_before(row, n) for row in range(n - 1)] == [sum(r < row for r in ranks) for row in range(n - 1)]
    assert KINDS["rows"].rows(cities(n)) == n - 2
    some = [(0, 1, 2, 0), (0, 1, 2, 3), (0, 1, n - 1, 1), (1, 2, n - 1, 0)]
    assert [three_opt_move(three_opt_rank(move, n), n) for move in some] == some
    assert [three_opt_rank(move, n) for move in some] == sorted(three_opt_rank(move, n) for move in some)


def test_cores_are_shared_out_among_devices() -> None:
    one, two, gpu = Cpu(8), Cpu(8), Stub("gpu", 1.0)
    for devices, expected in (([one], 8), ([one, gpu], 7), ([gpu, one, two], 3), ([one, gpu, gpu], 6)):
        share_cores(devices, 8)  # type: ignore[arg-type]
        assert one.threads == expected
    share_cores([one, two], 1)
    assert (one.threads, two.threads) == (1, 1)
