"""Run the groups of a native kernel on a thread pool; ctypes calls release the interpreter lock."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import nullcontext, suppress
from functools import cache
from typing import Any, TypeAlias

from warptour.kernels.cores import usable_cores

Over: TypeAlias = Callable[[], bool]
"""Stop condition, polled on the main thread about every 50 ms; True ends the work with :class:`Unfinished`."""

ASK_SECONDS = 0.05
"""Polling interval of the stop condition."""


class Unfinished(Exception):
    """Work was stopped before it finished, because its stop condition became true."""


def usable_threads(threads: int | None) -> int:
    """Return ``threads``, at least 1, or the number of available cores for None."""
    return usable_cores() if threads is None else max(1, threads)


def go_on(over: Over | None) -> None:
    """Raise :class:`Unfinished` if ``over()``."""
    if over is not None and over():
        raise Unfinished


class Pool(ThreadPoolExecutor):
    """Thread pool that continues with its running threads if the system refuses to start more."""

    def _adjust_thread_count(self) -> None:
        try:
            super()._adjust_thread_count()
        except RuntimeError:
            if not self._threads:
                raise
            _warn_of_fewer()


def start_pool(threads: int) -> Pool | None:
    """Return a pool of up to ``threads`` threads, one already started; None if the system cannot start any."""
    pool = Pool(threads, "warptour")
    with suppress(RuntimeError):
        pool.submit(int)
        return pool
    _warn_of_fewer()
    return None


@cache
def _warn_of_fewer() -> None:
    """Warn once that fewer threads run than requested."""
    warnings.warn("the system starts no more threads: going on with those there are", RuntimeWarning, stacklevel=2)


def run_groups(
    call: Callable[..., None],
    groups: int,
    threads: int | None,
    *arguments: Any,
    pool: Pool | None = None,
    over: Over | None = None,
) -> None:
    """Call ``call(group, groups, *arguments)`` for every group, in parallel.

    ``call``: a kernel from :func:`warptour.kernels.library.kernel`
    ``groups``: number of parts of the work; a part should take 50 ms or less, so that ``over`` is polled in time
    ``threads``: number of threads, at most the available cores; None for all cores
    ``*arguments``: the kernel's own arguments
    ``pool``: existing pool to use, for work so short that starting threads would cost noticeable time
    ``over``: stop condition, checked between groups; raises :class:`Unfinished`
    """
    workers = min(groups, usable_threads(threads), usable_cores())
    kept = pool is not None
    pool = None if workers <= 1 else pool if kept else start_pool(workers)
    if pool is None:
        for group in range(groups):
            go_on(over)
            call(group, groups, *arguments)
        return
    with nullcontext() if kept else pool:
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
