"""Tables A-1 to A-4: kernel time over launches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from warptour.bench import Options, Row, beside_gpu
from warptour.devices import Device
from warptour.devices.launch import Launch
from warptour.papers.ermis.engine.job_scans import SharedScan
from warptour.papers.ermis.exhibits.measuring import DISTANCES, UNNAMED, chosen_device, launch_seconds
from warptour.papers.ermis.exhibits.printed import NAME
from warptour.papers.exhibit import Exhibit


class PrintedLaunch(NamedTuple):
    """A launch and its kernel time in milliseconds."""

    block: int
    grid: int
    iterations: int
    ms: float


PRINTED: Final[dict[int, dict[int, tuple[tuple[int, int, float], ...]]]] = {
    500: {
        1024: ((122, 1, 0.369), (61, 2, 0.295), (2, 61, 0.205), (1, 122, 0.333)),
        512: ((244, 1, 0.348), (122, 2, 0.281), (4, 61, 0.212), (2, 122, 0.334), (1, 244, 0.635)),
        256: ((488, 1, 0.366), (244, 2, 0.28), (122, 4, 0.246), (8, 61, 0.209), (4, 122, 0.335), (1, 488, 1.246)),
        128: ((975, 1, 0.624), (488, 2, 0.458), (244, 4, 0.386), (122, 8, 0.353), (16, 61, 0.342), (8, 122, 0.337),
            (1, 975, 2.469)),
    },
    1000: {
        1024: ((484, 1, 1.556), (244, 2, 1.22), (122, 4, 1.024), (61, 8, 0.921), (2, 242, 0.776), (1, 484, 1.31)),
        512: ((967, 1, 1.645), (488, 2, 1.216), (244, 4, 1.008), (122, 8, 0.909), (61, 16, 0.869), (4, 242, 0.791),
            (2, 484, 1.309), (1, 967, 2.515)),
        256: ((1934, 1, 2.969), (967, 2, 2.129), (488, 4, 1.743), (244, 8, 1.547), (122, 16, 1.453), (61, 32, 1.422),
            (8, 242, 1.311), (4, 484, 1.309), (1, 1934, 4.964)),
        128: ((3868, 1, 6.625), (1934, 2, 4.548), (975, 4, 3.588), (488, 8, 3.069), (244, 16, 2.796),
            (122, 32, 2.697), (16, 242, 2.535), (8, 484, 2.529), (4, 967, 2.515), (1, 3868, 9.866)),
    },
    1500: {
        1024: ((1098, 1, 3.963), (488, 3, 2.787), (244, 5, 2.326), (61, 18, 1.939), (2, 549, 1.739),
            (1, 1098, 2.944)),
        512: ((2196, 1, 4.824), (1098, 2, 3.51), (488, 5, 2.776), (244, 9, 2.475), (61, 36, 2.254), (4, 549, 3.005),
            (3, 732, 2.125), (2, 1098, 2.947), (1, 2196, 5.697)),
        256: ((4392, 1, 10.927), (2196, 2, 7.09), (1098, 4, 5.494), (488, 9, 4.546), (244, 18, 4.266),
            (61, 72, 4.06), (8, 549, 4.328), (4, 1098, 5.695), (3, 1464, 3.851), (1, 4392, 11.244)),
        128: ((8784, 1, 24.467), (4392, 2, 15.982), (2196, 4, 11.861), (1098, 8, 9.663), (488, 18, 8.568),
            (244, 36, 8.053), (61, 144, 7.885), (16, 549, 8.479), (8, 1098, 8.472), (3, 2928, 7.515),
            (1, 8784, 23.458)),
    },
    2000: {
        1024: ((1953, 1, 8.025), (977, 2, 5.552), (488, 5, 4.428), (244, 9, 3.839), (61, 33, 3.309), (2, 977, 3.093),
            (1, 1953, 5.224)),
        512: ((3905, 1, 14.766), (1953, 2, 10.097), (977, 4, 7.655), (488, 9, 6.47), (244, 17, 5.885),
            (61, 65, 5.49), (4, 977, 5.265), (2, 1953, 5.216), (1, 3905, 10.109)),
        256: ((7809, 1, 30.611), (3905, 2, 20.495), (1953, 4, 15.229), (977, 8, 12.685), (488, 17, 11.497),
            (244, 33, 10.81), (122, 65, 10.467), (8, 977, 10.144), (4, 1953, 10.091), (2, 3905, 10.09),
            (1, 7809, 20.026)),
        128: ((15618, 1, 76.194), (7809, 2, 48.314), (3905, 4, 34.036), (1953, 8, 27.173), (977, 16, 23.616),
            (488, 33, 21.83), (244, 65, 20.933), (122, 129, 20.351), (16, 977, 21.984), (2, 7809, 19.897),
            (1, 15618, 39.655)),
    },
}  # fmt: skip
"""Tables A-1 to A-4 by number of cities and lanes of a block: grid, iterations and milliseconds."""

APPENDIX_A: Final = {
    n: tuple(PrintedLaunch(block, *line) for block, lines in blocks.items() for line in lines)
    for n, blocks in PRINTED.items()
}

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
