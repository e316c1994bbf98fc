"""Compute devices: discovery, memory, sorting, prefix sums, compilation, launches, timing. Independent of routing."""

from warptour.devices.device import About, Array, Device, DeviceError, Elapsed, Program
from warptour.devices.find import BACKENDS, candidates, everywhere, find, find_several, host_first, kind_of, present

__all__ = [
    "BACKENDS",
    "About",
    "Array",
    "Device",
    "DeviceError",
    "Elapsed",
    "Program",
    "candidates",
    "everywhere",
    "find",
    "find_several",
    "host_first",
    "kind_of",
    "present",
]
