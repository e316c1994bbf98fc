"""``python -m warptour.view.leash ...``: the ordinary command, which ends when its standard input does.

The server holds the other end of that pipe. However the server ends, the operating system closes it: the run is then
asked to stop, with its best solution, and its processes are killed if they have not ended soon.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
import time
from types import FrameType

GRACE_SECONDS = 5.0
"""How long a run may take to end with its best solution."""


def watch() -> None:
    """End this process, and those that it started, once the server has gone."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)


def leave(number: int, frame: FrameType | None) -> None:
    """Exit on a signal before there is anything to lose."""
    os._exit(128 + number)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    threading.Thread(target=watch, daemon=True).start()
    sys.argv[0] = "warptour"
    runpy.run_module("warptour", run_name="__main__", alter_sys=True)
