"""Random instances for demos, tests and benchmarks.

The same kind, size and seed give the same instance on every machine. Coordinates are integers and distances EUC_2D.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.io.examples import FOLDER
from warptour.io.source import quote
from warptour.io.tsplib import read_tsplib
from warptour.model.errors import UsageError
from warptour.model.memory import require_memory
from warptour.model.metric import MAX_NODES, METRICS
from warptour.model.problem import TSP
from warptour.model.quantities import whole_number
from warptour.model.vehicles import VRP

Points: TypeAlias = NDArray[np.int64] | NDArray[np.float64]

SIDE: Final = 1_000_000
"""Side of the square of uniform and clustered instances, as in the DIMACS challenge."""

NODE_BYTES: Final = {"uniform": 16, "clustered": 16, "grid": 24, "drilling": 120, "vrp": 60}
"""Bytes per node while an instance is generated; coordinates alone take 16."""

PIECE: Final = 1 << 20
"""Nodes that are drawn at once; the points are the same for any number."""

SPEC: Final = re.compile(r"([a-z]+):([^:/\\]*)(?::([^:/\\]*))?")


def generate(kind: str, n: int, seed: int = 0) -> TSP | VRP:
    """Return a random instance.

    Parameters
    ----------
    kind : str
        ``uniform`` (DIMACS E), ``clustered`` (DIMACS C: one normal cluster per hundred cities), ``grid`` (a square
        lattice, with many ties), ``drilling`` (boards of aligned holes, with duplicates) or ``vrp`` (after the X
        instances of CVRPLIB).
    n : int
        Number of nodes; for ``vrp`` including the depot, which is the first.
    seed : int
        Any non-negative integer.

    Raises
    ------
    UsageError
        If the kind is unknown, or ``n`` or ``seed`` is invalid.
    """
    if kind not in KINDS:
        raise UsageError(f"unknown kind {quote(kind)}; there are {', '.join(KINDS)}")
    least = 2 if kind == "vrp" else 1
    nodes, root = whole_number(n), whole_number(seed)
    if nodes is None or not least <= nodes <= MAX_NODES:
        raise UsageError(f"{n} nodes; a {kind} instance has {least} to {MAX_NODES}")
    if root is None or root < 0:
        raise UsageError(f"the seed is {seed}; it must be an integer of at least 0")
    require_memory(nodes, NODE_BYTES[kind], f"{kind}:{nodes}")
    return KINDS[kind](f"{kind}-{nodes}-{root}", nodes, np.random.default_rng([root, nodes]))


def from_spec(spec: str) -> TSP | VRP | None:
    """Return the instance of a specification like ``uniform:1000:7`` (kind, size, seed), or None if it is not one."""
    match = SPEC.fullmatch(spec)
    if match is None:
        return None
    numbers = [match[2], match[3] or "0"]
    if not all(number.isascii() and number.isdecimal() and len(number) <= 18 for number in numbers):
        raise UsageError(f"{quote(spec)} is not KIND:N:SEED, such as uniform:1000:7")
    return generate(match[1], int(numbers[0]), int(numbers[1]))


def demo_problem() -> TSP:
    """Return the bundled clustered instance of 1,000 cities."""
    problem = read_tsplib(FOLDER / "demo1000.tsp")
    assert isinstance(problem, TSP)
    return problem


def _tsp(name: str, points: Points) -> TSP:
    return TSP(name, METRICS["EUC_2D"], points)


def _pieces(n: int) -> Iterator[slice]:
    """Yield the nodes in pieces."""
    for at in range(0, n, PIECE):
        yield slice(at, min(n, at + PIECE))


def _uniform(name: str, n: int, random: np.random.Generator) -> TSP:
    points = np.empty((n, 2))
    for piece in _pieces(n):
        points[piece] = random.integers(0, SIDE, (piece.stop - piece.start, 2))
    return _tsp(name, points)


def _clustered(name: str, n: int, random: np.random.Generator) -> TSP:
    centres = random.integers(0, SIDE, (max(1, n // 100), 2))
    points = random.standard_normal((n, 2))
    for piece in _pieces(n):
        spread = points[piece] * (SIDE / np.sqrt(n))
        points[piece] = np.rint(centres[random.integers(0, len(centres), len(spread))] + spread) + 0.0  # no -0.0
    return _tsp(name, points)


def _grid(name: str, n: int, random: np.random.Generator) -> TSP:
    width = int(np.ceil(np.sqrt(n)))
    places = random.permutation(n)
    points = np.empty((n, 2))
    for piece in _pieces(n):
        points[piece] = 100 * np.stack((places[piece] % width, places[piece] // width), axis=1)
    return _tsp(name, points)


def _drilling(name: str, n: int, random: np.random.Generator) -> TSP:
    """Return a drilling board: chips with two rows of holes at a fixed pitch, single holes, and a few duplicates."""
    pitch, chip = 254, 40
    chips = max(1, n // chip)
    side = int(np.ceil(np.sqrt(chips))) * 40 * pitch
    corners = random.integers(0, side // pitch, (chips, 2)) * pitch
    upright = random.random(chips) < 0.5
    which, pin = random.integers(0, chips, n), random.integers(0, chip, n)
    along, across = pin // 2 * pitch, pin % 2 * 3 * pitch
    points = corners[which] + np.where(upright[which, None], np.stack((across, along), 1), np.stack((along, across), 1))
    lone = random.random(n) < 0.2
    points[lone] = random.integers(0, side * 5 // pitch, (int(lone.sum()), 2)) * (pitch // 5)
    _, first = np.unique(points, axis=0, return_index=True)
    repeated = np.ones(n, bool)
    repeated[first] = False
    moved = repeated & (random.random(n) < 0.9)
    points[moved] = random.integers(0, side * 5 // pitch, (int(moved.sum()), 2)) * (pitch // 5)
    return _tsp(name, points)


def _vrp(name: str, n: int, random: np.random.Generator) -> VRP:
    """Return an instance after the X set: random depot position, customer layout, demand range and route size."""
    side = 1000 if n <= 10_000 else int(10 * np.sqrt(n))
    depot = [np.array([side // 2, side // 2]), np.array([0, 0]), random.integers(0, side + 1, 2)][random.integers(3)]
    customers = n - 1
    scattered = [customers, 0, customers // 2][random.integers(3)]
    points = np.concatenate(
        (depot[None], random.integers(0, side + 1, (scattered, 2)), _attracted(customers - scattered, side, random))
    )
    demands = np.zeros(n, np.int64)
    low, high = [(1, 1), (1, 10), (5, 10), (1, 100), (50, 100)][random.integers(5)]
    demands[1:] = random.integers(low, high + 1, customers)
    route_size = random.triangular(3.0, 6.0, 25.0)
    capacity = max(int(np.ceil(route_size * demands.sum() / customers)), int(demands.max()))
    return VRP(name, METRICS["EUC_2D"], points, demands=demands, capacity=capacity)


def _attracted(count: int, side: int, random: np.random.Generator) -> Points:
    """Return customers around 3 to 8 seeds, at distances from the seed with a mean of 80 per 1,000 of ``side``."""
    seeds = random.integers(0, side + 1, (int(random.integers(3, 9)), 2))
    kept = np.empty((0, 2), np.int64)
    while len(kept) < count:
        more = count - len(kept)
        angle, reach = random.uniform(0, 2 * np.pi, more), random.gamma(2.0, 40.0 * side / 1000, more)
        step = np.rint(np.stack((np.cos(angle), np.sin(angle)), 1) * reach[:, None]).astype(np.int64)
        drawn = seeds[random.integers(0, len(seeds), more)] + step
        kept = np.concatenate((kept, drawn[((drawn >= 0) & (drawn <= side)).all(axis=1)]))
    return kept


KINDS: Final[dict[str, Callable[[str, int, np.random.Generator], TSP | VRP]]] = {
    "uniform": _uniform,
    "clustered": _clustered,
    "grid": _grid,
    "drilling": _drilling,
    "vrp": _vrp,
}
