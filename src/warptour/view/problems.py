"""Problems of a server: read from an upload, a file of the command line, or generated."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.generate import KINDS
from warptour.io.geojson import positions
from warptour.io.reading import ReadOptions
from warptour.io.streets import RoadOptions
from warptour.model.errors import InputError, InputWarning, UnsupportedError, UsageError
from warptour.model.option import OptionRow, rows
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.strategies.registry import STRATEGIES, default_strategy
from warptour.view.folder import Upload
from warptour.view.forms import GROUPS, READING, group_of
from warptour.web.refusal import Refusal, flag_of, number_of, object_of, one_line, text_of

NO_ROADS: Final = RoadOptions()
AS_IT_IS: Final = ReadOptions()
MAX_GENERATED: Final = 10_000_000
"""Largest instance that the page may generate."""


@dataclass(frozen=True)
class GivenProblem:
    """A problem, and the words of the command line that read it.

    Attributes
    ----------
    source : str
        What the solver reads.
    shown : str
        What the user is shown in its place: an upload's name.
    options : tuple of str
        Options of ``solve`` that say how to read it.
    """

    id: str
    problem: TSP | VRP
    source: str
    shown: str
    options: tuple[str, ...]
    notes: tuple[str, ...]

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
    }


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
    id: str, source: str, options: Any, upload: Upload | None = None, roads: RoadOptions = NO_ROADS
) -> GivenProblem:
    """Read what the page asks for, along the streets of ``roads``."""
    chosen = _checked(object_of(options, "options"))
    given: dict[str, Any] = {row.name: [value] if row.many else value for row, value in chosen}
    streets = {name: value for name, value in vars(roads).items() if value is not None}
    return read_problem(id, source, ReadOptions(**given, **streets), upload)


def read_problem(id: str, source: str, given: ReadOptions, upload: Upload | None = None) -> GivenProblem:
    """Read a problem; messages name an upload as the user does."""
    shown = source if upload is None else upload.name
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InputWarning)
            problem = given.read(source)
    except (InputError, UnsupportedError, UsageError) as error:
        line = str(error)
        raise Refusal(400, line if upload is None else upload.shown(line)) from None
    notes = [one_line(str(warning.message)) for warning in caught if issubclass(warning.category, InputWarning)]
    if upload is not None:
        notes = [upload.shown(note) for note in notes]
    return GivenProblem(id, problem, source, shown, tuple(_words(given)), tuple(notes))


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
