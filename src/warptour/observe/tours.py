"""The sidecar of a trace: the problem and the tours of a run, compactly (``docs/developer/view.md``)."""

from __future__ import annotations

import json
import struct
import time
import warnings
from dataclasses import asdict
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from warptour.io.files import open_alone
from warptour.model.errors import InputError
from warptour.model.metric import Metric
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.events import Ended, Event, Improved, State, Tick

MAGIC: Final = b"WTTOURS\x01"
SUFFIX: Final = ".tours"
ALIGNMENT: Final = 8
FRAME: Final = struct.Struct("<IIIIdd")
"""Kind, routes, count, zero, seconds, cost."""
WHOLE, CHANGE = 1, 2

WINDOWS: Final = ("opens", "closes", "gaps", "ends")
TIMES: Final = ("max_duration", "hour_cost", "late_cost", "max_wait")
"""Arrays (``WINDOWS``) and facts (``TIMES``) that only a problem with a schedule has."""

LIMIT: Final = 2**28
"""Maximum bytes of a file, or twice what the problem and one tour take if that is more."""
MIN_PAUSE: Final = 0.25
"""Minimum seconds between two tours."""
SHARE: Final = 0.01
"""Maximum fraction of the search time spent on tours."""

Order = NDArray[np.int32]


def tours_path(trace: str | PathLike[str]) -> Path:
    """Return the path of the sidecar of a trace."""
    return Path(fspath(trace) + SUFFIX)


class Tours:
    """A listener that writes the problem, the best solution a few times a second while it changes, and the last one.

    ``path``: output file, of this run alone; an existing file is replaced
    ``complete``: whether everything could be written
    """

    def __init__(self, path: str | PathLike[str], problem: TSP | VRP) -> None:
        self.path = Path(path)
        self.complete = True
        self._problem = problem
        try:
            self._file = open_alone(path)  # closed by __exit__
        except OSError as error:
            raise InputError(f"cannot write the tours: {error.strerror}", path) from None
        arrays = problem_arrays(problem)
        largest = FRAME.size + ALIGNMENT + 8 * problem.n
        smallest = 4096 + sum(array.nbytes for array in arrays.values()) + largest
        self._limit = max(LIMIT, 2 * smallest)
        self._room = self._limit - largest
        """Size up to which frames are written before the last."""
        self._size = self._since_whole = 0
        self._order: Order | None = None
        self._latest: Any = None
        self._state: State | None = None
        self._written_at, self._pause = -MIN_PAUSE, 0.0
        header = json.dumps(problem_facts(problem) | {"limit": self._limit, "arrays": _listed(arrays)}).encode()
        self._write(MAGIC, struct.pack("<II", len(header), 0), header, *arrays.values())

    def __call__(self, event: Event) -> None:
        if isinstance(event, Improved):
            self._latest, self._state = event.solution, event.state
        due = isinstance(event, Improved | Tick) and event.state.seconds - self._written_at >= self._pause
        if self._latest is not None and (due or isinstance(event, Ended)):
            self._save(event.state.seconds, last=isinstance(event, Ended))

    def _save(self, now: float, last: bool) -> None:
        """Write the latest solution if there is room for it."""
        began = time.perf_counter()
        assert self._state is not None
        lengths, order = flattened(self._latest)
        payload, kind = order, WHOLE
        once = not isinstance(self._problem, VRP) or not self._problem.trips  # else depots are there again
        if once and self._order is not None and len(self._order) == len(order) and self._since_whole < order.nbytes:
            runs = runs_of(self._order, order, self._problem.n)
            if runs is not None and runs.nbytes < order.nbytes:
                payload, kind = runs, CHANGE
        count = len(payload) // (2 if kind == CHANGE else 1)
        head = FRAME.pack(kind, len(lengths), count, 0, self._state.seconds, float(self._state.cost or 0))
        if last or self._size + len(head) + lengths.nbytes + payload.nbytes <= self._room:
            self._since_whole = self._since_whole + payload.nbytes if kind == CHANGE else 0
            self._order, self._latest = order, None
            self._write(head, np.concatenate((lengths, payload)))
        took = time.perf_counter() - began
        fullness = self._limit / max(self._limit - self._size, 1)
        self._pause = max(MIN_PAUSE * fullness, took / SHARE)
        self._written_at = now

    def _write(self, *parts: bytes | NDArray[Any]) -> None:
        """Write parts, each padded; an error ends the file with a warning, and the search continues."""
        if self._file.closed:
            return
        try:
            for part in parts:
                view = memoryview(part if isinstance(part, bytes) else part.tobytes())
                size = len(view)
                while view:
                    view = view[self._file.write(view) :]
                self._file.write(b"\0" * (-size % ALIGNMENT))
                self._size += size + -size % ALIGNMENT
        except OSError as error:
            self.complete = False
            self._file.close()
            warnings.warn(f"{self.path}: the tours end here: {error.strerror}", RuntimeWarning, stacklevel=2)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


def flattened(solution: Any) -> tuple[Order, Order]:
    """Return the lengths of the routes, none for a tour, and all nodes in one array."""
    if not isinstance(solution, list):
        return np.empty(0, np.int32), np.ascontiguousarray(solution, np.int32)
    routes = [np.asarray(route, np.int32) for route in solution]
    return np.array([len(route) for route in routes], np.int32), np.concatenate([*routes, np.empty(0, np.int32)])


def runs_of(before: Order, after: Order, n: int) -> Order | None:
    """Return ``after`` as runs of ``before``: first position and count of each, the count negative if backwards.

    None if it has other nodes: those served may change where not all need be.
    """
    if not len(after):
        return np.empty(0, np.int32)
    places = np.full(n, -1, np.int32)
    np.put(places, before, np.arange(len(before), dtype=np.int32))
    places = places.take(after)  # put and take are several times faster than brackets
    if places.min() < 0:
        return None
    steps = np.diff(places)  # never +1 next to -1, as no node is there twice
    firsts = np.concatenate(([0], np.flatnonzero(np.abs(steps) != 1) + 1))
    counts = np.diff(np.append(firsts, len(after)))
    inside = np.minimum(firsts, max(len(steps) - 1, 0))
    backward = (counts > 1) & (steps[inside] < 0) if len(steps) else np.zeros(len(firsts), bool)
    return np.column_stack((places[firsts], np.where(backward, -counts, counts))).astype(np.int32).ravel()


def from_runs(before: Order, runs: Order) -> Order:
    """Return the order that :func:`runs_of` describes; raises ValueError or IndexError if it is none."""
    firsts, counts = runs[0::2].astype(np.int64), runs[1::2].astype(np.int64)
    sizes, signs = np.abs(counts), np.sign(counts)
    if sizes.sum() != len(before) or (sizes == 0).any():
        raise ValueError
    ends = firsts + signs * (sizes - 1)
    if min(firsts.min(), ends.min()) < 0 or max(firsts.max(), ends.max()) >= len(before):
        raise ValueError
    within = np.arange(len(before)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    after: Order = before.take(np.repeat(firsts, sizes) + np.repeat(signs, sizes) * within)
    return after


def problem_facts(problem: TSP | VRP) -> dict[str, Any]:
    """Return what defines a problem besides its arrays, serialisable as JSON."""
    metric: Metric = problem.metric
    facts: dict[str, Any] = {
        "name": problem.name,
        "kind": problem.kind,
        "n": problem.n,
        "metric": asdict(metric),
        "best_known": problem.best_known,
    }
    if isinstance(problem, TSP):
        return facts | {"open": problem.open}
    limits = {name: getattr(problem, name) for name in ("capacity", "max_distance", "vehicles", "fixed_cost")}
    facts |= {"open": problem.open, "depot": problem.depot, **limits}
    if _tells_times(problem):
        facts |= {name: getattr(problem, name) for name in TIMES}
        clock = problem.clock
        facts |= {} if clock is None else {"pace": clock.pace, "depart": clock.depart}
    return facts


def problem_arrays(problem: TSP | VRP) -> dict[str, NDArray[Any]]:
    """Return the arrays of a problem by name, as the sidecar has them."""
    places = problem.map
    arrays: dict[str, NDArray[Any]] = {"points": np.empty((0, 2)) if places is None else np.ascontiguousarray(places)}
    if isinstance(problem, VRP):
        arrays["demands"] = problem.demands.astype(np.float64)
        arrays["service_times"] = problem.service_times
        if _tells_times(problem):
            windows, clock = problem.windows, problem.clock
            arrays |= {} if windows is None else {name: getattr(windows, name) for name in WINDOWS}
            arrays |= {} if clock is None else {"clock_services": clock.services}
            arrays |= {} if problem.releases is None else {"releases": problem.releases}
    if problem.labels is not None:
        names = "\n".join(" ".join(label.split()) for label in problem.labels)
        arrays["names"] = np.frombuffer(names.encode("utf-8", "replace"), np.uint8)
    return arrays


def _tells_times(problem: VRP) -> bool:
    """Return whether the sidecar has the times of a problem: where no matrix is needed to know them."""
    clock = problem.clock
    return problem.schedule is not None and (clock is None or clock.pace is not None)


def _listed(arrays: dict[str, NDArray[Any]]) -> list[dict[str, Any]]:
    return [{"name": name, "type": array.dtype.name, "shape": array.shape} for name, array in arrays.items()]
