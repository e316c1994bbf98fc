"""The slides "Results", "100000-city problem", "Parallelization" and "Code translation": rates and times of a pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.devices.measure import measure as arithmetic
from warptour.papers.exhibit import Exhibit, Lines, Plot, series
from warptour.papers.rocki.engine.vector import ROOTS, WIDTHS, VectorScan
from warptour.papers.rocki.exhibits.printed import BEST_OF_EACH, FLOP, IMPLIED_FLOP, PASS, PASS_CITIES, RATES
from warptour.papers.rocki.exhibits.programs import cities, programs, seconds_of
from warptour.papers.scans.scan import FastScan
from warptour.papers.scans.suites.scan import chosen
from warptour.papers.scans.tour_scan import move_count

CITIES: Final = {"cpu": 20_000, "gpu": 100_000}
QUICK: Final = 2000


def on_devices(options: Options) -> Iterator[Row]:
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


DEVICES: Final = Exhibit(
    "devices",
    "Results: GFLOP/s and percent of peak of the GPU-style (pairs) and the CPU-style kernel (vector)",
    f"A pair counts {FLOP} FLOP, as in 155 GFLOP for 5 billion pairs: four distances of 7 and three additions. vector "
    "computes the edge at i once per row and counts the same. Another slide, 1000 GFLOP/s = approximately 40 billion "
    f"pairs, implies {IMPLIED_FLOP}. The slides count (n-2)(n-3)/2 pairs, since they never remove the edge from the "
    "last city to the first; we have n(n-3)/2. Native CPU programs are vector with width 1 (scalar) and with the "
    "widest registers (SIMD). The peak of a CPU is the most that independent multiply-adds reach here, in the slides "
    "the maker's. The vector kernel did not compile on Xeon Phi and Radeon 7970.",
    on_devices,
)


def best_of_each(options: Options) -> Iterator[Row]:
    """Yield the most that any program reaches on each device, once beside each device of the slides of its kind."""
    for device in chosen(options):
        n = QUICK if options.quick else CITIES[device.about().kind]
        rates = {}
        for name, special, used, scan in programs(device, n):
            rates[f"{name}{special}"] = FLOP * move_count(n) / seconds_of(used, scan) / 1e9
        best = max(rates, key=rates.__getitem__)
        for printed in (each for each in BEST_OF_EACH if each.kind == device.about().kind):
            case = f"{device.name}, {best}; paper: {printed.hardware}"
            yield Row("rocki", case, n, device.name, rates[best], "GFLOP/s", peer=printed.gflops)


def over_units(rows: list[Row]) -> Lines:
    """Return GFLOP/s over the place of each device in the order of their rates."""
    ours = {row.device: row.value for row in rows}
    theirs = {row.case.partition("paper: ")[2]: row.peer for row in rows if row.peer is not None}
    ranked = sorted([*ours.items(), *theirs.items()], key=lambda pair: pair[1])
    return series((name, place, rate) for place, (name, rate) in enumerate(ranked, 1))


MANY_DEVICES: Final = Exhibit(
    "many-devices",
    "Results - I tested many GPUs and CPUs: the best program of each device",
    "The slide's chart has no figures. The printed rates of four devices stand in its place: the best program of each, "
    "CPUs beside CPUs and GPUs beside GPUs. 31 FLOP per pair.",
    best_of_each,
    (
        Plot(
            "rocki_many_devices", "devices, by their rate", "GFLOP/s", "The best program of each device", over_units,
            log_y=True, joined=False,
        ),
    ),
)  # fmt: skip


def one_pass(options: Options) -> Iterator[Row]:
    """Yield the seconds of a pass, and those of our fastest full scan on the same device."""
    n = QUICK if options.quick else PASS_CITIES
    scale = move_count(PASS_CITIES) / move_count(n)
    note = f", scaled by pairs to n = {PASS_CITIES:,}" if n != PASS_CITIES else ""
    for device in chosen(options):
        for name, special, used, scan in programs(device, n):
            if name not in PASS:
                continue
            seconds = seconds_of(used, scan) * scale
            for hardware, printed in PASS[name]:
                case = f"{name}{special}{note}; paper: {hardware}"
                yield Row("rocki", case, n, device.name, seconds, "s", peer=printed)
        seconds = seconds_of(device, FastScan(cities(n), device)) * scale
        yield Row("rocki", f"diagonal{note}", n, device.name, seconds, "s")


ONE_PASS: Final = Exhibit(
    "pass",
    "100000-city problem: seconds of a pass over all pairs of edges",
    "Uniform cities, since the slides name no instance. A pass is a scan of all n(n-3)/2 moves and the confirmation of "
    "the best one in float64; transfers are not counted. With --quick, times of 2,000 cities are scaled by the number "
    "of pairs. `diagonal` is our own scan, with square roots shared between moves.",
    one_pass,
)


def widths(options: Options) -> Iterator[Row]:
    """Yield GFLOP/s for each width and root."""
    for device in chosen(options):
        problem = cities(QUICK if options.quick else CITIES[device.about().kind])
        for root in ROOTS:
            for width in WIDTHS:
                seconds = seconds_of(device, VectorScan(problem, device, width, root))
                rate = FLOP * move_count(problem.n) / seconds / 1e9
                limit = device.about().peak / 1e9 or None
                yield Row("rocki", f"{root} roots x {width}", problem.n, device.name, rate, "GFLOP/s", limit)


def over_width(rows: list[Row]) -> Lines:
    """Return GFLOP/s over the width."""
    cases = ((row, row.case.split(" x ")) for row in rows)
    return series((f"{row.device}, {root}", float(width), row.value) for row, (root, width) in cases)


VECTOR_WIDTHS: Final = Exhibit(
    "widths",
    "Vector kernel with vectors of 1 to 16 columns, exact and fast roots",
    "The slides name the widths 4, 8 and 16 and FAST_SQRT without figures for each. Fast roots are the processor's "
    "estimate of a reciprocal root and a Newton step, since AVX estimates 11 bits where the slides' Xeon Phi had 23; "
    "on a GPU its approximate root. All cores, 31 FLOP per pair.",
    widths,
    (Plot("rocki_widths", "vector width", "GFLOP/s", "Vector kernel by width and root", over_width, log_x=True),),
)
