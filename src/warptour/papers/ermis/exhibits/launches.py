"""Tables A-1 to A-4: kernel time and descent over launches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from warptour.bench import Options, Row, beside_gpu
from warptour.devices import Device
from warptour.devices.launch import Launch
from warptour.papers.ermis.engine.job_scans import SharedScan
from warptour.papers.ermis.exhibits.appendix_a import APPENDIX_A, PrintedLaunch
from warptour.papers.ermis.exhibits.measuring import (
    UNNAMED,
    chosen_device,
    descent,
    file_order,
    launch_seconds,
    uniform,
)
from warptour.papers.ermis.exhibits.printed import NAME
from warptour.papers.exhibit import Exhibit

CPU_GROUPS: Final = 64
"""Most groups of a launch that is repeated on a CPU, where a group is one lane."""


DESCENTS: Final = {False: 1000, True: 500}
"""Most cities of descents on a CPU, and with ``quick``; a longer one takes minutes."""


def measure(n: int, options: Options) -> Iterator[Row]:
    """Yield kernel time, cost, 2-opt iterations and CPU + GPU time of her launches; with ``quick`` of two."""
    device = chosen_device(options)
    launches = launches_of(n, device)
    descends = n <= DESCENTS[options.quick] or (device.lanes > 1 and not options.quick)
    for launch, hers in launches[:: len(launches) - 1] if options.quick else launches:
        jobs = launch.iterations(SharedScan.jobs(n))
        case = f"block {launch.block}, grid {launch.grid}, {jobs:,} iterations"
        seconds = launch_seconds(SharedScan, n, device, launch)
        peer = beside_gpu(device, hers and hers.ms)
        yield Row(NAME, f"{case}: kernel time", n, device.name, 1e3 * seconds, "ms", None, peer)
        if descends:
            yield from descended(n, case, device, launch, hers)


def descended(n: int, case: str, device: Device, launch: Launch, hers: PrintedLaunch | None) -> Iterator[Row]:
    """Yield cost, 2-opt iterations and time of the descent from the order of the file."""
    scans, seconds, tour = descent(SharedScan(uniform(n), device, launch), file_order(n))
    printed = f" (hers {hers.cost:,}, of other cities)" if hers else ""
    cost = float(uniform(n).cost(tour))
    yield Row(NAME, f"{case}: minimised cost{printed}", n, device.name, cost, "cost")
    yield Row(NAME, f"{case}: 2-opt iterations", n, device.name, scans, "scans", None, hers and hers.scans)
    total = beside_gpu(device, hers and hers.total_ms)
    yield Row(NAME, f"{case}: CPU + GPU time", n, device.name, 1e3 * seconds, "ms", None, total)


def launches_of(n: int, device: Device) -> list[tuple[Launch, PrintedLaunch | None]]:
    """Return her launches and what she prints of them; on a CPU some grids of one lane per group."""
    if device.lanes == 1:
        grids = sorted({line.grid for line in APPENDIX_A[n] if line.grid <= CPU_GROUPS})
        return [(Launch(1, grid), None) for grid in grids]
    return [(Launch(line.block, line.grid), line) for line in APPENDIX_A[n] if line.block <= device.max_lanes]


EXHIBITS: Final = tuple(
    Exhibit(
        f"table-a-{k}",
        f"Table A-{k}: 2-opt over launches, {n:,} cities",
        f"{UNNAMED} The move, and so cost and iterations, do not depend on the launch here; atomicMin lets timing "
        "choose hers among equal moves. A CPU descends up to 1,000 cities; of more it has kernel times alone.",
        partial(measure, n),
    )
    for k, n in enumerate(APPENDIX_A, 1)
)
