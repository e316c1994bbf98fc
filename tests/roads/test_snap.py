"""Places are put on the nearest usable street, as a search of all of them finds it."""

from __future__ import annotations

import numpy as np

from warptour.roads.graph import Roads
from warptour.roads.snap import METRES


def test_the_nearest_street_is_that_of_brute_force(city: Roads, places: np.ndarray) -> None:
    index = city.index
    spots = index.nearest(places)
    everything = np.arange(len(index.begins))
    for at, (lat, lon) in enumerate(places.tolist()):
        gaps, _ = index.gaps(everything, lat, lon)
        nearest = np.where(index.usable, gaps, np.inf).min()
        assert spots.distances[at] == nearest * METRES
        cut = np.where(index.usable, np.inf, gaps).min()
        assert spots.cut_off[at] == (cut * METRES if cut < nearest else np.inf)


def test_a_gap_is_the_distance_to_the_nearest_of_many_points_on_the_piece(city: Roads, places: np.ndarray) -> None:
    index, (lat, lon), network = city.index, places[0].tolist(), city.network
    pieces = np.arange(0, len(index.begins), 97)
    gaps, shares = index.gaps(pieces, lat, lon)
    along = np.linspace(0, 1, 1001)[:, None]
    begins = index.begins[pieces]
    x, y = ((of[begins] + along * (of[begins + 1] - of[begins])) / 1e7 for of in (network.x, network.y))
    sampled = np.hypot((x - lon) * np.cos(np.radians(lat)), y - lat)
    assert (gaps <= sampled.min(axis=0) + 1e-12).all()
    assert np.allclose(gaps, sampled.min(axis=0), atol=1e-5)
    assert np.allclose(shares, along[sampled.argmin(axis=0), 0], atol=0.01)


def test_spots_lie_on_their_streets_where_their_offsets_say(city: Roads, places: np.ndarray) -> None:
    spots, network = city.index.nearest(places), city.network
    for at, street in enumerate(spots.streets.tolist()):
        assert 0 <= spots.offsets[at] <= network.lengths[street]
        assert network.first[street] <= spots.pieces[at] < network.last[street]
    lat, lon = places.T
    scale = np.cos(np.radians(lat))
    away = np.hypot((spots.latlon[:, 1] - lon) * scale, spots.latlon[:, 0] - lat) * METRES
    assert np.allclose(away, spots.distances, atol=0.01)


def test_places_on_a_street_are_where_they_are(city: Roads) -> None:
    network = city.network
    usable = np.unique(network.ways[network.usable] >> 1)[::50]
    ends = np.column_stack((network.y[network.first[usable]], network.x[network.first[usable]])) / 1e7
    spots = city.index.nearest(ends)
    assert spots.distances.max() < 0.02
