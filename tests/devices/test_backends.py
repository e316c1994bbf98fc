"""A backend is a prelude, a module and a line of the registry: one more is found, listed and used."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

import warptour as wt
from warptour.devices import BACKENDS, About, Device, DeviceError, find, find_several, present
from warptour.devices.cpu import Cpu
from warptour.devices.find import Backend
from warptour.devices.text import assemble
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.strategies import self_check
from warptour.strategies.registry import STRATEGIES


class Fourth(Cpu):
    """A GPU of a maker of its own, which computes as the CPU does."""

    backend = "fourth"
    is_host = False

    def __init__(self, index: int = 0, title: str = "Fourth 4000") -> None:
        super().__init__(1)
        self.name, self.title = f"fourth:{index}", title

    def about(self) -> About:
        return About(self.name, self.title, "gpu", 2**30, 1, 1000.0, 0)


class Tiled(Fourth):
    """The same, whose lanes form warps."""

    warps = True


@pytest.fixture(params=[Fourth, Tiled])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Fourth]]:
    """The class of a fourth backend that is registered, the first that ``auto`` takes."""
    module = ModuleType("warptour.devices.fourth")
    module.Kind = request.param  # type: ignore[attr-defined]
    module.find_all = lambda: ([request.param(0), request.param(1)], None)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "warptour.devices.fourth", module)
    monkeypatch.setattr(self_check, "_outcomes", {})
    monkeypatch.setenv("WARPTOUR_CACHE", "")
    others = dict(BACKENDS)
    BACKENDS.clear()
    BACKENDS.update({"fourth": Backend("Kind", "fourthpy", automatic=True, maker="Fourth"), **others})
    yield request.param
    BACKENDS.clear()
    BACKENDS.update(others)


def test_it_is_found_by_name_and_listed(kind: type[Fourth]) -> None:
    assert find("fourth").name == "fourth:0" and find("fourth:1").name == "fourth:1"
    assert [device.name for device in present()[0]][:3] == ["cpu", "fourth:0", "fourth:1"]
    names = [device.name for device in find_several("all", 1)]
    assert names[:2] == ["fourth:0", "fourth:1"] and names[-1] == "cpu"
    with pytest.raises(DeviceError, match=r"fourth:2; of its kind there is fourth:0 and fourth:1"):
        find("fourth:2")
    with pytest.raises(DeviceError, match=r"give auto, cpu, fourth:N, cuda:N or opencl:N;"):
        find("fifth:0")


def test_auto_takes_it_for_what_runs_on_it(kind: type[Fourth]) -> None:
    problem = wt.generate("uniform", 60, 1)
    assert find("auto").name == "fourth:0"
    assert wt.solve(problem, "hill", iterations=5).device == "fourth:0"
    assert wt.solve(problem, "vns", iterations=5).device == "cpu", "with neighbour lists the CPU comes first"


def test_one_that_is_not_automatic_is_used_only_if_asked(kind: type[Fourth]) -> None:
    BACKENDS["fourth"] = Backend("Kind", "fourthpy")  # until the fixture ends
    problem = wt.generate("uniform", 60, 1)
    assert not find("auto").name.startswith("fourth")
    assert wt.solve(problem, "hill", iterations=5, device="fourth:1").device == "fourth:1"


def test_a_gpu_of_its_maker_counts_once(kind: type[Fourth], monkeypatch: pytest.MonkeyPatch) -> None:
    class Again(Fourth):
        backend = "opencl"

    listed: list[Device] = [Cpu(1), kind(0), Again(7), Again(8, "another")]
    monkeypatch.setattr(sys.modules["warptour.devices.find"], "present", lambda threads: (listed, []))
    assert find_several("all") == [listed[1], listed[3], listed[0]]


def test_strategies_that_run_everywhere_run_on_it(kind: type[Fourth]) -> None:
    problem = wt.generate("uniform", 60, 1)
    for name in ("hill", "restarts", "ils", "windows", "symmetric", "annealing", "descent", "partition"):
        assert "fourth" in STRATEGIES[name]().runs_on(problem), name
    large = wt.generate("uniform", 60_000, 1)
    assert STRATEGIES["windows"]().runs_on(large)[0] == "fourth"


def test_groups_of_routes_need_warps(kind: type[Fourth]) -> None:
    problem = wt.generate("vrp", 200_000, 1)
    assert ("fourth" in RouteImprovement().runs_on(problem)) == (kind is Tiled)


def test_it_passes_the_self_check(kind: type[Fourth]) -> None:
    assert self_check.self_check(kind()) is None


def test_what_its_library_raises_is_a_failure_of_the_device(kind: type[Fourth]) -> None:
    from warptour.strategies.running import is_of_device

    error = type("Lost", (Exception,), {"__module__": "fourthpy.driver"})()
    assert is_of_device(error) and not is_of_device(ValueError())


def test_kernels_begin_with_its_prelude() -> None:
    for name in BACKENDS:
        assert assemble("two_opt_scan", name, "flat", 32, {}).source.count("WARPTOUR_PRELUDE") >= 1
    with pytest.raises(FileNotFoundError, match=r"prelude_fourth\.h"):
        assemble("two_opt_scan", "fourth", "flat", 32, {})
