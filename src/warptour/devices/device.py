"""The device interface: one small set of operations for the CPU, CUDA and OpenCL.

Arrays are opaque and belong to their device: NumPy arrays on the CPU, CuPy arrays on CUDA, PyOpenCL arrays
elsewhere. Callers pass them around and read them only through :meth:`Device.fetch`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warptour.devices.text import Define
from warptour.model.errors import WarptourError

Array: TypeAlias = Any
"""An array on any device."""


class DeviceError(WarptourError):
    """A device is missing, out of memory, or rejects a program; the message says what to do."""


@dataclass(frozen=True)
class About:
    """Properties of a device."""

    name: str  # value of ``--device``: ``cpu``, ``cuda:0``, ``opencl:0``
    title: str  # product name
    kind: str  # "cpu" or "gpu"
    memory: int  # bytes of global memory
    units: int  # number of cores or multiprocessors
    clock: float  # MHz, 0 if unknown
    local_memory: int  # maximum bytes of shared memory per group
    peak: float = 0.0  # theoretical float32 operations per second, a multiply-add counted as two; 0 if unknown
    roots: float = 0.0  # theoretical square roots per second; 0 if unknown
    warp: int = 0  # lanes that execute together; 0 if unknown, as for all that follow
    # max_lanes, max_groups: maximum resident lanes and groups per multiprocessor
    max_lanes: int = 0
    max_groups: int = 0
    registers: int = 0  # 32-bit registers per multiprocessor
    shared_memory: int = 0  # bytes of shared memory per multiprocessor
    reserved_memory: int = 0  # bytes of shared memory that the driver reserves per group
    memory_unit: int = 0  # unit in which shared memory is allocated to groups, in bytes
    cluster: int = 0  # maximum blocks per group: 1 without clusters


@dataclass
class Elapsed:
    """Device time in seconds, valid once the measured block has ended."""

    seconds: float = field(default=0.0)


class Mapped:
    """Memory that kernels write to and the host reads; ``array`` is the device's view, an argument of kernels."""

    def __init__(self, device: Device, array: Array) -> None:
        self._device = device
        self.array = array

    def read(self) -> NDArray[Any]:
        """Return a copy of what kernels have written; on CUDA without waiting for any of them."""
        return self._device.fetch(self.array)


class Program(Protocol):
    """A compiled kernel source."""

    def launch(self, name: str, groups: int, *arguments: Any, local: int = 0) -> None:
        """Launch kernel ``name`` with ``groups`` groups, in order with all other work of the device.

        ``*arguments``: arrays of the device, NumPy scalars of exactly the kernel's types, None for a null pointer
        ``local``: bytes of ``SCRATCH`` (shared memory); only for kernels that declare it
        """


class Device(ABC):
    """A compute device: allocates arrays and runs kernels.

    What is not abstract is for a device with one queue, in order, and memory that the host copies.
    """

    name: str
    backend: str  # ``cpu`` or a key of ``find.BACKENDS``: what strategies are asked whether they run on
    warps: bool  # whether 32 lanes form a warp, which exchanges numbers without the memory of its group
    cooperative: bool  # whether the groups of a launch that are resident at the same time may wait for each other
    vector_types: bool  # whether its language has vector types, of the width that ``SIMD`` says
    lane_memory: int  # bytes of the group's memory that each lane of several takes to exchange numbers; 0 for warps
    max_lanes: int  # maximum number of lanes per group that every device of this kind has
    is_host: bool  # whether it is the CPU by the native library: its memory is the host's, and its builds are fixed
    lanes: int  # preferred number of lanes per group: 1 on a CPU
    simd: int  # explicit SIMD width that kernels are built for; 1 where the compiler or the lanes vectorise
    compile_seconds: float  # total seconds spent compiling; excluded from search time

    @abstractmethod
    def about(self) -> About:
        """Return the device's properties."""

    def details(self) -> dict[str, str]:
        """Return what the driver tells of the device, under the headings of :mod:`~warptour.devices.details`."""
        return {}

    @abstractmethod
    def free_memory(self) -> float:
        """Return the bytes that can still be allocated, as far as the system says; infinite if it does not."""

    @abstractmethod
    def provenance(self) -> str:
        """Return the origin of its code: kernel sources or library, compiler and driver, with versions."""

    def send(self, values: NDArray[Any]) -> Array:
        """Return a copy of ``values`` on the device."""
        array = self.empty(values.shape, values.dtype)
        self.fill(array, values)
        return array

    @abstractmethod
    def empty(self, shape: int | Sequence[int], dtype: DTypeLike) -> Array:
        """Return an uninitialised array."""

    def zeros(self, shape: int | Sequence[int], dtype: DTypeLike) -> Array:
        """Return an array of zeros."""
        return self.send(np.zeros(shape, dtype))

    @abstractmethod
    def fetch(self, array: Array) -> NDArray[Any]:
        """Return a copy on the host, after all earlier launches have finished."""

    @abstractmethod
    def fill(self, array: Array, values: NDArray[Any]) -> None:
        """Overwrite ``array`` with ``values`` of the same size and type."""

    @abstractmethod
    def build(self, name: str, special: str | None = None, *, lanes: int | None = None, **defines: Define) -> Program:
        """Return a kernel source compiled for this device; compiled code is cached by a hash of source and options.

        ``name``: file name of the source without its suffix
        ``special``: ``Points.special``, for sources that are built per metric
        ``lanes``: lanes per group, 1 by default
        ``**defines``: ``#define`` lines; on the CPU, whose library is compiled already, they must match the library's
        """

    @abstractmethod
    def order(self, keys: Array) -> Array:
        """Return the int32 permutation that stably sorts unsigned ``keys``."""

    @abstractmethod
    def running_sum(self, values: Array) -> Array:
        """Return the inclusive prefix sum of an int64 array."""

    def pinned(self, shape: int | Sequence[int], dtype: DTypeLike) -> NDArray[Any]:
        """Return an uninitialised array of the host that is copied to the device without the host's help."""
        return np.empty(shape, dtype)

    def mapped(self, shape: int | Sequence[int], dtype: DTypeLike) -> Mapped:
        """Return an array of zeros in the host's memory that kernels write to; use it for a few numbers."""
        return Mapped(self, self.zeros(shape, dtype))

    def fill_ahead(self, array: Array, values: NDArray[Any]) -> Callable[[], None]:
        """Overwrite ``array`` with ``values``, a pinned array, after all launches so far and beside the next ones.

        Call what is returned before a launch that reads ``array``: it lets later launches, not the host, wait.
        """
        self.fill(array, values)
        return lambda: None

    def mark(self) -> Callable[[], None]:
        """Return a callable that waits for all launches so far, but not for later ones if it can tell them apart."""
        return self.synchronise

    def record(self, work: Callable[[], None]) -> Callable[[], None]:
        """Return a callable that repeats all launches of ``work``, possibly much faster.

        ``work`` must only launch kernels, each of which must have run before.
        """
        return work

    @contextmanager
    def timed(self) -> Iterator[Elapsed]:
        """Measure the time of everything launched inside the block; by default on the clock of the host."""
        elapsed = Elapsed()
        self.synchronise()
        began = time.perf_counter()
        yield elapsed
        self.synchronise()
        elapsed.seconds = time.perf_counter() - began

    @abstractmethod
    def synchronise(self) -> None:
        """Wait until all work is done."""

    def apart(self) -> Device | None:
        """Return the same device for another thread, whose work runs beside this one's; None if there is no such."""
        return None

    def close(self) -> None:  # noqa: B027 (most have none)
        """End the threads that run its kernels, if it has any; the next launch starts new ones."""


def scalar_bytes(value: Any) -> np.generic:
    """Return ``value`` if it is a NumPy scalar, whose type fixes the width; reject plain Python numbers."""
    if not isinstance(value, np.generic):
        raise TypeError(f"a kernel takes NumPy scalars such as np.int32(5), not {type(value).__name__}")
    return value
