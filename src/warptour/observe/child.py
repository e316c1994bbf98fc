"""Commands of child processes: this interpreter, and warptour itself.

A child started with ``-c`` or ``-m`` would import modules from the current folder first: a ``numpy.py`` beside
somebody's stops would be run. ``-P`` keeps that folder off its path.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from subprocess import Popen


def python(*words: str) -> list[str]:
    """Return the command that runs this interpreter on ``words``, with no module from the current folder."""
    return [sys.executable, "-P", *words]


def program(*words: str, module: str = "warptour") -> list[str]:
    """Return the command that runs a module of this package, by default the command line, with ``words``."""
    return python("-m", module, *words)


def kill(process: Popen[Any] | Process) -> None:
    """Kill a process that has a session of its own, and those that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
