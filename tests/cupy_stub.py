"""CUDA devices without a GPU: the verbs of ``devices/cuda.py`` on a stub of CuPy.

Arrays are NumPy's and kernels do nothing. What engines ask for is real: the
texts, the options for NVRTC, the size of each launch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from warptour.devices.cuda import Cuda


@dataclass(frozen=True)
class Gpu:
    """The numbers of a GPU that choices depend on, by its data sheet and the CUDA programming guide.

    ``local_memory`` and ``shared_memory`` are the bytes of shared memory per block and per multiprocessor.
    """

    title: str
    capability: int
    multiprocessors: int
    local_memory: int
    clock_mhz: int
    shared_memory: int
    warps: int
    blocks: int
    reserved: int = 1024
    registers: int = 65536
    memory: int = 16 * 2**30


GPUS = (
    Gpu("T4", 75, 40, 64 * 1024, 1590, shared_memory=64 * 1024, warps=32, blocks=16, reserved=0),
    Gpu("RTX 4090", 89, 128, 99 * 1024, 2520, shared_memory=100 * 1024, warps=48, blocks=24),
    Gpu("H200", 90, 132, 227 * 1024, 1980, shared_memory=228 * 1024, warps=64, blocks=32),
)


class Array(np.ndarray):
    """An array that CuPy would hold."""

    def set(self, values: np.ndarray, stream: object = None) -> None:
        self[...] = values


class CudaRuntimeError(RuntimeError):
    """What CuPy raises when a launch or a copy fails."""


class OutOfMemoryError(MemoryError):
    """What CuPy raises when its pool cannot grow."""


class Here:
    """A context that changes nothing: a device, or a stream."""

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *reason: object) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def wait_event(self, event: Event) -> None:
        pass

    def begin_capture(self) -> None:
        pass

    def end_capture(self) -> SimpleNamespace:
        return SimpleNamespace(launch=lambda stream: None)


class Event(Here):
    def __init__(self, disable_timing: bool = False) -> None:
        pass

    def record(self, stream: object = None) -> None:
        pass


class Kernel:
    """Checks that a GPU would take the launch."""

    max_dynamic_shared_size_bytes = 48 * 1024

    def __init__(self, gpu: Gpu, name: str, on_launch: Callable[[str], None]) -> None:
        self._gpu, self._name, self._on_launch = gpu, name, on_launch

    def __call__(self, grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...], shared_mem: int) -> None:
        assert 1 <= grid[0] < 2**31, f"{self._name}: a grid of {grid[0]} blocks"
        assert 1 <= block[0] <= 1024, f"{self._name}: a block of {block[0]} threads"
        assert shared_mem <= min(self.max_dynamic_shared_size_bytes, self._gpu.local_memory), self._name
        assert all(isinstance(argument, Array | np.generic) for argument in arguments), self._name
        self._on_launch(self._name)


class StubCuda(Cuda):
    """A CUDA device that looks like ``gpu``; ``on_launch`` hears the name of each kernel and may raise."""

    def __init__(self, gpu: Gpu, on_launch: Callable[[str], None] = lambda name: None) -> None:
        self.gpu = gpu
        self.on_launch = on_launch
        super().__init__(self._cupy(), 0)

    def compiled(self, code: str, options: tuple[str, ...]) -> None:
        """Hear of each text that is compiled."""

    def _cupy(self) -> Any:
        gpu = self.gpu

        class Device(Here):
            id = 0
            compute_capability = str(gpu.capability)
            mem_info = gpu.memory, gpu.memory

            def __init__(self, index: int) -> None:
                self.attributes = {
                    "ClockRate": gpu.clock_mhz * 1000,
                    "MaxSharedMemoryPerBlockOptin": gpu.local_memory,
                    "MaxSharedMemoryPerMultiprocessor": gpu.shared_memory,
                    "ReservedSharedMemoryPerBlock": gpu.reserved,
                    "MaxRegistersPerMultiprocessor": gpu.registers,
                    "MaxThreadsPerMultiProcessor": 32 * gpu.warps,
                    "MaxBlocksPerMultiprocessor": gpu.blocks,
                    "WarpSize": 32,
                }

        def module(code: str, options: tuple[str, ...]) -> SimpleNamespace:
            return SimpleNamespace(
                compile=lambda: self.compiled(code, options),
                get_function=lambda name: Kernel(gpu, name, lambda name: self.on_launch(name)),
            )

        def zeros(shape: Any, dtype: Any) -> Array:
            if np.prod(shape, dtype=float) * np.dtype(dtype).itemsize > gpu.memory:
                raise OutOfMemoryError
            return np.zeros(shape, dtype).view(Array)

        facts = {
            "name": gpu.title.encode(),
            "major": gpu.capability // 10,
            "minor": gpu.capability % 10,
            "multiProcessorCount": gpu.multiprocessors,
            "totalGlobalMem": gpu.memory,
        }
        cuda = SimpleNamespace(
            Device=Device,
            Stream=lambda non_blocking: Here(),
            Event=Event,
            get_current_stream=Here,
            alloc_pinned_memory=bytearray,
            UnownedMemory=lambda pointer, size, owner, device: owner,
            MemoryPointer=lambda memory, offset: memory,
            get_elapsed_time=lambda first, last: 1.0,
            runtime=SimpleNamespace(
                getDeviceProperties=lambda index: facts,
                driverGetVersion=lambda: 0,
                runtimeGetVersion=lambda: 0,
                CUDARuntimeError=CudaRuntimeError,
            ),
            nvrtc=SimpleNamespace(getVersion=lambda: (0, 0)),
            driver=SimpleNamespace(CUDADriverError=type("CUDADriverError", (RuntimeError,), {})),
            memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
            compiler=SimpleNamespace(CompileException=type("CompileException", (Exception,), {})),
        )
        return SimpleNamespace(
            __version__="stub",
            cuda=cuda,
            ndarray=Array,
            empty=zeros,
            zeros=zeros,
            asnumpy=np.array,
            argsort=np.argsort,
            cumsum=np.cumsum,
            RawModule=module,
            get_default_memory_pool=lambda: SimpleNamespace(free_bytes=lambda: 0),
        )
