"""The slides "Parallelization" and "Code translation": the vector kernel by width and kind of root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.rocki.engine.vector import ROOTS, WIDTHS, VectorScan
from warptour.papers.rocki.exhibits.printed import FLOP
from warptour.papers.rocki.exhibits.programs import chosen, cities, seconds_of
from warptour.papers.scans.tour_scan import move_count

CITIES: Final = {"cpu": 20_000, "gpu": 100_000}
QUICK: Final = 2000


def measure(options: Options) -> Iterator[Row]:
    """Yield GFLOP/s for each width and root."""
    for device in chosen(options):
        problem = cities(QUICK if options.quick else CITIES[device.about().kind])
        for root in ROOTS:
            for width in WIDTHS:
                seconds = seconds_of(device, VectorScan(problem, device, width, root))
                rate = FLOP * move_count(problem.n) / seconds / 1e9
                limit = device.about().peak / 1e9 or None
                yield Row("rocki", f"{root} roots x {width}", problem.n, device.name, rate, "GFLOP/s", limit)


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return GFLOP/s over the width."""
    series: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        root, width = row.case.split(" x ")
        series.setdefault(f"{row.device}, {root}", []).append((float(width), row.value))
    return series


EXHIBIT: Final = Exhibit(
    "widths",
    "Vector kernel with vectors of 1 to 16 columns, exact and fast roots",
    "The slides name the widths 4, 8 and 16 and FAST_SQRT without figures for each. Fast roots are the processor's "
    "estimate of a reciprocal root and a Newton step, since AVX estimates 11 bits where the slides' Xeon Phi had 23; "
    "on a GPU its approximate root. All cores, 31 FLOP per pair.",
    measure,
    (Plot("rocki_widths", "vector width", "GFLOP/s", "Vector kernel by width and root", lines, log_x=True),),
)
