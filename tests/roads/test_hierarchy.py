"""Hierarchies of random networks give the distances and ways of Dijkstra's algorithm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, dijkstra

from warptour.roads import hierarchy as hierarchies
from warptour.roads.hierarchy import UNREACHED, Paths, Seeds, contract, table
from warptour.roads.network import joined, parted, parts


def random_network(seed: int, n: int, m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Arcs of a network without loops and parallel arcs."""
    rng = np.random.default_rng(seed)
    ends = np.unique(rng.integers(0, n, (m, 2)), axis=0)
    ends = ends[ends[:, 0] != ends[:, 1]].astype(np.int32)
    milliseconds, centimetres = rng.integers(1, 30, len(ends)), rng.integers(0, 9, len(ends))
    return ends[:, 0], ends[:, 1], joined(milliseconds, centimetres)


def seeds_at(hierarchy: hierarchies.Hierarchy, vertices: np.ndarray, kinds: int = 0) -> Seeds:
    count = len(vertices)
    numbers = hierarchy.number[vertices]
    return Seeds(np.arange(count + 1), numbers, np.zeros(count, np.uint64), np.zeros((count, kinds), np.uint32))


def all_pairs(n: int, tails: np.ndarray, heads: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Costs by SciPy: of numbers below 2**53, exactly."""
    milliseconds, centimetres = parted(costs)
    found = dijkstra(csr_matrix((milliseconds * 2.0**20 + centimetres, (tails, heads)), shape=(n, n)))
    reached = np.isfinite(found)
    exact = np.where(reached, found, 0).astype(np.int64)
    return np.where(reached, joined(exact >> 20, exact & (2**20 - 1)), UNREACHED)


@pytest.mark.sanitize_quick
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 160))
def test_all_pairs_are_those_of_scipy(seed: int, n: int, m: int) -> None:
    tails, heads, costs = random_network(seed, n, m)
    hierarchy = contract(n, tails, heads, costs)
    everywhere = seeds_at(hierarchy, np.arange(n))
    found, _ = table(hierarchy, everywhere, everywhere, np.zeros((len(hierarchy.left), 0), np.uint32))
    assert (found == all_pairs(n, tails, heads, costs)).all()


@pytest.mark.threads
def test_rows_of_several_threads_are_those_of_scipy() -> None:
    tails, heads, costs = random_network(7, 150, 600)
    hierarchy = contract(150, tails, heads, costs)
    everywhere = seeds_at(hierarchy, np.arange(150))
    found, _ = table(hierarchy, everywhere, everywhere, np.zeros((len(hierarchy.left), 0), np.uint32))
    assert (found == all_pairs(150, tails, heads, costs)).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 120))
def test_ways_are_walked_along_arcs_and_cost_what_the_table_says(seed: int, n: int, m: int) -> None:
    tails, heads, costs = random_network(seed, n, m)
    hierarchy, expected = contract(n, tails, heads, costs), all_pairs(n, tails, heads, costs)
    paths = Paths(hierarchy)
    places = seeds_at(hierarchy, np.arange(n))
    for a in range(n):
        for b in range(n):
            way = paths.between(places.of(a), places.of(b))
            if expected[a, b] == UNREACHED:
                assert way is None
                continue
            assert way is not None
            stops = [a, *heads[way.arcs].tolist()]
            assert stops[-1] == b
            assert tails[way.arcs].tolist() == stops[:-1]
            assert way.cost == expected[a, b] == costs[way.arcs].sum()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 120))
def test_times_by_class_are_those_of_the_way(seed: int, n: int, m: int) -> None:
    tails, heads, costs = random_network(seed, n, m)
    hierarchy, kinds = contract(n, tails, heads, costs), np.random.default_rng(seed).integers(0, 3, len(tails))
    own = np.zeros((len(tails), 3), np.uint32)
    own[np.arange(len(tails)), kinds] = parted(costs)[0]
    places = seeds_at(hierarchy, np.arange(n), 3)
    found, times = table(hierarchy, places, places, hierarchy.times(own))
    reached = found != UNREACHED
    assert (times.sum(axis=2)[reached] == parted(found)[0][reached]).all()
    paths = Paths(hierarchy)
    for a, b in np.argwhere(reached).tolist():
        way = paths.between(places.of(a), places.of(b))
        assert way is not None
        if (np.argwhere(costs[way.arcs] == 0)).size == 0 and way.cost == found[a, b]:
            assert times[a, b].sum() == own[way.arcs].sum()


def test_several_seeds_begin_where_it_is_cheapest() -> None:
    tails, heads = np.array([0, 1, 2], np.int32), np.array([3, 3, 3], np.int32)
    hierarchy = contract(4, tails, heads, joined(np.array([10, 5, 1]), np.zeros(3, np.int64)))
    begin = Seeds(
        np.array([0, 3]), hierarchy.number[:3].copy(), joined(np.array([0, 4, 9]), np.zeros(3, np.int64)),
        np.zeros((3, 0), np.uint32),
    )  # fmt: skip
    end = seeds_at(hierarchy, np.array([3]))
    found, _ = table(hierarchy, begin, end, np.zeros((len(hierarchy.left), 0), np.uint32))
    assert parted(found)[0].tolist() == [[9]]
    way = Paths(hierarchy).between(begin.of(0), end.of(0))
    assert way is not None and (way.arcs.tolist(), way.source, way.target) == ([1], 1, 0)


def test_room_for_shortcuts_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hierarchies, "ROOM", 1.0)
    monkeypatch.setattr(hierarchies, "SPARE", 1)
    monkeypatch.setattr(hierarchies, "BUDGET", 50)
    tails, heads, costs = random_network(1, 60, 1500)
    hierarchy = contract(60, tails, heads, costs)
    everywhere = seeds_at(hierarchy, np.arange(60))
    found, _ = table(hierarchy, everywhere, everywhere, np.zeros((len(hierarchy.left), 0), np.uint32))
    assert (found == all_pairs(60, tails, heads, costs)).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 90))
def test_parts_are_those_of_scipy(seed: int, n: int, m: int) -> None:
    tails, heads, _ = random_network(seed, n, m)
    found = parts(n, tails, heads)
    _, expected = connected_components(
        csr_matrix((np.ones(len(tails)), (tails, heads)), shape=(n, n)), connection="strong"
    )
    assert len(set(zip(found.tolist(), expected.tolist(), strict=True))) == len(set(found.tolist()))
    assert len(set(expected.tolist())) == len(set(found.tolist()))
