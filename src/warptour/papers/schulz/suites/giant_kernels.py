"""Device time of the kernels of one iteration in a giant tour, without the gaps between submissions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from warptour.devices import Device, Program
from warptour.papers.schulz.engine.instance import GiantInstance, Ints
from warptour.papers.schulz.engine.search import GiantSearch

REPEATS: Final = 10
"""Launches that a time is the mean of."""

Launch = Callable[[], None]


class Watched:
    """A device that remembers the launches of its programs."""

    def __init__(self, device: Device) -> None:
        self._inner = device
        self.launches: list[tuple[str, Launch]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def build(self, *arguments: Any, **options: Any) -> Program:
        """Return a program whose launches are remembered."""
        return WatchedProgram(self._inner.build(*arguments, **options), self.launches)


class WatchedProgram:
    """A program that remembers its launches."""

    def __init__(self, program: Program, launches: list[tuple[str, Launch]]) -> None:
        self._program, self._launches = program, launches

    def launch(self, name: str, groups: int, *arguments: Any, local: int = 0) -> None:
        """Launch a kernel."""

        def again() -> None:
            self._program.launch(name, groups, *arguments, local=local)

        self._launches.append((name, again))
        again()


def kernel_seconds(device: Device, instance: GiantInstance, names: tuple[str, ...], tour: Ints) -> float:
    """Return the device seconds of the kernels that follow the next move of ``tour``: all those of one iteration.

    The kernel that lays the tour also resets what scans have found, so it comes before each launch of the others and
    is subtracted where it would count twice.
    """
    watched = Watched(device)
    search = GiantSearch(instance, cast(Device, watched), names)
    search.load(tour)
    watched.launches.clear()
    search.step()
    *scans, pick, lay, tables = (launch for _, launch in watched.launches)
    return _seconds(device, [lay, tables, *scans]) + _seconds(device, [lay, pick]) - _seconds(device, [lay])


def _seconds(device: Device, launches: list[Launch]) -> float:
    """Return the device seconds of some launches, one after the other."""

    def repeated() -> None:
        for _ in range(REPEATS):
            for launch in launches:
                launch()

    again = device.record(repeated)
    again()
    with device.timed() as elapsed:
        again()
    return elapsed.seconds / REPEATS
