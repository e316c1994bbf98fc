"""Places that are probably mistakes."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.model.mistakes import far_places, missing_places

TOWN = np.random.default_rng(1).normal(size=(40, 2)) * 0.05
BERLIN = TOWN + np.array([52.5, 13.4])


@pytest.mark.parametrize(
    ("points", "latlon", "expected"),
    [
        (BERLIN, True, []),
        (np.vstack([BERLIN, [[0, 0]]]), True, [40]),
        (np.vstack([[[0, 0]], BERLIN, [[0, 0]]]), True, [0, 41]),
        (np.vstack([TOWN + np.array([5.5, -0.2]), [[0, 0]]]), True, [40]),
        (np.vstack([TOWN + np.array([4, 1]), [[0, 0]]]), True, []),
        (np.array([[0, 0], [52.5, 13.4]]), True, []),
        (np.zeros((3, 2)), True, []),
        (np.vstack([[[0, 0]], np.random.default_rng(1).uniform(300, 1000, (20, 2))]), False, []),
        (np.vstack([[[0, 0]], 1000 * TOWN + np.array([587_142, 5_866_957])]), False, [0]),
        (np.array([[0, 0, 0], [1, 2, 3], [1, 0, 0]]), False, []),
    ],
)
def test_places_that_are_missing(points: np.ndarray, latlon: bool, expected: list[int]) -> None:
    assert missing_places(np.asarray(points, float), latlon=latlon).tolist() == expected


@pytest.mark.parametrize(
    ("points", "latlon", "expected"),
    [
        (BERLIN, True, []),
        (np.vstack([BERLIN, [[-37, 144]]]), True, [40]),
        (np.vstack([[[52.5, -13.4]], BERLIN]), True, [0]),
        (np.vstack([BERLIN, [[52.7, 13.9]]]), True, []),
        (np.vstack([BERLIN, BERLIN + np.array([0, 60])]), True, []),
        (np.vstack([BERLIN, BERLIN[:4] + np.array([0, 60])]), True, []),
        (np.array([[0, 179.9], [0, -179.9], [0.1, 179.8], [0, 180], [0.2, -179.8]]), True, []),
        (np.vstack([TOWN, [[600, 0]]]), False, [40]),
        (np.vstack([np.zeros((40, 2)), [[600, 0]]]), False, []),
        (np.array([[0, 0], [1, 0], [1000, 0]]), False, []),
        (np.random.default_rng(2).standard_normal((2000, 2)), False, []),
    ],
)
def test_places_far_from_all_others(points: np.ndarray, latlon: bool, expected: list[int]) -> None:
    assert far_places(np.asarray(points, float), latlon=latlon)[0].tolist() == expected
