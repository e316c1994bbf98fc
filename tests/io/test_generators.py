"""Kinds of generated instances: the same on every machine, of the size asked for, and of their character."""

from __future__ import annotations

import hashlib
import sys
import tracemalloc
from itertools import combinations

import numpy as np
import pytest

from warptour.api import solve
from warptour.io import KINDS, generate
from warptour.io.generators.country import ROAD_WIDTH, along_roads, in_towns, settle
from warptour.io.generators.picture import PIXEL, PIXELS, stipple
from warptour.io.generators.points import SIDE, bell
from warptour.model import memory
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.vehicles import VRP

PORTABLE = ["picture", "vlsi", "roads", "towns", "windows"]


def digest(kind: str, n: int, seed: int) -> str:
    """Return the beginning of a hash of all coordinates, demands and times."""
    problem = generate(kind, n, seed)
    numbers = [problem.points, problem.demands] if isinstance(problem, VRP) else [problem.points]
    if isinstance(problem, VRP) and problem.windows is not None:
        closes = np.minimum(problem.windows.closes, 2.0**50)
        numbers += [problem.service_times, problem.windows.opens, closes]
    return hashlib.sha256(b"".join(part.astype("<i8").tobytes() for part in numbers)).hexdigest()[:16]


@pytest.mark.parametrize(
    ("kind", "small", "large"),
    [
        ("picture", "b3fb99acd985afd6", "3452cf076a1bb3cf"),
        ("vlsi", "0992853fbbe21efb", "c718e2a66a60ea49"),
        ("roads", "b73fea40fb35579a", "487b53230a08a187"),
        ("towns", "0687e20880a438f5", "36fd53fc2ab933e5"),
        ("windows", "4e9edbd39027604e", "d12904c116eb9fca"),
    ],
)
def test_instances_are_those_of_other_machines(kind: str, small: str, large: str) -> None:
    """Recorded on ARM, windows on x86-64; measurements refer to these instances."""
    assert (digest(kind, 1000, 1), digest(kind, 200_000, 2)) == (small, large)


@pytest.mark.parametrize("kind", ["uniform", "clustered", "grid", *PORTABLE])
def test_pieces_of_any_size_give_the_same_instance(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = generate(kind, 1000, 3).points
    monkeypatch.setattr(sys.modules["warptour.io.generators.points"], "PIECE", 7)
    np.testing.assert_array_equal(generate(kind, 1000, 3).points, whole)


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_as_many_nodes_as_asked_for(kind: str) -> None:
    least = KINDS[kind].least
    for n in (*range(least, 30), 399, 400, 401, 12_345):
        points = generate(kind, n, 5).points
        assert points.shape == (n, 2)
        assert not np.signbit(points[points == 0]).any()
    with pytest.raises(UsageError, match=f"{least - 1} nodes; a {kind} instance has {least} to"):
        generate(kind, least - 1)


@pytest.mark.parametrize("kind", KINDS)
def test_what_exceeds_the_memory_is_refused_at_once(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 8e9)
    with pytest.raises(UnsupportedError, match=rf"{kind}:2000000000: .* would fit"):
        generate(kind, 2_000_000_000)


def test_an_unknown_kind_is_answered_with_all_kinds() -> None:
    with pytest.raises(UsageError) as error:
        generate("villages", 5)
    assert str(error.value) == (
        "unknown kind 'villages'; there are uniform, clustered, grid, drilling, picture, vlsi, roads, vrp, towns, "
        "windows"
    )


@pytest.mark.parametrize("kind", PORTABLE)
def test_seeds_and_sizes_have_nothing_in_common(kind: str) -> None:
    one, other, larger = (generate(kind, n, seed).points for n, seed in ((900, 1), (900, 2), (901, 1)))
    assert (one == other).all(axis=1).sum() < 20 and (one == larger[:900]).all(axis=1).sum() < 20


def test_the_density_of_a_picture_varies_smoothly() -> None:
    points = generate("picture", 50_000, 1).points
    assert points.min() >= 0 and points.max() < PIXEL * PIXELS
    boxes = np.histogram2d(*points.T, bins=16)[0]
    assert boxes.max() > 10 * boxes.min()
    assert np.corrcoef(boxes[1:].ravel(), boxes[:-1].ravel())[0, 1] > 0.7


def test_the_dots_of_a_picture_are_spread_evenly() -> None:
    blank = np.ones(PIXELS * PIXELS, np.int64)
    points = np.concatenate(list(stipple(64 * 64, blank, np.random.default_rng(1))))
    assert (np.histogram2d(*points.T, bins=64, range=[(0, PIXEL * PIXELS)] * 2)[0] == 1).all()


def nearest(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distance to each point's nearest neighbour, and the step to it."""
    steps = points[None] - points[:, None]
    distances = np.hypot(*np.moveaxis(steps, 2, 0))
    np.fill_diagonal(distances, np.inf)
    rows = np.arange(len(points)), distances.argmin(axis=1)
    return distances[rows], steps[rows]


def test_the_pins_of_a_chip_are_distinct_aligned_and_of_several_pitches() -> None:
    points = generate("vlsi", 1500, 1).points
    assert len(np.unique(points, axis=0)) == len(points)
    distances, steps = nearest(points)
    aligned = (steps == 0).any(axis=1)
    assert aligned.mean() > 0.7
    assert len(np.unique(distances[aligned])) >= 5
    width, height = np.ptp(generate("vlsi", 100_000, 1).points, axis=0)
    assert 0.8 < width / height < 1.25


def test_the_sizes_of_towns_follow_zipfs_law() -> None:
    random = np.random.default_rng(1)
    country = settle(100, random)
    sizes = np.sort(np.diff(country.sizes, prepend=0))[::-1]
    np.testing.assert_allclose(sizes * np.arange(1, 101), sizes[0], rtol=1e-6)
    largest = int(np.argmax(country.extents))
    places = np.concatenate(list(in_towns(country, 10_000, random)))
    inside = np.abs(places - country.centres[largest]).max(axis=1) < 4 * country.extents[largest]
    assert inside.mean() == pytest.approx(sizes[0] / sizes.sum(), abs=0.05)


def test_roads_lead_from_town_to_town() -> None:
    random = np.random.default_rng(1)
    country = settle(9, random)
    places = np.concatenate(list(along_roads(country, 500, random)))
    gaps = []
    for one, other in combinations(range(9), 2):
        if max(abs(one // 3 - other // 3), abs(one % 3 - other % 3)) == 1:
            start, road = country.centres[one], country.centres[other] - country.centres[one]
            share = np.clip((places - start) @ road / (road @ road), 0, 1)
            gaps.append(np.hypot(*(places - start - share[:, None] * road).T))
    assert np.min(gaps, axis=0).max() < 5 * ROAD_WIDTH * SIDE / 3


def test_places_of_roads_crowd_in_towns_and_leave_most_of_the_country_empty() -> None:
    boxes = np.sort(np.histogram2d(*generate("roads", 20_000, 1).points.T, bins=50)[0].ravel())[::-1]
    assert boxes[:125].sum() > 8000, "a twentieth of the area"
    assert np.median(boxes) < 5


@pytest.mark.parametrize("n", [1001, 20_001])
def test_towns_have_long_routes_from_a_corner(n: int) -> None:
    problem = generate("towns", n, 1)
    assert isinstance(problem, VRP)
    assert problem.depot == 0 and problem.points[0].tolist() == [0, 0]
    assert set(problem.demands[1:].tolist()) == {1, 2, 3}
    assert 95 < (n - 1) * problem.capacity / problem.demands.sum() < 105
    boxes = np.sort(np.histogram2d(*problem.points[1:].T, bins=50)[0].ravel())[::-1]
    assert boxes[:125].sum() > 0.4 * n


@pytest.mark.parametrize("n", [2, 101, 20_001])
def test_each_customer_with_windows_can_be_served_in_time_by_a_vehicle_of_its_own(n: int) -> None:
    problem = generate("windows", n, 1)
    assert isinstance(problem, VRP) and problem.windows is not None
    routes = [np.array([customer]) for customer in problem.customers]
    assert problem.check(routes).feasible
    reach = problem.distances(np.zeros(n, int), np.arange(n))
    day = problem.windows.closes[0]
    opens, closes = problem.windows.opens[1:], problem.windows.closes[1:]
    assert (opens >= 0).all() and (opens <= closes).all() and (closes >= reach[1:]).all()
    bounded = np.isfinite(closes)
    assert (closes + problem.service_times[1:] + reach[1:] <= day)[bounded].all()
    assert problem.matrix is None and problem.depot == 0 and problem.points[0].tolist() == [5000, 5000]
    if n > 20_000:
        assert 0.78 < bounded.mean() < 0.82
        within = bounded & (opens > 0) & (closes < day - problem.service_times[1:] - reach[1:])
        lengths = (closes - opens)[within] / day
        assert lengths.min() > 0.049 and lengths.max() < 0.26 and 0.12 < lengths.mean() < 0.17


def test_half_of_the_customers_with_windows_are_in_clusters() -> None:
    points = generate("windows", 10_001, 1).points[1:]
    assert points.min() >= 0 and points.max() < 10_000
    boxes = np.sort(np.histogram2d(*points.T, bins=100, range=[(0, 10_000)] * 2)[0].ravel())[::-1]
    scattered = np.sort(np.random.default_rng(1).poisson(1, 10_000))[::-1]
    assert boxes[:1000].sum() > 1.3 * scattered[:1000].sum() and (boxes == 0).sum() > 1.2 * (scattered == 0).sum()


@pytest.mark.parametrize("n", [101, 1001])
def test_routes_with_windows_have_ten_to_twenty_customers(n: int) -> None:
    problem = generate("windows", n, 2)
    assert isinstance(problem, VRP)
    routes = solve(problem, iterations=5000, threads=1, device="cpu").routes
    assert routes is not None and 10 <= (n - 1) / len(routes) <= 20
    waits = sum(float(day.waits.sum()) / day.duration for day in problem.days(routes)) / len(routes)
    assert 0.05 < waits < 0.4, "windows make vehicles wait, but do not fill their day"


@pytest.mark.parametrize("n", [20_001, 200_001])
def test_windows_take_memory_as_their_number(n: int) -> None:
    tracemalloc.start()
    generate("windows", n, 1)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1.05 * KINDS["windows"].node_bytes * n


def test_a_sum_of_uniform_numbers_stands_for_a_normal_one() -> None:
    steps = bell(50_000, np.random.default_rng(1))
    assert np.abs(steps.mean(axis=0)).max() < 0.02 and np.abs(steps.std(axis=0) - 1).max() < 0.02
    assert abs(np.mean(np.abs(steps) < 1) - 0.68) < 0.03
