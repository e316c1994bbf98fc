"""The threads of a search, and their one owner."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from threading import Event
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar

from warptour.kernels.cores import usable_cores
from warptour.kernels.groups import Pool, run_groups, start_pool

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Poll: TypeAlias = Callable[[], bool]
"""Called on the main thread while others work, so that time limits, signals and progress hold; True ends the work."""

POLL_SECONDS = 0.05
"""Seconds between two polls, so that signals and time limits take effect at once."""


class ThreadPool:
    """A fixed number of threads for compiled calls, which release the interpreter's lock.

    It owns its threads and those of the pools :meth:`beside` it: leaving the ``with`` block ends all of them. A pool of
    one thread calls in place, so a single-threaded run is a plain loop. Threads beyond the number of cores wait; where
    the system starts fewer threads, those do all the work.

    ``threads``: number of parts into which work is divided
    ``at_once``: number of threads that run at a time, at most one per core
    ``oversubscription``: parts per core; work that is waited for must be smaller by this factor to keep its latency
    ``closed``: set when the ``with`` block is left: what :meth:`start` called ends soon after
    """

    def __init__(self, threads: int) -> None:
        self.threads = max(1, threads)
        self.at_once = min(self.threads, usable_cores())
        self.oversubscription = -(-self.threads // self.at_once)
        self._pool = start_pool(self.at_once) if self.threads > 1 else None
        self._beside: list[ThreadPool] = []
        self._driver: Pool | None = None
        self.closed = Event()

    def beside(self, threads: int) -> ThreadPool:
        """Return further threads, for work that must not wait for this pool's; they end with it."""
        pool = ThreadPool(threads)
        self._beside.append(pool)
        return pool

    def start(self, function: Callable[[], Answer]) -> Future[Answer] | None:
        """Call ``function`` on one further thread, such as one that drives a device; None where none can be started."""
        if self._driver is None:
            self._driver = start_pool(1)
        return None if self._driver is None else self._driver.submit(function)

    def map(self, function: Callable[[Item], Answer], items: Iterable[Item]) -> list[Answer]:
        """Return ``[function(item) for item in items]``, computed in parallel; each call should be short."""
        if self._pool is None:
            return [function(item) for item in items]
        return list(self._pool.map(function, items))

    def run_groups(self, call: Callable[..., None], *arguments: Any) -> None:
        """Call ``call(group, groups, *arguments)`` for as many groups as there are threads, in parallel."""
        run_groups(call, self.threads, self.threads, *arguments, pool=self._pool)

    def work(self, function: Callable[[Item, Poll], None], items: Iterable[Item], poll: Poll) -> None:
        """Call ``function(item, halted)`` for all items in parallel, polling meanwhile.

        ``function`` asks ``halted()`` at least every 50 ms and returns soon after it is true; items that were not
        started by then are skipped.
        """
        if self._pool is None:
            for item in items:
                if poll():
                    return
                function(item, poll)
            return
        if poll():
            return
        halt = Event()
        pending: set[Future[None]] = {self._pool.submit(function, item, halt.is_set) for item in items}
        try:
            while pending:
                done, pending = wait(pending, POLL_SECONDS)
                for future in done:
                    future.result()
                if not halt.is_set() and poll():
                    halt.set()
                    pending -= {future for future in pending if future.cancel()}
        finally:
            halt.set()  # an error in one call ends the others too
            wait({future for future in pending if not future.cancel()})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closed.set()
        for pool in (self._pool, self._driver):
            if pool is not None:
                pool.shutdown(cancel_futures=True)
        for beside in self._beside:
            beside.__exit__(kind, error, trace)
