"""How long the phases of a search over regions last, and what each took."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from warptour.observe.events import WorkerState
from warptour.observe.progress import format_cost

OVERHEAD_SHARE = 0.05
"""Maximum share of a phase that its serial parts and the preparations of members may take."""

MIN_PHASES = 2
"""Minimum number of phases of a run: cities at the borders of the first phase lie inside regions of the second."""

SERIAL_SECONDS = 3e-7
"""First estimate of the seconds per city for cutting, sending and joining, as measured on two cores of 2021."""

PREPARE_SECONDS = 2.6e-6, 2e-6
"""First estimate of the seconds per city until a member kicks, on a core of 2021: for neighbour lists and numbering,
divided by its threads, and for a pass over the tour on one thread."""

UNLIMITED_SECONDS = 60.0
"""Length of a phase in a run without a time limit, unless ``OVERHEAD_SHARE`` asks for a longer one."""


@dataclass(frozen=True)
class Share:
    """What one member did in a phase."""

    member: str
    device: str
    # cities, fragments: size of its region; fragments of the tour in it
    cities: int
    fragments: int
    gain: float
    iterations: int
    seconds: float  # of its search
    # sent, received: bytes of arrays to the member and from it
    sent: int
    received: int

    @property
    def rate(self) -> float:
        """Iterations per second."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class Phase:
    """One phase: what each member did, and what the coordinator took."""

    number: int
    # "curve" or "space" or "tour": stretches of a space-filling curve, regions of space, stretches of the tour
    cut: str
    cities: int
    gain: float  # after joining
    patch_cost: float  # lost by joining
    seconds: float  # of the whole phase
    # cut_seconds, send_seconds, join_seconds, offer_seconds: its serial parts: cutting; making tasks and sending them;
    # joining; computing the cost and telling listeners
    cut_seconds: float
    send_seconds: float
    join_seconds: float
    offer_seconds: float
    late_seconds: float  # from when the members' time was up until the last answer
    early: bool  # whether the members had nothing left to do before
    shares: tuple[Share, ...] = field(repr=False)  # of the members that answered

    @property
    def serial_seconds(self) -> float:
        """Seconds in which not all members search."""
        return self.cut_seconds + self.send_seconds + self.late_seconds + self.join_seconds + self.offer_seconds

    @property
    def end_seconds(self) -> float:
        """Seconds from when the members' time was up to the end."""
        return self.late_seconds + self.join_seconds + self.offer_seconds

    def described(self) -> str:
        """Return the phase in a sentence."""
        members = "; ".join(
            f"{share.member} {format_cost(share.gain)} in {share.cities:,} cities, {share.rate:,.0f}/s"
            for share in self.shares
        )
        sent, received = (sum(getattr(share, way) for share in self.shares) for way in ("sent", "received"))
        return (
            f"phase {self.number + 1} gained {format_cost(self.gain)} ({members}); "
            f"{sent / 1e6:,.1f} MB sent, {received / 1e6:,.1f} MB received"
        )


def contributions(phases: Sequence[Phase], status: str) -> list[WorkerState]:
    """Return what each member has done in all phases."""
    shares: dict[str, list[Share]] = {}
    for share in (share for phase in phases for share in phase.shares):
        shares.setdefault(share.member, []).append(share)
    return [
        WorkerState(
            name,
            own[-1].device,
            sum(share.iterations for share in own) / max(sum(share.seconds for share in own), 1e-9),
            sum(share.gain for share in own),
            status,
        )
        for name, own in shares.items()
    ]


class PhaseSchedule:
    """The lengths of phases under a time limit.

    ``region``: cities of a member
    ``threads``: threads of a member
    """

    def __init__(self, cities: int, region: int, threads: int) -> None:
        self.serial = SERIAL_SECONDS * cities
        self.ending = self.serial / 2
        self._prepare = region * (PREPARE_SECONDS[0] / threads + PREPARE_SECONDS[1])
        self._phases = 0

    def count(self, phase: Phase) -> None:
        """Take the times of a phase into account."""
        self.serial, self.ending = phase.serial_seconds, phase.end_seconds
        self._phases += 1

    @property
    def least_seconds(self) -> float:
        """Seconds from which on another phase pays off; 0 for the first, which is always done."""
        return 0.0 if self._phases == 0 else 2 * (self.serial + self._prepare)

    def seconds(self, seconds_left: float) -> float:
        """Return when the members' time is up in the next phase, in seconds from its beginning."""
        target = (self.serial + self._prepare) / OVERHEAD_SHARE
        if math.isinf(seconds_left):
            return max(target, UNLIMITED_SECONDS)
        phases = max(1, MIN_PHASES - self._phases, int(seconds_left / target))
        return max(0.0, seconds_left / phases - 1.2 * self.ending - 0.05)
