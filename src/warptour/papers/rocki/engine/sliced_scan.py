"""Scans of one tour in launches that end in time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.devices import Device
from warptour.kernels.groups import Over
from warptour.model.problem import TSP
from warptour.papers.scans.ladder.ladder_scan import LadderScan
from warptour.papers.scans.tour_scan import move_count

LANES: Final = 256
"""Lanes per group on a GPU."""

GROUPS: Final = 8
"""Groups per multiprocessor of a GPU: all the lanes that it holds."""

PARALLEL: Final = 200_000
"""Minimum number of moves that are worth more than one CPU thread."""

UNKNOWN_GPU: Final = 100_000_000
"""Moves per launch on a GPU of unknown speed."""


class SlicedScan(LadderScan):
    """A scan whose launches evaluate at most ``call`` moves each, 10 to 50 ms of work.

    ``call``: moves per launch
    ``groups``: by default one per CPU core, or as many as fill a GPU
    """

    def __init__(self, problem: TSP, device: Device, call: int, groups: int | None = None) -> None:
        super().__init__(problem, device, scan_groups(device, problem.n) if groups is None else groups)
        self.call = call

    def slices(self) -> Iterator[tuple[int, int, int]]:
        """Yield what each launch covers: first, last (exclusive), and its number of moves."""
        raise NotImplementedError

    def launch(self, first: int, last: int) -> None:
        """Launch the kernel for one slice."""
        raise NotImplementedError

    def scan(self, over: Over | None = None) -> None:
        """Find the best move of each group; raises :class:`Unfinished` once ``over()``."""
        for first, last, moves in self.slices():
            self._poll(moves, over)
            self.launch(first, last)


def scan_groups(device: Device, n: int) -> int:
    """Return the default number of groups for a tour of ``n`` cities."""
    units = device.about().units
    if device.lanes == 1:
        return units if move_count(n) >= PARALLEL else 1
    return max(1, min(GROUPS * units, move_count(n) // LANES))


def moves_per_launch(device: Device, core: int, seconds: float) -> int:
    """Return the moves of a launch: ``core`` per CPU core; on a GPU, as many as it could compute roots in ``seconds``.

    ``core``: moves that a core evaluates in 10 to 50 ms
    ``seconds``: time in which a GPU could compute one square root per move; the moves themselves take longer
    """
    about = device.about()
    return core * about.units if device.lanes == 1 else int(about.roots * seconds) or UNKNOWN_GPU


def row_slices(n: int, call: int, groups: int) -> Iterator[tuple[int, int, int]]:
    """Yield ranges of rows i of moves (i, j), i + 2 <= j < n, of about ``call`` moves each, and their moves.

    All groups get equally many rows, at least one, but for the last range.
    """
    first = 0
    while first < n - 2:
        each = call // (n - first - 2) // groups
        last = min(n - 2, first + max(1, each) * groups)
        yield first, last, (last - first) * (2 * n - 3 - first - last) // 2
        first = last
