"""The convergence trace: one JSON object per line."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Self

from warptour.io.source import load
from warptour.model.errors import InputError
from warptour.observe.events import Ended, Event, Improved, State, Tick, Workers

FLUSH_SECONDS = 0.1
"""An improvement after this much silence is written at once; a burst is flushed at the next tick."""


class Trace:
    """A listener that writes ``{"t", "cost", "iterations"}`` for each improvement, and once more at the end.

    Where a lower bound is known, a line has ``lower_bound`` and ``bound_gap``, too, and each higher one has a line.

    A run with several workers also has lines ``{"t", "workers"}``, about one a second and one at the end: of each, its
    ``name``, ``device``, ``rate`` in iterations per second, ``gain`` and ``status``, as in
    :class:`~warptour.observe.events.WorkerState`.

    Lines are flushed at every tick, so a run can be followed live, and a killed run loses only its last moment.

    Parameters
    ----------
    path : path-like
        Output file; an existing file is replaced.

    Attributes
    ----------
    path : Path
    complete : bool
        Whether everything could be written.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        try:
            self._file = open(path, "wb", buffering=0)  # noqa: SIM115 (closed by __exit__)
        except OSError as error:
            raise InputError(f"cannot write the trace: {error.strerror}", path) from None
        self.path = Path(path)
        self.complete = True
        self._lines: list[str] = []
        self._flushed_at = -FLUSH_SECONDS
        self._lower_bound: float | None = None

    def __call__(self, event: Event) -> None:
        state = event.state
        raised = isinstance(event, Tick) and state.lower_bound != self._lower_bound
        if isinstance(event, Improved) or ((isinstance(event, Ended) or raised) and state.cost is not None):
            self._lower_bound = state.lower_bound
            self._lines.append(_line(state))
        elif isinstance(event, Workers):
            rows = [{**asdict(row), "rate": round(row.rate, 1)} for row in event.rows]
            self._lines.append(json.dumps({"t": round(state.seconds, 6), "workers": rows}) + "\n")
        if isinstance(event, Tick | Ended) or event.state.seconds - self._flushed_at >= FLUSH_SECONDS:
            self._flushed_at = event.state.seconds
            self._flush()

    def _flush(self) -> None:
        """Write pending lines. A write error ends the trace with a warning; the search continues."""
        if not self._lines or self._file.closed:
            return
        text = memoryview("".join(self._lines).encode())
        self._lines = []
        try:
            while text:
                text = text[self._file.write(text) :]
        except OSError as error:
            self.complete = False
            self._file.close()
            warnings.warn(f"{self.path}: the trace ends here: {error.strerror}", RuntimeWarning, stacklevel=2)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._flush()
        self._file.close()


def _line(state: State) -> str:
    facts: dict[str, float | None] = {"t": round(state.seconds, 6), "cost": state.cost, "iterations": state.iterations}
    if state.lower_bound is not None:
        facts |= {"lower_bound": state.lower_bound, "bound_gap": state.bound_gap}
    return json.dumps(facts) + "\n"


@dataclass(frozen=True)
class Point:
    """A line of a trace: elapsed seconds, cost, and the lower bound if one was known."""

    seconds: float
    cost: float
    lower_bound: float | None = None


def read_trace(path: str | PathLike[str]) -> list[Point]:
    """Return the lines of a trace; a last line that is cut off, as of a run that goes on, is left out.

    Raises
    ------
    InputError
        If the file is no trace or has no complete line.
    """
    points: list[Point] = []
    lines = load(path).decode("utf-8", "replace").split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            facts = json.loads(line)
            if "workers" in facts:
                continue
            bound = facts.get("lower_bound")
            point = Point(float(facts["t"]), float(facts["cost"]), None if bound is None else float(bound))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            if number == len(lines) and points:
                break
            raise InputError('a line of a trace is {"t": ..., "cost": ...}', path, number) from None
        if not all(map(math.isfinite, (point.seconds, point.cost, point.lower_bound or 0.0))):
            raise InputError("a trace has finite numbers", path, number)
        points.append(point)
    if not points:
        raise InputError("there is no line in this trace yet", path)
    return points
