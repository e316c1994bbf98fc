"""Matrices of types of vehicles: ``--matrix van=van.npy,truck=truck.npy``, and travel times likewise."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from typing import Any, Literal

import numpy as np

from warptour.io.matrix import Stops, read_square
from warptour.io.options import TravelOptions
from warptour.io.source import quote
from warptour.model.errors import UsageError
from warptour.model.fleet import Fleet
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


@dataclass(frozen=True)
class OwnWays:
    """The files of distances and travel times that types of vehicles have, by their names."""

    matrix: Mapping[str, str] = field(default_factory=dict)
    durations: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, travel: TravelOptions) -> tuple[TravelOptions, OwnWays]:
        """Return the options with the first file of several, which is that of all other vehicles, and all of them."""
        own = cls(_files("matrix", travel.matrix), _files("durations", travel.durations))
        first = {name: next(iter(files.values())) for name, files in vars(own).items() if files}
        return (replace(travel, **first) if first else travel), own

    def over(self, problem: TSP | VRP, name: str, notes: list[str], decimal: str | None) -> TSP | VRP:
        """Return a problem whose types of vehicles have these tables."""
        for option, files in vars(self).items():
            if files and (not isinstance(problem, VRP) or problem.fleet is None):
                raise UsageError(f"--{option} {next(iter(files))}=... is for types of vehicles; --fleet describes them")
            if files and isinstance(problem, VRP):
                problem = _with_tables(problem, option, files, Stops(name, problem.n, problem.labels), notes, decimal)
        return problem


def _files(option: str, given: str | PathLike[str] | None) -> dict[str, str]:
    """Return the file of each type; none where the option is one file."""
    if given is None or "=" not in fspath(given) or os.path.exists(given):
        return {}
    files: dict[str, str] = {}
    for part in fspath(given).split(","):
        name, equals, path = (word.strip() for word in part.partition("="))
        if not (name and equals and path):
            raise UsageError(f"--{option} takes FILE or van=FILE,truck=FILE, not {quote(part)}")
        if name in files:
            raise UsageError(f"--{option} has two files for {quote(name)}")
        files[name] = path
    return files


def _with_tables(
    problem: VRP, option: str, files: Mapping[str, str], stops: Stops, notes: list[str], decimal: str | None
) -> VRP:
    fleet = problem.fleet
    assert fleet is not None
    names = [each.name or fleet.type_name(kind) for kind, each in enumerate(fleet.types)]
    for name in files:
        if name not in names:
            known = ", ".join(dict.fromkeys(names))
            raise UsageError(f"--{option} {name}=...: no type of vehicles is called so; there are {known}")
    what: Literal["distances", "durations"] = "distances" if option == "matrix" else "durations"
    tables = {name: read_square(path, what, stops, notes, decimal) for name, path in files.items()}
    own: dict[str, dict[str, Any]] = {name: {option: table} for name, table in tables.items()}
    types = tuple(
        replace(each, **own[name]) if name in tables else each for name, each in zip(names, fleet.types, strict=True)
    )
    if option == "matrix" and any((table != np.floor(table)).any() for table in tables.values() if table is not None):
        problem = problem.rounded("none")
    return replace(problem, fleet=Fleet(types, allowed=fleet.allowed))
