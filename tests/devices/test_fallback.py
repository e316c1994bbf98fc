"""A device that fails is left for the CPU if nobody asked for it, and named in one sentence if somebody did."""

from __future__ import annotations

import numpy as np
import pytest

import warptour as wt
from warptour.api import run
from warptour.devices import About, DeviceError
from warptour.devices.cpu import Cpu
from warptour.model.errors import UnsupportedError
from warptour.observe.events import Note
from warptour.strategies import places, self_check


class Broken(Cpu):
    """A GPU that refuses every program."""

    lanes = 32

    backend = "cuda"
    is_host = False

    def __init__(self) -> None:
        super().__init__(1)
        self.name = "cuda:0"

    def about(self) -> About:
        return About("cuda:0", "a broken one", "gpu", 2**30, 1, 1000.0, 48 * 1024)

    def build(self, name: str, *arguments: object, **options: object) -> None:  # type: ignore[override]
        raise DeviceError(f"cuda:0: kernel {name} does not compile: error")


@pytest.fixture
def problem(monkeypatch: pytest.MonkeyPatch) -> wt.TSP:
    for module in (run, places):
        monkeypatch.setattr(
            module, "find_several", lambda names, threads=None: [Cpu(1) if names == "cpu" else Broken()]
        )
    monkeypatch.setattr(self_check, "candidates", lambda name, threads: [*([Broken()] * (name == "auto")), Cpu(1)])
    return wt.generate("uniform", 100, 1)


@pytest.mark.parametrize("strategy", ["hill", "restarts"])
def test_auto_goes_on_with_the_cpu_and_says_so(problem: wt.TSP, strategy: str) -> None:
    notes = []
    result = wt.solve(
        problem,
        strategy,
        iterations=5,
        listeners=[lambda event: notes.append(event) if isinstance(event, Note) else None],
    )
    assert result.device == "cpu" and result.feasible
    assert "does not compile" in notes[0].text and "going on with cpu" in notes[0].text


def test_who_asks_for_the_device_is_told(problem: wt.TSP) -> None:
    with pytest.raises(DeviceError, match="kernel window_cut does not compile"):
        wt.solve(problem, "hill", iterations=5, device="cuda:0")


def test_ils_is_better_on_the_cpu_and_stays_there_unless_asked(problem: wt.TSP) -> None:
    assert wt.solve(problem, "ils", iterations=50).device == "cpu"
    with pytest.raises(DeviceError):
        wt.solve(problem, "ils", iterations=50, device="cuda:0")
    path = wt.TSP("path", problem.metric, problem.points, open=True)
    with pytest.raises(UnsupportedError, match="on cpu only"):
        wt.solve(path, "ils", iterations=50, device="cuda:0")


def test_nine_cities_need_no_device(problem: wt.TSP) -> None:
    assert wt.solve(wt.generate("uniform", 9, 1), "hill", device="cuda:0").device == "cpu"


def test_a_strategy_that_runs_elsewhere_names_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "find_several", lambda names, threads=None: [Broken()])
    vehicles = wt.generate("vrp", 20, 1)
    with pytest.raises(UnsupportedError, match="on cpu only"):
        wt.solve(vehicles, "routes", iterations=1, device="cuda:0")


def test_a_missing_device_is_bad_usage() -> None:

    with pytest.raises(DeviceError, match="no device opencl:99"):
        wt.solve_points(np.random.default_rng(0).random((20, 2)), strategy="hill", device="opencl:99")
