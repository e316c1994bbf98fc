"""Signals that end a search instead of the program.

Ctrl-C and SIGTERM should cost nobody a tour. While an :class:`Interrupt` is
entered, the first signal only calls its ``action``; a later one falls back to
what the signal did before, so an impatient second Ctrl-C works wherever a first
one would have.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

ECHO_SECONDS = 0.5
"""A second signal this soon is the same keystroke: runners such as make or uv pass it on to a child that has it."""


class Interrupted(BaseException):
    """Raised in the main thread by a signal that finds no solution to save. Not an Exception, as KeyboardInterrupt."""


class Interrupt:
    """Catches ``signals`` while entered; does nothing outside the main thread, where Python delivers none.

    Attributes
    ----------
    action : callable
        Called by the first signal. It sets a flag, or raises :class:`Interrupted` where there is nothing to lose.
    received : int or None
        The first signal that came.
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
        """Replace the action; if a signal has come already and was not obeyed, the new action is called now.

        What a signal raises is lost where Python swallows exceptions: in destructors and weak references' callbacks.
        """
        self.action = action
        if self.received is not None:
            action()

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self.received is None:
            self.received, self._received_at = number, time.monotonic()
            self.action()
        elif time.monotonic() - self._received_at > ECHO_SECONDS:
            before = self._before.get(number)
            if callable(before):
                before(number, frame)
            elif before is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
                signal.raise_signal(number)


def give_up() -> None:
    """The action while there is nothing to save yet."""
    raise Interrupted
