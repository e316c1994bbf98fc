"""OpenCL devices through PyOpenCL: GPUs of vendors other than NVIDIA, and CPUs through PoCL."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warptour.devices.caches import keep_caches_private
from warptour.devices.details import opencl_details
from warptour.devices.device import About, Array, Device, DeviceError, scalar_bytes
from warptour.devices.text import Define, assemble, fingerprint

COMPILING: Final = Lock()
"""Held while a driver compiles, at builds and first launches: not all of them may on several threads at once."""

ROOM: Final = 16
"""Bytes of local memory per lane, for communication within a group."""


def find_all() -> tuple[list[OpenCL], str | None]:
    """Return all OpenCL devices and, if there are none, a sentence on what to install."""
    keep_caches_private()
    try:
        import pyopencl
        import pyopencl.array
    except ImportError:
        return [], "OpenCL: pip install 'warptour[opencl]'"
    try:
        platforms = pyopencl.get_platforms()
    except pyopencl.Error:
        platforms = []
    devices = [device for platform in platforms for device in platform.get_devices()]
    if not devices:
        return [], "OpenCL: no driver found; install your device's, or PoCL for the CPU (pip install 'pyopencl[pocl]')"
    return [OpenCL(pyopencl, device, index) for index, device in enumerate(devices)], None


class OpenCL(Device):
    """One OpenCL device."""

    backend = "opencl"
    is_host = False
    warps = cooperative = False
    vector_types = True
    lane_memory = ROOM
    max_lanes = 256

    def __init__(self, cl: Any, device: Any, index: int) -> None:
        self.cl = cl
        self.name = f"opencl:{index}"
        self.platform = str(device.platform.name).strip()
        self.is_cpu = bool(device.type & cl.device_type.CPU)
        self.lanes = 1 if self.is_cpu else 32
        self.simd = max(4, min(16, device.native_vector_width_float)) if self.is_cpu else 1
        self.compile_seconds = 0.0
        self._device = device
        self._context: Any = None
        self._queue: Any = None

    @property
    def queue(self) -> Any:
        """The device's command queue, created on first use."""
        if self._queue is None:
            self._context = self.cl.Context([self._device])
            profiled = self.cl.command_queue_properties.PROFILING_ENABLE
            self._queue = self.cl.CommandQueue(self._context, properties=profiled)
        return self._queue

    def about(self) -> About:
        """Return the properties reported by the driver."""
        device = self._device
        title = f"{str(device.name).strip()} ({self.platform})"
        kind = "cpu" if self.is_cpu else "gpu"
        clock = float(device.max_clock_frequency)
        memory, units = device.global_mem_size, device.max_compute_units
        return About(self.name, title, kind, memory, units, clock, device.local_mem_size)

    def details(self) -> dict[str, str]:
        """Return what the driver tells of the device."""
        return opencl_details(self._device)

    def free_memory(self) -> float:
        """Return the memory of the device: OpenCL does not say how much of it is free."""
        return float(self._device.global_mem_size)

    def provenance(self) -> str:
        """Return the versions of platform, device, driver and PyOpenCL, and the hash of the kernel sources."""
        device, platform = self._device, self._device.platform
        versions = platform.version, device.version, device.driver_version, self.cl.VERSION_TEXT
        return "\n".join((self.platform, *map(str, versions), fingerprint()))

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Turn the driver's errors into :class:`DeviceError`."""
        try:
            yield
        except self.cl.Error as error:
            raise DeviceError(f"{self.name} failed: {(str(error).splitlines() or ['error'])[0]}") from error

    def empty(self, shape: int | Sequence[int], dtype: DTypeLike) -> Array:
        wanted = int(np.prod(shape)) * np.dtype(dtype).itemsize
        if wanted > self._device.global_mem_size:
            raise DeviceError(
                f"{self.name} has no room for {wanted / 1e9:.1f} GB (it has"
                f" {self._device.global_mem_size / 1e9:.1f} GB): use --device cpu, or a smaller batch"
            )
        try:
            # OpenCL has no empty buffers
            base = self.cl.array.empty(self.queue, max(1, int(np.prod(shape))), np.dtype(dtype))
        except self.cl.Error as error:
            raise DeviceError(f"{self.name}: {wanted / 1e9:.1f} GB could not be allocated ({error})") from None
        return base[: int(np.prod(shape))].reshape(shape) if int(np.prod(shape)) else base

    def fetch(self, array: Array) -> NDArray[Any]:
        """Return a copy on the host."""
        with self.at_work():
            return array.get(self.queue)  # type: ignore[no-any-return]

    def fill(self, array: Array, values: NDArray[Any]) -> None:
        """Overwrite ``array``."""
        if values.size:
            with self.at_work():
                array.set(np.ascontiguousarray(values), self.queue)

    def build(
        self, name: str, special: str | None = None, *, lanes: int | None = None, **defines: Define
    ) -> OpenCLProgram:
        """Return a kernel source compiled by the driver; PyOpenCL caches compiled code on disk."""
        began = time.perf_counter()
        lanes = lanes or 1
        text = assemble(name, "opencl", special, lanes, defines)
        options = ["-cl-std=CL1.2", "-w"]  # without -w PoCL's compiler prints a count of warnings to stderr
        options.append("-cl-fast-relaxed-math" if text.relaxed else "-cl-fp32-correctly-rounded-divide-sqrt")
        queue = self.queue
        try:
            with COMPILING, warnings.catch_warnings():
                warnings.simplefilter("ignore")  # compiler warnings; the tests of the native build show them too
                program = self.cl.Program(self._context, text.source).build(options)
        except self.cl.Error as error:
            first = next((line for line in str(error).splitlines() if "error:" in line), str(error).partition("\n")[0])
            raise DeviceError(f"{self.name}: kernel {name} does not compile: {first}") from error
        self.compile_seconds += time.perf_counter() - began
        return OpenCLProgram(self, queue, program, lanes)

    def order(self, keys: Array) -> Array:
        """Return the permutation that sorts ``keys``, computed on the host."""
        return self.send(self.fetch(keys).argsort(kind="stable").astype(np.int32))

    def running_sum(self, values: Array) -> Array:
        """Return the inclusive prefix sum, computed on the host."""
        return self.send(np.cumsum(self.fetch(values)))

    def mark(self) -> Callable[[], None]:
        """Return a callable that waits for a marker in the queue."""
        with self.at_work():
            event = self.cl.enqueue_marker(self.queue)
            self.queue.flush()

        def wait() -> None:
            with self.at_work():
                event.wait()

        return wait

    def synchronise(self) -> None:
        """Wait until the queue is empty."""
        with self.at_work():
            self.queue.finish()


class OpenCLProgram:
    """A compiled program."""

    def __init__(self, device: OpenCL, queue: Any, program: Any, lanes: int) -> None:
        self._device = device
        self._cl = device.cl
        self._queue = queue
        self._lanes = lanes
        self._kernels = {kernel.function_name: kernel for kernel in program.all_kernels()}
        self._launched: set[str] = set()

    def launch(self, name: str, groups: int, *arguments: Any, local: int = 0) -> None:
        """Enqueue a kernel: one work-group per group. The first launch of a kernel is timed and waited for."""
        array = self._cl.array.Array
        passed = [x if x is None else x.data if isinstance(x, array) else scalar_bytes(x) for x in arguments]
        if self._lanes > 1:
            passed.insert(0, self._cl.LocalMemory(ROOM * self._lanes))
        if local:
            passed.append(self._cl.LocalMemory(local))
        kernel = self._kernels[name]
        kernel.set_args(*passed)
        with self._device.at_work():
            if name in self._launched:
                self._cl.enqueue_nd_range_kernel(self._queue, kernel, (groups * self._lanes,), (self._lanes,))
                return
            self._launched.add(name)
            self._queue.finish()
            with COMPILING:
                began = time.perf_counter()
                event = self._cl.enqueue_nd_range_kernel(self._queue, kernel, (groups * self._lanes,), (self._lanes,))
                event.wait()
            spent, ran = time.perf_counter() - began, (event.profile.end - event.profile.start) / 1e9
            self._device.compile_seconds += max(0.0, spent - ran)  # PoCL compiles at the first launch
