"""Solution files: TSPLIB ``.tour``, CVRPLIB ``.sol``, spreadsheets, GeoJSON, GPX, arrays; all are read back, too.

A tour is an array of cities from 0; routes are a list of such arrays, without the depot. Files number nodes from 1,
except ``.npy``, which holds the array of a tour, and ``.sol``, where by CVRPLIB's convention the depot is 0 and the
customers are 1 to n - 1 in node order; with several depots that are the first nodes, nodes are numbered from 0. Line k
of a ``.sol`` is the route of a fleet's vehicle k.

An open path is marked, since its cities alone do not show it: a COMMENT in ``.tour``, a column ``path`` in ``.csv``, a
member ``open`` in ``.geojson``, a ``type`` in ``.gpx``; an ``.npy`` has no room for a mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warptour.io import geojson, gpx, plan_json, spreadsheet
from warptour.io.arrays import array_chunks, load_array
from warptour.io.cells import number_text
from warptour.io.files import write_atomic
from warptour.io.rows import read_stream, word_line
from warptour.io.sections import Document
from warptour.io.sheet import Sheet
from warptour.io.source import load_bytes, load_json, load_lines, quote
from warptour.io.spreadsheet import OWN
from warptour.io.workbook import library
from warptour.model.audience import as_files_count
from warptour.model.errors import InputError, UsageError
from warptour.model.fleet import Fleet
from warptour.model.itinerary import Trip, itinerary
from warptour.model.metric import Nodes
from warptour.model.problem import TSP, permutation_faults
from warptour.model.report import Report
from warptour.model.unserved import Unserved, unserved
from warptour.model.vehicles import VRP, Routes

Tour: TypeAlias = NDArray[np.int32]
Solution: TypeAlias = Nodes | Sequence[Nodes]

ROUTE: Final = re.compile(rb"\s*route\s*#?\s*\d*\s*:?(.*)", re.IGNORECASE)
REMARK: Final = re.compile(
    rb"\s*(?:total\s+)?"
    rb"(?:cost|time|length|objective|name|comment|instance|authors?|date|reference|solution|optimal)\b",
    re.IGNORECASE,
)
"""What a line without a route begins with; the latter half is of SINTEF's files."""
FAR: Final = 2**31 - 1
"""Largest node number that fits into int32; larger ones are reported as it."""

WRITTEN_CITIES: Final = 1 << 16
"""Cities of a ``.tour`` that are written at once."""

OPEN_PATH: Final = "Open path"
"""COMMENT of a ``.tour`` that is an open path."""

COLUMNS: Final = {name: (OWN + name, name) for name in ("node", "route", "order", "path")}
EXAMPLE: Final = "a solution has the columns node and, for vehicles, route"


def check_output(path: str | PathLike[str], problem: TSP | VRP) -> None:
    """Raise :class:`UsageError` if this suffix does not support solutions of this problem, or a library is missing."""
    suffix = Path(fspath(path)).suffix.lower()
    fitting = [known for known, (kinds, _) in FORMATS.items() if problem.kind in kinds]
    if suffix not in fitting:
        what = "tours" if problem.kind == "tsp" else "routes"
        have = f"the suffix {quote(suffix)}" if suffix else "no suffix"
        raise UsageError(f"{fspath(path)} has {have}; {what} are written as {', '.join(fitting)}")
    if suffix == ".xlsx":
        library()
    if suffix == ".geojson" and problem.map is None:
        raise UsageError(f"{problem.name} has distances and no coordinates, so there is no .geojson of it")
    if suffix == ".gpx" and not problem.on_earth:
        raise UsageError(f"{problem.name} has no latitudes and longitudes, so there is no .gpx of it")


def write_solution(
    path: str | PathLike[str], problem: TSP | VRP, solution: Solution, cost: float | None = None
) -> None:
    """Write a tour or routes atomically; the suffix of ``path`` selects the format.

    ``path``: ``.tour`` or ``.npy`` (tours), ``.sol`` (routes), ``.csv``, ``.tsv``, ``.xlsx``, ``.geojson``, ``.gpx`` or
        ``.json``
    ``solution``: a tour for a TSP, routes for a VRP, nodes numbered from 0
    ``cost``: computed if not given

    Raises :class:`InputError` if a tour does not visit every node exactly once, or routes one of them twice. Routes may
    violate limits and leave customers out, so that the best infeasible solution of a search can be written. Raises
    :class:`UsageError` if the suffix is unknown or does not fit the problem, or the file cannot be written.
    """
    check_output(path, problem)
    write_atomic(path, solution_chunks(Path(fspath(path)).suffix.lower(), problem, solution, cost))


def solution_bytes(suffix: str, problem: TSP | VRP, solution: Solution, cost: float | None = None) -> bytes:
    """Return the contents of a solution file with this suffix."""
    return b"".join(solution_chunks(suffix, problem, solution, cost))


def solution_chunks(suffix: str, problem: TSP | VRP, solution: Solution, cost: float | None = None) -> Iterable[bytes]:
    """Return the contents of a solution file with this suffix, in pieces."""
    if isinstance(problem, VRP):
        sequences = [np.asarray(route) for route in solution if len(route) or problem.fleet is not None]
        judge = problem.repeat_faults if problem.mixed else problem.visit_faults
        faults = judge(np.concatenate([*sequences, np.empty(0, np.int64)]).astype(np.int64))
    else:
        sequences = [np.asarray(solution)]
        faults = permutation_faults(sequences[0], problem.n)
    if faults:
        raise InputError(f"this is no solution of {problem.name} to write: {faults[0]}")
    sequences = [sequence.astype(np.int32, copy=False) for sequence in sequences]
    if cost is None:
        cost = problem.cost(sequences) if isinstance(problem, VRP) else problem.cost(sequences[0])
    return FORMATS[suffix][1](problem, sequences, cost)


def one_line(text: str) -> str:
    """Return text for a keyword's value: on one line, without control characters."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def _tour(problem: TSP | VRP, sequences: Routes, cost: float) -> Iterator[bytes]:
    path = f"COMMENT : {OPEN_PATH}\n" if isinstance(problem, TSP) and problem.open else ""
    yield (
        f"NAME : {one_line(problem.name)}\nCOMMENT : Length {number_text(cost)}\n{path}TYPE : TOUR\n"
        f"DIMENSION : {problem.n}\nTOUR_SECTION\n"
    ).encode("utf-8", "replace")
    for at in range(0, problem.n, WRITTEN_CITIES):
        part = sequences[0][at : at + WRITTEN_CITIES]
        yield ("\n".join(map(str, (part + 1).tolist())) + "\n").encode()
    yield b"-1\nEOF\n"


def _npy(problem: TSP | VRP, sequences: Routes, cost: float) -> Iterator[bytes]:
    return array_chunks(sequences[0])


def _sol(problem: TSP | VRP, sequences: Routes, cost: float) -> Iterable[bytes]:
    assert isinstance(problem, VRP)
    number = np.zeros(problem.n, np.int64)
    numbered = _numbered(problem)
    number[numbered] = np.arange(len(numbered))
    if problem.fleet is not None:
        given: Routes = [np.empty(0, np.int32)] * int(problem.fleet.numbers[-1] + 1)
        for vehicle, sequence in zip(problem.fleet.numbers.tolist(), sequences, strict=False):
            given[vehicle] = sequence
        sequences = given
    lines = [f"Route #{k}: {' '.join(map(str, number[sequence].tolist()))}" for k, sequence in enumerate(sequences, 1)]
    return ["\n".join([*lines, f"Cost {number_text(cost)}", ""]).encode()]


def _numbered(problem: VRP) -> NDArray[np.integer]:
    """Return the nodes in the order of their numbers in a ``.sol``, from 0; of depots behind others, only one."""
    if problem.depots == tuple(range(len(problem.depots))):
        return np.arange(problem.n)
    return np.insert(problem.customers, 0, problem.depot)


def _csv(problem: TSP | VRP, sequences: Routes, cost: float) -> Iterable[bytes]:
    return [spreadsheet.csv_bytes(problem, _trips(problem, sequences), _lost(problem, sequences))]


def _tsv(problem: TSP | VRP, sequences: Routes, cost: float) -> Iterable[bytes]:
    return [spreadsheet.csv_bytes(problem, _trips(problem, sequences), _lost(problem, sequences), tabs=True)]


def _xlsx(problem: TSP | VRP, sequences: Routes, cost: float) -> Iterable[bytes]:
    return [spreadsheet.xlsx_bytes(problem, _trips(problem, sequences), _lost(problem, sequences))]


def _trips(problem: TSP | VRP, sequences: Routes) -> list[Trip]:
    return itinerary(problem, sequences if isinstance(problem, VRP) else sequences[0])


def _lost(problem: TSP | VRP, sequences: Routes) -> list[Unserved]:
    return unserved(problem, sequences) if isinstance(problem, VRP) else []


def _geojson(problem: TSP | VRP, sequences: Routes, cost: float) -> Iterable[bytes]:
    return [geojson.text(problem, sequences, cost).encode()]


def _gpx(problem: TSP | VRP, sequences: Routes, cost: float) -> Iterable[bytes]:
    return (line.encode("utf-8", "replace") for line in gpx.lines(problem, sequences, cost))


FORMATS: Final[dict[str, tuple[tuple[str, ...], Callable[[TSP | VRP, Routes, float], Iterable[bytes]]]]] = {
    ".tour": (("tsp",), _tour),
    ".sol": (("vrp",), _sol),
    ".csv": (("tsp", "vrp"), _csv),
    ".tsv": (("tsp", "vrp"), _tsv),
    ".xlsx": (("tsp", "vrp"), _xlsx),
    ".geojson": (("tsp", "vrp"), _geojson),
    ".gpx": (("tsp", "vrp"), _gpx),
    ".npy": (("tsp",), _npy),
    ".json": (("tsp", "vrp"), plan_json.chunks),
}
"""For each suffix, the supported kinds of problem and the writer."""


def read_solution(path: str | PathLike[str], problem: TSP | VRP, *, strict: bool = True) -> Tour | Routes:
    """Read a tour of a TSP or the routes of a VRP.

    ``path``: a ``.tour``, ``.npy``, ``.sol``, ``.csv``, ``.geojson``, ``.gpx`` or ``.json`` file
    ``strict``: Whether every node must be visited exactly once. Otherwise the contents are returned unchecked, for
        ``problem.check`` to judge, including nodes that do not exist.

    Returns
    -------
    array of int32, or list of them
        Nodes numbered from 0; routes without the depot.
    """
    return _read(path, problem, strict=strict)[0]


def check_solution(path: str | PathLike[str], problem: TSP | VRP) -> Report:
    """Return the exact cost of the solution in a file, and all its violations."""
    solution, is_open = _read(path, problem, strict=False)
    with as_files_count():
        report = problem.check(solution)  # type: ignore[arg-type]
    if is_open and isinstance(problem, TSP) and not problem.open:
        fault = (
            "the file holds an open path, and the problem asks for a closed tour: check it with --open, --from or --to"
        )
        return replace(report, violations=(*report.violations, fault))
    return report


def _read(path: str | PathLike[str], problem: TSP | VRP, *, strict: bool) -> tuple[Tour | Routes, bool]:
    """Return the solution in a file, and whether the file marks it as an open path."""
    suffix = Path(fspath(path)).suffix.lower()
    if suffix not in FORMATS:
        raise InputError(f"is no solution by its suffix; known are {', '.join(FORMATS)}", path)
    if problem.kind not in FORMATS[suffix][0]:
        right = ".tour" if problem.kind == "tsp" else ".sol"
        fitting = f"{right}, .csv, .xlsx and .geojson"
        raise InputError(f"a {suffix} file does not fit a {problem.kind.upper()}; {fitting} do", path)
    try:
        sequences, line, is_open = READERS[suffix](fspath(path), problem)
    except MemoryError:
        raise InputError("is too large for the free memory", path) from None
    if strict:
        _check_visits(fspath(path), problem, sequences, line)
    routes = [np.minimum(sequence, FAR).astype(np.int32) for sequence in sequences]
    if isinstance(problem, VRP):
        return (routes if problem.fleet is not None else [route for route in routes if len(route)]), is_open
    return (np.concatenate(routes) if routes else np.empty(0, np.int32)), is_open


Sequences: TypeAlias = tuple[list[NDArray[Any]], Callable[[int], int | None], bool]
"""Node sequences from 0, the line number of each node by its index in their concatenation, and the open path mark."""


def _check_visits(
    path: str, problem: TSP | VRP, sequences: list[NDArray[Any]], line: Callable[[int], int | None]
) -> None:
    n = problem.n
    what, expected = ("customers", int(problem.required.sum())) if isinstance(problem, VRP) else ("cities", n)
    nodes = np.concatenate(sequences) if sequences else np.empty(0, np.int64)
    if isinstance(problem, TSP) and not permutation_faults(nodes, n):
        return
    shown = 0 if path.lower().endswith((".sol", ".npy")) else 1
    outside = (nodes < 0) | (nodes >= n)
    if isinstance(problem, VRP):
        outside |= np.isin(nodes, np.setdiff1d(problem.depots, problem.docks))
    if outside.any():
        at = int(outside.argmax())
        first = 1 if shown or isinstance(problem, VRP) else 0
        raise InputError(f"{nodes[at] + shown} is not one of the {what} {first}..{n - 1 + shown}", path, line(at))
    order = np.argsort(nodes, kind="stable")
    if isinstance(problem, VRP):
        order = order[~problem.reloads[nodes[order]]]
    again = order[1:][np.diff(nodes[order]) == 0]
    if len(again):
        at = int(again.min())
        raise InputError(f"{nodes[at] + shown} is visited for the second time", path, line(at))
    visited = int(problem.required[nodes].sum()) if isinstance(problem, VRP) else len(nodes)
    if visited != expected:
        raise InputError(f"visits {visited} of {expected} {what}", path, line(len(nodes)))


def _read_tour(path: str, problem: TSP | VRP) -> Sequences:
    document = Document.read(path)
    kind = document.word("TYPE", default="TOUR")
    if kind != "TOUR":
        document.fail(f"TYPE {quote(kind)} is not TOUR", document.headers["TYPE"].line)
    n = document.integer("DIMENSION")
    if n is not None and n != problem.n:
        message = f"DIMENSION is {n}, but {quote(problem.name)} has {problem.n} cities"
        document.fail(message, document.headers["DIMENSION"].line)
    section = document.require("TOUR_SECTION", "it lists the cities in order, then -1")
    numbers = read_stream(document, section)
    stops = np.flatnonzero(numbers == -1)
    if len(stops):
        rest = numbers[stops[0] :]
        if (rest != -1).any():
            at = int(stops[0] + (rest != -1).argmax())
            document.fail("a second tour after the -1; one is read", word_line(document, section, at))
        numbers = numbers[: stops[0]]
    wrong = (numbers != np.floor(numbers)) | (np.abs(numbers) > FAR)
    if wrong.any():
        at = int(wrong.argmax())
        message = f"{numbers[at]:.15g} is not one of the cities 1..{problem.n}"
        document.fail(message, word_line(document, section, at))
    is_open = any(comment.lower() == OPEN_PATH.lower() for comment in document.comments)
    return [numbers.astype(np.int64) - 1], lambda at: word_line(document, section, at), is_open


def _read_sol(path: str, problem: TSP | VRP) -> Sequences:
    assert isinstance(problem, VRP)
    known = _numbered(problem).astype(np.int64)
    sequences: list[NDArray[Any]] = []
    lines: list[int] = []
    for line, text in enumerate(load_lines(path).split(b"\n"), 1):
        match = ROUTE.match(text)
        if match is None:
            if text.strip() and not REMARK.match(text):
                raise InputError(f"{quote(text.strip())} is not 'Route #1: 4 2 7' or 'Cost 123'", path, line)
            continue
        words = match[1].split()
        for word in words:
            if not word.isdigit() or len(word) > 9:
                raise InputError(f"{quote(word)} is not one of the customers 1..{problem.n - 1}", path, line)
        customers = [int(word) for word in words]
        while customers and customers[0] == 0:
            del customers[0]
        while customers and customers[-1] == 0:
            del customers[-1]
        sequence = np.array(customers, np.int64)
        inside = sequence < len(known)
        sequence[inside] = known[sequence[inside]]
        sequence[~inside] = np.maximum(sequence[~inside], problem.n)
        sequences.append(sequence)
        lines += [line] * len(sequence)
    if problem.fleet is not None:
        sequences = problem.fleet.seated(sequences)
    return sequences, lambda at: lines[at] if at < len(lines) else (lines[-1] if lines else 1), False


def _read_sheet(path: str, problem: TSP | VRP) -> Sequences:
    vehicles = isinstance(problem, VRP)
    sheet = Sheet.open(path, COLUMNS, EXAMPLE, needed=[["node"]])
    for needed in ("node", "route") if vehicles else ("node",):
        if needed not in sheet.columns:
            raise InputError(f"there is no column {needed}; {EXAMPLE}", path, 1)
    names = [name for name in ("node", "route", "order") if name in sheet.columns]
    table = sheet.numbers(names, optional=["route", "order"])
    lines = np.arange(len(table))
    if vehicles:  # stops that are not served have neither route nor order
        lines = np.flatnonzero(~np.isnan(table).any(axis=1))
        table = table[lines]
    wrong = (table != np.floor(table)) | (np.abs(table) > FAR)
    if wrong.any():
        at = int(wrong.any(axis=1).argmax())
        raise InputError(f"{table[at][wrong[at]][0]:g} is not a whole number", path, sheet.line(int(lines[at])))
    rows = table.astype(np.int64)
    columns = {name: rows[:, at] for at, name in enumerate(names)}
    nodes = columns["node"] - 1
    zero = np.zeros(len(rows), np.int64)
    order = np.lexsort((columns.get("order", zero), columns["route"] if vehicles else zero))
    if isinstance(problem, VRP):
        order = order[_is_stop(problem, nodes[order], columns["route"][order])]
        breaks = np.flatnonzero(np.diff(columns["route"][order])) + 1
        sequences = np.split(nodes[order], breaks)
        if problem.fleet is not None and len(order):
            numbers = columns["route"][order][[0, *breaks.tolist()]]
            sequences = of_vehicles(problem.fleet, numbers.tolist(), sequences, path)
    else:
        if len(order) == problem.n + 1 and nodes[order[0]] == nodes[order[-1]]:
            order = order[:-1]  # the return to the first city
        sequences = [nodes[order]]
    is_open = "path" in sheet.columns and "open" in (cell.lower() for cell in sheet.labels("path"))

    def line(at: int) -> int:
        return sheet.line(int(lines[order[min(at, len(order) - 1)]]) if len(order) else 0)

    return sequences, line, is_open


def _is_stop(problem: VRP, nodes: NDArray[Any], routes: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which visits, route by route, are stops: no depots but those between two trips."""
    changes = np.flatnonzero(np.diff(routes)) + 1
    inner = np.ones(len(nodes), np.bool_)
    inner[[*([0, -1] if len(nodes) else []), *changes, *(changes - 1)]] = False
    between = inner & np.isin(nodes, problem.docks)
    return between | ~np.isin(nodes, problem.depots)


def _read_geojson(path: str, problem: TSP | VRP) -> Sequences:
    content = load_json(path)
    lines = geojson.lines(content)
    if lines is None:
        raise InputError("has no lines with a list of nodes; only GeoJSON that warptour wrote can be read", path)
    sequences = [np.array(nodes, np.int64) - (0 if content.get("first") == 0 else 1) for _, nodes in lines]
    if isinstance(problem, VRP) and problem.fleet is not None:
        sequences = of_vehicles(problem.fleet, [number for number, _ in lines], sequences, path)
    return sequences, lambda at: None, content.get("open") is True


def of_vehicles(fleet: Fleet, numbers: Sequence[int], sequences: list[NDArray[Any]], path: str) -> list[NDArray[Any]]:
    """Return routes in the order of their vehicles, which are numbered from 1, with empty ones between them."""
    most = len(fleet.kinds)
    wrong = [number for number in numbers if not 1 <= number <= most]
    if wrong or len(set(numbers)) < len(numbers):
        fault = f"{wrong[0]} is no vehicle; they are 1..{most}" if wrong else "a vehicle has two routes"
        raise InputError(f"{fault}, and route k is that of vehicle k", path)
    routes: list[NDArray[Any]] = [np.empty(0, np.int64)] * max(numbers, default=0)
    for number, sequence in zip(numbers, sequences, strict=True):
        routes[number - 1] = sequence
    return routes


def _read_gpx(path: str, problem: TSP | VRP) -> Sequences:
    found = gpx.sequences(load_bytes(path), path)
    if found is None:
        raise InputError("has no routes whose points say their node; only GPX that warptour wrote can be read", path)
    routes, is_open = found
    sequences = [np.array(nodes, np.int64) - 1 for _, nodes in routes]
    if isinstance(problem, VRP) and problem.fleet is not None:
        sequences = of_vehicles(problem.fleet, [number for number, _ in routes], sequences, path)
    return sequences, lambda at: None, is_open


def _read_npy(path: str, problem: TSP | VRP) -> Sequences:
    order = load_array(path, "(n,)")
    if order.ndim != 1 or order.dtype.kind not in "iu":
        raise InputError(f"holds {order.dtype} of shape {order.shape}; a tour has integers of shape (n,)", path)
    limits = np.iinfo(order.dtype)
    cities = np.clip(order, max(limits.min, -FAR), min(limits.max, FAR)).astype(np.int32, copy=False)
    return [cities], lambda at: None, isinstance(problem, TSP) and problem.open


READERS: Final[dict[str, Callable[[str, TSP | VRP], Sequences]]] = {
    ".tour": _read_tour,
    ".sol": _read_sol,
    ".csv": _read_sheet,
    ".tsv": _read_sheet,
    ".xlsx": _read_sheet,
    ".geojson": _read_geojson,
    ".gpx": _read_gpx,
    ".npy": _read_npy,
    ".json": plan_json.sequences,
}
