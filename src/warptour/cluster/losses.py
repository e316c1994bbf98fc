"""What becomes of members that are lost or fail: one rule, however a search is divided."""

from __future__ import annotations

from typing import Any

from warptour.cluster.crew import Crew, Member
from warptour.cluster.messages import Failed
from warptour.devices import DeviceError
from warptour.search.search import Search


class Losses:
    """The members of a crew that can be given work.

    A lost member is replaced if the crew can. One whose device fails goes on with the CPU, if the device was found by
    name. One that fails otherwise gets no more work. The search is told each time.

    Parameters
    ----------
    crew : Crew
    search : Search
    device : str, optional
        Devices of each member, by name; None if members have devices of their own.
    """

    def __init__(self, crew: Crew, search: Search[Any], device: str | None) -> None:
        self._crew, self._search = crew, search
        self._has_others = device not in (None, "cpu")
        self._on_cpu: set[int] = set()
        self._failed: dict[int, Failed] = {}

    @property
    def fit(self) -> list[Member]:
        """Members that are present and have not failed."""
        return [member for member in self._crew.present if member.rank not in self._failed]

    @property
    def failure(self) -> Exception | None:
        """What to raise if all members that are present have failed."""
        if self.fit or not self._failed:
            return None
        *_, last = self._failed.values()
        return DeviceError(last.reason) if last.of_device else RuntimeError(last.reason)

    def device_for(self, member: Member, device: str) -> str:
        """Return where ``member`` searches: on ``device``, or on the CPU once that has failed."""
        return "cpu" if member.rank in self._on_cpu else device

    def lose(self, member: Member, reason: str) -> Member | None:
        """Return the member that takes the place of a lost one, or None."""
        new = self._crew.replace(member)
        self._search.note(f"{reason}; {'another takes its place' if new else 'the others go on'}", lasting=True)
        return new

    def fail(self, member: Member, failed: Failed) -> bool:
        """Return whether a member that failed can be given work again."""
        again = failed.of_device and self._has_others and member.rank not in self._on_cpu
        if again:
            self._on_cpu.add(member.rank)
        else:
            self._failed[member.rank] = failed
        goes_on = "; going on with the CPU" if again else "; the others go on" if self.fit else ""
        self._search.note(f"{member.name}: {failed.reason}{goes_on}", lasting=True)
        return again
