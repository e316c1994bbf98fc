"""Groups of routes on every device present: what fleets on the host find, to the last customer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from warptour.devices import Device, DeviceError
from warptour.devices.cpu import Cpu
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.routes.engine.device_groups import SPARE_ROUTES, DeviceGroups, GroupBatch, GroupResults
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import RouteState, Ruin
from warptour.routes.starts.savings import savings
from warptour.routes.strategy.division import Division, divide

GROUPS, HEAT = 5, 20.0


def stops(n: int = 400, metric: str = "EUCLIDEAN", **options: object) -> VRP:
    rng = np.random.default_rng(n)
    demands = rng.integers(1, 10, n)
    demands[0] = 0
    return VRP("stops", METRICS[metric], rng.uniform(0, 1000, (n, 2)), demands=demands, capacity=60, **options)


def divided(problem: VRP, width: int = 30) -> tuple[RouteInstance, Division]:
    instance = RouteInstance.of(problem, width)
    giant = instance.enter(savings(problem))
    return instance, divide(instance.problem, problem.points, giant, GROUPS, np.random.default_rng(1))


def batch(division: Division, chosen: list[int], iterations: int) -> GroupBatch:
    groups = np.array(chosen, np.int32)
    slots = (division.routes[groups] + SPARE_ROUTES).astype(np.int32)
    return GroupBatch(groups, slots, np.full(len(chosen), iterations, np.int64))


def searched(
    device: Device, instance: RouteInstance, division: Division, some: GroupBatch, ruin: Ruin, cold: float = HEAT
) -> GroupResults:
    engine = DeviceGroups(instance, device, ruin)
    engine.launch(division.tour, division.starts, some, (HEAT, cold), seed=3, stream=100)
    return engine.collect()


def natively(
    instance: RouteInstance, division: Division, some: GroupBatch, ruin: Ruin, cold: float
) -> list[RouteState]:
    fleets = []
    for group, slots, count in zip(some.groups.tolist(), some.slots.tolist(), some.iterations.tolist(), strict=True):
        fleet = RouteState(instance, division.part(group), slots, (group, division.home, division.number))
        fleet.search(count, (HEAT, cold), seed=3, stream=100 + group, ruin=ruin)
        fleets.append(fleet)
    return fleets


@pytest.mark.parametrize("ruin", [Ruin(), Ruin(sought=0), Ruin(mean=25, longest=20, sought=40)])
@pytest.mark.parametrize("limited", [False, True])
def test_groups_are_searched_as_by_the_host(device: Device, limited: bool, ruin: Ruin) -> None:
    problem = stops(service_times=np.full(400, 10.0), max_distance=3200.0) if limited else stops(fixed_cost=35)
    instance, division = divided(problem, 45)
    some = batch(division, [3, 0, 4], 150)
    found = searched(device, instance, division, some, ruin)
    fleets = natively(instance, division, some, ruin, HEAT)
    assert found.giant.tolist() == np.concatenate([fleet.giant_tour() for fleet in fleets]).tolist()
    assert found.best.tolist() == np.concatenate([fleet.best() for fleet in fleets]).tolist()
    assert found.costs[:, 0].tolist() == [fleet.cost for fleet in fleets]
    assert found.costs[:, 1].tolist() == [fleet.lowest for fleet in fleets]
    assert found.sizes.sum(axis=0).tolist() == [len(found.giant), len(found.best)]


@pytest.mark.long_on_opencl
@pytest.mark.parametrize("metric", ["EUC_2D", "CEIL_2D", "EUCLIDEAN"])
def test_routes_keep_all_limits_and_cost_what_is_said(device: Device, metric: str) -> None:
    problem = stops(metric=metric, max_distance=4000.0)
    instance, division = divided(problem)
    found = searched(device, instance, division, batch(division, list(range(GROUPS)), 400), Ruin(), cold=1.0)
    for giant, costs in ((found.giant, found.costs[:, 0]), (found.best, found.costs[:, 1])):
        report = problem.check(instance.leave(giant))
        assert report.feasible, report.violations
        assert costs.sum() == pytest.approx(report.cost, rel=1e-9)
    assert found.costs[:, 1].sum() < instance.cost(division.tour)


def test_groups_without_iterations_stay_as_they_are(device: Device) -> None:
    instance, division = divided(stops())
    found = searched(device, instance, division, batch(division, [2, 1], 0), Ruin())
    expected = np.concatenate([division.part(2), division.part(1)])
    assert found.giant.tolist() == found.best.tolist() == expected.tolist()


def test_an_engine_searches_one_division_after_the_other(device: Device) -> None:
    problem = stops()
    instance, division = divided(problem)
    engine = DeviceGroups(instance, device, Ruin())
    costs = [instance.cost(division.tour)]
    for number in range(3):
        some = batch(division, list(range(len(division.routes))), 200)
        engine.launch(division.tour, division.starts, some, (2.0, 2.0), seed=1, stream=number << 20)
        found = engine.collect()
        costs.append(found.costs[:, 0].sum())
        groups = 4 + 2 * number  # more room is needed
        division = divide(instance.problem, problem.points, found.giant, groups, np.random.default_rng(number))
        assert instance.cost(found.giant) == pytest.approx(costs[-1])
    assert costs == sorted(costs, reverse=True)


def test_what_devices_cannot_search_is_refused() -> None:
    assert DeviceGroups.supports(stops(metric="CEIL_2D", max_distance=4000.0))
    assert not DeviceGroups.supports(stops(metric="ATT"))
    directed = np.random.default_rng(1).integers(1, 9, (20, 20))
    matrix = VRP("m", METRICS["EXPLICIT"], directed + directed.T, demands=np.r_[0, [1] * 19], capacity=5)
    assert not DeviceGroups.supports(matrix)


def test_too_little_memory_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu = Cpu(1)
    monkeypatch.setattr(cpu, "free_memory", lambda: 1000.0)
    instance = RouteInstance.of(replace(stops()), 10)
    with pytest.raises(DeviceError, match=r"400 nodes take .* free on cpu"):
        DeviceGroups(instance, cpu, Ruin())
