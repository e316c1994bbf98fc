"""Members that are threads of this process, each with a device of its own."""

from __future__ import annotations

from collections.abc import Sequence
from queue import Empty, SimpleQueue
from threading import Thread

from warptour.cluster.link import LostError
from warptour.cluster.member import serve
from warptour.devices import Device

DRIVERS = 2
"""Threads of the host for a device beside the CPU, if there are enough of them."""

LEAVE_SECONDS = 5.0
"""How long a thread may take to leave."""


class ThreadLink:
    """One end of two queues; arrays are passed, not copied."""

    def __init__(self, name: str, inbox: SimpleQueue[object], outbox: SimpleQueue[object]) -> None:
        self.name = name
        self._inbox = inbox
        self._outbox = outbox
        self.thread: Thread | None = None

    def send(self, message: object) -> None:
        """Send a message."""
        self._outbox.put(message)

    def receive(self, seconds: float) -> object | None:
        """Return the next message, or None."""
        try:
            return self._inbox.get(timeout=seconds) if seconds > 0 else self._inbox.get_nowait()
        except Empty:
            if self.thread is not None and not self.thread.is_alive():
                raise LostError(f"the thread of {self.name} has ended") from None
            return None

    def close(self) -> None:
        """Wait for the thread, which has been told to leave."""
        if self.thread is not None:
            self.thread.join(LEAVE_SECONDS)


def host_threads(devices: Sequence[Device], threads: int) -> list[int]:
    """Return the threads of the host for the member of each device, together about ``threads``, at least one each.

    Other devices need one or two threads that drive them; the CPU has the rest, and without it they share all.
    """
    hosts = sum(device.is_host for device in devices)
    if hosts == 0:
        return _shares(threads, len(devices))
    driver = DRIVERS if threads >= 2 * DRIVERS * len(devices) else 1
    own = iter(_shares(threads - driver * (len(devices) - hosts), hosts))
    return [next(own) if device.is_host else driver for device in devices]


def _shares(threads: int, count: int) -> list[int]:
    return [max(1, threads // count + (k < threads % count)) for k in range(count)]


def hire(device: Device) -> ThreadLink:
    """Start a thread that serves with ``device``, and return the link to it."""
    there, here = SimpleQueue[object](), SimpleQueue[object]()
    link = ThreadLink(device.name, here, there)
    link.thread = Thread(
        target=serve, args=(ThreadLink("coordinator", there, here), device), name=f"warptour-{device.name}", daemon=True
    )
    link.thread.start()
    return link
