"""Signals that end the search instead of the process.

Ctrl-C and SIGTERM must not lose a tour. Inside an :class:`Interrupt` block the
first signal only calls ``action``; later ones get the previous handler, so a
second Ctrl-C acts as a first one normally does.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

ECHO_SECONDS = 0.5
"""A second signal within this time is an echo: runners such as make or uv forward it to a child that has it already."""


class Interrupted(BaseException):
    """Raised in the main thread by a signal before there is a solution to save.

    A BaseException, like KeyboardInterrupt.
    """


class Interrupt:
    """Context manager that catches ``signals``; a no-op outside the main thread, where Python delivers no signals.

    ``action``: Called on the first signal. It sets a flag, or raises :class:`Interrupted` if there is nothing to lose.
    ``received``: the first signal received
    """

    def __init__(self, *signals: int, action: Callable[[], None]) -> None:
        self.signals = signals
        self.action = action
        self.received: int | None = None
        self._received_at = 0.0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._receive) for number in self.signals}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}

    def redirect(self, action: Callable[[], None]) -> None:
        """Replace the action; if a signal has been received already, call the new action at once.

        An exception raised in a signal handler is lost where Python swallows exceptions: in destructors and weak
        reference callbacks.
        """
        self.action = action
        if self.received is not None:
            action()

    def receive(self, number: int) -> None:
        """Act on a signal that another process got."""
        if self.received is None:
            self.received, self._received_at = number, time.monotonic()
            self.action()

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self.received is None:
            self.receive(number)
        elif time.monotonic() - self._received_at > ECHO_SECONDS:
            before = self._before.get(number)
            if callable(before):
                before(number, frame)
            elif before is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
                signal.raise_signal(number)


def give_up() -> None:
    """Raise :class:`Interrupted`: the action while there is no solution to save yet."""
    raise Interrupted
