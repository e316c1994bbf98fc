"""Throughput of a rung in moves per second, from random tours."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from warptour.bench import Options
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.engines.ladder.block_climbers import BlockClimbers, Tuned
from warptour.engines.ladder.climber_batch import Climbers
from warptour.engines.ladder.oneil import ONEIL
from warptour.engines.scans.tour_scan import move_count
from warptour.engines.scans.two_opt_climbers import LOCALLY_OPTIMAL, SCANS, TwoOptClimbers
from warptour.engines.self_check import sound_device
from warptour.model.problem import TSP

SECONDS, QUICK_SECONDS = 2.0, 0.1
"""Time limit of one measurement; climbs that end earlier are repeated up to ``RUNS`` times."""

RUNS: Final = 8
"""Maximum number of measurements, of which the best counts."""

CORE_CLIMBERS: Final = 4
"""Climbers per core, so that none idles for long at the end."""

ROOTS: Final = {"calc": 3, "intra": 2, "tile": 2, "tuned": 2}
"""Square roots per move, which limit the throughput."""

ON_CPU: Final = ("tile", "diagonal")
"""What all cores run beside a GPU: the loop of the slides, and ours."""


@dataclass(frozen=True)
class Contender:
    """A rung on a device.

    ``climbers`` makes a batch of a number of climbers from random tours of a seed; ``count`` of them fill the device.
    """

    name: str
    device: Device
    climbers: Callable[[TSP, int, int], Any]
    count: Callable[[TSP], int]
    refuses: Callable[[TSP], str | None]

    @property
    def title(self) -> str:
        """Name of its series: the rung, and on a CPU the number of cores."""
        about = self.device.about()
        return self.name if about.kind == "gpu" else f"{self.name} on {about.units} cores"

    def limit(self, problem: TSP) -> float | None:
        """Return the Gmoves/s that the device's square roots allow, or None if unknown."""
        roots = self.device.about().roots
        if self.name == "diagonal":
            rows = int(self.climbers(problem, 1, 0).shape.rows)
            return roots * rows / (rows + 1) / 1e9 or None
        return roots / ROOTS[self.name] / 1e9 or None if self.name in ROOTS else None


def contenders(options: Options) -> Iterator[Contender]:
    """Yield every rung on the chosen device, and beside a GPU some on all cores."""
    device, _ = sound_device(options.device, options.threads)
    yield from on_device(device)
    if device.about().kind == "gpu":
        yield from (rung for rung in on_device(Cpu(options.threads)) if rung.name in ON_CPU)


def on_device(device: Device) -> Iterator[Contender]:
    """Yield every rung on a device, and ``diagonal``."""
    for rung in ONEIL:
        kind: Any = rung.climbers
        yield Contender(
            rung.name,
            device,
            lambda problem, count, seed, kind=kind: kind(problem, device, count, seed=seed),  # type: ignore[misc]
            lambda problem, kind=kind: _filling(problem, device, kind),  # type: ignore[misc]
            lambda problem, rung=rung: rung.refuses(problem, device),  # type: ignore[misc]
        )
    yield Contender(
        "diagonal",
        device,
        lambda problem, count, seed: TwoOptClimbers(problem, device, count, seed=seed),
        lambda problem: _filling(problem, device, Tuned),
        lambda problem: None if TwoOptClimbers.supports(problem, device) else "diagonal has no room for its tours",
    )


def _filling(problem: TSP, device: Device, kind: Any) -> int:
    """Return the number of climbers that fill a device.

    Beyond 1000 cities, groups are a quarter of that, as the program's v2.3 was measured.
    """
    crowd: int = kind.crowd(problem, device)
    if device.lanes == 1:
        return CORE_CLIMBERS * crowd
    return crowd // 4 if problem.n > 1000 and issubclass(kind, BlockClimbers) else crowd


def rate(contender: Contender, problem: TSP, *, quick: bool) -> float:
    """Return the Gmoves/s of climbs from random tours, to local minima or to the time limit; the best of some runs."""
    device, limit = contender.device, QUICK_SECONDS if quick else SECONDS
    contender.climbers(problem, 2, 0).climb(1)  # compile and load
    best = spent = 0.0
    for seed in range(1, 1 + RUNS):
        team = contender.climbers(problem, contender.count(problem), seed)
        device.synchronise()
        began = time.perf_counter()
        with device.timed() as elapsed:
            while not team.counters()[:, LOCALLY_OPTIMAL].all() and time.perf_counter() - began < limit:
                team.climb()
        best = max(best, evaluated(team, problem.n) / elapsed.seconds / 1e9)
        spent += elapsed.seconds
        if spent > limit / 2:
            break
    return best


def evaluated(team: Any, n: int) -> int:
    """Return the number of moves evaluated by a batch of climbers."""
    if isinstance(team, Climbers):
        return team.evaluated()
    return int(team.counters()[:, SCANS].sum(dtype=np.int64)) * move_count(n)
