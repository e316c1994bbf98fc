"""Rows: the members of a crew share the exact scans of one tour's moves.

The strategy runs on the coordinator, which keeps the tour. For each step a member is sent one short message, the move
that was made and the rows to scan, and answers with one, the best move of its rows. The best of all answers is the move
that one device alone would find, so the moves are the same for any number of members; the rows of a lost one are
scanned by the others.
"""

from __future__ import annotations

from collections import defaultdict, deque
from functools import partial
from typing import Any, ClassVar

from warptour.cluster.crew import Crew, Gone, Member
from warptour.cluster.division import DividedStrategy
from warptour.cluster.links.link import LostError
from warptour.cluster.messages import Failed, Halt, LoadRows, ScannedRows, ScanRows
from warptour.devices import DeviceError
from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.strategy import Scanning


class Rows(DividedStrategy):
    """A strategy that runs here, with its scans shared by a crew."""

    name: ClassVar[str] = "rows"
    iteration: ClassVar[str] = "scans"

    strategy: Scanning

    def run(self, search: Search[Any]) -> None:
        """Run the strategy; where all members are lost, it goes on alone."""
        mail = Mail(self.crew)
        search.scanners = [partial(RemoteRunner, mail, member, self) for member in self.crew.present]
        self.strategy.run(search)


class Mail:
    """What came from each member and was not taken yet."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew
        self._letters: defaultdict[int, deque[object]] = defaultdict(deque)

    def take(self, member: Member, seconds: float) -> object | None:
        """Return the next message of ``member``, waiting up to ``seconds`` for any; None if there is none."""
        letters = self._letters[member.rank]
        if not letters:
            for sender, message in self.crew.hear(seconds):
                self._letters[sender.rank].append(message)
        return letters.popleft() if letters else None


class RemoteRunner:
    """Has rows scanned by a member."""

    def __init__(self, mail: Mail, member: Member, plan: Rows, problem: TSP, kind: str) -> None:
        self.name = member.name
        self._mail = mail
        self._member = member
        self._number = next(mail.crew.numbers)
        self._turn = 0
        mail.crew.send(
            member,
            LoadRows(self._number, problem, plan.strategy, kind, plan.threads[member.rank], plan.device or "auto"),
        )

    def start(self, order: Any) -> None:
        """Send the order."""
        if self._member.lost:
            raise LostError("it was lost before")
        self._turn += 1
        self._mail.crew.send(self._member, ScanRows(self._number, self._turn, order))

    def take(self, seconds: float) -> Any | None:
        """Return what the member found, or None if it has not answered yet."""
        message = self._mail.take(self._member, seconds)
        if isinstance(message, Gone):
            raise LostError(message.reason)
        if isinstance(message, Failed) and message.number == self._number:
            raise DeviceError(message.reason)
        if isinstance(message, ScannedRows) and (message.number, message.turn) == (self._number, self._turn):
            return message.move
        return None

    def halt(self) -> None:
        """Let the member give up."""
        self._mail.crew.send(self._member, Halt(self._number))
