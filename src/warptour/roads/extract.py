"""An OpenStreetMap extract as arrays: the ways that a vehicle may use, blocked places and forbidden turns."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.model.errors import InputError
from warptour.roads.osm import library
from warptour.roads.profile import Passage, Profile

Report: TypeAlias = Callable[[str, int, int], None]
"""Is told what is being done, and how much of how much is done; the latter is 0 where it is unknown."""

SUFFIXES: Final = (".osm.pbf", ".pbf", ".osm", ".osm.gz", ".osm.bz2", ".o5m")
DEGREE: Final = 1e7
"""Units of a stored coordinate in a degree."""
HEAD: Final = 9
"""Bytes of WKB before the coordinates of a line."""
TOLD: Final = 20_000
"""Ways between two reports."""
TURNS: Final = ("no_", "only_")


@dataclass(frozen=True)
class Turn:
    """A turn restriction: from ``begin`` over the node ``via`` the way ``end`` is forbidden, or must be taken."""

    begin: int
    via: int
    end: int
    only: bool


@dataclass(frozen=True)
class Extract:
    """Ways in the order of the file."""

    # nodes, x, y: node of each place along a way, and its longitude and latitude in units of 1e-7 degrees
    nodes: NDArray[np.int64]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    first: NDArray[np.int64]  # where each way begins in these, and the end of the last
    ways: NDArray[np.int64]  # OpenStreetMap's number of each way
    kinds: NDArray[np.int32]  # class of each way, by its place in ``Profile.classes``
    # forward, backward: speeds in km/h, 0 where a direction is forbidden
    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    seconds: NDArray[np.float64]  # duration of a ferry, else not a number
    blocked: set[int]  # nodes that cannot be passed
    turns: list[Turn]


class _Ways:
    """Ways as they are read."""

    def __init__(self) -> None:
        self.nodes, self.x, self.y = array("q"), array("i"), array("i")
        self.first, self.ways, self.kinds = array("q", [0]), array("q"), array("i")
        self.forward, self.backward, self.seconds = array("d"), array("d"), array("d")

    def add(self, way: Any, line: str | None, passage: Passage, kind: int) -> None:
        """Add a way with its line as hexadecimal WKB; without one, as the extract cuts nodes off, it may be several."""
        if line is not None:
            self.nodes.extend([node.ref for node in way.nodes])
            places = np.rint(np.frombuffer(bytes.fromhex(line), "<f8", offset=HEAD) * DEGREE).astype(np.int32)
            self.x.frombytes(places[::2].tobytes())
            self.y.frombytes(places[1::2].tobytes())
            self._end(way.id, passage, kind)
            return
        for node in way.nodes:
            if node.location.valid():
                self.nodes.append(node.ref)
                self.x.append(node.x)
                self.y.append(node.y)
            else:
                self._end(way.id, passage, kind)
        self._end(way.id, passage, kind)

    def _end(self, name: int, passage: Passage, kind: int) -> None:
        places = len(self.nodes) - self.first[-1]
        if places < 2:
            for part in (self.nodes, self.x, self.y):
                del part[self.first[-1] :]
            return
        self.first.append(len(self.nodes))
        self.ways.append(name)
        self.kinds.append(kind)
        self.forward.append(passage.forward)
        self.backward.append(passage.backward)
        self.seconds.append(float("nan") if passage.seconds is None else passage.seconds)


def read_extract(path: str | PathLike[str], profile: Profile, report: Report | None = None) -> Extract:
    """Return what a vehicle may use of an extract.

    Raises
    ------
    InputError
        If the file is no extract, or has no way that the vehicle may use.
    """
    osmium, name = library(), fspath(path)
    if not name.lower().endswith(SUFFIXES):
        raise InputError(f"is no OpenStreetMap extract by its suffix; known are {', '.join(SUFFIXES)}", name)
    if not os.path.isfile(name):
        raise InputError("there is no such file", name)
    ways, blocked, turns, seen = _Ways(), set[int](), list[Turn](), 0
    numbers = {kind: number for number, kind in enumerate(profile.classes)}
    keys = ("highway", "route", "barrier", "restriction", *(f"restriction:{word}" for word in profile.turns))
    try:
        factory, every = osmium.geom.WKBFactory(), osmium.geom.use_nodes.ALL
        source = osmium.FileProcessor(name).with_locations().with_filter(osmium.filter.KeyFilter(*keys))
        for item in source:
            if item.is_way():
                passage = profile.passage(item.tags)
                if passage is not None and (passage.forward or passage.backward):
                    try:
                        line = factory.create_linestring(item, every) if len(item.nodes) > 1 else None
                    except (RuntimeError, osmium.InvalidLocationError):
                        line = None
                    ways.add(item, line, passage, numbers[passage.kind])
                seen += 1
                if report is not None and seen % TOLD == 0:
                    report("reading ways", seen, 0)
            elif item.is_node():
                if profile.is_blocked(item.tags):
                    blocked.add(item.id)
            elif item.is_relation():
                turns += _turns(item, profile)
    except (RuntimeError, osmium.InvalidLocationError) as error:
        line = " ".join(str(error).split())
        raise InputError(f"is no OpenStreetMap extract, or is damaged: {line}", name) from None
    if not len(ways.ways):
        raise InputError(f"has no way that a {profile.name} may use", name)
    return Extract(
        np.array(ways.nodes, np.int64), np.array(ways.x, np.int32), np.array(ways.y, np.int32),
        np.array(ways.first, np.int64), np.array(ways.ways, np.int64), np.array(ways.kinds, np.int32),
        np.array(ways.forward), np.array(ways.backward), np.array(ways.seconds), blocked, turns,
    )  # fmt: skip


def _turns(relation: Any, profile: Profile) -> list[Turn]:
    """Return the turns over one node that a relation forbids or forces; those over further ways are not known."""
    tags = relation.tags
    if not profile.turns or set(tags.get("except", "").replace(" ", "").split(";")) & {*profile.turns}:
        return []
    own = next((tags[f"restriction:{word}"] for word in profile.turns if f"restriction:{word}" in tags), None)
    value = own or tags.get("restriction", "")
    if not value.startswith(TURNS):
        return []
    members = {role: [item for item in relation.members if item.role == role] for role in ("from", "via", "to")}
    if len(members["via"]) != 1 or members["via"][0].type != "n":
        return []
    via, only = members["via"][0].ref, value.startswith("only_")
    return [Turn(a.ref, via, b.ref, only) for a in members["from"] for b in members["to"]]
