"""Speed of symmetric 2-opt on uniform cities: descents of one tour, rounds of one long tour, and batches of tours.

``warptour reproduce mavroidis`` has its quality, and the figures of Mavroidis (2011) beside ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour import api
from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.mavroidis.engine.rows import ROUNDS, TourRows, exact_rows
from warptour.strategies.self_check import sound_device

SUITE: Final = "symmetric"
DESCENTS: Final = (200, 500, 1000, 2000)
LONG: Final = (5_000, 53_000, 200_000)
BATCHES: Final = (100, 200, 318, 493, 579, 1000, 1173, 1817, 2048)
BATCH: Final = 66_000
"""Total number of cities in the tours of a batch, per GPU multiprocessor."""
FOREVER: Final = 10_000_000
"""Round limit above the length of any of these descents."""


def run(options: Options) -> Iterator[Row]:
    """Yield the time of each descent, the time per round of long tours on a GPU, and the rate of each batch."""
    device, _ = sound_device(options.device, options.threads)
    for n in DESCENTS[: 2 if options.quick else None]:
        yield _descent(device, n)
    if device.lanes > 1 and not options.quick:
        for n in LONG:
            yield _large(device, n)
    for n in BATCHES[: 2 if options.quick else None]:
        yield _batch(device, n, quick=options.quick)


def _descent(device: Device, n: int) -> Row:
    """Return the time of a descent from the order of generation to a 2-optimal tour."""
    problem, order = _uniform(n), np.arange(n, dtype=np.int32)[None]
    seconds, _ = timed_descent(device, lambda: exact_rows(device, problem, order))
    return Row(SUITE, "descent of one tour", n, device.name, 1e3 * seconds, "ms")


def timed_descent(device: Device, rows: Callable[[], TourRows]) -> tuple[float, NDArray[np.int32]]:
    """Return the device seconds of a descent, without compilation, and the final tour."""
    rows().run(1)
    mine = rows()
    device.synchronise()
    with device.timed() as elapsed:
        mine.run(1_000_000)
    return elapsed.seconds, mine.finish()[0]


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


def _uniform(n: int) -> TSP:
    problem = api.read(f"uniform:{n}:1")
    assert isinstance(problem, TSP)
    return problem
