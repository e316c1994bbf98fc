"""Bounding boxes, whole and in blocks."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.model import bounds as module
from warptour.model.bounds import bounds


@pytest.mark.parametrize("rows", [1, 7, 8, 9, 100])
def test_blocks_give_the_box_of_all_points(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK", 8)
    points = np.random.default_rng(rows).normal(size=(rows, 3))
    low, high = bounds(points)
    assert (low == points.min(axis=0)).all() and (high == points.max(axis=0)).all()


def test_what_is_not_a_number_shows() -> None:
    points = np.zeros((10, 2))
    points[7, 1] = np.nan
    points[3, 0] = -np.inf
    low, high = bounds(points)
    assert low[0] == -np.inf and np.isnan(low[1]) and np.isnan(high[1])
