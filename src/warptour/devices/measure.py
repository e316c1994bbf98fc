"""Microbenchmark of a device's peak float32 and square-root throughput (``kernels/peak.c``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from warptour.devices.device import Device

WIDTHS: Final = (1, 4, 16, 64)
"""Numbers of independent dependency chains per lane."""

LANES: Final = 128
OPERATIONS: Final = 20_000_000
"""Operations of the calibration launch per core (a fiftieth of it per GPU lane); it sizes the timed launches."""

SECONDS: Final = 0.03
"""Target duration of a timed launch, long enough to hide the start of threads."""

TURNS_AT_ONCE: Final = 16
MAX_TURNS: Final = 2**30


@dataclass(frozen=True)
class Measured:
    """Measured throughput of one device.

    Attributes
    ----------
    operations : dict of int to float
        float32 operations per second by number of chains per lane, a multiply-add counted as two.
    roots : dict of int to float
        Square roots per second, approximate where the device has approximate roots.
    """

    operations: dict[int, float]
    roots: dict[int, float]


def measure(device: Device, operations: int = OPERATIONS, seconds: float = SECONDS) -> Measured:
    """Return the throughput for each width: the best of three timings of about ``seconds`` each."""
    lanes = LANES if device.lanes > 1 else 1
    units = device.about().units
    groups = units * 16 if lanes > 1 else units
    program = device.build("peak", lanes=lanes)
    out = device.empty(groups * lanes, np.float32)

    def rate(name: str, width: int, each: int, wanted: int) -> float:
        turns = max(1, wanted // (TURNS_AT_ONCE * width * each))
        numbers = np.float32(0.5), np.float32(0.75), np.float32(0.25)

        def run(turns: int) -> None:
            program.launch(f"{name}_{width}", groups, np.int32(turns), *numbers, out)

        def timed(turns: int) -> float:
            with device.timed() as elapsed:
                run(turns)
            return max(1e-6, elapsed.seconds)

        run(1)
        turns = min(MAX_TURNS, max(turns, int(turns * seconds / timed(turns))))
        return groups * lanes * turns * TURNS_AT_ONCE * width * each / min(timed(turns) for _ in range(3))

    share = max(1, operations if lanes == 1 else operations // 50)
    return Measured(
        {width: rate("peak", width, 2, share) for width in WIDTHS},
        {width: rate("peak_roots", width, 1, share // 16) for width in WIDTHS},
    )
