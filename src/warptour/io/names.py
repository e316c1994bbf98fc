"""Stops of another file by their names: a plan of yesterday, in which some are gone and new ones are not."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from warptour.io.headers import stop_columns
from warptour.io.sheet import Sheet
from warptour.io.source import quote
from warptour.model.errors import InputError
from warptour.model.vehicles import VRP

SHEETS: Final = (".csv", ".tsv", ".xlsx")
COLUMNS: Final = {name: (f"warptour_{name}", name) for name in ("route", "order")}
LARGEST: Final = 1_000_000
"""Largest number of a route that is read."""
EXAMPLE: Final = "a plan has the columns name and route"


class Names:
    """The nodes of a problem by name, or by number where it has no names.

    ``gone``: names that were asked for and that no stop has
    """

    def __init__(self, problem: VRP) -> None:
        self._problem = problem
        self._nodes: dict[str, list[int]] = {}
        for node, name in enumerate(problem.labels or ()):
            self._nodes.setdefault(name, []).append(node)
        self.gone: list[str] = []

    def node(self, stop: Any, path: str, place: str, *, served: bool = False) -> int | None:
        """Return the node of a name or number, None if the problem has none; ``served`` ones are not noted as gone."""
        if isinstance(stop, str):
            nodes = self._nodes.get(stop.strip(), [])
            if len(nodes) > 1:
                raise InputError(f"{place}: {len(nodes)} stops are called {quote(stop)}; give the number", path or None)
            if nodes:
                return nodes[0]
            if self._problem.labels is not None or not stop.strip().isdecimal():
                self.gone += [] if served else [stop]
                return None
            stop = int(stop)
        if isinstance(stop, bool) or not isinstance(stop, int) or not 1 <= stop <= self._problem.n:
            raise InputError(f"{place}: {stop!r} is no stop; they are 1 to {self._problem.n}, or names", path or None)
        return stop - 1

    def routes_of_table(self, path: str) -> list[list[int]] | None:
        """Return the routes of a solution in a table by the names of its stops; None if it has no names."""
        sheet = Sheet.open(path, COLUMNS | {"name": stop_columns()["name"]}, EXAMPLE, needed=[["route"]])
        if not {"name", "route"} <= sheet.columns.keys():
            return None
        keys = [name for name in ("route", "order") if name in sheet.columns]
        table = sheet.numbers(keys, optional=keys)
        names = sheet.labels("name")
        routes: dict[int, list[int]] = {}
        for at in np.lexsort(table.T[::-1]).tolist():
            number = table[at, 0]
            if np.isnan(number):
                continue
            if number != int(number) or not 1 <= number <= LARGEST:
                raise InputError(f"{number:g} is no number of a route", path, sheet.line(at))
            node = self.node(names[at], path, f"line {sheet.line(at)}")
            route = routes.setdefault(int(number), [])
            if node is not None:
                route.append(node)
        return [self._stops(routes.get(number, [])) for number in range(1, max(routes, default=0) + 1)]

    def _stops(self, visits: list[int]) -> list[int]:
        """Return the stops of a route, with one depot between two trips that have any."""
        stops: list[int] = []
        loaded: list[int] = []
        for node in visits:
            if node in self._problem.depots:
                loaded = [node] if stops and node in self._problem.docks else []
            else:
                stops += [*loaded, node]
                loaded = []
        return stops
