"""Benchmarks that compare measured performance with the limits of the device: ``warptour bench SUITE``.

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
"""Module of each suite, imported on use."""

CHOOSING: Final = ("windows",)
"""Suites with selectable instances and time limits."""


@dataclass(frozen=True)
class Options:
    """User options of a suite.

    Attributes
    ----------
    device : str
        A name for :func:`warptour.devices.find`; ``auto`` leaves the choice to the suite.
    threads : int or None
        Number of CPU threads; None for all usable ones.
    quick : bool
        Small cases only, as a smoke test.
    instances, seconds : tuple
        For a suite in ``CHOOSING``: instances to solve and elapsed seconds at which to sample; empty for the defaults.
    seeds : int
        For such a suite: number of runs whose median is reported.
    first : int or None
        For an exhibit of ``reproduce``: first N cities of an instance.
    """

    device: str = "auto"
    threads: int | None = None
    quick: bool = False
    instances: tuple[str, ...] = ()
    seconds: tuple[float, ...] = ()
    seeds: int = 1
    first: int | None = None


@dataclass(frozen=True)
class Row:
    """One measurement.

    Attributes
    ----------
    suite, case : str
    n : int
        Number of cities.
    device : str
        Device used.
    value : float
        Measured value in ``unit``.
    unit : str
    limit : float or None
        Upper limit of the device, in ``unit``.
    peer : float or None
        Value measured for other programs, in ``unit``.
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
    """Return an iterator over the rows of a suite, which measures each row on demand."""
    if suite not in SUITES:
        raise UsageError(f"unknown suite {suite!r}; there are {', '.join(SUITES)}")
    options = options or Options()
    if suite not in CHOOSING and (options.instances or options.seconds or options.seeds != 1):
        raise UsageError(f"{suite} has its own cases; instances, seconds and seeds are for {', '.join(CHOOSING)}")
    rows: Iterable[Row] = import_module(SUITES[suite]).run(options)
    return rows
