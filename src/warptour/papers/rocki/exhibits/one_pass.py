"""The slide "100000-city problem": seconds of one pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit
from warptour.papers.rocki.exhibits.printed import PASS, PASS_CITIES
from warptour.papers.rocki.exhibits.programs import chosen, cities, programs, seconds_of
from warptour.papers.scans.scan import FastScan
from warptour.papers.scans.tour_scan import move_count

QUICK: Final = 2000


def measure(options: Options) -> Iterator[Row]:
    """Yield the seconds of a pass, and those of our fastest full scan on the same device."""
    n = QUICK if options.quick else PASS_CITIES
    scale = move_count(PASS_CITIES) / move_count(n)
    note = f", scaled by pairs from n = {n:,}" if n != PASS_CITIES else ""
    for device in chosen(options):
        for name, special, used, scan in programs(device, n):
            if name not in PASS:
                continue
            seconds = seconds_of(used, scan) * scale
            for hardware, printed in PASS[name]:
                case = f"{name}{special}{note}; paper: {hardware}"
                yield Row("rocki", case, PASS_CITIES, device.name, seconds, "s", peer=printed)
        seconds = seconds_of(device, FastScan(cities(n), device)) * scale
        yield Row("rocki", f"diagonal{note}", PASS_CITIES, device.name, seconds, "s")


EXHIBIT: Final = Exhibit(
    "pass",
    "100000-city problem: seconds of a pass over all pairs of edges",
    "Uniform cities, since the slides name no instance. A pass is a scan of all n(n-3)/2 moves and the confirmation of "
    "the best one in float64; transfers are not counted. With --quick, times of 2,000 cities are scaled by the number "
    "of pairs. `diagonal` is our own scan, with square roots shared between moves.",
    measure,
)
