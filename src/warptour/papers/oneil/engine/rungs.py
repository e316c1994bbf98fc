"""The rungs of O'Neil and Burtscher (2015): random-restart hill climbing, from a climber a thread to a climber a block.

    do
        minchange = 0
        for i = 0 to n-3
            minchange += d(i, i+1)
            for j = i+2 to n-1
                change = d(i, j) + d(i+1, j+1) - d(j, j+1)
                if minchange > change: minchange = change, mini = i, minj = j
            minchange -= d(i, i+1)
        apply (mini, minj)
    while minchange < 0

The rungs differ in where distances come from, and in how the loops are dealt out to threads. Where a climber is a block
there are two of each: with our loop, which finds the column in a pass of its own, and with the printed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isqrt
from typing import Final

from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.oneil.engine.block_climbers import (
    LONGEST_CHUNK,
    MOVE_ROOTS,
    OWN_BYTES,
    PLACE_BYTES,
    Intra,
    IntraPrinted,
    Tile,
    TilePrinted,
    Tuned,
    TunedPrinted,
)
from warptour.papers.oneil.engine.thread_climbers import (
    CACHE_BYTES,
    MEMORY_SHARE,
    Computed,
    MatrixInGlobal,
    MatrixInShared,
    MatrixReadOnly,
    longest_shared,
)
from warptour.papers.scans.ladder.rung import Rung
from warptour.papers.scans.tour_scan import fast_metric, move_count

PAPER: Final = "O'Neil and Burtscher (2015)"

SMALLEST: Final = 5
"""Minimum number of cities."""

MATRIX_BYTES: Final = 1 << 30
"""Maximum size of a distance matrix in global memory: its longest row takes a lane about 50 ms."""

LONGEST_ROW: Final = 16_384
"""Maximum moves of a row that one lane evaluates without a poll, in about 50 ms."""

CORE_SCAN, GPU_SCAN = 20_000_000, 100_000_000
"""Maximum moves of a scan by a core, and by a group of a GPU of unknown speed, without a poll: about 50 ms."""


def _too_small(name: str, problem: TSP) -> str | None:
    return f"{name} takes {SMALLEST} cities or more, not {problem.n}" if problem.n < SMALLEST else None


def _not_planar(name: str, problem: TSP, device: Device) -> str | None:
    if fast_metric(problem.metric):
        return None
    going_on = _next(problem, device, ("matr_g",))
    return f"{name} computes planar Euclidean distances, not {problem.metric.name}: {going_on}"


def _next(problem: TSP, device: Device, names: Iterable[str]) -> str:
    """Return which of the rungs ``names`` goes on."""
    for rung in (rung for name in names for rung in ONEIL if rung.name == name):
        if rung.refuses(problem, device) is None:
            return f"{rung.name} goes on"
    return "diagonal and pruned go on" if fast_metric(problem.metric) else "use exact scans"


def _refuses_shared(problem: TSP, device: Device) -> str | None:
    limit = longest_shared(device)
    if problem.n <= limit:
        return _too_small("matr_s", problem)
    size = (device.about().local_memory or CACHE_BYTES) / 1024
    held = f"a distance matrix of at most {limit} cities in {size:.0f} KB of shared memory"
    return f"matr_s holds {held}, not of {problem.n}: {_next(problem, device, ('matr_g', 'calc', 'tile'))}"


def _matrix_refusal(name: str) -> Callable[[TSP, Device], str | None]:
    def refuses(problem: TSP, device: Device) -> str | None:
        size = min(MATRIX_BYTES, device.about().memory // MEMORY_SHARE)
        limit = isqrt(size // 4)
        if problem.n <= limit:
            return _too_small(name, problem)
        held = f"a distance matrix of at most {limit:,} cities in {size / 2**30:.2g} GB of global memory"
        return f"{name} holds {held}, not of {problem.n:,}: {_next(problem, device, ('calc', 'tile'))}"

    return refuses


def _refuses_calc(problem: TSP, device: Device) -> str | None:
    if problem.n > LONGEST_ROW:
        rows = f"rows of at most {LONGEST_ROW:,} moves, one lane each"
        return f"calc evaluates {rows}, not of {problem.n:,}: {_next(problem, device, ('tile',))}"
    return _not_planar("calc", problem, device) or _too_small("calc", problem)


def _block_refusal(name: str) -> Callable[[TSP, Device], str | None]:
    def refuses(problem: TSP, device: Device) -> str | None:
        if (most := longest_scan(device)) < move_count(problem.n):
            limit = isqrt(2 * most)
            scans = f"tours of at most {limit:,} cities, which a group scans in 50 ms"
            return f"{name} takes {scans}, not of {problem.n:,}: {_next(problem, device, ())}"
        room = device.about().local_memory
        if device.lanes == 1 and room and problem.n > (limit := (room - OWN_BYTES) // PLACE_BYTES - 1):
            return f"{name} has room for {limit:,} cities in local memory: {_next(problem, device, ())}"
        return _not_planar(name, problem, device) or _too_small(name, problem)

    return refuses


def longest_scan(device: Device) -> int:
    """Return the moves that one group scans in about 50 ms while others keep the device busy."""
    if device.lanes == 1:
        return CORE_SCAN
    about = device.about()
    resident = max(1, about.shared_memory // (PLACE_BYTES * LONGEST_CHUNK))
    return int(about.roots / about.units / MOVE_ROOTS / resident * 0.05) or GPU_SCAN


ONEIL: Final[tuple[Rung, ...]] = (
    Rung("matr_s", PAPER, "a climber a thread, distance matrix in shared memory", _refuses_shared,
         climbers=MatrixInShared),
    Rung("matr_g", PAPER, "a climber a thread, distance matrix in global memory", _matrix_refusal("matr_g"),
         climbers=MatrixInGlobal),
    Rung("matr_g_ro", PAPER, "a climber a thread, distance matrix read through the read-only path",
         _matrix_refusal("matr_g_ro"), climbers=MatrixReadOnly),
    Rung("calc", PAPER, "a climber a thread, distances computed again from coordinates in tour order", _refuses_calc,
         climbers=Computed),
    Rung("intra", PAPER, "a climber a block, rows dealt out to its threads", _block_refusal("intra"), climbers=Intra),
    Rung("tile", PAPER, "the same with columns in chunks in shared memory", _block_refusal("tile"), climbers=Tile),
    Rung("tuned", PAPER, "tile with threads from the number of cities and the limits of the device",
         _block_refusal("tuned"), climbers=Tuned),
    Rung("intra_printed", PAPER, "intra with the loop of the slides, row and column in one pass",
         _block_refusal("intra_printed"), climbers=IntraPrinted),
    Rung("tile_printed", PAPER, "tile with that loop", _block_refusal("tile_printed"), climbers=TilePrinted),
    Rung("tuned_printed", PAPER, "tuned with that loop", _block_refusal("tuned_printed"), climbers=TunedPrinted),
)  # fmt: skip
