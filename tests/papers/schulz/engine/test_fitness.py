"""Every version of the fitness engine finds what a full recomputation of all neighbours finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import chain, combinations

import numpy as np
import pytest

import giant_recomputed as recomputed
from cupy_stub import GPUS, StubCuda
from giant_moves import rank_of
from giant_recomputed import giant_tour, objective, problem, with_windows
from warptour.devices import Device
from warptour.devices.cpu import Cpu
from warptour.papers.schulz.engine import fitness_kernels
from warptour.papers.schulz.engine import version as versions
from warptour.papers.schulz.engine.fitness import FitnessEngine
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.moves import apply
from warptour.papers.schulz.engine.version import BENCHMARK, BEST, Version

NAMED = {name: value for name, value in vars(versions).items() if isinstance(value, Version)}

CHOICES = {
    "registers": (False, True),
    "parts": ("optimal", "powers", "eight"),
    "layout": ("aos", "soa"),
    "order": ("lexicographic", "recombination"),
    "index": (1, 2, 3, 4),
    "mapping": ("formula", "cut"),
    "lazy": (False, True),
    "levels": (0, 1, 2),
    "triples": ("table", "computed", "newton"),
    "combined": (False, True),
}
TOGETHER = [names for size in (2, 3, 4) for names in combinations(("cost", "length", "capacity", "count"), size)]


def mixed(seed: int) -> Version:
    """Return a version with random choices."""
    rng = np.random.default_rng(seed)
    chosen = {name: values[int(rng.integers(len(values)))] for name, values in CHOICES.items()}
    return replace(BENCHMARK, **chosen, shifts=bool(chosen["parts"] != "optimal" and rng.integers(2)))


def cases() -> dict[str, GiantInstance]:
    """Return instances in which something differs that matters to the algebra."""
    return {
        "integers": GiantInstance.of(problem(1, 8, vehicles=2), 5),
        "reals": GiantInstance.of(problem(2, 9, "EUCLIDEAN", fixed=0.5), 4),
        "no limit": GiantInstance.of(problem(3, 9, "ATT", limit=False), 4),
        "windows": with_windows(problem(4, 8), 5, 4),
    }


INSTANCES = cases()


@cache
def known(name: str, neighborhood: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a feasible giant tour with empty routes, and the fitness of its neighbours."""
    instance = INSTANCES[name]
    tours = (giant_tour(instance, seed) for seed in range(10_000))
    giant = next(giant for giant in tours if recomputed.feasible(instance, giant))
    deltas, feasible = recomputed.fitness(instance, giant, neighborhood)
    assert 0.05 < feasible.mean() < 0.95
    return giant, deltas, feasible


def check(name: str, device: Device, version: Version, neighborhood: int = 3) -> None:
    """Compare the fitness structure and the best move with a full recomputation."""
    instance = INSTANCES[name]
    giant, deltas, feasible = known(name, neighborhood)
    engine = FitnessEngine(instance, device, version, neighborhood)
    engine.load(giant)
    found, holds, ranks = engine.fitness()
    order = ranks.argsort()
    assert (ranks[order] == np.arange(len(deltas))).all()
    assert (holds[order] == feasible).all()
    exact = instance.problem.metric.integral
    assert np.abs(found[order] - deltas).max() <= (0 if exact else 1e-9)
    best = engine.best_move(giant)
    least = deltas[feasible].min()
    assert best is not None
    move, delta = best
    assert delta == pytest.approx(least, abs=0 if exact else 1e-9)
    rank = rank_of(len(giant) - 1, move)
    assert feasible[rank] and deltas[rank] == pytest.approx(least, abs=0 if exact else 1e-9)
    if exact:
        assert rank == np.flatnonzero(feasible & (deltas == least))[0]


@pytest.mark.parametrize("name", INSTANCES)
@pytest.mark.parametrize("version", [*NAMED, 2, 3])
def test_named_versions(name: str, version: str | int) -> None:
    check(name, Cpu(1), NAMED[version] if isinstance(version, str) else BEST[version])


@pytest.mark.parametrize("seed", range(40))
def test_any_choices_together(seed: int) -> None:
    check(list(INSTANCES)[seed % len(INSTANCES)], Cpu(2), mixed(seed), 2 if seed % 8 == 0 else 3)


def test_fractions_of_fixed_costs_count() -> None:
    """All customers are at the depot, so that a move gains nothing but the fixed cost of a route."""
    given = replace(problem(1, 2, limit=False, fixed=0.1), points=np.zeros((3, 2)), capacity=20)
    instance = GiantInstance.of(given, 2)
    found = FitnessEngine(instance, Cpu(1), BENCHMARK, 2).best_move(instance.enter([np.array([1]), np.array([2])]))
    assert found is not None and found[1] == pytest.approx(-0.1)


def test_every_choice_was_made() -> None:
    made = [mixed(seed) for seed in range(40)]
    assert all({getattr(version, name) for version in made} == set(values) for name, values in CHOICES.items())


@pytest.mark.parametrize("names", TOGETHER, ids="+".join)
@pytest.mark.parametrize("levels", [0, 1])
def test_any_objectives_in_one_kernel(names: tuple[str, ...], levels: int) -> None:
    version = replace(versions.FLAT if levels == 0 else versions.LAZY, together=names)
    for name in INSTANCES:
        check(name, Cpu(1), version)
        engine = FitnessEngine(INSTANCES[name], Cpu(1), version, 3)
        kernels = [one.name for one in engine._evaluated]
        there = [each for each in names if name != "no limit" or each != "length"]
        assert len(kernels) == len(engine._separate) - (len(there) - 1 if len(there) > 1 else 0)


@pytest.mark.long_on_opencl("cost+count", "capacity+length")
@pytest.mark.parametrize("names", [("cost", "count"), ("capacity", "length"), TOGETHER[-1]], ids="+".join)
def test_devices_evaluate_objectives_in_one_kernel(names: tuple[str, ...], device: Device) -> None:
    check("integers", device, replace(versions.FLAT, together=names))


def test_newtons_method_numbers_triples_as_a_table_does() -> None:
    """Of giant tours long enough that roots are wrong in float64 without a correction."""
    instance = GiantInstance.of(problem(5, 60), 40)
    giant = giant_tour(instance, 1)
    expected = FitnessEngine(instance, Cpu(1), versions.FLAT, 3)
    newton = FitnessEngine(instance, Cpu(1), replace(versions.FLAT, triples="newton"), 3)
    for engine in (expected, newton):
        engine.load(giant)
    for one, other in zip(expected.fitness(), newton.fitness(), strict=True):
        assert (one == other).all()


@pytest.mark.parametrize("name", ["integers", "windows"])
def test_devices(name: str, device: Device) -> None:
    for version in (BENCHMARK, BEST[3], mixed(5)):
        check(name, device, version)


def test_each_kernel_has_the_block_size_that_is_quickest(monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[list[int]] = []

    def chosen(device: Device, key: str, sizes: list[int], run: Callable[[int], None], tried: int) -> int:
        offered.append(sizes)
        run(sizes[0])  # a launch of that size
        return 96 if "cost" in key else 160

    monkeypatch.setattr(fitness_kernels, "tuned", chosen)
    gpu, (giant, _, _) = StubCuda(GPUS[-1]), known("integers", 2)
    engine = FitnessEngine(INSTANCES["integers"], gpu, versions.LAZY, 2)
    engine.best_move(giant)
    names = [f"giant_two_opt_{kernel}" for kernel in ("cost", "count", "load", "travel")]
    assert [engine.block_of(name) for name in names] == [96, 160, 160, 160]
    assert offered == [list(fitness_kernels.BLOCKS)] * 4
    engine.best_move(giant)
    assert len(offered) == 4  # once for each kernel
    plain = FitnessEngine(INSTANCES["integers"], gpu, versions.POWERS, 2)
    plain.best_move(giant)
    assert len(offered) == 4 and plain.block_of(names[0]) == 128


@pytest.mark.long_on_opencl
def test_what_a_gpu_compiles(gpu: Device) -> None:
    check("reals", gpu, BENCHMARK)
    check("reals", gpu, BEST[2])


@pytest.mark.parametrize("levels", [0, 1, 2])
@pytest.mark.parametrize("index", [1, 2, 3, 4])
def test_long_tours_have_parts_of_all_lengths(levels: int, index: int) -> None:
    instance = GiantInstance.of(problem(5, 45), 20)
    giant = giant_tour(instance, 0)
    deltas, feasible = long_fitness()
    for parts in ("optimal", "powers", "eight"):
        version = replace(BENCHMARK, levels=levels, index=index, parts=parts, shifts=parts != "optimal")
        engine = FitnessEngine(instance, Cpu(1), version, 2)
        engine.load(giant)
        found, holds, _ = engine.fitness()
        assert (found == deltas).all() and (holds == feasible).all()


@cache
def long_fitness() -> tuple[np.ndarray, np.ndarray]:
    instance = GiantInstance.of(problem(5, 45), 20)
    deltas, feasible = recomputed.fitness(instance, giant_tour(instance, 0), 2)
    assert 0 < feasible.sum() < len(feasible)
    return deltas, feasible


@pytest.mark.parametrize(("customers", "routes"), [(1, 1), (1, 3), (2, 1), (3, 2)])
@pytest.mark.parametrize("levels", [0, 1, 2])
def test_the_smallest_giant_tours(customers: int, routes: int, levels: int) -> None:
    instance = GiantInstance.of(problem(6, customers, limit=False), routes)
    giant = giant_tour(instance, 0)
    deltas, feasible = recomputed.fitness(instance, giant, 3)
    engine = FitnessEngine(instance, Cpu(2), replace(BENCHMARK, levels=levels), 3)
    engine.load(giant)
    found, holds, ranks = engine.fitness()
    assert (ranks == np.arange(len(deltas))).all() and (found == deltas).all() and (holds == feasible).all()


@pytest.mark.parametrize("neighborhood", [2, 3])
def test_a_descent_ends_in_a_local_optimum(neighborhood: int, device: Device) -> None:
    descend("integers", neighborhood, device)


@pytest.mark.parametrize("neighborhood", [2, 3])
def test_a_descent_by_real_lengths_ends_too(neighborhood: int) -> None:
    descend("reals", neighborhood, Cpu(1))


def descend(name: str, neighborhood: int, device: Device) -> None:
    """Descend with and without overlap, and look for an improving neighbour of the end."""
    instance = INSTANCES[name]
    giant = known(name, 2)[0]
    ends = []
    for version in (replace(BEST[neighborhood], overlapped=False), BEST[neighborhood]):
        engine = FitnessEngine(instance, device, version, neighborhood)
        engine.load(giant)
        value, before = objective(instance, giant), giant
        while (found := engine.step()) is not None:
            move, delta = found
            assert (engine.tour() == apply(before, move)).all()
            value, before = value + delta, engine.tour()
            assert objective(instance, before) == pytest.approx(value)
        assert engine.locally_optimal
        ends.append(engine.tour())
        assert (device.fetch(engine._kernels._tours[0]) == ends[-1]).all()
        assert engine.steps(3) == 0
    assert (ends[0] == ends[1]).all()
    deltas, feasible = recomputed.fitness(instance, ends[0], neighborhood)
    assert feasible[0] and deltas[feasible].min() > -1e-9


def test_steps_are_counted_and_stop_at_the_local_optimum() -> None:
    engine = FitnessEngine(INSTANCES["integers"], Cpu(1), BENCHMARK, 3)
    engine.load(known("integers", 2)[0])
    assert engine.steps(1) == 1 and not engine.locally_optimal
    assert engine.steps(1000) < 1000 and engine.locally_optimal


@pytest.mark.parametrize(
    ("combined", "names"), [(False, "cost count capacity length"), (True, "cost+length capacity+count")]
)
def test_each_kernel_is_timed_by_name(combined: bool, names: str) -> None:
    engine = FitnessEngine(INSTANCES["integers"], Cpu(1), replace(BENCHMARK, combined=combined), 3)
    engine.load(known("integers", 2)[0])
    hierarchies = [f"hierarchy {name}" for name in ("cost", "count", "capacity", "length")]
    kernels = chain.from_iterable((f"2-opt {name}", f"3-opt {name}") for name in names.split())
    seconds = engine.kernel_seconds()
    assert set(seconds) == {"clear", "reduce", "apply", *hierarchies, *kernels}
    assert all(value > 0 for value in seconds.values())
