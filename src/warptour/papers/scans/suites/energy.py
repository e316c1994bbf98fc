"""Energy of moves: joules per billion of each rung of the ladder, and of ``windows``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from warptour import api
from warptour.bench import Options, Row
from warptour.bench.energy import Meter, meter_for
from warptour.devices import Device
from warptour.model.errors import UnsupportedError
from warptour.model.problem import TSP
from warptour.observe.result import Result
from warptour.papers.scans.ladder.registry import RUNGS
from warptour.papers.scans.ladder.rung import Rung
from warptour.papers.scans.suites.scan import chosen, uniform
from warptour.papers.scans.tour_scan import move_count

SUITE: Final = "energy"

CITIES: Final = {"scan": {"cpu": 10_000, "gpu": 100_000}, "climbers": {"cpu": 200, "gpu": 200}, "windows": 100_000}
QUICK: Final = 1000
SECONDS: Final = {False: 2.0, True: 0.3}
"""Seconds of a measurement; in full and with ``--quick``. NVML's counter changes some ten times a second."""


def run(options: Options) -> Iterator[Row]:
    """Yield joules per billion moves, and watts, on each device whose energy can be read."""
    reasons, measured = [], False
    for device in chosen(options):
        try:
            meter = meter_for(device)
        except UnsupportedError as error:
            reasons.append(str(error))
            continue
        measured = True
        yield from of_windows(device, meter, options)
        for rung in RUNGS.values():
            yield from of_rung(rung, device, meter, options)
    if not measured:
        raise UnsupportedError("; ".join(reasons))


def of_rung(rung: Rung, device: Device, meter: Meter, options: Options) -> Iterator[Row]:
    """Yield the energy of a rung, of one tour where it scans one, else of many climbers; nothing if it refuses."""
    kind = "scan" if rung.scan is not None else "climbers"
    n = CITIES[kind][device.about().kind]  # type: ignore[index]
    problem = uniform(min(n, QUICK) if options.quick else n, "EUC_2D")
    if rung.refuses(problem, device) is None:
        work = scans(rung, problem, device) if kind == "scan" else climbs(rung, problem, device)
        yield from rows(rung.name, problem.n, device, *spent(work, device, meter, SECONDS[options.quick]))


def scans(rung: Rung, problem: TSP, device: Device) -> Callable[[], int]:
    """Return what scans a tour once, and the number of moves that this decides on."""
    assert rung.scan is not None
    scan = rung.scan(problem, device)
    scan.load(np.arange(problem.n, dtype=np.int32))

    def work() -> int:
        scan.scan()
        return move_count(problem.n)

    return work


def climbs(rung: Rung, problem: TSP, device: Device) -> Callable[[], int]:
    """Return what climbs for some scans, and the number of moves that this evaluates."""
    assert rung.climbers is not None
    climbers, seed = rung.climbers, 0
    count = climbers.crowd(problem, device)
    batch = climbers(problem, device, count)

    def work() -> int:
        nonlocal batch, seed
        before = batch.evaluated()
        batch.climb()
        done = batch.evaluated() - before
        if done == 0:  # all are in local minima
            seed += 1
            batch = climbers(problem, device, count, seed=seed)
        return done

    return work


def spent(work: Callable[[], int], device: Device, meter: Meter, seconds: float) -> tuple[float, float, int]:
    """Return the seconds, joules and moves of work that goes on for ``seconds``, after one call to warm up."""
    work()
    device.synchronise()
    began, before, moves = time.perf_counter(), meter.joules(), 0
    while time.perf_counter() - began < seconds:
        moves += work()
        device.synchronise()
    return time.perf_counter() - began, meter.joules() - before, moves


def of_windows(device: Device, meter: Meter, options: Options) -> Iterator[Row]:
    """Yield the energy of a search by windows, neighbour lists and start included."""
    problem = uniform(QUICK if options.quick else CITIES["windows"], "EUC_2D")  # type: ignore[arg-type]

    def solve() -> Result:
        seconds = SECONDS[options.quick]
        return api.solve(problem, "windows", seconds=seconds, seed=1, device=device.name, threads=options.threads)

    try:
        solve()  # compiles
    except UnsupportedError:
        return
    began, before = time.perf_counter(), meter.joules()
    moves = solve().moves or 0
    yield from rows("windows", problem.n, device, time.perf_counter() - began, meter.joules() - before, moves)


def rows(case: str, n: int, device: Device, seconds: float, joules: float, moves: int) -> Iterator[Row]:
    """Yield joules per billion moves, and watts."""
    if moves > 0:
        yield Row(SUITE, case, n, device.name, joules / moves * 1e9, "J/Gmoves")
        yield Row(SUITE, f"{case}, power", n, device.name, joules / seconds, "W")
