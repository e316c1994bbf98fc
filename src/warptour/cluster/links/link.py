"""What connects a coordinator with a member, whatever carries it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from warptour.model.errors import WarptourError


class LostError(WarptourError):
    """The other end of a link has gone; the message says how that was noticed."""


class UnreadableError(LostError):
    """A message that cannot be read here."""


class Link(Protocol):
    """One end of a connection; messages are data (data.py), and come in the order in which they were sent.

    Arrays may be on their way after :meth:`send` has returned: the sender leaves them as they are.
    """

    name: str  # name of the other end, as people read it: ``process 3``, ``rank 1 on host``, ``cuda:0``

    sent: int  # bytes of all messages sent; 0 where arrays are passed, not copied

    received: int

    wake: Callable[[], object]  # called, on any thread, when there is something to receive; links of MPI do not call it

    def send(self, message: object) -> None:
        """Send a message; raises :class:`LostError` if the other end has gone."""

    def receive(self, seconds: float) -> object | None:
        """Return the next message, or None if there is none within ``seconds``; raises :class:`LostError`."""

    def close(self) -> None:
        """Let the other end go, by force if it does not go by itself."""


def sleep_on() -> None:
    """Do nothing: ``wake`` of a link that nobody waits for."""
