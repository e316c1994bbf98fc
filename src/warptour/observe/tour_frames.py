"""Sidecars of traces that are read: the problem and its tours, while the file still grows, too."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from warptour.io.files import open_regular
from warptour.model.clock import Clock
from warptour.model.errors import InputError, WarptourError
from warptour.model.metric import METRICS, Metric, Rounding
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.model.windows import TimeWindows
from warptour.observe.tours import ALIGNMENT, CHANGE, FRAME, MAGIC, TIMES, WHOLE, WINDOWS, Order, from_runs
from warptour.observe.trace_lines import checked_json

HEAD: Final = len(MAGIC) + 8
LONGEST_HEADER: Final = 2**20
"""Maximum bytes of the header; a longer one is damaged."""
UNSOUND: Final = (
    WarptourError, ArithmeticError, ValueError, LookupError, TypeError, AttributeError, RecursionError, struct.error,
)  # fmt: skip
"""Exceptions that reading a damaged header raises."""
TYPES: Final = {
    "points": "<f8", "demands": "<f8", "service_times": "<f8", "names": "|u1",
    "opens": "<f8", "closes": "<f8", "gaps": "<f8", "ends": "<i8", "clock_services": "<f8",
    "releases": "<f8",
}  # fmt: skip
"""NumPy types of the arrays in a file. Those from ``opens`` on are written only for problems with a schedule, and not
by earlier versions."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Place of a tour in the file, and its facts."""

    seconds: float
    cost: float
    routes: int
    kind: int
    count: int
    at: int


class TourFile:
    """The tours of a run, as far as they have been written.

    ``name``: what errors call the file
    ``facts``: what the header says of the problem; None until it is there
    ``error``: why nothing more is read
    """

    def __init__(self, path: str | PathLike[str], name: str | None = None) -> None:
        self.path = Path(path)
        self.name = str(path) if name is None else name
        self.facts: dict[str, Any] | None = None
        self.frames: list[Frame] = []
        self.error: InputError | None = None
        self._arrays: dict[str, NDArray[Any]] = {}
        self._problem: TSP | VRP | None = None
        self._end = 0
        self._decoded: tuple[int, Order] | None = None

    def grow(self) -> int:
        """Look for new frames; return their number. A missing file counts as empty."""
        before = len(self.frames)
        try:
            size = os.stat(self.path).st_size
            if self.error is not None or size <= self._end + HEAD:
                return 0
            if self.facts is None:
                self._read_header(size)
            if self.facts is not None:
                self._find_frames(size)
        except FileNotFoundError:
            pass
        except OSError as error:
            self.error = InputError(f"cannot be read: {error.strerror}", self.name)
        except UNSOUND:
            self.error = InputError("these are no tours of warptour, or they are damaged", self.name)
        return len(self.frames) - before

    def _read_header(self, size: int) -> None:
        """Read the facts and arrays, if they are complete."""
        with open_regular(self.path) as file:
            head = file.read(HEAD)
            if head[: len(MAGIC)] != MAGIC:
                raise ValueError
            length = struct.unpack_from("<I", head, len(MAGIC))[0]
            if length > LONGEST_HEADER:
                raise ValueError
            if size < HEAD + length:
                return
            facts = checked_json(file.read(length).decode())
            at = _padded(HEAD + length)
            shapes = _shapes(facts)
            total = sum(_padded(_bytes(name, shape)) for name, shape in shapes.items())
            if size < at + total:
                return
            for name, shape in shapes.items():
                file.seek(at)
                self._arrays[name] = np.fromfile(file, TYPES[name], int(np.prod(shape))).reshape(shape)
                at += _padded(_bytes(name, shape))
        if not np.isfinite(self._arrays["points"]).all():
            raise ValueError
        self._problem = self._built(facts)
        self.facts, self._end = facts, at

    def _find_frames(self, size: int) -> None:
        n = self.n
        with open_regular(self.path) as file:
            while size - self._end >= FRAME.size:
                file.seek(self._end)
                kind, routes, count, _, seconds, cost = FRAME.unpack(file.read(FRAME.size))
                whole = kind == WHOLE or (kind == CHANGE and bool(self.frames))
                if not whole or max(routes, count) > 2 * n or not np.isfinite([seconds, cost]).all():
                    raise ValueError
                at = self._end + FRAME.size
                end = at + _padded(4 * (routes + count * (1 if kind == WHOLE else 2)))
                if end > size:
                    break
                self.frames.append(Frame(seconds, cost, routes, kind, count, at))
                self._end = end

    @property
    def n(self) -> int:
        """Number of nodes."""
        assert self.facts is not None
        return int(self.facts["n"])

    @property
    def points(self) -> NDArray[np.float64]:
        """Coordinates as in the problem's file; none for a matrix without places to draw."""
        return self._arrays["points"]

    @property
    def has_labels(self) -> bool:
        """Whether the nodes have names."""
        return "names" in self._arrays

    @property
    def labels(self) -> list[str] | None:
        """Names of the nodes, if there are any."""
        names = self._arrays.get("names")
        return None if names is None else names.tobytes().decode("utf-8", "replace").split("\n")

    def solution(self, number: int) -> tuple[Order, Order]:
        """Return the lengths of the routes, none for a tour, and the nodes in order, of a frame."""
        assert self.facts is not None
        frame = self.frames[number]
        try:
            with open_regular(self.path) as file:
                first, order = self._start(number)
                for step in range(first, number + 1):
                    order = self._next(file, self.frames[step], order)
                lengths = self._read(file, frame.at, frame.routes)
        except (ValueError, IndexError, OSError):
            raise InputError(f"tour {number + 1} is damaged", self.name) from None
        is_tour = not len(lengths) and len(order) == self.n
        fits = is_tour if self.facts["kind"] == "tsp" else lengths.sum() == len(order) and (lengths >= 0).all()
        stops = order if is_tour else order[order != self.facts.get("depot")]  # where vehicles may come again
        if not fits or np.bincount(stops, minlength=1).max() > 1:
            raise InputError(f"tour {number + 1} is damaged", self.name)
        self._decoded = (number, order)
        return lengths, order

    def _start(self, number: int) -> tuple[int, Order]:
        """Return the frame to decode first, and the order before it."""
        whole = next(at for at in range(number, -1, -1) if self.frames[at].kind == WHOLE)
        if self._decoded is not None and whole <= self._decoded[0] <= number:
            return self._decoded[0] + 1, self._decoded[1]
        return whole, np.empty(0, np.int32)

    def _next(self, file: Any, frame: Frame, before: Order) -> Order:
        at = frame.at + 4 * frame.routes
        if frame.kind == CHANGE:
            return from_runs(before, self._read(file, at, 2 * frame.count))
        order = self._read(file, at, frame.count)
        if len(order) and (order.min() < 0 or order.max() >= self.n):
            raise ValueError
        return order

    @staticmethod
    def _read(file: Any, at: int, count: int) -> Order:
        file.seek(at)
        numbers = np.frombuffer(file.read(4 * count), "<i4")
        if len(numbers) != count:
            raise ValueError
        return numbers.astype(np.int32, copy=False)

    def problem(self) -> TSP | VRP | None:
        """Return the problem that the tours are of; None for one given as a matrix, which is not in the file."""
        return self._problem

    def _built(self, facts: dict[str, Any]) -> TSP | VRP | None:
        """Return the problem of a header, None for a matrix; raises an error of any kind unless it is one."""
        if facts["metric"]["norm"] == "matrix":
            return None
        metric, labels = Metric(**facts["metric"]), self.labels
        named = isinstance(metric.name, str) and isinstance(facts["name"], str)
        known = {(each.norm, each.dimensions, each.divisor) for each in METRICS.values()}
        if not named or (metric.norm, metric.dimensions, metric.divisor) not in known:
            raise ValueError
        if metric.rounding not in get_args(Rounding):
            raise ValueError
        common = (facts["name"], metric, self.points, None, None if labels is None else tuple(labels))
        if facts["kind"] == "tsp":
            return TSP(*common, facts["best_known"], open=facts["open"])
        limits: dict[str, Any] = {
            name: facts[name] for name in ("capacity", "depot", "max_distance", "vehicles", "fixed_cost")
        }
        limits |= {name: self._arrays[name] for name in ("demands", "service_times")} | self._times(facts)
        return VRP(*common, facts["best_known"], **limits)

    def _times(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of times of a VRP; files of versions that knew none have none of them."""
        fields = {name: facts[name] for name in TIMES if name in facts} | {"open": bool(facts["open"])}
        if "opens" in self._arrays:
            fields["windows"] = _sound(TimeWindows(*(self._arrays[name] for name in WINDOWS)))
        if "releases" in self._arrays:
            fields["releases"] = self._arrays["releases"]
        if "clock_services" in self._arrays:
            fields["clock"] = Clock(self._arrays["clock_services"], facts["pace"], depart=facts["depart"])
        return fields


def as_routes(lengths: Order, order: Order) -> Order | Routes:
    """Return a solution in the form that problems take: a tour, or routes."""
    return np.split(order, np.cumsum(lengths)[:-1]) if len(lengths) else order


def _shapes(facts: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the arrays that follow the header; raises ValueError unless they fit the problem."""
    n, kind = facts["n"], facts["kind"]
    found: dict[str, tuple[int, ...]] = {row["name"]: tuple(row["shape"]) for row in facts["arrays"]}
    ints = all(type(size) is int and size >= 0 for shape in found.values() for size in shape)
    if type(n) is not int or not 1 <= n < 2**31 or kind not in ("tsp", "vrp") or not ints:
        raise ValueError
    points = found["points"]
    fit = len(points) == 2 and points[0] in (0, n) and points[1] in (2, 3)
    if kind == "vrp":
        fit &= found["demands"] == found["service_times"] == (n,)
        fit &= all(found.get(name, (n,)) == (n,) for name in ("opens", "closes", "ends", "clock_services", "releases"))
        gaps = found.get("gaps", (0, 2))
        fit &= len(gaps) == 2 and gaps[1] == 2
        fit &= type(facts["depot"]) is int and 0 <= facts["depot"] < n
    if not fit or not set(found) <= set(TYPES) or len(found.get("names", (0,))) != 1:
        raise ValueError
    return found


def _sound(windows: TimeWindows) -> TimeWindows:
    """Return windows if they are some; raises ValueError otherwise."""
    spans, gaps = np.stack((windows.opens, windows.closes)), windows.gaps
    ends = np.concatenate(([0], windows.ends))
    if np.isnan(spans).any() or (spans[0] < 0).any() or (spans[0] > spans[1]).any() or not np.isfinite(gaps).all():
        raise ValueError
    if (np.diff(ends) < 0).any() or ends[-1] != len(gaps) or (gaps[:, 0] > gaps[:, 1]).any():
        raise ValueError
    return windows


def _bytes(name: str, shape: tuple[int, ...]) -> int:
    return int(np.dtype(TYPES[name]).itemsize * np.prod(shape, dtype=np.int64))


def _padded(size: int) -> int:
    return size + -size % ALIGNMENT
