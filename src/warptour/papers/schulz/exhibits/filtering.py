"""Figure 25: an iteration of which some neighbours are filtered out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.schulz.engine.fitness import FitnessEngine
from warptour.papers.schulz.engine.version import BEST
from warptour.papers.schulz.exhibits.instances import AS_IN_TABLE_5, case_of
from warptour.papers.schulz.exhibits.measuring import MEANS, QUICK, device_of, enough_of, mean_seconds
from warptour.papers.schulz.printed import FILTERED, NAME

WAYS: Final = ("mask", "list", "compaction")
SIZES: Final = {2: (399, 967, 2401), 3: (99, 201, 399)}
"""Nodes for each neighbourhood on a GPU."""
CPU_SIZES: Final = {2: (399, 967), 3: (99,)}


def measure(options: Options) -> Iterator[Row]:
    """Yield the time of an iteration in percent of one without a filter, by share, way and size."""
    device = device_of(options)
    sizes = SIZES if device.about().kind == "gpu" else CPU_SIZES
    for neighborhood in (2, 3):
        for nodes in QUICK[-1:] if options.quick else sizes[neighborhood]:
            case = case_of(nodes)
            engine = FitnessEngine(case.instance, device, BEST[neighborhood], neighborhood)
            whole = mean_seconds(engine, case.start, device, enough_of(options))
            for way in WAYS:
                for percent in FILTERED:
                    engine.filtered(percent / 100, way)
                    seconds = mean_seconds(engine, case.start, device, enough_of(options))
                    label = f"{neighborhood}-opt, {way}, {percent:g}% filtered"
                    yield Row(NAME, label, nodes, device.name, 100 * seconds / whole, "% of the time")


def lines(neighborhood: int, rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the time over the share that is filtered out."""
    series: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        edges, way, filtered = row.case.split(", ")
        if edges == f"{neighborhood}-opt":
            series.setdefault(f"{row.n} nodes, {way}", []).append((float(filtered.partition("%")[0]), row.value))
    return series


EXHIBIT: Final = Exhibit(
    "figure-25",
    "Figure 25: time of an iteration by the share of neighbours that are filtered out",
    "The figure prints no values; the text: in each thread (mask) 75% does not lead to a significant speed-up, 99% and "
    "99.9% do; a mapping vector (list) is better, by less than the share; its making in each iteration (compaction) "
    f"costs much for small neighbourhoods. The best version, random filters. {MEANS} {AS_IN_TABLE_5}",
    measure,
    tuple(
        Plot(f"schulz_figure_25_{k}_opt", "% filtered out", "% of the time", f"{k}-opt: filtering", partial(lines, k))
        for k in (2, 3)
    ),
)
