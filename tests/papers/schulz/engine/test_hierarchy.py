"""Levels of a hierarchy: their parts, and a place for every segment."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from giant_recomputed import giant_tour, problem
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.papers.schulz.engine.fitness_kernels import FitnessKernels
from warptour.papers.schulz.engine.hierarchy import SegmentLayout, part_sizes
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.objectives import separate
from warptour.papers.schulz.engine.version import BENCHMARK, Version


@pytest.mark.parametrize(
    ("nodes", "levels", "parts", "sizes"),
    [
        (2401, 0, "optimal", []),
        (1000, 1, "optimal", [10]),
        (1000, 1, "powers", [8]),
        (2401, 1, "eight", [8]),
        (2187, 2, "optimal", [3, 9]),
        (2187, 2, "powers", [4, 8]),
        (15, 2, "optimal", [2, 2]),
    ],
)
def test_parts_have_the_sizes_of_the_paper(nodes: int, levels: int, parts: str, sizes: list[int]) -> None:
    assert part_sizes(nodes, replace(BENCHMARK, levels=levels, parts=parts)) == sizes


def test_shifts_need_powers_of_two() -> None:
    with pytest.raises(ValueError, match="power of two"):
        Version(shifts=True)


def test_each_level_has_the_positions_between_the_parts_of_the_one_below() -> None:
    plan = SegmentLayout.of(100, replace(BENCHMARK, levels=2, parts="eight", index=4))
    assert plan.levels[:, 0].tolist() == [100, 13, 2]
    assert plan.levels[:, 1].tolist() == [8, 8, 2]
    assert plan.entries == 2 * (100 * 8 + 13 * 8 + 2 * 2)


@pytest.mark.parametrize(("index", "layout"), list(product((1, 2, 3, 4), ("aos", "soa"))))
@pytest.mark.parametrize(("levels", "parts"), [(0, "optimal"), (1, "optimal"), (1, "eight"), (2, "optimal")])
def test_a_hierarchy_holds_the_cost_of_every_segment_once(index: int, layout: str, levels: int, parts: str) -> None:
    """The entries that are written are as many as there are segments, each with the cost of its own."""
    instance = GiantInstance.of(problem(3, 20), 6)
    giant = giant_tour(instance, 0)
    version = replace(BENCHMARK, index=index, layout=layout, levels=levels, parts=parts)
    kernels = FitnessKernels(instance, Cpu(1), version)
    kernels.load(giant)
    kernels.hierarchies.costs[:] = np.nan
    kernels.build(separate(instance)[0])
    places = instance.places(giant)
    cost = np.append(0, np.cumsum(instance.problem.distances(places[:-1], places[1:])))
    expected = []
    at = np.arange(len(places))
    for end, size in kernels.hierarchies.plan.levels[: levels + 1, :2].tolist():
        assert at[-1] == len(places) - 1 and len(at) == end + 1
        pairs = [(i, j) for i in range(end) for j in range(i + 1, min((i // size + 1) * size, end) + 1)]
        expected += [cost[at[j]] - cost[at[i]] for i, j in pairs for _ in range(2)]
        at = np.append(at[:-1][::size], at[-1])
    found = kernels.hierarchies.costs
    assert sorted(found[~np.isnan(found)].tolist()) == sorted(expected)


def test_the_whole_tour_is_where_the_plan_says(device: Device) -> None:
    instance = GiantInstance.of(problem(3, 20), 6)
    giant = giant_tour(instance, 1)
    places = instance.places(giant)
    routes = 6 - int(((places[1:] == 0) & (places[:-1] == 0)).sum())
    for index in (1, 2, 3, 4):
        kernels = FitnessKernels(instance, device, replace(BENCHMARK, index=index, levels=index % 3))
        kernels.load(giant)
        for one in separate(instance):
            kernels.build(one)
        assert device.fetch(kernels.hierarchies.counts)[kernels.hierarchies.whole] == routes
        length = device.fetch(kernels.hierarchies.costs)[kernels.hierarchies.plan.whole]
        assert length == instance.problem.distances(places[:-1], places[1:]).sum()
