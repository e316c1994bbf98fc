"""The return value of ``solve``: the solution, and ways to look at it."""

from __future__ import annotations

import html
from dataclasses import dataclass, field, fields
from os import PathLike
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.balance import Evenness, evenness
from warptour.model.changes import Changes, changes
from warptour.model.errors import UsageError
from warptour.model.frozen import ComparedByValue
from warptour.model.gaps import is_optimal, percent_above
from warptour.model.itinerary import Trip, itinerary
from warptour.model.problem import TSP
from warptour.model.unserved import Unserved, unserved
from warptour.model.vehicles import VRP, Routes
from warptour.observe.wording import cost_text, total_text

PICTURE_PIXELS: Final = 480
"""Width of the picture in a notebook."""


@dataclass(frozen=True, eq=False)
class Result(ComparedByValue):
    """The best solution found, with statistics of the search.

    ``tour`` is a permutation of 0..n-1 for a TSP and the giant tour for a VRP, whose ``routes`` are arrays of
    customers; ``solution`` is the one that counts. ``gap`` is the cost in percent above the best known value,
    ``bound_gap`` above the lower bound. ``moves`` is the number of moves evaluated, or None if they were not counted.
    ``seconds`` is wall-clock time as limited by the time limit; reading and compiling are reported separately.

    A notebook shows a result as a table with a picture. Results are equal if all but their problems and times is.
    """

    name: str
    kind: str
    n: int
    cost: int | float
    feasible: bool
    tour: NDArray[np.int32] = field(repr=False)
    routes: Routes | None = field(default=None, repr=False)
    lower_bound: int | float | None = None
    best_known: float | None = None
    seconds: float = field(default=0.0, compare=False)
    read_seconds: float = field(default=0.0, compare=False)
    compile_seconds: float = field(default=0.0, compare=False)
    iterations: int = 0
    moves: int | None = None
    device: str = "cpu"
    strategy: str = ""
    seed: int = 0
    threads: int = 1
    workers: int = 1
    """Devices or processes that searched side by side, each with its threads."""
    interrupted: bool = False
    """Whether a signal ended the search."""
    ended: str = ""
    """Why the search ended: ``optimal`` (proven), ``target``, ``patience`` (no improvement for long), ``time``,
    ``iterations``, ``finished`` (the strategy was done), ``cancelled``, ``interrupted`` (a signal), ``callback`` (a
    listener returned False), ``failure`` (see ``shortage``), or the ``reason`` of a stop rule of the caller."""
    improved_at: float = field(default=0.0, compare=False)
    """Seconds of the search at its last improvement."""
    shortage: str | None = None
    """The exhausted resource, if that ended the search: memory, threads, a device."""
    unwritten: tuple[str, ...] = ()
    """Requested files that are incomplete: the trace, the checkpoint."""
    problem: TSP | VRP | None = field(default=None, repr=False, compare=False)
    """The problem that was solved."""

    @property
    def solution(self) -> NDArray[np.int32] | Routes:
        """The tour, or for vehicles the routes."""
        return self.tour if self.routes is None else self.routes

    @property
    def gap(self) -> float | None:
        """Percent above the best known cost, or None."""
        return percent_above(self.cost, self.best_known)

    @property
    def bound_gap(self) -> float | None:
        """Percent above the lower bound, or None."""
        return percent_above(self.cost, self.lower_bound)

    @property
    def optimal(self) -> bool:
        """Whether the lower bound proves the solution optimal."""
        return self.feasible and is_optimal(self.cost, self.lower_bound)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be a mistake in the problem's file; see ``Problem.warnings``."""
        return () if self.problem is None else self.problem.warnings

    @property
    def unserved(self) -> list[Unserved]:
        """The customers that are not served, each with the reason."""
        if not isinstance(self.problem, VRP) or self.routes is None:
            return []
        return unserved(self.problem, self.routes)

    @property
    def unused(self) -> dict[str, int]:
        """The vehicles of a fleet that stay, by the name of their type."""
        fleet = self.problem.fleet if isinstance(self.problem, VRP) else None
        if fleet is None or self.routes is None:
            return {}
        driven = [number for number, route in enumerate(self.routes) if len(route)]
        counts = fleet.counts - np.bincount(fleet.kinds[driven], minlength=len(fleet.types))
        unused: dict[str, int] = {}
        for kind in np.flatnonzero(counts).tolist():
            unused[fleet.type_name(kind)] = unused.get(fleet.type_name(kind), 0) + int(counts[kind])
        return unused

    @property
    def balance(self) -> Evenness | None:
        """How even the routes are, of a problem that asks for that."""
        return evenness(self.problem, self.routes) if isinstance(self.problem, VRP) and self.routes else None

    @property
    def changes(self) -> Changes | None:
        """What changes against the plan that vehicles were on, where one was given."""
        return changes(self.problem, self.routes) if isinstance(self.problem, VRP) and self.routes is not None else None

    def summary(self) -> dict[str, Any]:
        """Return everything but the solution itself and the problem, serialisable as JSON."""
        rows = {part.name: getattr(self, part.name) for part in fields(self) if part.name not in ("tour", "problem")}
        return rows | {
            "routes": None if self.routes is None else sum(len(route) > 0 for route in self.routes),
            "gap": self.gap,
            "bound_gap": self.bound_gap,
            "optimal": None if self.lower_bound is None else self.optimal,
            "warnings": list(self.warnings),
        }

    @property
    def trips(self) -> list[Trip]:
        """The visits of the tour, or of each route, with their distances, loads and times."""
        return itinerary(self._problem(), self.solution)

    def plot(self, path: str | PathLike[str] | None = None, *, ax: Any = None) -> Any:
        """Draw the solution by Matplotlib, with names and a legend.

        ``path``: an ``.svg``, ``.png`` or ``.pdf`` to write, instead of showing it
        ``ax``: where to draw; by default in a new figure, which notebooks and ``pyplot.show`` display

        Returns
        -------
        matplotlib.axes.Axes or None
            None if a file is written.
        """
        from warptour.observe import canvas
        from warptour.observe.plot import draw_solution, write_plot

        problem = self._problem()
        if path is not None:
            write_plot(path, problem, self.solution)
            return None
        axes = canvas.shown_axes() if ax is None else ax
        with canvas.settings():
            draw_solution(axes, problem, self.solution)
        return axes

    def write_map(self, path: str | PathLike[str]) -> None:
        """Write a map as an HTML page, of streets for latitudes and longitudes."""
        from warptour.observe.map import write_map

        write_map(path, self._problem(), self.solution)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with a row per visit, in order.

        Columns are ``route`` (from 1, for vehicles), ``order``, ``node`` (from 0), ``name`` where there are names, the
        coordinates, ``demand`` (vehicles), ``leg`` (distance from the stop before), ``distance`` (from the start) and
        ``load`` (vehicles). Routes begin and end at the depot, a closed tour where it began. A problem with travel
        times also has ``duration`` (from the stop before), ``arrival`` and ``departure`` as Timedeltas: after midnight,
        or from the start where no departure is given. With time windows there are ``wait``, ``start`` (of service),
        ``slack`` (how much later it may begin) and ``late``; open routes end at their last customer.
        """
        from warptour.observe.frame import frame_of

        return frame_of(self._problem(), self.trips)

    def to_geojson(self) -> dict[str, Any]:
        """Return the solution as GeoJSON, as in an ``.geojson`` file, but with nodes from 0: ``first`` says so."""
        from warptour.io import geojson

        problem = self._problem()
        if problem.map is None:
            raise UsageError(f"{problem.name} has distances and no coordinates, so there is no GeoJSON of it")
        return geojson.collection(problem, [self.tour] if self.routes is None else self.routes, self.cost, first=0)

    def _repr_html_(self) -> str:
        """Return the result for notebooks: its facts and a picture."""
        from warptour.observe.picture import NODE_LIMIT, svg_text

        facts = {
            "cost": self.cost_text + ("" if self.feasible else " (infeasible)"),
            "routes": None if self.routes is None else str(sum(len(route) > 0 for route in self.routes)),
            "total": None
            if self.problem is None or self.problem.clock is None
            else total_text(self.problem, self.trips),
            "gap": None if self.gap is None else f"{self.gap:.3f}% above the best known",
            "bound": None if self.bound_gap is None else f"at most {self.bound_gap:.3f}% above the optimum",
            "problem": f"{self.name}, {self.n:,} nodes",
            "search": f"{self.strategy}, {self.seconds:.2f} s, {self.iterations:,} iterations, seed {self.seed}",
        }
        if self.optimal:
            facts["bound"] = "optimal"
        rows = "".join(
            f'<tr><th style="text-align:left">{name}</th><td style="text-align:left">{html.escape(text)}</td></tr>'
            for name, text in facts.items()
            if text is not None
        )
        table = f"<table>{rows}</table>"
        if self.problem is None or self.problem.map is None or self.n > NODE_LIMIT:
            return f"<div>{table}</div>"
        return f"<div>{table}{svg_text(self.problem, self.solution, PICTURE_PIXELS)}</div>"

    @property
    def cost_text(self) -> str:
        """The cost for people, with its unit where that is known."""
        return f"{self.cost:,}" if self.problem is None else cost_text(self.problem, self.cost)

    def _problem(self) -> TSP | VRP:
        if self.problem is None:
            raise UsageError("this result does not know its problem; what solve returns does")
        return self.problem
