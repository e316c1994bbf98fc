"""The tuner returns the quickest candidate and remembers it, whatever lies in the cache."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from warptour.devices import tuning
from warptour.devices.cpu import Cpu
from warptour.devices.device import Elapsed
from warptour.devices.launch import Launch
from warptour.devices.tuning import tuned

CANDIDATES = [Launch(256, 4), Launch(128, 8), Launch(64, 16), Launch(32, 32)]


class FakeDevice(Cpu):
    """A device on which a candidate takes the seconds that ``cost`` says."""

    def __init__(self, cost: dict[int, float]) -> None:
        super().__init__(1)
        self.cost = cost
        self.ran: list[Launch] = []

    def run(self, candidate: Launch) -> None:
        self.ran.append(candidate)

    @contextmanager
    def timed(self) -> Iterator[Elapsed]:
        elapsed = Elapsed()
        yield elapsed
        elapsed.seconds = self.cost[self.ran[-1].block]


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("WARPTOUR_CACHE", str(tmp_path))
    monkeypatch.setattr(tuning, "_chosen", {})
    return tmp_path


COST = {256: 3.0, 128: 1.0, 64: 2.0, 32: 0.5}


def test_the_quickest_of_those_tried_wins() -> None:
    device = FakeDevice(COST)
    assert tuned(device, "some kernel", CANDIDATES, device.run) == Launch(32, 32)
    device.ran.clear()
    assert tuned(device, "another", CANDIDATES, device.run, tried=3) == Launch(128, 8)
    assert Launch(32, 32) not in device.ran


def test_a_choice_is_remembered_by_the_process_and_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    first = FakeDevice(COST)
    tuned(first, "k", CANDIDATES, first.run)
    for forget in (False, True):
        if forget:
            monkeypatch.setattr(tuning, "_chosen", {})
        again = FakeDevice({256: 1, 128: 2, 64: 3, 32: 4})
        assert tuned(again, "k", CANDIDATES, again.run) == Launch(32, 32) and again.ran == []


def test_other_keys_drivers_and_candidates_are_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    device = FakeDevice(COST)

    def measured(key: str, candidates: list[Launch]) -> bool:
        device.ran.clear()
        assert tuned(device, key, candidates, device.run) == min(candidates, key=lambda launch: COST[launch.block])
        return bool(device.ran)

    assert measured("k", CANDIDATES) and not measured("k", CANDIDATES)
    assert measured("l", CANDIDATES) and measured("k", CANDIDATES[:2])
    monkeypatch.setattr(FakeDevice, "provenance", lambda self: "another driver")
    assert measured("k", CANDIDATES[:2])


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"choice": 3}', '{"choice": "9 x 9"}', "\0\0"])
def test_a_corrupt_file_is_measured_over(folder: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    first = FakeDevice(COST)
    tuned(first, "k", CANDIDATES, first.run)
    (file,) = folder.glob("tuned-*.json")
    file.write_text(content)
    monkeypatch.setattr(tuning, "_chosen", {})
    again = FakeDevice(COST)
    assert tuned(again, "k", CANDIDATES, again.run) == Launch(32, 32) and again.ran
    assert "32 x 32" in file.read_text()


def test_no_cache_and_a_folder_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in ("", str(tmp_path / "file" / "folder")):
        monkeypatch.setenv("WARPTOUR_CACHE", place)
        monkeypatch.setattr(tuning, "_chosen", {})
        device = FakeDevice(COST)
        assert tuned(device, "k", CANDIDATES, device.run) == Launch(32, 32)


def test_a_single_candidate_is_not_measured() -> None:
    device = FakeDevice({})
    assert tuned(device, "k", CANDIDATES[:1], device.run) == CANDIDATES[0] and device.ran == []
