"""What a member does for a coordinator that shares out the rows of a scan (``rows.py``)."""

from __future__ import annotations

import time

from warptour.cluster.links.link import Link
from warptour.cluster.messages import BEAT_SECONDS, Beat, Best, Failed, Halt, LoadRows, Quit, ScanRows
from warptour.devices import Device
from warptour.kernels.groups import Unfinished
from warptour.papers.scans.rows import Sharing, on, share_cores
from warptour.papers.scans.runner import Found, carry_out
from warptour.papers.scans.team import Team
from warptour.strategies.places import choose_devices
from warptour.strategies.running import is_of_device


class RowServer:
    """Scans rows for a coordinator, on one device or shared among several.

    Parameters
    ----------
    link : Link
    device : Device, optional
        The member's own; by default the coordinator names some.
    """

    def __init__(self, link: Link, device: Device | None) -> None:
        self._link = link
        self._devices = [] if device is None else [device]
        self._teams: dict[int, Team | Exception] = {}
        self._number = 0
        self._halted = self._quit = False
        self._beat_at = 0.0

    def serve(self, message: object) -> bool:
        """Do what ``message`` says, if it is about rows; return whether the coordinator has said to leave."""
        if isinstance(message, LoadRows):
            try:
                self._teams[message.number] = self._team(message)
            except Exception as error:  # the answer to the first scan
                self._teams[message.number] = error
        elif isinstance(message, ScanRows):
            self._number, self._halted, self._beat_at = message.number, False, time.perf_counter()
            self._link.send(self._scanned(message))
        return self._quit

    def _team(self, message: LoadRows) -> Team:
        if not self._devices:
            self._devices, _ = choose_devices(message.device, message.strategy, message.problem, message.threads)
            share_cores(self._devices, message.threads)
        return Sharing([on(device) for device in self._devices]).team(message.problem, message.kind)

    def _scanned(self, message: ScanRows) -> Best | Failed:
        team = self._teams[message.number]
        try:
            if isinstance(team, Exception):
                raise team
            return Best(message.number, message.turn, carry_out(team, message.order, self._over))
        except Unfinished:
            return Best(message.number, message.turn, Found())  # nobody waits for it
        except Exception as error:  # the coordinator gives the rows to others
            return Failed(message.number, str(error) or type(error).__name__, is_of_device(error))

    def _over(self) -> bool:
        """Return whether to give up the scan; a sign of life is due every second."""
        while not self._halted and (message := self._link.receive(0)) is not None:
            self._quit = isinstance(message, Quit)
            self._halted = self._quit or isinstance(message, Halt)
        if time.perf_counter() - self._beat_at >= BEAT_SECONDS:
            self._beat_at = time.perf_counter()
            self._link.send(Beat(self._number, 0, 0, None))
        return self._halted
