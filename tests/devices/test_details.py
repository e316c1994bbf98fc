"""What drivers tell of their devices has the same headings, and what they do not tell is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from cupy_stub import GPUS, StubCuda
from warptour.devices import details
from warptour.devices.details import HEADINGS, cpu_details, cuda_details


def test_of_cuda() -> None:
    facts = {
        "major": 3, "minor": 5, "multiProcessorCount": 14, "totalGlobalMem": 6 * 2**30, "ECCEnabled": 0,
        "maxThreadsDim": (1024, 1024, 64), "maxThreadsPerBlock": 1024, "sharedMemPerBlock": 49152,
        "totalConstMem": 65536,
    }  # fmt: skip
    found = cuda_details(facts, 13020, 12080, 837.0)
    assert tuple(found) == HEADINGS
    assert found["driver"] == "CUDA 13.2, runtime 12.8" and found["work-item sizes"] == "1024 / 1024 / 64"
    assert (found["error correction"], found["clock"], found["global memory"]) == ("no", "837 MHz", "6,144 MB")
    assert (found["local memory"], found["constant memory"]) == ("48 kB", "64 kB")


def test_what_an_older_cupy_does_not_report_is_unknown() -> None:
    found = StubCuda(GPUS[2]).details()
    assert tuple(found) == HEADINGS and found["version"] == "compute 9.0" and found["clock"] == "1980 MHz"
    assert {found[name] for name in ("error correction", "constant memory", "work-group size")} == {"unknown"}


def test_of_a_cpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "info").write_text("processor\t: 0\nvendor_id\t: GenuineIntel\ncpu MHz\t\t: 2500.1\n\nprocessor\t: 1\n")
    (tmp_path / "cache").write_text("32K\n")
    monkeypatch.setattr(details, "CPU_INFO", tmp_path / "info")
    monkeypatch.setattr(details, "DATA_CACHE", tmp_path / "cache")
    found = cpu_details("avx2", 12, 0.0, 2**34)
    assert (found["vendor"], found["clock"], found["compute units"]) == ("GenuineIntel", "2500 MHz", "12")
    assert "float 8, double 4" in found["vector widths"] and found["local memory"].startswith("32K")
    monkeypatch.setattr(details, "CPU_INFO", tmp_path / "nothing")
    assert cpu_details("baseline", 1, 0.0, 0)["vendor"] == "unknown"
