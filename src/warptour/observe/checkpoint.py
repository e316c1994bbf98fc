"""Checkpoints: files with the best solution, from which a later run resumes.

A checkpoint is a NumPy ``.npz`` archive: ``order`` holds the tour or the
concatenated routes, ``lengths`` the number of nodes of each route, ``about`` a
JSON object with the rest, ``population`` and ``sizes`` the population of the search
if it has one (kept_population.py). It is written to a temporary file and renamed, so a
kill at any moment leaves either the old or the new checkpoint intact. Only the
population is compressed, and read no further than solutions of the problem go, so
the memory needed is bounded.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import time
import warnings
import zipfile
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from warptour.io.files import open_regular, whole_file, why_not_writable
from warptour.io.source import quote
from warptour.model.errors import InputError, OutputError, shortage
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.observe import kept_population
from warptour.observe.events import Ended, Event, Improved, Population, State, Tick
from warptour.observe.kept_population import KeptPopulation

MAX_PAUSE = 60.0
MIN_PAUSE = 1.0
"""Maximum and minimum seconds between two writes while the solution keeps improving."""
SHARE = 0.02
"""Maximum fraction of the search time spent writing."""
MAX_BYTES_PER_NODE = 16
SPARE_BYTES = 2**20
"""A checkpoint larger than ``MAX_BYTES_PER_NODE`` per node plus this, without its population, is refused: at most 12
bytes per node and a few hundred bytes are written."""
LONGEST_NAME = 200
"""Maximum characters of the problem's name that are stored."""


@dataclass(frozen=True)
class Saved:
    """Contents of a checkpoint. ``seconds`` and ``iterations`` are totals over all runs that led to it."""

    solution: NDArray[np.int32] | Routes
    cost: int | float
    seed: int
    seconds: float
    iterations: int
    population: list[Any]


class Checkpoint:
    """A listener that saves the best solution and the population to ``path``.

    The first solution is saved at once, then what is new about every second, up to a minute apart if writing is slow.

    ``seconds``, ``iterations``: totals of the earlier runs that this run resumes
    ``complete``: whether the last attempt to save succeeded
    """

    def __init__(
        self, path: str | PathLike[str], problem: TSP | VRP, *, seed: int = 0, seconds: float = 0.0, iterations: int = 0
    ) -> None:
        self.path = Path(path)
        self.complete = True
        name = problem.name[:LONGEST_NAME]
        self._about = {"name": name, "kind": problem.kind, "n": problem.n, "problem": fingerprint(problem)}
        self._seed = seed
        self._spent = (seconds, iterations)
        self._best: Any = None
        self._population: Population | None = None
        self._kept = KeptPopulation(problem)
        self._stale = False
        self._pause = 0.0
        self._saved_at = 0.0
        reason = why_not_writable(path)
        if reason is not None:
            raise InputError(f"cannot write the checkpoint here: {reason}", path)

    def __call__(self, event: Event) -> None:
        if isinstance(event, Improved):
            self._best, self._stale = event.solution, True
        elif isinstance(event, Population):
            self._population, self._stale = event, True
        due = isinstance(event, Improved | Tick) and time.perf_counter() - self._saved_at >= self._pause
        if due or isinstance(event, Ended):
            self.save(event.state)

    def save(self, state: State) -> None:
        """Save what is new since the last time; a failed write is only a warning."""
        if self._best is None or not self._stale:
            return
        began = time.perf_counter()
        try:
            self._write(self._best, state)
        except (OutputError, MemoryError) as error:
            self._pause, self._saved_at, self.complete = MAX_PAUSE, time.perf_counter(), False
            reason = f"cannot write {self.path}: {shortage(error)}" if isinstance(error, MemoryError) else error
            warnings.warn(f"the checkpoint is not up to date: {reason}", RuntimeWarning, stacklevel=2)
        else:
            self._stale, self.complete = False, True
            self._pause = min(MAX_PAUSE, max(MIN_PAUSE, (time.perf_counter() - began) / SHARE))
        self._saved_at = time.perf_counter()

    def _write(self, solution: Any, state: State) -> None:
        routes = solution if isinstance(solution, list) else [solution]
        about = self._about | {
            "cost": state.cost,
            "seed": self._seed,
            "seconds": self._spent[0] + state.seconds,
            "iterations": self._spent[1] + state.iterations,
        }
        if self._population is not None:
            self._kept.update(self._population.number, self._population.solutions)
        with whole_file(self.path, wait=False) as file:
            arrays: dict[str, NDArray[Any]] = {
                "order": np.concatenate([*routes, np.empty(0, np.int32)]).astype(np.int32),
                "lengths": np.array([len(route) for route in routes], np.int64),
                "about": np.array(json.dumps(about)),
            }
            np.savez(file, allow_pickle=False, **arrays, **self._kept.arrays())


def load_checkpoint(path: str | PathLike[str], problem: TSP | VRP) -> Saved:
    """Return the contents of ``path``, or raise :class:`InputError` if it is not a checkpoint of ``problem``."""
    mark = fingerprint(problem)
    try:
        with open_regular(path) as file:
            kept_bytes = kept_population.MAX_BYTES_PER_NODE * problem.n * kept_population.capacity(problem)
            if os.fstat(file.fileno()).st_size > MAX_BYTES_PER_NODE * problem.n + SPARE_BYTES + kept_bytes:
                raise InputError(f"this is too large for a checkpoint of a problem with {problem.n} nodes", path)
            about, order, lengths, kept = _contents(file)
        owner = f"{about['kind']} {quote(str(about['name']))} with {quote(str(about['n']))} nodes"
        same = about["problem"] == mark
        seed, seconds, iterations = about["seed"], about["seconds"], about["iterations"]
        if not (isinstance(seed, int) and isinstance(iterations, int) and isinstance(seconds, int | float)):
            raise TypeError
        if iterations < 0 or not 0 <= seconds < math.inf:
            raise ValueError
        population = kept_population.decode(problem, *kept) if same else []
    except FileNotFoundError:
        raise InputError("there is no such checkpoint", path) from None
    except InputError:
        raise
    except Exception:  # damaged archives raise many types of errors, including MemoryError
        raise InputError("this is not a checkpoint of warptour, or it is damaged", path) from None
    if not same:
        raise InputError(f"this checkpoint is of another problem, or the same under other options: {owner}", path)
    solution = np.split(order, np.cumsum(lengths)[:-1]) if problem.kind == "vrp" else order
    report = problem.check(solution)  # type: ignore[arg-type]
    if not report.feasible:
        raise InputError(f"the checkpoint is damaged: {report.violations[0]}", path)
    return Saved(solution, report.cost, seed, seconds, iterations, population)


def _contents(
    file: IO[bytes],
) -> tuple[dict[str, Any], NDArray[np.int32], NDArray[np.int64], tuple[NDArray[np.uint8], NDArray[np.int64]]]:
    """Return the arrays of a checkpoint; raises arbitrary exceptions if the file is invalid.

    Checkpoints of versions that kept no population have none.
    """
    with zipfile.ZipFile(file) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's warnings about unusual headers
        about = json.loads(str(_array(archive, "about", "U")))
        order, lengths = _array(archive, "order", "i4"), _array(archive, "lengths", "i8")
        codes, sizes = np.empty(0, np.uint8), np.empty(0, np.int64)
        if "population.npy" in archive.namelist():
            codes, sizes = _array(archive, "population", "u1"), _array(archive, "sizes", "i8")
    if order.ndim != 1 or lengths.ndim != 1 or (lengths < 0).any() or (lengths > order.size).any():
        raise ValueError
    if codes.ndim != 1 or sizes.ndim != 1:
        raise ValueError
    return about, order.astype(np.int32), lengths.astype(np.int64), (codes, sizes.astype(np.int64))


def _array(archive: zipfile.ZipFile, name: str, kind: str) -> NDArray[Any]:
    """Return the array ``name`` of NumPy type ``kind``, without allocating more than its size in the file."""
    member = archive.getinfo(f"{name}.npy")
    if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
        raise ValueError
    stream = io.BytesIO(archive.read(member))
    header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(stream)]
    shape, _, dtype = header(stream)
    if not dtype.str[1:].startswith(kind):
        raise ValueError
    return np.frombuffer(stream.getbuffer()[stream.tell() :], dtype).reshape(shape)


def fingerprint(problem: TSP | VRP) -> str:
    """Return a hash of everything that defines feasibility and cost of ``problem``; its name is excluded."""
    digest = hashlib.blake2b(digest_size=16)
    facts: list[Any] = [problem.kind, problem.metric]
    arrays = [problem.points]
    if isinstance(problem, TSP):
        facts += [problem.open, problem.first, problem.last]
        arrays += [problem.fixed_edges]
    else:
        facts += [problem.capacity, problem.depot, problem.vehicles, problem.fixed_cost]
        arrays += [problem.demands, problem.service_times]
        for limit in problem.limits:
            facts += [limit.of, limit.most]
            arrays += [limit.services, *([] if limit.travel is None else [limit.travel])]
        schedule = problem.schedule
        if problem.open:
            facts += ["open"]
        if schedule is not None:
            facts += [schedule.pace, schedule.longest, schedule.longest_wait, schedule.per_time, schedule.per_late]
            windows = schedule.windows
            arrays += [windows.opens, windows.closes, windows.gaps, windows.ends, schedule.services]
            arrays += [given for given in (schedule.travel, schedule.releases) if given is not None]
        facts += [] if problem.fleet is None else [problem.fleet.types, problem.depots]
        choices = (problem.alternatives, problem.together, problem.apart, problem.most_stops, problem.more_capacities)
        facts += [choices] if any(choices) else []
        facts += [problem.shipments] if problem.shipments else []
        facts += [problem.backhauls] if problem.backhauls else []
        facts += ["lifo"] if problem.lifo else []
        types = (problem.common_type,) if problem.fleet is None else problem.fleet.types
        facts += [[(each.max_trips, each.reloads) for each in types]] if problem.trips else []
        facts += [problem.balance] if problem.balance else []
        if problem.fleet is not None and problem.rested:
            facts += [[(each.breaks, each.driving) for each in problem.fleet.types]]
        if problem.fleet is not None and problem.locks is not None:
            locks = problem.locks
            facts += [locks.change_cost, [each.under_way for each in problem.fleet.types]]
            arrays += [locks.home, locks.rank, locks.turn]
        allowed = None if problem.fleet is None else problem.fleet.allowed
        arrays += [
            array for array in (problem.prizes, problem.more_demands, problem.pickups, allowed) if array is not None
        ]
    digest.update(repr(facts).encode())
    for array in arrays:
        digest.update(repr((array.dtype.str, array.shape)).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
