"""The slides "Max FLOP/s test": multiply-adds on vectors of every width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.devices.measure import VECTORS, flop_test
from warptour.papers.exhibit import Exhibit, Lines, Plot
from warptour.papers.rocki.exhibits.printed import FLOP_TEST
from warptour.papers.scans.suites.scan import chosen


def measure(options: Options) -> Iterator[Row]:
    """Yield GFLOP/s by type and width, beside each device of the slides where ours is a CPU as well."""
    for device in chosen(options):
        about = device.about()
        rates = flop_test(device, 1_000_000, 0.005) if options.quick else flop_test(device)
        for (kind, width), rate in rates.items():
            printed = FLOP_TEST[kind] if about.kind == "cpu" else {}
            limit = about.peak / 1e9 if about.peak and kind == "float32" else None
            case = f"{kind} x {width}"
            if not printed:
                yield Row("rocki", case, 0, device.name, rate / 1e9, "GFLOP/s", limit)
            for hardware, values in printed.items():
                peer = values[VECTORS.index(width)]
                yield Row(
                    "rocki", f"{case}; paper: {hardware}", 0, device.name, rate / 1e9, "GFLOP/s", limit, peer
                )  # fmt: skip


def lines(rows: list[Row]) -> Lines:
    """Return GFLOP/s over the width, ours and the paper's."""
    series: Lines = {}
    for row in rows:
        words, _, hardware = row.case.partition("; paper: ")
        kind, width = words.split(" x ")
        ours = series.setdefault(f"{row.device}, {kind}", [])
        if (float(width), row.value) not in ours:
            ours.append((float(width), row.value))
        theirs = series.setdefault(f"{hardware}, {kind}", []) if row.peer is not None else []
        if row.peer is not None and (float(width), row.peer) not in theirs:
            theirs.append((float(width), row.peer))
    return series


EXHIBIT: Final = Exhibit(
    "flops",
    "Max FLOP/s test: multiply-adds on vectors of 1 to 16 float and double numbers",
    "As there, each thread has one chain of dependent multiply-adds, so narrow vectors wait for latencies; a compiler "
    "that vectorises over work-items, as Intel's did, does not. Ours has as many threads as cores, and on a GPU 2,048 "
    "per multiprocessor. The slides print float for the i7-3960X and double for the Xeon Phi alone.",
    measure,
    (Plot("rocki_flops", "vector width", "GFLOP/s", "Max FLOP/s test", lines, log_x=True, log_y=True),),
)
