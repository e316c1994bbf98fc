"""Throughput of a rung in moves per second, from random tours."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from warptour.bench import Options
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.model.problem import TSP
from warptour.papers.oneil.engine.rungs import ONEIL
from warptour.papers.scans.ladder.climber_batch import LOCALLY_OPTIMAL, ResidentClimbers
from warptour.papers.scans.ladder.registry import RUNGS
from warptour.papers.scans.ladder.rung import Rung
from warptour.papers.scans.two_opt_climbers import Shape, TwoOptClimbers
from warptour.strategies.self_check import sound_device

SECONDS, QUICK_SECONDS = 2.0, 0.1
"""Time limit of one measurement; climbs that end earlier are repeated up to ``RUNS`` times."""

RUNS: Final = 8
"""Maximum number of measurements, of which the best counts."""

CORE_CLIMBERS: Final = 4
"""Climbers per core, so that none idles for long at the end."""

IN_BLOCKS: Final = ("intra", "tile", "tuned", "intra_printed", "tile_printed", "tuned_printed")
"""Rungs of the slides with a climber a block; the printed loop computes the same roots as ours."""

ROOTS: Final = {"calc": 3} | dict.fromkeys(IN_BLOCKS, 2)
"""Square roots per move, which limit the throughput."""

IN_GROUPS: Final = (*IN_BLOCKS, "diagonal")
"""Rungs with a climber a group."""

ON_CPU: Final = ("tile", "tile_printed", "diagonal")
"""What all cores run beside a GPU: our loop and that of the slides, and our kernel."""


@dataclass(frozen=True)
class Contender:
    """A rung on a device."""

    rung: Rung
    device: Device

    @property
    def name(self) -> str:
        """Name of the rung."""
        return self.rung.name

    @property
    def title(self) -> str:
        """Name of its series: the rung, and on a CPU the number of cores."""
        about = self.device.about()
        return self.name if about.kind == "gpu" else f"{self.name} on {about.units} cores"

    def limit(self, problem: TSP) -> float | None:
        """Return the Gmoves/s that the device's square roots allow, or None if unknown."""
        roots = self.device.about().roots
        if self.name == "diagonal":
            rows = Shape.of(self.device, problem.n).rows
            return roots * rows / (rows + 1) / 1e9 or None
        return roots / ROOTS[self.name] / 1e9 or None if self.name in ROOTS else None

    def refuses(self, problem: TSP) -> str | None:
        """Return why the rung has no climbers for a problem on this device, or None."""
        if self.name == "diagonal" and not TwoOptClimbers.supports(problem, self.device):
            return "diagonal has no room for its tours"
        return self.rung.refuses(problem, self.device)

    def climbers(self, problem: TSP, count: int, seed: int) -> ResidentClimbers:
        """Return a batch of climbers from random tours."""
        return self._kind(problem, self.device, count, seed=seed)

    def count(self, problem: TSP) -> int:
        """Return the number of climbers that fill the device.

        Beyond 1000 cities, groups are a quarter of that, as the program's v2.3 was measured.
        """
        crowd = self._kind.crowd(problem, self.device)
        if self.device.lanes == 1:
            return CORE_CLIMBERS * crowd
        return crowd // 4 if problem.n > 1000 and self.name in IN_GROUPS else crowd

    @property
    def _kind(self) -> type[ResidentClimbers]:
        assert self.rung.climbers is not None
        return self.rung.climbers


def contenders(options: Options) -> Iterator[Contender]:
    """Yield every rung on the chosen device, and beside a GPU some on all cores."""
    device, _ = sound_device(options.device, options.threads)
    rungs = [*ONEIL, RUNGS["diagonal"]]
    for rung in rungs:
        yield Contender(rung, device)
    if device.about().kind == "gpu":
        for rung in rungs:
            if rung.name in ON_CPU:
                yield Contender(rung, Cpu(options.threads))


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
        best = max(best, team.evaluated() / elapsed.seconds / 1e9)
        spent += elapsed.seconds
        if spent > limit / 2:
            break
    return best
