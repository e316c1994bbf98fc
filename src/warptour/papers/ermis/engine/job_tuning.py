"""Launch of a job scan by the model of occupancy and a short measurement (``devices/tuning.py``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import numpy as np

from warptour.devices import Device
from warptour.devices.launch import Launch
from warptour.devices.tuning import tuned
from warptour.model.problem import TSP
from warptour.papers.ermis.engine.job_scans import RANGE, JobScan, PartitionScan, job_special

Scan = TypeVar("Scan", bound=JobScan)

SHARES: Final = (1.0, 0.5, 0.25, 2.0)
"""Groups tried, as shares of those that are resident: fewer groups copy fewer coordinates to shared memory."""

LEAST_OCCUPANCY: Final = 0.5
"""Block sizes tried: those with at least this share of the most resident lanes."""

SHORT: Final = 10_000_000
"""Jobs of a scan so short that ``REPEATS`` of them are timed together."""

REPEATS: Final = 8


def tuned_scan(kind: type[Scan], problem: TSP, device: Device) -> Scan:
    """Return a scan with the launch that was quickest for this kernel, metric and number of cities."""
    return kind(problem, device, tuned_launch(kind, problem, device))


def tuned_launch(kind: type[JobScan], problem: TSP, device: Device) -> Launch:
    """Return the quickest of :func:`tried_launches`, measured once per device and kernel text."""
    if kind is PartitionScan and problem.n > 2 * RANGE:  # all launches are alike: three of them are enough
        problem = TSP("tuning", problem.metric, problem.points[: 2 * RANGE])
    candidates = tried_launches(kind, device, problem.n)
    key = f"{kind.kernel} {job_special(problem)} {problem.n}"
    return tuned(device, key, candidates, scan_runner(kind, problem, device), tried=len(candidates))


def tried_launches(kind: type[JobScan], device: Device, n: int) -> list[Launch]:
    """Return the launches worth measuring, those of most occupancy first."""
    ranked = kind.launches(device, n)
    if device.lanes == 1:
        return ranked
    most = ranked[0].block * ranked[0].grid
    kept = [launch for launch in ranked if launch.block * launch.grid >= LEAST_OCCUPANCY * most]
    jobs = kind.jobs(n)
    found = (balanced(Launch(each.block, max(1, round(share * each.grid))), jobs) for share in SHARES for each in kept)
    return list(dict.fromkeys(found))


def balanced(launch: Launch, jobs: int) -> Launch:
    """Return the smallest launch with as many iterations."""
    return Launch(launch.block, max(1, -(-jobs // (launch.block * max(1, launch.iterations(jobs))))))


def scan_runner(kind: type[JobScan], problem: TSP, device: Device) -> Callable[[Launch], None]:
    """Return what scans the identity tour with a given launch; short scans several times, as one submission."""
    recorded: dict[Launch, Callable[[], None]] = {}

    def run(launch: Launch) -> None:
        if launch not in recorded:
            scan = kind(problem, device, launch)
            scan.load(np.arange(problem.n, dtype=np.int32))
            scan.scan()

            def several() -> None:
                for _ in range(REPEATS):
                    scan.scan()

            recorded[launch] = device.record(several) if kind.jobs(problem.n) <= SHORT else scan.scan
        recorded[launch]()

    return run
