"""The Hilbert curve visits every cell of a square or cube, each beside the last."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.candidates import hilbert_keys, space_order
from warptour.model.errors import UnsupportedError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP


@pytest.mark.sanitize_quick
@pytest.mark.parametrize("dimensions", [2, 3])
def test_the_cells_of_a_lattice_are_visited_each_beside_the_last(dimensions: int) -> None:
    axis = np.arange(8) + 0.5
    cells = np.stack(np.meshgrid(*[axis] * dimensions), axis=-1).reshape(-1, dimensions)
    corners = np.array([np.zeros(dimensions), np.full(dimensions, 8.0)])
    order = space_order(np.concatenate([cells, corners]))
    order = order[order < len(cells)]
    steps = np.abs(np.diff(cells[order], axis=0)).sum(axis=1)
    assert sorted(order.tolist()) == list(range(len(cells)))
    assert (steps == 1).all()


def test_shifted_and_rotated_curves_are_permutations_that_differ() -> None:
    points = np.random.default_rng(0).uniform(-5, 1000, (2000, 2))
    orders = [space_order(points, shift=shift, rotation=turn) for shift, turn in [(0, 0), ((0.3, 0.7), 0), (0.3, 1.0)]]
    for order in orders:
        assert sorted(order.tolist()) == list(range(2000))
        walk = np.linalg.norm(np.diff(points[order], axis=0), axis=1).sum()
        assert walk < 2 * 0.7124 * np.sqrt(2000) * 1005
    assert not (orders[0] == orders[1]).all() and not (orders[1] == orders[2]).all()


@pytest.mark.parametrize("points", [np.zeros((5, 2)), np.full((4, 3), 1e15), np.array([[1.0, 2.0]])])
def test_equal_points_keep_their_order(points: np.ndarray) -> None:
    assert space_order(points, shift=0.5).tolist() == list(range(len(points)))


@pytest.mark.threads
def test_the_number_of_threads_changes_nothing() -> None:
    points = np.random.default_rng(0).random((600_000, 2))
    np.testing.assert_array_equal(hilbert_keys(points, threads=1), hilbert_keys(points, threads=3))


def test_a_problem_is_ordered_by_where_its_nodes_lie() -> None:
    points = np.random.default_rng(0).uniform(-80, 80, (100, 2))
    plane = TSP("plane", METRICS["EUC_2D"], points)
    np.testing.assert_array_equal(space_order(plane), space_order(points))
    sphere = TSP("sphere", METRICS["GREAT_CIRCLE"], points)
    assert sorted(space_order(sphere).tolist()) == list(range(100))
    with pytest.raises(UnsupportedError, match="no coordinates"):
        space_order(TSP.from_matrix(np.zeros((3, 3))))


def test_one_outlier_leaves_the_order_of_the_others() -> None:
    points = np.random.default_rng(3).random((5000, 2))
    far = points.copy()
    far[7] = 1e12, -1e12
    order = space_order(far)
    walk = points[order[order != 7]]
    steps = np.hypot(*np.diff(walk, axis=0).T)
    assert steps.sum() < 1.3 * np.hypot(*np.diff(points[space_order(points)], axis=0).T).sum()
