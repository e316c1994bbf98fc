"""The slides "Results": GFLOP/s and percentage of the peak, GPU-style and CPU-style on every device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.devices.measure import measure as arithmetic
from warptour.papers.exhibit import Exhibit
from warptour.papers.rocki.exhibits.printed import FLOP, IMPLIED_FLOP, RATES
from warptour.papers.rocki.exhibits.programs import chosen, programs, seconds_of
from warptour.papers.scans.tour_scan import move_count

CITIES: Final = {"cpu": 20_000, "gpu": 100_000}
QUICK: Final = 2000


def measure(options: Options) -> Iterator[Row]:
    """Yield GFLOP/s and percent of the peak, once beside each device of the slides that ran the same program."""
    for device in chosen(options):
        n = QUICK if options.quick else CITIES[device.about().kind]
        peaks: dict[int, float] = {}
        for name, special, used, scan in programs(device, n):
            units = used.about().units
            if units not in peaks:
                peaks[units] = peak(used, options.quick)
            rate = FLOP * move_count(n) / seconds_of(used, scan)
            percent = 100 * rate / peaks[units]
            for printed in RATES[name] or (None,):
                case = f"{name}{special}" + (f"; paper: {printed.hardware}" if printed else "")
                peers = (printed.gflops, printed.percent) if printed else (None, None)
                yield Row("rocki", case, n, device.name, rate / 1e9, "GFLOP/s", peaks[units] / 1e9, peers[0])
                yield Row("rocki", case, n, device.name, percent, "% of peak", 100.0, peers[1])


def peak(device: Device, quick: bool) -> float:
    """Return float32 operations per second: as the device says or, if it does not, the most that was measured."""
    about = device.about()
    if about.peak:
        return about.peak
    rates = arithmetic(device, 1_000_000, 0.005) if quick else arithmetic(device)
    return max(rates.operations.values())


EXHIBIT: Final = Exhibit(
    "devices",
    "Results: GFLOP/s and percent of peak of the GPU-style (pairs) and the CPU-style kernel (vector)",
    f"A pair counts {FLOP} FLOP, as in 155 GFLOP for 5 billion pairs: four distances of 7 and three additions. vector "
    "computes the edge at i once per row and counts the same. Another slide, 1000 GFLOP/s = approximately 40 billion "
    f"pairs, implies {IMPLIED_FLOP}. The slides count (n-2)(n-3)/2 pairs, since they never remove the edge from the "
    "last city to the first; we have n(n-3)/2. Native CPU programs are vector with width 1 (scalar) and with the "
    "widest registers (SIMD). The peak of a CPU is the most that independent multiply-adds reach here, in the slides "
    "the maker's. The vector kernel did not compile on Xeon Phi and Radeon 7970.",
    measure,
)
