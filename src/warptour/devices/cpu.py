"""The CPU as a device: NumPy arrays, and kernels from the native library."""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warptour.devices.details import cpu_details
from warptour.devices.device import About, Device, scalar_bytes
from warptour.devices.text import Define, by_metric
from warptour.kernels.cores import usable_cores
from warptour.kernels.groups import Pool, start_pool, usable_threads
from warptour.kernels.library import function, library_file, variant
from warptour.model.memory import free_memory

_SCALARS: Final = {
    np.dtype(np.int32): ctypes.c_int32,
    np.dtype(np.int64): ctypes.c_int64,
    np.dtype(np.uint32): ctypes.c_uint32,
    np.dtype(np.uint64): ctypes.c_uint64,
    np.dtype(np.float32): ctypes.c_float,
    np.dtype(np.float64): ctypes.c_double,
}


class Cpu(Device):
    """All usable cores, or ``threads`` of them."""

    backend = "cpu"
    is_host = True
    warps = cooperative = vector_types = False
    lane_memory = 0
    max_lanes = 1
    lanes = 1
    simd = 1
    compile_seconds = 0.0

    def __init__(self, threads: int | None = None) -> None:
        self.name = "cpu"
        self.threads = usable_threads(threads)

    @cached_property
    def pool(self) -> Pool | None:
        """Thread pool that runs the groups; None if the system cannot start threads."""
        return start_pool(min(self.threads, usable_cores()))

    def about(self) -> About:
        """Return the CPU model, memory, threads and clock reported by the system."""
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0
        title = f"{_model()} ({variant()})"
        return About("cpu", title, "cpu", pages, self.threads, _clock(), 0)

    def details(self) -> dict[str, str]:
        """Return what the system tells of the CPU."""
        about = self.about()
        return cpu_details(variant(), about.units, about.clock, about.memory)

    def free_memory(self) -> float:
        """Return the bytes that this process can still allocate."""
        return free_memory()

    def provenance(self) -> str:
        """Return the path of the native library."""
        return library_file()

    def empty(self, shape: int | Sequence[int], dtype: DTypeLike) -> NDArray[Any]:
        return np.empty(shape, dtype)

    def zeros(self, shape: int | Sequence[int], dtype: DTypeLike) -> NDArray[Any]:
        return np.zeros(shape, dtype)

    def fetch(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return a copy."""
        return array.copy()

    def fill(self, array: NDArray[Any], values: NDArray[Any]) -> None:
        """Overwrite ``array``."""
        array[...] = values

    def build(
        self, name: str, special: str | None = None, *, lanes: int | None = None, **defines: Define
    ) -> CpuProgram:
        """Return the native functions compiled from ``name``, for metric ``special`` if it is built per metric."""
        return CpuProgram(self, f"_{special}" if special and by_metric(name) else "")

    def order(self, keys: NDArray[Any]) -> NDArray[np.int32]:
        """Return the permutation that sorts ``keys``."""
        return keys.argsort(kind="stable").astype(np.int32)

    def running_sum(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the inclusive prefix sum."""
        return np.cumsum(values)

    def synchronise(self) -> None:
        """Do nothing: launches are synchronous."""

    def close(self) -> None:
        """End the thread pool."""
        pool = self.__dict__.pop("pool", None)
        if pool is not None:
            pool.shutdown()


class CpuProgram:
    """The functions of the native library that share one suffix (metric)."""

    def __init__(self, device: Cpu, suffix: str) -> None:
        self._device = device
        self._suffix = suffix

    def launch(self, name: str, groups: int, *arguments: Any, local: int = 0) -> None:
        """Call the kernel once per group, on the thread pool; return when all are done."""
        types, values = _passed(arguments)
        if local:
            types, values = (*types, ctypes.c_void_p), (*values, None)
        call = function(name + self._suffix, None, ctypes.c_int32, ctypes.c_int32, *types)

        def run(group: int, kept: object = arguments) -> None:  # keeps arrays alive if the caller is interrupted
            if not local:
                call(group, groups, *values)
                return
            scratch = ctypes.create_string_buffer(local)
            call(group, groups, *values[:-1], ctypes.addressof(scratch))

        pool = None if groups == 1 or self._device.threads == 1 else self._device.pool
        if pool is None:
            for group in range(groups):
                run(group)
        else:
            for _ in pool.map(run, range(groups)):
                pass


def _passed(arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the ctypes types and the values of a kernel's arguments."""
    types: list[Any] = []
    values: list[Any] = []
    for argument in arguments:
        if argument is None:
            types.append(ctypes.c_void_p)
            values.append(None)
        elif isinstance(argument, np.ndarray):
            if not argument.flags.c_contiguous:
                raise TypeError("a kernel takes contiguous arrays")
            types.append(ctypes.c_void_p)
            values.append(argument.ctypes.data)
        else:
            types.append(_SCALARS[scalar_bytes(argument).dtype])
            values.append(argument.item())
    return tuple(types), tuple(values)


def _model() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _clock() -> float:
    """Return the maximum clock in MHz, 0 if the system does not report it."""
    try:
        with open("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", encoding="ascii") as file:
            return int(file.read()) / 1000
    except (OSError, ValueError):
        return 0.0
