"""A generated city as an OpenStreetMap extract, to try roads without one: a grid with what makes real networks hard.

Streets run along a jittered grid; many residential ones are one-way, by turns; every fifth is wider and faster. A river
crosses the city, with a bridge on every sixth street; a ferry crosses it, too. A motorway of two one-way carriageways
runs through the middle and is reached by ramps alone. Some turns are forbidden, some streets have a posted limit, some
footways are closed to cars, a few service roads behind gates can be entered and not left. Buildings fill the file, as
they fill real ones.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.errors import InputError
from warptour.roads.osm import library

BLOCK: Final = 0.0012
"""Degrees between streets: about 130 m northward."""
WIDE: Final = 5
"""Every so many streets there is a wider one."""
BRIDGE: Final = 6
RAMP: Final = 10
"""Streets between two bridges, and between two pairs of ramps."""
SHAPE: Final = 2
"""Places between two junctions, which give streets their shape."""
ORIGIN: Final = (10.0, 50.0)
"""Longitude and latitude of the south-western corner."""


@dataclass(frozen=True)
class Street:
    """A way: its nodes and its tags."""

    nodes: list[int]
    tags: dict[str, str]


class City:
    """Nodes and ways of a city with ``blocks`` x ``blocks`` junctions."""

    def __init__(self, blocks: int, seed: int) -> None:
        self.blocks = blocks
        self.rng = np.random.default_rng(seed)
        row, column = np.mgrid[:blocks, :blocks]
        jitter = self.rng.uniform(-0.2, 0.2, (2, blocks, blocks))
        lon, lat = ORIGIN[0] + BLOCK * (column + jitter[0]) * 1.5, ORIGIN[1] + BLOCK * (row + jitter[1])
        self.places = np.column_stack((lon.ravel(), lat.ravel())).tolist()
        self.tags: dict[int, dict[str, str]] = {}
        self.ways: list[Street] = []
        self.turns: list[tuple[str, int, int]] = []
        bends = np.rint(blocks / 3 + 2 * np.sin(np.arange(blocks) / 7)).astype(int)
        self.river = {(int(bends[column]), column) for column in range(blocks)}
        for line in range(blocks):
            for across in (False, True):
                self._line(line, across)
        self._motorway()
        self._extras()

    def at(self, row: int, column: int) -> int:
        """Return the node of a junction, counted from 0."""
        return row * self.blocks + column

    def node(self, lon: float, lat: float) -> int:
        """Return a new node."""
        self.places.append([lon, lat])
        return len(self.places) - 1

    def _line(self, line: int, across: bool) -> None:
        """Add a street of the grid as ways of some blocks each, broken at the river but for bridges."""
        rng, wide = self.rng, line % WIDE == 0
        kind = ("secondary" if line % (2 * WIDE) == 0 else "tertiary") if wide else "residential"
        part: list[int] = []
        for step in range(self.blocks):
            row, column = (line, step) if across else (step, line)
            wet = not across and (row, column) in self.river and line % BRIDGE != 0
            if part and not wet:
                part += self._shape(part[-1], self.at(row, column))
            elif part:
                self._add(part, kind, line)
                part = []
            part.append(self.at(row, column))
            if len(part) > 1 and rng.random() < 0.25:
                self._add(part, kind, line)
                part = part[-1:]
        self._add(part, kind, line)

    def _shape(self, a: int, b: int) -> list[int]:
        begin, end = np.array(self.places[a]), np.array(self.places[b])
        shares = np.arange(1, SHAPE + 1)[:, None] / (SHAPE + 1)
        spots = begin + shares * (end - begin) + self.rng.normal(0, 0.03 * BLOCK, (SHAPE, 2))
        return [self.node(*spot) for spot in spots.tolist()]

    def _add(self, nodes: list[int], kind: str, line: int) -> None:
        if len(nodes) < 2:
            return
        tags, rng = {"highway": kind}, self.rng
        if kind == "residential" and line % 3:
            tags["oneway"] = "yes"
            nodes = nodes if line % 2 else nodes[::-1]
        if rng.random() < 0.3:
            tags["maxspeed"] = str(rng.choice(["30", "50", "20 mph", "signals"]))
        self.ways.append(Street(list(nodes), tags))

    def _motorway(self) -> None:
        """Add two carriageways between two rows of streets, with ramps from the street south of them."""
        row = min(2 * self.blocks // 3, self.blocks - 2)
        for direction, offset in ((1, 0.35), (-1, 0.65)):
            lanes = []
            for column in range(0, self.blocks, 2):
                lon, lat = self.places[self.at(row, column)]
                lanes.append(self.node(lon + 0.3 * BLOCK, lat + offset * BLOCK))
            for number, begin in enumerate(range(0, len(lanes) - 1, 3)):
                nodes = lanes[begin : begin + 4][::direction]
                posted = {} if number % 2 else {"maxspeed": "120"}
                self.ways.append(Street(nodes, {"highway": "motorway", "oneway": "yes", **posted}))
            for at in range(0, len(lanes), RAMP // 2):
                street = self.at(row, min(2 * at, self.blocks - 1))
                ends = ((lanes[at], street), (street, lanes[at]))
                for nodes in map(list, ends):
                    self.ways.append(Street(nodes, {"highway": "motorway_link", "oneway": "yes"}))

    def _extras(self) -> None:
        rng, blocks = self.rng, self.blocks
        wide = [number for number, way in enumerate(self.ways) if way.tags["highway"] == "tertiary"]
        self.turns = [("no_left_turn", number, self.ways[number].nodes[-1]) for number in wide[::7]]
        for _ in range(blocks):
            row, column = rng.integers(0, blocks - 1, 2).tolist()
            corners = [self.at(row, column), self.at(row + 1, column + 1)]
            self.ways.append(Street(corners, {"highway": "footway"}))
            lon, lat = self.places[corners[0]]
            yard = [corners[0], self.node(lon + 0.3 * BLOCK, lat + 0.4 * BLOCK)]
            self.ways.append(Street(yard, {"highway": "service", "oneway": "yes"}))
        row, column = blocks // 3, blocks // 2 + 1
        ends = [self.at(max(row - 4, 0), column), self.at(min(row + 4, blocks - 1), column)]
        self.ways.append(Street(ends, {"route": "ferry", "duration": "00:12", "motor_vehicle": "yes"}))
        for street in self.ways[::40]:
            middle = street.nodes[1]
            if (
                middle >= blocks * blocks
                and street.tags["highway" if "highway" in street.tags else "route"] == "residential"
            ):
                self.tags[middle] = {"barrier": "bollard"}

    def restrictions(self) -> Iterator[tuple[str, int, int, int]]:
        """Yield the kind of each turn restriction, its way, its node and the other way."""
        leaving: dict[int, list[int]] = {}
        for number, street in enumerate(self.ways):
            for node in (street.nodes[0], street.nodes[-1]):
                leaving.setdefault(node, []).append(number)
        for kind, way, via in self.turns:
            for other in leaving.get(via, ()):
                if other != way:
                    yield kind, way, via, other
                    break


def write_city(path: str | PathLike[str], blocks: int, *, seed: int = 0, buildings: float = 4.0) -> int:
    """Write a city as an extract; return its number of ways.

    ``path``: an ``.osm.pbf`` or ``.osm``, which is replaced
    ``blocks``: streets in each direction, 2 or more
    ``buildings``: buildings for each junction
    """
    osmium, name = library(), fspath(path)
    if not name.lower().endswith((".osm.pbf", ".pbf", ".osm")):
        raise InputError("a city is written as .osm.pbf or .osm", name)
    city = City(blocks, seed)
    houses = _houses(city, round(buildings * blocks * blocks))
    partial = f"{name}.{os.getpid()}.partial{'.osm' if name.lower().endswith('.osm') else '.osm.pbf'}"
    try:
        with osmium.SimpleWriter(partial, overwrite=True) as writer:
            _write(osmium, writer, city, houses)
        os.replace(partial, name)
    finally:
        if os.path.exists(partial):
            os.unlink(partial)
    return len(city.ways)


def _houses(city: City, count: int) -> NDArray[np.float64]:
    """Return the corners of houses, shape (count, 4, 2)."""
    middle = np.array(ORIGIN) + city.rng.uniform(0, 1, (count, 2)) * city.blocks * BLOCK * np.array([1.5, 1.0])
    size = city.rng.uniform(3e-5, 9e-5, (count, 1, 2))
    return np.asarray(middle[:, None, :] + size * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]))


def _write(osmium: Any, writer: Any, city: City, houses: NDArray[np.float64]) -> None:
    mutable = osmium.osm.mutable
    for number, place in enumerate(city.places):
        writer.add_node(mutable.Node(id=number + 1, location=tuple(place), tags=city.tags.get(number, {})))
    base = len(city.places)
    for number, place in enumerate(houses.reshape(-1, 2).tolist()):
        writer.add_node(mutable.Node(id=base + number + 1, location=tuple(place)))
    for number, street in enumerate(city.ways):
        nodes = [node + 1 for node in street.nodes]
        writer.add_way(mutable.Way(id=number + 1, nodes=nodes, tags=street.tags))
    for number in range(len(houses)):
        corners = [base + 4 * number + k + 1 for k in (0, 1, 2, 3, 0)]
        writer.add_way(mutable.Way(id=len(city.ways) + number + 1, nodes=corners, tags={"building": "yes"}))
    for number, (kind, way, via, other) in enumerate(city.restrictions()):
        members = [("w", way + 1, "from"), ("n", via + 1, "via"), ("w", other + 1, "to")]
        tags = {"type": "restriction", "restriction": kind}
        writer.add_relation(mutable.Relation(id=number + 1, members=members, tags=tags))
