"""Members that are threads of this process, each with a device of its own."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Thread

from warptour.cluster.link import LostError
from warptour.cluster.member import serve
from warptour.devices import Device

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


def hire(device: Device) -> ThreadLink:
    """Start a thread that serves with ``device``, and return the link to it."""
    there, here = SimpleQueue[object](), SimpleQueue[object]()
    link = ThreadLink(device.name, here, there)
    link.thread = Thread(
        target=serve, args=(ThreadLink("coordinator", there, here), device), name=f"warptour-{device.name}", daemon=True
    )
    link.thread.start()
    return link
