"""Run the groups of a kernel on threads: ctypes calls release the interpreter's lock."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import nullcontext, suppress
from functools import cache
from typing import Any, TypeAlias

from warptour.kernels.cores import usable_cores

Over: TypeAlias = Callable[[], bool]
"""Asked on the main thread every 50 ms or so; once it returns True, work ends with :class:`Unfinished`."""

ASK_SECONDS = 0.05


class Unfinished(Exception):
    """Work was told that there is no time left for it."""


def usable_threads(threads: int | None) -> int:
    """Return ``threads``, or for None the number of cores that this process may use."""
    return usable_cores() if threads is None else max(1, threads)


def go_on(over: Over | None) -> None:
    """Raise :class:`Unfinished` if ``over()``."""
    if over is not None and over():
        raise Unfinished


class Pool(ThreadPoolExecutor):
    """Worker threads that make do with those they have where the system lets no more be started."""

    def _adjust_thread_count(self) -> None:
        try:
            super()._adjust_thread_count()
        except RuntimeError:
            if not self._threads:
                raise
            _warn_of_fewer()


def start_pool(threads: int) -> Pool | None:
    """Return up to ``threads`` worker threads, one of them started; None where the system starts none."""
    pool = Pool(threads, "warptour")
    with suppress(RuntimeError):
        pool.submit(int)
        return pool
    _warn_of_fewer()
    return None


@cache
def _warn_of_fewer() -> None:
    """Say, once, why all takes longer than it should."""
    warnings.warn("the system starts no more threads: going on with those there are", RuntimeWarning, stacklevel=2)


def run_groups(
    call: Callable[..., None],
    groups: int,
    threads: int | None,
    *arguments: Any,
    pool: Pool | None = None,
    over: Over | None = None,
) -> None:
    """Call ``call(group, groups, *arguments)`` for every group, side by side.

    Parameters
    ----------
    call : function
        A kernel from :func:`warptour.kernels.library.kernel`.
    groups : int
        Into how many parts the work is cut; choose it so that one part takes 50 ms or less.
    threads : int or None
        How many run at once, no more than there are cores; None for all of these.
    *arguments
        The kernel's own.
    pool : Pool, optional
        Threads that are kept, for work so short that starting them would show.
    over : callable, optional
        Ends the work between two groups, with :class:`Unfinished`.
    """
    workers = min(groups, usable_threads(threads), usable_cores())
    pool = None if workers <= 1 else start_pool(workers) if pool is None else pool
    if pool is None:
        for group in range(groups):
            go_on(over)
            call(group, groups, *arguments)
        return
    with pool if pool is None else nullcontext():
        pending: set[Future[None]] = {pool.submit(call, group, groups, *arguments) for group in range(groups)}
        try:
            while pending:
                done, pending = wait(pending, None if over is None else ASK_SECONDS)
                for future in done:
                    future.result()
                if pending:
                    go_on(over)
        finally:
            left = {future for future in pending if not future.cancel()}
            wait(left)  # the arrays must outlive the calls that write to them
