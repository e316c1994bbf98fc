"""A device that computes wrongly is found out, named and not used; what was found is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warptour as wt
from warptour.candidates import neighbours
from warptour.devices import About, Device, DeviceError, text
from warptour.devices.cpu import Cpu, CpuProgram
from warptour.devices.outcome import cache_folder
from warptour.observe.events import Note
from warptour.routes.engine.route_state import RouteState
from warptour.strategies import places, trial_searches
from warptour.strategies import self_check as module
from warptour.strategies.self_check import require_sound, self_check, self_check_apart, sound_device
from warptour.tours.engine.instance import Instance
from warptour.tours.engine.overlapping import OverlappingWindows
from warptour.tours.engine.window import Window

Wrong = Callable[[str, tuple[Any, ...]], None]
"""Gets the name of a kernel and its arguments after a launch, and may change what it wrote."""


COSTS = -18
"""Place of the costs among the arguments of ``groups_search``."""


class Program(CpuProgram):
    """The kernels of the CPU, whose answers are changed."""

    def launch(self, name: str, groups: int, *arguments: Any, local: int = 0) -> None:
        super().launch(name, groups, *arguments, local=local)
        self._device.answer(name, arguments)  # type: ignore[attr-defined]


class Doubtful(Cpu):
    """A device that a test says everything about."""

    def __init__(self, name: str = "cuda:0", driver: str = "1.0") -> None:
        super().__init__(1)
        self.name, self.backend, self.is_host = name, name.partition(":")[0], name == "cpu"
        self.warps = not self.is_host
        self.driver = driver
        self.launches = 0
        self.wrong: Wrong | None = None

    def about(self) -> About:
        return About(self.name, "Doubtful 3000", "cpu", 2**30, 1, 1000.0, 0)

    def provenance(self) -> str:
        return self.driver

    def build(self, name: str, special: str | None = None, **options: Any) -> Program:  # type: ignore[override]
        return Program(self, super().build(name, special, **options)._suffix)

    def answer(self, name: str, arguments: tuple[Any, ...]) -> None:
        self.launches += 1
        if self.wrong is not None:
            self.wrong(name, arguments)


def nothing(name: str, arguments: tuple[Any, ...]) -> None:
    if name == "overlapping_search":
        arguments[18][:] = 0


def one_window_less(name: str, arguments: tuple[Any, ...]) -> None:
    if name == "overlapping_search":
        counts = arguments[18]
        counts[np.flatnonzero(counts)[0]] = 0


def garbage(name: str, arguments: tuple[Any, ...]) -> None:
    if name == "overlapping_pack":
        arguments[-1][:] = 123456789


def another_neighbour(name: str, arguments: tuple[Any, ...]) -> None:
    if name == "overlapping_pack":
        arguments[-1][3, 1] = (arguments[-1][3, 1] + 1) % trial_searches.CITIES


def lower_cost(name: str, arguments: tuple[Any, ...]) -> None:
    if name == "groups_search":
        arguments[COSTS][2, 1] -= 1.0


def two_customers_changed(name: str, arguments: tuple[Any, ...]) -> None:
    if name == "groups_search":
        best = arguments[COSTS - 3]
        best[:2] = best[1::-1]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a process that has checked nothing."""
    monkeypatch.setenv("WARPTOUR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "_outcomes", {})
    return tmp_path / "cache"


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Doubtful:
    """A CUDA device of this machine that finds wrong moves."""
    device = Doubtful()
    device.wrong = garbage
    monkeypatch.setattr(places, "find_several", lambda names, threads=None: [device])
    monkeypatch.setattr(module, "candidates", lambda name, threads: [Cpu(1)] if name == "cpu" else [device, Cpu(1)])
    return device


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Go on as a new process would."""
    monkeypatch.setattr(module, "_outcomes", {})


def test_every_device_passes(device: Device) -> None:
    assert self_check(device) is None
    require_sound(device)


def test_a_gpu_passes(gpu: Device) -> None:
    assert trial_searches.wrong_answer(gpu) is None


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (garbage, "changed edges at one end only"),
        (another_neighbour, "changed edges at one end only"),
        (nothing, "windows found nothing"),
        (one_window_less, "ended in another tour than on the CPU"),
        (lower_cost, "ended in other routes than on the CPU"),
        (two_customers_changed, "ended in other routes than on the CPU"),
    ],
)
def test_wrong_answers_are_found_out_and_described(wrong: Wrong, words: str) -> None:
    device = Doubtful()
    assert self_check(device) is None
    device.driver, device.wrong = "wrong", wrong
    failure = self_check(device)
    assert failure is not None and "\n" not in failure
    assert failure.startswith("cuda:0 (Doubtful 3000) fails its self-check: a search of ") and failure.endswith(words)


def half_the_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Window, "gain", property(lambda window: window.gains[0] / 2))


def a_city_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Window.search

    def doubled(window: Window, *arguments: Any, **options: Any) -> None:
        search(window, *arguments, **options)
        if window.kicks == trial_searches.CITIES:
            window.tour[0] = window.tour[1]

    monkeypatch.setattr(Window, "search", doubled)


def routes_that_cost_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RouteState, "lowest", property(lambda fleet: fleet.costs[1] - 1.0))


def a_customer_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    best = RouteState.best
    monkeypatch.setattr(RouteState, "best", lambda fleet: best(fleet)[1:])


def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RouteState, "search", lambda *arguments, **options: None)


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (half_the_gain, "windows shortened the tour by "),
        (a_city_twice, "windows ended in no tour"),
        (routes_that_cost_less, "groups of routes ended in routes that cost "),
        (a_customer_left_out, "groups of routes ended in routes that break a limit: "),
        (no_search, "groups of routes found nothing"),
    ],
)
def test_wrong_answers_of_the_native_library_are_found_out(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None], words: str
) -> None:
    assert trial_searches.wrong_answer(Cpu(1)) is None
    plant(monkeypatch)
    assert words in (trial_searches.wrong_answer(Cpu(1)) or "")


def test_fast_arithmetic_that_finds_nothing_is_found_out(gpu: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    search = OverlappingWindows.search

    def idle(engine: OverlappingWindows, first: int, count: int, kicks: int, walk_length: int) -> None:
        search(engine, first, count, kicks if engine.real is np.float64 else 0, walk_length)

    monkeypatch.setattr(OverlappingWindows, "search", idle)
    assert (trial_searches.wrong_answer(gpu) or "").endswith("windows found nothing")


def test_changes_are_listed_at_both_ends() -> None:
    problem = trial_searches.check_cities()
    instance = Instance.of(problem, neighbours(problem, 7, 1))
    tour = np.arange(8, dtype=np.int32)
    two_opt = np.array([[0, 7, 3], [1, 2, 4], [3, 2, 0], [4, 1, 5]], np.int32)
    sums = np.array([0, 4])

    def mutual(changes: np.ndarray, sums: np.ndarray = sums) -> bool:
        return trial_searches.are_mutual(tour, sums, changes.reshape(-1))

    assert instance.nodes > 8 and mutual(two_opt) and mutual(two_opt[:0], np.array([0, 0]))
    assert mutual(np.tile(two_opt, (2, 1)), np.array([4, 8])), "each window has changes of its own"
    assert not mutual(two_opt[:3], np.array([3, 3])) and not mutual(two_opt, np.array([4, 3]))
    assert not mutual(two_opt, np.array([0, 5])) and not mutual(two_opt, np.array([-1, 4]))
    for k in range(12):
        for wrong in (-1, 8, 6):
            spoiled = two_opt.copy()
            spoiled.flat[k] = wrong
            assert not mutual(spoiled), (k, wrong)


def test_a_device_asked_for_by_name_is_refused(faulty: Doubtful) -> None:
    with pytest.raises(DeviceError, match=r"cuda:0 .*fails its self-check: .*: use device cpu"):
        wt.solve(wt.generate("uniform", 100, 1), "hill", iterations=5, device="cuda:0")


def test_auto_passes_over_it_and_says_so(faulty: Doubtful) -> None:
    notes: list[Note] = []
    result = wt.solve(
        wt.generate("uniform", 100, 1),
        "hill",
        iterations=5,
        listeners=[lambda event: notes.append(event) if isinstance(event, Note) else None],
    )
    assert result.device == "cpu" and result.feasible
    assert "cuda:0" in notes[0].text and notes[0].text.endswith("; going on with cpu") and notes[0].lasting
    assert sound_device("auto")[0].name == "cpu"


def test_a_native_library_that_fails_names_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_searches, "wrong_answer", lambda device: "it gave nothing")
    for variant, advice in (("avx512", "WARPTOUR_ISA=baseline"), ("baseline", "make native")):
        monkeypatch.setattr(module, "variant", lambda variant=variant: variant)
        with pytest.raises(DeviceError, match=f"it gave nothing: .*{advice}"):
            require_sound(Cpu(1))


@pytest.mark.parametrize("wrong", [None, garbage], ids=["passed", "failed"])
def test_a_device_is_checked_once_for_each_driver(monkeypatch: pytest.MonkeyPatch, wrong: Wrong | None) -> None:
    device = Doubtful()
    device.wrong = wrong
    outcome = self_check(device)
    assert device.launches > 0
    device.launches = 0
    assert self_check(device) == outcome and device.launches == 0
    forget(monkeypatch)
    assert self_check(device) == outcome and device.launches == 0
    device.driver = "1.1"
    assert self_check(device) == outcome and device.launches > 0
    device.launches = 0
    assert self_check(Doubtful("cuda:1")) is None, "another device is checked for itself"


def test_one_that_failed_can_be_checked_again() -> None:
    device = Doubtful()
    device.wrong = garbage
    assert self_check(device) is not None
    device.wrong = None
    assert self_check(device) is not None
    assert self_check(device, again=True) is None and self_check(device) is None
    device.launches = 0
    assert self_check(device, again=True) is None and device.launches == 0


def test_a_changed_kernel_text_is_another_fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "FOLDER", tmp_path)
    seen = set()
    for content in ("int x;", "int y;"):
        for name in ("scan.c", "strip.h"):
            (tmp_path / name).write_text(content)
            seen.add(text.fingerprint.__wrapped__())
    assert len(seen) == 4


def test_code_of_another_origin_is_told_apart(device: Device) -> None:
    assert device.provenance() == device.provenance()
    assert device.name == "cpu" or text.fingerprint() in device.provenance()


class Raising(Doubtful):
    """A driver with errors of its own."""

    error: Exception = RuntimeError("clEnqueue\nfailed")

    def build(self, name: str, *arguments: object, **options: object) -> Program:  # type: ignore[override]
        raise self.error


def test_what_a_driver_raises_is_one_line_and_is_not_kept(cache: Path) -> None:
    device = Raising()
    assert (self_check(device) or "").endswith("fails its self-check: RuntimeError: clEnqueue failed")
    device.error = DeviceError("cuda:0 has no room")
    assert self_check(device) == "cuda:0 has no room"
    assert not cache.exists()


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"failure": 3}'])
def test_what_cannot_be_read_is_checked_again(cache: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    device = Doubtful()
    self_check(device)
    (file,) = cache.iterdir()
    assert json.loads(file.read_text()) == {"device": "cuda:0", "title": "Doubtful 3000", "failure": None}
    file.write_text(content)
    forget(monkeypatch)
    device.launches = 0
    assert self_check(device) is None and device.launches > 0
    assert json.loads(file.read_text())["failure"] is None


def test_a_cache_that_cannot_be_written_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WARPTOUR_CACHE", str(tmp_path / "file" / "below"))
    assert self_check(Doubtful()) is None


def test_the_cache_is_the_users_own_or_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("WARPTOUR_CACHE", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert cache_folder() is None
    assert self_check(Doubtful()) is None
    if module.__file__.startswith("/"):
        monkeypatch.setenv("HOME", "/home/someone")
        assert cache_folder() == Path("/home/someone/.cache/warptour")
        monkeypatch.setenv("XDG_CACHE_HOME", "relative")
        assert cache_folder() == Path("/home/someone/.cache/warptour")
        monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
        assert cache_folder() == Path("/elsewhere/warptour")
    monkeypatch.setenv("WARPTOUR_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.setenv("WARPTOUR_CACHE", "")
    assert cache_folder() is None


@pytest.mark.parametrize("ends", ["import os; os.abort()", "import sys; sys.exit(1)"])
def test_a_driver_that_ends_the_program_ends_a_child_alone(monkeypatch: pytest.MonkeyPatch, ends: str) -> None:
    """As PoCL does where it finds no linker. A child that fails in any other way says nothing about the device."""
    monkeypatch.setattr(module, "ALONE", ends)
    failure = self_check_apart(Doubtful("opencl:9"))
    said = "opencl:9 (Doubtful 3000) fails its self-check: its driver ends with SIGABRT"
    assert failure == (said if "abort" in ends else None)
    assert self_check_apart(Doubtful("cpu")) is None
