"""What a driver tells of its device, under the headings of FlopsCL (Rocki 2013)."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

UNKNOWN: Final = "unknown"

VECTOR_TYPES: Final = ("char", "short", "int", "long", "float", "double")

HEADINGS: Final = (
    "vendor", "version", "driver", "compute units", "work-item sizes", "work-group size", "clock", "global memory",
    "error correction", "local memory", "constant memory", "vector widths",
)  # fmt: skip

CPU_INFO: Final = Path("/proc/cpuinfo")
DATA_CACHE: Final = Path("/sys/devices/system/cpu/cpu0/cache/index0/size")

WIDTHS: Final = {"avx512": 64, "avx2": 32}
"""Bytes of a vector register by the variant of the native library; 16 of any other."""


def listed(facts: Mapping[str, object]) -> dict[str, str]:
    """Return all headings in their order; what is not among the facts, or empty, is unknown."""
    return {heading: str(facts.get(heading) or UNKNOWN) for heading in HEADINGS}


def opencl_details(device: Any) -> dict[str, str]:
    """Return the details of an OpenCL device, an object of PyOpenCL."""
    widths = {name: getattr(device, f"native_vector_width_{name}", 0) for name in VECTOR_TYPES}
    return listed(
        {
            "vendor": str(device.vendor).strip(),
            "version": str(device.version).strip(),
            "driver": str(device.driver_version).strip(),
            "compute units": device.max_compute_units,
            "work-item sizes": _sizes(device.max_work_item_sizes),
            "work-group size": device.max_work_group_size,
            "clock": _clock(device.max_clock_frequency),
            "global memory": _memory(device.global_mem_size),
            "error correction": "yes" if device.error_correction_support else "no",
            "local memory": _memory(device.local_mem_size),
            "constant memory": _memory(device.max_constant_buffer_size),
            "vector widths": ", ".join(f"{name} {width}" for name, width in widths.items() if width),
        }
    )


def cuda_details(facts: Mapping[str, Any], driver: int, runtime: int, clock: float) -> dict[str, str]:
    """Return the details of a CUDA device.

    ``facts``: its properties by CuPy
    ``driver``, ``runtime``: version of CUDA that the driver supports, and of the runtime, as 1000 major + 10 minor
    ``clock``: MHz
    """
    error_correction = facts.get("ECCEnabled")
    return listed(
        {
            "vendor": "NVIDIA",
            "version": f"compute {facts['major']}.{facts['minor']}",
            "driver": f"CUDA {_version(driver)}, runtime {_version(runtime)}",
            "compute units": facts["multiProcessorCount"],
            "work-item sizes": _sizes(facts.get("maxThreadsDim", ())),
            "work-group size": facts.get("maxThreadsPerBlock"),
            "clock": _clock(clock),
            "global memory": _memory(facts["totalGlobalMem"]),
            "error correction": None if error_correction is None else "yes" if error_correction else "no",
            "local memory": _memory(facts.get("sharedMemPerBlock", 0)),
            "constant memory": _memory(facts.get("totalConstMem", 0)),
            "vector widths": "1 of all types: a lane of a warp computes one number",
        }
    )


def cpu_details(variant: str, threads: int, clock: float, memory: int) -> dict[str, str]:
    """Return the details of the host's CPU as the native library uses it."""
    register = WIDTHS.get(variant, 16)
    bytes_of = {"char": 1, "short": 2, "int": 4, "long": 8, "float": 4, "double": 8}
    return listed(
        {
            "vendor": _cpu_fact("vendor_id") or _cpu_fact("CPU implementer"),
            "version": variant,
            "driver": f"{platform.system()} {platform.release()}",
            "compute units": threads,
            "work-item sizes": "1",
            "work-group size": 1,
            "clock": _clock(clock or float(_cpu_fact("cpu MHz") or 0)),
            "global memory": _memory(memory),
            "local memory": f"{size}, data cache of a core" if (size := _text(DATA_CACHE).strip()) else None,
            "vector widths": ", ".join(f"{name} {register // bytes_of[name]}" for name in VECTOR_TYPES),
        }
    )


def _sizes(sizes: Iterable[int]) -> str:
    return " / ".join(map(str, sizes))


def _clock(megahertz: float) -> str | None:
    return f"{megahertz:.0f} MHz" if megahertz else None


def _memory(size: int) -> str | None:
    return (f"{size / 2**20:,.0f} MB" if size >= 2**20 else f"{size / 2**10:,.0f} kB") if size else None


def _version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _cpu_fact(name: str) -> str:
    """Return a field of the first core in ``/proc/cpuinfo``; empty if there is none."""
    fields = (line.partition(":") for line in _text(CPU_INFO).splitlines())
    return next((value.strip() for key, _, value in fields if key.strip() == name), "")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
