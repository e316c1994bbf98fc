"""A lower bound proved beside a search, on a thread of its own."""

from __future__ import annotations

import warnings
from threading import Event, Thread
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from warptour.model.vehicles import VRP
from warptour.search.search import Search

PATIENCE_SECONDS = 0.2
"""How long the end of a search waits for the thread, whose last native call may take longer."""


class Bounding:
    """Context manager: raises ``search.lower_bound`` while its block runs.

    The thread is a daemon: with millions of cities an iteration of the ascent takes longer than a search may overrun
    its limit. With ``prove`` it is to prove the best tour optimal by branch and cut.
    """

    def __init__(self, search: Search[Any], prove: bool = False) -> None:
        self._search, self._prove = search, prove
        self._over = Event()
        self._failure: Exception | None = None
        self._thread = Thread(target=self._work, name="warptour-bound", daemon=True)

    def _work(self) -> None:
        from warptour.bound import prove_bound
        from warptour.bound.vehicles import prove_vehicles

        search, over = self._search, self._over.is_set
        try:
            if isinstance(search.given, VRP):
                prove_vehicles(search.given, search.seconds_left(), over, search.raise_bound, self._plan)
            else:
                tour = self._tour if self._prove else None
                prove_bound(search.given, search.seconds_left(), 1, over, search.raise_bound, self._cost, tour)
        except Exception as error:  # the search goes on without
            self._failure = error

    def _cost(self) -> int | float | None:
        return self._search.cost

    def _tour(self) -> NDArray[np.int32] | None:
        best = self._search.best
        return best if isinstance(best, np.ndarray) else None

    def _plan(self) -> tuple[int | float, Any] | None:
        cost, best = self._search.cost, self._search.best
        return None if cost is None else (cost, best)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join(PATIENCE_SECONDS)
        if self._failure is not None:
            warnings.warn(f"the lower bound was not pursued: {self._failure}", RuntimeWarning, stacklevel=2)
