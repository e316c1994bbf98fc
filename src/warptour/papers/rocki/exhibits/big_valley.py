"""The slide "Big valley theory": short local minima are close to each other and to the best tour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour import api
from warptour.bench import Options, Row
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit, Lines, Plot
from warptour.papers.instances import public, stand_in
from warptour.papers.mavroidis.engine.rows import exact_rows
from warptour.strategies.self_check import sound_device

Tours = NDArray[np.int32]
Numbers = NDArray[np.float64]

CITIES: Final = (532, 60)
MINIMA: Final = (2500, 50)
SECONDS: Final = (20.0, 0.5)
"""Cities, local minima, and seconds of the search for the best tour: in full, and with ``--quick``."""

PARTS: Final = 5
"""Groups of minima, by cost, that the table averages over."""


@dataclass(frozen=True)
class Landscape:
    """Local minima of one instance: cost in percent above the best tour, and distances in edges."""

    costs: Numbers
    to_others: Numbers
    to_best: Numbers


_measured: dict[int, Landscape] = {}
"""Landscapes of this process by number of cities: the plots have all points, the table has means."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the means of each fifth of the minima by cost, and the correlations of cost and distance."""
    quick = options.quick
    problem = stand_in(CITIES[quick]) if quick else public("att532") or stand_in(CITIES[quick], "att532")
    best = api.solve(problem, seconds=SECONDS[quick], seed=1, device=options.device, threads=options.threads)
    tours = minima(problem, MINIMA[quick], options)
    costs = np.array([100 * (problem.cost(tour) / best.cost - 1) for tour in tours])
    found = Landscape(costs, mean_distances(tours), distances_to(tours, np.asarray(best.tour, np.int32)))
    _measured[problem.n] = found
    for number, part in enumerate(np.array_split(np.argsort(costs, kind="stable"), PARTS), 1):
        yield _row(problem, f"fifth {number}, cost", costs[part].mean(), "% above")
        yield _row(problem, f"fifth {number}, to the others", found.to_others[part].mean(), "edges")
        yield _row(problem, f"fifth {number}, to the best", found.to_best[part].mean(), "edges")
    for what, distances in (("the others", found.to_others), ("the best", found.to_best)):
        yield _row(problem, f"correlation with distance to {what}", np.corrcoef(costs, distances)[0, 1], "r")


def _row(problem: TSP, case: str, value: float, unit: str) -> Row:
    return Row("rocki", f"{problem.name}, {case}", problem.n, "cpu", float(value), unit)


def minima(problem: TSP, count: int, options: Options) -> Tours:
    """Return 2-optimal tours that descents from ``count`` random tours end in."""
    device, _ = sound_device(options.device, options.threads)
    rng = np.random.default_rng(1)
    starts = np.array([rng.permutation(problem.n) for _ in range(count)], np.int32)
    return exact_rows(device, problem, starts).finish()


def edges(tours: Tours) -> NDArray[np.int64]:
    """Return a number for each edge of each tour, the same in both directions."""
    after = np.roll(tours, -1, axis=-1)
    low, high = np.minimum(tours, after).astype(np.int64), np.maximum(tours, after)
    return np.asarray(low * tours.shape[-1] + high, np.int64)


def mean_distances(tours: Tours) -> Numbers:
    """Return the mean number of edges of each tour that another one lacks, over all others."""
    held = edges(tours)
    _, place, counts = np.unique(held, return_inverse=True, return_counts=True)
    shared = (counts[place.reshape(held.shape)] - 1).sum(axis=1) / max(1, len(tours) - 1)
    return np.asarray(tours.shape[1] - shared, np.float64)


def distances_to(tours: Tours, tour: Tours) -> Numbers:
    """Return the number of edges of each tour that ``tour`` lacks."""
    return np.asarray((~np.isin(edges(tours), edges(tour))).sum(axis=1), np.float64)


def to_others(rows: list[Row]) -> Lines:
    """Return the cost of each minimum over its mean distance to the others."""
    return _points(rows, lambda found: found.to_others)


def to_best(rows: list[Row]) -> Lines:
    """Return the cost of each minimum over its distance to the best tour."""
    return _points(rows, lambda found: found.to_best)


def _points(rows: list[Row], distances: Callable[[Landscape], Numbers]) -> Lines:
    found = [_measured[rows[0].n]] if rows else []
    return {"": [point for each in found for point in zip(distances(each).tolist(), each.costs.tolist(), strict=True)]}


def _plot(name: str, distance: str, lines: Callable[[list[Row]], Lines]) -> Plot:
    title = "2-optimal tours from random ones"
    return Plot(name, f"edges that differ, {distance}", "% above the best", title, lines, joined=False)


EXHIBIT: Final = Exhibit(
    "big-valley",
    "Big valley: cost of random 2-opt minima and their distance to each other and to the best tour",
    "The slide quotes a plot of 2,500 minima of att532 without figures. Ours are of att532 if it is in the data "
    "folder, else of 532 uniform cities. Distance is the number of edges that differ, the best tour that of a "
    "search of 20 s. Means are over fifths of the minima, from short to long; the plots have all of them.",
    measure,
    (
        _plot("rocki_valley_others", "mean over the other minima", to_others),
        _plot("rocki_valley_best", "to the best tour", to_best),
    ),
)
