"""Section 6.4: how many cities fit into the shared memory of a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.devices.occupancy import REFERENCE
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.engine.blocks import blocks_bytes
from warptour.papers.mavroidis.engine.shapes import KEEPS, MAX_LANES, SLACK, batch_bytes, shape_for
from warptour.strategies.self_check import sound_device

HIS_BYTES: Final = 9
"""Bytes of a city: two coordinates of 4 bytes, and one for decisions."""

HIS_UNITS: Final = 30
HIS_MEMORY: Final = 16_000
"""Multiprocessors of a GTX 280, and the bytes of shared memory of each that give his 1,770 cities."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the model for his GPU and for ours, and what our kernels hold."""
    his = HIS_UNITS * (HIS_MEMORY // HIS_BYTES)
    yield Row("mavroidis", "GTX 280, his model, one tour", 0, "model", his, "cities", peer=53_000)
    device, _ = sound_device(options.device, options.threads)
    about = device.about() if device.about().kind == "gpu" else REFERENCE
    for what, cities in (
        ("his model, one tour", about.units * (about.local_memory // HIS_BYTES)),
        ("ours, one tour in blocks", about.units * most_in_blocks(about.local_memory)),
        ("ours, a tour alone", most_cities(about.local_memory)),
        ("ours, a tour of a batch", most_batched(about.local_memory)),
    ):
        yield Row("mavroidis", f"{about.title}, {what}", 0, "model", cities, "cities")


def most_in_blocks(memory: int) -> int:
    """Return the cities of which blocks of ``MAX_LANES`` elements with whole coordinates fit into ``memory`` bytes."""
    blocks = 0
    while blocks_bytes(blocks + 1, MAX_LANES, 4) <= memory:
        blocks += 1
    return 2 * MAX_LANES * blocks


def most_cities(memory: int) -> int:
    """Return the cities of the longest tour in ``memory`` bytes as ``Symmetric`` lays it out with whole coordinates.

    A position takes 16 bytes (x, y, the edge to the next, the city), and there are ``SLACK`` more than cities; a move,
    one per two cities, takes 9 (two lengths and a decision).
    """
    return (2 * (memory - 16 * SLACK)) // (2 * 16 + 9)


def most_batched(memory: int) -> int:
    """Return the cities of the longest tour that a group of a batch holds in ``memory`` bytes."""
    n = 2 * KEEPS[0] + 1
    while (shape := shape_for(n // 2)) is not None and batch_bytes(n, shape[1], max(shape[0], SLACK)) <= memory:
        n += 2
    return n - 2


EXHIBIT: Final = Exhibit(
    "section-6.4",
    "Section 6.4: cities that the shared memory of a GPU holds",
    "He spreads one tour over all multiprocessors at 9 bytes a city; in blocks ours takes 12.5, with the number of the "
    "city. Else our groups hold a tour each: alone at 20.5 bytes a city, in a batch of tours at 16. A longer tour lies "
    "in global memory. Without a GPU the rows are for an H200.",
    measure,
)
