"""TSPLIB ``.tsp`` and CVRPLIB ``.vrp`` problems.

Nodes are numbered from 1 and may come in any order; a file whose node numbers include 0 is read as numbered from 0
throughout. Keywords have their TSPLIB meaning; ``EUCLIDEAN``, ``EUCLIDEAN_3D`` and ``GREAT_CIRCLE`` are extensions for
unrounded distances.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.nodes import NodeTables
from warptour.io.rows import read_stream, word_line
from warptour.io.sections import Document, Section
from warptour.io.source import quote
from warptour.io.vrplib import FLEET, read_choices, read_vehicles, read_windows
from warptour.model.errors import InputError
from warptour.model.metric import METRICS, Floats, Metric, check_points
from warptour.model.pickups import AFTER_DELIVERIES
from warptour.model.problem import SYMMETRY, TSP
from warptour.model.vehicles import VRP

VEHICLE_TYPES: Final = (
    "CVRP", "DCVRP", "VRP", "VRPTW", "CVRPTW", "PCVRPTW", "MDVRP", "MDVRPTW", "SDVRPTW", "MTVRPTWR", "VRPB", "HFVRP",
    "GVRP", "VRPSPD", "VRPMPD",
)  # fmt: skip
"""TYPEs read as vehicle routing. The sections of a file decide what it asks for; those that are not supported are
refused by name."""
TYPES: Final = {"TSP": "tsp", "ATSP": "tsp", **dict.fromkeys(VEHICLE_TYPES, "vrp")}
REFUSED: Final = {
    "SOP": "sequential ordering problems are not supported",
    "HCP": "Hamiltonian cycle problems are not supported",
    "HPP": "Hamiltonian path problems are not supported",
    "TSPTW": "tours with time windows are not supported; VRPTW has one vehicle by VEHICLES : 1",
    "TOUR": "this is a tour, not a problem",
}
ONLY_VRP: Final = (
    *FLEET, "DISTANCE", "SERVICE_TIME", "VEHICLES", "FIXED_COST", "DEMAND_SECTION", "DEPOT_SECTION",
    "SERVICE_TIME_SECTION", "TIME_WINDOW_SECTION", "TIME_WINDOW_GAP_SECTION", "RELEASE_TIME_SECTION", "PRIZE_SECTION",
    "MUTUALLY_EXCLUSIVE_GROUP_SECTION", "BACKHAUL_SECTION",
)  # fmt: skip

SHRINKING: Final = ("UPPER_ROW", "LOWER_COL", "UPPER_DIAG_ROW", "LOWER_DIAG_COL")
GROWING: Final = ("LOWER_ROW", "UPPER_COL", "LOWER_DIAG_ROW", "UPPER_DIAG_COL")
FORMATS: Final = ("FULL_MATRIX", *SHRINKING, *GROWING)

LARGEST: Final = 2.0**52
"""Maximum distance: beyond it, float64 sums are no longer exact."""


def read_tsplib(path: str | PathLike[str]) -> TSP | VRP:
    """Read a TSPLIB or CVRPLIB problem; TYPE, not the suffix, selects the kind.

    A file without TYPE is a CVRP if it has a CAPACITY or demands, otherwise a TSP.

    Raises :class:`InputError` with the line of the fault and the expected input.
    """
    document = Document.read(path)
    vehicles = {"CAPACITY", "CAPACITY_SECTION", "DEMAND_SECTION"} & (document.headers.keys() | document.sections.keys())
    kind = document.word("TYPE", default="CVRP" if vehicles else "TSP")
    if kind not in TYPES:
        reason = REFUSED.get(kind, "it is unknown")
        document.fail(
            f"TYPE {quote(kind)}: {reason}; TSP, ATSP, CVRP and VRPTW are read", document.headers["TYPE"].line
        )
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
    return _read_vrp(layout, kind, METRICS[word], points, display)


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


def _read_vrp(layout: NodeTables, kind: str, metric: Metric, points: Floats, display: Floats | None) -> VRP:
    document = layout.document
    document.refuse(["FIXED_EDGES_SECTION"], "belongs to TYPE TSP")
    if "CAPACITY" not in document.headers and "CAPACITY_SECTION" not in document.sections:
        document.fail("there is no CAPACITY, what a vehicle carries", document.first_section_line())
    section = document.require("DEMAND_SECTION", f"a {kind} needs one")
    demands = layout.rows(section, "node demand")[:, 0]
    _refuse_negative(layout, section, demands, "demand")
    depots = _read_depots(layout, kind)
    for depot in depots.tolist():
        if demands[depot] != 0:
            line = layout.line_of(depot, section, "node demand")
            document.fail(f"the depot has the demand {demands[depot]:g}; it must be 0", line)
    if "TW" in kind:
        document.require("TIME_WINDOW_SECTION", f"a {kind} needs one")
    services, windows = _read_services(layout, depots), read_windows(layout)
    fields: dict[str, Any] = {"demands": whole(demands), "depot": int(depots[0]), "service_times": services}
    fields["releases"] = _read_releases(layout)
    fields["pickups"] = _read_pickups(layout, depots)
    fields["backhauls"] = AFTER_DELIVERIES if kind == "VRPB" else None
    fields |= read_choices(layout, depots) | read_vehicles(layout, depots, windows, served=bool(services.any()))
    try:
        return VRP(_name(document), metric, points, display, **fields)
    except InputError as error:
        if error.path is not None:
            raise
        document.fail(error.message, document.first_section_line())


def _read_services(layout: NodeTables, depots: NDArray[np.int32]) -> Floats:
    document = layout.document
    service = document.number("SERVICE_TIME")
    if service is not None and service < 0:
        document.fail(f"SERVICE_TIME is {service:g}; it must be at least 0", document.headers["SERVICE_TIME"].line)
    times = document.sections.get("SERVICE_TIME_SECTION")
    if times is None:
        services = np.full(layout.n, float(service or 0))
        services[depots] = 0
        return services
    if service is not None:
        document.fail("SERVICE_TIME and SERVICE_TIME_SECTION contradict; keep one", times.line)
    services = layout.rows(times, "node time")[:, 0]
    _refuse_negative(layout, times, services, "service time")
    return services


def _read_releases(layout: NodeTables) -> Floats | None:
    section = layout.document.sections.get("RELEASE_TIME_SECTION")
    if section is None:
        return None
    releases = layout.rows(section, "node time")[:, 0]
    _refuse_negative(layout, section, releases, "release time")
    return releases


def _read_pickups(layout: NodeTables, depots: NDArray[np.int32]) -> NDArray[Any] | None:
    """Return what is picked up at each node for the depot, None if the file does not say it."""
    section = layout.document.sections.get("BACKHAUL_SECTION")
    if section is None:
        return None
    amounts = layout.rows(section, "node demand")[:, 0]
    _refuse_negative(layout, section, amounts, "demand")
    for depot in depots.tolist():
        if amounts[depot] != 0:
            line = layout.line_of(depot, section, "node demand")
            layout.document.fail(f"the depot has the pickup {amounts[depot]:g}; it must be 0", line)
    return whole(amounts)


def _read_depots(layout: NodeTables, kind: str) -> NDArray[np.int32]:
    document = layout.document
    if "DEPOT_SECTION" not in document.sections and kind not in ("CVRP", "DCVRP"):
        return np.zeros(1, np.int32)  # as PyVRP reads it
    section = document.require("DEPOT_SECTION", "a CVRP needs one: the depot's node, then -1")
    depots = _terminated(document, section)
    if len(depots) == 0:
        document.fail("DEPOT_SECTION is empty; it names the depot's node, then -1", section.line)
    nodes = layout.nodes(section, depots)
    if len(set(nodes.tolist())) < len(nodes):
        document.fail("DEPOT_SECTION names a node twice", section.line)
    return nodes


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


def read_matrix(document: Document, n: int, *, asymmetric: bool) -> Floats:
    """Return the (n, n) distances of an EXPLICIT file, symmetric up to rounding unless they may be ``asymmetric``.

    As TSPLIB specifies, the section is one stream of numbers; line breaks do not matter. Memory is allocated by the
    actual size of the data, not by DIMENSION.
    """
    kind = document.headers["EDGE_WEIGHT_TYPE"]
    if "EDGE_WEIGHT_FORMAT" not in document.headers:
        document.fail(f"EXPLICIT needs an EDGE_WEIGHT_FORMAT, one of {', '.join(FORMATS)}", kind.line)
    layout = document.word("EDGE_WEIGHT_FORMAT")
    if layout not in FORMATS:
        line = document.headers["EDGE_WEIGHT_FORMAT"].line
        document.fail(f"EDGE_WEIGHT_FORMAT {quote(layout)} is not one of {', '.join(FORMATS)}", line)
    section = document.require("EDGE_WEIGHT_SECTION", "EXPLICIT needs one", kind.line)
    weights = read_stream(document, section)
    diagonal = 1 if "DIAG" in layout else 0
    expected = n * n if layout == "FULL_MATRIX" else n * (n - 1) // 2 + diagonal * n
    if len(weights) != expected:
        line = word_line(document, section, expected) if len(weights) > expected else document.last_line(section)
        document.fail(f"{len(weights)} weights; a {layout} of DIMENSION {n} has {expected}", line)
    large = np.abs(weights) > LARGEST
    if large.any():
        at = int(large.argmax())
        document.fail(f"the weight {weights[at]:g} is beyond 2**52", word_line(document, section, at))
    if layout == "FULL_MATRIX":
        matrix = weights.reshape(n, n)
        if asymmetric:
            return matrix
        whole = bool((np.floor(weights) == weights).all())
        for i in range(n):
            there, back = matrix[i, i + 1 :], matrix[i + 1 :, i]
            if (there == back).all():
                continue
            wrong = np.abs(there - back) > (0.0 if whole else SYMMETRY) * np.maximum(np.abs(there), np.abs(back))
            if wrong.any():
                j = i + 1 + int(wrong.argmax())
                message = (
                    f"the matrix is asymmetric: {matrix[i, j]:g} from node {i + 1} to {j + 1}, {matrix[j, i]:g} back; "
                )
                line = word_line(document, section, i * n + j)
                document.fail(message + "that takes TYPE ATSP", line)
        return matrix
    matrix = np.zeros((n, n))
    at = 0
    for node in range(n):
        first, last = (node + 1 - diagonal, n) if layout in SHRINKING else (0, node + diagonal)
        row = weights[at : at + last - first]
        matrix[node, first:last] = row
        matrix[first:last, node] = row
        at += last - first
    return matrix
