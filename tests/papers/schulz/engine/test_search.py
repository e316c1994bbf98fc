"""The search of complete neighbourhoods finds what full recomputation finds, on every device."""

from __future__ import annotations

import numpy as np
import pytest

from giant_problems import KINDS, random_instance, time_of
from giant_reference import ReferenceGiant, feasible_giant, giant_of
from warptour.devices import Device
from warptour.kernels.groups import Unfinished
from warptour.model.errors import UnsupportedError
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.neighborhoods.move import Ints
from warptour.papers.schulz.engine import laid_tour
from warptour.papers.schulz.engine import search as search_module
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.moves import apply
from warptour.papers.schulz.engine.resources import resources_of
from warptour.papers.schulz.engine.search import LARGEST, GiantSearch

NAMES = [("2-opt",), ("3-opt",), ("2-opt", "3-opt")]


def same_as_reference(instance: GiantInstance, device: Device, giant: Ints, names: tuple[str, ...]) -> bool:
    """Assert that the search finds the reference's move, or one as good; return whether there is one."""
    reference = ReferenceGiant(instance, names)
    wanted, found = reference.best_move(giant), GiantSearch(instance, device, names).best_move(giant)
    assert (wanted is None) == (found is None)
    if wanted is None or found is None:
        return False
    whole = instance.problem.metric.integral and float(instance.problem.fixed_cost).is_integer()
    assert found[1] == (wanted[1] if whole else pytest.approx(wanted[1]))
    assert found[0] == wanted[0] or not whole
    assert reference.feasible(apply(giant, found[0]))
    return True


@pytest.mark.long_on_opencl("CEIL_2D", "EUCLIDEAN")
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_move_of_small_tours(device: Device, kind: str) -> None:
    found = 0
    for seed in range(12):
        customers, spare = 1 + seed % 6, seed % 3
        instance = random_instance(seed, customers, customers + spare, kind, windows=seed % 4 == 1)
        giant = feasible_giant(seed, instance)
        if giant is not None:
            found += same_as_reference(instance, device, giant, NAMES[seed % 3])
    assert found > 2


def test_the_best_move_of_a_longer_tour(device: Device) -> None:
    """Long enough for several blocks of a table, and for lanes that find nothing."""
    instance = random_instance(3, 26, 30, vehicles=None, capacity=40, max_distance=900, fixed_cost=0)
    giant = feasible_giant(5, instance)
    assert giant is not None
    assert same_as_reference(instance, device, giant, ("2-opt",))
    assert same_as_reference(instance, device, giant, ("2-opt", "3-opt"))


def test_a_route_infeasible_in_reverse_does_not_delay_the_routes_before_it(device: Device) -> None:
    """The best move joins 2, the rest of route 1 in reverse, to 6; route 2 in reverse is late at the depot."""
    table = np.full((7, 7), 900)
    for i, j, apart in [(0, 1, 5), (0, 2, 300), (0, 3, 500), (0, 4, 10), (0, 5, 5), (0, 6, 300), (1, 2, 10), (1, 4, 10),
                        (3, 4, 10), (3, 5, 10), (5, 6, 100), (2, 6, 1)]:  # fmt: skip
        table[i, j] = table[j, i] = apart
    problem = VRP("late", METRICS["EXPLICIT"], table, demands=np.minimum(np.arange(7), 1), capacity=2)
    opens, closes = np.array([0.0, 0, 0, 0, 1000, 0, 0]), np.array([1010.0, 2000, 300, 2000, 2000, 2000, 2000])
    windows = time_of(problem, opens, closes, np.zeros(7))
    instance = GiantInstance.of(problem, 3, (*resources_of(problem), windows))
    giant = giant_of(instance, [[1, 2], [3, 4], [5, 6]])
    assert GiantSearch(instance, device).best_move(giant) == ((1, 4, 7, 1), -99)
    assert same_as_reference(instance, device, giant, ("2-opt", "3-opt"))


def test_metrics_of_all_kinds(device: Device) -> None:
    for name in ("GEO", "MAN_2D", "MAX_3D", "ATT"):
        rng = np.random.default_rng(1)
        points = rng.integers(0, 60, (8, METRICS[name].dimensions)).astype(float)
        problem = VRP(name, METRICS[name], points, demands=np.minimum(np.arange(8), 1), capacity=3)
        instance = GiantInstance.of(problem, 4)
        giant = giant_of(instance, [[1, 5], [2, 6, 3], [], [7, 4]])
        assert same_as_reference(instance, device, giant, ("2-opt", "3-opt"))


def test_coordinates_too_far_apart_for_float32(device: Device) -> None:
    rng = np.random.default_rng(4)
    points = rng.integers(0, 10**9, (9, 2)).astype(float)
    problem = VRP("far", METRICS["EUC_2D"], points, demands=np.minimum(np.arange(9), 1), capacity=4, max_distance=1e10)
    instance = GiantInstance.of(problem, 5)
    giant = giant_of(instance, [[1, 5], [2, 6, 3], [], [7, 4, 8]])
    assert same_as_reference(instance, device, giant, ("2-opt", "3-opt"))


@pytest.mark.parametrize("first", [False, True])
def test_a_descent_ends_in_a_local_optimum(device: Device, first: bool) -> None:
    instance = random_instance(8, 9, 9, vehicles=3, capacity=40, max_distance=900)
    giant = giant_of(instance, [[customer] for customer in range(1, 10)])
    reference = ReferenceGiant(instance)
    before = reference.objective(giant)
    search = GiantSearch(instance, device, first=first, parts=3)
    search.load(giant)
    made = search.steps(1000)
    assert made > 0 and search.locally_optimal
    assert reference.objective(search.tour()) < before - made / 2
    assert reference.feasible(search.tour()) and reference.best_move(search.tour()) is None
    assert search.steps(10) == 0
    assert sorted(search.tour()) == sorted(giant)


def test_the_first_improving_move_is_always_the_same(device: Device) -> None:
    for seed in range(3):
        instance = random_instance(seed, 9, 9, vehicles=3, capacity=40, max_distance=900)
        giant = giant_of(instance, [[customer] for customer in range(1, 10)])
        search = GiantSearch(instance, device, first=True, parts=3)
        assert len({search.best_move(giant) for _ in range(20)}) == 1


def test_steps_stop_when_told(device: Device) -> None:
    instance = random_instance(8, 9, 9, vehicles=3, capacity=40, max_distance=900)
    search = GiantSearch(instance, device)
    giant = giant_of(instance, [[customer] for customer in range(1, 10)])
    search.load(giant)
    assert search.steps(5, lambda: True) == 0 and not search.locally_optimal
    assert (search.tour() == giant).all()
    assert search.steps(1) == 1 and not (search.tour() == giant).all()


def test_a_scan_in_slices(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "CORE_PAIRS", {"2-opt": 5, "3-opt": 5})
    monkeypatch.setattr(search_module, "GPU_PAIRS", {"2-opt": 5, "3-opt": 5})
    instance = random_instance(3, 14, 16, vehicles=None, capacity=40, max_distance=900, fixed_cost=0)
    giant = feasible_giant(5, instance)
    assert giant is not None
    assert same_as_reference(instance, device, giant, ("2-opt", "3-opt"))
    search = GiantSearch(instance, device)
    search.load(giant)
    polls = iter([False, False, False, True])
    assert search.steps(100, lambda: next(polls)) == 0, "interrupted in the first scan"
    assert search.steps(1) == 1
    assert search.steps(1000) > 0 and search.locally_optimal
    assert ReferenceGiant(instance).best_move(search.tour()) is None


def test_bounds_of_a_matrix_are_given_up_when_time_is_over(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laid_tour, "BLOCK", 20)
    instance = random_instance(3, 9, 9, "EXPLICIT")
    polls = iter([False, False, True])
    with pytest.raises(Unfinished):
        GiantSearch(instance, device, over=lambda: next(polls))
    giant = feasible_giant(1, instance)
    assert giant is not None
    assert same_as_reference(instance, device, giant, ("2-opt", "3-opt")), "in several blocks"


def test_tables_beyond_shared_memory(accelerator: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laid_tour, "RESERVED", 1 << 30)
    instance = random_instance(3, 26, 30, vehicles=None, capacity=40, max_distance=900, fixed_cost=0)
    giant = feasible_giant(5, instance)
    assert giant is not None
    assert same_as_reference(instance, accelerator, giant, ("2-opt", "3-opt"))


def test_giant_tours_have_a_limit(device: Device) -> None:
    problem = VRP("two", METRICS["EUC_2D"], np.zeros((2, 2)), demands=np.array([0, 1]), capacity=1)
    with pytest.raises(UnsupportedError, match="up to 20000 nodes"):
        GiantSearch(GiantInstance.of(problem, LARGEST), device)
