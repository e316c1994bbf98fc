"""Problems of a server: read from an upload, a file of the command line, or generated."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.generate import KINDS
from warptour.io.geojson import positions
from warptour.io.headers import LOAD, measure_of, stop_columns, unit_of
from warptour.io.reading import ReadOptions
from warptour.io.sheet import Sheet
from warptour.io.streets import RoadOptions
from warptour.model.errors import InputError, InputWarning, UnsupportedError, UsageError
from warptour.model.option import OptionRow, rows
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.strategies.registry import STRATEGIES, default_strategy
from warptour.view.folder import Upload
from warptour.view.forms import GROUPS, READING, UPLOADS, group_of
from warptour.web.refusal import Refusal, flag_of, number_of, object_of, one_line, text_of

NO_ROADS: Final = RoadOptions()
AS_IT_IS: Final = ReadOptions()
SHOWN: Final = READING.keys() - {*UPLOADS}
"""Options whose values the page shows."""
SHOWN_FIELDS: Final = {READING[word].name for word in SHOWN}
"""The same by their fields; others are kept when a problem is read again."""
MAX_GENERATED: Final = 10_000_000
"""Largest instance that the page may generate."""


@dataclass(frozen=True)
class GivenProblem:
    """A problem, and the words of the command line that read it."""

    id: str
    problem: TSP | VRP
    source: str  # what the solver reads
    shown: str  # what the user is shown in its place: an upload's name
    given: ReadOptions  # how to read it
    notes: tuple[str, ...]
    uploads: tuple[Upload, ...] = ()  # its files, if they were uploaded

    @property
    def options(self) -> list[str]:
        """How to read it, as words of the command line."""
        return _words(self.given)

    def facts(self) -> dict[str, Any]:
        """Return what the page is told."""
        problem = self.problem
        return {
            "id": self.id,
            "input": self.shown,
            "notes": list(self.notes),
            "metric": problem.metric.name,
            **drawing_facts(problem),
            "vehicles": problem.vehicles if isinstance(problem, VRP) else None,
            "max_distance": problem.max_distance if isinstance(problem, VRP) else None,
            "options": {
                row.word: ",".join(map(str, value)) if isinstance(value, list) else value
                for row, value in said(self.given)
                if row.word in SHOWN
            },
            "fleet": _fleet_text(problem),
            "strategy": default_strategy(problem).name,
            "strategies": {name: kind().refuses(problem) for name, kind in STRATEGIES.items()},
        }


def drawing_facts(problem: TSP | VRP) -> dict[str, Any]:
    """Return what is needed to draw solutions of a problem."""
    return {
        "name": problem.name,
        "kind": problem.kind,
        "n": problem.n,
        "geographic": problem.on_earth,
        "streets": problem.streets is not None,
        "open": problem.open,
        "drawable": problem.map is not None,
        "labels": problem.labels is not None,
        "best_known": problem.best_known,
        "depot": problem.depot if isinstance(problem, VRP) else None,
        "capacity": problem.capacity if isinstance(problem, VRP) else None,
        "cost_unit": cost_unit(problem),
    }


def cost_unit(problem: TSP | VRP) -> str | None:
    """Return the unit of the cost where that is a length or time alone."""
    if isinstance(problem, VRP):
        priced = problem.schedule is not None and problem.schedule.priced
        fleet = () if problem.fleet is None else problem.fleet.types
        priced |= any((each.fixed_cost, each.distance_cost, each.hour_cost) != (0, 1, 0) for each in fleet)
        if priced or problem.fixed_cost or problem.prizes is not None or (problem.locks and problem.locks.change_cost):
            return None
    return "s" if problem.minimizes == "duration" else problem.unit


def load_unit(problem: TSP | VRP) -> str | None:
    """Return what demands are measured in, as the header of their column says it: ``kg`` of ``demand (kg)``."""
    table = problem.table
    if not isinstance(table, Sheet) or not table.header:
        return None
    column = next((name for name in table.columns if name == "demand" or name.startswith(LOAD)), None)
    if column is None:
        return None
    if column != "demand":
        return column.removeprefix(LOAD)
    header = table.header[table.columns[column]]
    return unit_of(header) or measure_of(header, stop_columns()[column]) or None


def _fleet_text(problem: TSP | VRP) -> str | None:
    """Return how many vehicles of each type a fleet has: ``5 Small van, 7 Truck``."""
    if not isinstance(problem, VRP) or problem.fleet is None:
        return None
    kinds = problem.fleet.types
    return ", ".join(" ".join(filter(None, (str(each.count or "any"), each.name or "vehicles"))) for each in kinds)


def is_geographic(norm: str) -> bool:
    """Return whether coordinates are degrees."""
    return norm in ("geo", "great_circle")


def drawn_norm(problem: TSP | VRP) -> str:
    """Return the norm by which the places to draw are coordinates; a matrix may have latitudes and longitudes."""
    return "great_circle" if problem.latlon else problem.metric.norm


def coordinates(places: NDArray[np.float64] | None, norm: str) -> bytes:
    """Return x and y of every node as float64, longitude and latitude in degrees where they are on Earth."""
    if places is None or not len(places):
        raise Refusal(404, "there are no coordinates, only distances")
    return np.ascontiguousarray(positions(places, norm)[:, :2], "<f8").tobytes()


def node_facts(problem: TSP | VRP, node: int) -> dict[str, Any]:
    """Return the facts of one node."""
    if not 0 <= node < problem.n:
        raise Refusal(404, f"nodes are numbered from 0 to {problem.n - 1}")
    spot = None if problem.map is None else positions(problem.map[node : node + 1], drawn_norm(problem))[0]
    return {
        "node": node,
        "name": None if problem.labels is None else problem.labels[node],
        "x": None if spot is None else float(spot[0]),
        "y": None if spot is None else float(spot[1]),
        "demand": problem.demands[node].item() if isinstance(problem, VRP) else None,
        "load_unit": load_unit(problem),
        "hours": _hours(problem, node),
    }


def _hours(problem: TSP | VRP, node: int) -> str | None:
    """Return when a node is open, if that is not always."""
    windows = problem.windows if isinstance(problem, VRP) else None
    if windows is None or windows.of_node(node) == [(0.0, math.inf)]:
        return None
    return windows.text(node, problem.clock is not None)


def specification(wanted: Any) -> str:
    """Return the word for a generated instance: ``uniform:1000:1``."""
    if not isinstance(wanted, Mapping) or text_of(wanted.get("kind"), "a kind") not in KINDS:
        raise Refusal(400, f"an instance is one of {', '.join(KINDS)}")
    n, seed = (number_of(wanted.get(name, 0), name) for name in ("n", "seed"))
    if not isinstance(n, int) or not 1 <= n <= MAX_GENERATED:
        raise Refusal(400, f"an instance has 1 to {MAX_GENERATED:,} nodes here")
    if not isinstance(seed, int) or not 0 <= seed < 2**31:
        raise Refusal(400, "a seed is an integer from 0 to 2**31 - 1")
    return f"{wanted['kind']}:{n}:{seed}"


def asked_problem(
    id: str,
    source: str,
    options: Any,
    file: Callable[[Any], Upload],
    uploads: tuple[Upload, ...] = (),
    kept: Mapping[str, Any] = MappingProxyType({}),
) -> GivenProblem:
    """Read what the page asks for.

    ``file`` returns an upload by its id; ``kept`` are options that the page does not offer, such as streets.
    """
    given = dict(kept)
    for row, value in _checked(object_of(options, "options")):
        if row.name in UPLOADS:
            uploads = (*uploads, file(value))
            given[row.name] = str(uploads[-1].path)
        else:
            given[row.name] = [value] if row.many else value
    return read_problem(id, source, ReadOptions(**given), uploads)


def read_problem(id: str, source: str, given: ReadOptions, uploads: tuple[Upload, ...] = ()) -> GivenProblem:
    """Read a problem; messages name uploads, of which the first is its source, as the user does."""

    def shown(line: str) -> str:
        for upload in uploads:
            line = upload.shown(line)
        return line

    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InputWarning)
            problem = given.read(source)
    except (InputError, UnsupportedError, UsageError) as error:
        raise Refusal(400, shown(str(error))) from None
    notes = [one_line(shown(str(each.message))) for each in caught if issubclass(each.category, InputWarning)]
    return GivenProblem(id, problem, source, shown(source), given, tuple(notes), uploads)


def _checked(options: Mapping[str, Any]) -> list[tuple[OptionRow, Any]]:
    """Return the options of a request that are not as by default, with values of the types that they have."""
    unknown = set(options) - READING.keys()
    if unknown:
        raise Refusal(400, f"there is no option {sorted(unknown)[0]!r}")
    checks = {bool: flag_of, int: number_of, float: number_of, str: text_of}
    found = [(row, checks[row.kind](options.get(word), word)) for word, row in READING.items()]
    return [(row, value) for row, value in found if value not in (None, row.default)]


def said(given: ReadOptions) -> list[tuple[OptionRow, Any]]:
    """Return the options that are not as by default, by group."""
    values = [
        (row, getattr(given, row.name)) for group in GROUPS for row in rows(ReadOptions) if group_of(row) == group
    ]
    return [(row, value) for row, value in values if value not in (None, row.default)]


def _words(given: ReadOptions) -> list[str]:
    """Return options as words of the command line."""
    found: list[str] = []
    for row, value in said(given):
        if row.kind is bool:
            found.append(row.names[0] if value else row.denial)
        else:
            for each in value if isinstance(value, list) else [value]:
                found += option_words(row.names[0], each)
    return found


def option_words(option: str, value: object) -> list[str]:
    """Return an option with its value; in one word where the value looks like an option."""
    text = str(value)
    return [f"{option}={text}"] if text.startswith("-") else [option, text]
