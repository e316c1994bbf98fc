"""Tables 4.7, 4.9, 4.12, 4.14 and 4.20: predicted and observed best launches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from warptour.bench import Options, Row, beside_gpu
from warptour.devices import Device
from warptour.devices.launch import Launch
from warptour.devices.occupancy import QUADRO_K600, Needs, occupancy
from warptour.papers.ermis.engine.job_scans import JobScan, PartitionScan, SharedScan, shared_bytes
from warptour.papers.ermis.engine.job_tuning import tuned_launch
from warptour.papers.ermis.exhibits.measuring import (
    UNNAMED,
    chosen_device,
    descent,
    file_order,
    launch_seconds,
    uniform,
)
from warptour.papers.ermis.exhibits.printed import BEST, K600, NAME, PARALLEL, REGISTERS, PrintedBest
from warptour.papers.exhibit import Exhibit

MISCOUNTED = "At 1,000 cities the thesis prints 242 iterations where formula 4.1 gives 244."
WITH_ITSELF = (
    "From 6,000 cities on the thesis counts n(n+1)/2 jobs, not n(n-1)/2, and for 15,000 cities prints 1,112,507,500 of "
    "them for 112,507,500, and once 219,741 iterations for 219,742; its launches each go through all ids and skip "
    "those outside their two ranges, ours do not."
)


@dataclass(frozen=True)
class Group:
    """The quickest launch of one block size."""

    launch: Launch
    seconds: float


def measure(sizes: tuple[int, ...], options: Options) -> Iterator[Row]:
    """Yield the launches of her GPU by the model, and those of this device, predicted and observed."""
    device = chosen_device(options)
    for n in sizes[:1] if options.quick else sizes:
        kind = PartitionScan if n in (6000, 15_000) else SharedScan
        for best in BEST[n]:
            yield from by_model(n, kind, best)
        yield from observed(n, kind, device, options)


def by_model(n: int, kind: type[JobScan], best: PrintedBest) -> Iterator[Row]:
    """Yield grid and iterations on a Quadro K600, before and after shared memory and registers are counted."""
    jobs = n * (n - 1) // 2 if kind is SharedScan else n * (n + 1) // 2
    shared = shared_bytes(n) if kind is SharedScan else kind.local(n)
    grids = (
        occupancy(QUADRO_K600, Needs(best.block)).on_device,
        occupancy(QUADRO_K600, Needs(best.block, REGISTERS, shared)).on_device,
    )
    labels = "all warps", "what fits"
    for label, grid, (her_grid, iterations) in zip(labels, grids, (best.predicted, best.observed), strict=True):
        case = f"block {best.block}, {label}"
        yield Row(NAME, f"{case}: grid", n, K600, grid, "groups", None, her_grid)
        ours = Launch(best.block, grid).iterations(jobs)
        yield Row(NAME, f"{case}: iterations", n, K600, ours, "jobs per lane", None, iterations)


def observed(n: int, kind: type[JobScan], device: Device, options: Options) -> Iterator[Row]:
    """Yield the kernel time of the predicted launch and of the best one for each block size, and of the tuned one."""
    about, printed = device.about(), {best.block: best.ms for best in BEST[n]}
    groups: list[Group] = []
    for predicted in sorted(kind.launches(device, n), key=lambda launch: -launch.block):
        found = [Group(each, launch_seconds(kind, n, device, each)) for each in every_grid(kind, device, n, predicted)]
        quickest = min(found, key=lambda group: group.seconds)
        groups.append(quickest)
        first = next(group for group in found if group.launch == predicted)
        peer = beside_gpu(device, printed.get(predicted.block))
        for label, group in (("predicted", first), ("observed best", quickest)):
            case = f"block {predicted.block}, {label}: {described(group.launch, kind, n)}"
            yield Row(NAME, case, n, device.name, 1e3 * group.seconds, "ms", None, peer)
    best = min(groups, key=lambda group: group.seconds)
    launch = tuned_launch(kind, uniform(n), device)
    seconds = best.seconds if launch == best.launch else launch_seconds(kind, n, device, launch)
    least = beside_gpu(device, min(printed.values()))
    yield Row(NAME, f"tuned: {described(launch, kind, n)}", n, device.name, 1e3 * seconds, "ms", None, least)
    yield Row(NAME, "tuned over the best of all", n, device.name, seconds / best.seconds, "times")
    if n in PARALLEL and (n <= 500 or about.kind == "gpu"):
        problem = uniform(n)
        scans, total, _ = descent(kind(problem, device, launch), file_order(n))
        yield Row(NAME, "2-opt iterations", n, device.name, scans, "scans", None, PARALLEL[n].iterations)
        hers = beside_gpu(device, PARALLEL[n].ms)
        yield Row(NAME, "CPU + GPU time", n, device.name, 1e3 * total, "ms", None, hers)


def every_grid(kind: type[JobScan], device: Device, n: int, predicted: Launch) -> list[Launch]:
    """Return launches of one block size with all grids worth a look: an exhaustive search."""
    units, jobs = device.about().units, kind.jobs(n)
    most = -(-jobs // predicted.block)
    per_unit = -(-predicted.grid // units)
    if device.lanes == 1:
        grids = {1, units, 2 * units, 4 * units, 16 * units}
    else:
        grids = {units * k for k in range(1, 2 * per_unit + 1)} | {units // 4, units // 2, 4 * predicted.grid}
        grids |= {-(-most // k) for k in (1, 2, 3, 4, 6, 8, 12, 16)}
    fitting = {min(grid, most) for grid in grids if 0 < grid <= 8 * max(units, predicted.grid)}
    return [Launch(predicted.block, grid) for grid in sorted(fitting | {predicted.grid})]


def described(launch: Launch, kind: type[JobScan], n: int) -> str:
    """Return grid and iterations in words."""
    return f"grid {launch.grid}, {launch.iterations(kind.jobs(n)):,} iterations"


def exhibit(name: str, sizes: tuple[int, ...], more: str = "") -> Exhibit:
    """Return the exhibit of one table."""
    cities = " and ".join(f"{n:,}" for n in sizes)
    return Exhibit(
        f"table-{name}",
        f"Table {name}: predicted and observed best launches, {cities} cities",
        " ".join(filter(None, (UNNAMED, more, "A block is one lane on a CPU."))),
        partial(measure, sizes),
    )


TABLE_4_7 = exhibit("4.7", (500,))
TABLE_4_9 = exhibit("4.9", (1000,), MISCOUNTED)
TABLE_4_12 = exhibit("4.12", (1500,))
TABLE_4_14 = exhibit("4.14", (2000,))
TABLE_4_20 = exhibit("4.20", (6000, 15_000), WITH_ITSELF)
