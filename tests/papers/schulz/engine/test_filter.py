"""Filters leave out what they should, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import giant_recomputed as recomputed
from giant_moves import rank_of
from giant_recomputed import giant_tour, problem
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.papers.schulz.engine.fitness import FitnessEngine
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.version import BENCHMARK, BEST, Version

INSTANCE = GiantInstance.of(problem(8, 9), 4)
GIANT = next(t for t in (giant_tour(INSTANCE, seed) for seed in range(1000)) if recomputed.feasible(INSTANCE, t))
DELTAS, FEASIBLE = recomputed.fitness(INSTANCE, GIANT, 3)


def check(device: Device, version: Version, share: float, how: str) -> None:
    """Compare what a filter keeps with the same neighbours of the whole fitness structure."""
    engine = FitnessEngine(INSTANCE, device, version, 3)
    slots = len(DELTAS)
    engine.load(GIANT)
    order = engine.fitness()[2]
    kept = order[np.random.default_rng(3).random(slots) >= share]
    engine.filtered(share, how, seed=3)
    deltas, feasible, ranks = engine.fitness()
    if how == "mask":
        assert len(ranks) == slots and not feasible[~np.isin(ranks, kept)].any()
        inside = np.isin(ranks, kept)
        deltas, feasible, ranks = deltas[inside], feasible[inside], ranks[inside]
    assert (ranks == kept).all() and (deltas == DELTAS[kept]).all() and (feasible == FEASIBLE[kept]).all()
    chosen = np.zeros(slots, bool)
    chosen[kept] = True
    best = engine.best_move(GIANT)
    least = DELTAS[chosen & FEASIBLE].min(initial=0)
    if least < 0:
        assert best is not None and best[1] == least
        assert rank_of(len(GIANT) - 1, best[0]) == np.flatnonzero(chosen & FEASIBLE & (least == DELTAS))[0]
    else:
        assert best is None


@pytest.mark.parametrize("how", ["mask", "list", "compaction"])
@pytest.mark.parametrize("share", [0.0, 0.75, 0.99])
def test_only_the_others_are_evaluated(how: str, share: float) -> None:
    for version in (BENCHMARK, BEST[3]):
        check(Cpu(1), version, share, how)


@pytest.mark.long_on_opencl("mask", "list")
@pytest.mark.parametrize("how", ["mask", "list", "compaction"])
def test_devices(how: str, device: Device) -> None:
    check(device, BEST[3], 0.75, how)


def test_filters_are_named_and_need_the_whole_neighbourhood() -> None:
    with pytest.raises(ValueError, match="mask, list or compaction"):
        FitnessEngine(INSTANCE, Cpu(1), BENCHMARK, 2).filtered(0.5, "sieve")
    with pytest.raises(ValueError, match="split"):
        FitnessEngine(INSTANCE, Cpu(1), BENCHMARK, 3, parts=2).filtered(0.5, "mask")
