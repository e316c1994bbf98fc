"""The program called inside this process, which is left as it was."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def called_program() -> Iterator[None]:
    """Restore what the program changes in its process: handlers of signals, and where warnings go."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    with warnings.catch_warnings():
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
