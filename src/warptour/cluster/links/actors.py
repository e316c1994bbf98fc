"""Actors of Ray that are members, and the links to them."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any

import numpy as np

from warptour.cluster.links.wire import Part, QueueLink, pack, room, size_of
from warptour.cluster.member import serve
from warptour.cluster.plan import divided
from warptour.model.errors import MissingLibrary

TAKE_SECONDS = 5.0
"""How long an actor holds a request for messages when it has none."""

ACTOR_SECONDS = 30.0
"""How long an actor may take to start: a worker process and its imports."""


def library() -> Any:
    """Return Ray."""
    try:
        import ray
    except ImportError:
        raise MissingLibrary("--cluster ray needs Ray: pip install 'warptour[ray]'") from None
    return ray


class Seat(QueueLink):
    """What runs in an actor: a thread that serves, and its messages, which the coordinator puts in and takes out."""

    imports = True

    def __init__(self) -> None:
        super().__init__("coordinator")
        self._lock = Lock()
        self._early: dict[int, list[Part]] = {}
        self._next = 0
        self._outbox = SimpleQueue[list[Part]]()
        Thread(target=serve, args=(self, None, divided), daemon=True).start()

    def ready(self) -> bool:
        """Return True: the actor runs."""
        return True

    def put(self, number: int, *parts: Part) -> None:
        """Take a message of the coordinator; calls of an actor with several threads may overtake each other."""
        with self._lock:
            self._early[number] = list(parts)
            while (now := self._early.pop(self._next, None)) is not None:
                self._next += 1
                self._inbox.put(_own(now))

    def take(self) -> list[list[Part]]:
        """Return the messages for the coordinator, after some seconds none."""
        try:
            taken = [self._outbox.get(timeout=TAKE_SECONDS)]
        except Empty:
            return []
        while not self._outbox.empty():
            taken.append(self._outbox.get())
        return taken

    def send(self, message: object) -> None:
        """Send a message to the coordinator."""
        parts = pack(message)
        self.sent += sum(map(size_of, parts))
        self._outbox.put(_carried(parts))

    def close(self) -> None:
        """The actor ends by its coordinator."""


class ActorLink(QueueLink):
    """The link to an actor; a thread waits for its messages."""

    def __init__(self, name: str, actor: Any) -> None:
        super().__init__(name)
        self.actor = actor
        self._number = 0
        self._closed = False
        Thread(target=self._take, name=f"warptour-{name}", daemon=True).start()

    def send(self, message: object) -> None:
        """Send a message, without waiting until it was received."""
        parts = pack(message)
        self.sent += sum(map(size_of, parts))
        self.actor.put.remote(self._number, *_carried(parts))
        self._number += 1

    def close(self) -> None:
        """End the actor."""
        self._closed = True
        library().kill(self.actor)

    def _take(self) -> None:
        ray = library()
        try:
            ray.get(self.actor.ready.remote(), timeout=ACTOR_SECONDS)
            while not self._closed:
                for parts in ray.get(self.actor.take.remote()):
                    self._inbox.put(_own(parts))
                    self.wake()
        except Exception as error:
            self._inbox.put(f"{self.name}: {reason_of(error)}")
            self.wake()


def _carried(parts: list[Part]) -> list[Part]:
    """Return parts as Ray carries them: arrays go through its shared memory."""
    return [parts[0], *(np.frombuffer(part, np.uint8) for part in parts[1:])]


def _own(parts: list[Part]) -> list[Part]:
    """Return parts in memory of their own: Ray's is read-only."""
    mine = [parts[0]]
    for part in parts[1:]:
        mine.append(room(size_of(part)))
        mine[-1][:] = memoryview(part)
    return mine


def reason_of(error: Exception) -> str:
    text = str(error)
    if "No module named 'warptour'" in text:
        return "warptour is not installed where Ray starts its actors"
    if isinstance(error, library().exceptions.RayActorError):
        return "its actor or node has gone"
    if isinstance(error, library().exceptions.GetTimeoutError):
        return f"it has not started within {ACTOR_SECONDS:g} s"
    return (text.strip().splitlines() or [type(error).__name__])[0].strip()
