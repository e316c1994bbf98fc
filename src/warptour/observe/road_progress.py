"""Progress with roads, as a bar on a terminal: reading an extract, contracting its network, tables."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO

from warptour.roads.told import LISTENER

FIRST: Final = 0.5
"""Seconds before anything is shown."""


@contextmanager
def road_progress(stream: TextIO | None) -> Iterator[None]:
    """Show what is built from an extract on ``stream``, if it is a terminal and building takes long."""
    if stream is None or not stream.isatty():
        yield
        return
    bar = _Bar(stream)
    token = LISTENER.set(bar.report)
    try:
        yield
    finally:
        LISTENER.reset(token)
        bar.end()


class _Bar:
    """One line, erased at the end."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._began = stream, time.monotonic()
        self._shown: Any = None
        self._task: Any = None
        self._what = ""

    def report(self, what: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are done, 0 where the total is unknown."""
        if time.monotonic() - self._began < FIRST:
            return
        if self._shown is None:
            self._open()
        if what != self._what:
            self._what = what
            self._shown.reset(self._task, description=what)
        self._shown.update(self._task, completed=done, total=total or None)

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        self._shown = Progress(*columns, console=Console(file=self._stream), transient=True)
        self._shown.start()
        self._task = self._shown.add_task("", total=None)

    def end(self) -> None:
        """Erase the line."""
        if self._shown is not None:
            self._shown.stop()
