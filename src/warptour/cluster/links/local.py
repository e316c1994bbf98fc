"""Members that are processes of this machine, over the pipes of their standard input and output.

Two threads serve the pipes of each, so that a process that reads or writes nothing keeps nobody waiting.
"""

from __future__ import annotations

import os
import subprocess
import sys
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, cast

from warptour.cluster.crew import TIMEOUT_SECONDS, Crew
from warptour.cluster.links.link import LostError
from warptour.cluster.links.wire import Part, QueueLink, pack, read, size_of, write
from warptour.observe.child import program

LEAVE_SECONDS = 1.0
"""How long a process may take to leave before it is killed."""


class ProcessLink(QueueLink):
    """The link to a process."""

    def __init__(self, name: str, process: subprocess.Popen[bytes]) -> None:
        super().__init__(name)
        self.process = process
        self._outbox = SimpleQueue[list[Part] | None]()
        for work in (self._read, self._write):
            Thread(target=work, name=f"warptour-{name}", daemon=True).start()

    def send(self, message: object) -> None:
        """Send a message, without waiting until it was read."""
        parts = pack(message)
        if self.process.poll() is not None:
            raise LostError(self._end())
        self.sent += sum(map(size_of, parts))
        self._outbox.put(parts)

    def close(self) -> None:
        """Close the pipes, at which the process leaves; kill it if it does not."""
        self._outbox.put(None)
        try:
            self.process.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _end(self) -> str:
        """Return how the process ended; one that closed its pipes is about to."""
        try:
            code = self.process.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            return f"{self.name} has closed its pipe"
        return f"{self.name} was ended by signal {-code}" if code < 0 else f"{self.name} ended with exit code {code}"

    def _read(self) -> None:
        with cast(BinaryIO, self.process.stdout) as stream:
            try:
                while True:
                    self._inbox.put(read(stream))
                    self.wake()
            except (OSError, EOFError):
                self._inbox.put(self._end())
                self.wake()

    def _write(self) -> None:
        stream = cast(BinaryIO, self.process.stdin)
        try:
            while (parts := self._outbox.get()) is not None:
                write(stream, parts)
                del parts
        except OSError:
            pass  # the reader notices
        finally:
            stream.close()


def hire(rank: int) -> ProcessLink:
    """Start a process that serves, and return the link to it.

    It imports from where this process does, and is not in its group: Ctrl-C at a terminal is for the coordinator.
    """
    places = [os.getcwd() if place == "" else place for place in sys.path]
    options: dict[str, Any] = {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    process = subprocess.Popen(
        program(module="warptour.cluster.links.process"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        start_new_session=True,
        **options,
    )
    return ProcessLink(f"process {rank}", process)


def open_local(count: int, threads: int, timeout: float = TIMEOUT_SECONDS) -> Crew:
    """Return a crew of ``count`` processes with ``threads`` threads each."""
    return Crew([hire(rank) for rank in range(count)], hire, timeout, threads=threads)
