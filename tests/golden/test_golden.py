"""Runs of fixed seeds, threads and iterations give the solutions that they gave before.

``--record-golden`` writes what this machine finds to ``runs.json``; a commit that changes an entry says why.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from golden.cases import CPU, DEVICES, GPUS, Case
from warptour.api import solve
from warptour.devices import Device
from warptour.kernels.library import variant
from warptour.model.result import Result
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


def compare(request: pytest.FixtureRequest, where: str, case: Case, device: str) -> None:
    runs: Runs = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    if request.config.getoption("--record-golden"):
        runs.setdefault(where, {})[case.name] = found(case, device)
        rows = ",\n".join(
            f" {json.dumps(place)}: {{\n"
            + ",\n".join(f"  {json.dumps(name)}: {json.dumps(run)}" for name, run in sorted(cases.items()))
            + "\n }"
            for place, cases in sorted(runs.items())
        )
        FILE.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
        return
    if case.name not in runs.get(where, {}):
        pytest.skip(f"no golden run was recorded for {where}")
    assert found(case, device) == runs[where][case.name]


@pytest.mark.parametrize("case", CPU, ids=str)
def test_on_the_cpu(case: Case, request: pytest.FixtureRequest) -> None:
    compare(request, "everywhere" if case.portable else processor(), case, "cpu")


@pytest.mark.parametrize("case", DEVICES, ids=str)
def test_on_another_device(case: Case, accelerator: Device, request: pytest.FixtureRequest) -> None:
    compare(request, place_of(accelerator), case, accelerator.name)


@pytest.mark.compiles
@pytest.mark.parametrize("case", GPUS, ids=str)
def test_on_a_gpu(case: Case, find_or_skip: Callable[[str], Device], request: pytest.FixtureRequest) -> None:
    device = find_or_skip("cuda")
    compare(request, place_of(device), case, device.name)


def processor() -> str:
    """The instruction set, and the libraries whose sines and exponentials a run uses."""
    libm = " ".join(platform.libc_ver())
    return f"cpu {platform.machine()} {variant()}, numpy {np.__version__}, {libm}"


def place_of(device: Device) -> str:
    """The device and, of its provenance, the driver and compiler: float32 arithmetic differs between them."""
    versions = " ".join(line for line in device.provenance().splitlines() if not line.isalnum())
    return f"{device.name.partition(':')[0]} {device.about().title} {versions}"
