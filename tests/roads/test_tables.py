"""Tables between places by streets: every pair beside SciPy on the same network, and beside a walk of the plain map."""

from __future__ import annotations

import heapq
import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, product

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from extracts import grid, write_osm
from warptour.model.errors import InputError
from warptour.roads import matrix
from warptour.roads.city import City
from warptour.roads.ends import direct, ends_of
from warptour.roads.graph import Roads
from warptour.roads.hierarchy import UNREACHED
from warptour.roads.network import parted
from warptour.roads.profile import profile_of
from warptour.roads.tables import RoadTable, costs_between

STREET = {"highway": "residential"}


def test_every_pair_is_that_of_scipy_on_the_same_network(city: Roads, places: np.ndarray) -> None:
    spots, network = city.index.nearest(places), city.network
    costs, _ = costs_between(city, spots)
    sources, targets = (ends.seeds for ends in ends_of(city, spots))
    vertex = np.argsort(city.hierarchy.number)
    own = network.ways[city.arcs]
    milliseconds, centimetres = parted(network.costs[own])
    graph = csr_matrix((milliseconds * 2.0**24 + centimetres, (network.tails[city.arcs], network.heads[own])),
                       shape=(network.vertices,) * 2)  # fmt: skip
    ways = dijkstra(graph, indices=vertex[sources.vertices])

    def number(cost: int) -> float:
        return (int(cost) >> 32) * 2.0**24 + (int(cost) & (2**32 - 1))

    expected = np.full(costs.shape, np.inf)
    for a, b in product(range(len(places)), repeat=2):
        for i, j in product(range(*sources.first[a : a + 2]), range(*targets.first[b : b + 2])):
            way = ways[i, vertex[targets.vertices[j]]] + number(sources.lengths[i]) + number(targets.lengths[j])
            expected[a, b] = min(expected[a, b], way)
    for a, b, cost, _ in direct(city, spots):
        expected[a, b] = min(expected[a, b], number(cost))
    np.fill_diagonal(expected, 0)
    assert [[number(cost) for cost in row] for row in costs.tolist()] == expected.tolist()
    assert (costs != costs.T).any()


def walk_of_the_map(city: City) -> dict[int, dict[int, float]]:
    """Seconds from places inside streets, by arcs between consecutive nodes of ways, turn restrictions kept."""
    car, arcs = profile_of("car"), dict[int, list[tuple[int, float, int]]]()
    for number, way in enumerate(city.ways):
        passage = car.passage(way.tags)
        if passage is None:
            continue
        lengths = [apart(city.places[a], city.places[b]) for a, b in pairwise(way.nodes)]
        for (a, b), length in zip(pairwise(way.nodes), lengths, strict=True):
            for begin, end, speed in ((a, b, passage.forward), (b, a, passage.backward)):
                if speed:
                    whole = None if passage.seconds is None else passage.seconds * length / sum(lengths)
                    arcs.setdefault(begin, []).append((end, whole or length / (speed / 3.6), number))
    blocked = {node for node, tags in city.tags.items() if car.is_blocked(tags)}
    forbidden = {(way, via, other) for _, way, via, other in city.restrictions()}
    found = {}
    inner = [way.nodes[1] for way in city.ways if len(way.nodes) > 3 and way.nodes[1] >= city.blocks**2]
    for start in inner[::9]:
        best, queue = set[tuple[int, int, int]](), [(0.0, start, -1, -1)]
        nearest = dict[int, float]()
        while queue:
            time, node, before, came = heapq.heappop(queue)
            if (node, before, came) in best:
                continue
            best.add((node, before, came))
            nearest.setdefault(node, time)
            for end, seconds, way in arcs.get(node, ()):
                turns = end == before and node >= city.blocks**2  # streets are turned round on at junctions alone
                if not turns and (came, node, way) not in forbidden and node not in blocked:
                    heapq.heappush(queue, (time + seconds, end, node, way))
        found[start] = nearest
    return found


def apart(a: list[float], b: list[float]) -> float:
    """Metres along the great circle."""
    (lon, lat), (lon2, lat2) = ([math.radians(each) for each in place] for place in (a, b))
    half = math.sin((lat2 - lat) / 2) ** 2 + math.cos(lat) * math.cos(lat2) * math.sin((lon2 - lon) / 2) ** 2
    return 2 * 6371008.8 * math.asin(math.sqrt(half))


def test_times_are_those_of_a_walk_on_the_plain_map(city_file, city: Roads) -> None:
    plain = City(24, 5)
    found = walk_of_the_map(plain)
    starts = [start for start in found if len(found[start]) > 300 and start not in plain.tags]
    assert len(starts) > 30
    at = np.array([plain.places[node][::-1] for node in starts])
    durations = matrix(at, city_file).durations
    for i, j in product(range(len(starts)), repeat=2):
        if i != j:  # whole seconds, from spots at whole centimetres of a street
            assert abs(durations[i, j] - found[starts[i]][starts[j]]) <= 1, (i, j)


def table(tmp_path, nodes, ways, at, **kinds) -> RoadTable:
    turns, tags = kinds.pop("turns", ()), kinds.pop("node_tags", None)
    return matrix([nodes[node] for node in at], write_osm(tmp_path / "map.osm", nodes, ways, turns, tags), **kinds)


RING = [([1, 2, 4, 3, 1], STREET), ([1, 3], STREET)]


def test_a_one_way_street_is_longer_back(tmp_path) -> None:
    nodes = grid(2, 2)
    found = table(tmp_path, nodes, [([1, 2], STREET | {"oneway": "yes"}), ([2, 4, 3, 1], STREET)], [1, 2])
    north, east = (apart(nodes[1][::-1], nodes[k][::-1]) for k in (3, 2))
    assert found.distances[0, 1] == pytest.approx(east, abs=1)
    assert found.distances[1, 0] == pytest.approx(2 * north + east, abs=2)
    assert found.durations[1, 0] == pytest.approx((2 * north + east) / (30 / 3.6), abs=1)


def crossing(*middle: str) -> tuple[dict[int, tuple[float, float]], list]:
    """A cross of four arms around node 5, with a way around: 2 south, 4 west, 6 east, 8 north."""
    nodes = grid(3, 3)
    arms = [([4, 5], STREET), ([5, 6], STREET), ([2, 5], STREET), ([5, 8], STREET)]
    return nodes, [*arms, ([4, 7, 8, 9, 6], STREET), ([4, 1, 2, 3, 6], STREET)]


@pytest.mark.parametrize(
    ("turns", "straight"),
    [
        ([], True),
        ([(1, 5, 2, {"restriction": "no_straight_on"})], False),
        ([(1, 5, 4, {"restriction": "only_left_turn"})], False),
        ([(1, 5, 2, {"restriction": "only_straight_on"})], True),
        ([(1, 5, 4, {"restriction": "no_left_turn"})], True),
        ([(2, 5, 1, {"restriction": "no_straight_on"})], True),
        ([(1, 5, 2, {"restriction": "no_straight_on", "except": "psv;motorcar"})], True),
        ([(1, 5, 2, {"restriction:hgv": "no_straight_on"})], True),
        ([(1, 5, 2, {"restriction:motorcar": "no_straight_on"})], False),
        ([(1, 5, 2, {"restriction": "give_way"})], True),
        ([(1, 77, 2, {"restriction": "no_straight_on"})], True),
    ],
)
def test_turn_restrictions(tmp_path, turns, straight: bool) -> None:
    nodes, ways = crossing()
    found = table(tmp_path, nodes, ways, [4, 6], turns=turns)
    assert (found.distances[0, 1] < 200) == straight
    assert found.distances[1, 0] < 200 or turns == [(2, 5, 1, {"restriction": "no_straight_on"})]


def test_a_restricted_turn_can_be_made_from_another_street(tmp_path) -> None:
    nodes, ways = crossing()
    found = table(tmp_path, nodes, ways, [2, 6], turns=[(1, 5, 2, {"restriction": "no_straight_on"})])
    assert found.distances[0, 1] < 250


def test_a_place_before_a_restricted_turn_keeps_it(tmp_path) -> None:
    """Ways begin in the middle of a street, not at its junction."""
    nodes, ways = crossing()
    nodes[10] = (nodes[4][0], (nodes[4][1] + nodes[5][1]) / 2)
    found = table(tmp_path, nodes, ways, [10, 6], turns=[(1, 5, 2, {"restriction": "no_straight_on"})])
    assert found.distances[0, 1] > 200
    assert found.distances[1, 0] < 150


def test_barriers_cannot_be_passed(tmp_path) -> None:
    nodes = grid(2, 3)
    ways = [([1, 2, 3], STREET), ([1, 4, 5, 6, 3], STREET)]
    barred = table(tmp_path, nodes, ways, [1, 3], node_tags={2: {"barrier": "bollard"}})
    assert barred.distances[0, 1] > 300 > 150 > table(tmp_path, nodes, ways, [1, 3]).distances[0, 1]
    walked = table(tmp_path, nodes, ways, [1, 3], node_tags={2: {"barrier": "bollard"}}, profile="foot")
    assert walked.distances[0, 1] < 150


def test_ferries_take_their_duration(tmp_path) -> None:
    nodes = grid(1, 4)
    ways = [([1, 2], STREET), ([2, 3], {"route": "ferry", "duration": "00:10"}), ([3, 4], STREET)]
    found = table(tmp_path, nodes, ways, [1, 4])
    street = apart(nodes[1][::-1], nodes[2][::-1]) / (30 / 3.6)
    assert found.durations[0, 1] == pytest.approx(600 + 2 * street, abs=1)


def test_places_on_one_street(tmp_path) -> None:
    """Ahead on a one-way street is near, behind is all the way around."""
    nodes = grid(2, 2) | {10: (50.0, 10.0003), 11: (50.0, 10.0006)}
    found = table(tmp_path, nodes, [([1, 2], STREET | {"oneway": "yes"}), ([2, 4, 3, 1], STREET)], [10, 11, 10])
    ahead = apart([10.0003, 50.0], [10.0006, 50.0])
    assert found.distances[0, 1] == pytest.approx(ahead, abs=1)
    around = 2 * (apart(nodes[1][::-1], nodes[3][::-1]) + apart(nodes[1][::-1], nodes[2][::-1]))
    assert found.distances[1, 0] == pytest.approx(around - ahead, abs=2)
    assert found.distances[0, 2] == 0 == found.durations[0, 2]


def test_ways_of_a_clipped_extract_end_where_it_does(tmp_path) -> None:
    nodes = grid(1, 5)
    del nodes[3]
    ways = [([1, 2, 3, 4, 5], STREET)]
    path = write_osm(tmp_path / "map.osm", nodes, ways)
    with pytest.raises(InputError, match="no way for a car leads from place 1 to place 2, and between 1 further pairs"):
        matrix([nodes[1], nodes[5]], path)
    assert matrix([nodes[1], nodes[2]], path).distances[0, 1] == pytest.approx(71.5, abs=1)


def test_lines_of_legs_follow_the_streets(city_file, city: Roads, places: np.ndarray) -> None:
    found = matrix(places, city_file)
    assert found.spots is not None
    own = {(x, y) for x, y in zip(city.network.x.tolist(), city.network.y.tolist(), strict=True)}
    for a, b in [(0, 1), (1, 0), (5, 60), (33, 12), (7, 7)]:
        line = found.line([a, b])
        assert line is not None
        assert line[[0, -1]].tolist() == found.latlon[[a, b]].tolist()
        way = line[1:-1]
        length = sum(apart(p[::-1], q[::-1]) for p, q in pairwise(way.tolist()))
        assert length == pytest.approx(found.distances[a, b], abs=1)
        for lat, lon in way[1:-1].tolist():
            assert (round(lon * 1e7), round(lat * 1e7)) in own


def test_the_line_of_a_route_joins_its_legs(city_file, places: np.ndarray) -> None:
    found = matrix(places[:4], city_file)
    whole, legs = found.line([2, 0, 3]), [found.line([2, 0]), found.line([0, 3])]
    assert whole is not None and legs[0] is not None and legs[1] is not None
    assert whole.tolist() == [*legs[0].tolist(), *legs[1].tolist()[1:]]


def test_a_table_is_pickled(city_file, places: np.ndarray) -> None:
    found = matrix(places[:3], city_file)
    line = found.line([0, 1])
    again = pickle.loads(pickle.dumps(found))
    assert again.line([0, 1]).tolist() == line.tolist()  # type: ignore[union-attr]


def test_lines_are_for_several_threads(city_file, places: np.ndarray) -> None:
    found = matrix(places[:12], city_file)
    pairs = list(product(range(12), repeat=2))
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda pair: found.line(pair), pairs))
    alone = matrix(places[:12], city_file)
    assert [line.tolist() for line in together] == [alone.line(pair).tolist() for pair in pairs]  # type: ignore[union-attr]


def test_a_table_is_saved(city_file, places: np.ndarray, tmp_path) -> None:
    found = matrix(places[:3], city_file)
    found.save(tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz") as file:
        assert (file["distances"] == found.distances).all() and (file["points"] == places[:3]).all()
        assert file["durations"].dtype == np.int64


def test_unreached_is_no_number(city: Roads, places: np.ndarray) -> None:
    costs, _ = costs_between(city, city.index.nearest(places))
    assert (costs != UNREACHED).all()
