"""Symmetric 2-opt compared with Mavroidis (2011): loops of the machine, one tour, batches, annealing.

His instances are read from ``tsp`` in the folder ``WARPTOUR_DATA``; without it only generated instances are measured.
``peer`` is his figure: loops of his FPGA emulator, milliseconds on his GTX 280, percent above the optimum.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour import api
from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.engines.self_check import sound_device
from warptour.engines.symmetric.fpga import emulate
from warptour.engines.symmetric.rows import ROUNDS, Rows, exact_rows
from warptour.model.problem import TSP
from warptour.strategies.annealing import Annealing

SUITE: Final = "symmetric"

LOOPS: Final = {
    "eil51": 234, "tsp225": 1129, "pr1002": 5576, "rl1304": 18607, "vm1748": 31747, "u2319": 8585, "fnl4461": 84940,
}  # fmt: skip
"""Loops, from Mavroidis (2011), table 2."""

TABLE: Final = {
    "pr124": (3.1, 9.7, 1.4), "bier127": (10, 18.7, 3.8), "ch130": (10, 22.2, 2.1), "pr152": (2.8, 25.6, 1.9),
    "d198": (6.8, 26.2, 3.9), "kroA200": (12.3, 48.4, 2.5), "tsp225": (8.2, 27.2, 3.2), "lin318": (17.1, 78.8, 4.2),
    "d493": (10.5, 155, 4.3), "p654": (14.1, 377, 4.3), "pcb1173": (11.9, 704, 4.8), "rl1323": (16.5, 858, 4.7),
    "u1817": (16.2, 740, 4.9),
}  # fmt: skip
"""Mavroidis (2011), chapter 6: percent above the optimum, milliseconds on his GPU, percent with annealing."""

ANNEALING_SECONDS: Final = 1.5

BATCHES: Final = (100, 200, 318, 493, 579, 1000, 1173, 1817, 2048)
BATCH: Final = 66_000
"""Total number of cities in the tours of a batch, per GPU multiprocessor."""
FOREVER: Final = 10_000_000
"""Round limit above the length of any of these descents."""


def run(options: Options) -> Iterator[Row]:
    """Yield the loops of the machine, then time and quality of each tour, batches, and annealing."""
    device, _ = sound_device(options.device, options.threads)
    folder = os.environ.get("WARPTOUR_DATA")
    names = list(TABLE)[: 3 if options.quick else None]
    if folder:
        for name in list(LOOPS)[: 2 if options.quick else None]:
            problem = _read(folder, name)
            if problem is not None:
                yield Row(SUITE, f"machine {name}", problem.n, "cpu", emulate(problem).loops, "loops", peer=LOOPS[name])
    problems = [problem for name in names if folder and (problem := _read(folder, name)) is not None]
    for problem in problems or [_uniform(500)]:
        yield from _one_tour(device, problem)
    if device.lanes > 1 and not options.quick:
        yield from _block_sizes(device, _read(folder, "d2103") if folder else None)
        for n in (5_000, 53_000, 200_000):
            yield _large(device, n)
    for n in BATCHES[: 2 if options.quick else None]:
        yield _batch(device, n, quick=options.quick)
    for problem in problems:
        yield _annealed(options, device, problem)


def _one_tour(device: Device, problem: TSP) -> Iterator[Row]:
    """Yield the time of a descent from the file's order, without compilation, and the gap of the tour."""
    order = np.arange(problem.n, dtype=np.int32)[None]
    seconds, tour = timed_descent(device, lambda: exact_rows(device, problem, order))
    gap, milliseconds, _ = TABLE.get(problem.name, (None, None, None))
    yield Row(SUITE, f"descent {problem.name}", problem.n, device.name, 1e3 * seconds, "ms", peer=milliseconds)
    if problem.best_known:
        found = 100 * (problem.cost(tour) / problem.best_known - 1)
        yield Row(SUITE, f"2-optimal {problem.name}", problem.n, device.name, found, "% above", peer=gap)


def timed_descent(device: Device, rows: Callable[[], Rows]) -> tuple[float, NDArray[np.int32]]:
    """Return the device seconds of a descent, without compilation, and the final tour."""
    rows().run(1)
    mine = rows()
    device.synchronise()
    with device.timed() as elapsed:
        mine.run(1_000_000)
    return elapsed.seconds, mine.finish()[0]


def _block_sizes(device: Device, problem: TSP | None) -> Iterator[Row]:
    """Yield the time of a descent by lanes per group, as in figures 17 and 18 for d2103."""
    problem = _uniform(2103) if problem is None else problem
    order = np.arange(problem.n, dtype=np.int32)[None]
    for lanes in (64, 128, 256, 512, 1024):
        seconds, _ = timed_descent(device, partial(exact_rows, device, problem, order, lanes=lanes))
        yield Row(SUITE, f"{problem.name}, {lanes} lanes", problem.n, device.name, 1e3 * seconds, "ms")


def _large(device: Device, n: int) -> Row:
    """Return the time per round of one long tour, over the first 1,000 rounds from a random order."""
    problem = _uniform(n)
    rows = exact_rows(device, problem, np.random.default_rng(0).permutation(n).astype(np.int32)[None])
    rows.run(1)
    with device.timed() as elapsed:
        rows.run(1000)
    return Row(SUITE, f"round, {rows.lanes} lanes", n, device.name, 1e3 * elapsed.seconds, "us")


def _batch(device: Device, n: int, *, quick: bool) -> Row:
    """Return the moves per second of device time that a batch of tours evaluates from random orders to 2-optimality.

    A move counts once, when its round is complete: then its own distances have been computed, either as lower bounds in
    float32 or exactly. Redundant and speculative evaluations do not count.
    """
    problem, rng = _uniform(n), np.random.default_rng(0)
    problem = replace(problem, points=np.floor(problem.points / 32))
    about = device.about()
    count = about.units * (BATCH // n if device.lanes > 1 else 1)
    tours = np.array([rng.permutation(n) for _ in range(count)], np.int32)
    exact_rows(device, problem, tours).run(1)
    rows = exact_rows(device, problem, tours)
    device.synchronise()
    with device.timed() as elapsed:
        rows.run(2 * n if quick else FOREVER)
    moves = int(rows.state()[:, ROUNDS].sum()) * (rows.moves - 1)
    limit = about.roots / 1e9 if about.roots else None
    return Row(SUITE, f"batch of {count}", n, device.name, moves / elapsed.seconds / 1e9, "Gmoves/s", limit)


def _annealed(options: Options, device: Device, problem: TSP) -> Row:
    """Return the gap of annealing within the time limit, which includes everything but compilation."""
    result = api.solve(
        problem, Annealing(), seconds=ANNEALING_SECONDS, device=device.name, threads=options.threads, seed=1
    )
    gap = 100 * (result.cost / problem.best_known - 1) if problem.best_known else float("nan")
    case = f"annealing {problem.name} {ANNEALING_SECONDS:g} s"
    return Row(SUITE, case, problem.n, device.name, gap, "% above", peer=TABLE[problem.name][2])


def _read(folder: str, name: str) -> TSP | None:
    file = Path(folder, "tsp", f"{name}.tsp")
    if not file.exists():
        return None
    problem = api.read(file)
    return problem if isinstance(problem, TSP) else None


def _uniform(n: int) -> TSP:
    problem = api.read(f"uniform:{n}:1")
    assert isinstance(problem, TSP)
    return problem
