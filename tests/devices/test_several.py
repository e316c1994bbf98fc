"""Several devices by name."""

from __future__ import annotations

import sys

import pytest

import warptour as wt
from warptour.devices import About, Device, DeviceError, find_several
from warptour.devices.cpu import Cpu
from warptour.strategies.places import choose_devices
from warptour.strategies.registry import default_strategy


def test_a_list_and_words_with_commas_are_the_same() -> None:
    assert [device.name for device in find_several("cpu, cpu", 1)] == ["cpu", "cpu"]
    assert [device.name for device in find_several(["cpu"], 1)] == ["cpu"]


def test_a_device_named_twice_is_two(device: Device) -> None:
    first, second = find_several([device.name, device.name], 1)
    assert first is not second
    assert first.name == second.name == device.name


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("cpu,all", "all stands alone"),
        ("auto,cpu", "auto stands alone"),
        ([], "at least one name"),
        ("cpu,", "unknown device ''"),
        ("cpu,opencl:99", "no device opencl:99"),
    ],
)
def test_lists_that_make_no_sense(names: str | list[str], message: str) -> None:
    with pytest.raises(DeviceError, match=message):
        find_several(names)


def test_all_names_the_cpu_last_and_once() -> None:
    names = [device.name for device in find_several("all", 2)]
    assert names[-1] == "cpu"
    assert names.count("cpu") == 1


class Listed(Cpu):
    """A device that is only listed."""

    def __init__(self, name: str, kind: str, title: str) -> None:
        super().__init__(1)
        self.name, self.backend, self.is_host = name, name.partition(":")[0], name == "cpu"
        self._listed = About(name, title, kind, 0, 1, 0.0, 0)

    def about(self) -> About:
        return self._listed


def test_all_leaves_out_what_another_library_has(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [
        Listed("cpu", "cpu", "a processor"),
        Listed("cuda:0", "gpu", "NVIDIA H200 (compute 9.0)"),
        Listed("opencl:0", "gpu", "NVIDIA H200 (NVIDIA CUDA)"),
        Listed("opencl:1", "gpu", "gfx942 (AMD Accelerated Parallel Processing)"),
        Listed("opencl:2", "cpu", "a processor (Portable Computing Language)"),
    ]
    monkeypatch.setattr(sys.modules["warptour.devices.find"], "present", lambda threads: (listed, []))
    assert [device.name for device in find_several("all")] == ["cuda:0", "opencl:1", "cpu"]


def test_all_says_what_cannot_search_the_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [Listed("cpu", "cpu", "a processor"), Listed("opencl:1", "gpu", "gfx942 (AMD)")]
    monkeypatch.setattr(sys.modules["warptour.devices.find"], "present", lambda threads: (listed, []))
    windows = [None, *[(0, 1e9)] * 3]
    problem = wt.VRP.from_points([(0, 0), (1, 0), (0, 1), (1, 1)], demands=[0, 1, 1, 1], capacity=2, windows=windows)
    chosen, passed_over = choose_devices("all", default_strategy(problem), problem, 1)
    assert [device.name for device in chosen] == ["cpu"]
    assert passed_over == ["routes runs points on cpu only, not on opencl:1"]


def test_names_are_words() -> None:
    with pytest.raises(wt.UsageError, match="a device is a name"):
        wt.solve(wt.generate("uniform", 20, 1), device=["cpu", 3])  # type: ignore[list-item]
