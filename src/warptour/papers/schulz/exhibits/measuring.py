"""Seconds per iteration: of any engine for giant tours, and of the paper's versions, each measured once a process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import cache
from math import comb
from typing import Final, Protocol

from warptour.bench import Options
from warptour.devices import Device
from warptour.papers.schulz.engine.fitness import FitnessEngine
from warptour.papers.schulz.engine.instance import Ints
from warptour.papers.schulz.engine.version import Version
from warptour.papers.schulz.exhibits.instances import case_of
from warptour.papers.schulz.printed import SIZES
from warptour.strategies.self_check import sound_device

ITERATIONS: Final = 100
"""Iterations of a mean, as in the paper."""

ENOUGH: Final = 0.3
"""Seconds after which a mean has fewer iterations."""

LONGEST: Final = 3.0
"""Seconds of the longest iteration that is measured: larger sizes are left out."""

QUICK: Final = (25, 41)
"""Nodes with ``--quick``."""
QUICK_ENOUGH: Final = 0.01

MEANS: Final = f"Means of {ITERATIONS} iterations, or of as many as take {ENOUGH} s."
LEFT_OUT: Final = f"Sizes at which an iteration would take more than {LONGEST:g} s are left out."


class Engine(Protocol):
    """A local search on giant tours."""

    def load(self, giant: Ints) -> None:
        """Begin with a giant tour."""

    def steps(self, count: int) -> int:
        """Return the number of iterations made, fewer than ``count`` in a local optimum."""


@cache
def device_named(name: str, threads: int | None) -> Device:
    """Return a device that passes its self-check, the same object each time."""
    return sound_device(name, threads)[0]


def device_of(options: Options) -> Device:
    """Return the device of an exhibit."""
    return device_named(options.device, options.threads)


def sizes_of(options: Options) -> tuple[int, ...]:
    """Return the numbers of nodes, smallest first."""
    return QUICK if options.quick else SIZES


def enough_of(options: Options) -> float:
    """Return the seconds after which a mean has enough iterations."""
    return QUICK_ENOUGH if options.quick else ENOUGH


def neighbours(nodes: int, neighborhood: int) -> int:
    """Return the size of the complete 2-opt or 3-opt neighbourhood of a giant tour."""
    edges = nodes - 1
    return comb(edges, 2) + (4 * comb(edges, 3) if neighborhood == 3 else 0)


def mean_seconds(engine: Engine, start: Ints, device: Device, enough: float) -> float:
    """Return the mean wall-clock seconds of an iteration; searches restart from ``start`` in a local optimum."""
    engine.load(start)
    engine.steps(1)
    engine.load(start)
    device.synchronise()
    done, spent, count = 0, 0.0, 1
    while done < ITERATIONS and (spent < enough or not done):
        began = time.perf_counter()
        made = engine.steps(count)
        device.synchronise()
        spent += time.perf_counter() - began
        done += made
        if made < count:
            done += 1  # the iteration that found nothing
            engine.load(start)
            device.synchronise()
        count = max(1, min(ITERATIONS - done, int((enough - spent) * done / spent)))
    return spent / done


@cache
def version_seconds(options: Options, version: Version, neighborhood: int, nodes: int) -> float:
    """Return the mean seconds of an iteration of one version."""
    case, device = case_of(nodes), device_of(options)
    engine = FitnessEngine(case.instance, device, version, neighborhood)
    return mean_seconds(engine, case.start, device, enough_of(options))


def over_sizes(options: Options, version: Version, neighborhood: int, largest: int = SIZES[-1]) -> dict[int, float]:
    """Return the mean seconds of an iteration of one version by nodes, of all sizes that are short enough."""
    sizes = [nodes for nodes in sizes_of(options) if nodes <= largest]
    return while_short(sizes, neighborhood, lambda nodes: version_seconds(options, version, neighborhood, nodes))


def while_short(sizes: Iterable[int], neighborhood: int, seconds: Callable[[int], float]) -> dict[int, float]:
    """Return the seconds of an iteration by nodes, up to the size at which one is expected to exceed ``LONGEST``."""
    found: dict[int, float] = {}
    each = 0.0
    for nodes in sizes:
        count = neighbours(nodes, neighborhood)
        if each * count > LONGEST:
            break
        found[nodes] = seconds(nodes)
        each = found[nodes] / count
    return found
