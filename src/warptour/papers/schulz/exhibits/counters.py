"""Hardware counters of the kernels of tables 1 to 4, taken by a profiler and stored in ``counters.json``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from warptour.bench import Row
from warptour.papers.schulz.engine.version import BENCHMARK, FLAT, LAZY, SHARED, Version
from warptour.papers.schulz.printed import KERNEL_NODES, NAME, TABLE_1, TABLE_2, TABLE_3, TABLE_4, Kernel

STORED: Final = Path(__file__).with_name("counters.json")
"""What ``benchmarks/counters.py`` has written."""

TABLES: Final[dict[int, tuple[Version, Mapping[str, Kernel]]]] = {
    1: (BENCHMARK, TABLE_1),
    2: (SHARED, TABLE_2),
    3: (FLAT, TABLE_3),
    4: (LAZY, TABLE_4),
}
"""The version of the program in each table, and what the table prints of its kernels."""


@cache
def stored() -> dict[str, Any] | None:
    """Return the counters of each table and kernel, and when, where and by what they were taken; None before that."""
    return json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else None


def source() -> str:
    """Return sentences on where the counters come from."""
    held = stored()
    again = "`python benchmarks/counters.py` takes them on a GPU with the profiler ncu."
    if held is None:
        return f"No counters are stored yet: {again}"
    return (
        "Counted occupancy, bandwidth of the device's memory, L1 hits, accesses to local memory and divergent branches "
        "(both of one multiprocessor, as his) and active lanes are "
        f"by {held['profiler']} on an {held['device']}, {held['date']}, {held['version']}; {again}"
    )


def counted(number: int, name: str) -> Iterator[Row]:
    """Yield the stored counters of a kernel beside those that a table prints; nothing before they are taken."""
    held = stored()
    if held is None:
        return
    kernel, found = TABLES[number][1][name], held["kernels"][f"table-{number}"][name]
    row = partial(Row, NAME, n=KERNEL_NODES, device=f"{held['device']}, stored")
    for what, unit, peer in (
        ("counted occupancy", "of all warps", kernel.occupancy),
        ("bandwidth", "GB/s", kernel.bandwidth),
        ("L1 hits", "%", kernel.hits),
        ("local accesses", "per multiprocessor", kernel.local),
        ("divergent branches", "per multiprocessor", kernel.divergent),
        ("active lanes", "of 32, per instruction", None),
    ):
        yield row(f"{name}, {what}", value=found[what], unit=unit, peer=peer)
