"""A flag that another thread sets ends every search, with the best solution so far."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import warptour as wt
from random_cities import cities
from warptour.devices import Device
from warptour.model.errors import UsageError
from warptour.strategies.registry import STRATEGIES

VEHICLES = ("dcvrp", "routes")


def problem_of(strategy: str) -> wt.TSP | wt.VRP:
    return wt.generate("vrp", 200, 1) if strategy in VEHICLES else cities(700)


def cancelled(problem: wt.TSP | wt.VRP, **options: Any) -> wt.Result:
    """Solve until the first solution, upon which another thread sets the flag."""
    flag = threading.Event()

    def listen(event: wt.Event) -> None:
        if isinstance(event, wt.Improved) and not flag.is_set():
            other = threading.Thread(target=flag.set)
            other.start()
            other.join()

    result = wt.solve(problem, cancel=flag, seconds=1000, listeners=[listen], **options)
    assert wt.check(problem, result).feasible
    return result


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_ends(name: str) -> None:
    result = cancelled(problem_of(name), strategy=name, threads=2)
    assert result.ended == "cancelled" and not result.interrupted


@pytest.mark.parametrize(
    ("name", "options"),
    [*((name, {}) for name in STRATEGIES), ("windows", {"device": "cpu,cpu"}), ("routes", {"device": "cpu,cpu"})],
    ids=str,
)
def test_a_flag_that_is_set_before_leaves_a_simple_solution(name: str, options: dict[str, Any]) -> None:
    flag = threading.Event()
    flag.set()
    problem = problem_of(name)
    result = wt.solve(problem, name, cancel=flag, seconds=1000, **options)
    assert result.ended == "cancelled" and result.iterations == 0 and wt.check(problem, result).feasible


@pytest.mark.parametrize("name", ["windows", "hill"])
def test_every_device_ends(device: Device, name: str) -> None:
    assert cancelled(cities(700), strategy=name, device=device.name).ended == "cancelled"


@pytest.mark.parametrize("options", [{"device": "cpu,cpu"}, {"cluster": "local:2"}], ids=str)
@pytest.mark.parametrize("name", ["windows", "descent", "routes"])
def test_several_devices_and_processes_end(name: str, options: dict[str, Any]) -> None:
    assert cancelled(problem_of(name), strategy=name, threads=1, **options).ended == "cancelled"


def test_a_search_beside_a_bound_ends() -> None:
    assert cancelled(cities(700), bound=True, threads=2).ended == "cancelled"


def test_a_bound_ends() -> None:
    flag = threading.Event()
    bound = wt.bound(cities(3000), seconds=1000, cancel=flag, listener=lambda bound: flag.set())
    assert bound.valid and bound.seconds < 1000 and not bound.tight


def test_a_flag_is_an_object_with_is_set() -> None:
    for call in (wt.solve, wt.bound):
        with pytest.raises(UsageError, match=r"threading\.Event, or has its is_set\(\), unlike True"):
            call(cities(30), cancel=True)  # type: ignore[arg-type]
