"""The members of a search, as its coordinator sees them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from warptour.cluster.link import Link, LostError
from warptour.cluster.messages import Quit, Task

TIMEOUT_SECONDS = 60.0
"""A member that works and gives no sign of life for so long counts as lost."""

POLL_SECONDS = 0.01


@dataclass(frozen=True)
class Gone:
    """In place of a message: a member is lost, for this reason; :meth:`Crew.replace` may find another."""

    reason: str


class Member:
    """One member: its link, its task, and when it was last heard of."""

    def __init__(self, rank: int, link: Link) -> None:
        self.rank = rank
        self.link = link
        self.task: Task | None = None
        self.heard_at = time.perf_counter()
        self.lost = False

    @property
    def name(self) -> str:
        """For people."""
        return self.link.name


class Crew:
    """Members, and what starts another in place of one that is lost.

    Parameters
    ----------
    links : list of Link
    rehire : callable, optional
        Returns a link to a new member in place of the one of this rank; without it, the others go on alone.
    timeout : float
        Seconds without a sign of life after which a member that works is lost.
    """

    def __init__(
        self, links: list[Link], rehire: Callable[[int], Link] | None = None, timeout: float = TIMEOUT_SECONDS
    ) -> None:
        self.members = [Member(rank, link) for rank, link in enumerate(links)]
        self._rehire = rehire
        self._timeout = timeout
        self._gone: list[tuple[Member, Gone]] = []

    @property
    def present(self) -> list[Member]:
        """Those that are not lost."""
        return [member for member in self.members if not member.lost]

    def send(self, member: Member, message: object) -> None:
        """Send a message to ``member``, whose loss :meth:`hear` then tells."""
        if isinstance(message, Task):
            member.task, member.heard_at = message, time.perf_counter()
        if not member.lost:
            try:
                member.link.send(message)
            except LostError as error:
                self._lose(member, str(error))

    def hear(self, seconds: float) -> list[tuple[Member, object]]:
        """Return the messages that came, waiting up to ``seconds`` for the first; :class:`Gone` for lost members."""
        until = time.perf_counter() + seconds
        while True:
            heard: list[tuple[Member, object]] = []
            for member in self.present:
                heard += self._from(member)
            heard += self._gone
            self._gone = []
            left = until - time.perf_counter()
            if heard or left <= 0:
                return heard
            time.sleep(min(left, POLL_SECONDS))

    def replace(self, member: Member) -> Member | None:
        """Return a new member in place of a lost one; None if there is none to be had."""
        if self._rehire is None:
            return None
        try:
            new = Member(member.rank, self._rehire(member.rank))
        except (LostError, OSError):
            return None
        self.members[member.rank] = new
        return new

    def close(self) -> None:
        """Let all go."""
        for member in self.present:
            self.send(member, Quit())
        for member in self.members:
            member.link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _from(self, member: Member) -> list[tuple[Member, object]]:
        heard: list[tuple[Member, object]] = []
        try:
            while (message := member.link.receive(0)) is not None:
                member.heard_at = time.perf_counter()
                heard.append((member, message))
        except LostError as error:
            self._lose(member, str(error))
        if not member.lost and member.task is not None and time.perf_counter() - member.heard_at > self._timeout:
            self._lose(member, f"{member.name} has given no sign of life for {self._timeout:g} s")
        return heard

    def _lose(self, member: Member, reason: str) -> None:
        member.lost = True
        member.link.close()
        self._gone.append((member, Gone(reason)))
