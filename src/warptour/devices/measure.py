"""Microbenchmarks of a device's arithmetic: peak throughput (``peak.c``) and a FLOP test (``flops.c``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from warptour.devices.device import Device, Program

WIDTHS: Final = (1, 4, 16, 64)
"""Numbers of independent dependency chains per lane."""

VECTORS: Final = (1, 2, 4, 8, 16)
"""Numbers per vector in the FLOP test."""

LANES: Final = 128
"""Lanes per group on a GPU: four warps."""
OPERATIONS: Final = 20_000_000
"""Operations of the calibration launch per core (a fiftieth of it per GPU lane); it sizes the timed launches."""

SECONDS: Final = 0.03
"""Target duration of a timed launch, long enough to hide the start of threads."""

TURNS_AT_ONCE: Final = 16
"""Operations per chain and turn of the kernel's loop, as in ``peak.c``."""
MAX_TURNS: Final = 2**30
"""Maximum turns of a launch, which counts them in int32."""


@dataclass(frozen=True)
class Throughput:
    """Measured throughput of one device."""

    # float32 operations per second by number of chains per lane, a multiply-add counted as two
    operations: dict[int, float]
    roots: dict[int, float]  # square roots per second, approximate where the device has approximate roots


@dataclass(frozen=True)
class Timer:
    """Times launches of kernels that loop over turns, on all lanes of a device."""

    device: Device
    program: Program
    groups: int
    lanes: int
    operations: int
    seconds: float

    @classmethod
    def of(cls, device: Device, source: str, operations: int, seconds: float) -> Timer:
        """Return a timer for the kernels of a source, with groups that fill the device."""
        lanes = LANES if device.lanes > 1 else 1
        units = device.about().units
        groups = units * 16 if lanes > 1 else units
        share = max(1, operations if lanes == 1 else operations // 50)
        return cls(device, device.build(source, lanes=lanes), groups, lanes, share, seconds)

    def rate(self, name: str, each: int, dtype: type[np.floating[Any]] = np.float32, share: int = 1) -> float:
        """Return operations per second: the best of three timings of about ``seconds`` each.

        ``name``: kernel
        ``each``: operations of a lane in each of ``TURNS_AT_ONCE`` parts of a turn
        ``dtype``: type of the kernel's numbers
        ``share``: divisor of the operations of the calibration launch, for slow operations
        """
        out = self.device.empty(self.groups * self.lanes, dtype)
        numbers = dtype(0.5), dtype(0.75), dtype(0.25)

        def run(turns: int) -> None:
            self.program.launch(name, self.groups, np.int32(turns), *numbers, out)

        def timed(turns: int) -> float:
            with self.device.timed() as elapsed:
                run(turns)
            return max(1e-6, elapsed.seconds)

        run(1)
        turns = max(1, self.operations // share // (TURNS_AT_ONCE * each))
        turns = min(MAX_TURNS, max(turns, int(turns * self.seconds / timed(turns))))
        return self.groups * self.lanes * turns * TURNS_AT_ONCE * each / min(timed(turns) for _ in range(3))


def measure(device: Device, operations: int = OPERATIONS, seconds: float = SECONDS) -> Throughput:
    """Return the throughput for each width."""
    timer = Timer.of(device, "peak", operations, seconds)
    return Throughput(
        {width: timer.rate(f"peak_{width}", 2 * width) for width in WIDTHS},
        {width: timer.rate(f"peak_roots_{width}", width, share=16) for width in WIDTHS},
    )


def flop_test(device: Device, operations: int = OPERATIONS, seconds: float = SECONDS) -> dict[tuple[str, int], float]:
    """Return operations per second of dependent multiply-adds on vectors, by type and width, after Rocki (2013)."""
    timer = Timer.of(device, "flops", operations, seconds)
    return {
        (kind, width): timer.rate(f"flops_{kind}_{width}", 2 * width, dtype)
        for kind, dtype in (("float32", np.float32), ("float64", np.float64))
        for width in VECTORS
    }
