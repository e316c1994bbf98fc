"""Partitions cut tours into parts, solve them with any strategy and join them again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warptour as wt
from clocks import Never
from random_cities import cities
from run_strategy import searched
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.papers.mavroidis.strategy.partition.karp import halves, rectangles, united
from warptour.papers.mavroidis.strategy.partition.parts import edge_by_distances, part_of_segment, segments
from warptour.papers.mavroidis.strategy.partition.strategy import Partition
from warptour.papers.oneil.strategy.hill import HillClimbing
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds
from warptour.strategies.fallback import run_in_time
from warptour.tours.engine.open_path import as_segment
from warptour.tours.starts.start import start
from warptour.tours.strategy.windows import Windows

TOURS = ["annealing", "descent", "hill", "ils", "restarts", "symmetric", "vns", "windows"]


@given(n=st.integers(1, 200), side=st.sampled_from([1, 2, 5, 1000]), most=st.integers(8, 40), seed=st.integers(0, 50))
def test_rectangles_share_single_cities_and_give_one_tour(n: int, side: int, most: int, seed: int) -> None:
    points = np.random.default_rng(seed).integers(0, side, (n, 2)).astype(float)
    parts = rectangles(points, most)
    assert max(map(len, parts)) <= most
    assert sum(len(part) - 1 for part in parts) == n - 1
    problem = TSP("any", METRICS["EUC_2D"], points)
    if n > 1:
        assert problem.check(united(problem, parts)).violations == ()


def test_a_rectangle_is_cut_at_the_median_city_of_its_longer_side() -> None:
    places = np.array([[0, 0], [9, 1], [4, 2], [4, 0], [4, 1], [4, 3], [1, 1.0]])
    left, right = halves(places, np.arange(7, dtype=np.int32))
    assert set(left) & set(right) == {2}
    assert {0, 6} < set(left) and 1 in right
    assert len(left) + len(right) == 8 and abs(len(set(left) - {0, 6}) - len(set(right) - {1})) <= 1


@pytest.mark.parametrize("scheme", ["karp", "tour"])
@pytest.mark.parametrize("inner", TOURS)
def test_any_strategy_solves_the_parts(scheme: str, inner: str) -> None:
    problem = cities(230)
    effort = 0.02 if inner == "restarts" else 0.2
    strategy = Partition(scheme=scheme, cities=60, inner=inner, effort=effort)  # type: ignore[arg-type]
    search = searched(strategy, problem, Iterations(2), threads=2)
    assert 1 <= search.iterations <= 2
    assert search.cost < problem.cost(start(problem, "random"))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("scheme", ["karp", "tour"])
def test_seed_threads_and_iterations_decide_the_tour(scheme: str, threads: int) -> None:
    strategy = Partition(scheme=scheme, cities=100)  # type: ignore[arg-type]
    runs = [searched(strategy, cities(500), Iterations(3), seed=7, threads=threads) for _ in range(2)]
    assert (runs[0].best == runs[1].best).all()


def test_rounds_improve_and_end_by_themselves() -> None:
    problem = cities(400)
    search = searched(Partition(cities=150, inner=HillClimbing()), problem, Never())
    assert search.iterations >= 2
    assert search.cost < problem.cost(start(problem, "greedy"))


def test_one_part_is_the_whole_problem() -> None:
    problem = cities(80)
    search = searched(Partition(inner="hill", cities=80), problem, Never())
    assert search.cost == searched(HillClimbing(), problem, Never()).cost


@pytest.mark.parametrize(
    "options",
    [
        {"open": True},
        {"open": True, "first": 3},
        {"open": True, "first": 3, "last": 9},
        {"fixed_edges": np.array([[0, 40], [40, 7], [100, 101]])},
        {"open": True, "last": 9, "fixed_edges": np.array([[0, 40], [9, 7]])},
    ],
    ids=str,
)
def test_segments_keep_ends_and_fixed_edges(options: dict) -> None:
    problem = cities(130, **options)
    for most in (20, 50, 130, 200):
        searched(Partition(cities=most), problem, Iterations(4), threads=2)
    assert "fixed edges" in (Partition(inner="hill").refuses(problem) or "") or problem.open
    assert Partition(scheme="karp").refuses(problem) is not None


@pytest.mark.parametrize("n", [10, 11, 19, 21, 100])
@pytest.mark.parametrize("scheme", ["karp", "tour"])
def test_odd_sizes_and_duplicates(scheme: str, n: int) -> None:
    points = np.random.default_rng(n).integers(0, 2, (n, 2)).astype(float)
    problem = TSP("heap", METRICS["EUC_2D"], points)
    searched(Partition(scheme=scheme, cities=10), problem, Iterations(3))  # type: ignore[arg-type]


def test_distances_hold_the_closing_edge() -> None:
    part = part_of_segment(cities(50), np.arange(30, dtype=np.int32))
    held = edge_by_distances(part)
    assert len(held.fixed_edges) == 0
    tour = np.arange(30, dtype=np.int32)
    other = np.roll(tour, 1)
    other[[0, 5]] = other[[5, 0]]
    with_edge, without = (held.cost(some) for some in (tour, other))
    assert with_edge == part.cost(tour) + 4 * (held.distance(0, 5) - part.distance(0, 5)) / 2
    assert without > with_edge
    search = searched(HillClimbing(), held, Never(), start=tour)
    assert as_segment(np.asarray(search.best)) is not None


def test_a_segment_leads_from_its_first_to_its_last_city() -> None:
    assert as_segment(np.array([2, 3, 0, 1])).tolist() == [0, 1, 2, 3]  # type: ignore[union-attr]
    assert as_segment(np.array([1, 0, 3, 2])).tolist() == [0, 1, 2, 3]  # type: ignore[union-attr]
    assert as_segment(np.array([0, 3, 1, 2])).tolist() == [0, 2, 1, 3]  # type: ignore[union-attr]
    assert as_segment(np.array([0, 1, 3, 2])) is None


def test_cuts_shift_by_half_a_segment() -> None:
    problem, tour = cities(20), np.arange(20, dtype=np.int32)
    assert [part[0] for part in segments(problem, tour, 10, shifted=False)] == [0, 10]
    assert [part[0] for part in segments(problem, tour, 10, shifted=True)] == [5, 15]
    path = cities(20, open=True)
    assert [part[0] for part in segments(path, tour, 10, shifted=True)] == [0, 5, 15]


def test_time_is_shared_by_the_parts_and_kept() -> None:
    problem = cities(2000)
    search = searched(Partition(scheme="karp", cities=300, inner="windows"), problem, Seconds(1), threads=2)
    assert search.iterations == 1
    assert search.cost < problem.cost(start(problem, "greedy"))


@pytest.mark.parametrize("scheme", ["karp", "tour"])
def test_a_signal_leaves_a_tour(scheme: str) -> None:
    problem = cities(800)
    search = Search(problem, Seconds(1000), threads=2)
    polls = iter(range(3))
    over = search.over

    def interrupted() -> bool:
        if next(polls, None) is None:
            search.interrupt()
        return over()

    search.over = interrupted  # type: ignore[method-assign]
    run_in_time(Partition(scheme=scheme, cities=200), search)  # type: ignore[arg-type]
    assert problem.check(search.best).violations == ()  # type: ignore[arg-type]


def test_a_start_is_never_made_worse() -> None:
    problem = cities(300)
    good = searched(Windows(), problem, Iterations(2000)).best
    for scheme in ("karp", "tour"):
        result = wt.solve(problem, Partition(scheme=scheme, cities=100), iterations=2, start=good)  # type: ignore[arg-type]
        assert result.cost <= problem.cost(good)  # type: ignore[arg-type]


def test_what_is_refused() -> None:
    problem = cities(50)
    with pytest.raises(UsageError, match="unknown scheme"):
        Partition(scheme="wonder")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="unknown strategy 'wonder' inside"):
        Partition(inner="wonder").refuses(problem)
    with pytest.raises(UsageError, match="not a partition"):
        Partition(inner="partition").refuses(problem)
    assert "vehicles" in (Partition(inner="routes").refuses(problem) or "")
    assert "at most 4,000" in (Partition(inner="hill", cities=5000).refuses(problem) or "")
    with pytest.raises(UnsupportedError, match="cuts the plane"):
        wt.solve(TSP.from_matrix(np.ones((20, 20))), Partition(scheme="karp"), iterations=1)
    with pytest.raises(UsageError, match="nearest is from"):
        wt.solve(problem, Partition(inner=Windows(nearest=0)), iterations=1)


@pytest.mark.parametrize("scheme", ["karp", "tour"])
def test_devices_share_the_parts_in_turn(scheme: str) -> None:
    problem = cities(230)
    strategy = Partition(scheme=scheme, cities=60, inner="symmetric", effort=1.0)  # type: ignore[arg-type]
    found = [
        wt.solve(problem, strategy, iterations=2, seed=3, threads=2, device=device)
        for device in ("cpu", "cpu,cpu", "cpu,cpu,cpu")
    ]
    assert found[1].device == "cpu,cpu"
    assert len({result.cost for result in found}) == 1


def test_parts_are_solved_on_other_devices(opencl: Device) -> None:
    problem = cities(200)
    strategy = Partition(scheme="karp", cities=60, inner="symmetric", effort=1.0)
    assert "opencl" in strategy.runs_on(problem)
    host, both = (
        Search(problem, Iterations(1), seed=1, threads=1, device=devices) for devices in ([Cpu(1)], [opencl, Cpu(1)])
    )
    for search in (host, both):
        run_in_time(strategy, search)
    assert problem.check(both.best).violations == ()
    assert both.cost == host.cost


def test_a_partition_runs_where_its_inner_strategy_does() -> None:
    problem = cities(50)
    assert Partition(inner="vns").runs_on(problem) == ("cpu", "cuda", "opencl")
    assert Partition(scheme="karp", inner="hill").runs_on(problem) == ("cpu", "cuda", "opencl")
