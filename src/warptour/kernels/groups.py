"""Run the groups of a kernel on threads: ctypes calls release the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any


def usable_threads(threads: int | None) -> int:
    """Return ``threads``, or for None the number of CPUs that this process may use."""
    if threads is not None:
        return max(1, threads)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_groups(
    call: Callable[..., None], groups: int, threads: int | None, *arguments: Any, pool: ThreadPoolExecutor | None = None
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
    pool : ThreadPoolExecutor, optional
        Threads that are kept, for work so short that starting them would show.
    """
    workers = min(groups, usable_threads(threads))
    if workers <= 1:
        for group in range(groups):
            call(group, groups, *arguments)
        return
    with ThreadPoolExecutor(workers, "warptour") if pool is None else nullcontext(pool) as crew:
        for done in [crew.submit(call, group, groups, *arguments) for group in range(groups)]:
            done.result()
