"""A device that computes wrongly is found out, named and not used; what was found is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warptour as wt
from reference_engine import ReferenceEngine
from warptour.devices import About, Device, DeviceError, text
from warptour.devices.cpu import Cpu, CpuProgram
from warptour.devices.outcome import cache_folder
from warptour.neighborhoods import TwoOpt
from warptour.observe.events import Note
from warptour.strategies import places
from warptour.strategies import self_check as module
from warptour.strategies.self_check import (
    CHECKED,
    CITIES,
    STEPS,
    best_move,
    check_problem,
    require_sound,
    self_check,
    sound_device,
)


class Program(CpuProgram):
    """The kernels of the CPU, with a scan whose answers are changed."""

    def launch(self, name: str, groups: int, *arguments: Any, local: int = 0) -> None:
        super().launch(name, groups, *arguments, local=local)
        if name == "two_opt_scan":
            self._device.answer(*arguments[-2:])  # type: ignore[attr-defined]


class Doubtful(Cpu):
    """A device that a test says everything about."""

    def __init__(self, name: str = "cuda:0", driver: str = "1.0") -> None:
        super().__init__(1)
        self.name, self.backend, self.is_host = name, name.partition(":")[0], name == "cpu"
        self.driver = driver
        self.scans = 0
        self.wrong: Callable[[np.ndarray, np.ndarray], None] | None = None

    def about(self) -> About:
        return About(self.name, "Doubtful 3000", "cpu", 2**30, 1, 1000.0, 0)

    def provenance(self) -> str:
        return self.driver

    def build(self, name: str, special: str | None = None, **options: Any) -> Program:  # type: ignore[override]
        return Program(self, super().build(name, special, **options)._suffix)

    def answer(self, least: np.ndarray, rows: np.ndarray) -> None:
        self.scans += 1
        if self.wrong is not None:
            self.wrong(least, rows)


def garbage(least: np.ndarray, rows: np.ndarray) -> None:
    least[:], rows[:] = -7.0, 3


def nothing(least: np.ndarray, rows: np.ndarray) -> None:
    least[:], rows[:] = np.inf, 0


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


@pytest.mark.parametrize("metric", CHECKED)
def test_the_check_expects_what_the_reference_finds_and_leaves_room_for_arithmetic(metric: str) -> None:
    problem, tour = check_problem(metric), np.arange(CITIES, dtype=np.int32)
    for _ in range(STEPS):
        move, delta = best_move(problem, tour)
        assert (move, delta) == ReferenceEngine(problem).best_move(tour)
        others = np.sort(np.concatenate([TwoOpt().row(problem, tour, i) for i in range(CITIES - 2)]))
        assert others[1] - others[0] > 5, "the next best move is much worse"
        tour = TwoOpt().apply(tour, move)


@pytest.mark.parametrize("wrong", [garbage, nothing])
def test_wrong_answers_are_found_out_and_described(wrong: Callable[[np.ndarray, np.ndarray], None]) -> None:
    device = Doubtful()
    device.wrong = wrong
    failure = self_check(device)
    assert failure is not None and "\n" not in failure
    assert failure.startswith("cuda:0 (Doubtful 3000) fails its self-check: step 1 of a EUCLIDEAN scan")


def test_a_device_asked_for_by_name_is_refused(faulty: Doubtful) -> None:
    with pytest.raises(DeviceError, match=r"cuda:0 .*fails its self-check: .*: use --device cpu"):
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
    device = Doubtful("cpu")
    device.wrong = garbage
    for variant, advice in (("avx512", "WARPTOUR_ISA=baseline"), ("baseline", "make native")):
        monkeypatch.setattr(module, "variant", lambda variant=variant: variant)
        with pytest.raises(DeviceError, match=advice):
            require_sound(device)


@pytest.mark.parametrize("wrong", [None, garbage], ids=["passed", "failed"])
def test_a_device_is_checked_once_for_each_driver(
    monkeypatch: pytest.MonkeyPatch, wrong: Callable[[np.ndarray, np.ndarray], None] | None
) -> None:
    device = Doubtful()
    device.wrong = wrong
    outcome = self_check(device)
    assert device.scans > 0
    device.scans = 0
    assert self_check(device) == outcome and device.scans == 0
    forget(monkeypatch)
    assert self_check(device) == outcome and device.scans == 0
    device.driver = "1.1"
    assert self_check(device) == outcome and device.scans > 0
    device.scans = 0
    assert self_check(Doubtful("cuda:1")) is None, "another device is checked for itself"


def test_one_that_failed_can_be_checked_again() -> None:
    device = Doubtful()
    device.wrong = garbage
    assert self_check(device) is not None
    device.wrong = None
    assert self_check(device) is not None
    assert self_check(device, again=True) is None and self_check(device) is None
    device.scans = 0
    assert self_check(device, again=True) is None and device.scans == 0


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
    device.scans = 0
    assert self_check(device) is None and device.scans > 0
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
