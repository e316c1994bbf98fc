"""Progress in notebooks, by the display of IPython: Jupyter, VS Code, Colab. The one place that imports it."""

from __future__ import annotations

import html
import math
import sys
from contextlib import suppress
from typing import Any, Final, Self

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.events import Ended, Event, State
from warptour.observe.progress import Progress, Told, progress

UPDATE_SECONDS: Final = 0.25
"""Minimum seconds between two updates."""


def live_progress(problem: TSP | VRP, seconds: float, unit: str) -> Progress:
    """Return the display of a search in Python: in a notebook below the cell, otherwise on standard error.

    ``seconds`` is the time limit, infinite without one.
    """
    limit = seconds if math.isfinite(seconds) else None
    return Notebook(problem, limit, unit) if in_notebook() else progress(sys.stderr, problem, limit, unit)


def in_notebook() -> bool:
    """Return whether this is the kernel of a notebook."""
    if "IPython" not in sys.modules:
        return False
    import IPython

    return getattr(IPython.get_ipython(), "kernel", None) is not None


class Notebook(Told):
    """A line below the cell with a bar, updated in place; as plain text where there is no HTML."""

    def __init__(self, problem: TSP | VRP, seconds: float | None, unit: str) -> None:
        super().__init__(problem, unit, seconds)
        self._updated_at = -UPDATE_SECONDS
        self._handle: Any = None

    def __enter__(self) -> Self:
        import IPython.display

        bundle = self._bundle(State(0.0, None, 0, 0))
        self._handle = IPython.display.display(bundle, raw=True, display_id=True)
        return self

    def __call__(self, event: Event) -> None:
        self.take(event)
        if isinstance(event, Ended) or event.state.seconds - self._updated_at >= UPDATE_SECONDS:
            self._updated_at = event.state.seconds
            with suppress(Exception):  # whatever the front end does, the search goes on
                self._handle.update(self._bundle(event.state), raw=True)

    def _bundle(self, state: State) -> dict[str, str]:
        clock = f"{state.seconds:.1f} s" + (f" of {self._limit:g}" if self._limit else "")
        text = "  ".join([*self.words(state, clock), *self._lasting])
        bar = ""
        if self._limit:
            bar = f'<progress max="{self._limit:g}" value="{min(state.seconds, self._limit):.2f}"></progress> '
        return {"text/plain": text, "text/html": f"<div>{bar}{html.escape(text)}</div>"}
