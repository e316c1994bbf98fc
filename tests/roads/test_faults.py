"""Places that cannot be reached are named, with how far they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from extracts import grid, write_osm
from warptour.model.errors import InputError, UsageError
from warptour.roads import matrix

STREET = {"highway": "residential"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A street of three nodes, and one behind it that can be entered and not left."""
    ways = [([1, 2, 3], STREET), ([4, 5, 6], STREET), ([1, 4], STREET), ([3, 9], STREET | {"oneway": "yes"})]
    return write_osm(tmp_path / "map.osm", grid(3, 3), ways)


def test_a_place_far_from_streets(file: Path) -> None:
    with pytest.raises(InputError, match=r"place 2 is 43 m from the nearest street for a car; a street may be 40 m"):
        matrix([(50, 10), (50.0005, 10.0006)], file, limit=40)
    assert matrix([(50, 10), (50.0005, 10.0006)], file, limit=44).distances[0, 1] > 50


def test_a_place_outside_the_extract(file: Path) -> None:
    fault = r"place 1 is 55.\d km outside the extract, which covers 50.000 to 50.002 north and 10.000 to 10.002 east"
    with pytest.raises(InputError, match=fault):
        matrix([(50.5, 10), (50, 10)], file)


def test_swapped_coordinates_are_suspected(file: Path) -> None:
    with pytest.raises(InputError, match=r"\(are latitude and longitude swapped\?\)"):
        matrix([(10, 50)], file)


def test_a_place_at_a_street_that_cannot_be_left(file: Path) -> None:
    fault = r"place 2 is 0 m from a street that cannot be left, and 111 m from the nearest street for a car that can"
    with pytest.raises(InputError, match=fault):
        matrix([(50, 10), (50.002, 10.002)], file, limit=50)


def test_another_street_is_taken_with_a_note(file: Path) -> None:
    notes: list[str] = []
    matrix([(50, 10), (50.0018, 10.002)], file, note=notes.append)
    assert notes == ["place 2 is 0 m from a street that cannot be left; another one, 89 m away, is taken"]


def test_many_faults_are_counted(file: Path) -> None:
    with pytest.raises(InputError) as error:
        matrix([(50 + k / 10, 10) for k in range(1, 9)], file, called=lambda place: f"row {place + 2}")
    assert str(error.value).count("outside the extract") == 5
    assert "row 2 is 10.9 km outside" in str(error.value) and "; and 3 more; a street" in str(error.value)


@pytest.mark.parametrize(
    ("points", "fault"),
    [
        ([], "places are latitudes and longitudes"),
        ([[1, 2, 3]], r"of shape \(n, 2\), not \(1, 3\)"),
        ([[50, 10], [95, 10]], "place 2 is at 95, 10: no latitude and longitude"),
        ([[np.nan, 10]], "place 1 is at nan, 10"),
        ([["a", "b"]], "places are pairs of numbers"),
    ],
)
def test_places_that_are_none(file: Path, points: object, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        matrix(points, file)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [-1, float("nan")])
def test_a_limit_that_is_none(file: Path, limit: float) -> None:
    with pytest.raises(UsageError, match="it must be at least 0"):
        matrix([(50, 10)], file, limit=limit)


def test_two_parts_without_a_way_between(tmp_path: Path) -> None:
    file = write_osm(tmp_path / "map.osm", grid(3, 3), [([1, 2, 3], STREET), ([7, 8, 9], STREET)])
    with pytest.raises(InputError, match="no way for a car leads from place 1 to place 3, and between 3 further pairs"):
        matrix([(50, 10), (50, 10.001), (50.002, 10)], file)
