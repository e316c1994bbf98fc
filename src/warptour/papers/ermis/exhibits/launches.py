"""Tables A-1 to A-4: kernel time over launches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from warptour.bench import Options, Row, beside_gpu
from warptour.devices import Device
from warptour.devices.launch import Launch
from warptour.papers.ermis.engine.job_scans import SharedScan
from warptour.papers.ermis.exhibits.appendix_a import APPENDIX_A
from warptour.papers.ermis.exhibits.measuring import DISTANCES, UNNAMED, chosen_device, launch_seconds
from warptour.papers.ermis.exhibits.printed import NAME
from warptour.papers.exhibit import Exhibit

CPU_GROUPS: Final = 64
"""Most groups of a launch that is repeated on a CPU, where a group is one lane."""


def measure(n: int, options: Options) -> Iterator[Row]:
    """Yield the kernel time of her launches; with ``quick`` of a few."""
    device = chosen_device(options)
    launches = launches_of(n, device)
    for launch, peer in launches[:: max(1, len(launches) // 4)] if options.quick else launches:
        jobs = launch.iterations(SharedScan.jobs(n))
        case = f"block {launch.block}, grid {launch.grid}, {jobs:,} iterations"
        seconds = launch_seconds(SharedScan, n, device, launch)
        yield Row(NAME, case, n, device.name, 1e3 * seconds, "ms", None, beside_gpu(device, peer))


def launches_of(n: int, device: Device) -> list[tuple[Launch, float | None]]:
    """Return her launches and kernel times; on a CPU some grids of one lane per group."""
    if device.lanes == 1:
        grids = sorted({line.grid for line in APPENDIX_A[n] if line.grid <= CPU_GROUPS})
        return [(Launch(1, grid), None) for grid in grids]
    return [(Launch(line.block, line.grid), line.ms) for line in APPENDIX_A[n] if line.block <= device.max_lanes]


EXHIBITS: Final = tuple(
    Exhibit(
        f"table-a-{k}",
        f"Table A-{k}: kernel time over launches, {n:,} cities",
        f"{UNNAMED} {DISTANCES} The move does not depend on the launch here; atomicMin makes hers depend on timing.",
        partial(measure, n),
    )
    for k, n in enumerate(APPENDIX_A, 1)
)
