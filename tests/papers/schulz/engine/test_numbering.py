"""Every neighbour has a number, and every number its neighbour, exactly."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from giant_moves import move_of, rank_of
from giant_recomputed import moves
from warptour.devices import Device
from warptour.papers.schulz.engine.moves import apply
from warptour.papers.schulz.engine.numbering import FIELD, Part, fill_table, parts_of

LONG = (2400, 20_000)
"""Edges of giant tours whose triples no float can number."""


def on_device(device: Device, last: int, ranks: np.ndarray) -> list[tuple[int, ...]]:
    """Return the moves that the device finds for some ranks."""
    found = device.empty((len(ranks), 4), np.int32)
    numbers = np.int32(last), np.int64(len(ranks))
    device.build("giant_reduce", "euc", lanes=32 if device.lanes > 1 else 1).launch(
        "giant_ranked", 2, *numbers, device.send(ranks), found
    )
    return [tuple(move if move[3] >= 0 else move[:2]) for move in device.fetch(found).tolist()]


@pytest.mark.parametrize("last", [3, 4, 5, 12, 31])
def test_ranks_number_all_moves_in_order(device: Device, last: int) -> None:
    every = list(moves(last, 3))
    assert [rank_of(last, move) for move in every] == list(range(len(every)))
    assert [move_of(last, rank) for rank in range(0, len(every), 7)] == every[::7]
    assert on_device(device, last, np.arange(len(every))) == every


@pytest.mark.parametrize("last", LONG)
def test_ranks_of_long_tours_are_exact_where_a_root_would_not_be(device: Device, last: int) -> None:
    pairs, triples = comb(last, 2), comb(last, 3)
    rows = np.unique(np.linspace(3, last - 1, 300).astype(int)).tolist()
    turns = [pairs - comb(a, 2) for a in rows] + [pairs + 4 * (triples - comb(a, 3)) for a in rows]
    edges = {0, pairs - 1, pairs, pairs + 4 * triples - 1, *turns, *(turn - 1 for turn in turns)}
    random = np.random.default_rng(0).integers(0, pairs + 4 * triples, 300).tolist()
    ranks = np.array(sorted(edges | set(random)))
    expected = [move_of(last, int(rank)) for rank in ranks]
    assert [rank_of(last, move) for move in expected] == ranks.tolist()
    assert on_device(device, last, ranks) == expected


@pytest.mark.parametrize(("first", "count"), [(0, 220), (1, 100), (54, 55), (55, 3), (219, 1)])
def test_a_table_holds_any_range_of_triples(first: int, count: int) -> None:
    table = np.zeros(count, np.int64)
    fill_table(table, 12, first)
    mask = 2**FIELD - 1
    found = [(t >> 2 * FIELD, t >> FIELD & mask, t & mask) for t in table.tolist()]
    assert found == [move[:3] for move in moves(12, 3) if len(move) == 4 and move[3] == 0][first : first + count]


@pytest.mark.parametrize("slots", [4, 7, 10, 66, 100, 10_000])
def test_parts_hold_every_neighbour_once(slots: int) -> None:
    parts = list(parts_of(66, 220, slots))
    assert all(0 < part.slots <= slots for part in parts)
    assert [k for part in parts for k in range(part.pair_first, part.pair_first + part.pairs)] == list(range(66))
    assert [k for part in parts for k in range(part.triple_first, part.triple_first + part.triples)] == list(range(220))
    assert Part(0, 66, 0, 220).slots == 66 + 4 * 220


def test_parts_must_hold_the_recombinations_of_a_triple() -> None:
    with pytest.raises(ValueError, match="recombinations"):
        list(parts_of(66, 220, 3))


def test_a_move_recombines_the_segments_as_the_picture_says() -> None:
    giant = np.arange(8, dtype=np.int32)
    assert apply(giant, (1, 4)).tolist() == [0, 1, 4, 3, 2, 5, 6, 7]
    pictures = ([0, 1, 4, 5, 2, 3, 6, 7], [0, 1, 4, 5, 3, 2, 6, 7], [0, 1, 5, 4, 2, 3, 6, 7], [0, 1, 3, 2, 5, 4, 6, 7])
    assert [apply(giant, (1, 3, 5, p)).tolist() for p in range(4)] == list(pictures)
