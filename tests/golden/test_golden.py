"""Runs of fixed seeds, threads and iterations give the solutions that they gave before.

What the CPU finds is the same on every machine. Some runs are recorded per device and skipped on others, or fail with
``--require golden``. ``--record-golden`` writes what this machine finds to ``runs.json``; a commit that changes an
entry says why.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from golden.cases import CPU, DEVICES, GPUS, Case
from warptour.api import solve
from warptour.devices import Device
from warptour.observe.result import Result
from warptour.strategies.registry import STRATEGIES

FILE = Path(__file__).with_name("runs.json")
Runs = dict[str, dict[str, list[Any]]]


def found(case: Case, device: str) -> list[Any]:
    """Return the cost and a hash of the solution of a run."""
    strategy = STRATEGIES[case.strategy](**case.settings)
    result = solve(
        case.problem(), strategy, iterations=case.iterations, threads=case.threads, start=case.start, device=device
    )
    return [result.cost, digest(result)]


def digest(result: Result) -> str:
    nodes = [result.tour] if result.routes is None else [np.append(route, -1) for route in result.routes]
    return hashlib.sha256(np.concatenate(nodes).astype("<i4").tobytes()).hexdigest()[:16]


Compare = Callable[[str, Case, str], None]


@pytest.fixture
def compare(request: pytest.FixtureRequest, skip_without: Callable[[str, str], None]) -> Compare:
    """Call ``compare(where, case, device)`` to compare a run with the one recorded for ``where``, or to record it."""

    def compared(where: str, case: Case, device: str) -> None:
        if request.config.getoption("--record-golden"):
            record(where, case, device)
            return
        recorded = read_runs().get(where, {}).get(case.name)
        if recorded is None:
            skip_without("golden", f"no golden run was recorded for {where}: pytest --record-golden tests/golden")
        assert found(case, device) == recorded

    return compared


def read_runs() -> Runs:
    runs: Runs = json.loads(FILE.read_text(encoding="utf-8"))
    return runs


def record(where: str, case: Case, device: str) -> None:
    runs = read_runs()
    runs.setdefault(where, {})[case.name] = found(case, device)
    rows = ",\n".join(
        f" {json.dumps(place)}: {{\n"
        + ",\n".join(f"  {json.dumps(name)}: {json.dumps(run)}" for name, run in sorted(cases.items()))
        + "\n }"
        for place, cases in sorted(runs.items())
    )
    FILE.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


@pytest.mark.every_case
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.long) if case.long else case for case in CPU], ids=str
)
def test_on_the_cpu(case: Case, compare: Compare) -> None:
    compare("everywhere", case, "cpu")


@pytest.mark.every_case
@pytest.mark.parametrize("case", DEVICES, ids=str)
def test_on_another_device(case: Case, accelerator: Device, compare: Compare) -> None:
    compare("every device" if case.exact else place_of(accelerator), case, accelerator.name)


@pytest.mark.compiles
@pytest.mark.parametrize("case", GPUS, ids=str)
def test_on_a_gpu(case: Case, find_or_skip: Callable[[str], Device], compare: Compare) -> None:
    device = find_or_skip("cuda")
    compare(place_of(device), case, device.name)


def test_every_run_of_the_cpu_and_every_exact_one_is_recorded() -> None:
    runs = read_runs()
    assert set(runs["everywhere"]) == {case.name for case in CPU}
    assert set(runs["every device"]) == {case.name for case in DEVICES if case.exact}


def place_of(device: Device) -> str:
    """The device and, of its provenance, the driver and compiler: float32 arithmetic differs between them."""
    versions = " ".join(line for line in device.provenance().splitlines() if not line.isalnum())
    return f"{device.name.partition(':')[0]} {device.about().title} {versions}"
