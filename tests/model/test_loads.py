"""Demands in a common unit: sums are exact, and the unit in which they were given leaves no trace."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptour.model.infeasibility import prove_infeasible
from warptour.model.loads import CAPACITY_TOLERANCE, whole_loads
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP

DEMANDS = np.array([0, 3, 7, 19, 28, 100])


@pytest.mark.parametrize("factor", [1e-6, 1e-3, 0.01, 0.1, 1.0, 10.0, 1e6, 2.0**-30, 2.0**-8, 0.5, 2.0**30, 0.005])
def test_units_leave_no_trace(factor: float) -> None:
    loads, room = whole_loads(factor * DEMANDS, factor * 206)
    assert loads.tolist() == DEMANDS.tolist()
    assert room == 206


def test_integers_are_divided_by_what_they_share() -> None:
    loads, room = whole_loads(np.array([0, 20, 50, 10]), 75)
    assert (loads.tolist(), room) == ([0, 2, 5, 1], 7)


@pytest.mark.parametrize(
    ("demands", "capacity", "fits"),
    [
        ([0.1, 0.2], 0.3, True),
        ([0.1, 0.2], 0.2999, False),
        ([0.1] * 10, 1, True),
        ([1.1, 2.2, 3.3], 6.6, True),
        ([0.1 + 0.2], 0.3, True),
        ([1 / 3, 1 / 3, 1 / 3], 1, True),
        ([np.pi, np.e], np.pi + np.e, True),
        ([np.pi, np.e], (np.pi + np.e) * (1 - 1e-9), False),
        ([10**12, 1], 10**12, False),
        ([2**45] + [1] * 999, 2**45 + 999, True),
        ([2**45] + [1] * 999, 2**45 + 998, False),
        ([0, 0], 0.5, True),
        ([2, 0], 0.5, False),
        ([5e-324, 5e-324], 1e300, True),
        ([1e300, 1e300], 2e300, True),
    ],
)
def test_what_fits(demands: list[float], capacity: float, fits: bool) -> None:
    loads, room = whole_loads(np.array(demands), capacity)
    assert (loads.sum() <= room) == fits
    assert room > 0


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=30), st.floats(1e-3, 1e10), st.randoms())
def test_sums_are_exact_in_any_order_and_those_of_the_demands(demands: list[float], capacity: float, random) -> None:  # type: ignore[no-untyped-def]
    loads, room = whole_loads(np.array(demands), capacity)
    assert (loads == np.floor(loads)).all()
    shuffled = loads.tolist()
    random.shuffle(shuffled)
    assert sum(shuffled) == loads.sum() <= 2**53
    if sum(demands) <= capacity * (1 - CAPACITY_TOLERANCE):
        assert loads.sum() <= room
    if sum(demands) > capacity * (1 + 2 * CAPACITY_TOLERANCE):
        assert loads.sum() > room


def test_the_checker_and_the_proofs_agree() -> None:
    points = np.zeros((3, 2))
    tenths = VRP("tenths", METRICS["EUCLIDEAN"], points, demands=np.array([0, 0.1, 0.2]), capacity=0.3)
    prove_infeasible(tenths)
    assert tenths.check([np.array([1, 2])]).feasible
    alone = VRP("alone", METRICS["EUCLIDEAN"], points, demands=np.array([0, 0.1 + 0.2, 0]), capacity=0.3)
    prove_infeasible(alone)
    assert alone.check([np.array([1, 2])]).feasible
