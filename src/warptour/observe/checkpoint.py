"""Checkpoints: the best solution in a file that a later run goes on from.

A checkpoint is a NumPy ``.npz`` archive: ``order`` holds the tour, or all
routes one after the other, ``lengths`` how long each route is, ``about`` a JSON
object with the rest. It is written beside its place and moved there, so that a
kill at any moment leaves the old one or the new one, never half of one.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import warnings
import zipfile
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warptour.model.errors import InputError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.observe.events import Event, Improved, State, Tick

AT_LEAST_EVERY = 60.0
AT_MOST_EVERY = 1.0
"""Seconds between two savings of a solution that keeps improving."""
SHARE = 0.02
"""Of the search's time that saving may take."""


@dataclass(frozen=True)
class Saved:
    """What a checkpoint holds. ``seconds`` and ``iterations`` sum over all runs that led to it."""

    solution: NDArray[np.int32] | Routes
    cost: int | float
    seed: int
    seconds: float
    iterations: int


class Checkpoint:
    """A listener that keeps the best solution in ``path``: the first at once, then about every second while it
    improves, up to a minute apart where saving is slow.

    Parameters
    ----------
    path : path-like
    problem : TSP or VRP
    seed : int
    seconds, iterations : float, int
        What earlier runs, from whose checkpoint this one goes on, have spent.
    """

    def __init__(
        self, path: str | PathLike[str], problem: TSP | VRP, *, seed: int = 0, seconds: float = 0.0, iterations: int = 0
    ) -> None:
        self.path = Path(path)
        self._about = {"name": problem.name, "kind": problem.kind, "n": problem.n, "problem": fingerprint(problem)}
        self._seed = seed
        self._spent = (seconds, iterations)
        self._latest: Any = None
        self._pause = 0.0
        self._saved_at = 0.0
        folder = self.path.parent
        if not folder.is_dir() or not os.access(folder, os.W_OK) or self.path.is_dir():
            raise InputError("cannot write the checkpoint here", path)

    def __call__(self, event: Event) -> None:
        if isinstance(event, Improved):
            self._latest = event.solution
        if isinstance(event, Improved | Tick) and time.perf_counter() - self._saved_at >= self._pause:
            self.save(event.state)

    def save(self, state: State) -> None:
        """Write the best solution now, if it is newer than the file; a full disk is a warning, no end."""
        if self._latest is None:
            return
        began = time.perf_counter()
        try:
            self._write(self._latest, state)
        except OSError as error:
            warnings.warn(f"{self.path}: cannot write the checkpoint: {error.strerror}", RuntimeWarning, stacklevel=2)
            self._pause = AT_LEAST_EVERY
        else:
            self._latest = None
            self._pause = min(AT_LEAST_EVERY, max(AT_MOST_EVERY, (time.perf_counter() - began) / SHARE))
        self._saved_at = time.perf_counter()

    def _write(self, solution: Any, state: State) -> None:
        routes = solution if isinstance(solution, list) else [solution]
        about = self._about | {
            "cost": state.cost,
            "seed": self._seed,
            "seconds": self._spent[0] + state.seconds,
            "iterations": self._spent[1] + state.iterations,
        }
        aside = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
        try:
            with open(aside, "wb") as file:
                np.savez(
                    file,
                    order=np.concatenate([*routes, np.empty(0, np.int32)]).astype(np.int32),
                    lengths=np.array([len(route) for route in routes], np.int64),
                    about=np.array(json.dumps(about)),
                )
                file.flush()
                os.fsync(file.fileno())
            os.replace(aside, self.path)
        finally:
            aside.unlink(missing_ok=True)


def load_checkpoint(path: str | PathLike[str], problem: TSP | VRP) -> Saved:
    """Return what ``path`` holds, or raise :class:`InputError` if it is no checkpoint of ``problem``."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            order = np.asarray(archive["order"], np.int32)
            lengths = np.asarray(archive["lengths"], np.int64)
            about = json.loads(str(archive["about"]))
            owner = f"{about['kind']} {about['name']!r} with {about['n']} nodes"
            mark, spent = about["problem"], (about["seed"], about["seconds"], about["iterations"])
    except FileNotFoundError:
        raise InputError("there is no such checkpoint", path) from None
    except (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile):
        raise InputError("this is not a checkpoint of warptour, or it is damaged", path) from None
    if mark != fingerprint(problem):
        raise InputError(f"this checkpoint is of another problem, or the same under other options: {owner}", path)
    routes = np.split(order, np.cumsum(lengths)[:-1])
    solution = routes if problem.kind == "vrp" else order
    report = problem.check(solution)  # type: ignore[arg-type]
    if not report.feasible:
        raise InputError(f"the checkpoint is damaged: {report.violations[0]}", path)
    return Saved(solution, report.cost, *spent)


def fingerprint(problem: TSP | VRP) -> str:
    """Return a hash of everything that decides what a solution of ``problem`` is and costs; not of its name."""
    digest = hashlib.blake2b(digest_size=16)
    facts: list[Any] = [problem.kind, problem.metric]
    arrays = [problem.points]
    if isinstance(problem, TSP):
        facts += [problem.open, problem.first, problem.last]
        arrays += [problem.fixed_edges]
    else:
        facts += [problem.capacity, problem.depot, problem.max_distance, problem.vehicles, problem.fixed_cost]
        arrays += [problem.demands, problem.service_times]
    digest.update(repr(facts).encode())
    for array in arrays:
        digest.update(repr((array.dtype.str, array.shape)).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
