"""Hours of mixed solves in one process: every answer is checked, memory and descriptors must not grow.

    python benchmarks/soak.py [--minutes 360] [--rows 12] [--threads 2] [--seed 1]

Problems of every kind are drawn in turn: tours, paths, matrices that differ there and back, vehicles, hours, time
windows and fleets, of random sizes; now and then a lower bound, and a search that a listener ends or that continues
from a checkpoint. Each answer is written to a file, read back and checked, and its cost must be the one that was
reported. The table has a row for each part of the time; the program fails if an answer is wrong, if descriptors or
threads are left, or if resident memory grows by more than `GROWTH` of itself from the first third of the rows, in which
caches fill, to the last.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

import warptour as wt

GROWTH = 0.02
"""Share of resident memory by which the median of the last third of the rows may exceed that of the first."""

SOLVE_SECONDS = (0.05, 1.0)
"""Shortest and longest limit of a solve."""

DATA = Path(wt.__file__).parent / "data"


class Row(NamedTuple):
    """What was seen at the end of a part of the time; memory in megabytes."""

    minutes: float
    solves: int
    resident: float
    descriptors: int
    threads: int

    def line(self) -> str:
        """Return the row as Markdown."""
        return f"| {self.minutes:.1f} | {self.solves:,} | {self.resident:.0f} | {self.descriptors} | {self.threads} |"


def problem(kind: str, draw: random.Random) -> wt.TSP | wt.VRP:
    """Return a random problem of a kind."""
    size, seed = draw.randint(12, 2000), draw.randrange(2**31)
    rng = np.random.default_rng(seed)
    if kind == "matrix":
        return wt.TSP.from_matrix(rng.integers(1, 10_000, (size // 8 + 5, size // 8 + 5)))
    if kind == "path":
        return wt.TSP("path", wt.METRICS["EUCLIDEAN"], rng.random((size, 2)), open=True, first=0)
    if kind == "hours":
        return wt.read(DATA / "deliveries.csv", capacity=1200, vehicles=5, speed=30, max_hours=8, depart="08:00")
    if kind == "fleet":
        return wt.read(DATA / "deliveries.csv", fleet=DATA / "fleet.csv", speed=30)
    return wt.generate(kind, size // 4 + 5 if kind in {"vrp", "windows"} else size, seed)


KINDS = ("uniform", "clustered", "path", "matrix", "vrp", "hours", "windows", "fleet")


def solve(kind: str, draw: random.Random, threads: int, folder: Path) -> None:
    """Solve one problem in one of several ways; raise `AssertionError` if the answer is wrong."""
    drawn = problem(kind, draw)
    lowest = 0.0
    if isinstance(drawn, wt.TSP) and draw.random() < 0.1:
        lowest = wt.bound(drawn, seconds=0.2, threads=threads).lower_bound
    seconds = draw.uniform(*SOLVE_SECONDS)
    listener: Callable[[float, object], bool] | None = (lambda *_: False) if draw.random() < 0.1 else None
    kept = folder / "kept.npz"
    keeps = draw.random() < 0.3
    seed = draw.randrange(2**31)
    result = wt.solve(
        drawn,
        seconds=seconds,
        threads=threads,
        seed=seed,
        on_improvement=listener,
        checkpoint=kept if keeps else None,
        trace=folder / "trace.jsonl" if keeps else None,
    )
    if keeps and draw.random() < 0.5:
        again = wt.solve(drawn, seconds=seconds, threads=threads, seed=seed, resume=kept)
        assert again.cost <= result.cost, f"{kind}: {again.cost} after {result.cost} was resumed"
        result = again
    path = folder / ("best.tour" if isinstance(drawn, wt.TSP) else "best.sol")
    wt.write(path, drawn, result.solution)
    report = wt.check(drawn, path)
    assert report.feasible, f"{kind}, seed {seed}: {report.violations}"
    assert report.cost == result.cost, f"{kind}, seed {seed}: {result.cost} was reported, the file has {report.cost}"
    assert report.cost >= lowest, f"{kind}, seed {seed}: {report.cost} is below the bound {lowest}"


def seen(minutes: float, solves: int) -> Row:
    """Return what this process holds now, after its allocators have given back what they keep for later."""
    gc.collect()
    with suppress(OSError, AttributeError):  # not every C library has it
        ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    resident = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return Row(minutes, solves, resident, len(os.listdir("/proc/self/fd")), threading.active_count())


def faults(rows: list[Row]) -> list[str]:
    """Return what was left behind, or grew."""
    third = max(1, len(rows) // 3)
    settled, last = rows[:third], rows[-third:]
    found = []
    for name in ("descriptors", "threads"):
        before, after = getattr(settled[-1], name), getattr(last[-1], name)
        if after > before:
            found.append(f"{name} grew from {before} to {after}")
    before, after = (statistics.median(row.resident for row in part) for part in (settled, last))
    if after > before * (1 + GROWTH):
        found.append(f"resident memory grew from {before:.0f} to {after:.0f} MB")
    return found


def main() -> int:
    """Solve until the time is over; return 0 if nothing was wrong."""
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("--minutes", type=float, default=360.0)
    words.add_argument("--rows", type=int, default=12, help="rows of the table")
    words.add_argument("--threads", type=int, default=2, help="threads of a solve")
    words.add_argument("--seed", type=int, default=1)
    options = words.parse_args()
    draw = random.Random(options.seed)
    rows: list[Row] = []
    print("| minutes | solves | resident, MB | descriptors | threads |\n|--:|--:|--:|--:|--:|", flush=True)
    begin, solves = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        while len(rows) < options.rows:
            solve(KINDS[solves % len(KINDS)], draw, options.threads, Path(folder))
            solves += 1
            minutes = (time.monotonic() - begin) / 60
            if minutes >= options.minutes * (len(rows) + 1) / options.rows:
                rows.append(seen(minutes, solves))
                print(rows[-1].line(), flush=True)
    found = faults(rows)
    print("\n".join(found) if found else f"\n{solves:,} answers were checked, nothing grew")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
