"""Run the groups of a kernel on threads: ctypes calls release the interpreter's lock."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from functools import cache
from typing import Any


def usable_threads(threads: int | None) -> int:
    """Return ``threads``, or for None the number of CPUs that this process may use."""
    if threads is not None:
        return max(1, threads)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
    call: Callable[..., None], groups: int, threads: int | None, *arguments: Any, pool: Pool | None = None
) -> None:
    """Call ``call(group, groups, *arguments)`` for every group, side by side.

    Parameters
    ----------
    call : function
        A kernel from :func:`warptour.kernels.library.kernel`.
    groups : int
        Into how many parts the work is cut; choose it so that one part takes 50 ms or less.
    threads : int or None
        How many run at once; None for all CPUs.
    *arguments
        The kernel's own.
    pool : Pool, optional
        Threads that are kept, for work so short that starting them would show.
    """
    workers = min(groups, usable_threads(threads))
    crew = None if workers <= 1 else start_pool(workers) if pool is None else pool
    if crew is None:
        for group in range(groups):
            call(group, groups, *arguments)
        return
    with crew if pool is None else nullcontext():
        for done in [crew.submit(call, group, groups, *arguments) for group in range(groups)]:
            done.result()
