"""Child processes: their CPU time, and their end when they take too long."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from warptour.model.errors import UsageError
from warptour.observe.child import kill

POLL_SECONDS: Final = 0.01
SINGLE: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables that limit the threads of numerical libraries."""


@dataclass(frozen=True)
class ExitStatus:
    """How a child ended."""

    wall: float  # seconds from start to end
    cpu: float | None  # CPU seconds of the child and of what it waited for; None where the system does not tell
    code: int  # exit code; the negative signal number of a child that a signal ended
    killed: bool  # whether it was killed at its deadline


def run_child(words: Sequence[str], log: Path, deadline: float, threads: int = 1) -> ExitStatus:
    """Run a command to its end, or for ``deadline`` seconds; what it prints goes to the file ``log``."""
    environment = os.environ | dict.fromkeys(SINGLE, str(threads))
    began = time.perf_counter()
    try:
        with open(log, "wb") as output:
            child = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=environment,
                start_new_session=True,
            )  # fmt: skip
    except OSError as error:
        raise UsageError(f"cannot run {words[0]}: {error.strerror}") from None
    killed = False
    try:
        while (cpu := _reap(child)) is None:
            if not killed and time.perf_counter() - began > deadline:
                kill(child)
                killed = True
            time.sleep(POLL_SECONDS)
    except BaseException:  # interrupted
        kill(child)
        while _reap(child) is None:
            time.sleep(POLL_SECONDS)
        raise
    return ExitStatus(time.perf_counter() - began, cpu if cpu >= 0 else None, child.returncode, killed)


def _reap(child: subprocess.Popen[Any]) -> float | None:
    """Return the CPU seconds of a child that has ended (-1 if unknown), or None while it runs."""
    if not hasattr(os, "wait4"):
        return None if child.poll() is None else -1.0
    pid, status, usage = os.wait4(child.pid, os.WNOHANG)
    if pid == 0:
        return None
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime
