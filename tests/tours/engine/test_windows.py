"""Splits, arenas and merges: whatever happens in the windows, what they make together is one tour."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from random_cities import NAMES, cities
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.tours.engine import window as window_module
from warptour.tours.engine.arena import Arena
from warptour.tours.engine.cycles import repair_subtours
from warptour.tours.engine.instance import Instance
from warptour.tours.engine.partition_crossover import partition_crossover
from warptour.tours.engine.split import SMALLEST, Split, cells
from warptour.tours.engine.window import Window
from warptour.tours.starts.start import start


def fragments(split: Split) -> list[tuple[int, ...]]:
    """Return the cities of every fragment, as they lie in the windows now."""
    starts = np.cumsum(split.counts) - split.counts
    return [tuple(split.order[at : at + count]) for at, count in zip(starts, split.counts, strict=True)]


def refine(split: Split, window: int, arena: Arena, marks: np.ndarray, kicks: int = 60) -> float:
    arena.load(split, window, marks)
    while not arena.locally_optimal or arena.kicks < kicks:
        arena.search(kicks - arena.kicks, seed=2, stream=window)
    arena.unload(split, window)
    return arena.gain


def refined(split: Split, **options: float) -> float:
    marks = np.ones(split.instance.nodes, np.int32)
    arena = Arena(split.instance, split.largest)
    sizes = np.diff(split.offsets)
    return sum(refine(split, int(w), arena, marks, **options) for w in np.flatnonzero(sizes >= SMALLEST))


def labels(instance: Instance, size: int, seed: int) -> np.ndarray:
    return cells(instance, size, np.random.default_rng(seed))


PROBLEMS = [
    *(cities(300, name, seed=0, side=500) for name in NAMES if METRICS[name].norm != "matrix"),
    cities(300, fixed_edges=np.array([[k, k + 1] for k in range(0, 299, 3)])),
    cities(300, open=True),
    cities(300, open=True, first=7),
    cities(300, open=True, first=7, last=100, fixed_edges=np.array([[7, 8], [20, 200]])),
    cities(300, "EUC_2D", seed=0, side=6),
    TSP("one place", METRICS["EUC_2D"], np.zeros((300, 2))),
    TSP("a line", METRICS["EUCLIDEAN"], np.column_stack((np.arange(300.0), np.zeros(300)))),
]


def ids(problem: TSP) -> str:
    return f"{problem.name} {problem.metric.name}{' open' * problem.open}{' fixed' * (len(problem.fixed_edges) > 0)}"


@settings(max_examples=60)
@given(st.data())
def test_a_split_that_nobody_refines_joins_to_the_same_tour(data: st.DataObject) -> None:
    n = data.draw(st.integers(10, 60))
    problem = cities(n, "EUC_2D", seed=0, side=500)
    tour = np.array(data.draw(st.permutations(range(n))), np.int32)
    label = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)), np.int32)
    label = np.unique(label, return_inverse=True)[1].astype(np.int32)
    split = Split(Instance.of(problem), tour, label)
    assert (split.joined() == tour).all()
    assert len(fragments(split)) == split.fragments
    marks = np.zeros(n, np.int32)
    arena = Arena(split.instance, split.largest)
    for window in range(split.windows):
        arena.load(split, window, marks)
        arena.unload(split, window)
    assert (split.joined() == tour).all(), "in and out again"


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("problem", PROBLEMS, ids=ids)
def test_refined_windows_join_to_one_tour_and_their_gains_add_up(problem: TSP) -> None:
    instance = Instance.of(problem)
    tour = start(problem, "greedy", 0)
    before = problem.cost(tour)
    walk = instance.enter(tour)
    for round_ in range(2):
        split = Split(instance, walk, labels(instance, 60, round_))
        ends = [(fragment[0], fragment[-1]) for fragment in fragments(split)]
        gain = refined(split)
        assert [(fragment[0], fragment[-1]) for fragment in fragments(split)] == ends
        walk = split.joined()
        report = problem.check(instance.leave(walk))
        assert report.violations == ()
        assert before - report.cost == pytest.approx(gain, rel=1e-9, abs=1e-6)
        before = report.cost


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("shift", [0, 1, 150, 299])
def test_a_long_chain_of_fixed_edges_holds_wherever_the_array_of_the_tour_begins(shift: int) -> None:
    chain = np.column_stack((np.arange(0, 80), np.arange(1, 81)))
    problem = cities(300, fixed_edges=chain)
    instance = Instance.of(problem)
    walk = np.roll(instance.enter(start(problem, "greedy", 0)), shift)
    at = int(np.flatnonzero(walk == instance.enter(np.array([40], np.int32))[0])[0])
    walk = np.roll(walk, -at - shift % 2)  # the array's end lies inside the chain
    for seed in range(6):
        split = Split(instance, walk, labels(instance, 75, seed))
        refined(split, kicks=300)
        assert problem.check(instance.leave(split.joined())).violations == ()


def test_cells_hold_every_city_once_and_none_is_much_larger_than_asked() -> None:
    for problem in (
        cities(2000),
        cities(2000, open=True),
        cities(2000, "GREAT_CIRCLE"),
        PROBLEMS[-2],
    ):
        instance = Instance.of(problem)
        label = labels(instance, 100, 0)
        assert len(label) == instance.nodes
        sizes = np.bincount(label)
        assert sizes.min() > 0
        assert sizes.max() < 200
        if problem.n == 2000:
            assert (label != labels(instance, 100, 1)).any(), "another draw, other windows"


@pytest.mark.sanitize_quick
@pytest.mark.threads
@pytest.mark.parametrize("side", [1, 3, 1000], ids=["one place", "nine places", "few ties"])
def test_cells_depend_neither_on_ties_nor_on_the_number_of_threads(side: int) -> None:
    instance = Instance.of(cities(500, side=side))
    label = cells(instance, 40, np.random.default_rng(1))
    assert np.ptp(np.bincount(label)) <= 8
    assert (label == cells(instance, 40, np.random.default_rng(1), threads=3)).all()


def test_a_cell_lies_on_one_side_of_each_cut() -> None:
    instance = Instance.of(cities(600, side=10_000))
    label = cells(instance, 300, np.random.default_rng(2))
    at = np.stack((instance.points.x, instance.points.y))
    angles = np.linspace(0, np.pi, 2000)
    heights = np.stack((np.cos(angles), np.sin(angles)), axis=1) @ at
    first, second = heights[:, label == 0], heights[:, label == 1]
    assert ((first.max(axis=1) < second.min(axis=1)) | (second.max(axis=1) < first.min(axis=1))).any()


def test_a_whole_tour_is_repaired_from_the_queued_nodes() -> None:
    instance = Instance.of(cities(300))
    tour = np.random.default_rng(1).permutation(300).astype(np.int32)
    some = np.arange(300) % 50 == 0
    window = Window.whole(instance, tour, some)
    window.search(0, seed=1, budget=6)
    assert window.evaluations == 6
    before = instance.length(tour)
    while not window.locally_optimal:
        window.search(0, seed=1)
    assert window.gain == before - instance.length(window.tour) > 0
    assert Window.whole(instance, tour, np.zeros(300, bool)).locally_optimal


def test_stretched_edges_are_longer_than_those_to_all_candidates() -> None:
    instance = Instance.of(cities(300, side=1000), nearest=5)
    near, far = instance.near[:, :1], np.full((300, 1), instance.near[0, 0])
    nodes = np.arange(300, dtype=np.int32).reshape(-1, 1)
    assert not instance.stretched(np.hstack((nodes, near))).any()
    found = instance.stretched(np.hstack((nodes, far)))
    assert found.sum() > 250


@pytest.mark.threads
def test_windows_are_refined_side_by_side() -> None:
    problem = cities(600)
    instance = Instance.of(problem)
    walk = instance.enter(start(problem, "greedy", 0))
    tours = []
    for workers in (1, 4):
        split = Split(instance, walk, labels(instance, 75, 0))
        marks = np.ones(instance.nodes, np.int32)

        def work(window: int, split: Split = split, marks: np.ndarray = marks) -> None:
            refine(split, window, Arena(instance, split.largest), marks)

        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(work, range(split.windows)))
        tours.append(split.joined())
    assert (tours[0] == tours[1]).all()


def shuffled(arena: Arena, rng: np.random.Generator) -> None:
    """Make the window another cycle, at random but for its bonds."""
    m = arena.m
    bonds = arena.bonds[: 2 * m].reshape(m, 2)
    chains, seen = [], np.zeros(m, bool)
    for first in sorted(range(m), key=lambda c: int((bonds[c] >= 0).sum())):  # ends of chains before their middles
        chain, at = [], first
        while at >= 0 and not seen[at]:
            seen[at] = True
            chain.append(at)
            at = next((int(mate) for mate in bonds[at] if mate >= 0 and not seen[mate]), -1)
        if chain:
            chains.append(chain[:: rng.choice([-1, 1])])
    arena.tour[:m] = [c for k in rng.permutation(len(chains)) for c in chains[k]]
    arena.place[arena.tour[:m]] = np.arange(m)


def assert_united(split: Split) -> tuple[np.ndarray, float]:
    """Unite and check: what comes out is a tour, no longer than before, and the gain is the exact one."""
    problem, instance = split.instance.problem, split.instance
    before = split.tour.copy()
    walk, gain = split.subtour_free()
    assert (split.tour == before).all()
    report = problem.check(instance.leave(walk))
    assert report.violations == ()
    assert gain >= -1e-9
    assert problem.cost(instance.leave(before)) - report.cost == pytest.approx(gain, rel=1e-9, abs=1e-6)
    return walk, gain


@settings(max_examples=150, deadline=None)
@given(n=st.integers(16, 70), windows=st.integers(1, 4), seed=st.integers(0, 2**32 - 1), where=st.sampled_from("AB"))
def test_whatever_windows_do_they_become_one_tour(n: int, windows: int, seed: int, where: str) -> None:
    """In one place all choices are equally good, so that as much as possible is taken; elsewhere little of it pays."""
    rng = np.random.default_rng(seed)
    problem = cities(n) if where == "A" else TSP("one place", METRICS["EUC_2D"], np.zeros((n, 2)))
    instance = Instance.of(problem)
    label = np.unique(rng.integers(0, windows, n), return_inverse=True)[1].astype(np.int32)
    split = Split(instance, rng.permutation(n).astype(np.int32), label, loose=True)
    arena = Arena(instance, split.largest)
    marks = np.zeros(n, np.int32)
    for window in np.flatnonzero(np.diff(split.offsets) >= SMALLEST):
        arena.load(split, int(window), marks)
        if rng.random() < 0.8:
            shuffled(arena, rng)
        arena.unload(split, int(window))
    assert_united(split)


@pytest.mark.parametrize("patch_first", [True, False])
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: f"{problem.name} {problem.metric.name}")
def test_windows_are_rejoined_to_a_tour_whose_gain_is_real(problem: TSP, patch_first: bool) -> None:
    instance = Instance.of(problem)
    tour = instance.enter(start(problem, "random", 1))
    split = Split(instance, tour, labels(instance, 40, 1), loose=True)
    walk, gain = split.rejoined(refined(split, kicks=0), 2, patch_first=patch_first)
    report = problem.check(instance.leave(walk))
    assert report.violations == ()
    assert problem.cost(instance.leave(tour)) - report.cost == pytest.approx(gain, rel=1e-9, abs=1e-6)
    assert gain >= 0


def test_where_everything_changes_patches_lose_less_than_subtour_repair() -> None:
    instance = Instance.of(cities(4000, side=64))
    tour = instance.enter(start(instance.problem, "random", 1))
    split = Split(instance, tour, labels(instance, 1000, 1), loose=True)
    gain = refined(split, kicks=0)
    assert split.patched(gain, 1)[1] > split.subtour_free()[1]


@settings(max_examples=60, deadline=None)
@given(n=st.integers(16, 70), seed=st.integers(0, 2**32 - 1))
def test_a_window_alone_makes_a_tour_and_all_of_it_is_taken(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = TSP("one place", METRICS["EUC_2D"], np.zeros((n, 2)))
    instance = Instance.of(problem)
    label = np.sort(rng.integers(0, 2, n)).astype(np.int32)
    label = np.unique(rng.permutation(label), return_inverse=True)[1].astype(np.int32)
    split = Split(instance, rng.permutation(n).astype(np.int32), label, loose=True)
    arena = Arena(instance, split.largest)
    window = int(np.diff(split.offsets).argmax())
    assume(np.diff(split.offsets)[window] >= SMALLEST)
    arena.load(split, window, np.zeros(n, np.int32))
    shuffled(arena, rng)
    arena.unload(split, window)
    walk, _ = assert_united(split)
    assert split.links is not None
    wanted = {frozenset((c, int(d))) for c in range(n) for d in split.links[2 * c : 2 * c + 2]}
    assert {frozenset(pair) for pair in zip(walk.tolist(), np.roll(walk, -1).tolist(), strict=True)} == wanted


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("problem", PROBLEMS, ids=ids)
def test_windows_that_lead_fragments_elsewhere_keep_the_rules_of_the_problem(problem: TSP) -> None:
    instance = Instance.of(problem)
    walk = instance.enter(start(problem, "greedy", 0))
    for round_ in range(3):
        split = Split(instance, walk, labels(instance, 40, round_), loose=True)
        won = refined(split)
        walk, gain = assert_united(split)
        assert gain >= 0.5 * won - 1e-6, "most of it can be had together"


@pytest.mark.sanitize_quick
def test_two_exchanges_that_are_tours_each_and_not_both_give_the_better_one() -> None:
    """Interleaved 2-opt moves: each of them alone is a tour, both together are two cycles."""
    n = 40
    tour = np.arange(n, dtype=np.int32)
    xy = np.random.default_rng(0).integers(0, 1000, (n, 2)).astype(float)
    problem = TSP("some", METRICS["EUC_2D"], xy)
    instance = Instance.of(problem)
    assert instance.order is None, "few cities keep their numbers"

    def move(i: int, j: int, links: np.ndarray) -> float:
        """Replace i, i+1 and j, j+1 by i, j and i+1, j+1 in the links."""
        for a, b, c in ((i, i + 1, j), (i + 1, i, j + 1), (j, j + 1, i), (j + 1, j, i + 1)):
            links[2 * a + (links[2 * a] != b)] = c
        gone = problem.distance(i, i + 1) + problem.distance(j, j + 1)
        return float(gone - problem.distance(i, j) - problem.distance(i + 1, j + 1))

    found = 0
    for first, second in ((3, 20), (1, 15), (5, 24), (8, 30), (2, 12), (6, 18)):
        for shift in (4, 7):
            links = np.stack((np.roll(tour, 1), np.roll(tour, -1)), 1).reshape(-1).astype(np.int32)
            gains = move(first, second, links), move(first + shift, second + shift, links)
            repaired, gain = repair_subtours(instance, tour, links)
            assert problem.check(repaired).violations == ()
            assert gain == max(0.0, *gains)
            found += max(gains) > 0
    assert found


def kicked(instance: Instance, base: np.ndarray, region: tuple[int, int], seed: int) -> Window:
    """Return a search from ``base`` that kicked in a region of its own."""
    window = Window(instance, instance.nodes)
    window.restart(base)
    while window.kicks < 400:
        window.search(400 - window.kicks, seed=seed, region=region)
    return window


def locally_optimal(problem: TSP, instance: Instance, choice: str = "greedy", seed: int = 0) -> np.ndarray:
    """Return a local optimum."""
    whole = Window.whole(instance, instance.enter(start(problem, choice, seed)))
    while not whole.locally_optimal:
        whole.search(0, seed=1)
    return whole.tour.copy()


def assert_merged(problem: TSP, instance: Instance, tour: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, float]:
    """Merge and check: what comes out is a tour, what went in is as it was, and the gain is the exact one."""
    given = tour.copy(), other.copy()
    merged, gain = partition_crossover(instance, tour, other)
    assert (tour == given[0]).all() and (other == given[1]).all()
    after = instance.leave(merged)
    assert problem.check(after).violations == ()
    assert gain >= 0
    assert problem.cost(instance.leave(tour)) - problem.cost(after) == pytest.approx(gain, rel=1e-9, abs=1e-6)
    return merged, gain


MERGED = [
    cities(400),
    cities(400, "EUCLIDEAN"),
    cities(400, open=True),
    cities(400, open=True, first=0, last=9),
    cities(400, fixed_edges=np.array([[k, k + 1] for k in range(0, 399, 4)])),
    cities(400, "EUC_2D", seed=0, side=10),
    TSP("one place", METRICS["EUC_2D"], np.zeros((60, 2))),
    cities(400, "GEO", seed=0, side=500),
    cities(120, "EXPLICIT", seed=0, side=500),
    *(cities(n) for n in (8, 9, 12)),
]


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("problem", MERGED, ids=lambda problem: f"{problem.n} {ids(problem)}")
def test_a_partition_crossover_is_a_tour_and_its_gain_is_real(problem: TSP) -> None:
    instance = Instance.of(problem)
    base = locally_optimal(problem, instance)
    third = instance.nodes // 3
    tour = base
    for k in range(3):  # searches that left the same tour
        tour, _ = assert_merged(problem, instance, tour, kicked(instance, base, (k * third, third), 10 + k).tour)
    for seed in range(3):  # tours that have nothing to do with each other
        assert_merged(problem, instance, tour, locally_optimal(problem, instance, "random", seed))
        assert_merged(problem, instance, locally_optimal(problem, instance, "random", seed), tour)
        assert_merged(problem, instance, tour, instance.enter(start(problem, "random", seed)))
        assert_merged(problem, instance, instance.enter(start(problem, "random", seed)), tour)


def test_a_partition_crossover_of_a_tour_with_itself_changes_nothing_however_it_is_written() -> None:
    problem = cities(200)
    instance = Instance.of(problem)
    tour = locally_optimal(problem, instance)
    for other in (tour, np.roll(tour, 77), tour[::-1].copy()):
        _, gain = assert_merged(problem, instance, tour, other)
        assert gain == 0


def test_searches_in_different_places_lose_nothing_by_a_partition_crossover() -> None:
    """Two clusters far apart: what was won in one cannot be in the way of the other."""
    rng = np.random.default_rng(5)
    points = np.concatenate((rng.integers(0, 1000, (200, 2)), rng.integers(0, 1000, (200, 2)) + 100_000)).astype(float)
    problem = TSP("two", METRICS["EUC_2D"], points)
    instance = Instance.of(problem)
    base = locally_optimal(problem, instance)
    one, two = (kicked(instance, base, region, 4) for region in ((0, 150), (250, 150)))
    assert one.gain > 0 and two.gain > 0
    _, gain = assert_merged(problem, instance, one.tour, two.tour)
    assert gain >= 0.9 * two.gain


def test_where_calls_end_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = cities(1500, "EUC_2D", seed=1, side=10_000)
    instance = Instance.of(problem)
    tours = []
    for slow in (-1.0, 1e9):  # calls are shortened as far as they go, or never
        monkeypatch.setattr(window_module, "SLOW_CALL", slow)
        window = Window.whole(instance, np.arange(problem.n, dtype=np.int32))
        while not window.locally_optimal or window.kicks < 500:
            window.search(500 - window.kicks, seed=3, stream=1, region=(10, 700))
        tours.append(window.tour.tolist())
    assert tours[0] == tours[1]
