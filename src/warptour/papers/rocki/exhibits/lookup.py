"""The slides "Obtaining a distance" and "LUT (Look Up Table) vs recalculation": memory and times of a look-up table."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log
from typing import Final

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.papers.exhibit import Exhibit, Lines, Plot, series
from warptour.papers.rocki.engine.sliced_scan import SlicedScan
from warptour.papers.rocki.engine.table import TableScan, largest_table, table_bytes
from warptour.papers.rocki.engine.vector import VectorScan
from warptour.papers.rocki.exhibits.printed import LOOKUP_FASTER, MEMORY
from warptour.papers.rocki.exhibits.programs import cities, cores_of, kernel_seconds
from warptour.papers.scans.suites.scan import chosen


def memory(options: Options) -> Iterator[Row]:
    """Yield both amounts of memory for each instance."""
    for name, n, table, coordinates in MEMORY:
        yield _memory_row(f"{name}, look-up table", n, table_bytes(n) / 2**20, "MB", table)
        yield _memory_row(f"{name}, coordinates", n, 8 * n / 2**10, "kB", coordinates)


def _memory_row(case: str, n: int, value: float, unit: str, printed: str) -> Row:
    decimals = len(printed.partition(".")[2])
    if f"{value:.{decimals}f}" != printed:
        case += f", {value:.{decimals}f} if rounded to nearest"
    return Row("rocki", case, n, "-", value, unit, peer=float(printed))


OBTAINING_A_DISTANCE: Final = Exhibit(
    "memory",
    "Obtaining a distance: memory of a look-up table (4 n^2 bytes) and of coordinates (8 n bytes)",
    "MB and kB are 2^20 and 2^10 bytes, as the printed values show. They are rounded, and where one was not rounded to "
    "the nearest, the row says so.",
    memory,
)


SIZES: Final = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
CPU_LARGEST, QUICK_LARGEST = 20_000, 1000

TABLE: Final = "table"
AGAIN: Final = {"scalar": "computed, scalar", "SIMD": "computed, SIMD", "": "computed"}


def measure(options: Options) -> Iterator[Row]:
    """Yield times, how many times faster the table is, and the n from which it is not."""
    for device in chosen(options):
        for cores, used in cores_of(device):
            ratios: dict[str, list[tuple[int, float]]] = {}
            for n in sizes(device, options.quick):
                seconds = {name: kernel_seconds(used, scan) for name, scan in scans(used, n)}
                for name, each in seconds.items():
                    yield Row("rocki", _words(name, cores), n, device.name, each * 1e3, "ms")
                for name, each in seconds.items():
                    if name != TABLE:
                        ratio = each / seconds[TABLE]
                        ratios.setdefault(name, []).append((n, ratio))
                        compared = n == 100 and cores == "1 core" and name == AGAIN["scalar"]
                        case = _words(f"table, times faster than {name}", cores)
                        yield Row(
                            "rocki", case, n, device.name, ratio, "x", peer=LOOKUP_FASTER if compared else None
                        )  # fmt: skip
            for name, points in ratios.items():
                yield _crossing(points, _words(name, cores), device.name)


def sizes(device: Device, quick: bool) -> list[int]:
    """Return the sizes that are measured on a device: its memory and patience limit them."""
    largest = QUICK_LARGEST if quick else CPU_LARGEST if device.about().kind == "cpu" else SIZES[-1]
    return [n for n in SIZES if n <= min(largest, largest_table(device))]


def scans(device: Device, n: int) -> Iterator[tuple[str, SlicedScan]]:
    """Yield the scan by the table, and those that compute distances; all groups work, however small the tour."""
    problem = cities(n)
    groups = device.about().units if device.lanes == 1 else None
    yield TABLE, TableScan(problem, device, groups)
    if device.is_host:
        yield AGAIN["scalar"], VectorScan(problem, device, 1, "exact", groups)
        yield AGAIN["SIMD"], VectorScan(problem, device, groups=groups)
    else:
        yield AGAIN[""], VectorScan(problem, device, groups=groups)


def crossing(points: list[tuple[int, float]]) -> float | None:
    """Return the n from which the ratio stays below 1, interpolated in logarithms; None if it ends above."""
    if points[-1][1] >= 1:
        return None
    above = [k for k, (_, ratio) in enumerate(points) if ratio >= 1]
    if not above:
        return float(points[0][0])
    (n, high), (m, low) = points[above[-1]], points[above[-1] + 1]
    share = log(high) / (log(high) - log(low))
    return exp(log(n) + share * (log(m) - log(n)))


def _crossing(points: list[tuple[int, float]], name: str, device: str) -> Row:
    at = crossing(points)
    if at is None:
        return Row("rocki", f"table still faster than {name}", points[-1][0], device, points[-1][1], "x")
    if at == points[0][0]:
        return Row("rocki", f"{name}: faster at every n", points[0][0], device, points[0][1], "x")
    return Row("rocki", f"{name}: faster from this n on", 0, device, at, "cities")


def _words(name: str, cores: str) -> str:
    return f"{name}, {cores}" if cores else name


def lines(rows: list[Row]) -> Lines:
    """Return the time of a pass over n."""
    return series((f"{row.device}: {row.case}", row.n, row.value) for row in rows if row.unit == "ms")


LOOKUP: Final = Exhibit(
    "lookup",
    "Look-up table against recalculation: time of a pass, and the n from which computing is faster",
    "The slides print that a table is approximately 5 times faster at n = 100 on a CPU and can be slower at 100,000 or "
    "with several cores; their chart has no figures. Launches, which take longer than 100 cities, are not counted. On "
    "a CPU we stop at 20,000 cities, since 100,000 take a table of 40 GB. Cities are uniform, their order random.",
    measure,
    (Plot("rocki_lookup", "cities", "ms per pass", "Look-up table and recalculation", lines, log_x=True, log_y=True),),
)
