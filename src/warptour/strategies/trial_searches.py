"""Small searches that show whether a device computes what it should: a tour in windows, and groups of routes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.candidates import neighbours
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.routes.engine.device_groups import SPARE_ROUTES, DeviceGroups, GroupBatch
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import RouteState, Ruin
from warptour.routes.starts.savings import savings
from warptour.routes.strategy.division import Division, divide
from warptour.search.threads import ThreadPool
from warptour.tours.engine.device_tour import BuildOptions, Cut
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.engine.overlapping import NATIVE_WIDTH, OverlappingWindows
from warptour.tours.engine.window import Window
from warptour.tours.starts.start import start
from warptour.tours.strategy.overlapping import OVERLAPPING_BUILD

CITIES: Final = 700
"""Number of cities: enough that every window is a part of the tour only."""

CUTS: Final = [Cut(4, 6, 0.4 + number) for number in range(2)]
"""The division into windows of each round."""

NATIVE_BUILD: Final = BuildOptions(wide=True, depth=25, width=NATIVE_WIDTH, log=256)
"""How the native library is built; other devices then find the same tours where distances are integers."""

NODES: Final = 400
"""Number of customers and depot: enough for several groups."""

GROUPS: Final = 5
"""Number of groups of routes."""
ITERATIONS: Final = 150
"""Iterations of ruin and recreate in each group, which changes most routes."""

HEAT: Final = (20.0, 20.0)
"""First and last temperature: at a fiftieth of the side of the square, worse routes are often accepted."""


WINDOWS: Final = f"a search of {CITIES} cities in windows"
ROUTES: Final = f"a search of {NODES - 1} customers in groups of routes"


def wrong_answer(device: Device) -> str | None:
    """Return what was wrong with the first search that went wrong, or None."""
    return next((wrong for wrong in _wrong_answers(device) if wrong is not None), None)


def check_cities() -> TSP:
    """Return the cities of the search in windows."""
    points = np.random.default_rng(CITIES).integers(0, 10_000, (CITIES, 2))
    return TSP("self-check", METRICS["EUC_2D"], points.astype(float))


def check_customers() -> VRP:
    """Return the problem of the search in groups of routes, with a cost per vehicle."""
    rng = np.random.default_rng(NODES)
    demands = rng.integers(1, 10, NODES)
    demands[0] = 0
    places = rng.uniform(0, 1000, (NODES, 2))
    return VRP("self-check", METRICS["EUCLIDEAN"], places, demands=demands, capacity=60, fixed_cost=35)


def _wrong_answers(device: Device) -> Iterator[str | None]:
    """Search on the host; or on a device as the CPU does, and on a GPU also in the arithmetic of real searches."""
    problem = check_cities()
    instance = Instance.of(problem, neighbours(problem, NATIVE_WIDTH, 1))
    first = instance.enter(start(problem, "greedy", 1, threads=1))
    if device.is_host:
        whole = Window.whole(instance, first)
        while whole.kicks < CITIES:
            whole.search(CITIES - whole.kicks, seed=5)
        yield wrong_tour(instance, first, whole.tour, whole.gain)
        yield wrong_routes()
        return
    found, wrong = in_windows(instance, device, first, NATIVE_BUILD)
    yield wrong
    if found.tolist() != in_windows(instance, Cpu(1), first, NATIVE_BUILD)[0].tolist():
        yield f"{WINDOWS} ended in another tour than on the CPU"
    if device.lanes > 1:
        yield in_windows(instance, device, first, OVERLAPPING_BUILD)[1]
    if device.warps:
        yield wrong_groups(device)


def in_windows(instance: Instance, device: Device, first: Ints, build: BuildOptions) -> tuple[Ints, str | None]:
    """Return the tour of a short search in overlapping windows, and what is wrong with it."""
    engine, gain = OverlappingWindows(instance, device, first, size=200, seed=5, pool=ThreadPool(1), ways=build), 0.0
    for cut in CUTS:
        engine.begin(cut, rows=3)
        engine.search(0, cut.windows, CITIES, 20)
        if not are_mutual(engine.fetch(), *engine.changes()):
            return first, f"{WINDOWS} changed edges at one end only"
        gain += engine.join().gain
    return engine.fetch(), wrong_tour(instance, first, engine.fetch(), gain)


def wrong_tour(instance: Instance, first: Ints, found: Ints, gain: float) -> str | None:
    """Return what is wrong with a tour that is said to be shorter than the first one by ``gain``."""
    if sorted(found.tolist()) != list(range(CITIES)):
        return f"{WINDOWS} ended in no tour"
    saved = instance.problem.cost(instance.leave(first)) - instance.problem.cost(instance.leave(found))
    if gain != saved:
        return f"{WINDOWS} shortened the tour by {saved:g}, not by {gain:g}"
    return None if gain > 0 else f"{WINDOWS} found nothing"


def are_mutual(tour: Ints, sums: NDArray[np.int64], changes: Ints) -> bool:
    """Return whether in each window every edge that comes or goes is listed by both of its cities.

    Conflict resolution takes that for granted, so wrong changes could end the process.

    ``sums``, ``changes``: as :meth:`OverlappingWindows.changes` returns them
    """
    before: dict[int, set[int]] = defaultdict(set)
    for a, b in zip(tour.tolist(), np.roll(tour, 1).tolist(), strict=True):
        before[a].add(b)
        before[b].add(a)
    if sums[0] < 0 or (np.diff(sums) < 0).any() or 3 * sums[-1] > len(changes):
        return False
    for window in np.split(changes.reshape(-1, 3)[: sums[-1]], sums[:-1]):
        after = {c: {a, b} for c, a, b in window.tolist()}
        if len(after) < len(window) or not after.keys() <= before.keys():
            return False
        for c, now in after.items():
            come, gone = now - before[c], before[c] - now
            if len(now - {c}) < 2 or any(c not in after.get(d, ()) for d in come) or not gone <= after.keys():
                return False
    return True


def wrong_routes() -> str | None:
    """Return what is wrong with routes that the host finds in groups."""
    instance, division, slots = divided()
    fleets = searched_fleets(instance, division, slots)
    routes = instance.leave(np.concatenate([fleet.best() for fleet in fleets]))
    report, cost = check_customers().check(routes), sum(fleet.lowest for fleet in fleets)
    if not report.feasible:
        return f"{ROUTES} ended in routes that break a limit: {report.violations[0]}"
    if not np.isclose(cost, report.cost, rtol=1e-9):
        return f"{ROUTES} ended in routes that cost {report.cost:g}, not {cost:g}"
    return None if instance.cheaper(cost, instance.cost(division.tour)) else f"{ROUTES} found nothing"


def wrong_groups(device: Device) -> str | None:
    """Return what is wrong with routes that a device finds in groups: they are those of the host."""
    instance, division, slots = divided()
    fleets = searched_fleets(instance, division, slots)
    engine = DeviceGroups(instance, device, Ruin())
    batch = GroupBatch(np.arange(GROUPS, dtype=np.int32), slots, np.full(GROUPS, ITERATIONS, np.int64))
    engine.launch(division.tour, division.starts, batch, HEAT, seed=3, stream=100)
    found = engine.collect()
    same = (
        found.giant.tolist() == np.concatenate([fleet.giant_tour() for fleet in fleets]).tolist()
        and found.best.tolist() == np.concatenate([fleet.best() for fleet in fleets]).tolist()
        and found.costs.tolist() == [[fleet.cost, fleet.lowest] for fleet in fleets]
    )
    return None if same else f"{ROUTES} ended in other routes than on the CPU"


def divided() -> tuple[RouteInstance, Division, Ints]:
    """Return an instance, savings routes in groups, and the maximum number of routes of each group."""
    problem = check_customers()
    instance = RouteInstance.of(problem, 45, 1)
    first = instance.enter(savings(problem, 1))
    division = divide(instance.problem, problem.points, first, GROUPS, np.random.default_rng(1))
    return instance, division, (division.routes + SPARE_ROUTES).astype(np.int32)


def searched_fleets(instance: RouteInstance, division: Division, slots: Ints) -> list[RouteState]:
    """Return the groups, searched by the host."""
    fleets = []
    for group in range(GROUPS):
        fleet = RouteState(instance, division.part(group), int(slots[group]), (group, division.home, division.number))
        fleet.search(ITERATIONS, HEAT, seed=3, stream=100 + group, ruin=Ruin())
        fleets.append(fleet)
    return fleets
