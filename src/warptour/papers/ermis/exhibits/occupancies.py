"""Tables 4.8, 4.10, 4.11 and 4.13 and figures 4.8 to 4.12: occupancy by the model."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from warptour.bench import Options, Row
from warptour.devices import About
from warptour.devices.occupancy import QUADRO_K600, Needs, occupancy
from warptour.papers.ermis.engine import job_scans
from warptour.papers.ermis.engine.job_scans import REDUCTION, shared_bytes
from warptour.papers.ermis.exhibits.measuring import chosen_device
from warptour.papers.ermis.exhibits.printed import BLOCKS, K600, NAME, OCCUPANCY, REGISTERS
from warptour.papers.exhibit import Exhibit, Lines, Plot, series

EVERY_BLOCK: Final = range(32, 1025, 32)
EVERY_SHARED: Final = range(0, 48 * 1024 + 1, 1024)
SHARED_LANES: Final = 1024
"""Block size of figure 4.9."""

MODEL: Final = (
    "Nothing is measured: the rows of a Quadro K600 come from the model for compute capability 3.0. The kernel here "
    f"has {job_scans.REGISTERS} registers a lane where hers has {REGISTERS}."
)


def described_devices(options: Options) -> list[tuple[str, About, int, int]]:
    """Return name, description, registers per lane and extra bytes of her GPU and, if it is a GPU, of this device."""
    found = [(K600, QUADRO_K600, REGISTERS, 0)]
    about = chosen_device(options).about()
    if about.max_lanes:
        found.append((about.name, about, job_scans.REGISTERS, REDUCTION))
    return found


def table(n: int, options: Options) -> Iterator[Row]:
    """Yield the resident groups and the occupancy of each block size."""
    for name, about, registers, extra in described_devices(options):
        for block, (groups, percent) in zip(BLOCKS, OCCUPANCY[n], strict=True):
            found = occupancy(about, Needs(block, registers, shared_bytes(n) + extra))
            hers = name == K600
            yield Row(NAME, f"block {block}, groups", n, name, found.groups, "groups", None, groups if hers else None)
            yield Row(NAME, f"block {block}, occupancy", n, name, found.percent, "%", None, percent if hers else None)


def over_blocks(n: int, options: Options) -> Iterator[Row]:
    """Yield the occupancy of all block sizes; the thesis marks some in a table."""
    printed = {block: percent for block, (_, percent) in zip(BLOCKS, OCCUPANCY[n], strict=True)}
    for name, about, registers, extra in described_devices(options):
        for block in EVERY_BLOCK:
            percent = occupancy(about, Needs(block, registers, shared_bytes(n) + extra)).percent
            yield Row(NAME, f"block {block}", n, name, percent, "%", None, printed.get(block) if name == K600 else None)


def over_shared_memory(options: Options) -> Iterator[Row]:
    """Yield the occupancy of blocks of 1,024 lanes by their shared memory, and at the 5,012 bytes of 500 cities."""
    for name, about, registers, _ in described_devices(options):
        for shared in sorted({*EVERY_SHARED, shared_bytes(500)}):
            percent = occupancy(about, Needs(SHARED_LANES, registers, shared)).percent
            peer = 100 if name == K600 and shared == shared_bytes(500) else None
            yield Row(NAME, f"bytes {shared}", 500, name, percent, "%", None, peer)


def by_device(rows: list[Row]) -> Lines:
    """Return the points of each device: the number in the case, and the occupancy."""
    return series((row.device, float(row.case.split()[1]), row.value) for row in rows)


def occupancy_table(name: str, n: int) -> Exhibit:
    """Return the exhibit of one table."""
    return Exhibit(f"table-{name}", f"Table {name}: occupancy, {n:,} cities", MODEL, partial(table, n))


def occupancy_figure(name: str, n: int) -> Exhibit:
    """Return the exhibit of one figure over block sizes."""
    title = f"Occupancy over block size, {n:,} cities"
    plot = Plot(f"figure-{name}", "lanes per group", "occupancy, %", title, by_device)
    return Exhibit(f"figure-{name}", f"Figure {name}: {title.lower()}", MODEL, partial(over_blocks, n), (plot,))


TABLES: Final = tuple(
    occupancy_table(name, n) for name, n in (("4.8", 500), ("4.10", 1000), ("4.11", 1500), ("4.13", 2000))
)
FIGURE_4_8: Final = occupancy_figure("4.8", 500)
FIGURE_4_9: Final = Exhibit(
    "figure-4.9",
    "Figure 4.9: occupancy over shared memory, blocks of 1,024 lanes",
    MODEL,
    over_shared_memory,
    (
        Plot(
            "figure-4.9", "bytes of shared memory per group", "occupancy, %", "Occupancy over shared memory", by_device
        ),
    ),
)
FIGURES: Final = (
    FIGURE_4_8,
    FIGURE_4_9,
    *(occupancy_figure(name, n) for name, n in (("4.10", 1000), ("4.11", 1500), ("4.12", 2000))),
)
