"""What the profiler prints is read by its names and units."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from documents import ROOT


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("program_counters", ROOT / "benchmarks" / "counters.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_counters_are_summed_scaled_and_of_one_multiprocessor(program: ModuleType) -> None:
    names = [name for group in program.METRICS.values() for name in group]
    numbers = ["2,000,000", "50", "3000000000", "75.5", "260", "4", "528", "31.5"]
    lines = [
        "==PROF== Connected to process 7",
        ",".join(f'"{word}"' for word in ("ID", "Kernel Name", *names)),
        ",".join(f'"{word}"' for word in ("", "", *("unit" for _ in names))),
        ",".join(f'"{word}"' for word in ("0", "giant_two_opt_cost", *numbers)),
    ]
    (row,) = program.table("\n".join(lines))
    assert row["Kernel Name"] == "giant_two_opt_cost"
    assert program.values(row, 132) == {
        "ms": 2.0, "counted occupancy": 0.5, "bandwidth": 3.0, "L1 hits": 75.5, "local accesses": 2.0,
        "divergent branches": 4.0, "active lanes": 31.5,
    }  # fmt: skip
