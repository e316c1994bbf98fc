"""Splits, arenas and merges: whatever happens in the windows, what they make together is one tour."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics import NAMES, problem_of

from warptour.construct import start
from warptour.engines.merge import merge
from warptour.engines.split import SMALLEST, Arena, Split, cells
from warptour.engines.terrain import Terrain
from warptour.engines.window import Window
from warptour.model.metric import METRICS
from warptour.model.problem import TSP


def cities(n: int, metric: str = "EUC_2D", **options: object) -> TSP:
    return TSP("some", METRICS[metric], np.random.default_rng(n).integers(0, 1000, (n, 2)).astype(float), **options)


def fragments(split: Split) -> list[tuple[int, ...]]:
    """Return the cities of every fragment, as they lie in the windows now."""
    starts = np.cumsum(split.counts) - split.counts
    return [tuple(split.order[at : at + count]) for at, count in zip(starts, split.counts, strict=True)]


def refine(split: Split, window: int, arena: Arena, marks: np.ndarray, kicks: int = 60) -> float:
    arena.load(split, window, marks)
    while not arena.settled or arena.kicks < kicks:
        arena.search(kicks - arena.kicks, seed=2, stream=window)
    arena.unload(split, window)
    return arena.gain


def refined(split: Split, **options: float) -> float:
    marks = np.ones(split.terrain.nodes, np.int32)
    arena = Arena(split.terrain, split.largest)
    sizes = np.diff(split.offsets)
    return sum(refine(split, int(w), arena, marks, **options) for w in np.flatnonzero(sizes >= SMALLEST))


def labels(terrain: Terrain, size: int, seed: int) -> np.ndarray:
    return cells(terrain, size, np.random.default_rng(seed))


PROBLEMS = [
    *(problem_of(name, 300) for name in NAMES if METRICS[name].norm != "matrix"),
    cities(300, fixed_edges=np.array([[k, k + 1] for k in range(0, 299, 3)])),
    cities(300, open=True),
    cities(300, open=True, first=7),
    cities(300, open=True, first=7, last=100, fixed_edges=np.array([[7, 8], [20, 200]])),
    problem_of("EUC_2D", 300, grid=6),
    TSP("one place", METRICS["EUC_2D"], np.zeros((300, 2))),
    TSP("a line", METRICS["EUCLIDEAN"], np.column_stack((np.arange(300.0), np.zeros(300)))),
]


def ids(problem: TSP) -> str:
    return f"{problem.name} {problem.metric.name}{' open' * problem.open}{' fixed' * (len(problem.fixed_edges) > 0)}"


@settings(max_examples=60)
@given(st.data())
def test_a_split_that_nobody_refines_joins_to_the_same_tour(data: st.DataObject) -> None:
    n = data.draw(st.integers(10, 60))
    problem = problem_of("EUC_2D", n)
    tour = np.array(data.draw(st.permutations(range(n))), np.int32)
    label = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)), np.int32)
    label = np.unique(label, return_inverse=True)[1].astype(np.int32)
    split = Split(Terrain.of(problem), tour, label)
    assert (split.joined() == tour).all()
    assert len(fragments(split)) == split.fragments
    marks = np.zeros(n, np.int32)
    arena = Arena(split.terrain, split.largest)
    for window in range(split.windows):
        arena.load(split, window, marks)
        arena.unload(split, window)
    assert (split.joined() == tour).all(), "in and out again"


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("problem", PROBLEMS, ids=ids)
def test_refined_windows_join_to_one_tour_and_their_gains_add_up(problem: TSP) -> None:
    terrain = Terrain.of(problem)
    tour = start(problem, "greedy", 0)
    before = problem.cost(tour)
    walk = terrain.enter(tour)
    for round_ in range(2):
        split = Split(terrain, walk, labels(terrain, 60, round_))
        ends = [(fragment[0], fragment[-1]) for fragment in fragments(split)]
        gain = refined(split)
        assert [(fragment[0], fragment[-1]) for fragment in fragments(split)] == ends
        walk = split.joined()
        report = problem.check(terrain.leave(walk))
        assert report.violations == ()
        assert before - report.cost == pytest.approx(gain, rel=1e-9, abs=1e-6)
        before = report.cost


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("shift", [0, 1, 150, 299])
def test_a_long_chain_of_fixed_edges_holds_wherever_the_array_of_the_tour_begins(shift: int) -> None:
    chain = np.column_stack((np.arange(0, 80), np.arange(1, 81)))
    problem = cities(300, fixed_edges=chain)
    terrain = Terrain.of(problem)
    walk = np.roll(terrain.enter(start(problem, "greedy", 0)), shift)
    at = int(np.flatnonzero(walk == terrain.enter(np.array([40], np.int32))[0])[0])
    walk = np.roll(walk, -at - shift % 2)  # the array's end lies inside the chain
    for seed in range(6):
        split = Split(terrain, walk, labels(terrain, 75, seed))
        refined(split, kicks=300)
        assert problem.check(terrain.leave(split.joined())).violations == ()


def test_cells_hold_every_city_once_and_none_is_much_larger_than_asked() -> None:
    for problem in (cities(2000), cities(2000, open=True), problem_of("GREAT_CIRCLE", 2000), PROBLEMS[-2]):
        terrain = Terrain.of(problem)
        label = labels(terrain, 100, 0)
        assert len(label) == terrain.nodes
        sizes = np.bincount(label)
        assert sizes.min() > 0
        assert sizes.max() < 200
        if problem.n == 2000:
            assert (label != labels(terrain, 100, 1)).any(), "another draw, other windows"


@pytest.mark.threads
def test_windows_are_refined_side_by_side() -> None:
    problem = cities(600)
    terrain = Terrain.of(problem)
    walk = terrain.enter(start(problem, "greedy", 0))
    tours = []
    for workers in (1, 4):
        split = Split(terrain, walk, labels(terrain, 75, 0))
        marks = np.ones(terrain.nodes, np.int32)

        def work(window: int, split: Split = split, marks: np.ndarray = marks) -> None:
            refine(split, window, Arena(terrain, split.largest), marks)

        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(work, range(split.windows)))
        tours.append(split.joined())
    assert (tours[0] == tours[1]).all()


def kicked(terrain: Terrain, base: np.ndarray, region: tuple[int, int], seed: int) -> Window:
    """Return a search from ``base`` that kicked in a region of its own."""
    window = Window(terrain, terrain.nodes)
    window.restart(base)
    while window.kicks < 400:
        window.search(400 - window.kicks, seed=seed, region=region)
    return window


def settled(problem: TSP, terrain: Terrain, choice: str = "greedy", seed: int = 0) -> np.ndarray:
    """Return a local optimum."""
    whole = Window.whole(terrain, terrain.enter(start(problem, choice, seed)))
    while not whole.settled:
        whole.search(0, seed=1)
    return whole.tour.copy()


def assert_merged(problem: TSP, terrain: Terrain, tour: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, float]:
    """Merge and check: what comes out is a tour, what went in is as it was, and the gain is the exact one."""
    given = tour.copy(), other.copy()
    merged, gain = merge(terrain, tour, other)
    assert (tour == given[0]).all() and (other == given[1]).all()
    after = terrain.leave(merged)
    assert problem.check(after).violations == ()
    assert gain >= 0
    assert problem.cost(terrain.leave(tour)) - problem.cost(after) == pytest.approx(gain, rel=1e-9, abs=1e-6)
    return merged, gain


MERGED = [
    cities(400),
    cities(400, "EUCLIDEAN"),
    cities(400, open=True),
    cities(400, open=True, first=0, last=9),
    cities(400, fixed_edges=np.array([[k, k + 1] for k in range(0, 399, 4)])),
    problem_of("EUC_2D", 400, grid=10),
    TSP("one place", METRICS["EUC_2D"], np.zeros((60, 2))),
    problem_of("GEO", 400),
    problem_of("EXPLICIT", 120),
    *(cities(n) for n in (8, 9, 12)),
]


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("problem", MERGED, ids=lambda problem: f"{problem.n} {ids(problem)}")
def test_a_merge_is_a_tour_and_its_gain_is_real(problem: TSP) -> None:
    terrain = Terrain.of(problem)
    base = settled(problem, terrain)
    third = terrain.nodes // 3
    tour = base
    for k in range(3):  # searches that left the same tour
        tour, _ = assert_merged(problem, terrain, tour, kicked(terrain, base, (k * third, third), 10 + k).tour)
    for seed in range(3):  # tours that have nothing to do with each other
        assert_merged(problem, terrain, tour, settled(problem, terrain, "random", seed))
        assert_merged(problem, terrain, settled(problem, terrain, "random", seed), tour)
        assert_merged(problem, terrain, tour, terrain.enter(start(problem, "random", seed)))
        assert_merged(problem, terrain, terrain.enter(start(problem, "random", seed)), tour)


def test_a_merge_of_a_tour_with_itself_changes_nothing_however_it_is_written() -> None:
    problem = cities(200)
    terrain = Terrain.of(problem)
    tour = settled(problem, terrain)
    for other in (tour, np.roll(tour, 77), tour[::-1].copy()):
        _, gain = assert_merged(problem, terrain, tour, other)
        assert gain == 0


def test_searches_in_different_places_lose_nothing_by_a_merge() -> None:
    """Two clusters far apart: what was won in one cannot be in the way of the other."""
    rng = np.random.default_rng(5)
    points = np.concatenate((rng.integers(0, 1000, (200, 2)), rng.integers(0, 1000, (200, 2)) + 100_000)).astype(float)
    problem = TSP("two", METRICS["EUC_2D"], points)
    terrain = Terrain.of(problem)
    base = settled(problem, terrain)
    one, two = (kicked(terrain, base, region, 4) for region in ((0, 150), (250, 150)))
    assert one.gain > 0 and two.gain > 0
    _, gain = assert_merged(problem, terrain, one.tour, two.tour)
    assert gain >= 0.9 * two.gain
