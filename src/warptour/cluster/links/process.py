"""A member that is a process: ``python -m warptour.cluster.links.process``, which warptour itself starts.

It reads messages from its standard input and writes its own to its standard output. What else the process prints goes
to standard error. It ends with its coordinator, whose end closes the pipes.
"""

from __future__ import annotations

import os
import signal
import sys
from threading import Thread
from typing import BinaryIO, cast

from warptour.cluster.links.link import LostError
from warptour.cluster.links.wire import QueueLink, pack, read, write
from warptour.cluster.member import serve
from warptour.cluster.plan import divided


class CoordinatorLink(QueueLink):
    """The link of a process to its coordinator."""

    imports = True

    def __init__(self, inward: BinaryIO, outward: BinaryIO) -> None:
        super().__init__("coordinator")
        self._outward = outward
        Thread(target=self._read, args=(inward,), daemon=True).start()

    def send(self, message: object) -> None:
        """Send a message."""
        try:
            self.sent += write(self._outward, pack(message))
        except OSError:
            raise LostError("the coordinator has gone") from None

    def close(self) -> None:
        """Close the pipe."""
        self._outward.close()

    def _read(self, inward: BinaryIO) -> None:
        try:
            while True:
                self._inbox.put(read(inward))
        except (OSError, EOFError):
            os._exit(0)  # whatever is being done, nobody will hear of it


def main() -> None:
    """Serve the process at the other end of the pipes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    inward, outward = (cast(BinaryIO, os.fdopen(os.dup(number), mode, 0)) for number, mode in ((0, "rb"), (1, "wb")))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    try:
        serve(CoordinatorLink(inward, outward), divide=divided)
    except LostError:
        sys.exit(1)


if __name__ == "__main__":
    main()
