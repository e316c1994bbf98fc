"""Members that are ranks of an MPI job: rank 0 coordinates and has a member of its own, the others serve.

Every rank runs the same program. MPI ends the job when a rank dies; a checkpoint is then what remains.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import platform
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from warptour.cluster.crew import TIMEOUT_SECONDS, Crew
from warptour.cluster.links.hello import fair_threads
from warptour.cluster.links.ranks import RankLink, library, wait, world
from warptour.cluster.links.threads import hire
from warptour.cluster.member import IDLE_SECONDS, serve
from warptour.cluster.messages import Quit, Signalled
from warptour.cluster.plan import divided
from warptour.model.errors import UsageError, WarptourError
from warptour.observe.interrupt import Interrupt
from warptour.strategies.running import signals_call

Answer = TypeVar("Answer")

ALONE = "MPI has one rank only; mpiexec -n 4 starts four"

RESUME = "MPI ends the job when a rank dies: --checkpoint FILE keeps the best, and --resume FILE goes on from it"

LEAVE_SECONDS = 5.0
"""How long ranks may take to hear that they may leave."""

_hung = False
"""Whether a rank was given up, for which the end of the job must not wait."""

_waiting = False
"""Whether the other ranks wait for a farewell."""


@dataclass(frozen=True, eq=False)
class Farewell:
    """The last message of rank 0: what its work returned or raised."""

    answer: object
    error: BaseException | None


def rank() -> int:
    """Return the rank of this process; all ranks call this. Rank 0 coordinates."""
    global _waiting
    number = int(world().rank)
    if number == 0:
        _waiting = True
        atexit.unregister(_dismiss)
        atexit.register(_dismiss)
    return number


def everywhere(work: Callable[[], Answer], interrupt: Interrupt | None = None) -> Answer:
    """Return or raise on every rank what ``work`` does on rank 0; the other ranks serve meanwhile.

    ``work``: opens a crew by :func:`open_mpi`
    ``interrupt``: the signals that end the search, wherever they arrive; by default SIGINT
    """
    if rank() > 0:
        answer: Answer = _join(interrupt)
        return answer
    try:
        answer = work()
    except BaseException as error:
        _farewell(Farewell(None, error))
        raise
    _farewell(Farewell(answer, None))
    return answer


def serve_if_member(interrupt: Interrupt | None = None) -> None:
    """On ranks other than 0, serve until rank 0 has done its work, and end the process."""
    if rank() > 0:
        with suppress(Exception):  # rank 0 tells it
            _join(interrupt)
        end(0)


def end(code: int) -> None:
    """End this rank with an exit code, if it is one, once all have come to their end."""
    if not world.cache_info().currsize:
        return
    _dismiss()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if _hung:
        library().COMM_WORLD.Abort(code)
    library().Finalize()
    with suppress(OSError, TypeError):  # MPICH's handlers must run at exit; Python's would wait for threads
        ctypes.PyDLL(None).exit(code)
    os._exit(code)


def open_mpi(threads: int | None, timeout: float = TIMEOUT_SECONDS) -> Crew:
    """Return the crew of all ranks; on rank 0."""
    others = [RankLink(other, f"rank {other}") for other in range(1, world().size)]
    mine = hire(name=f"rank 0 on {platform.node()}", divide=divided)

    def release() -> None:
        global _hung
        _hung |= any(member.lost for member in crew.members)

    crew = Crew([mine, *others], None, timeout, wait=wait, release=release)
    crew.gather()
    for member, link in zip(crew.members[1:], others, strict=True):
        assert member.hello is not None
        link.name = f"rank {member.rank} on {member.hello.host}"
    crew.threads = threads or fair_threads(member.hello for member in crew.members if member.hello is not None)
    crew.remark = RESUME if others else ALONE
    return crew


def _join(interrupt: Interrupt | None) -> Any:
    """Serve rank 0, and return or raise what it says in the end."""
    link = RankLink(0, "rank 0")
    told = False
    received = False

    def signalled() -> None:
        nonlocal received
        received = True

    def poll() -> None:
        nonlocal told
        if received and not told:
            told = True
            link.send(Signalled((interrupt and interrupt.received) or signal.SIGINT))

    link.poll = poll
    try:
        with signals_call(signalled, interrupt):
            serve(link, divide=divided)
            while not isinstance(last := link.receive(IDLE_SECONDS), Farewell):
                pass
    except Exception as error:
        print(f"warptour: rank {world().rank} on {platform.node()}: {error}", file=sys.stderr, flush=True)
        library().COMM_WORLD.Abort(WarptourError.exit_code)
        raise
    link.flush(LEAVE_SECONDS)
    if last.error is not None:
        raise last.error
    return last.answer


def _farewell(word: Farewell) -> None:
    """Let the other ranks go."""
    global _waiting, _hung
    _waiting = False
    for other in range(1, world().size):
        link = RankLink(other, f"rank {other}")
        link.send(Quit())
        try:
            link.send(word)
        except UsageError:
            link.send(Farewell(None, WarptourError(str(word.error))))
        _hung |= not link.flush(LEAVE_SECONDS)


def _dismiss() -> None:
    """Let the other ranks go that still wait."""
    if _waiting:
        _farewell(Farewell(None, WarptourError("rank 0 has ended")))
