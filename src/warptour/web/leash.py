"""``python -P -m warptour.web.leash ...``: the ordinary command, which ends when its standard input does.

The server holds the other end of that pipe. It writes :data:`STOP` to ask the run to end with its best solution, as
Ctrl-C does. However the server ends, the operating system closes the pipe: the run is then asked the same, and its
processes are killed if they have not ended soon.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
import time
from types import FrameType

STOP = b"s"
GRACE_SECONDS = 5.0
"""How long a run may take to end with its best solution."""


def watch() -> None:
    """Do as the server says; once it has gone, end this process, and those that it started."""
    while word := os.read(0, 1):
        if word == STOP:
            interrupt(signal.SIGINT)
    interrupt(signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(128 + signal.SIGTERM)


def interrupt(number: int) -> None:
    """Send this process a signal; on Windows, where that would end it, call its handler."""
    if os.name == "nt":
        signal.raise_signal(number)
    else:
        os.kill(os.getpid(), number)


def leave(number: int, frame: FrameType | None) -> None:
    """Exit on a signal before there is anything to lose."""
    os._exit(128 + number)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    threading.Thread(target=watch, daemon=True).start()
    sys.argv[0] = "warptour"
    runpy.run_module("warptour", run_name="__main__", alter_sys=True)
