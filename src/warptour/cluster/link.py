"""What connects a coordinator with a member, whatever carries it."""

from __future__ import annotations

from typing import Protocol

from warptour.model.errors import WarptourError


class LostError(WarptourError):
    """The other end of a link has gone; the message says how that was noticed."""


class Link(Protocol):
    """One end of a connection; messages are pickled, and come in the order in which they were sent."""

    name: str
    """Of the other end, for people: ``process 3``, ``rank 1 on host``, ``cuda:0``."""

    def send(self, message: object) -> None:
        """Send a message; raises :class:`LostError` if the other end has gone."""

    def receive(self, seconds: float) -> object | None:
        """Return the next message, or None if there is none within ``seconds``; raises :class:`LostError`."""

    def close(self) -> None:
        """Let the other end go, by force if it does not go by itself."""
