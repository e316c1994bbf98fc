"""Coincident cities."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.candidates import places
from warptour.candidates.places import shared_places

SPOTS = np.array([[3, 1], [0, 0], [3, 1], [2, 2], [-0.0, 0], [3, 1], [1, 3]], np.float64)


@pytest.mark.parametrize("collide", [False, True], ids=["hashes", "equal hashes"])
def test_places_are_numbered_by_their_first_cities(monkeypatch: pytest.MonkeyPatch, collide: bool) -> None:
    if collide:
        monkeypatch.setattr(places, "_hashes", lambda spots: np.zeros(len(spots), np.uint64))
    found = shared_places(SPOTS)
    assert found is not None and found.count == 4
    assert found.of.tolist() == [0, 1, 0, 2, 1, 0, 3]
    assert found.line.tolist() == [0, 2, 5, 1, 4, 3, 6]
    assert found.start.tolist() == [0, 3, 5, 6, 7]
    assert found.front().tolist() == [0, 1, 3, 6]


def test_no_two_cities_in_one_place() -> None:
    assert shared_places(SPOTS[[0, 1, 3, 6]]) is None
    assert shared_places(SPOTS[:1]) is None
