"""Compute devices: discovery, memory, sorting, prefix sums, compilation, launches, timing. Independent of routing."""

from warptour.devices.device import About, Array, Device, DeviceError, Elapsed, Program
from warptour.devices.find import candidates, find, find_several, present

__all__ = [
    "About",
    "Array",
    "Device",
    "DeviceError",
    "Elapsed",
    "Program",
    "candidates",
    "find",
    "find_several",
    "present",
]
