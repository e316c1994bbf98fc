"""Benchmarks that compare measured performance with the limits of the device: ``warptour bench SUITE``.

A suite is a module with ``run(options)`` that yields a :class:`Row` for each
case as soon as it is measured. Nothing here asserts a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final

from warptour.model.errors import UsageError

if TYPE_CHECKING:
    from warptour.devices import Device


@dataclass(frozen=True)
class Suite:
    """A suite, and what its rows are compared with."""

    module: str  # imported on use
    # limit, peer: meaning of a row's ``limit`` and ``peer``; empty for a suite without them
    limit: str = ""
    peer: str = ""


SUITES: Final[dict[str, Suite]] = {
    "scan": Suite(
        "warptour.papers.scans.suites.scan",
        "what the device's square roots per second allow; for GFLOP/s at 31 a move, its float32 peak, which a scan"
        " that shares square roots exceeds",
        "Rocki (2013) on a GTX Titan, O'Neil and Burtscher (2015) on an H200; for a CPU, a plain loop on its"
        " cores, in the same run",
    ),
    "pruned": Suite(
        "warptour.papers.scans.suites.pruned",
        peer="milliseconds of the same step by the diagonal scan, in the same run",
    ),
    "starts": Suite("warptour.bench.starts"),
    "three-opt": Suite(
        "warptour.papers.scans.suites.three_opt",
        "what the device's float32 operations per second allow",
        "milliseconds of a scan on the GPU of Ermis (2015), table B-2; none beside a CPU",
    ),
    "vns": Suite("warptour.papers.ermis.suites.vns"),
    "symmetric": Suite(
        "warptour.papers.mavroidis.suites.symmetric", "what the device's square roots per second allow, one per move"
    ),
    "cluster": Suite(
        "warptour.bench.cluster",
        "what as many workers do that share nothing",
        "gap of one process with as many threads, in the same run",
    ),
    "shared": Suite(
        "warptour.papers.scans.suites.shared", "the rates of the devices alone, summed; for devices that share no cores"
    ),
    "energy": Suite("warptour.papers.scans.suites.energy"),
    "windows": Suite("warptour.bench.windows", "all of the time, or all windows that the device holds"),
}

CHOOSING: Final = ("cluster", "windows")
"""Suites with selectable instances and time limits."""


@dataclass(frozen=True)
class Options:
    """User options of a suite."""

    device: str = "auto"  # a name for :func:`warptour.devices.find`; ``auto`` leaves the choice to the suite
    threads: int | None = None  # number of CPU threads; None for all usable ones
    quick: bool = False  # small cases only, as a smoke test
    # instances, seconds: for a suite in ``CHOOSING``: instances to solve and elapsed seconds at which to sample; empty
    # for the defaults
    instances: tuple[str, ...] = ()
    seconds: tuple[float, ...] = ()
    seeds: int = 1  # for such a suite: number of runs whose median is reported
    first: int | None = None  # for an exhibit of ``reproduce``: first N cities of an instance


@dataclass(frozen=True)
class Row:
    """One measurement."""

    suite: str
    case: str
    n: int  # number of cities
    device: str  # device used
    value: float  # measured value in ``unit``
    unit: str
    limit: float | None = None  # upper limit of the device, in ``unit``
    peer: float | None = None  # value measured for other programs, in ``unit``


def beside_gpu(device: Device, value: float | None) -> float | None:
    """Return a time of another GPU for a row of ``device``: none beside a CPU."""
    return value if device.about().kind == "gpu" else None


def run(suite: str, options: Options | None = None) -> Iterable[Row]:
    """Return an iterator over the rows of a suite, which measures each row on demand."""
    if suite not in SUITES:
        raise UsageError(f"unknown suite {suite!r}; there are {', '.join(SUITES)}")
    options = options or Options()
    if suite not in CHOOSING and (options.instances or options.seconds or options.seeds != 1):
        raise UsageError(f"{suite} has its own cases; instances, seconds and seeds are for {', '.join(CHOOSING)}")
    rows: Iterable[Row] = import_module(SUITES[suite].module).run(options)
    return rows
