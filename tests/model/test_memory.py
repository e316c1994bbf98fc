"""Instances that exceed the free memory are refused, with the number of nodes that would fit."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from warptour.model import memory
from warptour.model.errors import UnsupportedError
from warptour.model.memory import free_memory, require_memory


def machine(folder: Path, available: int, swap: int = 0) -> Path:
    path = folder / "meminfo"
    path.write_text(f"MemTotal: 99 kB\nMemAvailable: {available} kB\nSwapFree: {swap} kB\nHugePages_Total: 0\n")
    return path


def test_memory_of_the_machine_includes_swap(tmp_path: Path) -> None:
    assert free_memory(tmp_path, machine(tmp_path, 1000, 24)) == 1024 * 1024


def test_a_control_group_limits_it_and_its_files_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("500000\n")
    (tmp_path / "memory.current").write_text("300000\n")
    (tmp_path / "memory.stat").write_text("anon 1\ninactive_file 40000\nactive_file 10000\n")
    assert free_memory(tmp_path, machine(tmp_path, 1000)) == 250_000


def test_a_group_without_a_limit_leaves_the_machine(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("300000\n")
    assert free_memory(tmp_path, machine(tmp_path, 1)) == 1024


def test_a_system_that_does_not_say_has_no_limit(tmp_path: Path) -> None:
    assert math.isinf(free_memory(tmp_path, tmp_path / "missing"))


def test_what_exceeds_it_is_refused_and_told_what_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 24e9)
    with pytest.raises(UnsupportedError) as told:
        require_memory(2_000_000_000, 16, "big")
    assert str(told.value) == "big: 2,000,000,000 nodes take 32.0 GB and 24.0 GB are free; 1,500,000,000 would fit"


def test_what_fits_or_is_small_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 16e9)
    require_memory(1_000_000_000, 16, "fits")
    monkeypatch.setattr(memory, "free_memory", lambda: 0.0)
    require_memory(1000, 16, "small")
    with pytest.raises(UnsupportedError, match="0 would fit"):
        require_memory(1_000_000, 16, "large")
