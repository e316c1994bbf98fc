"""Whole iterations in the complete neighbourhoods of giant tours, beside those of Schulz (2011).

An iteration scans all moves, picks the best one, applies it and rebuilds the tables of the tour. Giant tours have as
many routes as customers, as in the paper.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from warptour.bench import Options, Row, beside_gpu
from warptour.devices import Device
from warptour.io.generate import generate
from warptour.model.vehicles import VRP, Routes
from warptour.papers.schulz.engine.instance import GiantInstance, Ints
from warptour.papers.schulz.engine.search import GiantSearch
from warptour.papers.schulz.suites.giant_kernels import kernel_seconds
from warptour.routes.starts.insertion import insertion, singles
from warptour.routes.starts.savings import savings
from warptour.strategies.self_check import sound_device

SUITE: Final = "giant"
NEIGHBORHOODS: Final = {"2-opt": ("2-opt",), "3-opt": ("2-opt", "3-opt")}
"""Complete neighbourhoods: 3-opt includes 2-opt."""

PAPER: Final = {
    "2-opt": {57: 0.499, 201: 0.703, 399: 1.45, 967: 5.50, 2401: 25.9},
    "3-opt": {57: 1.23, 201: 23.4, 399: 170.0, 967: 2450.0, 2401: 36300.0},
}
"""Milliseconds of an iteration on a GTX 480 by nodes: Schulz (2011), table 5, index mode 4."""

SIZES: Final = tuple(PAPER["2-opt"])
QUICK: Final = SIZES[:1]
CPU_LARGEST: Final = {"2-opt": 2401, "3-opt": 399}
"""Most nodes measured on a CPU."""

STARTS: Final[dict[str, Callable[[VRP], Routes]]] = {"insertion": insertion, "one vehicle a customer": singles}

ITERATIONS: Final = 1000
ENOUGH: Final = {False: 0.3, True: 0.01}
"""Seconds after which a mean has enough iterations, by ``quick``."""

SAMPLES: Final = 5
"""Tours of a descent at which kernels are timed."""


def run(options: Options) -> Iterator[Row]:
    """Yield for each neighbourhood and size the time of iterations and proofs; on a GPU, the kernels' share of it."""
    device, _ = sound_device(options.device, options.threads)
    gpu = device.about().kind == "gpu"
    enough = ENOUGH[options.quick]
    for hood, names in NEIGHBORHOODS.items():
        for nodes in QUICK if options.quick else SIZES:
            if not gpu and nodes > CPU_LARGEST[hood]:
                continue
            peer = beside_gpu(device, PAPER[hood][nodes])
            instance = instance_of(nodes)
            search = GiantSearch(instance, device, names)
            for name, construct in STARTS.items():
                start = instance.enter(construct(instance.problem))
                seconds = iteration_seconds(search, start, enough)
                yield Row(SUITE, f"{hood} from {name}", nodes, device.name, 1e3 * seconds, "ms", None, peer)
            optimum = local_optimum(search, instance.enter(savings(instance.problem)))
            seconds = proof_seconds(search, optimum, enough)
            case = f"{hood}, load and proof of a local optimum"
            yield Row(SUITE, case, nodes, device.name, 1e3 * seconds, "ms", None, peer)
            if gpu and hood == "2-opt":
                share = kernel_share(device, instance, names, enough)
                yield Row(SUITE, f"{hood}, kernels", nodes, device.name, 100 * share, "% of wall time", 100)


def instance_of(nodes: int) -> GiantInstance:
    """Return a generated instance whose giant tours have ``nodes`` nodes, an odd number."""
    customers = (nodes - 1) // 2
    return GiantInstance.of(with_limits(generated(customers)), customers)


def generated(customers: int) -> VRP:
    """Return a generated problem of ``customers`` customers."""
    problem = generate("vrp", customers + 1, seed=1)
    assert isinstance(problem, VRP)
    return problem


def with_limits(problem: VRP) -> VRP:
    """Return ``problem`` in Euclidean distances, with limits of route length and vehicles if it lacks them.

    Savings give the limits: their longest route and their number of routes.
    """
    exact = problem.rounded("none")
    routes = savings(exact)
    longest = float(max(exact.route_cost(route) for route in routes))
    return replace(
        exact,
        max_distance=longest if exact.max_distance is None else exact.max_distance,
        vehicles=len(routes) if exact.vehicles is None else exact.vehicles,
    )


def rehearse(search: GiantSearch, start: Ints, enough: float) -> tuple[int, int]:
    """Make the iterations of a measurement once, so that launches are recorded.

    Return the iterations to ask for, whole batches, and how many of them do any work: the last one may prove that the
    tour is locally optimal.
    """
    search.load(start)
    search.step()
    search.load(start)
    batch = search.batch
    search.steps(batch)
    search.load(start)
    until = time.perf_counter() + enough
    made = search.steps(ITERATIONS, lambda: time.perf_counter() > until)
    count = max(batch, made - made % batch)
    return count, max(1, min(count, made + search.locally_optimal))


def iteration_seconds(search: GiantSearch, start: Ints, enough: float) -> float:
    """Return the mean wall-clock seconds of an iteration; the search restarts when it ends."""
    count, working = rehearse(search, start, enough)
    done, spent = 0, 0.0
    while not done or (done < ITERATIONS and spent < enough):
        search.load(start)
        search.device.synchronise()
        began = time.perf_counter()
        search.steps(count)
        spent += time.perf_counter() - began
        done += working
    return spent / done


def local_optimum(search: GiantSearch, start: Ints) -> Ints:
    """Return the local optimum that a descent from ``start`` ends in."""
    search.load(start)
    while not search.locally_optimal:
        search.steps(ITERATIONS)
    return search.tour()


def proof_seconds(search: GiantSearch, optimum: Ints, enough: float) -> float:
    """Return the mean wall-clock seconds from a giant tour on the host to the proof that no move improves it."""
    done, began = 0, time.perf_counter()
    while not done or (done < ITERATIONS and time.perf_counter() - began < enough):
        search.load(optimum)
        search.steps(1)
        done += 1
    return (time.perf_counter() - began) / done


def kernel_share(device: Device, instance: GiantInstance, names: tuple[str, ...], enough: float) -> float:
    """Return the kernels' share of wall time over iterations from one vehicle a customer."""
    search = GiantSearch(instance, device, names)
    start = instance.enter(singles(instance.problem))
    wall = iteration_seconds(search, start, enough)
    count, _ = rehearse(search, start, enough)
    search.load(start)
    kernels = 0.0
    for _ in range(SAMPLES):
        kernels += kernel_seconds(device, instance, names, search.tour()) / SAMPLES
        search.steps(max(1, count // SAMPLES))
    return kernels / wall
