"""Every set of options that the package chooses for CUDA, written down as engines ask for it.

Engines whose options depend on the size of a problem are made for every size
at which a choice changes; all strategies run for a few launches. Both on stubs
of several GPUs and in every kind of metric.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import warptour
from cupy_stub import GPUS, Gpu, StubCuda
from warptour.devices.measure import flop_test, measure
from warptour.kernels.points import special_of
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.papers.ermis.strategy.descent import Descent
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.papers.instances import stand_in
from warptour.papers.mavroidis.engine.blocks import BLOCK, SymmetricBlocks
from warptour.papers.mavroidis.engine.rows import SymmetricAhead, SymmetricBatch, TourRows, exact_rows
from warptour.papers.mavroidis.engine.shapes import keep_for, lanes_for, shape_for
from warptour.papers.mavroidis.engine.three_opt import SymmetricThree
from warptour.papers.mavroidis.exhibits import blocks
from warptour.papers.oneil.engine.block_climbers import ClimberLaunch
from warptour.papers.oneil.engine.thread_climbers import MatrixInShared
from warptour.papers.oneil.strategy.hill import HillClimbing
from warptour.papers.rocki.engine.vector import ROOTS, WIDTHS, VectorScan
from warptour.papers.rocki.strategy.ils import IteratedLocalSearch
from warptour.papers.scans.full import SCANNED
from warptour.papers.scans.ladder.pruned_climbers import PrunedClimbers
from warptour.papers.scans.ladder.registry import RUNGS
from warptour.papers.scans.scan import SMALLEST, FastScan, Tiling
from warptour.papers.scans.tour_scan import fast_metric
from warptour.papers.scans.two_opt_climbers import Shape, TwoOptClimbers
from warptour.papers.schulz.engine import laid_tour
from warptour.papers.schulz.engine import version as versions
from warptour.papers.schulz.engine.fitness import FitnessEngine
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.search import GiantSearch
from warptour.routes.engine.device_groups import DeviceGroups, GroupBatch
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import Ruin
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.strategy import Strategy
from warptour.strategies.registry import STRATEGIES
from warptour.tours.strategy import windows

SOURCES = Path(warptour.__file__).parent

MODES: dict[str, tuple[Strategy, ...]] = {
    "descent": (Descent(SCANNED), Descent(SCANNED, exact=True), Descent(parts=2)),
    "hill": (HillClimbing(), HillClimbing(exact=True), HillClimbing(apply="many")),
    "ils": (IteratedLocalSearch(repair="all"), IteratedLocalSearch(repair="all", chains=1)),
    "vns": (VariableNeighborhoodSearch(), VariableNeighborhoodSearch(SCANNED, scans="full")),
    "windows": (windows.Windows(), windows.Windows(nearest=16)),
}
"""Settings that decide what a strategy builds; strategies that are not here run as they are."""

ANY_GPU = StubCuda(GPUS[0])

CITY_BYTES = 16
"""Fast memory of a city in the kernels that take least."""

LAUNCHES = 60
"""Launches of one strategy, after which it has built all that it builds."""

MANY = 1 << 20
"""Tours that keep any GPU busy."""

FEW_CITIES = 300
"""Largest problem for which the climbers are made that take long to make and whose options are the same for all."""

STEP = 16
"""Step of the sizes that are looked at where a sample of the builds is enough."""

LARGE = 1000
"""Smallest instance with disjoint windows, instead of half a million cities."""


@dataclass(frozen=True)
class Build:
    """A text and its options as NVRTC gets them, and what an engine asked for."""

    name: str
    special: str | None
    lanes: int
    defines: tuple[tuple[str, object], ...]
    source: str
    options: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(
            (self.name, self.special or "", f"lanes={self.lanes}", *(f"{key}={value}" for key, value in self.defines))
        )


class Enough(Exception):
    """A search has launched so much that it has built all that it builds."""


class Recording(StubCuda):
    """A GPU that remembers what was built for it, and from which lines of the package."""

    def __init__(self, gpu: Gpu) -> None:
        super().__init__(gpu)
        self.builds: set[Build] = set()
        self.callers: set[tuple[Path, int]] = set()
        self._text: tuple[str, tuple[str, ...]] = ("", ())

    def compiled(self, code: str, options: tuple[str, ...]) -> None:
        self._text = code, options

    def build(self, name: str, special: str | None = None, *, lanes: int | None = None, **defines: Any) -> Any:
        caller = sys._getframe(1)
        self.callers.add((Path(caller.f_code.co_filename), caller.f_lineno))
        program = super().build(name, special, lanes=lanes, **defines)
        self.builds.add(Build(name, special, lanes or 1, tuple(sorted(defines.items())), *self._text))
        return program


@cache
def recorded(*, every: bool) -> tuple[tuple[Build, ...], frozenset[tuple[Path, int]]]:
    """Return all builds that are chosen for some GPU, and the lines that asked for one.

    Unless `every`, sizes are looked at in steps, in turn for the GPUs, each with a quarter of the kinds of problems.
    """
    devices = [Recording(gpu) for gpu in GPUS]
    for number, device in enumerate(devices):
        measure(device, 1000, 0.0)
        flop_test(device, 1000, 0.0)
        found = sizes(device) if every else sizes(device, STEP)[number :: len(devices)]
        for turn, n in enumerate(found):
            for problem in problems(n) if every else problems(n)[turn % 4 :: 4]:
                make_engines(device, problem)
                make_climbers(device, problem)
        for problem in problems(SMALLEST):
            make_rungs(device, problem)
        with patch.object(TourRows, "locally_optimal", True):
            list(blocks.in_blocks(device, stand_in(2103), blocks.SIZES))
            list(blocks.in_one_group(device, stand_in(2103)))
    make_giants(devices[-1])
    make_route_groups(devices[-1])
    for n in (SMALLEST - 1, LARGE - 1, LARGE):
        for problem in {special_of(problem.metric): problem for problem in problems(n)}.values():
            run_strategies(devices[-1], problem)
    builds = set().union(*(device.builds for device in devices))
    return tuple(sorted(builds, key=str)), frozenset().union(*(device.callers for device in devices))


def sizes(device: StubCuda, step: int = 1) -> list[int]:
    """Return sizes of problems at which each choice that depends on the size is made, looked at in steps."""
    longest = device.about().local_memory // CITY_BYTES
    choices: list[tuple[Callable[[int], object], Iterable[int]]] = [
        (lambda n: shape_for(n // 2), range(10, longest, step)),
        (lambda n: lanes_for(device, n // 2), range(10, longest, step)),
        (lambda n: keep_for(n // 2, 64), range(10, longest, step)),
        (climber_options, range(SMALLEST, 2 * longest // 3, step)),  # a climber has half of its tour twice
        (lambda n: tuple(Tiling.of(device, n).defines.items()), range(SMALLEST, 500_000, 1000)),
        (lambda n: ClimberLaunch.ranked(device, n)[0].lanes, range(10, longest, 100)),
        (lambda n: MatrixInShared.lanes_for(device, n), range(10, 240)),
    ]
    found = {10, 2 * longest}
    for choice, candidates in choices:
        first: dict[object, int] = {}
        for n in candidates:
            first.setdefault(choice(n), n)
        found.update(first.values())
    return sorted(found)


@cache
def climber_options(n: int) -> tuple[object, ...]:
    """Return what a climber's text is built with, which is the same on all GPUs."""
    shape = Shape.of(ANY_GPU, n)
    return shape.lanes, *shape.defines.items()


@cache
def problems(n: int) -> tuple[TSP, ...]:
    """Return a problem of each kind that metrics and coordinates make a difference between."""
    at = np.random.default_rng(n).random((n, 2))
    whole, broken, far = np.floor(at * 1000), at * 1000, np.floor(at * 1e8)
    kinds = [(name, points) for name in ("EUC_2D", "CEIL_2D") for points in (whole, broken, far)]
    kinds += [("EUCLIDEAN", broken), ("ATT", whole)]
    return tuple(TSP(name, METRICS[name], points) for name, points in kinds)


def make_engines(device: StubCuda, problem: TSP) -> None:
    """Make the engines whose options depend on the size of the problem."""
    tour = np.arange(problem.n, dtype=np.int32)
    for busy in (False, True) if problem.n * CITY_BYTES <= 2 * device.about().local_memory else ():
        exact_rows(device, problem, tour, busy=busy)
        if SymmetricAhead.supports(device, problem) and SymmetricBatch.pays(device, problem, MANY):
            SymmetricBatch(device, problem, tour, busy=busy)  # as exact_rows would make of many tours
    SymmetricThree(device, problem, tour)
    for block in (BLOCK, *((problem.n,) if problem.n * CITY_BYTES >= 2 * device.about().local_memory else ())):
        SymmetricBlocks(device, problem, tour, block=block)
    if TwoOptClimbers.supports(problem, device):
        TwoOptClimbers(problem, device, 2)
    if fast_metric(problem.metric) and problem.n >= SMALLEST:
        FastScan(problem, device)


def make_rungs(device: StubCuda, problem: TSP) -> None:
    """Make the scans of the ladder, whose options do not depend on the size of the problem."""
    for rung in RUNGS.values():
        if rung.scan is not None and rung.refuses(problem, device) is None:
            rung.scan(problem, device)
    for width in WIDTHS:
        for root in ROOTS:
            VectorScan(problem, device, width, root)


def make_giants(device: StubCuda) -> None:
    """Make the engines of giant tours: all versions, the best ones in every metric and with every filter."""
    named = [value for value in vars(versions).values() if isinstance(value, versions.Version)]
    deep = replace(versions.LAZY, levels=2, index=2, layout="soa", triples="computed", parts="eight")
    for number, name in enumerate(("EUCLIDEAN", "EUC_2D", "CEIL_2D", "ATT")):
        points = np.random.default_rng(0).random((9, 2))
        demands = np.minimum(np.arange(9), 1)
        problem = VRP(name, METRICS[name], points, demands=demands, capacity=4, max_distance=100)
        instance = GiantInstance.of(problem, 3)
        giant = instance.enter([np.arange(1, 5), np.arange(5, 9)])
        GiantSearch(instance, device)
        with patch.object(laid_tour, "RESERVED", MANY):
            GiantSearch(instance, device)
        four = ("cost", "length", "capacity", "count")
        joint = [replace(versions.FLAT, together=some, triples="newton") for some in (four[:3], four)]
        for version in (*versions.BEST.values(), *([] if number else (*named, deep, *joint))):
            engine = FitnessEngine(instance, device, version, 3)
            engine.best_move(giant)
            for how in () if number else ("mask", "list"):
                engine.filtered(0.5, how)
                engine.best_move(giant)


def make_route_groups(device: StubCuda) -> None:
    """Make the groups of ruin and recreate, in shared memory and for groups too large for it."""
    for name in ("EUCLIDEAN", "EUC_2D", "CEIL_2D"):
        points = np.random.default_rng(0).random((9, 2))
        problem = VRP(name, METRICS[name], points, demands=np.minimum(np.arange(9), 1), capacity=4)
        engine = DeviceGroups(RouteInstance.of(problem, 3), device, Ruin())
        tour, starts = np.r_[1:5, 0, 5:9, 0].astype(np.int32), np.array([0, 10], np.int32)
        batch = GroupBatch(np.zeros(1, np.int32), np.full(1, 3, np.int32), np.ones(1, np.int64))
        for memory in (engine.about.local_memory, 0):
            engine.about = replace(engine.about, local_memory=memory)
            engine.launch(tour, starts, batch, (1.0, 1.0), seed=1, stream=0)


def make_climbers(device: StubCuda, problem: TSP) -> None:
    """Make the climbers of the ladder."""
    for rung in RUNGS.values():
        if rung.climbers is None or (
            problem.n > FEW_CITIES and ("matr" in rung.name or rung.climbers is PrunedClimbers)
        ):
            continue
        if rung.refuses(problem, device) is None:
            rung.climbers(problem, device, 2)


def run_strategies(device: StubCuda, problem: TSP) -> None:
    """Run every strategy that takes ``problem`` to a GPU for a few launches."""
    with patch.object(windows, "MIN_DISJOINT_CITIES", LARGE):
        for name, strategy in STRATEGIES.items():
            for chosen in MODES.get(name, (strategy(),)):
                if chosen.refuses(problem) is None and "cuda" in chosen.runs_on(problem):
                    device.on_launch = few()
                    with suppress(Enough):
                        chosen.run(Search(problem, Iterations(1000), device=device))
    device.on_launch = lambda name: None


def few() -> Callable[[str], None]:
    """Return what hears of launches and ends a search that has made enough of them."""
    left = iter(range(LAUNCHES))

    def heard(name: str) -> None:
        if next(left, None) is None:
            raise Enough

    return heard


def places() -> Iterator[tuple[Path, range]]:
    """Yield the lines of each call in the package that builds a text for a device."""
    for path in sorted(SOURCES.rglob("*.py")):
        if path.parent.name == "devices" and path.stem in ("cpu", "cuda", "opencl"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("device.build"):
                yield path, range(node.lineno, (node.end_lineno or node.lineno) + 1)
