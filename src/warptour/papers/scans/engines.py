"""Engines whose exact scans are shared by all devices of a search, if it has several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from warptour.devices import Device
from warptour.kernels.groups import Over, Unfinished
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.observe.events import WorkerState
from warptour.papers.scans.closed_tours import ClosedTours
from warptour.papers.scans.full import FullScan, city_move_count, full_scans
from warptour.papers.scans.rows import Sharing, on, share_cores
from warptour.papers.scans.runner import BestMove, Order, carry_out
from warptour.papers.scans.shared import SharedThreeOpt, SharedTwoOpt
from warptour.papers.scans.team import Account
from warptour.papers.scans.three_opt import ThreeOptEngine
from warptour.papers.scans.two_opt import TwoOptEngine
from warptour.search.search import Search
from warptour.search.strategy import Portion

TELL_SECONDS = 1.0
"""Minimum seconds between two events about the contributions."""


class ScansRows(ClosedTours):
    """A strategy that scans all moves of one tour, whose rows members of a crew share."""

    @property
    def portion(self) -> Portion:
        """Members scan rows of the moves of one tour."""
        return "rows"

    def scanner(
        self, problem: TSP, kind: str, devices: Sequence[Device], threads: int
    ) -> Callable[[Order, Over], BestMove]:
        """Return what carries out an order on all of a member's devices; ``kind`` is one of ``rows.KINDS``."""
        share_cores(devices, threads)
        return partial(carry_out, Sharing([on(device) for device in devices]).team(problem, kind))


def shares(search: Search[Any]) -> bool:
    """Return whether several devices scan."""
    return len(search.devices) > 1 or len(search.scanners) > 0


def two_opt_engine(search: Search[TSP]) -> TwoOptEngine:
    """Return the 2-opt engine of all devices."""
    if shares(search):
        return SharedTwoOpt(search.problem, search.device, _sharing(search))
    return TwoOptEngine(search.problem, search.device, search.over)


def three_opt_engine(search: Search[TSP]) -> ThreeOptEngine:
    """Return the 3-opt engine of all devices."""
    if shares(search):
        return SharedThreeOpt(search.problem, search.device, _sharing(search))
    return ThreeOptEngine(search.problem, search.device, search.over)


class CityMoves:
    """Or-opt, relocate or swap on the first device of a search that works; results are the same on every device."""

    def __init__(self, search: Search[TSP], neighborhood: str, longest: int) -> None:
        self.move_count = city_move_count(search.problem.n, neighborhood, longest)
        self._search, self._name, self._longest = search, neighborhood, longest
        self._devices = list(search.devices)
        self._scan: FullScan | None = None

    def best_improvement(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the best move that improves the tour and its exact delta; None proves that there is none."""
        while len(tour) > 3:
            try:
                return self._scanner().best_improvement(tour)
            except Unfinished:
                raise
            except Exception as error:  # drivers raise anything
                if len(self._devices) == 1:
                    raise
                failed, self._scan = self._devices.pop(0).name, None
                note = f"{failed} has failed ({error}); {self._devices[0].name} scans instead"
                self._search.note(note, lasting=True)
        return None

    def improving_move(self, tour: Ints) -> tuple[Move, int | float] | None:
        """Return the best move that improves the tour and its exact delta; None proves that there is none."""
        return self.best_improvement(tour)

    def apply(self, tour: Ints, move: Move) -> Ints:
        """Return the tour after ``move``."""
        return self._scanner().apply(tour, move)

    def _scanner(self) -> FullScan:
        if self._scan is None:
            (self._scan,) = full_scans(self._search.problem, self._devices[0], [self._name], longest=self._longest)
            self._scan.over = self._search.over
        return self._scan


def _sharing(search: Search[TSP]) -> Sharing:
    """Return who scans; the search is told about once a second what each has contributed."""
    share_cores(search.devices, search.threads)
    devices = [on(device) for device in search.devices]
    accounts: list[Account] = []
    spare = devices[0] if search.scanners else None
    over = telling(search, accounts)
    return Sharing(search.scanners or devices, spare, over, partial(search.note, lasting=True), accounts)


def telling(search: Search[Any], accounts: list[Account]) -> Callable[[], bool]:
    """Return ``search.over``, which also tells listeners what those of the accounts have contributed."""
    began = told = search.seconds

    def over() -> bool:
        nonlocal told
        if accounts and search.seconds - told >= TELL_SECONDS:
            told = search.seconds
            search.tell_workers(_state(account, told - began) for account in accounts)
        return search.over()

    return over


def _state(account: Account, seconds: float) -> WorkerState:
    status = "failed" if account.failed else "working"
    return WorkerState(account.name, account.name, account.passes / seconds, account.gain, status, "scans")
