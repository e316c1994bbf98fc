"""Members that are threads of this process, each with a device of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread

from warptour.cluster.links.link import LostError, sleep_on
from warptour.cluster.member import Divide, serve
from warptour.devices import Device

DRIVERS = 2
"""Threads of the host for a device beside the CPU, if there are enough of them."""

LEAVE_SECONDS = 5.0
"""How long a thread may take to leave."""


class ThreadLink:
    """One end of two queues; arrays are passed, not copied."""

    sent = received = 0

    def __init__(self, name: str, inbox: SimpleQueue[object]) -> None:
        self.name = name
        self.wake: Callable[[], object] = sleep_on
        self.thread: Thread | None = None
        self.other: ThreadLink | None = None
        self._inbox = inbox

    def send(self, message: object) -> None:
        """Send a message."""
        assert self.other is not None
        self.other._inbox.put(message)
        self.other.wake()

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


def hire(device: Device | None = None, name: str | None = None, divide: Divide | None = None) -> ThreadLink:
    """Start a thread that serves with ``device``, or with those that its tasks name, and return the link to it."""
    name = name or ("thread" if device is None else device.name)
    here, there = ThreadLink(name, SimpleQueue()), ThreadLink("coordinator", SimpleQueue())
    here.other, there.other = there, here
    here.thread = Thread(target=serve, args=(there, device, divide), name=f"warptour-{name}", daemon=True)
    here.thread.start()
    return here
