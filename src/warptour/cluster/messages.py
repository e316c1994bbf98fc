"""Messages between a coordinator and its members."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.search.search import Tour
from warptour.search.strategy import Scanning, Strategy


@dataclass(frozen=True, eq=False)
class Task:
    """A search that a member is to run, from the coordinator."""

    number: int  # answers carry it, so that those to an older task are told apart
    # problem, strategy, start, seed: as for :class:`~warptour.search.search.Search`
    problem: TSP | VRP
    strategy: Strategy
    start: str | Tour | Routes | None
    seed: int
    threads: int
    device: str = "auto"  # where the member searches, unless it has a device of its own
    # seconds, iterations: limits; infinite for none
    seconds: float = math.inf
    iterations: float = math.inf
    # minimum seconds between two :class:`Found`; infinite for a task that answers with :class:`Done` alone
    report_seconds: float = math.inf
    # iterations between two :class:`Meet`, at which the member waits for an :class:`Arrival`; infinite for none
    meet_every: float = math.inf


@dataclass(frozen=True)
class Halt:
    """End the task and answer with what there is, from the coordinator."""

    number: int


@dataclass(frozen=True)
class Quit:
    """Leave, from the coordinator."""


@dataclass(frozen=True, eq=False)
class Arrival:
    """A solution of another member, from the coordinator; None where a meeting brings none."""

    number: int
    solution: Tour | Routes | None
    cost: int | float | None


BEAT_SECONDS = 1.0
"""Maximum seconds between two signs of life."""


@dataclass(frozen=True)
class Beat:
    """A sign of life with the counts of the task so far, at least every second while a member works."""

    number: int
    iterations: int
    moves: int
    cost: int | float | None


@dataclass(frozen=True, eq=False)
class Found:
    """A better solution."""

    number: int
    solution: Tour | Routes
    cost: int | float
    iterations: int
    moves: int


@dataclass(frozen=True, eq=False)
class Meet:
    """The best solution at a fixed count of iterations; the member waits for the coordinator's :class:`Arrival`."""

    number: int
    solution: Tour | Routes | None
    cost: int | float | None
    iterations: int
    moves: int


@dataclass(frozen=True, eq=False)
class Done:
    """The end of a task: its best solution, None if there is none, and the device that it ran on.

    ``miss`` is an infeasible solution, for a search that found no feasible one; ``last`` and ``timed_out`` as in
    :class:`~warptour.search.search.Search`.
    """

    number: int
    solution: Tour | Routes | None
    cost: int | float | None
    iterations: int
    moves: int
    seconds: float
    device: str
    miss: Tour | Routes | None = None
    last: Tour | Routes | None = None
    timed_out: bool = False


@dataclass(frozen=True)
class Failed:
    """The task ended by an error; ``of_device`` if a device or its driver is at fault, ``refused`` if the caller is."""

    number: int
    reason: str
    of_device: bool
    refused: bool = False


@dataclass(frozen=True, eq=False)
class LoadRows:
    """A problem whose moves a member is to scan in part, from the coordinator."""

    number: int  # scans of these rows, and their answers, carry it
    problem: TSP
    strategy: Scanning  # what the scans are for: it makes the scanner, and decides where that may run
    kind: str  # how moves are divided into rows
    threads: int
    device: str  # where the member scans, unless it has a device of its own; several share its rows


@dataclass(frozen=True, eq=False)
class ScanRows:
    """Moves to be made and rows to be scanned, from the coordinator; ``turn`` counts the scans."""

    number: int
    turn: int
    order: Any


@dataclass(frozen=True)
class ScannedRows:
    """The best move of the rows."""

    number: int
    turn: int
    move: Any


@dataclass(frozen=True)
class Hello:
    """The first message of a member: what it has installed, and the cores that it may use, by number and processor."""

    version: str
    kernels: str
    host: str
    cores: int
    processors: tuple[int, ...]


@dataclass(frozen=True)
class Signalled:
    """A member got a signal that ends the whole search."""

    number: int


@dataclass(frozen=True)
class Unreadable:
    """A member could not read what it was sent."""

    reason: str
