"""Connections of the server: fewer than there are descriptors, and none that waits for a client for long."""

from __future__ import annotations

from asyncio import AbstractEventLoop, Protocol, TimerHandle
from types import ModuleType
from typing import Any, Final

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None

AT_ONCE: Final = 4
"""The backlog of connections that wait to be accepted is the maximum number of connections divided by this."""
CLIENT_SECONDS = 10.0
"""How long a client may take for the head of a request, and between two parts of its body."""


def most_connections(most: int) -> int:
    """Return how many of ``most`` connections there may be: each takes a descriptor, and one more for a file."""
    soft = -1 if resource is None else resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return most if soft < 0 else max(1, min(most, soft // 4))


class Bounded(Protocol):
    """What uvicorn's ``H11Protocol``, the next base class, lacks: an end for clients that are silent or too many.

    A new connection above ``most`` takes the place of the one that has waited longest for its client, or is refused if
    all are being answered.
    """

    loop: AbstractEventLoop
    connections: set[Any]
    transport: Any
    cycle: Any
    flow: Any

    most = 64
    _due: str | None = None
    """What the client has to send: ``head``, ``body``, or nothing."""
    _timer: TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Make room for a connection."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            waiting = [each for each in self.connections if each._timer is not None]
            min(waiting, key=lambda each: each._timer.when(), default=self)._end()
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Take what a client has sent."""
        super().data_received(data)
        self._expect()

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        super().on_response_complete()  # type: ignore[misc]
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._wait_for(None)
        super().connection_lost(exc)

    def _expect(self) -> None:
        """Set the time by which the client must have sent the head of a request, or more of a body."""
        answered = self.cycle is None or self.cycle.response_complete
        due = "head" if answered else "body" if self.cycle.more_body else None
        if not self.transport.is_closing() and not due == self._due == "head":
            self._wait_for(due)

    def _wait_for(self, due: str | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._due = due
        self._timer = None if due is None else self.loop.call_later(CLIENT_SECONDS, self._give_up)

    def _give_up(self) -> None:
        if self.flow.read_paused:  # it is the server that does not read
            self._wait_for(self._due)
        else:
            self._end()

    def _end(self) -> None:
        self._wait_for(None)
        self.transport.abort()
