"""Random instances for demos, tests and benchmarks.

The same kind, size and seed give the same instance on every machine. Coordinates are integers and distances EUC_2D.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from warptour.io.examples import FOLDER
from warptour.io.generators.boards import drilling, vlsi
from warptour.io.generators.country import roads
from warptour.io.generators.picture import picture
from warptour.io.generators.plane import clustered, grid, uniform
from warptour.io.generators.vehicles import towns, vrp
from warptour.io.generators.windows import windows
from warptour.io.source import quote
from warptour.io.tsplib import read_tsplib
from warptour.model.errors import UsageError
from warptour.model.memory import require_memory
from warptour.model.metric import MAX_NODES
from warptour.model.problem import TSP
from warptour.model.quantities import whole_number
from warptour.model.vehicles import VRP


@dataclass(frozen=True)
class InstanceKind:
    """A kind of instance: the function that makes it, its bytes per node meanwhile, and its fewest nodes.

    Coordinates alone take 16 bytes.
    """

    make: Callable[[str, int, np.random.Generator], TSP | VRP]
    node_bytes: int
    least: int = 1


KINDS: Final = {
    "uniform": InstanceKind(uniform, 16),
    "clustered": InstanceKind(clustered, 16),
    "grid": InstanceKind(grid, 24),
    "drilling": InstanceKind(drilling, 120),
    "picture": InstanceKind(picture, 24),
    "vlsi": InstanceKind(vlsi, 24),
    "roads": InstanceKind(roads, 24),
    "vrp": InstanceKind(vrp, 80, least=2),
    "towns": InstanceKind(towns, 36, least=2),
    "windows": InstanceKind(windows, 100, least=2),
}

SPEC: Final = re.compile(r"([a-z]+):([^:/\\]*)(?::([^:/\\]*))?")


def generate(kind: str, n: int, seed: int = 0) -> TSP | VRP:
    """Return a random instance.

    Parameters
    ----------
    kind : str
        ``uniform`` (DIMACS E), ``clustered`` (DIMACS C: one normal cluster per hundred cities), ``grid`` (a square
        lattice, with many ties), ``drilling`` (boards of aligned holes, with duplicates), ``picture`` (density varies
        smoothly, like a stippled picture), ``vlsi`` (blocks of pins on lattices of different pitch), ``roads`` (towns
        whose sizes follow Zipf's law, and places along roads between them), ``vrp`` (after the X instances of
        CVRPLIB), ``towns`` (customers in towns, small demands, the depot in the corner, about a hundred customers
        per route, after the XXL instances of Arnold, Gendreau and Sörensen (2019)) or ``windows`` (time windows, partly
        in clusters, ten to twenty customers per route, after Solomon (1987) and Gehring and Homberger (1999)).
    n : int
        Number of nodes; for ``vrp``, ``towns`` and ``windows`` including the depot, which is the first.
    seed : int
        Any non-negative integer.

    Raises
    ------
    UsageError
        If the kind is unknown, or ``n`` or ``seed`` is invalid.
    """
    if kind not in KINDS:
        raise UsageError(f"unknown kind {quote(kind)}; there are {', '.join(KINDS)}")
    made = KINDS[kind]
    nodes, root = whole_number(n), whole_number(seed)
    if nodes is None or not made.least <= nodes <= MAX_NODES:
        raise UsageError(f"{n} nodes; a {kind} instance has {made.least} to {MAX_NODES}")
    if root is None or root < 0:
        raise UsageError(f"the seed is {seed}; it must be an integer of at least 0")
    require_memory(nodes, made.node_bytes, f"{kind}:{nodes}")
    return made.make(f"{kind}-{nodes}-{root}", nodes, np.random.default_rng([root, nodes]))


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
