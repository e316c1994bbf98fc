"""Links between ranks of an MPI job.

One thread of a process alone calls MPI. Sends do not block and receives poll, so that no rank waits in the library for
one that is busy.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from functools import cache
from threading import Event
from typing import Any

from warptour.cluster.links.link import sleep_on
from warptour.cluster.links.wire import Part, header, pack, room, size_of, sizes_in, unpack
from warptour.model.errors import MissingLibrary, UsageError

PIECE_BYTES = 1 << 30
"""Maximum size of one MPI message, whose length is a C int in many libraries."""

SHORT_BYTES = 1 << 16
"""The first part of a message up to this size is sent together with its header."""

SPIN_SECONDS = 2e-4
"""How long a receiver polls without a pause: answers of a short exchange come within that time."""

MIN_PAUSE_SECONDS = 2e-5
MAX_PAUSE_SECONDS = 1e-3
"""Pause between two polls, which doubles while nothing comes."""

LAUNCHED = "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"
"""Variables in which launchers tell their processes how many they are."""


@cache
def library() -> Any:
    """Return mpi4py's MPI; importing it initializes MPI."""
    try:
        import mpi4py.MPI
    except (ImportError, RuntimeError) as error:  # the latter: no MPI library
        raise MissingLibrary(
            f"--cluster mpi needs mpi4py and an MPI library: pip install 'warptour[mpi]' mpich ({error})"
        ) from None
    launched = max([int(os.environ[name]) for name in LAUNCHED if os.environ.get(name, "").isdecimal()], default=1)
    mpi: Any = mpi4py.MPI
    if launched > 1 and mpi.COMM_WORLD.size == 1:
        raise UsageError(
            f"the launcher started {launched} processes, but to mpi4py each is alone: "
            f"it uses {mpi.get_vendor()[0]}, whose mpiexec must start them"
        )
    return mpi


@cache
def world() -> Any:
    """Return a communicator of all ranks for warptour alone; all ranks call this."""
    return library().COMM_WORLD.Dup()


class RankLink:
    """The link to another rank; ``poll`` is called whenever it looks for messages."""

    def __init__(self, other: int, name: str) -> None:
        self.name = name
        self.wake: Callable[[], object] = sleep_on
        self.poll: Callable[[], object] = sleep_on
        self.sent = self.received = 0
        self._other = other
        self._sending: deque[tuple[Any, Part]] = deque()

    def send(self, message: object) -> None:
        """Send a message, without waiting until it was received."""
        parts = pack(message)
        head: Part = header(parts)
        if size_of(parts[0]) <= SHORT_BYTES:
            head += parts.pop(0)
        for part in (head, *parts):
            self.sent += size_of(part)
            for piece in _pieces(part):
                self._sending.append((world().Isend([piece, library().BYTE], self._other), piece))
        self._let_go()

    def receive(self, seconds: float) -> object | None:
        """Return the next message, or None."""
        until = time.perf_counter() + seconds
        pause = Pause()
        while True:
            status = library().Status()
            found = world().Improbe(self._other, status=status)
            if found is not None:
                return self._read(found, status.Get_count(library().BYTE))
            self._let_go()
            self.poll()
            if time.perf_counter() >= until:
                return None
            pause()

    def flush(self, seconds: float) -> bool:
        """Wait until all messages were sent; return whether they were."""
        until = time.perf_counter() + seconds
        pause = Pause()
        while self._sending and time.perf_counter() < until:
            self._let_go()
            pause()
        return not self._sending

    def close(self) -> None:
        """Leave the rank to itself: it ends with the job."""

    def _read(self, found: Any, size: int) -> object:
        head = room(size)
        found.Recv([head, library().BYTE])
        sizes = sizes_in(head)
        start = len(header([b""] * len(sizes)))
        parts = [] if size == start else [head[start:]]
        for more in sizes[len(parts) :]:
            parts.append(room(more))
            for piece in _pieces(parts[-1]):
                world().Recv([piece, library().BYTE], self._other)
        self.received += size + sum(map(size_of, parts[1:] if size > start else parts))
        return unpack(parts)

    def _let_go(self) -> None:
        while self._sending and self._sending[0][0].Test():
            self._sending.popleft()


class Pause:
    """Returns at once for a while, then waits longer from call to call."""

    def __init__(self) -> None:
        self._spin_until = time.perf_counter() + SPIN_SECONDS
        self._seconds = MIN_PAUSE_SECONDS

    def __call__(self) -> None:
        if time.perf_counter() >= self._spin_until:
            time.sleep(self._seconds)
            self._seconds = min(2 * self._seconds, MAX_PAUSE_SECONDS)


def wait(bell: Event, seconds: float) -> None:
    """Return when there is a message of any rank, ``bell`` was rung, or ``seconds`` have passed."""
    until = time.perf_counter() + seconds
    pause = Pause()
    while not bell.is_set() and not world().Iprobe() and time.perf_counter() < until:
        pause()


def _pieces(part: Part) -> list[memoryview]:
    view = memoryview(part).cast("B")
    return [view[at : at + PIECE_BYTES] for at in range(0, view.nbytes, PIECE_BYTES)]
