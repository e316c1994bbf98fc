"""Problems: immutable instances with exact costs.

A :class:`Problem` is a set of nodes and a metric; :class:`TSP` asks for one tour
or open path over all of them, :class:`VRP` for routes from a depot under
capacity and length limits. All arrays are read-only; nodes are numbered from 0
here and from 1 in files.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Literal, Protocol, Self, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from warptour.model.audience import count, span
from warptour.model.building import EARTH_UNITS, TourOptions, matrix_fields, point_fields
from warptour.model.clock import Clock
from warptour.model.errors import InputError
from warptour.model.exactness import check_cost
from warptour.model.fixed_edges import check_fixed_edges, contains, edge_pairs
from warptour.model.frozen import freeze
from warptour.model.metric import Floats, Ints, Metric, Nodes, Rounding, check_points
from warptour.model.other_words import check_words
from warptour.model.quantities import as_float64, whole_number
from warptour.model.report import Report
from warptour.model.streets import Streets

CHUNK = 1 << 20
"""Edges measured per block, so that evaluating ten million cities needs no large temporary array."""

LONGEST_NAME: Final = 40
"""Maximum length of a node's name in messages."""

SYMMETRY: Final = 1e-9
"""Relative asymmetry of a float matrix that counts as rounding error and is averaged out."""


class Table(Protocol):
    """A spreadsheet with a row for each node."""

    def line(self, row: int) -> int:
        """Return the number that the file has for the row of a node."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """Nodes and a metric: the common base of TSP and VRP.

    Attributes
    ----------
    name : str
    metric : Metric
    points : array of float64, shape (n, dimensions), or for a matrix metric the (n, n) distances
    display : array of float64, shape (n, 2), or None
        Coordinates for drawing a matrix instance.
    labels : tuple of str or None
        Node names, if the file has any.
    best_known : int or float or None
        Cost of the best known solution, for gaps.
    table : Table or None
        The spreadsheet that it was read from: solutions written as one keep its columns.
    unit : str or None
        Unit of the distances, if it is known: ``"m"`` on the globe.
    latlon : bool
        Whether the coordinates, or else those for drawing, are latitudes and longitudes in degrees.
    clock : Clock or None
        Travel and service times, and when to depart.
    streets : Streets or None
        The streets that distances and travel times are along, for drawing.
    warnings : tuple of str
        What may be a mistake in the file that it was read from: unused columns, rows left out, odd coordinates.
    request : object or None
        What that file asks for, if an answer in its words is wanted.
    """

    kind: ClassVar[str] = "problem"

    name: str
    metric: Metric
    points: NDArray[Any]
    display: Floats | None = None
    labels: tuple[str, ...] | None = None
    best_known: float | None = None
    table: Table | None = field(default=None, repr=False, kw_only=True)
    unit: str | None = field(default=None, kw_only=True)
    clock: Clock | None = field(default=None, repr=False, kw_only=True)
    streets: Streets | None = field(default=None, repr=False, kw_only=True)
    latlon: bool = field(default=False, kw_only=True)
    warnings: tuple[str, ...] = field(default=(), repr=False, kw_only=True)
    request: object | None = field(default=None, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        if self.metric.norm == "matrix":
            points: NDArray[Any] = _check_matrix(self.points)
            if (
                np.issubdtype(points.dtype, np.floating)
                and self.metric.rounding == "nearest"
                and self.metric.name == "EXPLICIT"
            ):
                object.__setattr__(self, "metric", self.metric.rounded("none"))
        else:
            points = check_points(self.points, self.metric)
        freeze(self, "points", points, self.points)
        if self.display is not None:
            try:
                display = as_float64(self.display)
            except (TypeError, ValueError):
                raise InputError("places to draw are numbers in rows of the same length") from None
            if display.shape != (self.n, 2):
                raise InputError(f"places to draw {self.n} nodes have the shape ({self.n}, 2), not {display.shape}")
            if not np.isfinite(display).all():
                raise InputError("places to draw are finite numbers")
            freeze(self, "display", display, self.display)
        if self.labels is not None:
            if len(self.labels) != self.n:
                raise InputError(f"{len(self.labels)} labels for {self.n} nodes")
            if not all(isinstance(label, str) for label in self.labels):
                raise InputError("a label is a string")
        own = EARTH_UNITS.get(self.metric.norm, self.unit)
        if self.unit not in (own, None):
            raise InputError(f"{self.metric.name} measures in {own}, not in {self.unit}")
        object.__setattr__(self, "unit", own)
        if self.metric.norm != "matrix":
            object.__setattr__(self, "latlon", self.metric.norm == "great_circle")
        if self.clock is not None:
            object.__setattr__(self, "clock", self.clock.of(self.n))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}: {', '.join(self._facts())}>"

    def _facts(self) -> list[str]:
        """Return what the problem is in a few words."""
        facts = [f"{self.n:,} nodes", self.metric.name]
        return facts + (["travel times"] if self.clock is not None else [])

    @property
    def n(self) -> int:
        """Number of nodes, including a depot."""
        return len(self.points)

    @property
    def matrix(self) -> NDArray[Any] | None:
        """The (n, n) distances if the instance is given as a matrix, else None."""
        return self.points if self.metric.norm == "matrix" else None

    @property
    def map(self) -> Floats | None:
        """Coordinates for drawing the nodes, or None."""
        return self.display if self.metric.norm == "matrix" else self.points

    @property
    def on_earth(self) -> bool:
        """Whether ``map`` has latitudes and longitudes, in degrees or as TSPLIB's GEO."""
        return self.map is not None and (self.latlon or self.metric.norm == "geo")

    @cached_property
    def asymmetric(self) -> bool:
        """Whether some distance differs from the one back."""
        return self.matrix is not None and bool((self.matrix != self.matrix.T).any())

    def describe(self, node: int, noun: str) -> str:
        """Return a node for messages: its number, and its name and its row where it has them."""
        facts = []
        if self.labels is not None and self.labels[node]:
            name = self.labels[node]
            facts.append(repr(name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 3] + "..."))
        if self.table is not None:
            facts.append(f"row {self.table.line(node)}")
        return f"{noun} {count(node)}" + (f" ({', '.join(facts)})" if facts else "")

    def distances(self, i: Nodes, j: Nodes) -> Floats | Ints:
        """Return the exact distances between nodes ``i`` and ``j`` (index arrays that broadcast)."""
        return self.metric.distances(self.points, i, j)

    def road_lengths(self, i: Nodes, j: Nodes) -> Floats | Ints:
        """Return the distances between nodes also where durations are minimised."""
        roads = None if self.clock is None else self.clock.distances
        return self.distances(i, j) if roads is None else roads[i, j]

    def durations(self, i: Nodes, j: Nodes) -> Floats:
        """Return the travel times between nodes, in seconds, of a problem with a clock."""
        assert self.clock is not None
        if self.clock.durations is not None:
            return np.asarray(self.clock.durations[i, j], np.float64)
        return np.asarray(self.distances(i, j), np.float64) * (self.clock.pace or 1.0)

    @property
    def minimizes(self) -> Literal["distance", "duration"]:
        """What the cost is: the distance travelled, or the travel time in seconds."""
        return "distance" if self.clock is None or self.clock.distances is None else "duration"

    def distance(self, i: int, j: int) -> int | float:
        """Return the exact distance between two nodes."""
        return self.distances(np.array([i]), np.array([j]))[0].item()  # type: ignore[no-any-return]

    def length(self, sequence: Nodes) -> int | float:
        """Return the exact length of the path that visits ``sequence`` in order, without the closing edge."""
        total: int | float = 0 if self.metric.integral else 0.0
        for at in range(0, len(sequence) - 1, CHUNK):
            part = sequence[at : at + CHUNK + 1]
            total += self.distances(part[:-1], part[1:]).sum().item()
        return total

    def bare(self) -> Self:
        """Return the same instance without names, spreadsheet and places to draw: what a search needs of it."""
        other = copy.copy(self)
        for name in ("labels", "table", "display", "streets", "request"):
            object.__setattr__(other, name, None)
        return other

    def rounded(self, rounding: Rounding) -> Self:
        """Return the same instance with another rounding; its best known value no longer applies and is dropped."""
        metric = self.metric.rounded(rounding)
        return self if metric == self.metric else replace(self, metric=metric, best_known=None)


@dataclass(frozen=True, eq=False, repr=False)
class TSP(Problem):
    """Travelling salesman problem: one tour through all cities, or an open path.

    Attributes
    ----------
    fixed_edges : array of int32, shape (m, 2)
        Pairs of cities that must be adjacent in the tour.
    open : bool
        Whether the tour is an open path.
    first, last : int or None
        Required ends of an open path; None leaves an end free.
    """

    kind: ClassVar[str] = "tsp"

    fixed_edges: NDArray[np.int32] = field(default_factory=lambda: np.empty((0, 2), np.int32))
    open: bool = False
    first: int | None = None
    last: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        freeze(self, "fixed_edges", edge_pairs(self.fixed_edges, self.n), self.fixed_edges)
        if (self.first is not None or self.last is not None) and not self.open:
            raise InputError("a first or last city is for an open path; a closed tour has neither")
        for name in ("first", "last"):
            end = getattr(self, name)
            city = whole_number(end)
            if end is not None and (city is None or not 0 <= city < self.n):
                raise InputError(f"{name} is {end!r}; here cities are counted from 0 to {self.n - 1}")
            object.__setattr__(self, name, city)
        if self.first is not None and self.first == self.last and self.n > 1:
            raise InputError("an open path cannot start and end in the same city; a closed tour does")
        if self.asymmetric and len(self.fixed_edges):
            raise InputError("fixed edges have no direction, and the distances are asymmetric; leave out one of them")
        check_fixed_edges(self.fixed_edges, self.n, open=self.open, first=self.first, last=self.last)
        check_cost(self)

    def cost(self, tour: Nodes) -> int | float:
        """Return the exact cost of ``tour``, a permutation of 0..n-1: int for rounded metrics, else float."""
        sequence = cast(Nodes, np.asarray(tour))
        if self.open or len(sequence) < 2:
            return self.length(sequence)
        return self.length(sequence) + self.distance(int(sequence[-1]), int(sequence[0]))

    def check(self, tour: Nodes) -> Report:
        """Return the cost of ``tour`` and all its violations."""
        sequence = cast(Nodes, np.asarray(tour))
        violations = self.violations(sequence)
        inside = sequence[(sequence >= 0) & (sequence < self.n)] if violations else sequence
        return Report(self.cost(inside), tuple(violations))

    def violations(self, tour: Nodes) -> list[str]:
        """Return a description of each constraint that ``tour`` violates."""
        sequence = cast(Nodes, np.asarray(tour))
        violations = permutation_faults(sequence, self.n)
        if violations:
            return violations
        if self.first is not None and sequence[0] != self.first:
            violations.append(
                f"the path starts at {self.describe(int(sequence[0]), 'city')}, not at {count(self.first)}"
            )
        if self.last is not None and sequence[-1] != self.last:
            violations.append(f"the path ends at {self.describe(int(sequence[-1]), 'city')}, not at {count(self.last)}")
        missing = self.fixed_edges[~contains(sequence, self.fixed_edges, closed=not self.open)]
        violations += [f"the fixed edge {count(a)}-{count(b)} is not in the tour" for a, b in missing.tolist()]
        return violations

    def _facts(self) -> list[str]:
        ends = [f"{word} {end}" for word, end in (("from", self.first), ("to", self.last)) if end is not None]
        fixed = [f"{len(self.fixed_edges):,} fixed edges"] if len(self.fixed_edges) else []
        return super()._facts() + (["an open path"] if self.open else []) + ends + fixed

    def as_written(self, tour: Nodes) -> NDArray[np.int32]:
        """Return a closed tour rotated to start at city 0 and oriented toward its smaller neighbour; a path unchanged.

        This canonical form makes equal tours equal arrays. Over asymmetric distances the direction stays.
        """
        sequence = np.asarray(tour, np.int32)
        if self.open or len(sequence) < 3:
            return sequence
        at = int((sequence == 0).argmax())
        after, before = sequence[(at + 1) % len(sequence)], sequence[at - 1]
        if after <= before or self.asymmetric:
            return np.concatenate((sequence[at:], sequence[:at]))
        return np.concatenate((sequence[at::-1], sequence[:at:-1]))

    @classmethod
    def from_points(
        cls,
        points: ArrayLike,
        *,
        latlon: bool = False,
        metric: str | None = None,
        name: str = "points",
        **options: Unpack[TourOptions],
    ) -> TSP:
        """Return a TSP over points, unrounded.

        Parameters
        ----------
        points : array-like, shape (n, 2) or (n, 3)
        latlon : bool
            Whether they are latitude and longitude in degrees, for metres along great circles; else a plane or space.
        metric : str, optional
            A name in ``METRICS`` instead.
        **options
            ``labels``, ``open``, ``first``, ``last`` and ``fixed_edges`` as for :class:`TSP`; ``unit`` of the
            distances, and times as for :meth:`VRP.from_points`, without the limit.
        """
        check_words(f"{cls.__name__}.from_points", options, cls, TourOptions)
        return cls(**point_fields(points, latlon, metric, name, options))

    @classmethod
    def from_matrix(
        cls,
        matrix: ArrayLike,
        *,
        display: ArrayLike | None = None,
        latlon: bool = False,
        name: str = "matrix",
        **options: Unpack[TourOptions],
    ) -> TSP:
        """Return a TSP for an (n, n) distance matrix, from row to column; integral distances stay exact integers.

        Asymmetry within rounding error is averaged out, and the diagonal is ignored. ``display`` are places to draw, of
        shape (n, 2), with ``latlon`` latitudes and longitudes; ``options`` are those of :meth:`from_points`.
        """
        check_words(f"{cls.__name__}.from_matrix", options, cls, TourOptions)
        return cls(**matrix_fields(matrix, display, latlon, name, options))


def _check_matrix(distances: ArrayLike) -> NDArray[Any]:
    try:
        matrix = np.asarray(distances)
    except ValueError:
        raise InputError("a distance matrix has rows of the same length") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) == 0:
        raise InputError(f"a distance matrix is square, not of shape {matrix.shape}")
    if not (np.issubdtype(matrix.dtype, np.integer) or np.issubdtype(matrix.dtype, np.floating)):
        raise InputError(f"a distance matrix holds numbers, not {matrix.dtype}")
    floats = as_float64(matrix)
    diagonal = np.diagonal(floats)
    unusable = ~(np.abs(diagonal) <= 2.0**52)  # includes NaN; the diagonal is never used
    if unusable.any():
        floats = floats.copy()
        np.fill_diagonal(floats, np.where(unusable, 0.0, diagonal))
        matrix = floats
    if not np.isfinite(floats).all():
        i, j = np.argwhere(~np.isfinite(floats))[0]
        raise InputError(f"the distance from node {count(i)} to node {count(j)} is not a finite number")
    if np.abs(floats).max() > 2.0**52:
        raise InputError("a distance in the matrix is beyond 2**52, where sums are no longer exact")
    whole = bool((np.floor(floats) == floats).all())
    if (floats != floats.T).any():
        wrong = np.abs(floats - floats.T) > (0.0 if whole else SYMMETRY) * np.maximum(np.abs(floats), np.abs(floats.T))
        if not wrong.any():
            return (floats + floats.T) / 2.0
    return np.ascontiguousarray(matrix, dtype=np.int64) if whole else floats


def permutation_faults(sequence: Nodes, n: int) -> list[str]:
    """Return how ``sequence`` fails to be a permutation of 0..n-1; an empty list if it is one."""
    if len(sequence) == n and _visits_all(sequence):
        return []
    faults = []
    outside = sequence[(sequence < 0) | (sequence >= n)]
    if len(outside):
        faults.append(f"{count(outside[0])} is not a city ({span(n)})")
    visits = np.bincount(sequence[(sequence >= 0) & (sequence < n)], minlength=n)
    missing, repeated = np.flatnonzero(visits == 0), np.flatnonzero(visits > 1)
    if len(missing):
        faults.append(f"{len(missing)} cities are not visited, the first is {count(missing[0])}")
    if len(repeated):
        faults.append(f"{len(repeated)} cities are visited more than once, the first is {count(repeated[0])}")
    return faults


def _visits_all(sequence: Nodes) -> bool:
    """Return whether a sequence of n nodes is a permutation of 0..n-1; takes one byte per node."""
    n = len(sequence)
    if n == 0 or int(sequence.min()) < 0 or int(sequence.max()) >= n:
        return n == 0
    visited = np.zeros(n, np.bool_)
    for at in range(0, n, CHUNK):
        visited[sequence[at : at + CHUNK]] = True
    return bool(visited.all())
