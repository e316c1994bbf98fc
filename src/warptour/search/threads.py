"""Worker threads for compiled calls, which release the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from threading import Event
from types import TracebackType
from typing import Self, TypeAlias, TypeVar

from warptour.kernels.cores import usable_cores
from warptour.kernels.groups import start_pool

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Poll: TypeAlias = Callable[[], bool]
"""Called on the main thread while others work, so that time limits, signals and progress hold; True ends the work."""

POLL_SECONDS = 0.05


class ThreadPool:
    """A fixed number of threads that work through a list of compiled calls.

    With one thread the calls run where they are made, so that a single-threaded run is a plain loop. Those beyond the
    number of cores wait their turn; where the system starts fewer threads, those do the work of all.

    Attributes
    ----------
    threads : int
        Into how many parts work is divided.
    turns : int
        How many parts a core has: by so much the share of each must be smaller where all are waited for.
    """

    def __init__(self, threads: int) -> None:
        self.threads = max(1, threads)
        at_once = min(self.threads, usable_cores())
        self.oversubscription = -(-self.threads // at_once)
        self._pool = start_pool(at_once) if self.threads > 1 else None

    def map(self, function: Callable[[Item], Answer], items: Iterable[Item]) -> list[Answer]:
        """Return ``[function(item) for item in items]``, computed side by side; each call should be short."""
        if self._pool is None:
            return [function(item) for item in items]
        return list(self._pool.map(function, items))

    def work(self, function: Callable[[Item, Poll], None], items: Iterable[Item], poll: Poll) -> None:
        """Call ``function(item, halted)`` for all items side by side, tending meanwhile.

        ``function`` asks ``halted()`` every 50 ms or so and returns soon after it is true; items that were not begun
        by then are left out.
        """
        if self._pool is None:
            for item in items:
                if poll():
                    return
                function(item, poll)
            return
        halt = Event()
        try:
            pending: set[Future[None]] = {self._pool.submit(function, item, halt.is_set) for item in items}
            while pending:
                done, pending = wait(pending, POLL_SECONDS)
                for future in done:
                    future.result()
                if not halt.is_set() and poll():
                    halt.set()
                    pending -= {future for future in pending if future.cancel()}
        finally:
            halt.set()  # what one of them raised ends the others, too

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
