"""A generated city, written and opened once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("osmium", reason="osmium is not installed")

from warptour.roads.city import BLOCK, ORIGIN, write_city
from warptour.roads.graph import Roads, open_roads

BLOCKS = 24


@pytest.fixture(scope="session")
def city_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("city") / "city.osm.pbf"
    write_city(path, BLOCKS, seed=5, buildings=0.5)
    return path


@pytest.fixture(scope="session")
def city(city_file: Path) -> Roads:
    return open_roads(city_file)


@pytest.fixture(scope="session")
def places() -> np.ndarray:
    """80 places in the city, as latitudes and longitudes."""
    lon, lat = np.random.default_rng(3).uniform(0.02, 0.98, (2, 80)) * BLOCK * (BLOCKS - 1)
    return np.column_stack((ORIGIN[1] + lat, ORIGIN[0] + 1.5 * lon))
