"""Many searches in one process share nothing and leave nothing behind."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from random_cities import cities

SOLVES = 200
LEAK_BYTES = 40_000
"""Most bytes by which the process may grow per solve: a tenth of what one needs for its problem and neighbour lists."""


def cancelled() -> wt.Result:
    flag = threading.Event()
    return wt.solve(cities(200), seconds=1000, cancel=flag, on_improvement=lambda cost, tour: flag.set())


def failed() -> None:
    with pytest.raises(ZeroDivisionError):
        wt.solve(cities(200), iterations=100, on_improvement=lambda cost, tour: 1 / 0)


def kinds(folder: Path) -> list[Callable[[], object]]:
    """Return one solve of each kind, each of some milliseconds."""
    tour, vehicles = cities(100), wt.generate("vrp", 40, 1)
    matrix = np.random.default_rng(1).integers(1, 100, (40, 40))
    return [
        lambda: wt.solve(tour, iterations=100, threads=1),
        lambda: wt.solve(tour, iterations=100, threads=2),
        lambda: wt.solve(tour, "ils", iterations=200, threads=2),
        lambda: wt.solve(cities(60), "descent", device="cpu,cpu", threads=2),
        lambda: wt.solve_matrix(matrix, iterations=50, threads=2),
        lambda: wt.solve(vehicles, iterations=200, threads=1),
        lambda: wt.solve(vehicles, iterations=200, threads=2),
        lambda: wt.solve(cities(30), iterations=50, bound=True, threads=2),
        lambda: wt.solve(tour, iterations=10, trace=folder / "run.jsonl", checkpoint=folder / "run.ckpt"),
        cancelled,
        failed,
    ]


def descriptors() -> int:
    place = Path("/dev/fd")
    return len(list(place.iterdir())) if place.exists() else 0


def test_solves_leave_no_memory_no_thread_and_no_descriptor(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("CRITICAL", "warptour")  # pytest keeps what is logged
    solves = kinds(tmp_path)
    for solve in solves:  # what is loaded or compiled once
        solve()
    gc.collect()
    threads, open_files = threading.active_count(), descriptors()
    objects = resident = 0
    for number in range(SOLVES):
        solves[number % len(solves)]()
        if number == SOLVES // 2:
            gc.collect()
            objects, resident = len(gc.get_objects()), memory()
    gc.collect()
    assert len(gc.get_objects()) <= objects
    assert memory() - resident < LEAK_BYTES * SOLVES / 2
    assert threading.active_count() == threads
    assert descriptors() == open_files


def memory() -> int:
    """Return the resident bytes of this process; 0 where the system does not tell."""
    place = Path("/proc/self/statm")
    return int(place.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if place.exists() else 0


def test_solves_of_several_threads_share_nothing() -> None:
    def tours(seed: int) -> list[list[int]]:
        problem, vehicles = cities(200), wt.generate("vrp", 60, 1)
        routes = wt.solve(vehicles, iterations=500, threads=1, seed=seed)
        return [
            wt.solve(problem, iterations=300, threads=2, seed=seed).tour.tolist(),
            wt.solve(problem, "ils", iterations=300, threads=1, seed=seed).tour.tolist(),
            routes.tour.tolist(),
        ]

    alone = [tours(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tours, range(4))) == alone
