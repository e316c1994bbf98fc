"""What a device can do: a small set of verbs, the same for the CPU, CUDA and OpenCL.

A device's arrays are its own: NumPy's on the CPU, CuPy's on CUDA, PyOpenCL's
elsewhere. Those who use a device pass them around and look into them with
:meth:`Device.fetch` only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warptour.devices.text import Define
from warptour.model.errors import WarptourError

Array: TypeAlias = Any
"""An array on some device."""


class DeviceError(WarptourError):
    """A device is missing, too small, or refuses a program; the message says what to do."""


@dataclass(frozen=True)
class About:
    """What is known of a device.

    Attributes
    ----------
    name : str
        As ``--device`` takes it: ``cpu``, ``cuda:0``, ``opencl:0``.
    title : str
        What its maker calls it.
    kind : {"cpu", "gpu"}
    memory : int
        Bytes.
    units : int
        Cores, or multiprocessors.
    clock : float
        MHz, 0 where unknown.
    local_memory : int
        Bytes of fast memory a group can have.
    peak : float
        float32 operations a second by the data sheet's rule, multiply and add counted as two; 0 where unknown.
    roots : float
        Square roots a second; 0 where unknown.
    """

    name: str
    title: str
    kind: str
    memory: int
    units: int
    clock: float
    local_memory: int
    peak: float = 0.0
    roots: float = 0.0


@dataclass
class Elapsed:
    """Seconds that the device worked, once the block that measured them has ended."""

    seconds: float = field(default=0.0)


class Program(Protocol):
    """A built kernel text."""

    def launch(self, name: str, groups: int, *arguments: Any, local: int = 0) -> None:
        """Run kernel ``name`` with so many groups, in order with all else that was asked of the device.

        Parameters
        ----------
        *arguments
            Arrays of the device, NumPy scalars of exactly the kernel's types, None for a null pointer.
        local : int
            Bytes of ``SCRATCH``; only for kernels that have it.
        """


class Device(Protocol):
    """Where arrays live and kernels run."""

    name: str
    lanes: int
    """Lanes of a group that suit the device: 1 on a CPU."""
    simd: int
    """Numbers in a vector that a text is built for, as SIMD; 1 where compilers or lanes see to that."""
    compile_seconds: float
    """What builds took so far; searches leave it out of their time."""

    def about(self) -> About:
        """Return what is known of it."""

    def provenance(self) -> str:
        """Return where its code comes from: kernel texts or library, compiler and driver, with their versions."""

    def send(self, values: NDArray[Any]) -> Array:
        """Return a copy of ``values`` on the device."""

    def empty(self, shape: int | Sequence[int], dtype: DTypeLike) -> Array:
        """Return an array with anything in it."""

    def zeros(self, shape: int | Sequence[int], dtype: DTypeLike) -> Array:
        """Return an array of zeros."""

    def fetch(self, array: Array) -> NDArray[Any]:
        """Return a copy on the host, once all that was launched before is done."""

    def fill(self, array: Array, values: NDArray[Any]) -> None:
        """Overwrite ``array`` with as many ``values`` of its type."""

    def build(self, name: str, special: str | None = None, *, lanes: int | None = None, **defines: Define) -> Program:
        """Return a kernel text compiled for this device; built code is kept, under a hash of text and options.

        Parameters
        ----------
        name : str
            The text's file without its suffix.
        special : str, optional
            ``Points.special``, for texts that are built per metric.
        lanes : int, optional
            Of a group; by default 1.
        **defines
            ``#define`` lines; on the CPU, which has its library already, they must be those of the library.
        """

    def order(self, keys: Array) -> Array:
        """Return the int32 permutation that sorts unsigned ``keys``; equal keys keep their order."""

    def running_sum(self, values: Array) -> Array:
        """Return the inclusive running sum of an int64 array."""

    def record(self, work: Callable[[], None]) -> Callable[[], None]:
        """Return what does all launches of ``work`` again, perhaps much faster.

        ``work`` must launch and do nothing else with the device, and each of its kernels must have run before.
        """

    def timed(self) -> AbstractContextManager[Elapsed]:
        """Measure the device's own time for what is launched inside."""

    def synchronise(self) -> None:
        """Wait until all is done."""


def scalar_bytes(value: Any) -> np.generic:
    """Return ``value`` if it is a NumPy scalar, which has the width a kernel expects; a plain number has none."""
    if not isinstance(value, np.generic):
        raise TypeError(f"a kernel takes NumPy scalars such as np.int32(5), not {type(value).__name__}")
    return value
