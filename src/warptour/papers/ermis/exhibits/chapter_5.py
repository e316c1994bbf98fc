"""Chapter 5: the variable neighbourhood search that the thesis plans, by full scans of its neighbourhoods.

The thesis runs 2-opt, 3-opt, swap and relocate one by one, and means to combine them and to find the best combination.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.devices import Device, find
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints
from warptour.papers.ermis.exhibits.measuring import chosen_device, file_order, uniform
from warptour.papers.ermis.exhibits.printed import NAME
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.papers.exhibit import Exhibit, Lines, Plot, series
from warptour.papers.scans.full import FullScan, full_scans
from warptour.search.search import Search
from warptour.search.stop import Seconds

ALONE: Final = ("2-opt", "3-opt", "swap", "relocate")
"""The neighbourhoods of the thesis."""

LISTS: Final = (
    "2-opt",
    "3-opt",
    "2-opt,swap",
    "2-opt,relocate",
    "2-opt,swap,relocate",
    "relocate,swap,2-opt",
    "2-opt,3-opt",
    "2-opt,swap,relocate,3-opt",
)
SHAKEN: Final = ("2-opt", "2-opt,swap,relocate", "2-opt,or-opt", "2-opt,swap,relocate,3-opt")
QUICK_LISTS: Final = ("2-opt", "2-opt,swap,relocate")

GPU_SIZES: Final = (500, 1000, 2000)
CPU_SIZES: Final = (200,)
QUICK_SIZES: Final = (60,)
SECONDS: Final = 2.0
"""Time limit of a search."""

RUNS: Final = 5
"""Scans of which the median time counts."""

NO_FIGURES: Final = "The thesis plans this search and has no figures of it."


def sizes(options: Options, device: Device) -> tuple[int, ...]:
    """Return the numbers of cities."""
    return QUICK_SIZES if options.quick else CPU_SIZES if device.lanes == 1 else GPU_SIZES


def scan_times(options: Options) -> Iterator[Row]:
    """Yield the time of a scan of each neighbourhood, from the first launch to the move on the host."""
    device = chosen_device(options)
    for n in sizes(options, device):
        for scan in full_scans(uniform(n), device, list(ALONE)):
            tour = file_order(n)
            times = [seconds(scan, tour) for _ in range(1 + RUNS)][1:]
            median = float(np.median(times))
            yield Row(NAME, scan.name, n, device.name, 1e3 * median, "ms")
            yield Row(NAME, f"{scan.name}, rate", n, device.name, scan.move_count / median / 1e9, "G moves/s")


def seconds(scan: FullScan, tour: Ints) -> float:
    """Return the seconds of one scan."""
    began = time.perf_counter()
    scan.best_improvement(tour)
    return time.perf_counter() - began


def descents(options: Options) -> Iterator[Row]:
    """Yield cost, scans and time of descents from the order of the file, through each list of neighbourhoods."""
    device = chosen_device(options)
    for n in sizes(options, device):
        problem = uniform(n)
        found = {names: descent(problem, device, names) for names in (QUICK_LISTS if options.quick else LISTS)}
        best = min(cost for cost, _, _ in found.values())
        for names, (cost, scans, took) in found.items():
            yield Row(NAME, f"{names}: above the best", n, device.name, 100 * (cost / best - 1), "%")
            yield Row(NAME, f"{names}: iterations", n, device.name, scans, "scans")
            yield Row(NAME, f"{names}: time", n, device.name, 1e3 * took, "ms")


def descent(problem: TSP, device: Device, names: str) -> tuple[float, int, float]:
    """Return cost, scans and seconds of a descent to a local optimum of all neighbourhoods of a list."""
    scans, tour = full_scans(problem, device, names.split(",")), file_order(problem.n)
    for scan in scans:
        scan.best_improvement(tour)  # compiles
    level = count = 0
    began = time.perf_counter()
    while level < len(scans):
        found = scans[level].best_improvement(tour)
        count += 1
        tour = tour if found is None else scans[level].apply(tour, found[0])
        level = level + 1 if found is None else 0
    return float(problem.cost(tour)), count, time.perf_counter() - began


def shaken(options: Options) -> Iterator[Row]:
    """Yield cost and shakes at equal time by full scans and lists on the device, and by lists on one core."""
    device, core = chosen_device(options), find("cpu", 1)
    limit = 0.2 if options.quick else SECONDS
    forms = [("full", device), ("near", core)] + ([] if device.is_host else [("near", device)])
    for n in sizes(options, device):
        problem = uniform(n)
        runs = {
            (form, on.name, names): searched(problem, names, form, on, limit)
            for names in (QUICK_LISTS if options.quick else SHAKEN)
            for form, on in forms
        }
        best = min(search.cost for search in runs.values() if search.cost is not None)
        for (form, where, names), search in runs.items():
            assert search.cost is not None
            case = f"{names}, scans={form}"
            yield Row(NAME, f"{case}: above the best", n, where, 100 * (search.cost / best - 1), f"% in {limit:g} s")
            yield Row(NAME, f"{case}: shakes", n, where, search.iterations / search.seconds, "per second")


def searched(problem: TSP, names: str, form: str, device: Device, limit: float) -> Search[TSP]:
    """Return a search from the greedy tour after its time limit."""
    strategy = VariableNeighborhoodSearch(tuple(names.split(",")), scans="full" if form == "full" else "near")
    if form == "full":
        full_scans(problem, device, names.split(","))  # compiles
    search = Search(problem, Seconds(limit), device=device)
    strategy.run(search)
    return search


def trade_offs(rows: list[Row]) -> Lines:
    """Return milliseconds and excess of each list, one point per size."""
    cases = ((row.case.partition(":")[0], row) for row in rows)
    excess = {(names, row.n): row.value for names, row in cases if row.unit == "%"}
    times = ((row.case.partition(":")[0], row) for row in rows if row.unit == "ms")
    return series((names, row.value, excess[names, row.n]) for names, row in times)


EXHIBITS: Final = (
    Exhibit(
        "chapter-5-scans",
        "Chapter 5: a full scan of each neighbourhood of the thesis",
        f"{NO_FIGURES} Scans are exact, in float64 but for 3-opt; times include the launches and the move's way back.",
        scan_times,
    ),
    Exhibit(
        "chapter-5-descents",
        "Chapter 5: combinations of the neighbourhoods, best improvement from the order of the file",
        f"{NO_FIGURES} After every move the first neighbourhood of the list is scanned again.",
        descents,
        (
            Plot(
                "chapter-5-descents",
                "milliseconds",
                "% above the best",
                "Combinations of neighbourhoods",
                trade_offs,
                True,
            ),
        ),
    ),
    Exhibit(
        "chapter-5-vns",
        "Chapter 5: variable neighbourhood search by full scans and by neighbour lists, on the device and on one core",
        f"{NO_FIGURES} All begin with the greedy tour; shakes are 1 to 3 double bridges of short segments. "
        "On a GPU many searches over neighbour lists run side by side, and one by full scans.",
        shaken,
    ),
)
