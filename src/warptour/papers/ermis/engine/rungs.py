"""The rungs of Ermis (2015): what lies in shared memory decides how long a tour may be.

The thesis cuts distances to integers; here they follow the problem's own metric.
"""

from __future__ import annotations

from typing import Final

from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.ermis.engine.job_scans import (
    OrderedScan,
    PartitionScan,
    SharedScan,
    job_memory,
    ordered_cities,
    shared_cities,
)
from warptour.papers.ermis.engine.job_tuning import tuned_scan
from warptour.papers.scans.ladder.rung import Rung
from warptour.papers.scans.tour_scan import fast_metric

PAPER: Final = "Ermis (2015)"


def refuses_shared(problem: TSP, device: Device) -> str | None:
    """Return why ``shared`` does not serve, or None."""
    memory = job_memory(device)
    most = shared_cities(10 * 2**16 + 12 if memory is None else memory)
    return _other_metric("shared", problem) or _longer("shared", problem, device, most, "ordered")


def refuses_ordered(problem: TSP, device: Device) -> str | None:
    """Return why ``ordered`` does not serve, or None."""
    memory = job_memory(device)
    most = problem.n if memory is None else ordered_cities(memory)
    return _other_metric("ordered", problem) or _longer("ordered", problem, device, most, "partitions")


def refuses_partitions(problem: TSP, device: Device) -> str | None:
    """Return why ``partitions`` does not serve, or None."""
    memory = job_memory(device)
    taken = PartitionScan.local(problem.n)
    if memory is not None and taken > memory:
        return f"partitions takes {taken:,} bytes of shared memory, and {device.name} has {memory:,}; diagonal goes on"
    return _other_metric("partitions", problem)


def _other_metric(rung: str, problem: TSP) -> str | None:
    if fast_metric(problem.metric):
        return None
    return f"{rung} measures planar Euclidean distances only, not {problem.metric.name}"


def _longer(rung: str, problem: TSP, device: Device, most: int, goes_on: str) -> str | None:
    if problem.n <= most:
        return None
    return f"{rung} takes at most {most:,} cities on {device.name}, and there are {problem.n:,}; {goes_on} goes on"


ERMIS: Final[tuple[Rung, ...]] = (
    Rung(
        "shared",
        PAPER,
        "coordinates of all cities and the tour index in shared memory, a job per pair",
        refuses_shared,
        scan=lambda problem, device: tuned_scan(SharedScan, problem, device),
    ),
    Rung(
        "ordered",
        PAPER,
        "coordinates in tour order in shared memory, a job per pair",
        refuses_ordered,
        scan=lambda problem, device: tuned_scan(OrderedScan, problem, device),
    ),
    Rung(
        "partitions",
        PAPER,
        "a launch for each pair of coordinate ranges of 3,000 cities, both in shared memory",
        refuses_partitions,
        scan=lambda problem, device: tuned_scan(PartitionScan, problem, device),
    ),
)
