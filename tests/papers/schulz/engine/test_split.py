"""Neighbourhoods that do not fit into memory are evaluated in parts, with the same result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import giant_recomputed as recomputed
from giant_recomputed import giant_tour, problem
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.papers.schulz.engine.fitness import FitnessEngine
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.version import BENCHMARK, BEST, Version

INSTANCE = GiantInstance.of(problem(7, 11, "EUCLIDEAN"), 4)
GIANT = next(t for t in (giant_tour(INSTANCE, seed) for seed in range(1000)) if recomputed.feasible(INSTANCE, t))
VERSIONS = {"table": BENCHMARK, "computed": replace(BEST[3], triples="computed"), "recombination": BEST[3]}


@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS)
@pytest.mark.parametrize("memory", [400, 3000, 10_000])
def test_the_best_neighbour_is_that_of_the_whole(version: Version, memory: int) -> None:
    whole = FitnessEngine(INSTANCE, Cpu(1), version, 3)
    split = FitnessEngine(INSTANCE, Cpu(1), version, 3, memory=memory)
    assert not whole._storage.split and split._storage.split
    assert split.best_move(GIANT) == whole.best_move(GIANT)
    split.load(GIANT)
    assert split.steps(100) == whole.steps(100) and (split.tour() == whole.tour()).all()


def test_devices_copy_tables_ahead(device: Device) -> None:
    instance = GiantInstance.of(problem(7, 11), 4)
    giant = next(t for t in (giant_tour(instance, seed) for seed in range(1000)) if recomputed.feasible(instance, t))
    whole = FitnessEngine(instance, Cpu(1), BENCHMARK, 3)
    whole.load(giant)
    whole.steps(100)
    for parts in (3, 4):
        split = FitnessEngine(instance, device, BENCHMARK, 3, parts=parts)
        assert len(split._storage.parts) >= parts
        split.load(giant)
        split.steps(100)
        assert split.locally_optimal and (split.tour() == whole.tour()).all()


@pytest.mark.parametrize("version", VERSIONS.values(), ids=VERSIONS)
def test_of_a_split_neighbourhood_the_best_of_each_slot_is_kept(version: Version) -> None:
    engine = FitnessEngine(INSTANCE, Cpu(1), version, 3)
    engine.load(GIANT)
    deltas, feasible, ranks = engine.fitness()
    by_rank = np.empty(len(ranks), np.int64)
    by_rank[ranks] = np.arange(len(ranks))
    for parts in (2, 20, 200):
        split = FitnessEngine(INSTANCE, Cpu(1), version, 3, parts=parts)
        split.load(GIANT)
        some, holds, places = split.fitness()
        assert len(some) <= -(-len(deltas) // parts) + 4
        assert (some == deltas[by_rank[places]]).all() and (holds == feasible[by_rank[places]]).all()
        assert some[holds].min() == deltas[feasible].min()
