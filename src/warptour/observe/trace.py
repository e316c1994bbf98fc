"""The trace of a run: one JSON object per line (``docs/developer/view.md``)."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any, Final, Self

from warptour._version import __version__
from warptour.io.files import open_alone
from warptour.model.errors import InputError
from warptour.observe.events import (
    Began,
    Contributions,
    Ended,
    Event,
    Improved,
    Note,
    State,
    Step,
    Tick,
    Workers,
    WorkerState,
)

VERSION: Final = 2
"""Version of the format; version 1 had neither ``event`` nor other lines than improvements and workers."""

FLUSH_SECONDS = 0.1
"""An improvement after this much silence is written at once; a burst is flushed at the next tick."""

TOTAL_SECONDS = 0.25
"""Minimum seconds between two lines of contributions or one kind of step: their numbers are totals, so none is lost."""


class Trace:
    """A listener that writes a line for the beginning, each improvement, bound, step and note, and the end.

    Lines are flushed at every tick, so a run can be followed live, and a killed run loses only its last moment.

    ``path``: output file, of this run alone; an existing file is replaced
    ``tours``: what the first line says of a sidecar with the tours
    ``complete``: whether everything could be written
    """

    def __init__(self, path: str | PathLike[str], *, tours: bool = False) -> None:
        try:
            self._file = open_alone(path)  # closed by __exit__
        except OSError as error:
            raise InputError(f"cannot write the trace: {error.strerror}", path) from None
        self.path = Path(path)
        self.complete = True
        self._tours = tours
        self._lines: list[str] = []
        self._flushed_at = math.inf  # what is written first comes with a solution, or a search that can be interrupted
        self._lower_bound: float | None = None
        self._totals: dict[str, tuple[float, dict[str, Any]]] = {}
        """Of each kind of step, and of contributions: when the last line was written, and what is new since then."""

    def __call__(self, event: Event) -> None:
        state = event.state
        if isinstance(event, Step | Contributions):
            key = event.of if isinstance(event, Step) else ""
            written_at, _ = self._totals.get(key, (-TOTAL_SECONDS, {}))
            self._totals[key] = (written_at, _totals(event))
        self._add_totals(state, last=isinstance(event, Ended))
        facts = self._facts(event)
        if facts is not None:
            self._add(state, facts)
        first = isinstance(event, Improved) and math.isinf(self._flushed_at)
        if first or isinstance(event, Tick | Ended) or state.seconds - self._flushed_at >= FLUSH_SECONDS:
            self._flushed_at = state.seconds
            self._flush()

    def _facts(self, event: Event) -> dict[str, Any] | None:
        """Return what the line of an event says, or None if it has none, or not yet."""
        match event:
            case Began(facts=facts):
                return {"event": "begin", "version": VERSION, **facts, "warptour": __version__, "tours": self._tours}
            case Improved(state=state):
                self._lower_bound = state.lower_bound
                routes = {"routes": event.routes} if event.routes else {}
                return {"event": "improvement", **_cost(state), **routes}
            case Tick(state=state) if state.lower_bound != self._lower_bound and state.cost is not None:
                self._lower_bound = state.lower_bound
                return {"event": "bound", **_cost(state)}
            case Note(text=text, lasting=lasting):
                return {"event": "note", "text": text, "lasting": lasting}
            case Workers(rows=workers):
                return {"event": "workers", "workers": [_worker(row) for row in workers]}
            case Ended(state=state, reason=reason, interrupted=interrupted, device=device, workers=count):
                told = {"ended": reason, "interrupted": interrupted, "device": device, "workers": count}
                return {"event": "end", **_cost(state), **told}
            case _:
                return None

    def _add(self, state: State, facts: dict[str, Any]) -> None:
        line = {"event": facts.pop("event"), "t": round(state.seconds, 6), **facts}
        self._lines.append(json.dumps(line) + "\n")

    def _add_totals(self, state: State, last: bool) -> None:
        """Add lines for the totals that are due, or for the last of them."""
        for key, (written_at, facts) in self._totals.items():
            if facts and (last or state.seconds - written_at >= TOTAL_SECONDS):
                self._totals[key] = (state.seconds, {})
                self._add(state, facts)

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


def _cost(state: State) -> dict[str, Any]:
    facts: dict[str, Any] = {"cost": state.cost, "iterations": state.iterations, "moves": state.moves}
    if state.lower_bound is not None:
        facts |= {"lower_bound": state.lower_bound, "bound_gap": state.bound_gap}
    return facts


def _worker(row: WorkerState) -> dict[str, Any]:
    facts = {**asdict(row), "rate": round(row.rate, 1)}
    return facts if row.unit else {name: value for name, value in facts.items() if name != "unit"}


def _totals(event: Step | Contributions) -> dict[str, Any]:
    """Return what the line of a step or of contributions says."""
    if isinstance(event, Contributions):
        return {"event": "contributions", "rows": [_contribution(asdict(row)) for row in event.rows]}
    known = {name: value for name, value in event.facts.items() if math.isfinite(value)}
    return {"event": "step", "of": event.of, "number": event.number, "facts": known}


def _contribution(row: dict[str, Any]) -> dict[str, Any]:
    return {"name": row.pop("neighborhood"), **row, "seconds": round(row["seconds"], 3)}
