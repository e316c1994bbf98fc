"""Devices that share the neighbourhoods of one giant tour make the moves of one device alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
import pytest

from giant_problems import KINDS, random_instance
from giant_reference import feasible_giant
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.kernels.groups import Unfinished
from warptour.neighborhoods.move import Ints
from warptour.papers.scans.runner import BestMove, ThreadRunner
from warptour.papers.schulz.engine import search as search_module
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.moves import apply
from warptour.papers.schulz.engine.search import GiantSearch, move_count
from warptour.papers.schulz.engine.shared import GiantRows, SharedGiantSearch, move_of, moves_before, rank_of, rows_of
from warptour.papers.schulz.strategy.dcvrp import GiantTourDescent

NAMES = [("2-opt",), ("3-opt",), ("2-opt", "3-opt")]


def cases() -> Iterator[tuple[GiantInstance, Ints]]:
    """Yield instances with a feasible giant tour."""
    for seed in range(8):
        instance = random_instance(seed, 8, 9, KINDS[seed % len(KINDS)])
        giant = feasible_giant(seed, instance)
        if giant is not None:
            yield instance, giant


def never() -> bool:
    return False


def test_ranks_number_moves_in_the_order_of_the_kernels() -> None:
    edges = 7
    pairs = [(x, y) for x, y in product(range(edges), repeat=2) if x < y]
    triples = [(*pair, z, p) for pair in pairs for z in range(pair[1] + 1, edges) for p in range(4)]
    ranks = [rank_of(move, edges) for move in (*pairs, *triples)]
    assert ranks == sorted(set(ranks)) and [move_of(rank, edges) for rank in ranks] == [*pairs, *triples]
    assert [moves_before(row, edges) for row in range(edges + 1)] == [0, 6, 11, 15, 18, 20, 21, 21]


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("names", NAMES, ids="+".join)
def test_the_best_of_any_rows_is_the_best_move(device: Device, names: tuple[str, ...]) -> None:
    """Rows are scanned in any order and again, before and after a move."""
    seen = 0
    for instance, giant in cases():
        rows, edges = GiantRows(instance, device, names), rows_of(instance)
        rows.load(giant, 1.0)
        for _ in range(2):
            wanted = GiantSearch(instance, Cpu(1), names).best_move(giant)
            bounds = [0, edges // 3, edges // 2, edges]
            parts = [rows.scan(first, last, never) for first, last in pairwise(bounds)]
            assert [rows.scan(first, edges, never) for first in (0, edges // 2)][1] == parts[-1]
            best = min(parts, key=lambda found: (found.delta, found.rank))
            if wanted is None:
                assert parts == [BestMove()] * 3
                break
            seen += 1
            assert best.delta == pytest.approx(wanted[1])
            if instance.problem.metric.integral:
                assert move_of(best.rank, edges) == wanted[0]
            giant = apply(giant, wanted[0])
            rows.make(wanted[0], 0.0)
    assert seen > 5


def shared(instance, devices, names, **options) -> SharedGiantSearch:
    strategy = GiantTourDescent(names, several="together")
    runners = [
        ThreadRunner(device.name, lambda device=device: GiantRows(instance, device, names))  # type: ignore[misc]
        for device in devices
    ]
    team = strategy.team(instance, runners, **options)
    return SharedGiantSearch(instance, team, move_count(rows_of(instance), names))


@pytest.mark.threads
@pytest.mark.parametrize("names", NAMES, ids="+".join)
def test_a_team_descends_as_one_device_does(device: Device, names: tuple[str, ...]) -> None:
    for instance, giant in cases():
        alone, team = GiantSearch(instance, Cpu(1), names), shared(instance, [device, Cpu(1), Cpu(2)], names)
        for search in (alone, team):
            search.load(giant)
        for count in (1, 2, 100):
            assert team.steps(count) == alone.steps(count)
            assert (team.tour() == alone.tour()).all() or not instance.problem.metric.integral
        assert team.locally_optimal and alone.locally_optimal and team.move_count == alone.move_count


def test_a_team_that_is_over_keeps_its_tour() -> None:
    instance, giant = next(iter(cases()))
    search = shared(instance, [Cpu(1), Cpu(1)], ("2-opt",))
    search.load(giant)
    assert search.steps(5, lambda: True) == 0 and not search.locally_optimal
    assert (search.tour() == giant).all() and search.steps(1) == 1 and not (search.tour() == giant).all()


def test_scans_of_rows_end_when_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "CORE_PAIRS", {"2-opt": 10, "3-opt": 10})
    instance, giant = next(iter(cases()))
    rows = GiantRows(instance, Cpu(1), ("2-opt", "3-opt"))
    rows.load(giant, 1.0)
    with pytest.raises(Unfinished):
        rows.scan(0, rows_of(instance), lambda: True)
    whole = GiantSearch(instance, Cpu(1)).best_move(giant)
    assert whole is not None and rows.scan(0, rows_of(instance), never).delta == whole[1]


def test_a_device_that_fails_leaves_its_rows_to_the_others() -> None:
    instance, giant = next(iter(cases()))
    notes: list[str] = []

    class Failing(GiantRows):
        def scan(self, first, last, over):
            raise RuntimeError("driver lost")

    names = ("2-opt", "3-opt")
    strategy = GiantTourDescent(several="together")
    runners = [
        ThreadRunner("bad", lambda: Failing(instance, Cpu(1), names)),
        ThreadRunner("good", lambda: GiantRows(instance, Cpu(1), names)),
    ]
    team = strategy.team(instance, runners, note=notes.append)
    search, alone = SharedGiantSearch(instance, team, 0), GiantSearch(instance, Cpu(1))
    for each in (search, alone):
        each.load(np.asarray(giant))
        each.steps(100)
    assert (search.tour() == alone.tour()).all() and "bad has failed (driver lost)" in notes[0]
