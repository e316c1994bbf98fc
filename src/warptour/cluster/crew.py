"""The members of a search, as its coordinator sees them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from threading import Event
from typing import Self, TypeAlias

from warptour.cluster.links.hello import stranger
from warptour.cluster.links.link import Link, LostError
from warptour.cluster.messages import Done, Failed, Hello, Quit, ScannedRows, ScanRows, Signalled, Task, Unreadable
from warptour.model.errors import UsageError

TIMEOUT_SECONDS = 60.0
"""Silence in seconds after which a member that works counts as lost."""

START_TIMEOUTS = 10
"""Factor on the timeout until the first sign of life of a task: it is sent, and kernels are compiled."""

START_SECONDS = 120.0
"""How long members may take to say hello; a file server that many nodes import from is slow."""

LOOK_SECONDS = 0.1
"""Seconds between two looks at the members; those with something to say wake the coordinator."""

MAX_STILLBORN = 10
"""Losses of a member in a row without a sign of life after which it is not replaced again."""

Wait: TypeAlias = Callable[[Event, float], object]
"""Returns when there may be messages: the event was set, or some seconds have passed."""


@dataclass(frozen=True)
class Gone:
    """In place of a message: a member is lost, for this reason; :meth:`Crew.replace` may find another."""

    reason: str


class Member:
    """One member: its link, its last task, and how long it has been silent.

    ``hello``: what it told of itself
    ``lived``: whether it has answered a task
    ``stillborn``: how many of its predecessors in a row have not
    ``sent``, ``received``: bytes of the messages to and from it, and to and from those that it replaced
    """

    def __init__(self, rank: int, link: Link, before: Member | None = None) -> None:
        self.rank = rank
        self.link = link
        self.task: Task | ScanRows | None = None
        self.hello: Hello | None = None
        self.lost = self.lived = False
        self.stillborn: int = 0 if before is None or before.lived else before.stillborn + 1
        self._bytes_before = (0, 0) if before is None else (before.sent, before.received)
        self._works = self._answered = False
        self._silence = 0.0
        self._looked_at = time.perf_counter()

    @property
    def name(self) -> str:
        """For people."""
        return self.link.name

    @property
    def sent(self) -> int:
        """Bytes of the messages to it."""
        return self._bytes_before[0] + self.link.sent

    @property
    def received(self) -> int:
        """Bytes of the messages from it."""
        return self._bytes_before[1] + self.link.received

    def begin(self, task: Task | ScanRows) -> None:
        """Note that it was sent ``task``, or rows to scan."""
        same = isinstance(self.task, ScanRows) and task.number == self.task.number
        self.task, self._works, self._answered = task, True, same and self._answered
        self._silence, self._looked_at = 0.0, time.perf_counter()

    def note(self, message: object) -> None:
        """Note a message of it, which is a sign of life."""
        self._silence = 0.0
        if not isinstance(message, Hello):
            self.lived = self._answered = True
        if (
            isinstance(message, Done | Failed | ScannedRows)
            and self.task is not None
            and message.number == self.task.number
        ):
            self._works = False

    def silent_for(self, timeout: float) -> float:
        """Return the limit that its silence exceeds, or 0; to be called after a look at its messages.

        A look adds a tenth of the timeout at most: a coordinator that was busy or stopped missed nothing.
        """
        now = time.perf_counter()
        self._silence += min(now - self._looked_at, timeout / 10)
        self._looked_at = now
        limit = timeout if self._answered else START_TIMEOUTS * timeout
        return limit if self._works and self._silence > limit else 0.0


class Crew:
    """Members, and what starts another in place of one that is lost.

    ``rehire``: returns a link to a new member in place of the one of this rank; without it, the others go on alone
    ``on_signal``: called with the number of a signal that a member got
    ``remark``: what the user should know about it
    ``numbers``: for tasks: answers to those of an earlier part of the search carry other numbers
    """

    def __init__(
        self,
        links: list[Link],
        rehire: Callable[[int], Link] | None = None,
        timeout: float = TIMEOUT_SECONDS,  # seconds without a sign of life after which a member that works is lost
        *,
        threads: int = 1,  # of each member, unless the user asks for others
        wait: Wait = Event.wait,  # for links that do not wake
        release: Callable[[], None] | None = None,  # called at the end, after all links were closed
    ) -> None:
        self.members = [Member(rank, link) for rank, link in enumerate(links)]
        self.threads = threads
        self.on_signal: Callable[[int], None] | None = None
        self.remark: str | None = None
        self.numbers = count(1)
        self._rehire = rehire
        self._timeout = timeout
        self._wait = wait
        self._release = release
        self._bell = Event()
        self._gone: list[tuple[Member, Gone]] = []
        for link in links:
            link.wake = self._bell.set

    @property
    def present(self) -> list[Member]:
        """Those that are not lost."""
        return [member for member in self.members if not member.lost]

    def gather(self, seconds: float = START_SECONDS) -> None:
        """Wait until all members have said hello; raises :class:`LostError`."""
        until = time.perf_counter() + seconds
        while missing := [member for member in self.members if member.hello is None]:
            for member, message in self.hear(LOOK_SECONDS):
                if isinstance(message, Gone) and self.replace(member) is None:
                    raise LostError(message.reason)
            if time.perf_counter() > until:
                raise LostError(f"{missing[0].name} has not answered for {seconds:g} s")

    def send(self, member: Member, message: object) -> None:
        """Send a message to ``member``, whose loss :meth:`hear` then tells."""
        if isinstance(message, Task | ScanRows):
            member.begin(message)
        if not member.lost:
            try:
                member.link.send(message)
            except LostError as error:
                self._lose(member, str(error))

    def hear(self, seconds: float) -> list[tuple[Member, object]]:
        """Return the messages that came, waiting up to ``seconds`` for the first; :class:`Gone` for lost members."""
        until = time.perf_counter() + seconds
        while True:
            self._bell.clear()
            heard: list[tuple[Member, object]] = []
            for member in self.present:
                heard += self._from(member)
            heard += self._gone
            self._gone = []
            left = until - time.perf_counter()
            if heard or left <= 0:
                return heard
            self._wait(self._bell, min(left, LOOK_SECONDS))

    def replace(self, member: Member) -> Member | None:
        """Return a new member in place of a lost one; None if there is none to be had."""
        if self._rehire is None or (not member.lived and member.stillborn + 1 >= MAX_STILLBORN):
            return None
        try:
            new = Member(member.rank, self._rehire(member.rank), member)
        except (LostError, OSError):
            return None
        new.link.wake = self._bell.set
        self.members[member.rank] = new
        return new

    def close(self) -> None:
        """Let all go."""
        for member in self.present:
            self.send(member, Quit())
        for member in self.members:
            member.link.close()
        if self._release is not None:
            self._release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _from(self, member: Member) -> list[tuple[Member, object]]:
        heard: list[tuple[Member, object]] = []
        try:
            while (message := member.link.receive(0)) is not None:
                member.note(message)
                if not self._handled(member, message):
                    heard.append((member, message))
        except LostError as error:
            self._lose(member, str(error))
        if not member.lost and (limit := member.silent_for(self._timeout)):
            self._lose(member, f"{member.name} has given no sign of life for {limit:g} s")
        return heard

    def _handled(self, member: Member, message: object) -> bool:
        """Return whether ``message`` is no business of the search."""
        if isinstance(message, Hello):
            member.hello = message
            if reason := stranger(message):
                raise UsageError(f"{member.name} {reason}: the same must be installed everywhere")
        elif isinstance(message, Signalled):
            if self.on_signal is not None:
                self.on_signal(message.number)
        elif isinstance(message, Unreadable):
            raise UsageError(
                f"{member.name} cannot read what it was sent ({message.reason}): "
                "classes of your own must be in a module that it can import"
            )
        else:
            return False
        return True

    def _lose(self, member: Member, reason: str) -> None:
        member.lost = True
        member.link.close()
        self._gone.append((member, Gone(reason)))
