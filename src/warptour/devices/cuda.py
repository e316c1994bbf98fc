"""CUDA devices through CuPy; kernels are compiled by NVRTC.

Only this module imports CuPy. Without a GPU, tests can run it on a stub of CuPy at most, so it holds the device
interface and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warptour.devices.caches import keep_caches_private
from warptour.devices.details import cuda_details
from warptour.devices.device import About, Array, Device, DeviceError, Elapsed, Mapped, scalar_bytes
from warptour.devices.text import Define, assemble, fingerprint

CORES: Final = {70: 64, 75: 64, 80: 64, 86: 128, 87: 128, 89: 128, 90: 128, 100: 128, 103: 128, 120: 128}
"""float32 lanes per multiprocessor, by compute capability. Square roots: 16 per cycle, a quarter of the lanes of the
warp schedulers.
"""

FREE_LOCAL: Final = 40 * 1024
"""Dynamic shared memory (bytes) allowed without opting in: 48 KB less the kernel's static arrays."""

PIECE: Final = 1 << 22
"""Numbers of a strided array that are gathered and sent at once."""

LARGEST_BLOCK: Final = 1024
"""Maximum threads per block; groups with more lanes are clusters of blocks."""
PORTABLE_CLUSTER: Final = 8
"""Maximum blocks per cluster on every GPU of compute capability 9.0 or more."""
SMALL_BLOCK: Final = 128
"""Threads per block when each group has one lane."""


def find_all() -> tuple[list[Cuda], str | None]:
    """Return all CUDA devices and, if there are none, a sentence on what to install."""
    keep_caches_private()
    try:
        import cupy
    except ImportError:
        return [], "CUDA: pip install 'warptour[cuda]' (or cuda12 for drivers before 580)"
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return [], f"CUDA: no device ({str(error).partition(':')[2].strip() or error}); is the NVIDIA driver installed?"
    return [Cuda(cupy, index) for index in range(count)], None


class Cuda(Device):
    """One NVIDIA GPU.

    With ``own_stream``, its work runs beside that of other objects for the same GPU, and waiting for it takes no core.
    """

    backend = "cuda"
    is_host = False
    warps = cooperative = True
    vector_types = False
    lane_memory = 0
    max_lanes = 1024
    lanes = 32
    simd = 1

    def __init__(self, cupy: Any, index: int, *, own_stream: bool = False) -> None:
        self.cupy = cupy
        self.name = f"cuda:{index}"
        self.compile_seconds = 0.0
        self._device = cupy.cuda.Device(index)
        self._stream: Any = cupy.cuda.Stream(non_blocking=True) if own_stream else nullcontext()
        self._waits_asleep = own_stream
        self._granted: dict[str, dict[str, int]] = {}
        self._copies: Any = None

    def about(self) -> About:
        """Return the properties reported by the driver.

        Where CuPy does not report an attribute, the defaults are those of all GPUs since Volta: warps of 32 lanes,
        65,536 registers, from compute capability 8.0 on 1 KiB of reserved memory; other limits are unknown (0).
        """
        facts = self.cupy.cuda.runtime.getDeviceProperties(self._device.id)
        attributes = self._device.attributes
        capability = 10 * facts["major"] + facts["minor"]
        units, clock = facts["multiProcessorCount"], attributes["ClockRate"] / 1e3
        lanes = units * clock * 1e6 * CORES.get(capability, 128)
        title = f"{facts['name'].decode()} (compute {facts['major']}.{facts['minor']})"
        return About(
            self.name,
            title,
            "gpu",
            memory=facts["totalGlobalMem"],
            units=units,
            clock=clock,
            local_memory=attributes["MaxSharedMemoryPerBlockOptin"],
            peak=2 * lanes,
            roots=units * clock * 1e6 * 16,
            warp=attributes.get("WarpSize", 32),
            max_lanes=attributes.get("MaxThreadsPerMultiProcessor", 0),
            max_groups=attributes.get("MaxBlocksPerMultiprocessor", 0),
            registers=attributes.get("MaxRegistersPerMultiprocessor", 65536),
            shared_memory=attributes.get("MaxSharedMemoryPerMultiprocessor", 0),
            reserved_memory=attributes.get("ReservedSharedMemoryPerBlock", 1024 if capability >= 80 else 0),
            memory_unit=128 if capability >= 80 else 256,
            cluster=PORTABLE_CLUSTER if capability >= 90 else 1,
        )

    def details(self) -> dict[str, str]:
        """Return what the driver tells of the device."""
        runtime = self.cupy.cuda.runtime
        facts = runtime.getDeviceProperties(self._device.id)
        return cuda_details(facts, runtime.driverGetVersion(), runtime.runtimeGetVersion(), self.about().clock)

    def pci_bus_id(self) -> str:
        """Return the PCI bus number, by which NVML knows the GPU."""
        return str(self._device.pci_bus_id)

    def free_memory(self) -> float:
        """Return the bytes that are free on the GPU or in CuPy's pool."""
        with self._current():
            return float(self._device.mem_info[0] + self.cupy.get_default_memory_pool().free_bytes())

    def provenance(self) -> str:
        """Return the versions of driver, runtime, NVRTC and CuPy, and the hash of the kernel sources."""
        cuda = self.cupy.cuda
        versions = cuda.runtime.driverGetVersion(), cuda.runtime.runtimeGetVersion(), cuda.nvrtc.getVersion()
        return "\n".join((*map(str, versions), self.cupy.__version__, fingerprint()))

    @contextmanager
    def place(self) -> Iterator[None]:
        """Make this the current device, and its stream the current one."""
        with self._device, self._stream:
            yield

    @contextmanager
    def _current(self) -> Iterator[None]:
        """Make this the current device, and turn CuPy's errors into :class:`DeviceError`."""
        try:
            with self.place():
                yield
        except self.failures as error:
            raise self.failed(error) from error

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """Exception types that CuPy raises when the GPU fails at run time."""
        cuda = self.cupy.cuda
        return cuda.runtime.CUDARuntimeError, cuda.driver.CUDADriverError, cuda.memory.OutOfMemoryError

    def failed(self, error: Exception) -> DeviceError:
        """Return a one-line :class:`DeviceError` for ``error``."""
        return DeviceError(f"{self.name} failed: {(str(error).splitlines() or [type(error).__name__])[0]}")

    def empty(self, shape: int | Sequence[int], dtype: DTypeLike) -> Array:
        return self._room(self.cupy.empty, shape, dtype)

    def zeros(self, shape: int | Sequence[int], dtype: DTypeLike) -> Array:
        return self._room(self.cupy.zeros, shape, dtype)

    def _room(self, make: Any, shape: int | Sequence[int], dtype: DTypeLike) -> Array:
        try:
            with self.place():
                return make(shape, dtype)
        except self.cupy.cuda.memory.OutOfMemoryError:
            wanted = int(np.prod(shape)) * np.dtype(dtype).itemsize
            free = self._device.mem_info[0]
            raise DeviceError(
                f"{self.name} has no room for {wanted / 1e9:.1f} GB more ({free / 1e9:.1f} GB are free):"
                " use --device cpu, or a smaller batch"
            ) from None
        except self.failures as error:
            raise self.failed(error) from error

    def fetch(self, array: Array) -> NDArray[Any]:
        """Return a copy on the host."""
        with self._current():
            return self.cupy.asnumpy(array)  # type: ignore[no-any-return]

    def fill(self, array: Array, values: NDArray[Any]) -> None:
        """Overwrite ``array``."""
        if values.ndim != 1 or values.flags.c_contiguous:
            with self._current():
                array.set(np.ascontiguousarray(values))
            return
        room = np.empty(min(len(values), PIECE), values.dtype)  # a column of a billion rows is not copied as a whole
        for at in range(0, len(values), PIECE):
            piece = room[: min(PIECE, len(values) - at)]
            piece[...] = values[at : at + PIECE]
            with self._current():
                array[at : at + len(piece)].set(piece)

    def build(
        self, name: str, special: str | None = None, *, lanes: int | None = None, **defines: Define
    ) -> CudaProgram:
        """Return a kernel source compiled by NVRTC; CuPy caches compiled code on disk."""
        began = time.perf_counter()
        text = assemble(name, "cuda", special, lanes or 1, defines)
        options = ("--std=c++17", "--use_fast_math" if text.relaxed else "--fmad=false", "-lineinfo")
        with self._device:
            try:
                module = self.cupy.RawModule(code=text.source, options=options)
                module.compile()
            except self.cupy.cuda.compiler.CompileException as error:
                first = next((line for line in str(error).splitlines() if "error" in line), str(error))
                raise DeviceError(f"{self.name}: kernel {name} does not compile: {first}") from error
        self.compile_seconds += time.perf_counter() - began
        return CudaProgram(self, module, lanes or 1, self._granted.setdefault(text.source, {}))

    def order(self, keys: Array) -> Array:
        """Return the permutation that sorts ``keys``."""
        with self._current():
            return self.cupy.argsort(keys, kind="stable").astype(np.int32)

    def running_sum(self, values: Array) -> Array:
        """Return the inclusive prefix sum."""
        with self._current():
            return self.cupy.cumsum(values)

    def pinned(self, shape: int | Sequence[int], dtype: DTypeLike) -> NDArray[Any]:
        """Return an uninitialised array in page-locked memory."""
        count = int(np.prod(shape))
        with self._current():
            memory = self.cupy.cuda.alloc_pinned_memory(max(1, count) * np.dtype(dtype).itemsize)
        return np.frombuffer(memory, dtype, count).reshape(shape)

    def mapped(self, shape: int | Sequence[int], dtype: DTypeLike) -> CudaMapped:
        """Return an array of zeros in page-locked memory, which the GPU addresses as its own."""
        host = self.pinned(shape, dtype)
        host[...] = 0
        with self._current():
            memory = self.cupy.cuda.UnownedMemory(host.ctypes.data, host.nbytes, host, self._device.id)
            array = self.cupy.ndarray(host.shape, host.dtype, self.cupy.cuda.MemoryPointer(memory, 0))
        return CudaMapped(self, host, array)

    def fill_ahead(self, array: Array, values: NDArray[Any]) -> Callable[[], None]:
        """Overwrite ``array`` on a stream of its own, after all launches so far."""
        with self._current():
            if self._copies is None:
                self._copies = self.cupy.cuda.Stream(non_blocking=True)
            launched, copied = (self.cupy.cuda.Event(disable_timing=True) for _ in range(2))
            launched.record()
            self._copies.wait_event(launched)
            array.set(values, self._copies)
            copied.record(self._copies)

        def await_copy() -> None:
            with self._current():
                self.cupy.cuda.get_current_stream().wait_event(copied)

        return await_copy

    def mark(self) -> Callable[[], None]:
        """Return a callable that waits for an event on the stream."""
        with self._current():
            event = self.cupy.cuda.Event(disable_timing=True)
            event.record()

        def wait() -> None:
            with self._current():
                event.synchronize()

        return wait

    def record(self, work: Callable[[], None]) -> Callable[[], None]:
        """Return the launches of ``work`` as one CUDA graph, which costs the host a hundredth of their launch time."""
        usual, self._stream = self._stream, self.cupy.cuda.Stream(non_blocking=True)
        try:
            with self._current():
                self._stream.begin_capture()
                work()
                graph = self._stream.end_capture()
        finally:
            self._stream = usual

        def replay() -> None:
            with self._current():
                graph.launch(self.cupy.cuda.get_current_stream())

        return replay

    @contextmanager
    def timed(self) -> Iterator[Elapsed]:
        """Measure the time between two events on the stream."""
        elapsed = Elapsed()
        with self._current():
            first, last = self.cupy.cuda.Event(), self.cupy.cuda.Event()
            first.record()
            yield elapsed
            last.record()
            last.synchronize()
            elapsed.seconds = self.cupy.cuda.get_elapsed_time(first, last) / 1e3

    def synchronise(self) -> None:
        """Wait for the current stream."""
        with self._current():
            if self._waits_asleep:
                done = self.cupy.cuda.Event(block=True, disable_timing=True)
                done.record()
                done.synchronize()
            else:
                self.cupy.cuda.get_current_stream().synchronize()

    def apart(self) -> Cuda:
        """Return the same GPU with a stream of its own."""
        return Cuda(self.cupy, self._device.id, own_stream=True)


class CudaMapped(Mapped):
    """Page-locked memory of the host and the GPU's view of it."""

    def __init__(self, device: Cuda, host: NDArray[Any], array: Array) -> None:
        super().__init__(device, array)
        self._host = host

    def read(self) -> NDArray[Any]:
        """Return a copy."""
        return self._host.copy()


class CudaProgram:
    """A compiled module.

    ``granted``: largest dynamic shared memory granted to each kernel of this text, in bytes. CuPy loads a text once, so
    programs of the same text share their functions, and one must not lower the limit of another.
    """

    def __init__(self, device: Cuda, module: Any, lanes: int, granted: dict[str, int]) -> None:
        self._device = device
        self._module = module
        self._lanes = lanes
        self._functions: dict[str, Any] = {}
        self._granted = granted
        self._local: dict[str, int] = {}

    def function(self, name: str) -> Any:
        """Return a kernel function of the module."""
        if name not in self._functions:
            self._functions[name] = self._module.get_function(name)
        return self._functions[name]

    def launch(self, name: str, groups: int, *arguments: Any, local: int = 0) -> None:
        """Enqueue a kernel on the current stream: one block per group, or one thread per group of one lane."""
        block = min(self._lanes, LARGEST_BLOCK) if self._lanes > 1 else min(groups, SMALL_BLOCK)
        grid = groups * (self._lanes // block) if self._lanes > 1 else -(-groups // block)
        array = self._device.cupy.ndarray
        passed = [np.uint64(0) if x is None else x if isinstance(x, array) else scalar_bytes(x) for x in arguments]
        if local:
            passed.append(np.uint64(0))
        try:
            with self._device.place():
                call = self.function(name)
                if local > self._local.get(name, FREE_LOCAL):
                    self._local[name] = self._granted[name] = max(local, self._granted.get(name, 0))
                    call.max_dynamic_shared_size_bytes = self._local[name]
                call((grid,), (block,), tuple(passed), shared_mem=local)
        except self._device.failures as error:
            raise self._device.failed(error) from error
