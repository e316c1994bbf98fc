"""``hill`` and ``restarts`` scan and climb by any rung of the ladder."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from clocks import Never
from random_cities import cities
from reference_engine import ReferenceEngine
from run_strategy import searched
from warptour.devices import find
from warptour.model.errors import UsageError
from warptour.papers.oneil.strategy.hill import HillClimbing
from warptour.papers.oneil.strategy.restarts import RandomRestart
from warptour.papers.scans.ladder.registry import RUNGS
from warptour.papers.scans.pruned import PrunedScan
from warptour.papers.scans.scan import FastScan
from warptour.papers.scans.tour_scan import TourScan
from warptour.search.stop import Iterations

PROBLEM = cities(66, "EUC_2D", side=500)
SERVED = [name for name, rung in RUNGS.items() if rung.refuses(PROBLEM, find("cpu", 1)) is None]


@cache
def climbed(kernel: str) -> tuple[float, int]:
    search = searched(HillClimbing(kernel=kernel, start="nearest"), PROBLEM, Never(), device=find("cpu", 1))
    assert search.cost is not None
    assert ReferenceEngine(PROBLEM).certify(np.asarray(search.best)) is None
    return search.cost, search.iterations


def scans_needed() -> int:
    """Return the scans of a climb with the reference: one per move, and one that finds none."""
    engine, search = ReferenceEngine(PROBLEM), searched(HillClimbing(start="nearest"), PROBLEM, Iterations(0))
    tour, scans = np.asarray(search.best), 1
    while (move := engine.certify(tour)) is not None:
        tour, scans = engine.neighborhood.apply(tour, move), scans + 1
    return scans


def test_most_rungs_serve_a_small_instance_on_the_cpu() -> None:
    assert {"calc", "matr_g", "table", "pairs", "vector", "diagonal", "pruned"} <= set(SERVED)


@pytest.mark.parametrize("kernel", SERVED)
def test_a_climb_by_any_kernel_ends_at_the_same_tour(kernel: str) -> None:
    assert climbed(kernel)[0] == climbed("diagonal")[0]


@pytest.mark.parametrize("kernel", SERVED)
def test_a_climb_counts_the_scans_that_it_needed_and_the_exact_one_that_proves_its_end(kernel: str) -> None:
    assert climbed(kernel)[1] == scans_needed() + 1


@pytest.mark.parametrize("scan", [FastScan, PrunedScan])
def test_a_scan_whose_steps_are_recorded_counts_those_until_its_local_optimum(
    scan: type[FastScan] | type[PrunedScan], monkeypatch: pytest.MonkeyPatch
) -> None:
    tour = np.random.default_rng(2).permutation(PROBLEM.n).astype(np.int32)
    one_by_one, recorded = scan(PROBLEM, find("cpu", 1)), scan(PROBLEM, find("cpu", 1))
    one_by_one.load(tour)
    needed = one_by_one.steps(1000)
    assert one_by_one.picked() is None and ReferenceEngine(PROBLEM).certify(one_by_one.tour()) is None
    monkeypatch.setattr(TourScan, "recordable", True)
    for count in (needed - 1, needed, needed + 1, 1000):
        recorded.load(tour)
        assert recorded.steps(count) == min(count, needed)
        assert (recorded.tour() == one_by_one.tour()).all() and (recorded.picked() is None) == (count >= needed)
        assert recorded.steps(5) == 1


@pytest.mark.parametrize("kernel", SERVED)
def test_climbers_of_any_kernel_are_2_optimal(kernel: str) -> None:
    strategy = RandomRestart(climbers=2, batch=2, kernel=kernel)
    search = searched(strategy, PROBLEM, Never(), device=find("cpu", 1), seed=3)
    assert search.iterations == 2
    assert ReferenceEngine(PROBLEM).certify(np.asarray(search.best)) is None


@pytest.mark.parametrize("strategy", [HillClimbing, RandomRestart])
def test_an_unknown_kernel_is_refused(strategy: type[HillClimbing] | type[RandomRestart]) -> None:
    with pytest.raises(UsageError, match=r"there is no kernel 'magic'; there are .*pruned.*auto"):
        strategy(kernel="magic")
