"""TSPLIB ``.tsp`` and CVRPLIB ``.vrp`` problems.

Nodes are numbered from 1 and may come in any order; a file whose node numbers include 0 is read as numbered from 0
throughout. Keywords have their TSPLIB meaning; ``EUCLIDEAN``, ``EUCLIDEAN_3D`` and ``GREAT_CIRCLE`` are extensions for
unrounded distances.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.matrix import FORMATS, read_matrix
from warptour.io.rows import read_stream, read_table, row_line, word_line
from warptour.io.sections import Document, Section
from warptour.io.source import quote
from warptour.model.errors import InputError
from warptour.model.metric import METRICS, Floats, Metric, check_points
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

TYPES: Final = {"TSP": "tsp", "ATSP": "tsp", "CVRP": "vrp", "DCVRP": "vrp"}
REFUSED: Final = {
    "SOP": "sequential ordering problems are not supported",
    "HCP": "Hamiltonian cycle problems are not supported",
    "HPP": "Hamiltonian path problems are not supported",
    "CVRPTW": "time windows are not supported",
    "VRPTW": "time windows are not supported",
    "TOUR": "this is a tour, not a problem",
}
ONLY_VRP: Final = (
    "CAPACITY", "DISTANCE", "SERVICE_TIME", "VEHICLES", "FIXED_COST",
    "DEMAND_SECTION", "DEPOT_SECTION", "SERVICE_TIME_SECTION",
)  # fmt: skip


def read_tsplib(path: str | PathLike[str]) -> TSP | VRP:
    """Read a TSPLIB or CVRPLIB problem; TYPE, not the suffix, selects the kind.

    A file without TYPE is a CVRP if it has a CAPACITY or demands, otherwise a TSP.

    Raises
    ------
    InputError
        With the line of the fault and the expected input.
    """
    document = Document.read(path)
    vehicles = {"CAPACITY", "DEMAND_SECTION"} & (document.headers.keys() | document.sections.keys())
    kind = document.word("TYPE", default="CVRP" if vehicles else "TSP")
    if kind not in TYPES:
        reason = REFUSED.get(kind, "it is unknown")
        document.fail(f"TYPE {quote(kind)}: {reason}; TSP, ATSP and CVRP are read", document.headers["TYPE"].line)
    if "EDGE_WEIGHT_TYPE" not in document.headers:
        document.fail(f"there is no EDGE_WEIGHT_TYPE, one of {', '.join(METRICS)}", document.first_section_line())
    word = document.word("EDGE_WEIGHT_TYPE")
    if word not in METRICS:
        line = document.headers["EDGE_WEIGHT_TYPE"].line
        document.fail(f"EDGE_WEIGHT_TYPE {quote(word)} is not one of {', '.join(METRICS)}", line)
    if "TOUR_SECTION" in document.sections:
        document.fail("a TOUR_SECTION in a problem; tours go in .tour files", document.sections["TOUR_SECTION"].line)
    layout = NodeTables(document, document.dimension())
    points, display = _read_places(layout, METRICS[word], asymmetric=kind != "TSP")
    if TYPES[kind] == "tsp":
        return _read_tsp(layout, METRICS[word], points, display)
    return _read_vrp(layout, METRICS[word], points, display)


@dataclass
class NodeTables:
    """A document, its declared number of nodes, and whether it numbers them from 0 or 1 (None until known)."""

    document: Document
    n: int
    base: int | None = None

    def rows(self, section: Section, layout: str) -> Floats:
        """Return the columns after the first of a table with one row per node, in node order."""
        document, n = self.document, self.n
        table = read_table(document, section, layout)
        if len(table) != n:
            line = row_line(document, section, n) if len(table) > n else document.last_line(section)
            document.fail(f"{section.name} has {len(table)} lines, but DIMENSION is {n}", line)
        nodes = table[:, 0]
        if self.base is None:
            self.base = 0 if (nodes == 0).any() else 1
        expected = np.arange(self.base, n + self.base)
        if np.array_equal(nodes, expected):
            return np.ascontiguousarray(table[:, 1:])
        wrong = (nodes != np.floor(nodes)) | (nodes < self.base) | (nodes >= n + self.base)
        if wrong.any():
            at = int(wrong.argmax())
            message = f"{nodes[at]:.15g} is not a node; they are {self.base}..{n - 1 + self.base}"
            document.fail(message, row_line(document, section, at))
        index = nodes.astype(np.int64) - self.base
        order = np.argsort(index, kind="stable")
        again = np.flatnonzero(np.diff(index[order]) == 0)
        if len(again):
            at = int(order[again + 1].min())
            message = f"node {index[at] + self.base} for the second time in {section.name}"
            document.fail(message, row_line(document, section, at))
        return np.ascontiguousarray(table[order, 1:])

    def nodes(self, section: Section, numbers: Floats) -> NDArray[np.int32]:
        """Return node numbers of the file as indices from 0."""
        base = 1 if self.base is None else self.base
        wrong = (numbers != np.floor(numbers)) | (numbers < base) | (numbers >= self.n + base)
        if wrong.any():
            at = int(wrong.argmax())
            message = f"{numbers[at]:.15g} is not a node; they are {base}..{self.n - 1 + base}"
            self.document.fail(message, word_line(self.document, section, at))
        return (numbers - base).astype(np.int32)

    def line_of(self, node: int, section: Section, layout: str) -> int:
        """Return the line number of a node (index from 0) in a table read by :meth:`rows`."""
        nodes = read_table(self.document, section, layout)[:, 0] - (self.base or 0)
        return row_line(self.document, section, int(np.flatnonzero(nodes == node)[0]))


def _read_places(layout: NodeTables, metric: Metric, *, asymmetric: bool) -> tuple[Floats, Floats | None]:
    """Return coordinates or matrix, and drawing coordinates of a matrix instance."""
    document = layout.document
    display = None
    if metric.norm == "matrix":
        points = read_matrix(document, layout.n, asymmetric=asymmetric)
        if "NODE_COORD_SECTION" in document.sections:
            display = layout.rows(document.sections["NODE_COORD_SECTION"], "node x y")
    else:
        document.refuse(["EDGE_WEIGHT_SECTION"], f"contradicts EDGE_WEIGHT_TYPE {metric.name}; it goes with EXPLICIT")
        layout_word = document.headers.get("EDGE_WEIGHT_FORMAT")
        if layout_word and layout_word.value and layout_word.value.split()[0].upper() not in ("FUNCTION", *FORMATS):
            message = f"EDGE_WEIGHT_FORMAT {quote(layout_word.value)} is unknown; {metric.name} goes with FUNCTION"
            document.fail(message, layout_word.line)
        line = document.headers["EDGE_WEIGHT_TYPE"].line
        section = document.require("NODE_COORD_SECTION", f"{metric.name} needs one", line)
        points = layout.rows(section, "node x y" if metric.dimensions == 2 else "node x y z")
        _check_coordinates(layout, section, points, metric)
    if "DISPLAY_DATA_SECTION" in document.sections:
        display = layout.rows(document.sections["DISPLAY_DATA_SECTION"], "node x y")
    return points, display


def _check_coordinates(layout: NodeTables, section: Section, points: Floats, metric: Metric) -> None:
    """Reject coordinates by the model's checks, and locate the offending line by bisection."""
    try:
        check_points(points, metric)
        return
    except InputError as error:
        message = error.message
    good, bad = 0, len(points)
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            check_points(points[:middle], metric)
            good = middle
        except InputError:
            bad = middle
    layout.document.fail(message, layout.line_of(good, section, "node x y" if metric.dimensions == 2 else "node x y z"))


def _name(document: Document) -> str:
    header = document.headers.get("NAME")
    return header.value if header and header.value else Path(document.path).stem


def _read_tsp(layout: NodeTables, metric: Metric, points: Floats, display: Floats | None) -> TSP:
    document = layout.document
    document.refuse(ONLY_VRP, "belongs to vehicle problems; their TYPE is CVRP")
    edges = np.empty((0, 2), np.int32)
    section = document.sections.get("FIXED_EDGES_SECTION")
    if section:
        ends = _terminated(document, section)
        if len(ends) % 2:
            document.fail("an odd number of cities; fixed edges are pairs, then -1", document.last_line(section))
        edges = layout.nodes(section, ends).reshape(-1, 2)
    points.flags.writeable = False  # else they would be copied
    try:
        return TSP(_name(document), metric, points, display, fixed_edges=edges)
    except InputError as error:
        document.fail(error.message, section.line if section else document.first_section_line())


def _terminated(document: Document, section: Section) -> Floats:
    """Return the numbers of a section up to its -1, which may be missing at the end."""
    numbers = read_stream(document, section)
    stop = np.flatnonzero(numbers == -1)
    if len(stop) and stop[0] != len(numbers) - 1:
        message = f"{numbers[stop[0] + 1]:g} after the -1 that ends {section.name}"
        document.fail(message, word_line(document, section, int(stop[0]) + 1))
    return numbers[: stop[0]] if len(stop) else numbers


def _read_vrp(layout: NodeTables, metric: Metric, points: Floats, display: Floats | None) -> VRP:
    document, n = layout.document, layout.n
    document.refuse(["FIXED_EDGES_SECTION"], "belongs to TYPE TSP")
    capacity = document.number("CAPACITY")
    if capacity is None:
        document.fail("there is no CAPACITY, what a vehicle carries", document.first_section_line())
    section = document.require("DEMAND_SECTION", "a CVRP needs one")
    demands = layout.rows(section, "node demand")[:, 0]
    _refuse_negative(layout, section, demands, "demand")
    depot = _read_depot(layout)
    if demands[depot] != 0:
        line = layout.line_of(depot, section, "node demand")
        document.fail(f"the depot has the demand {demands[depot]:g}; it must be 0", line)
    service = document.number("SERVICE_TIME")
    services = np.full(n, float(service or 0))
    services[depot] = 0
    times = document.sections.get("SERVICE_TIME_SECTION")
    if times:
        if service is not None:
            document.fail("SERVICE_TIME and SERVICE_TIME_SECTION contradict; keep one", times.line)
        services = layout.rows(times, "node time")[:, 0]
        _refuse_negative(layout, times, services, "service time")
    limit, fixed_cost = document.number("DISTANCE"), document.number("FIXED_COST")
    vehicles = document.integer("VEHICLES")
    for key, value in (("CAPACITY", capacity), ("DISTANCE", limit)):
        if value is not None and value <= 0:
            document.fail(f"{key} is {value:g}; it must be above 0", document.headers[key].line)
    for key, value in (("SERVICE_TIME", service), ("FIXED_COST", fixed_cost)):
        if value is not None and value < 0:
            document.fail(f"{key} is {value:g}; it must be at least 0", document.headers[key].line)
    try:
        return VRP(
            _name(document), metric, points, display,
            demands=whole(demands), capacity=capacity, depot=depot, max_distance=limit,
            service_times=services, vehicles=vehicles, fixed_cost=fixed_cost or 0,
        )  # fmt: skip
    except InputError as error:
        document.fail(error.message, document.first_section_line())


def _read_depot(layout: NodeTables) -> int:
    document = layout.document
    section = document.require("DEPOT_SECTION", "a CVRP needs one: the depot's node, then -1")
    depots = _terminated(document, section)
    if len(depots) == 0:
        document.fail("DEPOT_SECTION is empty; it names the depot's node, then -1", section.line)
    nodes = layout.nodes(section, depots)
    if len(depots) > 1:
        message = f"{len(depots)} depots; only problems with one depot are supported"
        document.fail(message, word_line(document, section, 1))
    return int(nodes[0])


def _refuse_negative(layout: NodeTables, section: Section, values: Floats, what: str) -> None:
    negative = values < 0
    if negative.any():
        node = int(negative.argmax())
        message = f"node {node + (layout.base or 0)} has the {what} {values[node]:g}; it must be at least 0"
        layout.document.fail(message, layout.line_of(node, section, f"node {what.split()[-1]}"))


def whole(values: Floats) -> NDArray[np.int64] | Floats:
    """Return ``values`` as int64 if all are integers exact in float64, otherwise unchanged."""
    exact = bool((np.floor(values) == values).all() and (np.abs(values) <= 2.0**53).all())
    return values.astype(np.int64) if exact else values
