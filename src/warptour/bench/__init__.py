"""Benchmarks that print what the machine does beside what it could do: ``warptour bench SUITE``.

A suite is a module with ``run(options)`` that yields a :class:`Row` for each
case as soon as it is measured. Nothing here asserts a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from warptour.model.errors import UsageError

SUITES: Final[dict[str, str]] = {
    "scan": "warptour.bench.scan",
    "starts": "warptour.bench.starts",
    "three-opt": "warptour.bench.three_opt",
    "vns": "warptour.bench.vns",
    "symmetric": "warptour.bench.symmetric",
    "windows": "warptour.bench.windows",
}
"""Each suite's module, imported when it is run."""

CHOOSING: Final = ("windows",)
"""Suites that solve instances for some seconds, which can be chosen."""


@dataclass(frozen=True)
class Options:
    """What a user may choose.

    Attributes
    ----------
    device : str
        As :func:`warptour.devices.find` takes it; ``auto`` leaves the choice to the suite.
    threads : int or None
        Of the CPU; None for all it may use.
    quick : bool
        Small cases only, to see that the suite works.
    instances, seconds : tuple
        Of a suite in ``CHOOSING``: what to solve, and after how many seconds to look; empty for all of its own.
    seeds : int
        Of such a suite: runs of which a figure is the median.
    """

    device: str = "auto"
    threads: int | None = None
    quick: bool = False
    instances: tuple[str, ...] = ()
    seconds: tuple[float, ...] = ()
    seeds: int = 1


@dataclass(frozen=True)
class Row:
    """One case, measured.

    Attributes
    ----------
    suite, case : str
    n : int
        Cities.
    device : str
        Where it ran.
    value : float
        In ``unit``.
    unit : str
    limit : float or None
        What the device allows at most, in the same unit.
    peer : float or None
        What others were measured to reach on this device, in the same unit.
    """

    suite: str
    case: str
    n: int
    device: str
    value: float
    unit: str
    limit: float | None = None
    peer: float | None = None


def run(suite: str, options: Options | None = None) -> Iterable[Row]:
    """Return the rows of a suite, each measured when it is asked for."""
    if suite not in SUITES:
        raise UsageError(f"unknown suite {suite!r}; there are {', '.join(SUITES)}")
    options = options or Options()
    if suite not in CHOOSING and (options.instances or options.seconds or options.seeds != 1):
        raise UsageError(f"{suite} has its own cases; instances, seconds and seeds are for {', '.join(CHOOSING)}")
    rows: Iterable[Row] = import_module(SUITES[suite]).run(options)
    return rows
