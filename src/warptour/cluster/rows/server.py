"""What a member does for a coordinator that shares out the rows of a scan (``rows.py``)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from warptour.cluster.links.link import Link
from warptour.cluster.messages import BEAT_SECONDS, Beat, Failed, Halt, LoadRows, Quit, ScannedRows, ScanRows
from warptour.devices import Device
from warptour.kernels.groups import Over, Unfinished
from warptour.strategies.places import choose_devices
from warptour.strategies.running import is_of_device


class RowServer:
    """Scans rows for a coordinator, on one device or shared among several.

    ``device``: the member's own; by default the coordinator names some
    """

    def __init__(self, link: Link, device: Device | None) -> None:
        self._link = link
        self._devices = [] if device is None else [device]
        self._scanners: dict[int, Callable[[Any, Over], Any] | Exception] = {}
        self._number = 0
        self._halted = self._quit = False
        self._beat_at = 0.0

    def serve(self, message: object) -> bool:
        """Do what ``message`` says, if it is about rows; return whether the coordinator has said to leave."""
        if isinstance(message, LoadRows):
            try:
                self._scanners[message.number] = self._scanner(message)
            except Exception as error:  # the answer to the first scan
                self._scanners[message.number] = error
        elif isinstance(message, ScanRows):
            self._number, self._halted, self._beat_at = message.number, False, time.perf_counter()
            self._link.send(self._scanned(message))
        return self._quit

    def _scanner(self, message: LoadRows) -> Callable[[Any, Over], Any]:
        if not self._devices:
            self._devices, _ = choose_devices(message.device, message.strategy, message.problem, message.threads)
        return message.strategy.scanner(message.problem, message.kind, self._devices, message.threads)

    def _scanned(self, message: ScanRows) -> ScannedRows | Failed:
        scanner = self._scanners[message.number]
        try:
            if isinstance(scanner, Exception):
                raise scanner
            return ScannedRows(message.number, message.turn, scanner(message.order, self._over))
        except Unfinished:
            return ScannedRows(message.number, message.turn, None)  # nobody waits for it
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
