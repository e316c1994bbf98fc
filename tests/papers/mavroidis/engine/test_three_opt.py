"""Symmetric 3-opt makes the moves of the plain reference on every device, and ends in 2-optimal tours."""

from __future__ import annotations

import numpy as np
import pytest

from random_cities import cities
from symmetric_reference import with_double, without_double
from symmetric_three_reference import ARRANGEMENTS as PLAIN
from symmetric_three_reference import descend, one_round
from warptour.devices import Device
from warptour.model.errors import UsageError
from warptour.papers.mavroidis.engine.three_opt import ARRANGEMENTS, PIECES, SymmetricThree
from warptour.papers.mavroidis.strategy.symmetric import SymmetricTwoOpt
from warptour.papers.scans.two_opt import TwoOptEngine


def shuffled(n: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).permutation(n).astype(np.int32)


def test_arrangements_are_the_present_one_two_opt_and_three_opt() -> None:
    changed = [len(set(each.edges) - set(ARRANGEMENTS[0].edges)) for each in ARRANGEMENTS]
    assert changed[0] == 0
    assert changed.count(2) == 6  # a pair of four edges
    assert changed.count(3) == 16  # a triple of four edges, four ways each
    names = [*PIECES]
    assert [tuple((names.index(name), turned) for name, turned in each.pieces) for each in ARRANGEMENTS] == PLAIN


@pytest.mark.parametrize("n", [5, 6, 9, 12, 20, 41])
@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN"])
def test_a_round_of_the_reference_shortens_the_tour_if_it_moves_at_all(n: int, metric: str) -> None:
    for seed in range(4):
        problem = cities(n, metric, seed=seed, side=300)
        row = with_double(shuffled(n, seed))
        for k in (1, 2, 3):
            for offset in range(k + 1):
                after, moves = one_round(problem, row, k, offset)
                assert sorted(after.tolist()) == list(range(len(row)))
                before_cost, cost = (problem.cost(without_double(each, n)) for each in (row, after))
                assert (cost < before_cost) if moves else (after == row).all()
                row = after


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("longest", [1, 2, 3])
@pytest.mark.parametrize("n", [5, 6, 7, 8, 9, 12, 17, 30, 41, 64])
def test_every_round_is_that_of_the_reference(device: Device, n: int, longest: int) -> None:
    for name, side in (("EUC_2D", 200), ("EUC_2D", 4), ("EUCLIDEAN", 200), ("ATT", 90))[: 4 if device.is_host else 2]:
        problem = cities(n, name, seed=n, side=side)
        rows = [with_double(shuffled(n, seed)) for seed in range(2)]
        found = SymmetricThree(device, problem, np.array([shuffled(n, seed) for seed in range(2)]), longest=longest)
        accepted = [0, 0]
        for k in range(1, longest + 1):
            for offset in range(k + 1):
                made = [one_round(problem, row, k, offset) for row in rows]
                rows = [row for row, _ in made]
                accepted = [before + moves for before, (_, moves) in zip(accepted, made, strict=True)]
                found.run(1)
                turned = (k, offset) == (longest, longest)  # a turn ends with a rotation
                ends = [without_double(np.roll(row, -turned), n).tolist() for row in rows]
                assert ends == found.tours().tolist()
                assert found.state()[:, 2].tolist() == accepted


@pytest.mark.parametrize(("n", "side"), [(5, 50), (8, 3), (17, 100), (30, 500), (33, 9)])
def test_it_ends_two_optimal_where_the_reference_does(device: Device, n: int, side: int) -> None:
    problem = cities(n, "EUC_2D", seed=n, side=side)
    tour, rounds, accepted = descend(problem, np.arange(n, dtype=np.int32), 3)
    found = SymmetricThree(device, problem, np.arange(n, dtype=np.int32)[None])
    assert (found.finish()[0] == tour).all()
    assert found.state()[0, :3].tolist() == [rounds, n | 1, accepted]
    assert TwoOptEngine(problem).certify(tour) is None
    assert rounds % 9 == 0 and rounds >= 9 * (n | 1)


def test_many_tours_and_calls_of_any_length_end_alike(device: Device) -> None:
    problem = cities(36, "CEIL_2D", seed=2, side=300)
    tours = np.array([shuffled(36, seed) for seed in range(7)])
    whole = SymmetricThree(device, problem, tours).finish()
    parts = SymmetricThree(device, problem, tours)
    while not parts.locally_optimal:
        parts.run(5)
    assert (parts.tours() == whole).all()
    assert all((SymmetricThree(device, problem, tours[i]).finish()[0] == whole[i]).all() for i in (0, 6))


@pytest.mark.compiles
def test_groups_of_several_lanes_compile_for_opencl(opencl: Device) -> None:
    for special in ("euc", "flat", "ceil", "any"):
        assert opencl.build("symmetric_three", special, lanes=64)


def test_three_opt_is_for_one_group_and_does_not_anneal(device: Device) -> None:
    with pytest.raises(UsageError, match="form=group"):
        SymmetricTwoOpt(form="blocks", segment=2)
    with pytest.raises(ValueError, match="anneal"):
        SymmetricThree(device, cities(9, "EUC_2D", side=90), shuffled(9, 0)).heat(1.0)
