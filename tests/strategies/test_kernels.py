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

PROBLEM = cities(66, "EUC_2D", side=500)
SERVED = [name for name, rung in RUNGS.items() if rung.refuses(PROBLEM, find("cpu", 1)) is None]


@cache
def climbed(kernel: str) -> float:
    search = searched(HillClimbing(kernel=kernel, start="nearest"), PROBLEM, Never(), device=find("cpu", 1))
    assert search.cost is not None
    assert ReferenceEngine(PROBLEM).certify(np.asarray(search.best)) is None
    return search.cost


def test_most_rungs_serve_a_small_instance_on_the_cpu() -> None:
    assert {"calc", "matr_g", "table", "pairs", "vector", "diagonal", "pruned"} <= set(SERVED)


@pytest.mark.parametrize("kernel", SERVED)
def test_a_climb_by_any_kernel_ends_at_the_same_tour(kernel: str) -> None:
    assert climbed(kernel) == climbed("diagonal")


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
