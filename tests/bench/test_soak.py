"""The program that solves for hours: each kind of problem once, and what it calls growth."""

from __future__ import annotations

import importlib.util
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

import warptour as wt

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def soak() -> Any:
    """The module ``benchmarks/soak.py``."""
    spec = importlib.util.spec_from_file_location("soak", ROOT / "benchmarks" / "soak.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["soak"] = module
    spec.loader.exec_module(module)
    return module


def test_every_kind_is_solved_and_checked(soak: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "SOLVE_SECONDS", (0.02, 0.05))
    for kind in soak.KINDS:
        soak.solve(kind, random.Random(kind), 1, tmp_path)


def test_a_cost_that_the_file_does_not_have_is_an_error(
    soak: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = wt.write
    monkeypatch.setattr(soak, "SOLVE_SECONDS", (0.02, 0.05))
    monkeypatch.setattr(wt, "write", lambda path, problem, tour: write(path, problem, sorted(tour)))
    with pytest.raises(AssertionError, match="was reported, the file has"):
        soak.solve("uniform", random.Random(1), 1, tmp_path)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_growth_is_named_and_what_fills_at_first_is_not(soak: Any) -> None:
    now = soak.seen(1.0, 5, os.getpid())
    assert now.resident > 10 and now.descriptors > 2 and now.threads >= 1
    flat = [now._replace(resident=100.0 + (row == 0)) for row in range(6)]
    assert soak.faults(flat) == []
    assert soak.faults([*flat[:-2], *(row._replace(resident=103.0) for row in flat[-2:])]) == [
        "resident memory grew from 100 to 103 MB"
    ]
    more = now._replace(resident=100.0, descriptors=now.descriptors + 1)
    assert soak.faults([*flat[:-1], more]) == []
    assert soak.faults([*flat[:-2], more, more]) == [
        f"descriptors grew from {now.descriptors} to {now.descriptors + 1}"
    ]


def test_a_service_is_asked_in_every_way_and_leaves_nothing(soak: Any, tmp_path: Path) -> None:
    for library in ("starlette", "uvicorn"):
        pytest.importorskip(library)
    draw = random.Random(1)
    with soak.service(tmp_path) as (process, client):
        for way in soak.WAYS:
            client.solve(way, draw, tmp_path)
        assert soak.seen(0.0, 6, process).resident > 10
