"""The trace: what happened and when, one JSON object a line."""

from __future__ import annotations

import json
from os import PathLike
from typing import Self

from warptour.model.errors import InputError
from warptour.observe.events import Event, Improved, State, Tick


class Trace:
    """A listener that writes ``{"t", "cost", "iterations"}`` for each improvement, and once more at the end.

    Lines reach the file within a tick, so a run can be watched, and a killed one leaves all but its last moment.

    Parameters
    ----------
    path : path-like
        Where to write; an existing file is replaced.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        try:
            self._file = open(path, "w", encoding="utf-8")  # noqa: SIM115 (closed by __exit__)
        except OSError as error:
            raise InputError(f"cannot write the trace: {error.strerror}", path) from None

    def __call__(self, event: Event) -> None:
        if isinstance(event, Improved):
            self._write(event.state)
        elif isinstance(event, Tick):
            self._file.flush()

    def finish(self, state: State) -> None:
        """Write where the search ended."""
        if state.cost is not None:
            self._write(state)

    def _write(self, state: State) -> None:
        line = {"t": round(state.seconds, 6), "cost": state.cost, "iterations": state.iterations}
        self._file.write(json.dumps(line) + "\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
